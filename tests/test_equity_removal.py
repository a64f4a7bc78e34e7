"""Cards that are elsewhere: on the board, dead, in another hand, or in whatever another range can hold."""

from fractions import Fraction
from itertools import combinations

import pytest
from naive_equity import compatible_deals, count
from spots import assert_is, cards, equity, hand, holdings, merged, methods

import pokernel
from pokernel import Range


def test_aces_and_aces() -> None:
    """Of 36 pairs of combos 6 go together, each with one other."""
    aces = list(combinations(cards("AsAhAdAc"), 2))
    by_hand = [count([{two: 1}, {rest: 1}]).counts for two, rest in zip(aces, aces[::-1], strict=True)]
    for method in methods("AB"):
        result = pokernel.equity(["AA", "AA"], method=method)
        assert result.counts == merged(*by_hand)
        assert result.total == 6 * 1_712_304
        assert result.counts[(0,)] == result.counts[(1,)]


def test_ranges_that_overlap_are_weighed_as_they_are_dealt() -> None:
    """Not one by one: of AsAh and KsKh for both players only two deals of four are possible."""
    players = [{hand("AsAh"): 1, hand("KsKh"): 3}, {hand("AsAh"): 1, hand("KsKh"): 1}]
    board = "2c 7d 9h Js 3c"
    for method in methods(players, board):
        result = equity(players, 4, cards(board), method=method)
        assert result.counts == {(0,): 1, (1,): 3}
        assert result.scale == 16
        assert result.shares == (Fraction(1, 4), Fraction(3, 4))


@pytest.mark.parametrize("board", ["Kd Kc 8s", "8s 7s 6s Td", "8h 8d 8c As 2d"])
def test_three_players_with_the_same_range(board: str) -> None:
    """Each gets a third, whatever the order; heavy overlap."""
    players = [holdings("KK, 88, AKs, 98s")] * 3
    tally = count(players, cards(board))
    result = pokernel.equity(["KK, 88, AKs, 98s"] * 3, board, categories=True)
    assert_is(result, tally)
    assert result.shares == (Fraction(1, 3),) * 3


@pytest.mark.parametrize(
    ("texts", "board", "dead"),
    [
        (["AA, KK", "QQ, AKs"], "2s 5s 9d", "Ad As"),
        (["AA, KK", "QQ, AKs"], "As 5s 9d", "Kd"),
        (["AA, KK", "QQ, AKs", "AQ"], "As Kd 9d Qh", "Qc"),
        (["AA", "KK, AKs", "random"], "As Ah 9d Qh 2c", "Kc"),
    ],
)
def test_dead_cards_and_board_cards_inside_ranges(texts: list[str], board: str, dead: str) -> None:
    """They make hands impossible; to leave these out of the ranges oneself changes nothing."""
    players = [holdings(text) for text in texts]
    tally = count(players, cards(board), cards(dead))
    left = [Range(text).without(board + dead) for text in texts]
    for method in methods(texts, board, dead):
        assert_is(pokernel.equity(texts, board, dead, method=method), tally)
        assert_is(pokernel.equity(left, board, dead, method=method), tally)


def test_a_dead_card_cannot_come() -> None:
    """It is no board card: here the only card that beats the first player is dead, then alive."""
    board = "Kc Kd 7h 7s"
    assert pokernel.equity(["KsQs", "AdAc"], board, "Ah As").counts == {(0,): 42}
    assert pokernel.equity(["KsQs", "AdAc"], board, "Ah").counts == {(0,): 42, (1,): 1}
    assert pokernel.equity(["KsQs", "AdAc"], board).counts == {(0,): 42, (1,): 2}


def test_a_known_hand_reduces_the_others_ranges() -> None:
    left = ["AdAc", "KsKh", "KsKd", "KsKc", "KhKd", "KhKc", "KdKc"]
    for board in ("", "Kd", "7h 2c"):
        by_hand = [count([{hand("AsAh"): 1}, {hand(two): 1}], cards(board)).counts for two in left if board]
        if not board:
            by_hand = [{who: int(n) for who, n in pokernel.equity(["AsAh", two]).counts.items()} for two in left]
        for method in methods("AB", board):
            for other in ("AA, KK", ", ".join(left), Range("AA, KK").without("As Ah")):
                assert pokernel.equity(["AsAh", other], board, method=method).counts == merged(*by_hand)


def test_known_hands_settle_one_range_after_the_other() -> None:
    """The first leaves the second one combo, that leaves the third one combo, and so on."""
    players = ["AsAh", "AhAd, KsKh", "KsKd, QsQh", "QsQd, JsJh"]
    board = "2c 7d 9h"
    result = pokernel.equity(players, board)
    assert result.counts == pokernel.equity(["AsAh", "KsKh", "QsQh", "JsJh"], board).counts
    backwards = pokernel.equity(players[::-1], board)
    assert backwards.shares == result.shares[::-1]


def test_a_hand_and_a_range_of_one_combo_are_the_same() -> None:
    for one in ("AsAh", [51, 50], Range("AsAh"), {"AsAh": 1}, (["AsAh"], [1])):
        assert pokernel.equity([one, "KK"]).counts == pokernel.equity(["AsAh", "KK"]).counts


def test_a_range_left_with_one_combo_keeps_its_weight() -> None:
    """It counts as often as it is weighed, though no other hand is left to weigh it against."""
    board = "2c 7d 9h Js 3c"
    result = pokernel.equity([{"AsAh": 0.25, "2d2h": 0.5}, "2s2d"], board)
    players = [{hand("AsAh"): 1, hand("2d2h"): 2}, {hand("2s2d"): 1}]
    assert_is(result, count(players, cards(board)), 4)


def test_players_without_a_range_are_dealt_from_what_the_ranges_leave() -> None:
    texts = ["AsKs, AhKh, QQ", "random", "AsQs, JJ"]
    board = "Ad Qs 7c 7h"
    players = [holdings(text) for text in texts]
    tally = count(players, cards(board))
    assert tally.total == compatible_deals(players, cards(board))
    assert_is(pokernel.equity(texts, board, categories=True), tally)
