"""Exact equities: the published numbers, every board dealt by the oracle, every method the same."""

from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from naive_equity import Holdings, compatible_deals, count
from spots import assert_is, cards, equity, hand, holdings, methods

import pokernel
from pokernel import DealError

# ---- numbers that everybody knows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", methods("AB"))
def test_suited_ace_king_and_two_queens(method: str) -> None:
    result = pokernel.equity(["AsKs", "QhQd"], method=method)
    assert result.counts == {(0,): 787_966, (1,): 917_606, (0, 1): 6_732}
    assert result.total == 1_712_304
    assert round(result.equity[0], 6) == 0.462145


@pytest.mark.parametrize("method", methods("AB"))
def test_aces_and_kings(method: str) -> None:
    result = pokernel.equity(["AA", "KK"], method=method)
    assert result.counts == {(0,): 50_371_344, (1,): 10_986_372, (0, 1): 285_228}
    assert result.total == 36 * 1_712_304


@pytest.mark.parametrize("method", methods("AB"))
def test_two_aces_and_any_two_cards(method: str) -> None:
    result = pokernel.equity(["AsAh", "random"], method=method)
    assert round(result.equity[0], 6) == 0.852037
    assert result.total == comb(50, 2) * comb(48, 5)


@pytest.mark.parametrize("method", ["auto", "sweep", "table"])
def test_any_two_cards_and_any_two_cards(method: str) -> None:
    result = pokernel.equity(["random", "random"], method=method)
    assert result.total == 2_781_381_002_400 == comb(52, 2) * comb(50, 2) * comb(48, 5)
    assert result.counts[(0,)] == result.counts[(1,)]
    assert result.shares == (Fraction(1, 2), Fraction(1, 2))
    assert result.equity == (0.5, 0.5)


def test_which_method_counted() -> None:
    assert pokernel.equity(["AA", "KK"]).method == "table"
    assert pokernel.equity(["AA", "KK"], method="exact").method == "table"
    assert pokernel.equity(["AsAh", "KsKh", "QsQh"]).method == "match-ups"
    assert pokernel.equity(["random", "random"], "2c 7d 9h").method == "sweep"
    for method in ("table", "match-ups", "sweep"):
        assert pokernel.equity(["AA", "KK"], method=method).method == method
    with pytest.raises(DealError, match="table"):
        pokernel.equity(["AA", "KK"], "2c 3c 4d", method="table")
    with pytest.raises(DealError, match="table"):
        pokernel.equity(["AA", "KK"], dead="2c", method="table")
    with pytest.raises(DealError, match="table"):
        pokernel.equity(["AA", "KK", "QQ"], method="table")
    with pytest.raises(DealError, match="sweep"):
        pokernel.equity(["AA", "KK", "QQ"], method="sweep")


# ---- before the flop -------------------------------------------------------------------------------------------------

MATCH_UPS = [
    "AsAh KsKh",
    "AsAh KdKc",
    "AsKs QsJs",  # flushes of one suit
    "AsKs AhKh",  # mostly ties
    "AsKd AdKs",
    "2s2h AcKd",
    "JhTh 9h8h",
    "7c2d 7d2c",
    "6s5s 5h4h",
    "TsTh Td9d",  # one suit in two hands, one card short of a pair
    "Ah2h KhQh",
    "3d2d 4d3s",
]


@pytest.mark.parametrize("match_up", MATCH_UPS)
def test_two_hands_on_every_board(match_up: str) -> None:
    players = [{hand(text): 1} for text in match_up.split()]
    tally = count(players)
    assert tally.total == 1_712_304
    for method in methods(players):
        assert_is(equity(players, 1, method=method), tally)


@pytest.mark.parametrize("match_up", ["AsKs QsQh 7s6s", "AsKs AhKh QsJs ThTd", "2c2d 2h2s 3c3d Ac4c AdKd"])
def test_many_hands_on_every_board(match_up: str) -> None:
    players = [{hand(text): 1} for text in match_up.split()]
    tally = count(players)
    assert tally.total == comb(52 - 2 * len(players), 5)
    assert_is(equity(players, 1), tally)


