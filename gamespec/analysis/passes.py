"""Everything that answers faster, or in less memory, and can be left out without changing an answer, by its name.

`analyse(game, left_out)` and `--no-NAME` take these names. Each is tested on and off (`tests/agreement/test_passes.py`)
and measured on and off (`python -m tests.benchmarks passes`): one that does not pay anywhere has to go. Two pay in
memory: with `inverse` positions of boards take a half to a quarter of the bytes, for about twice the instructions where
there are few of them; with `packed` an eighth, for up to 1.6 times the instructions, done sooner all the same.
"""

from __future__ import annotations

from collections.abc import Collection

from gamespec.analysis.problems import UNKNOWN_PASS
from gamespec.diagnostics import UsageError

SYMMETRY, SWAP, INVERSE, SPLIT, SURVEY = "symmetry", "swap", "inverse", "split", "survey"
CLOSED, THEOREM, HEAP, PHASE, ENTRIES = "closed", "theorem", "heap", "phase", "entries"
AUTOMATON, AUTOMATIC, COLUMNS = "automaton", "automatic", "columns"
TAME, SETTLED, SPARSE = "tame", "settled", "sparse"
FIRST, ENDS = "first", "ends"
PACKED, BLOCKS, SIEVE, PUSH, SLIDE = "packed", "blocks", "sieve", "push", "slide"
DIGITS, LINES, SWEEP, STRETCHES, OPTIMISER = "digits", "lines", "sweep", "stretches", "optimiser"

PASSES = {
    SYMMETRY: "of positions that the rules cannot tell apart only one is stored",
    SWAP: "where play may come back and the players are alike, only positions with the first to move are stored",
    INVERSE: "play that may come back is followed backwards by moves read backwards, so that no moves are stored",
    SURVEY: "where play that may come back reaches many of the declared positions, all are gone through in order",
    CLOSED: "windows with a ceiling, or that grow slowly, are answered by a formula",
    THEOREM: "a game whose moves are proved to be those of a solved game is answered by its formula",
    HEAP: "a heap game of a known kind gets the values of all its heaps by a theorem",
    SPARSE: "where a heap may fall into two, values are found from pairs of which one is rare",
    AUTOMATON: "of a number of which moves see only digits and remainders, whole blocks are known at once",
    AUTOMATIC: "a number that moves divide gets its value from its digits, by an automaton that is proved",
    COLUMNS: "of large numbers beside small fields, columns that are proved to come again are worked out once",
    PHASE: "of components with a phase, the one that is played by itself is solved without that field",
    ENTRIES: "a row of which every move touches one entry is solved as the sum of its entries",
    SPLIT: "a position that falls apart is solved as the sum of its parts",
    TAME: "misère sums of subtraction games are answered from the values under normal play",
    SETTLED: "components of interacting sums that have values are added, not searched",
    FIRST: "moves that change cells which the ends of the game ask for are searched first",
    ENDS: "moves that end the game are seen before any is searched",
    PACKED: "in tables, outcomes take a bit of memory each (two with draws), the latest of them in a register",
    BLOCKS: "in tables, numbers that begin alike are filled in at once where the values before them are alike",
    SIEVE: "in tables, divisors and primes come from a sieve, not from trial division",
    PUSH: "in tables, from a lost number, the numbers that lead to it are marked as won",
    SLIDE: "in tables of one number, moves to numbers side by side are counted, not looked at one by one",
    DIGITS: "the digits of a number that counts up are carried, not recomputed",
    LINES: "conditions about several cells of a board are masks of its word",
    SWEEP: "a test of every cell of a row or board is one of its word, and choices go from bit to bit",
    STRETCHES: "sums over stretches of given numbers are differences of two sums of first cells",
    OPTIMISER: "machine code is optimised by LLVM",
}
"""What each does, as `explain` and `solve --help` say it."""


def known(names: Collection[str]) -> frozenset[str]:
    """The names, each of which must be that of a pass. Raises UsageError."""
    for name in names:
        if name not in PASSES:
            from difflib import get_close_matches

            close = get_close_matches(name, PASSES, 1)
            guess = f"; did you mean `{close[0]}`?" if close else ""
            raise UsageError(UNKNOWN_PASS.at(None, name=name, known=", ".join(PASSES), guess=guess))
    return frozenset(names)
