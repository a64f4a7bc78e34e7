"""The oracle itself: its plain and its array half agree, and both know the published counts."""

from collections import Counter
from itertools import combinations_with_replacement, product

import naive
import numpy as np
import pytest
from layouts import deal

FIVE_CARD_COUNTS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]


def cards(text: str) -> list[int]:
    return [4 * "23456789TJQKA".index(text[i]) + "cdhs".index(text[i + 1]) for i in range(0, len(text), 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AsKsQsJsTs", (naive.ROYAL_FLUSH, ())),
        ("5h4h3h2hAh", (naive.STRAIGHT_FLUSH, (3,))),
        ("KsQsJsTs9s", (naive.STRAIGHT_FLUSH, (11,))),
        ("KcKdKsKh9h", (naive.QUADS, (11, 7))),
        ("JcJdJs3h3c", (naive.FULL_HOUSE, (9, 1))),
        ("As9s7s3s2s", (naive.FLUSH, (12, 7, 5, 1, 0))),
        ("AsKhQsJsTs", (naive.STRAIGHT, (12,))),
        ("5d4h3s2dAd", (naive.STRAIGHT, (3,))),
        ("6d5h4s3d2d", (naive.STRAIGHT, (4,))),
        ("QsKdAc2h3s", (naive.HIGH_CARD, (12, 11, 10, 1, 0))),
        ("7c7h7sKd2s", (naive.TRIPS, (5, 11, 0))),
        ("AcAd8h8sQs", (naive.TWO_PAIR, (12, 6, 10))),
        ("9d9sAcJs4h", (naive.ONE_PAIR, (7, 12, 9, 2))),
        ("AdTd9s5c4c", (naive.HIGH_CARD, (12, 8, 7, 3, 2))),
    ],
)
def test_keys_of_known_hands(text: str, expected: naive.Key) -> None:
    assert naive.key(cards(text)) == expected


def test_numbering_is_dense_over_7462_classes() -> None:
    numbering = naive.numbering()
    assert sorted(numbering.values()) == list(range(1, 7463))
    assert naive.strength(cards("7c5d4h3s2c")) == 1
    assert naive.strength(cards("AsKsQsJsTs")) == 7462
    assert Counter(category for category, _ in numbering)[naive.ONE_PAIR] == 2860


def test_array_half_has_the_published_five_card_counts() -> None:
    counts = np.zeros(10, np.int64)
    for first, count in naive.all_hands(5, 1 << 17):
        counts += np.bincount(naive.codes(naive.hands_at(5, first, count)) // 13**5, minlength=10)
    assert counts.tolist() == FIVE_CARD_COUNTS
    assert naive.table(5).min() == 1
    assert naive.table(5).max() == 7462


def test_halves_agree_on_every_class_in_every_two_suits() -> None:
    hands = []
    for ranks in combinations_with_replacement(range(13), 5):
        if len(set(ranks)) == 5:
            hands += [[4 * rank + suit for rank in ranks] for suit in range(4)]
            hands += [
                [4 * ranks[0] + odd] + [4 * rank + suit for rank in ranks[1:]]
                for odd, suit in product(range(4), range(4))
                if odd != suit
            ]
        elif max(Counter(ranks).values()) <= 4:
            hands.append(naive.offsuit(ranks))
    expected = [naive.strength(hand) for hand in hands]
    assert len(set(expected)) == 7462
    np.testing.assert_array_equal(naive.strengths(np.array(hands, np.uint8)), expected)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_halves_agree_on_random_hands(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 5000, k)
    np.testing.assert_array_equal(naive.strengths(hands), [naive.strength(hand) for hand in hands.tolist()])


@pytest.mark.parametrize("k", [5, 6, 7])
def test_colex_order_is_complete_and_blocks_join(k: int) -> None:
    total = naive.BINOMIAL[52, k]
    rows = naive.hands_at(k, total - 1000, 1000).astype(np.int64)
    assert rows[-1].tolist() == list(range(52 - k, 52))
    np.testing.assert_array_equal(naive.BINOMIAL[rows, np.arange(1, k + 1)].sum(1), np.arange(total - 1000, total))
    np.testing.assert_array_equal(rows[500:], naive.hands_at(k, total - 500, 500))
    assert naive.hands_at(k, 0, 1).tolist() == [list(range(k))]


@pytest.mark.parametrize(
    ("hand", "five"),
    [
        ("AsKs5c4d3h2sAc", "5c4d3h2sAs"),
        ("6c5c4d3h2sAcAd", "6c5c4d3h2s"),
        ("AcAdAhKcKdKhQs", "AhAdAcKhKd"),
        ("2s2c5h5d9c9sTd", "9s9c5h5dTd"),
        ("QcQdJsJcThTd9s", "QdQcJsJcTh"),
        ("7c7d7h7sAcAdAh", "7s7h7d7cAh"),
        ("2c3c4c5c7c8cKs", "8c7c5c4c3c"),
    ],
)
def test_best_five(hand: str, five: str) -> None:
    assert naive.best_five(cards(hand)) == tuple(cards(five))
