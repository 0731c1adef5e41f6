"""Says what is wrong where a text leaves the grammar: common slips first, then what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from gamespec.diagnostics import Diagnostic, Note
from gamespec.source import Span
from gamespec.syntax import problems
from gamespec.syntax.parser import Fault, tables
from gamespec.syntax.schema import ROWS
from gamespec.syntax.tokens import Token

# What people write, what it is here, and for words the token that must be possible for the hint to fit.
INSTEAD = (
    ("&&", "and", ""),
    ("||", "or", ""),
    ("=<", "<=", ""),
    ("=>", ">=", ""),
    ("<>", "!=", ""),
    (":=", "=", ""),
    ("≤", "<=", ""),
    ("≥", ">=", ""),
    ("≠", "!=", ""),
    ("×", "*", ""),
    ("·", "*", ""),
    ("÷", "/", ""),
    ("−", "-", ""),
    ("∪", "|", ""),
    ("∩", "&", ""),
    ("⊕", "xor", ""),
    ("∈", "in", ""),
    ("∧", "and", ""),
    ("∨", "or", ""),
    ("¬", "not", ""),
    ("…", "..", ""),
    ("!", "not", ""),
    ("~", "not", ""),
    ("to", "..", ".."),
    ("mod", "%", "%"),
    ("div", "/", "/"),
    ("is", "==", "=="),
    ("where", "when", "when"),
    ("with", "choose", "choose"),
    ("then", "queries", "queries"),
    ("then", "do", "do"),
    ("from", "in", "in"),
    ("in", ":", ":"),
    ("=", ":", ":"),
)
INVISIBLE = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
CURLY_QUOTES = tuple("“”„«»‘’")
PARTNERS = {")": "(", "]": "[", "}": "{"}
BEGINS_VALUE = {"<number>", "<name>", "(", "{", "-", "not", "if"}
BEGINS_TYPE = {"set", "array", "sorted"}
OPERATORS = {"+", "-", "*", "/", "//", "%", "&", "|", "xor", "**", "..", "and", "or", "not", "in"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
NEXT_CLAUSE = "the next clause"
PHRASES = {  # where single words would not tell what they begin
    frozenset({"highest", "last", "stuck"}): ["`last mover`", "`stuck player` (misère)", "`highest score`"],
    frozenset({"count", "for", "once", "until"}): [
        "`once`",
        "`count` (a number in front)",
        "`until eof`",
        "`until CONDITION`",
        "`for NAME in SET`",
    ],
}
WORDS_FOR = {"<name>": "a name", "<number>": "a number", "<text>": "a text in quotes", "<end>": "the end"}


class Place(msgspec.Struct, frozen=True):
    """A fault with what stands around it; the value that was being read ends at `end`."""

    token: Token
    expected: frozenset[str]
    stack: list[object]
    text: str
    end: int
    spelling: str

    @property
    def at(self) -> int:
        return self.token.span.start

    @property
    def rest(self) -> str:
        """The text from the fault to the end of its line."""
        return self.text[self.at : self.end].partition("\n")[0].rstrip()

    @property
    def done(self) -> int:
        """The offset behind the last thing that could be read."""
        span = getattr(self.stack[-1], "span", None) if self.stack else None
        return span.end if isinstance(span, Span) else len(self.text[: self.at].rstrip())

    @property
    def takes_value(self) -> bool:
        """Whether an expression could begin here."""
        return "<number>" in self.expected and "(" in self.expected

    @property
    def opened(self) -> list[Token]:
        """The brackets that are open here; a pair may still be on the stack when what follows it cannot be read."""
        found: list[Token] = []
        for part in self.stack:
            if isinstance(part, Token) and part.kind in PARTNERS.values():
                found.append(part)
            elif isinstance(part, Token) and part.kind in PARTNERS and found:
                found.pop()
        return found

    @property
    def before(self) -> str:
        """The word before the fault, or nothing."""
        last = self.stack[-1] if self.stack else None
        return last.text if isinstance(last, Token) else ""

    @property
    def clause(self) -> str:
        """The clause word that this line begins with, or nothing."""
        line = self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at].split(maxsplit=1)
        return line[0] if line and line[0] in ROWS else ""

    @property
    def begins_clause(self) -> bool:
        """Whether the token is a clause word at the begin of a line, or the end."""
        before = self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at]
        return self.token.kind == "<end>" or (self.token.text in ROWS and not before.strip())

    def tokens(self, kind: str) -> list[Token]:
        return [part for part in self.stack if isinstance(part, Token) and part.kind == kind]


def explanation(fault: Fault, text: str, end: int, spelling: str) -> Diagnostic:
    """The diagnostic of a fault in a text that was read up to `end`."""
    place = Place(fault.token, fault.expected, fault.stack, text, end, spelling)
    for hint in HINTS:
        if (found := hint(place)) is not None:
            return found
    return expected_instead(place)


def closest(word: str, words: Iterable[str]) -> str | None:
    """The word that was probably meant, or None."""
    from difflib import get_close_matches

    by_letters = {candidate.lower(): candidate for candidate in words}
    near = get_close_matches(word[:40].lower(), by_letters, 1, 0.7)
    return by_letters[near[0]] if near else None


# --- slips -----------------------------------------------------------------------------------------------------


def player_word(place: Place) -> Diagnostic | None:
    """A verdict for a player whose name begins something else: `players move, wait` and `move wins when …`."""
    players = re.search(r"^[ \t]*players\s+(\w+)\s*,\s*(\w+)", place.text, re.MULTILINE)
    line = place.text[place.text.rfind("\n", 0, place.at) + 1 : place.at] + place.rest
    if players is None or (said := re.match(r"\s*(\w+)\s+(?:wins|loses)\b", line)) is None:
        return None
    for number in (1, 2):
        if players[number] == said[1] and said[1] in tables().words:
            return problems.PLAYER_WORD.at(Span(*players.span(number)), word=said[1])
    return None


def quote(place: Place) -> Diagnostic | None:
    """An unclosed or a single quote."""
    if place.token.text == "'":
        return problems.SINGLE_QUOTE.at(place.token.span)
    if place.token.text in CURLY_QUOTES:
        return problems.INSTEAD.at(place.token.span, found=place.token.text, right='"')
    if place.token.text != '"':
        return None
    return problems.UNCLOSED_QUOTE.at(Span(place.at, place.at + max(1, len(place.rest))))


def written_instead(place: Place) -> Diagnostic | None:
    """A sign or word of another language: `&&`, `!`, `mod`, …"""
    for written, right, needed in INSTEAD:
        at = place.at
        if needed:
            fits = place.token.text == written and needed in place.expected
        else:
            if len(written) == 2 and place.text.startswith(written, at - 1):
                at -= 1  # the first of the two signs was taken for an operator
            fits = place.text.startswith(written, at)
        if fits:
            return problems.INSTEAD.at(Span(at, at + len(written)), found=written, right=right)
    return None


def sign(place: Place) -> Diagnostic | None:
    """Single signs with a message of their own."""
    token = place.token
    if token.kind == "=" and "==" in place.expected:
        return problems.EQUALS.at(token.span)
    if token.text == "^":
        return problems.CARET.at(token.span)
    if token.text == ";":
        return problems.SEMICOLON.at(token.span)
    dots = re.compile(r"\.\.[.<]+").match(place.text, max(0, place.at - 2))
    if token.text in (".", "<") and dots is not None:
        return problems.INSTEAD.at(Span(*dots.span()), found=dots.group(), right="..")
    if token.text == "." and place.text[place.at - 1 : place.at].isdigit():
        return problems.DECIMAL.at(token.span)
    start = place.text.rfind("\n", 0, place.at) + 1
    sign_of_comment = re.match(r"\s*(//|/\*)", place.text[start : place.at + 2])
    if sign_of_comment is not None:
        return problems.COMMENT_SIGN.at(Span(start + sign_of_comment.start(1), start + sign_of_comment.end()))
    if token.kind == "<stray>" and (token.text.isspace() or token.text in INVISIBLE):
        return problems.SPECIAL_BLANK.at(token.span, sign=f"U+{ord(token.text):04X}")
    if token.kind == "<stray>":
        shown = token.text if token.text.isprintable() else f"U+{ord(token.text):04X}"
        return problems.STRAY.at(token.span, sign=shown)
    return None


def step(place: Place) -> Diagnostic | None:
    """`n--` and `n++`: the first sign is wrong in an update, what follows the second one in an expression."""
    for at in (place.at, len(place.text[: place.at].rstrip()) - 2):
        name = re.search(r"\w+\s*$", place.text[max(0, at - 80) : at])
        signs = place.text[at : at + 2]
        if name is not None and signs in ("--", "++") and ("=" in place.expected or at < place.at):
            op = f"{signs[0]}="
            return problems.STEP.at(Span(at, at + 2), found=signs, name=name.group().strip(), op=op)
    return None


def update_sign(place: Place) -> Diagnostic | None:
    """`n *= 2` and `n /= 2`."""
    found = re.match(r"(\*\*|//|[*/%^])=", place.rest)
    name = re.search(r"(\w+(?:\[[^\[\]]*\])?)\s*$", place.text[max(0, place.at - 80) : place.at])
    if found is None or name is None or "+=" not in place.expected:
        return None
    span = Span(place.at, place.at + found.end())
    op = "xor" if found[1] == "^" else found[1]
    return problems.UPDATE_SIGN.at(span, found=found[0], name=name[1], op=op)


def move_word(place: Place) -> Diagnostic | None:
    """`for` and `if` in a move, a move without an effect, a colon after a clause word."""
    token = place.token
    if "do" in place.expected and "into" in place.expected:
        if token.text == "for":
            name = re.match(r"for\s+(\w+)", place.rest)
            return problems.FOR_IN_MOVE.at(token.span, name=name.group(1) if name else "x")
        if token.text == "if":
            return problems.IF_IN_MOVE.at(token.span)
        if token.text == "by" and (moves := place.tokens("move")):
            name_token = place.stack[place.stack.index(moves[-1]) + 1]
            player = re.match(r"by\s+(\w+)", place.rest)
            assert isinstance(name_token, Token)
            return problems.BY_FIRST.at(token.span, name=name_token.text, player=player[1] if player else "NAME")
        words = [part.text for part in place.stack[-3:] if isinstance(part, Token)]
        if words[-2:-1] == ["by"] and place.before in ("choose", "when", "do", "into"):
            return problems.NO_PLAYER.at(place.stack[-1].span)  # type: ignore[attr-defined]
        if place.before in ("choose", "when", "do", "into") or words[-2:] == ["move", "by"]:
            return problems.UNNAMED_MOVE.at(place.stack[-1].span, word=place.before)  # type: ignore[attr-defined]
        if re.match(r"\w+\s+in\b", place.rest):
            return problems.NO_CHOOSE.at(token.span, rest=re.split(r"\b(?:when|do|into)\b", place.rest)[0].strip())
        local = re.match(r"let\s+(\w+)[^\n]*\n[ \t]+(?:choose|when|do|into)\b", place.text[place.at : place.end])
        if token.text == "let" and local is not None and not place.opened:
            return problems.LET_IN_MOVE.at(token.span, name=local[1])
        if place.begins_clause and not place.opened and (moves := place.tokens("move")):
            name_token = place.stack[place.stack.index(moves[-1]) + 1]
            assert isinstance(name_token, Token)
            return problems.NO_EFFECT.at(name_token.span, name=name_token.text)
    if token.text in ("choose", "when", "do", "into") and not place.opened and (lets := place.tokens("let")):
        name_token = place.stack[place.stack.index(lets[-1]) + 1]  # what follows it belongs to a move before it
        return problems.LET_IN_MOVE.at(lets[-1].span, name=getattr(name_token, "text", "f"))
    if token.text == "when" and "gain" in place.expected and place.tokens("move"):
        return problems.WHEN_FIRST.at(token.span)
    if token.kind == ":" and place.spelling == "text":
        return problems.NO_COLON.at(token.span)
    return None


def bracket_range(place: Place) -> Diagnostic | None:
    """`[0, 10]` for a range and `[1, 2, 3]` for a set."""
    found = re.match(r"\[([^\[\]]*)\]", place.rest)
    if place.token.kind != "[" or not place.takes_value or found is None:
        return None
    span = Span(place.at, place.at + found.end())
    items = [item.strip() for item in found.group(1).split(",")]
    if len(items) == 2:
        return problems.BRACKET_RANGE.at(span, found=found.group(), lo=items[0], hi=items[1])
    return problems.BRACKET_SET.at(span, right="{" + ", ".join(items) + "}")


def no_part(place: Place) -> Diagnostic | None:
    """`into ()` for a heap that is gone."""
    words = [part.text for part in place.stack[-2:] if isinstance(part, Token)]
    if place.token.kind != ")" or words != ["into", "("]:
        return None
    return problems.NO_PART.at(Span(place.stack[-1].span.start, place.at + 1))  # type: ignore[attr-defined]


def brackets(place: Place) -> Diagnostic | None:
    """A bracket that is not closed, or closed by another one."""
    token, opened = place.token, place.opened
    if token.kind in PARTNERS:
        if not opened:
            return problems.WRONG_BRACKET.at(token.span, bracket=token.kind)
        if opened[-1].kind != PARTNERS[token.kind]:
            note = Note(f"this `{opened[-1].kind}` is open", opened[-1].span)
            return problems.WRONG_BRACKET.at(token.span, notes=(note,), bracket=token.kind)
    elif opened and (place.begins_clause or token.text in ("do", "when", "choose", "into", "gain", "cases", "read")):
        return problems.UNCLOSED_BRACKET.at(opened[-1].span, bracket=opened[-1].kind)
    return None


def unquoted(place: Place) -> Diagnostic | None:
    """A text without quotes."""
    if place.expected != {"<text>"} or place.token.kind == "<end>" or place.token.text in ROWS:
        return None
    text = place.rest.split()[0].strip(",:;")
    return problems.UNQUOTED.at(Span(place.at, place.at + len(text)), text=text)


def other_if(place: Place) -> Diagnostic | None:
    """`a if c else b` and `c ? a : b`; behind an update `a if c` alone is right. And an `if` as a part of something."""
    if place.before == "if" and isinstance(place.stack[-1], Token) and place.stack[-1].kind == "<name>":
        return problems.BARE_IF.at(place.stack[-1].span)
    if place.token.text == "else" and "then" not in place.expected:
        return problems.OTHER_IF.at(place.token.span)
    if place.token.text == "if" and "do" in place.expected and "else" not in place.rest:
        return None
    if (place.token.text == "if" and "+" in place.expected and "if" not in place.expected) or place.token.text == "?":
        return problems.OTHER_IF.at(place.token.span)
    return None


def type_word(place: Place) -> Diagnostic | None:
    """`1e9`, `1,000`, `list of …`, and fields of two types in one clause."""
    token, clause = place.token, place.clause
    number = re.search(r"(\d+)$", place.text[max(0, place.at - 40) : place.at])
    exponent = re.fullmatch(r"[eE](\d{1,4})", token.text)
    if number is not None and exponent is not None:
        span = Span(place.at - len(number[1]), token.span.end)
        power = f"10**{exponent[1]}"
        return problems.EXPONENT.at(span, right=power if number[1] == "1" else f"{number[1]} * {power}")
    commas = re.match(r"(?:,\d{3})+\b", place.rest)
    if number is not None and commas is not None and token.kind == ",":
        span = Span(place.at - len(number[1]), place.at + commas.end())
        return problems.NUMBER_WITH_COMMAS.at(span, right=number[1] + commas.group().replace(",", "_"))
    if token.text == "of" and clause in ("state", "given"):
        word = re.search(r"(\w+)\s+$", place.text[max(0, place.at - 40) : place.at])
        if word is not None:
            start = place.at - len(word[0])
            return problems.UNTYPED_LIST.at(Span(start, start + len(word[1])), word=word[1])
    if token.kind == "," and clause in ("state", "given") and re.match(r",\s*\w+\s*:", place.rest):
        return problems.TYPES_TOGETHER.at(token.span, word=clause, rest=place.rest[1:].strip())
    return None


def rules_of_players(place: Place) -> Diagnostic | None:
    """`by a, b`, a `gain` in front, `x wins if …`, `board[1][2] = …`, and `choose d[i] in …`."""
    token = place.token
    text = place.text[max(0, place.at - 80) : place.at]
    if token.kind == "," and "do" in place.expected and re.search(r"\bby\s+\w+\s*$", text):
        return problems.BOTH_MOVE.at(token.span)
    names = re.search(r"\bchoose:?\s+(\w+)\s*$", text)
    rest = re.match(r"((?:,\s*\w+\s*)+)\bin\b\s*([^,\n]*?)\s*(?:,|$|\b(?:when|do|into)\b)", place.rest)
    if token.kind == "," and place.expected == {"in"} and names is not None and rest is not None:
        every = [names[1], *(name.strip() for name in rest[1].split(",")[1:])]
        span = Span(place.at - len(text[names.start(1) :]), place.at + len(rest[1].rstrip()))
        return problems.NAMES_TOGETHER.at(span, right=", ".join(f"{name} in {rest[2]}" for name in every))
    again = re.match(r",\s*(\w+\s+in\b)", place.rest)
    if token.kind == "," and {"for", "if"} <= place.expected and again is not None and re.search(r"\bfor\s", text):
        return problems.FOR_AGAIN.at(token.span, rest=f"{again[1]} …")
    if token.text == "gain" and {"do", "into"} <= place.expected:
        return problems.GAIN_FIRST.at(token.span)
    if token.text == "if" and place.clause == "terminal" and re.search(r"\b(wins|loses|draw)\s+$", text):
        return problems.INSTEAD.at(token.span, found="if", right="when")
    if token.kind == "[" and "in" in place.expected and re.search(r"(\bchoose|:|,)\s*\w+\s*$", text):
        return problems.CHOSEN_FAMILY.at(token.span)
    slot = re.search(r"(\w+\[[^\[\]]*)\]\s*$", text)
    second = re.match(r"\[([^\[\]]*)\]", place.rest)
    if token.kind == "[" and "+=" in place.expected and slot is not None and second is not None:
        span = Span(place.at, place.at + second.end())
        return problems.BOARD_BRACKETS.at(span, right=f"{slot[1]}, {second[1]}]")
    return None


def order(place: Place) -> Diagnostic | None:
    """Words that stand elsewhere, and values to be read without a comma."""
    token = place.token
    if token.text == "cases" and "queries" in place.expected:
        return problems.CASES_FIRST.at(token.span)
    each = re.search(r"\bcases:?\s+for\s+\w+\s+in\b[^\n]*$", place.text[max(0, place.at - 200) : place.at])
    following = re.match(r",\s*(\w+\s+in\s.*?)\s*(?:\bread\b.*)?$", place.rest)
    if token.kind == "," and each is not None and following is not None and not place.opened:
        before, behind = ("queries ", "") if place.spelling == "text" else ("`queries:`, and below it `", "`")
        colon = "" if place.spelling == "text" else ":"
        return problems.SEVERAL_EACH.at(token.span, level=f"{before}cases{colon} for {following[1]}{behind}")
    if token.text in ("wins", "loses") and place.clause == "terminal":
        return problems.VERDICT_FIRST.at(token.span, word=token.text)
    same_line = "\n" not in place.text[place.done : place.at]
    if token.kind in ("<name>", "[") and {"queries", ","} <= place.expected and same_line and token.text not in ROWS:
        return problems.MISSING_COMMA.at(token.span, found=shortened(token.text))
    return None


def misspelt(place: Place) -> Diagnostic | None:
    """A word that is nearly one of those expected."""
    before = re.search(r"\b(\w+)\s+$", place.text[max(0, place.at - 40) : place.at])
    if before is not None and (word := before.group(1)) != word.lower() and word.lower() in ("not", "if"):
        start = place.at - len(before.group())
        return problems.MISSPELT.at(Span(start, start + len(word)), word=word, meant=word.lower())
    if place.token.kind != "<name>" or len(place.token.text) < 2:
        return None
    meant = closest(place.token.text, [kind for kind in place.expected if kind.isalpha()])
    if meant is None:
        return None
    return problems.MISSPELT.at(place.token.span, word=place.token.text, meant=meant)


HINTS: tuple[Callable[[Place], Diagnostic | None], ...] = (
    player_word,
    quote,
    rules_of_players,
    other_if,
    update_sign,
    written_instead,
    sign,
    step,
    move_word,
    bracket_range,
    no_part,
    brackets,
    unquoted,
    type_word,
    order,
    misspelt,
)


# --- everything else -------------------------------------------------------------------------------------------


def expected_instead(place: Place) -> Diagnostic:
    """What would have been right, in words."""
    found = f"`{shortened(place.token.text)}`"
    span = place.token.span
    words = expected_words(place)
    if place.token.kind == "<end>":
        found = "the end of the file" if place.spelling == "text" else "the end of the value"
    if place.stack and (place.token.kind == "<end>" or NEXT_CLAUSE not in words):
        end = place.done
        if "\n" in place.text[end : place.at] or place.token.kind == "<end>":
            span = Span(max(end - 1, 0), end)  # where something is missing, not where the next line begins
    return problems.EXPECTED.at(span, expected=listed(words), found=found)


def expected_words(place: Place) -> list[str]:
    """The possible tokens, grouped: a value, an operator, the next clause, or single words."""
    if place.expected in PHRASES:
        return PHRASES[place.expected]
    if place.before == "output" and place.token.kind == "<text>":
        return ["`line`", "`win`", "`lose`"]
    left = set(place.expected)
    words: list[str] = []
    if place.takes_value:
        words.append("a type" if "array" in left else "a value")
        left -= BEGINS_VALUE | BEGINS_TYPE
    if left & {"+", "=="}:
        words.append("an operator")
        left -= OPERATORS | COMPARISONS | {"(", "["}
    clauses = left & set(ROWS)
    if len(clauses) > 5:
        words.append(NEXT_CLAUSE)
        left -= clauses | {"<end>"}
    for kind in ("<name>", "<number>", "<text>", "<end>"):
        if kind in left:
            words.append(WORDS_FOR[kind])
    words += [f"`{kind}`" for kind in sorted(left - set(WORDS_FOR))]
    return words


def listed(words: list[str]) -> str:
    """`a, b or c`"""
    return " or ".join(([", ".join(words[:-1])] if words[1:] else []) + words[-1:])


def shortened(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 30 else line[:29] + "…"
