"""Which five of the cards play, and in which order they are shown."""

from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import DTYPES, LAYOUTS, deal

import pokernel
from pokernel import best_five, evaluate, format_cards, parse_cards

HANDS = st.sampled_from([5, 6, 7]).flatmap(lambda k: st.lists(st.integers(0, 51), min_size=k, max_size=k, unique=True))


@pytest.mark.parametrize(
    ("hand", "five"),
    [
        ("2cAsKsQsJsTs9s", "AsKsQsJsTs"),
        ("AhKs5c4d3h2sAc", "5c4d3h2sAh"),
        ("As5s4s3s2sKhQd", "5s4s3s2sAs"),
        ("6c5c4d3h2sAcAd", "6c5c4d3h2s"),
        ("6s6c5d5h4c3h2s", "6s5h4c3h2s"),
        ("AcAdAhKcKdKhQs", "AhAdAcKhKd"),
        ("AcAdAhKcKdQhQs", "AhAdAcKdKc"),
        ("2s2c5h5d9c9sTd", "9s9c5h5dTd"),
        ("QcQdJsJcThTd9s", "QdQcJsJcTh"),
        ("7c7d7h7sAcAdAh", "7s7h7d7cAh"),
        ("7c7d7h7sAcKdKh", "7s7h7d7cAc"),
        ("2c3c4c5c7c8cKs", "8c7c5c4c3c"),
        ("2c3c4c5c7c8cKc", "Kc8c7c5c4c"),
        ("9d9sAcJs4h3c2c", "9s9dAcJs4h"),
        ("7c7h7sKd2sQh", "7s7h7cKdQh"),
        ("7c5d4h3s2c", "7c5d4h3s2c"),
    ],
)
def test_one_hand(hand: str, five: str) -> None:
    expected = parse_cards(five)
    played = best_five(hand)
    assert isinstance(played, tuple)
    assert [type(card) for card in played] == [int] * 5
    assert format_cards(played) == five
    for form in (list(parse_cards(hand)), parse_cards(hand), np.array(parse_cards(hand))):
        assert tuple(best_five(form)) == expected
    many = best_five([hand, hand])
    assert (many.shape, many.dtype) == ((2, 5), np.uint8)
    assert many.tolist() == [list(expected)] * 2


@given(HANDS)
def test_one_hand_plays_the_oracles_five(hand: list[int]) -> None:
    assert best_five(hand) == naive.best_five(hand)
    assert best_five(np.array([hand], np.uint8)).tolist() == [list(naive.best_five(hand))]


@given(HANDS.flatmap(lambda hand: st.tuples(st.just(hand), st.permutations(hand))))
def test_card_order_does_not_matter(orders: tuple[list[int], list[int]]) -> None:
    one, other = orders
    assert best_five(one) == best_five(other)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_arrays_play_the_oracles_five(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 6000, k)
    expected = np.array([naive.best_five(hand) for hand in hands.tolist()])
    played = best_five(hands)
    assert (played.shape, played.dtype) == ((6000, 5), np.uint8)
    np.testing.assert_array_equal(played, expected)
    for dtype in DTYPES:
        for layout in LAYOUTS.values():
            np.testing.assert_array_equal(best_five(layout(hands[:500].astype(dtype))), expected[:500])


def test_every_class_of_five_cards_in_canonical_order(rng: np.random.Generator) -> None:
    first_of_class = np.unique(naive.table(5), return_index=True)[1]
    ordered = np.array([naive.in_order(naive.hands_at(5, int(index), 1)[0].tolist()) for index in first_of_class])
    np.testing.assert_array_equal(best_five(rng.permuted(ordered, axis=1).astype(np.uint8)), ordered)
    np.testing.assert_array_equal(ordered // 4, pokernel.ranks_of(np.arange(1, 7463, dtype=np.uint16)))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_the_five_are_cards_of_the_hand_and_as_strong(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 200_000, k)
    played = best_five(hands)
    strengths = naive.strengths(hands)
    assert (played[:, :, None] == hands[:, None, :]).any(2).all()
    np.testing.assert_array_equal(naive.strengths(played), strengths)
    np.testing.assert_array_equal(played // 4, pokernel.ranks_of(strengths))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (1,), (2, 3), (2, 3, 4)])
def test_shapes(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    hands = deal(rng, int(np.prod(shape)), 7)
    played = best_five(hands.reshape(*shape, 7))
    assert (played.shape, played.dtype) == ((*shape, 5), np.uint8)
    np.testing.assert_array_equal(naive.strengths(played.reshape(-1, 5)), naive.strengths(hands))


def test_boards_broadcast(rng: np.random.Generator) -> None:
    assert format_cards(best_five("AsKs", "QsJsTs2c3d")) == "AsKsQsJsTs"
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (300, 1)), axis=1)
    boards, holes = decks[:, None, :5], decks[:, 5:11].reshape(300, 3, 2)
    hands = np.concatenate([holes, np.broadcast_to(boards, (300, 3, 5))], axis=2)
    played = best_five(holes, boards)
    assert played.shape == (300, 3, 5)
    np.testing.assert_array_equal(played, best_five(hands))
    assert (evaluate(played) == evaluate(holes, boards)).all()


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        ("AsKsQsJsAs", pokernel.DuplicateCardError, "As"),
        ((51, 47, 43, 39, 52), pokernel.CardError, "52"),
        ((51, 47, 43, 39), pokernel.HandSizeError, "4"),
        (np.zeros((3, 8), np.uint8), pokernel.HandSizeError, "8"),
        (np.array([[51, 47, 43, 39, 35]] * 4 + [[51, 47, 43, 39, 300]]), pokernel.CardError, "row 4"),
        (np.array([[51, 47, 43, 39, 35]] * 2 + [[51, 47, 43, 39, 51]]), pokernel.DuplicateCardError, "row 2"),
        (np.zeros((3, 7)), TypeError, "float64"),
        (None, TypeError, "None"),
    ],
    ids=repr,
)
def test_bad_input(wrong: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        best_five(wrong)
