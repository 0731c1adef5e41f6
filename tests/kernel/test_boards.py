"""Random conditions over boards, which kernels put together and sweep, as the evaluator understands them."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.kernel.rules import agree, game_of

CELLS = {
    "0..2": ["0", "1", "2", "k"],
    "-1..2": ["-1", "0", "1", "2", "(k - 1)"],
    "{empty, x, o}": ["empty", "x", "o", "mover", "other"],
}


class Board:
    """Draws a game whose conditions look at the cells of a board."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.of = draw(st.sampled_from([*CELLS, "bool"]))
        self.rows, self.columns = draw(st.integers(1, 4)), draw(st.integers(2, 5))
        self.names: list[str] = []

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def index(self, most: int) -> str:
        """An index that may lie outside."""
        known = [*self.names, "at"]
        number = str(self.draw(st.integers(1, most)))
        return self.pick(number, number, number, *known, *(f"{name} + 1" for name in known[:1]))

    def cell(self, row: str = "", column: str = "") -> str:
        place = f"board[{row or self.index(self.rows)}, {column or self.index(self.columns)}]"
        if self.of == "bool":
            return self.pick(place, f"not {place}", f"{place} == (k > 1)")
        return f"{place} {self.pick('==', '==', '!=')} {self.pick(*CELLS[self.of])}"

    def folded(self) -> str:
        """A condition over many cells."""
        r, c = f"r{len(self.names)}", f"c{len(self.names)}"
        match self.pick("row", "column", "box", "lines", "line"):
            case "row":
                body = f"{self.cell('', c)} for {c} in 1..{self.columns}"
            case "column":
                body = f"{self.cell(r, '')} for {r} in 1..{self.rows}"
            case "box":
                body = f"{self.cell(r, c)} for {r} in 1..{self.rows} for {c} in 1..{self.columns}"
            case "line":
                q = f"q{len(self.names)}"
                what = f"board[{q}]" if self.of == "bool" else f"board[{q}] != {CELLS[self.of][0]}"
                body = f"{what} for line{q} in lines(board, 1) for {q} in line{q}"
            case _:
                q, length = f"q{len(self.names)}", self.draw(st.integers(1, 3))
                value = "" if self.of == "bool" else f" == {self.pick(*CELLS[self.of])}"
                body = f"all(board[{q}]{value} for {q} in line{q}) for line{q} in lines(board, {length})"
        if self.draw(st.booleans()):
            return f"{self.pick('any', 'all')}({body})"
        return f"count({body}) {self.pick('==', '>', '<=')} {self.draw(st.integers(0, 4))}"

    def condition(self, depth: int) -> str:
        if depth == 0:
            return self.draw(st.sampled_from([self.cell, self.cell, self.folded, lambda: "k < 2"]))()
        parts = [self.condition(depth - 1) for _ in range(self.draw(st.integers(2, 4)))]
        joined = f" {self.pick('and', 'or')} ".join(f"({part})" for part in parts)
        return f"not ({joined})" if self.draw(st.integers(0, 4)) == 0 else joined

    def game(self) -> str:
        value = "not board[r, c]" if self.of == "bool" else self.pick(*CELLS[self.of])
        order = [f"r in 1..{self.rows}", f"c in 1..{self.columns}"]
        if self.draw(st.booleans()):
            order.reverse()
        ending = self.condition(2)
        self.names = ["r", "c"]
        first = f"({self.cell('r', 'c')}) and " if self.draw(st.booleans()) else ""
        return (
            f"game test\nplayers x, o\nstate board: array[1..{self.rows}, 1..{self.columns}] of {self.of}\n"
            f"state k: 0..2\nstate at: 1..2\nterminal x wins when {ending}\n"
            f"move put choose {', '.join(order)} when {first}{self.condition(1)}\n"
            f"do board[r, c] = {value}, k = (k + 1) % 3, at = 3 - at\n"
        )


@st.composite
def games(draw: st.DrawFn) -> str:
    return Board(draw).game()


def test_conditions_over_boards() -> None:
    """Games are won and lost, and moves are made."""
    seen: Counter[str] = Counter()

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(games())
    @example(
        "game test\nplayers x, o\nstate board: array[1..2, 1..2] of 0..2\nstate k: 0..2\n"
        "terminal x wins when board[1, 1] == 1 and board[2, k] == 1 and board[1, 2] == 1\nmove m when k > 0 do k -= 1\n"
    )
    def agreed(text: str) -> None:
        seen.update(agree(game_of(text), count=12, ways=(("python", True),)))

    agreed()
    assert {"won", "lost", "moves"} <= seen.keys()
