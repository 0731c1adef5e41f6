"""Characters of the input that stand for values: which they are, and whether they fit the type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gamespec.diagnostics import counted
from gamespec.game import model
from gamespec.game.problems import ALPHABET
from gamespec.game.words import described
from gamespec.syntax import tree
from gamespec.types import ArrayType, BoolType, IntType, NamesType, SetType, Type, element_bounds

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

DIGITS = "0123456789"
EXAMPLE = "xo.#123456789"


def alphabet_of(typer: Typer, item: tree.ReadOne | tree.ReadMany, field: model.Field | None) -> str | None:
    """The characters of an item in the order of the values they stand for; None where words are read.

    Raises Wrong after reporting characters that do not fit the type.
    """
    single = isinstance(item, tree.ReadOne)
    if item.form is None or (item.form == "line" and not single):
        return None
    if single and item.form != "chars":
        hint = f'read one character: `{item.name} as chars "xo"`' if item.form == "word" else f"read `{item.name}`"
        _fail(typer, item, f"`as {item.form}` reads several values, and `{item.name}` has no size", hint)
    of = None if field is None else scalar_of(field.type)
    if item.alphabet is None:
        return _by_itself(typer, item, of)
    _check_characters(typer, item, item.alphabet)
    if of is not None and len(item.alphabet) > element_bounds(of).size:
        most = element_bounds(of).size
        given = counted(len(item.alphabet), "character stands", "characters stand")
        problem = f"{given} for values, and its type has {most}"
        hint = f'give one character for each value, in order: `as {item.form} "{EXAMPLE[:most]}"`'
        _fail(typer, item, problem, hint if most <= len(EXAMPLE) else "")
    return item.alphabet


def scalar_of(of: Type) -> Type:
    """The type of the single values in a set or an array."""
    while isinstance(of, SetType | ArrayType):
        of = of.of
    return of


def _by_itself(typer: Typer, item: tree.ReadOne | tree.ReadMany, of: Type | None) -> str:
    """The characters that the values are written with: digits, or names of one letter."""
    match of:
        case IntType(bounds) if bounds.lo >= 0 and bounds.hi <= 9:
            return DIGITS[bounds.lo : bounds.hi + 1]
        case BoolType() if item.form == "digits":
            return "01"
        case NamesType(names) if item.form == "word" and all(len(name) == 1 for name in names):
            return "".join(names)
        case None:
            return DIGITS
        case _:
            hint = f'say which characters stand for its values, in order: `{item.name}[k] as word "xo"`'
            _fail(typer, item, f"the values of {described(of)} are not written as single characters", hint)


def _check_characters(typer: Typer, item: tree.ReadOne | tree.ReadMany, alphabet: str) -> None:
    if not alphabet:
        _fail(typer, item, "no character stands for any value", "write them in quotes, in the order of the values")
    for place, char in enumerate(alphabet):
        if char.isspace() or not char.isprintable():
            _fail(typer, item, "white space separates what is read, so it cannot stand for a value", "")
        if char in alphabet[:place]:
            _fail(typer, item, f"`{char}` would stand for two values", "")


def _fail(typer: Typer, item: tree.ReadOne | tree.ReadMany, problem: str, hint: str) -> NoReturn:
    typer.fail(ALPHABET, item.span, hint=hint, name=item.name, form=item.form, problem=problem)