@pytest.mark.slow
def test_weighted_ranges_on_every_board() -> None:
    """Small ranges of all kinds, suits that cannot be exchanged, cards in both, dead cards."""
    dead = "Qd 3h"
    players = [
        {hand("AsKs"): 3, hand("QdQc"): 1, hand("AhTs"): 4},
        {hand("AsQd"): 1, hand("8h7h"): 4, hand("KsKd"): 2, hand("2c2d"): 3},
    ]
    tally = count(players, dead=cards(dead))
    assert tally.total == compatible_deals(players, dead=cards(dead))
    for method in methods(players, dead=dead):
        assert_is(equity(players, 4, dead=cards(dead), method=method), tally, 16)


def test_methods_agree_before_the_flop() -> None:
    """Where the oracle would take too long: whole ranges, weights, one card or two on the board."""
    for players, board, dead in [
        (["QQ+:0.5, AKs, 76s:0.25", "TT-77, AQ:0.75"], "", ""),
        (["AA, AsKs:0.3", "KK+, 22"], "", "Ac 2h"),
        (["88+, AJs+", "ATs, KQs, 77"], "As", ""),
        (["KQ", "AA, JTs:0.125"], "Td 9d", "2c"),
    ]:
        ways = [way for way in methods(players, board, dead) if way not in ("auto", "exact")]
        by_method = [pokernel.equity(players, board, dead, method=way) for way in ways]
        assert {result.method for result in by_method} >= {"match-ups", "sweep"}
        for result in by_method:
            assert (result.counts, result.scale) == (by_method[0].counts, by_method[0].scale)
            assert all(type(deals) is int for deals in result.counts.values())
            assert result.shares == by_method[0].shares


# ---- ranges on boards ------------------------------------------------------------------------------------------------

FLOPS: list[tuple[list[tuple[str, int]], str, str]] = [
    ([("QQ+, AKs", 1), ("JJ-99, KQs", 1)], "Jc 8c 2d", ""),
    ([("AA, 87s:0.5, 5s5h:0.25", 4), ("random", 1)], "9s 6s 5d", "As"),
    ([("A5s-A2s:0.3", 10), ("TT+, AT+:0.75", 4)], "4h 3h 3d", "2c 2d"),
]


@pytest.mark.parametrize(("ranges", "board", "dead"), FLOPS)
def test_two_ranges_on_a_flop(ranges: list[tuple[str, int]], board: str, dead: str) -> None:
    players: list[Holdings] = [holdings(text, scale) for text, scale in ranges]
    scale = prod(scale for _, scale in ranges)
    tally = count(players, cards(board), cards(dead))
    for categories in (False, True):
        for method in methods(players, board, dead):
            result = pokernel.equity([text for text, _ in ranges], board, dead, method=method, categories=categories)
            assert_is(result, tally, scale)
            assert (result.categories is None) == (not categories)


def test_three_ranges_on_a_flop() -> None:
    """With cards that all three want."""
    ranges = [("AsKs, AhKh, QQ:0.5, 8h7h", 2), ("AQs, KsQs, 9d9c:0.25", 4), ("AK, TsTh", 1)]
    players = [holdings(text, scale) for text, scale in ranges]
    tally = count(players, cards("Qs 9h 2h"))
    assert tally.total == compatible_deals(players, cards("Qs 9h 2h"))
    assert_is(pokernel.equity([text for text, _ in ranges], "Qs 9h 2h", categories=True), tally, 8)


@pytest.mark.parametrize("board", ["Jc 8c 2d Tc", "9s 9h 4d 4c", "7d 6d 5d 4d 3d", "Kc Qh 7s 7d 2c"])
def test_any_two_cards_on_turns_and_rivers(board: str) -> None:
    players = [holdings("random"), holdings("random")]
    tally = count(players, cards(board))
    for method in ("sweep", "match-ups"):
        assert_is(pokernel.equity(["random", "random"], board, method=method, categories=True), tally)


def random_holdings(rng: np.random.Generator, n: int, pool: list[int], scale: int) -> dict[tuple[int, int], int]:
    hands = rng.permutation(list(combinations(pool, 2)))[:n].tolist()
    return {
        (first, second): int(weight)
        for (first, second), weight in zip(hands, rng.integers(1, scale + 1, n), strict=True)
    }


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("on_board", [4, 5])
def test_many_weighted_ranges(n: int, on_board: int, rng: np.random.Generator) -> None:
    """Hands of few cards, so that they clash often, some of them with the board or dead; some of them sure to tie."""
    for scale in (1, 8):
        board = rng.permutation(52)[:on_board].tolist()
        rest = [card for card in range(52) if card not in board]
        dead, pool = rest[:2], [*rest[20:32], board[0], rest[0]]
        size = {2: 60, 3: 40, 4: 14, 5: 8, 6: 6}[n]
        players = [random_holdings(rng, size, pool, scale) for _ in range(n)]
        tally = count(players, board, dead)
        assert tally.total == compatible_deals(players, board, dead) > 0
        for method in methods(players, board, dead):
            assert_is(equity(players, scale, board, dead, method=method, categories=True), tally, scale**n)


