"""Turns `game.lark` into parser tables, with Lark: `python -m gamespec.syntax.build` writes them into the package.

The tables are plain data (dicts, lists, tuples, strings, numbers) and are read by `gamespec.syntax.parser`.
Lark needs 150 to 450 ms to compute them and 40 ms to be imported at all, so a run reads the written ones.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamespec.syntax.parser import GRAMMAR_PATH, TABLES_PATH, read_tables
from gamespec.syntax.schema import START_RULES

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.grammar import Rule
    from lark.parsers.lalr_analysis import IntParseTable

KINDS = {"NAME": "<name>", "INT": "<number>", "STRING": "<text>", "$END": "<end>"}


class KeepNames:
    """A Lark postlex that changes nothing but has every word read whole, as a name, in every state."""

    always_accept = ("NAME",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


def lark_parser(grammar: str, *, strict: bool = False) -> Lark:
    """The Lark parser of the grammar, with one start rule for each way a value can stand in YAML.

    `strict` refuses every conflict of the grammar, also between terminals; it needs the package interegular.
    """
    from lark import Lark

    return Lark(
        grammar,
        parser="lalr",
        start=list(START_RULES),
        strict=strict,
        postlex=KeepNames(),
        maybe_placeholders=False,
        keep_all_tokens=True,
    )


def tables_of(grammar: str) -> dict[str, Any]:
    """The tables of a grammar: start states, one row of actions and one of gotos a state, rules, scanner pattern.

    An action is a state to shift to, or `~rule`. A rule is (left side, length, function, how): `how` is `splice`
    for a helper of a repetition, `flatten` for a rule with such helpers in it, `link` for a rule that only hands on
    its one child, else empty.
    """
    lark = lark_parser(grammar)
    kinds: dict[str, str] = dict(KINDS)
    symbols: list[str] = []
    words: list[str] = []
    patterns: dict[str, str] = {}
    for terminal in lark.terminals:
        text = terminal.pattern.value
        if terminal.pattern.type == "re":
            patterns[terminal.name] = text
            continue
        kinds[terminal.name] = text
        (words if text.isidentifier() else symbols).append(text)
    table = lark.parser.parser._parse_table
    rules = sorted(set(lark.rules), key=lambda rule: (str(rule.origin.name), rule.order))
    rule_number = {rule: number for number, rule in enumerate(rules)}
    state_number = numbered(table, kinds)
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in state_number:
        row: dict[str, int] = {}
        leads: dict[str, int] = {}
        for symbol, (action, argument) in table.states[state].items():
            if action.name == "Reduce":
                row[kinds[symbol]] = ~rule_number[argument]
            elif symbol in kinds:
                row[kinds[symbol]] = state_number[argument]
            else:
                leads[symbol] = state_number[argument]
        actions.append(dict(sorted(row.items())))
        gotos.append(dict(sorted(leads.items())))
    return {
        "grammar": grammar,
        "starts": {
            rule: (state_number[table.start_states[rule]], state_number[table.end_states[rule]]) for rule in START_RULES
        },
        "actions": actions,
        "gotos": gotos,
        "rules": [
            (
                str(rule.origin.name),
                len(rule.expansion),
                str(rule.alias or rule.origin.name),
                how(rule),
            )
            for rule in rules
        ],
        "words": sorted(words),
        "scanner": scanner_pattern(patterns, symbols, lark.ignore_tokens),
    }


def numbered(table: IntParseTable, kinds: dict[str, str]) -> dict[int, int]:
    """Numbers of the states that depend on the grammar alone: in the order in which they are met from the starts."""
    found = [table.start_states[rule] for rule in START_RULES]
    for state in found:
        shifts = [
            (symbol in kinds, kinds.get(symbol, symbol), target)
            for symbol, (action, target) in table.states[state].items()
            if action.name == "Shift"
        ]
        found += [target for _, _, target in sorted(shifts) if target not in found]
    return {state: number for number, state in enumerate(dict.fromkeys(found))}


def how(rule: Rule) -> str:
    """What the parser does with a rule; see `tables_of`."""
    if rule.origin.name.startswith("_"):
        return "splice"
    if rule.options.expand1 and not rule.alias:
        assert len(rule.expansion) == 1, f"a rule of several parts needs a name: {rule}"
        return "link"
    return "flatten" if any(symbol.name.startswith("__") and not symbol.is_term for symbol in rule.expansion) else ""


def scanner_pattern(patterns: dict[str, str], symbols: list[str], ignored: list[str]) -> str:
    """One regular expression that skips what is ignored and matches one token; longer symbols come first."""
    import re

    skip = "|".join(patterns[name] for name in ignored)
    groups = {"name": patterns["NAME"], "number": patterns["INT"], "text": patterns["STRING"]}
    groups["symbol"] = "|".join(re.escape(symbol) for symbol in sorted(symbols, key=lambda s: (-len(s), s)))
    groups |= {"end": r"\Z", "stray": r"[\s\S]"}
    return f"(?:{skip})*+(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items()) + ")"


def main() -> str:
    """Writes the tables of the grammar beside it, if they changed; returns what was done."""
    made = tables_of(Path(GRAMMAR_PATH).read_text(encoding="utf-8"))
    if read_tables(TABLES_PATH) == made:
        return "the tables are fresh"
    Path(TABLES_PATH).write_bytes(marshal.dumps(made, 4))
    return f"{TABLES_PATH} written"


if __name__ == "__main__":
    sys.stdout.write(main() + "\n")
