"""Finding positions by several threads: the same numbers for any number of them, and the same faults."""

from __future__ import annotations

import pytest

from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.model import Value
from gamespec.kernel.memory import Buffer
from gamespec.plan.retrograde import backward, scout
from gamespec.plan.retrograde.backward import BackwardSolver
from tests.analysis.test_inverse import GAMES, SETS, SLIDES
from tests.plan.test_rounds import PLAYED_ON, Made, columns, stopped_and_asked_again

ALL = 1 << 30


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Rounds of few positions wherever play is followed; how far each came."""
    for name, value in {"WORTH": 0, "PIECE": 2, "AHEAD": 3}.items():
        monkeypatch.setattr(scout, name, value)
    monkeypatch.setattr(backward, "FIRST_CELLS", 16)
    monkeypatch.setattr(BackwardSolver, "_allowed", lambda self, box: ALL)
    monkeypatch.setattr(backward, "next_piece", lambda *_: 7)
    came: list[int] = []
    whole = scout.Scouts.round

    def spy(self: scout.Scouts, *args: object) -> int:
        status = whole(self, *args)  # type: ignore[arg-type]
        at = args[2]
        assert isinstance(at, Buffer)
        came.append(at[backward.NEXT])
        return status

    monkeypatch.setattr(scout.Scouts, "round", spy)
    return came


@pytest.mark.parametrize("room", [1, 3, 64])
@pytest.mark.parametrize(
    ("text", "backend"),
    [*((text, "python") for text in (*GAMES, PLAYED_ON)), *((text, "llvm") for text in (SETS, PLAYED_ON))],
)
def test_same_numbers(text: str, backend: str, room: int, rounds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what one position leads to has no room."""
    monkeypatch.setattr(scout, "ROOM", room)
    made = Made(text, backend)
    states = [column[:1] for column in columns(made.game)]
    numbers: set[tuple[object, ...]] = set()
    for threads in (1, 2, 3):
        rounds.clear()
        solver = made.solver(Budget(threads=threads))
        values = list(solver.values([], states))
        numbers.add((*values, *solver.memory["keys"].to_list(0, solver.count)))
        assert (len(rounds) > 4) is (threads > 1)
        assert not any(name.rpartition(".")[2].isdigit() for name in solver.memory.buffers)
    assert len(numbers) == 1


def test_the_first_fault_counts(rounds: list[int]) -> None:
    """A rule that fails at many positions is told of at the one that one thread meets first."""
    made = Made(
        SLIDES.replace("terminal mover", "terminal draw when 12 / (count(board[i] == x for i in 1..5) - 3) > 20 mover")
    )
    start: list[list[Value]] = [[value] for value in ((1, 0, 0, 0, 2), 0)]
    messages = set()
    for threads in (1, 2, 3):
        with pytest.raises(SpecError) as raised:
            made.solver(Budget(threads=threads)).values([], start)
        messages.add(str(raised.value.diagnostics[0]))
    assert len(messages) == 1
    assert rounds


@pytest.mark.parametrize("reason", [KeyboardInterrupt, LimitError])
def test_it_can_be_stopped(reason: type[BaseException], rounds: list[int]) -> None:
    """All memory is given back, and the next question is answered."""
    made = Made(SLIDES)
    states = [column[:1] for column in columns(made.game)]
    stopped_and_asked_again(made, states, reason, lambda text: "positions found" in text and len(rounds) == 2)


LONG = """game long
state at: 0..199
state turns: 0..2
move step do at = (at + 1) % 200
move turn when turns < 2 do turns += 1
terminal mover loses when at == 150 and turns == 2
endless draw"""


def test_many_narrow_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a call may do does not grow without end where there is never so much to do."""
    monkeypatch.setattr(scout, "WORTH", 0)
    monkeypatch.setattr(BackwardSolver, "_allowed", lambda self, box: ALL)
    monkeypatch.setattr(backward, "CALL_SECONDS", 1e9)  # each call is to do four times as much as the last one
    made = Made(LONG)
    assert made.solver(Budget(threads=2)).graph.parents is not None
    start: list[list[Value]] = [[0] for _ in made.game.states]
    expected = list(made.solver(Budget(threads=1)).values([], start))
    assert list(made.solver(Budget(threads=2)).values([], start)) == expected