def test_ten_players() -> None:
    hands = ["AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h", "8s8h", "7s7h", "6s6h", "5s5h"]
    players = [{hand(text): 1} for text in hands]
    board = "2s 3s 4s"
    assert_is(pokernel.equity(hands, board, categories=True), count(players, cards(board)))


@pytest.mark.parametrize("players", [["random"] * 4, ["random"] * 10, ["30%"] * 5])
def test_what_would_take_days_is_refused_at_once(players: list[str]) -> None:
    with pytest.raises(DealError, match=r"hours .*method='auto'"):
        pokernel.equity(players, method="exact")


def test_one_deal_left() -> None:
    """Dead cards leave four cards to two players on a river, and then none to choose."""
    board, left = cards("2c 7d 9h Js 3c"), cards("As Ah Kd 4d")
    dead = [card for card in range(52) if card not in board + left]
    players = [holdings("random"), holdings("random")]
    tally = count(players, board, dead)
    assert tally.total == 6
    for method in methods(players, board, dead):
        assert_is(pokernel.equity(["random", "random"], board, dead, method=method, categories=True), tally)
    assert pokernel.equity(["AsAh", "random"], board, dead).counts == {(0,): 1}
    with pytest.raises(DealError):
        pokernel.equity(["AsAh", "random", "random"], board, dead)


# ---- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["2c 3d 9h", "2c 3d 9h Js"])
def test_weights_of_fine_scales_are_counted_in_integers(board: str) -> None:
    """A million and its divisors: larger than floats can count, the same by all methods."""
    players = [
        {hand("AsAh"): 333_333, hand("KsKh"): 123_457},
        {hand("QsQh"): 999_999, hand("JsJh"): 1, hand("AsKs"): 770_000},
    ]
    by_method = [equity(players, 10**6, cards(board), method=method) for method in methods(players, board)]
    for result in by_method:
        assert result.scale == 10**12
        assert all(type(deals) is int for deals in result.counts.values())
        assert result.total == compatible_deals(players, cards(board))
        assert result.counts == by_method[0].counts


def test_weights_without_a_scale_are_counted_in_floats() -> None:
    odd: dict[Any, float] = {"AsAh": np.pi / 4, "KsKh": 1 / 3, "JhTh": np.sqrt(0.5)}
    fine = {text: round(weight * 10**6) / 10**6 for text, weight in odd.items()}
    for others in (["QsQh"], ["QQ, AJs:0.5", "KdTd"]):
        for board in ("", "2c 3d 9h Js"):
            if len(others) == 2 and not board:
                continue
            for method in methods([odd, *others], board):
                result = pokernel.equity([odd, *others], board, method=method)
                near = pokernel.equity([fine, *others], board, method=method)
                assert result.scale == 1
                assert type(result.total) is float
                assert near.scale == 10**6 * (2 if len(others) == 2 else 1)
                np.testing.assert_allclose(result.equity, near.equity, atol=3e-6)
                np.testing.assert_allclose(sum(result.equity), 1, atol=1e-12)
                np.testing.assert_allclose(result.total, near.total / near.scale, rtol=3e-6)


def test_thirds_have_a_scale() -> None:
    thirds, whole = {"AsAh": 1 / 3, "KsKh": 2 / 3}, {"AsAh": 0.5, "KsKh": 1.0}
    for method in methods("AB"):
        by_thirds = pokernel.equity([thirds, "QsQh"], method=method)
        by_halves = pokernel.equity([whole, "QsQh"], method=method)
        assert (by_thirds.scale, by_halves.scale) == (3, 2)
        assert by_thirds.counts == by_halves.counts
        assert all(type(deals) is int for deals in by_thirds.counts.values())


def test_what_has_no_weight_is_not_there() -> None:
    assert pokernel.equity([{"AsAh": 1, "KsKh": 0}, "QsQh"]).counts == pokernel.equity(["AsAh", "QsQh"]).counts
