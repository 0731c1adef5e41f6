"""Simplest forms of partisan games: known ones, and random ones against playing sums of them."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from gamespec.budget import Budget
from gamespec.plan.sum import canonical
from gamespec.plan.sum.canonical import Forms, TooManyForms

Tree = tuple[tuple["Tree", ...], tuple["Tree", ...]]  # options of the first player, and of the second

ZERO: Tree = ((), ())
ONE: Tree = ((ZERO,), ())
MINUS_ONE: Tree = ((), (ZERO,))
STAR: Tree = ((ZERO,), (ZERO,))
UP: Tree = ((ZERO,), (STAR,))


def form(forms: Forms, game: Tree) -> int:
    left, right = ([form(forms, option) for option in side] for side in game)
    return forms.form(left, right)


@cache
def first_wins(mover: int, games: tuple[Tree, ...]) -> bool:
    """Whether the player to move wins the sum."""
    return any(
        not first_wins(1 - mover, tuple(sorted((*games[:place], option, *games[place + 1 :]))))
        for place, game in enumerate(games)
        for option in game[mover]
    )


def test_known_forms() -> None:
    """Winning Ways, chapters 2 and 3."""
    forms = Forms(Budget())
    one, star, up = form(forms, ONE), form(forms, STAR), form(forms, UP)
    assert forms.options[forms.added([up, star])] == ((0, star), (0,))
    assert forms.options[forms.added([up, up])] == ((0,), (forms.added([up, star]),))
    assert forms.added([star, star]) == 0
    assert form(forms, ((ONE, ZERO, STAR), ())) == forms.added([one, one])  # dominated options
    assert form(forms, ((UP,), (((STAR,), (ZERO,)),))) == star  # {↑|↓}: both are reversible
    switch = form(forms, ((ONE,), (MINUS_ONE,)))
    assert forms.added([switch, switch]) == 0
    assert forms.options[forms.added([switch, one])] == ((forms.added([one, one]),), (0,))


def test_forms_play_like_the_games() -> None:
    random = Random(8)
    forms = Forms(Budget())
    pool: list[Tree] = [ZERO]
    for _ in range(60):
        pool.append(tuple(tuple(sorted(set(random.choices(pool, k=random.randrange(3))))) for _ in "lr"))  # type: ignore[arg-type]
    trees: dict[int, Tree] = {}

    def tree(number: int) -> Tree:
        if number not in trees:
            left, right = forms.options[number]
            trees[number] = tuple(sorted(map(tree, left))), tuple(sorted(map(tree, right)))
        return trees[number]

    small = [game for game in pool if len(str(game)) < 120]
    smaller = 0
    for _ in range(150):
        games = random.sample(small, 2)
        added = tree(forms.added([form(forms, game) for game in games]))
        smaller += len(str(added)) < len(str(games))
        rest = random.choice(small[:12])
        for mover in (0, 1):
            whole = first_wins(mover, tuple(sorted((*games, rest))))
            assert whole == first_wins(mover, tuple(sorted((added, rest)))), (games, added)
    assert smaller > 50


def test_forms_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    forms, game = Forms(Budget()), 0
    for _ in range(canonical.MOST_DEPTH):
        game = forms.form([game], [])
    with pytest.raises(TooManyForms):
        forms.form([game], [])
    monkeypatch.setattr(canonical, "MOST_STEPS", 10)
    with pytest.raises(TooManyForms):
        form(Forms(Budget()), ((UP, STAR, ONE), (((UP, STAR), (ONE,)),)))
