"""Every example of the reference page is true, read and checked like any other expression."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.builtins import BUILTINS
from gamespec.game.evaluate import Evaluator

EXAMPLES = [(expression, value) for entry in BUILTINS.values() for expression, value in entry.examples]


def holds(condition: str) -> bool:
    game = gamespec.loads(
        f"game example state n: 0..1 require {condition} move take when n > 0 do n -= 1 "
        'input read n output win "w" lose "l"'
    )
    return Evaluator(game).holds((0,))


@pytest.mark.parametrize(("expression", "value"), EXAMPLES, ids=[expression for expression, _ in EXAMPLES])
def test_example(expression: str, value: str) -> None:
    assert holds(f"({expression}) == {value}")
    assert not holds(f"({expression}) != {value}")


def test_every_builtin_is_documented() -> None:
    for name, entry in BUILTINS.items():
        assert entry.name == name
        assert entry.signature.startswith(f"{name}(")
        assert entry.doc.endswith(".")
        assert len(entry.examples) >= 2
        assert any(f"{name}(" in expression for expression, _ in entry.examples)
