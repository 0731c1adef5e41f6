"""Where a packed position stands in a hash table, in kernels and in Python; keys noted in cells of 64 bits."""

from __future__ import annotations

from collections.abc import Mapping

from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, const, shl, shr
from gamespec.kernel.memory import Buffer
from gamespec.kernel.shape import Shape, TooWide

MULTIPLIER = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio (Knuth, TAOCP 6.4)
UNDONE = pow(MULTIPLIER, -1, 1 << 64)
FOLD = 0xC2B2AE3D27D4EB4F
HASHED = "a hash is below the table's power-of-two size"
KEYS = (ir.U64, ir.U128, ir.U256, ir.U512)
PIECES = KEYS[-1].bits // 64  # cells of a noted key

_WORD = (1 << 64) - 1


def key_type(bits: int) -> ir.Type | None:
    """The narrowest key with that many bits, None if there is none."""
    return next((of for of in KEYS if bits <= of.bits), None)


def position_key(game: Game, shapes: Mapping[str, Shape], bits: int, beside: int = 0) -> ir.Type:
    """The narrowest key for positions of so many bits and a value of some bits beside them. Raises TooWide."""
    key = key_type(bits + beside)
    if key is None:
        raise TooWide(max(game.states, key=lambda field: shapes[field.name].bits), bits)
    return key


def mixed(key: ir.Expr) -> ir.Expr:
    """A word (u64) whose highest bits are spread evenly. It and the bits of the key above the 64th tell the key."""
    word = cast(key, ir.U64)
    for piece in range(1, key.type.bits // 64):
        word = binary("xor", word, _folded(cast(shr(key, 64 * piece), ir.U64), piece), ir.U64)
    return binary("mul", word, const(MULTIPLIER, ir.U64), ir.U64)


def unmixed(word: ir.Expr, above: ir.Expr | None, of: ir.Type) -> ir.Expr:
    """The key that was mixed, from the word and the bits of the key above the 64th, if there may be any."""
    low = binary("mul", word, const(UNDONE, ir.U64), ir.U64)
    if above is None:
        return cast(low, of)
    for piece in range(1, of.bits // 64):
        folded = _folded(cast(shr(above, 64 * (piece - 1)), ir.U64), piece)
        low = binary("xor", low, folded, ir.U64)
    return binary("or", shl(cast(above, of), 64), cast(low, of), of)


def home(word: ir.Expr) -> ir.Expr:
    """The slot where the search for a mixed key begins; `shift` is 64 less the bits of the table's size."""
    return shr(word, binary("and", ir.Var("shift", ir.U64), const(63, ir.U64), ir.U64))


def mixed_of(key: int, of: ir.Type) -> int:
    """`mixed` in Python."""
    word = key & _WORD
    for piece in range(1, of.bits // 64):
        folded = (key >> 64 * piece & _WORD) * _fold(piece) & _WORD
        word ^= folded ^ folded >> 32
    return word * MULTIPLIER & _WORD


def shift_of(length: int) -> int:
    """The variable `shift` for a table with a power of two cells."""
    return 65 - length.bit_length()


def next_slot(slot: ir.Expr) -> ir.Expr:
    """The slot behind another one, round the table."""
    return binary("and", binary("add", slot, const(1, ir.U64), ir.U64), ir.Var("mask", ir.U64), ir.U64)


def note_key(b: Builder, table: str, place: int, key: ir.Expr) -> None:
    """Writes a key to the cells from `place` on."""
    for piece in range(key.type.bits // 64):
        part = cast(shr(key, 64 * piece) if piece else key, ir.U64)
        b.store(table, const(place + piece), part, proof="a fixed cell")


def noted_key(at: Buffer, place: int, of: ir.Type) -> int:
    """The key that was noted."""
    return sum(at[place + piece] << 64 * piece for piece in range(of.bits // 64))


def _folded(word: ir.Expr, piece: int) -> ir.Expr:
    """What a piece of a key above the lowest changes in the mixed word."""
    folded = binary("mul", word, const(_fold(piece), ir.U64), ir.U64)
    return binary("xor", folded, shr(folded, 32), ir.U64)


def _fold(piece: int) -> int:
    return pow(FOLD, piece, 1 << 64)
