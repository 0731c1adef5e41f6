"""What a case says of its components: those that `start into` lists, and who is to move in all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamespec.game.model import MOVER, Game, Part, Tail, Value
from gamespec.game.walk import names_read
from gamespec.run.meaning import STEPS, meaning
from gamespec.run.quick import WORK, Compiler, Env, Unknown
from gamespec.types import IntType, NamesType

MOST_CASES = 1 << 12  # cases whose components are remembered

Parts = list[dict[str, Value]]


def spread(
    game: Game, columns: Mapping[str, Sequence[Any]], count: int, *, added: bool = False
) -> tuple[dict[str, list[Any]], list[int]]:
    """A column for each field of the components of so many cases, and how many components each case has.

    `columns` have a row a case. `added` says that only the sum of the values of components counts: of many
    components that are one and the same, some pairs are left out. Raises RuleFault where `start` fails.
    """
    states = [field.name for field in game.states]
    own = [given.name for given in game.givens if given.component]
    shared = [given.name for given in game.givens if not given.component]
    rows: dict[str, list[Any]] = {name: [] for name in (*states, *own, *shared)}
    sizes: list[int] = []
    known: dict[tuple[Value, ...], Parts] = {}
    listed = _quick(game, added)
    for row in range(count):
        values = {name: column[row] for name, column in columns.items()}
        key = tuple(values.values())
        if key not in known:
            if len(known) >= MOST_CASES:
                known.clear()
            known[key] = listed(values)
        for part in known[key]:
            for name, value in part.items():
                rows[name].append(value)
            for name in shared:
                rows[name].append(values[name])
        sizes.append(len(known[key]))
    return rows, sizes


def _quick(game: Game, added: bool) -> Callable[[Mapping[str, Value]], Parts]:
    """How the components of many cases are found: by closures where all that makes them is a number."""
    fields = [*game.states, *(given for given in game.givens if given.component)]
    names = [field.name for field in fields]
    compiler = Compiler(game)
    found: Parts = []

    def maker(part: Part) -> Callable[[Env], bool]:
        args = [compiler.closure(arg) for arg in part.args]

        def add(env: Env) -> bool:
            found.append({name: arg(env) for name, arg in zip(names, args, strict=True)})
            return True

        if part.tail is None:
            return add
        *outer, last = part.tail.binds
        where = () if part.tail.condition is None else (part.tail.condition,)
        if not added or any(last.name in names_read(expr, game.lets) for expr in (*part.args, *where)):
            return compiler.loop(part.tail, add)
        size = compiler.size(last.within)

        def copies(env: Env) -> bool:
            for _ in range(_left(size(env))):
                add(env)
            return True

        return compiler.loop(Tail(tuple(outer), part.tail.condition), copies)

    if not all(isinstance(field.type, IntType | NamesType) for field in fields):
        return lambda values: parts(game, values)
    try:
        makers = [maker(part) for part in game.components]
    except (Unknown, RecursionError):
        return lambda values: parts(game, values)

    def listed(values: Mapping[str, Value]) -> Parts:
        found.clear()
        env: Env = {**values, WORK: STEPS}
        try:
            for make in makers:
                make(env)
        except Exception:  # the evaluator says what is wrong
            return parts(game, values)
        return list(found)

    return listed


def _left(copies: int) -> int:
    """As many copies as are worth the same: a number less by pairs, but not down from two or more to one or none, as
    values of games that go round in circles do not cancel out."""
    return min(copies, 2 + copies % 2)


def parts(game: Game, values: Mapping[str, Value]) -> Parts:
    """The components of a case: values of their state fields and of the givens of their own."""
    from gamespec.game.evaluate import Evaluator

    states = [field.name for field in game.states]
    givens = {given.name for given in game.givens}
    data = {name: value for name, value in values.items() if name in givens}
    inputs = {name: value for name, value in values.items() if name not in givens and name not in states}
    read = {name: values[name] for name in states if name in values}
    found = Evaluator(game, data, inputs, steps=STEPS).components(read)
    return [dict(zip(states, position, strict=True)) | own for position, own in found]


def movers(
    game: Game, names: Mapping[str, Sequence[Any]], sizes: Sequence[int], columns: Mapping[str, Sequence[Any]]
) -> list[int]:
    """Who is to move in each case: 0 for the player named first.

    `names` have a row a case, `columns` a row a component. Raises RuleFault where `start` fails in a case without any.
    """
    found = []
    row = 0
    for case, size in enumerate(sizes):
        if size:
            found.append(columns[MOVER][row])
        else:
            found.append(mover_of_none(game, {name: column[case] for name, column in names.items()}))
        row += size
    return found


def mover_of_none(game: Game, values: Mapping[str, Value]) -> int:
    """Who is to move where there are no components: as read, else as `start` says, else the player named first."""
    if MOVER in values:
        return int(values[MOVER])  # type: ignore[arg-type]
    update = next((update for update in game.start if update.field == MOVER), None)
    return 0 if update is None else int(meaning(game, update.value, values))  # type: ignore[arg-type]
