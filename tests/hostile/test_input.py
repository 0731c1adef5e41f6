"""Input that does not fit its spec: case, line and token are named, exit status 2, earlier answers are printed."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.tool import gamespec, spec


class Fault(NamedTuple):
    """An input, what is answered before its fault, and words that the message must hold."""

    name: str
    text: str
    answered: str
    words: tuple[str, ...]


FAULTS = {
    "a word for a number": Fault("cow_digit", "3\n9\nten\n10\n", "YES\n", ("case 2", "line 3", "`ten`")),
    "a fraction": Fault("cow_digit", "2\n9\n1.5\n", "YES\n", ("case 2", "line 3", "`1.5`")),
    "too large": Fault("cow_digit", "3\n9\n10\n1000001\n", "YES\nNO\n", ("case 3", "line 4", "1000001", "1000000")),
    "too small": Fault("cow_digit", "2\n9\n-1\n", "YES\n", ("case 2", "line 3", "-1")),
    "thousands of zeros": Fault("cow_digit", "2\n9\n" + "0" * 100_000 + "9\n", "YES\n", ("case 2", "line 3", "zeros")),
    "far too large": Fault("cow_digit", "2\n9\n" + "9" * 5000 + "\n", "YES\n", ("case 2", "line 3")),
    "fewer cases than announced": Fault("cow_digit", "3\n9\n10\n", "YES\nNO\n", ("3", "2")),
    "no count": Fault("cow_digit", "", "", ("count",)),
    "a count that is a word": Fault("cow_digit", "many\n9\n", "", ("line 1", "`many`")),
    "a negative count": Fault("cow_digit", "-2\n9\n", "", ("line 1", "-2")),
    "end within a case": Fault("stone_game", "1\n4 2\n2\n3 0\n3\n", "Case 1:\nYes\n", ("case 2",)),
    "bound by another value": Fault(
        "stone_game", "1\n4 2\n2\n3 0\n3 5\n0\n", "Case 1:\nYes\n", ("case 2", "line 5", "5", "stones")
    ),
    "too few in a list": Fault(
        "number_game", "1 2\n4 2 3\n", "Test Case #1\nThe winning moves are: 2\n\n", ("case 2",)
    ),
    "not an element": Fault(
        "number_game", "1 2\n2 3 21\n0\n", "Test Case #1\nThe winning moves are: 2\n\n", ("case 2", "line 2", "21")
    ),
    "a list longer than its array": Fault("misere_nim", "2\n1 1\n6 1 1 1 1 1 1\n", "Brother\n", ("case 2", "line 3")),
    "require broken": Fault("silver_coins", "2\n1 3\n2 5 4\n", "Georgia will win\n", ("case 2", "line 3", "at")),
    "require broken by several values": Fault(
        "calendar", "2\n2001 11 3\n2001 2 29\n", "YES\n", ("case 2", "line 3", "2001", "29")
    ),
    "not a byte of text": Fault("cow_digit", "2\n9\n\udcff\n", "YES\n", ("case 2", "line 3")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str) -> None:
    fault = FAULTS[name]
    done = gamespec("solve", spec(fault.name), stdin=fault.text)
    assert done.code == 2, done.err
    assert done.out == fault.answered
    assert all(word in done.err for word in fault.words), done.err
    assert "Traceback" not in done.err


def test_text_after_the_last_case_is_a_warning() -> None:
    done = gamespec("solve", spec("cow_digit"), stdin="1\n9\nand more\n")
    assert (done.code, done.out) == (0, "YES\n")
    assert "warning" in done.err
