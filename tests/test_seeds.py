"""Every example that the two rule documents print, in their own notation."""

import itertools
from typing import Any

import pytest

import pokernel
from pokernel import Category, best_five, category, describe, evaluate, format_cards, parse_cards

PRINTED = {
    "A ♠K ♠Q ♠J ♠10♠": ("AsKsQsJsTs", Category.ROYAL_FLUSH),
    "Q ♥ J♥ 10♥9 ♥8♥": ("QhJhTh9h8h", Category.STRAIGHT_FLUSH),
    "K ♣K ♦K ♠K ♥9♥": ("KcKdKsKh9h", Category.FOUR_OF_A_KIND),
    "8♣ 8♦ 8♠ K ♣K♠": ("8c8d8sKcKs", Category.FULL_HOUSE),
    "K ♠J ♠8 ♠4 ♠3♠": ("KsJs8s4s3s", Category.FLUSH),
    "5♦ 4♥ 3♠ 2♦ A♦": ("5d4h3s2dAd", Category.STRAIGHT),
    "7♣ 7♥ 7♠ K ♦2♠": ("7c7h7sKd2s", Category.THREE_OF_A_KIND),
    "A ♣A ♦8 ♥8 ♠Q♠": ("AcAd8h8sQs", Category.TWO_PAIR),
    "9♦ 9♠ A ♣J ♠4♥": ("9d9sAcJs4h", Category.ONE_PAIR),
    "A ♦10 ♦9 ♠5 ♣4♣": ("AdTd9s5c4c", Category.HIGH_CARD),
    "A♠ 10♠ 8♠ 7♠ 2♠": ("AsTs8s7s2s", Category.FLUSH),
    "5♣ 6♥ 7♠ 8♥ 9♦": ("5c6h7s8h9d", Category.STRAIGHT),
    "3♠4♠5♠6♠7♠": ("3s4s5s6s7s", Category.STRAIGHT_FLUSH),
    "2♠3♠4♠5♠6♠": ("2s3s4s5s6s", Category.STRAIGHT_FLUSH),
}
FROM_THE_TOP = list(PRINTED)[:10]


@pytest.mark.parametrize("printed", PRINTED)
def test_printed_hand_is_read_and_named(printed: str) -> None:
    canonical, expected = PRINTED[printed]
    assert parse_cards(printed) == parse_cards(canonical)
    assert format_cards(parse_cards(printed)) == canonical
    assert category(evaluate(printed)) is expected
    assert category(evaluate([printed, canonical])).tolist() == [expected] * 2


def test_printed_hands_stand_in_the_documents_order() -> None:
    strengths = evaluate(FROM_THE_TOP)
    assert (strengths[:-1] > strengths[1:]).all()
    assert strengths.tolist() == [evaluate(hand) for hand in FROM_THE_TOP]


def test_the_documents_slip_is_refused() -> None:
    with pytest.raises(pokernel.DuplicateCardError, match="Ks"):
        evaluate("K ♣K ♦K ♠K ♠9♥")


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("8♣8♦A♠4♥3♠", "6♣6♦A♥K♥Q♠"),
        ("K♠K♥5♦5♣2♠", "Q♠Q♥J♦J♣A♠"),
        ("6♠6♥6♦3♣2♠", "2♠2♥2♦A♣K♠"),
        ("9♠8♥7♦6♣5♠", "8♠7♥6♦5♣4♠"),
        ("8♠8♥8♦8♣2♠", "6♠6♥6♦6♣A♠"),
        ("J♠J♥J♦3♣3♠", "4♠4♥4♦A♣A♠"),
        ("3♠4♠5♠6♠7♠", "2♠3♠4♠5♠6♠"),
    ],
)
def test_ordered_pairs(stronger: str, weaker: str) -> None:
    assert evaluate(stronger) > evaluate(weaker)
    assert category(evaluate(stronger)) is category(evaluate(weaker))


@pytest.mark.parametrize("turn_and_river", ["K♥ 7♦", "2♥ 2♦", "A♥ A♦"])
def test_highest_flush_card_decides_on_the_board(turn_and_river: str) -> None:
    board = "8♠ 4♠ 3♠ " + turn_and_river
    winner, loser = evaluate(["Q♠2♠", "9♠J♠"], board)
    assert winner > loser
    assert category(winner) is category(loser) is Category.FLUSH


