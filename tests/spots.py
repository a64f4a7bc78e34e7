"""Spots to ask for the equities of, told to pokernel and to the oracle that deals everything."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import strategies as st
from naive_equity import Hand, Holdings, Tally

import pokernel
from pokernel import Equity


def cards(text: str) -> list[int]:
    """``"As 2c"`` to ``[51, 0]``."""
    text = text.replace(" ", "")
    return [4 * "23456789TJQKA".index(text[i]) + "cdhs".index(text[i + 1]) for i in range(0, len(text), 2)]


def hand(text: str) -> Hand:
    first, second = cards(text)
    return (first, second)


def holdings(text: str, scale: int = 1) -> dict[Hand, int]:
    """The hands of a range and their weights, multiplied by what makes them integers."""
    held = pokernel.Range(text)
    hands = {
        (first, second): round(scale * w)
        for (first, second), w in zip(held.combos.tolist(), held.weights.tolist(), strict=True)
    }
    assert [weight / scale for weight in hands.values()] == held.weights.tolist()
    return hands


def weighted(held: Holdings, scale: int) -> dict[Hand, float]:
    """Holdings as `equity` takes them."""
    return {hand: weight / scale for hand, weight in held.items()}


def renamed(players: Sequence[Holdings], names: Sequence[int]) -> list[dict[Hand, int]]:
    """The same holdings where suits have exchanged their names."""
    return [{(rename(a, names), rename(b, names)): weight for (a, b), weight in held.items()} for held in players]


def rename(card: int, names: Sequence[int]) -> int:
    return 4 * (card // 4) + names[card % 4]


def told(result: Equity) -> dict[str, Any]:
    """All that a result says, to the last bit."""
    said = result.as_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    return said


def assert_is(result: Equity, tally: Tally, scale: int = 1) -> None:
    """That a result has these counts, of weights that were multiplied by `scale` in all, and says nothing else."""
    assert result.exact
    assert result.trials == 0
    assert result.seed is None
    assert all(type(count) is int for count in (result.total, result.scale, *result.counts.values()))
    assert {who: count * scale for who, count in result.counts.items()} == {
        who: count * result.scale for who, count in tally.counts.items()
    }
    players = range(len(result.players))
    total = tally.total
    assert result.total * scale == total * result.scale
    shares = [
        sum(Fraction(count, len(who) * total) for who, count in tally.counts.items() if player in who)
        for player in players
    ]
    assert list(result.shares) == shares
    assert list(result.equity) == [float(share) for share in shares]
    assert result.standard_error == (0.0,) * len(players)
    for player in players:
        assert result.win[player] == tally.counts.get((player,), 0) / total
        together = sum(count for who, count in tally.counts.items() if player in who and len(who) > 1)
        assert result.tie[player] == together / total
    if result.categories is not None:
        assert result.winning_categories is not None
        for all_or_won, found in enumerate((result.categories, result.winning_categories)):
            expected = [[count / total for count in both[all_or_won]] for both in tally.categories]
            assert found.tolist() == expected


@st.composite
def dealt(
    draw: st.DrawFn, players: tuple[int, int] = (2, 4), board: tuple[int, int] = (4, 5), scale: int = 4, most: int = 7
) -> tuple[list[dict[Hand, int]], list[int], list[int]]:
    """Ranges of a few hands of the same dozen cards, some on the board or dead; a board; dead cards.

    There may be no way to deal them.
    """
    deck = draw(st.permutations(range(52)))
    n = draw(st.integers(*board))
    on_board, dead = deck[:n], deck[5 : 5 + draw(st.integers(0, 2))]
    few = deck[4:16]
    hands = st.sampled_from(list(combinations(few, 2)))
    held = st.dictionaries(hands, st.integers(1, scale), min_size=1, max_size=most)
    return draw(st.lists(held, min_size=players[0], max_size=players[1])), on_board, dead


def equity(
    players: Sequence[Holdings], scale: int, board: Sequence[int] = (), dead: Sequence[int] = (), **how: Any
) -> Equity:
    """Ask pokernel for what the oracle is asked for."""
    return pokernel.equity([weighted(held, scale) for held in players], list(board), list(dead), **how)


def methods(
    players: Sequence[Any], board: Sequence[int] | str = (), dead: Sequence[int] | str = (), categories: bool = False
) -> list[str]:
    """All ways to count this."""
    found = ["auto", "exact", "match-ups"]
    if len(players) == 2:
        found += ["sweep"] if board or dead or categories else ["sweep", "table"]
    return found


def merged(*counts: Mapping[tuple[int, ...], int | float]) -> dict[tuple[int, ...], int | float]:
    """Sums of counts."""
    return {who: sum(some.get(who, 0) for some in counts) for who in set().union(*counts)}
