"""Positions and questions written on the command line: `n=13`, `open={2,3}`, `n=0..50`, `--ask grundy,moves`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from gamespec.answers.answer import Answer, Case
from gamespec.answers.ask import Ask, Option, always
from gamespec.answers.table import ANSWERS
from gamespec.cli.option import assignments
from gamespec.cli.problems import NO_ANSWER, NO_GRUNDY, NO_SUCH_ANSWER, SEVERAL_POSITIONS, TOO_MANY, UNEVEN, near
from gamespec.diagnostics import InputError, UsageError, counted
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import MOVER, Field, Game, InputRef, Position, Value
from gamespec.game.sample import Domain, Sampler
from gamespec.game.show import MOST_ELEMENTS, value_text, values_text
from gamespec.game.walk import tail_parts, within
from gamespec.plan.plan import Solver
from gamespec.run.complete import complete
from gamespec.run.layout import UNDECLARED, Layout
from gamespec.run.part import spread
from gamespec.run.problems import BAD_VALUE, NO_SUCH_FIELD, NO_VALUE, NOT_A_POSITION
from gamespec.run.total import Totals
from gamespec.source import Span
from gamespec.types import ArrayType, BoolType, IntType, NamesType, SetType, Type, as_kept, element_bounds, is_scalar

Columns = dict[str, list[Value]]

LONGEST_RANGE = 1_000_000
MOST_BASE = 1000  # of a power
SHORT = {"moves": "winning_moves", "move": "winning_move", "count": "winning_count"}
ASKABLE = tuple(name for name in ANSWERS if name not in ("case", "query"))


# --- what is asked -----------------------------------------------------------------------------------------


def asked(game: Game, text: str) -> list[Answer]:
    """The answers that `--ask` names; raises UsageError."""
    answers = []
    for word in text.split(","):
        name = SHORT.get(word.strip(), word.strip())
        if name not in ASKABLE:
            known = [*ASKABLE, *SHORT]
            raise UsageError(NO_SUCH_ANSWER.at(None, name=name, near=near(name, known), known=", ".join(known)))
        answers.append(ANSWERS[name])
    for answer in answers:
        reason = _lacking(game, answer)
        if reason:
            raise UsageError(NO_ANSWER.at(None, game=game.name, name=answer.name, reason=reason))
    if any(answer.ask.grundy for answer in answers) and any(answer.ask.distance for answer in answers):
        reason = "a Grundy value does not tell how long play lasts; ask for one of them at a time"
        raise UsageError(NO_ANSWER.at(None, game=game.name, name="distance beside grundy", reason=reason))
    verdict = next((terminal for terminal in game.terminals if terminal.verdict), None)
    if any(answer.ask.grundy for answer in answers) and (game.misere or verdict or game.partisan or game.scored):
        span = verdict.span if verdict else game.winner_span
        place = span if span.end > span.start else None
        raise UsageError(NO_GRUNDY.at(place, game=game.name), source=game.source)
    return answers


def _lacking(game: Game, answer: Answer) -> str:
    """Why a game does not have an answer, or nothing."""
    if answer.name in ("first", "winner") and game.players is None:
        return "it names no `players`"
    if answer.ask.score and not game.scored:
        return "only a game with `winner highest score` has one"
    if answer.ask.distance and (game.scored or game.sum):
        return "scores decide" if game.scored else "the components of a sum do not tell how long the whole lasts"
    return ""


def needs(game: Game, answers: Iterable[Answer]) -> Ask:
    """What the solver must find out."""
    ask = always(game)
    for answer in answers:
        ask |= answer.ask
    return ask


# --- values ------------------------------------------------------------------------------------------------


def given_values(game: Game, texts: Iterable[str], *, ranges: bool = False) -> Columns:
    """The values that are written for each name; a name may stand several times. Raises UsageError.

    `ranges` allows `0..50` and `1,2,5` for a number.
    """
    layout = Layout(game)
    known = dict.fromkeys([*layout.fields, *layout.names])
    found: Columns = {}
    for name, text in assignments(texts, example(game)):
        if name not in known:
            names = ", ".join(known if game.start else layout.fields)
            raise UsageError(NO_SUCH_FIELD.at(None, game=game.name, name=name, near=near(name, known), names=names))
        of = layout.type_of(name)
        alphabet = layout.alphabets.get(name, "")
        board = in_characters(_whole_rows(text, of, alphabet) if name in layout.padded else text, of, alphabet)
        try:
            values = [board] if board is not None else parsed(text, of) if ranges else [parsed_one(text, of)]
            found.setdefault(name, []).extend(as_kept(of, value) for value in values)
        except ValueError:
            expected = wanted(of, ranges) if of != UNDECLARED else "a whole number"
            raise UsageError(BAD_VALUE.at(None, text=text, what=name, expected=expected)) from None
    return found


def _whole_rows(text: str, of: Type, alphabet: str) -> str:
    """Rows of a table that were measured in the input, as `cat/horse`, each as long as the table is wide at most."""
    if not isinstance(of, ArrayType) or len(of.dims) < 2 or "/" in alphabet:
        return text
    width = of.dims[-1].size
    rows = text.split("/")
    return text if any(len(row) > width for row in rows) else "/".join(row.ljust(width, alphabet[:1]) for row in rows)


def in_characters(text: str, of: Type, alphabet: str) -> Value | None:
    """An array as `x.o/.o./..x`, in the characters that the input has for its cells; None if it is not written so."""
    if not isinstance(of, ArrayType) or not is_scalar(of.of):
        return None
    chars = text if "/" in alphabet else text.replace("/", "")
    if not set(chars) <= set(alphabet):
        return None
    least = element_bounds(of.of).lo
    cells = (least + alphabet.index(char) for char in chars)
    return tuple(bool(cell) if isinstance(of.of, BoolType) else cell for cell in cells)


def parsed(text: str, of: Type) -> Iterator[Value]:
    """The values of `0..50`, `1,2,5`, or of a single value; raises ValueError."""
    if isinstance(of, SetType | ArrayType):
        yield parsed_one(text, of)
        return
    for piece in text.split(","):
        lo, dots, hi = piece.partition("..")
        if not dots:
            yield parsed_one(piece, of)
            continue
        first, last = cast(int, parsed_one(lo, of)), cast(int, parsed_one(hi, of))
        if last - first >= LONGEST_RANGE:
            count, most = f"{last - first + 1:,}", f"{LONGEST_RANGE:,}"
            raise UsageError(TOO_MANY.at(None, count=count, most=most, example=f"{first}..{first + 50}"))
        yield from (bool(value) if isinstance(of, BoolType) else value for value in range(first, last + 1))


def parsed_one(text: str, of: Type) -> Value:
    """One value as a user writes it; raises ValueError."""
    text = text.strip()
    match of:
        case IntType():
            return _number(text)
        case BoolType():
            return ("false", "true").index(text) == 1
        case NamesType(names):
            return names.index(text)
        case SetType(element):
            pieces = _pieces(_within(text, "{}"))
            return frozenset(cast(int, value) for piece in pieces for value in parsed(piece, element))
        case ArrayType(dims, element):
            inner = _within(text, "[]") if text.startswith("[") else _within(text, "()")
            pieces = _pieces(inner)
            if len(dims) > 1 and inner.lstrip()[:1] in ("[", "("):  # row by row; else all cells in one list
                rows = (cast(tuple[int, ...], parsed_one(piece, ArrayType(dims[1:], element))) for piece in pieces)
                return tuple(cell for row in rows for cell in row)
            return tuple(cast(int, parsed_one(piece, element)) for piece in pieces)
    raise ValueError


def _number(text: str) -> int:
    match = re.fullmatch(r"(-?)([0-9][0-9_]{0,50})(?:\*\*([0-9]{1,3}))?", text)
    if match is None:
        raise ValueError
    number = int(match[2])
    if match[3] is not None:
        if number > MOST_BASE:
            raise ValueError
        number = int(number ** int(match[3]))
    return -number if match[1] else number  # as in a spec, the sign is that of the power


def _within(text: str, brackets: str) -> str:
    """What stands inside the brackets, which may be missing."""
    if text[:1] == brackets[0] and text[-1:] == brackets[1]:
        return text[1:-1]
    if text[:1] == brackets[0] or text[-1:] == brackets[1]:
        raise ValueError
    return text


def _pieces(text: str) -> list[str]:
    """The pieces between commas that stand in no brackets."""
    pieces, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "{[(") - (char in ")]}")
        if char == "," and depth == 0:
            pieces.append(text[start:place])
            start = place + 1
    return [*pieces, text[start:]] if text.strip() else []


def wanted(of: Type, ranges: bool = False) -> str:
    """What must be written for a type."""
    match of:
        case BoolType():
            return "true or false"
        case NamesType(names):
            return "one of " + ", ".join(names)
        case SetType():
            return f"a set such as {_example_value(of)}"
        case ArrayType():
            return f"an array such as {_example_value(of)}"
        case _:
            return "a whole number" + (", a range such as 0..50, or a list such as 1,2,5" if ranges else "")


def _example_value(of: Type) -> str:
    match of:
        case BoolType():
            return "true"
        case NamesType(names):
            return names[0]
        case IntType(bounds):
            return str(min(bounds.hi, max(bounds.lo, 5)))
        case SetType(IntType(bounds)):
            return f"{{{bounds.lo},{min(bounds.lo + 1, bounds.hi)}}}"
        case SetType(element):
            return f"{{{_example_value(element)}}}"
        case ArrayType(dims, element):
            row = _example_value(ArrayType(dims[1:], element) if len(dims) > 1 else element)
            return "[" + ",".join([row] * min(3, max(1, dims[0].size))) + "]"
        case _:
            return "5"


def example(game: Game) -> str:
    """Values for all fields that need one, as somebody would write them."""
    fields = [*game.givens, *(field for field in game.states if field.name not in started(game))]
    texts = [f"{field.name}={_example_value(field.type)}" for field in fields]
    return " ".join(f"'{text}'" if set(text) & set("{}[]()") else text for text in texts)


def started(game: Game) -> set[str]:
    """The fields that need no value: `start` gives one, or the first player moves first."""
    return {update.field for update in game.start} | ({MOVER} if game.partisan else set())


# --- one position ------------------------------------------------------------------------------------------


def position(game: Game, texts: Iterable[str]) -> tuple[list[Value], Position]:
    """The data and the position of a game that is no sum; raises as `position_columns` does."""
    columns = position_columns(game, texts)
    return [columns[field.name][0] for field in game.givens], tuple(columns[field.name][0] for field in game.states)


def position_columns(game: Game, texts: Iterable[str], *, blank: bool = False) -> dict[str, Sequence[Any]]:
    """A column for every field, one row a component; what is not written comes from `start`.

    `blank`: a board of names or bools that has no value is empty, its cells have the least value of their type.
    Raises UsageError for what cannot be read, InputError for a position that does not exist.
    """
    columns = given_values(game, texts)
    if game.components and not columns.keys() & {field.name for field in game.states} - {MOVER}:
        return _components(game, columns)
    there = {*columns, *started(game)}
    if blank:
        there |= {field.name for field in game.states if _is_board(field.type)}
    missing = [field for field in (*game.givens, *game.states) if field.name not in there]
    if missing:
        names = ", ".join(f"`{field.name}`" for field in missing)
        raise UsageError(NO_VALUE.at(missing[0].span, names=names, example=example(game)), source=game.source)
    _refuse_missing_names(game, columns)
    size = max(map(len, columns.values()), default=1)
    layout = Layout(game)
    for name, column in columns.items():
        if len(column) > 1 and not game.sum:
            in_braces = isinstance(layout.type_of(name), SetType)
            hint = f"put a set in quotes, as {example(game)}" if in_braces else "`gamespec table` takes several values"
            raise UsageError(SEVERAL_POSITIONS.at(None, game=game.name, name=name, hint=hint))
        if len(column) not in (1, size):
            raise UsageError(UNEVEN.at(None, name=name, count=len(column), other=size))
        columns[name] = column * (size // len(column))
    return _allowed(game, layout, dict(columns), size)


def _refuse_missing_names(game: Game, columns: Columns) -> None:
    """Raises UsageError where `start` needs a name of the input that has no value."""
    used = {name: span for name, span in _used_by_start(game, columns) if name not in columns}
    if used:
        names = ", ".join(f"`{name}`" for name in used)
        texts = " ".join(f"{name}=5" for name in used)
        raise UsageError(NO_VALUE.at(next(iter(used.values())), names=names, example=texts), source=game.source)


def _used_by_start(game: Game, columns: Columns) -> Iterator[tuple[str, Span]]:
    """The names that only the input has and that `start` needs for fields without a value, with their places."""
    for update in game.start:
        if update.field not in columns:
            parts = [*(update.indices or ()), update.value, *(tail_parts(update.tail) if update.tail else ())]
            for part in parts:
                yield from (
                    (inner.name, inner.span) for inner in within(part, game.lets) if isinstance(inner, InputRef)
                )


def _allowed(game: Game, layout: Layout, columns: dict[str, Sequence[Any]], size: int) -> dict[str, Sequence[Any]]:
    """All columns of positions that exist. Raises InputError for one that does not."""
    frame, breach = complete(layout, columns, size)
    if breach is None:
        return frame.columns
    if breach.require is not None:
        shown = values_text(layout.fields.values(), breach.values)
        raise InputError(NOT_A_POSITION.at(breach.require.span, position=shown), source=game.source)
    field = layout.fields[breach.name]
    shown = value_text(breach.values[breach.name], field.type, MOST_ELEMENTS)
    expected = counted(breach.hi - breach.lo + 1, "value") if breach.is_length else f"in {breach.lo}..{breach.hi}"
    raise InputError(BAD_VALUE.at(field.span, text=shown, what=breach.name, expected=expected), source=game.source)


def _components(game: Game, columns: Columns) -> dict[str, Sequence[Any]]:
    """A column for every field of the components that `start into` makes of the values written."""
    layout = Layout(game)
    wanted = [*layout.case_names, *(given.name for given in game.givens if not given.component)]
    missing = [name for name in dict.fromkeys(wanted) if name not in columns and name != MOVER]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        texts = " ".join(f"{name}={_example_value(layout.type_of(name))}" for name in missing)
        raise UsageError(NO_VALUE.at(None, names=names, example=texts), source=game.source)
    rows, (size,) = spread(game, {name: column[:1] for name, column in columns.items()}, 1)
    return _allowed(game, layout, dict(rows), size)


def _is_board(of: Type) -> bool:
    return isinstance(of, ArrayType) and isinstance(of.of, NamesType | BoolType)


def turn_of(game: Game, texts: Iterable[str], columns: Mapping[str, Sequence[Any]]) -> int:
    """Who is to move at the position of these columns, which the texts describe: 0 for the player named first."""
    from gamespec.run.part import mover_of_none

    if not game.partisan:
        return 0
    if columns[MOVER]:
        return int(columns[MOVER][0])
    return mover_of_none(game, {name: column[0] for name, column in given_values(game, texts).items()})


def answered(game: Game, solver: Solver, columns: Mapping[str, Sequence[Any]], ask: Ask, turn: int) -> Case:
    """The value and winning moves of a position, or of the sum of its components, with this player to move."""
    givens = [columns[field.name] for field in game.givens]
    states = [columns[field.name] for field in game.states]
    size = len(states[0])
    totals = Totals(game, ask, solver, givens, states, [size] if game.sum else None)
    (value,), (outcome,) = totals.values, totals.outcomes()

    def options(row: int) -> list[Option]:
        return solver.options([column[row] for column in givens], [column[row] for column in states])

    moves = totals.moves(0, options) if ask.moves else ()
    return Case(1, value, int(outcome), moves, turn=turn, best=lambda: totals.best(0, options), ask=ask)


# --- many positions ----------------------------------------------------------------------------------------


def table_columns(game: Game, fixed: Columns, most: int) -> Columns:
    """A column for every field: all positions that exist among the values written; the last field varies fastest.

    A field that is not written runs over its declared range, or has the value that `start` gives it.
    Raises UsageError when they are more than `most`.
    """
    _refuse_missing_names(game, fixed)
    fields = (*game.givens, *game.states)
    free = [field for field in fields if field.name in fixed or field.name not in started(game)]
    sampler = Sampler(game)
    inputs = {name: values[0] for name, values in fixed.items() if name not in {field.name for field in fields}}
    rows: list[dict[str, Value]] = [{}]
    for field in free:
        longer: list[dict[str, Value]] = []
        for row in rows:
            domain = sampler.domain(field, row)
            values = [value for value in fixed[field.name] if _fits(domain, value)] if field.name in fixed else None
            count = domain.count if values is None else len(values)
            if len(longer) + count > most:
                example = _some_values(free[-1])
                raise UsageError(TOO_MANY.at(None, count=f"more than {most:,}", most=f"{most:,}", example=example))
            longer += [{**row, field.name: value} for value in (domain.all() if values is None else values)]
        rows = longer
    if len(free) < len(fields) or game.requires:
        rows = [row for row in (_completed(game, row, inputs) for row in rows) if row is not None]
    return {field.name: [row[field.name] for row in rows] for field in fields}


def _some_values(field: Field) -> str:
    """Few values of a field, as somebody would write them."""
    if isinstance(field.type, IntType):
        lo, hi = field.type.bounds.lo, field.type.bounds.hi
        return f"{field.name}={lo}..{min(hi, lo + 50)}"
    return f"'{field.name}={_example_value(field.type)}'"


def left_out(game: Game, fixed: Columns, columns: Columns) -> str:
    """The values written for fields that no position of a table has, as `n = 0, n = 13`, or nothing."""
    texts = []
    for field in (*game.givens, *game.states):
        there = set(columns[field.name])
        missing = [value for value in dict.fromkeys(fixed.get(field.name, ())) if value not in there]
        texts += [f"{field.name} = {value_text(value, field.type)}" for value in missing]
    return ", ".join(texts if len(texts) <= 3 else [texts[0], "…", texts[-1]])


def _completed(game: Game, row: dict[str, Value], inputs: dict[str, Value]) -> dict[str, Value] | None:
    """The row with what `start` gives; None if that is no position."""
    givens = {field.name: row[field.name] for field in game.givens}
    states = {field.name: row[field.name] for field in game.states if field.name in row}
    evaluator = Evaluator(game, givens, inputs)
    try:
        position = evaluator.start(states)
        if not evaluator.holds(position):
            return None
    except RuleFault:
        return None
    return givens | dict(zip((field.name for field in game.states), position, strict=True))


def _fits(domain: Domain, value: Value) -> bool:
    if isinstance(value, tuple) and len(value) != domain.cells:
        return False
    return all(domain.lo <= number <= domain.hi for number in _numbers(value))


def _numbers(value: Value) -> Iterator[int]:
    """The numbers that a value is made of."""
    if isinstance(value, tuple | frozenset):
        for part in value:
            yield from _numbers(part)
    else:
        yield value