def test_ace_is_low_in_the_lowest_straight_and_never_in_the_middle() -> None:
    assert category(evaluate("Q♠ K♦ A♣ 2♥ 3♠")) is Category.HIGH_CARD
    assert category(evaluate("K♠ A♦ 2♣ 3♥ 4♠")) is Category.HIGH_CARD
    wheel, next_one = evaluate("5♦ 4♥ 3♠ 2♦ A♦"), evaluate("6♦ 5♥ 4♠ 3♦ 2♦")
    assert evaluate("A♠K♥Q♦J♣9♠") < wheel < next_one < evaluate("A♠K♥Q♦J♣10♠")
    assert evaluate("5♦ 4♦ 3♦ 2♦ A♦") < evaluate("6♦ 5♦ 4♦ 3♦ 2♦")


def test_suits_are_equal() -> None:
    strengths = {evaluate([f"{rank}{suit}" for rank in ("K", "J", "8", "4", "3")]) for suit in "♣♦♥♠"}
    assert len(strengths) == 1


def test_third_pairs_rank_can_be_the_fifth_card() -> None:
    assert format_cards(best_five("K♠K♥", "9♦9♣5♠5♥2♦")) == "KsKh9d9c5s"
    assert evaluate("K♠K♥", "9♦9♣5♠5♥2♦") == evaluate("K♠K♥9♦9♣5♥")


@pytest.mark.parametrize(
    ("one", "other", "board", "played"),
    [
        ("2♣2♦", "7♣3♦", "A♠K♠Q♠J♠10♠", "A♠K♠Q♠J♠10♠"),
        ("A♣2♦", "A♦3♣", "K♠K♥Q♦Q♣J♠", "K♠K♥Q♦Q♣A♥"),
        ("9♣8♦", "7♣6♦", "A♠A♥A♦A♣K♠", "A♠A♥A♦A♣K♠"),
        ("5♣4♦", "7♣6♦", "A♠K♥Q♦J♣9♠", "A♠K♥Q♦J♣9♠"),
    ],
)
def test_what_lies_on_the_board_is_everybodys(one: str, other: str, board: str, played: str) -> None:
    assert evaluate([one, other], board).tolist() == [evaluate(played)] * 2


TIE_BREAKS: dict[str, list[Any]] = {
    "straight flush: the top card": ["6♠5♠4♠3♠2♠", "K♥Q♥J♥10♥9♥"],
    "four: the fifth card": ["7♣7♦7♥7♠2♠", "7♣7♦7♥7♠A♠", "8♣8♦8♥8♠2♠"],
    "full house: the three, then the pair": ["5♣5♦5♥A♣A♠", "6♣6♦6♥2♣2♠", "6♣6♦6♥3♣3♠"],
    "flush: the second … fifth card": ["A♠10♠8♠7♠2♠", "A♠10♠8♠7♠3♠", "A♠10♠9♠3♠2♠", "A♠J♠4♠3♠2♠"],
    "three: the higher, then the lower side card": ["9♣9♦9♥K♠2♠", "9♣9♦9♥K♠3♠", "9♣9♦9♥A♠2♠"],
    "two pair: the lower pair, then the fifth": ["A♣A♦3♥3♠K♠", "A♣A♦4♥4♠2♠", "A♣A♦4♥4♠3♠"],
    "one pair: side cards from the top": ["9♣9♦K♥Q♠J♠", "9♣9♦A♥4♠2♠", "9♣9♦A♥4♠3♠", "9♣9♦A♥5♠2♠"],
    "high card: from the top": ["A♣9♦7♥5♠2♠", "A♣9♦7♥5♠3♠", "A♣9♦7♥6♠2♠", "A♣9♦8♥3♠2♠", "A♣10♦5♥3♠2♠"],
}


@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_ties_inside_a_category(rule: str) -> None:
    for weaker, stronger in itertools.pairwise(TIE_BREAKS[rule]):
        assert evaluate(weaker) < evaluate(stronger)
        assert category(evaluate(weaker)) is category(evaluate(stronger))


def test_names() -> None:
    assert describe(evaluate("A ♠K ♠Q ♠J ♠10♠")) == "Royal flush"
    assert describe(evaluate("J♠J♥J♦3♣3♠")) == "Full house, jacks full of threes"
    assert describe(evaluate("5♦ 4♥ 3♠ 2♦ A♦")) == "Straight, five high"
