"""Every hand there is, of five, six and seven cards, against the oracle's best five."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import naive
import numpy as np
import pytest
from layouts import DTYPES, LAYOUTS, deal
from numpy.typing import NDArray

import pokernel
from pokernel.jit import strength5, strength6, strength7

COUNTS = {
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324],
}
DISTINCT = {5: 7462, 6: 6075, 7: 4824}


@naive.compiled
def each5(hands: NDArray[Any], out: NDArray[np.uint16]) -> None:
    for i in range(len(hands)):
        out[i] = strength5(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4])


@naive.compiled
def each6(hands: NDArray[Any], out: NDArray[np.uint16]) -> None:
    for i in range(len(hands)):
        out[i] = strength6(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4], hands[i, 5])


@naive.compiled
def each7(hands: NDArray[Any], out: NDArray[np.uint16]) -> None:
    for i in range(len(hands)):
        out[i] = strength7(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4], hands[i, 5], hands[i, 6])


EACH: dict[int, Callable[[NDArray[Any], NDArray[np.uint16]], None]] = {5: each5, 6: each6, 7: each7}


def one_by_one(hands: NDArray[Any]) -> NDArray[np.uint16]:
    """The scalar kernel of the low door on every row."""
    out = np.zeros(len(hands), np.uint16)
    EACH[hands.shape[1]](hands, out)
    return out


def expected_block(k: int, first: int, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    return naive.table(k)[first : first + len(hands)] if k < 7 else naive.best_of(hands)


@cache
def histogram(k: int) -> NDArray[np.int64]:
    """Check every k-card hand, scalar and bulk, and count the strengths."""
    naive.table(min(k, 6))

    def check(block: tuple[int, int]) -> NDArray[np.int64]:
        first, count = block
        hands = naive.hands_at(k, first, count)
        expected = expected_block(k, first, hands)
        shuffled = hands[:, np.random.default_rng(first).permutation(k)]
        np.testing.assert_array_equal(one_by_one(hands), expected, f"scalar, colex hands from {first}")
        np.testing.assert_array_equal(
            pokernel.evaluate(hands, threads=1), expected, f"validated, colex hands from {first}"
        )
        np.testing.assert_array_equal(
            pokernel.evaluate(np.ascontiguousarray(shuffled), validate=False, threads=1),
            expected,
            f"shuffled and not validated, colex hands from {first}",
        )
        return np.bincount(expected, minlength=7463)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts: NDArray[np.int64] = np.sum(list(pool.map(check, naive.all_hands(k, 1 << 20))), axis=0)
    return counts


EVERY_SIZE = pytest.mark.parametrize("k", [5, 6, pytest.param(7, marks=pytest.mark.slow)])


@EVERY_SIZE
def test_every_hand_equals_the_best_of_its_five_card_hands(k: int) -> None:
    counts = histogram(k)
    assert counts.sum() == comb(52, k)
    assert np.count_nonzero(counts) == DISTINCT[k]


@pytest.mark.parametrize("k", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_category_counts_are_the_published_ones(k: int) -> None:
    categories = pokernel.category(np.arange(1, 7463, dtype=np.uint16))
    assert np.bincount(categories, weights=histogram(k)[1:], minlength=10).tolist() == COUNTS[k]


@EVERY_SIZE
def test_enumerate_strengths_counts_the_same_hands(k: int) -> None:
    np.testing.assert_array_equal(pokernel.enumerate_strengths(cards=k), histogram(k))


def test_five_card_order_is_isomorphic_to_the_plain_oracle() -> None:
    """Same order and same ties: sorted by the rules' keys, the package's strengths rise by one from class to class."""
    first_of_class = np.unique(naive.table(5), return_index=True)[1]
    hands = np.concatenate([naive.hands_at(5, int(index), 1) for index in first_of_class])
    by_rules = sorted((naive.key(hand), pokernel.evaluate(hand)) for hand in hands.tolist())
    assert len({key for key, _ in by_rules}) == 7462
    assert [strength for _, strength in by_rules] == list(range(1, 7463))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_bulk_equals_scalar_in_every_layout_and_dtype(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 400_000, k)
    expected = one_by_one(hands)
    np.testing.assert_array_equal(expected, naive.strengths(hands))
    for dtype in DTYPES:
        for name, layout in LAYOUTS.items():
            laid_out = layout(hands.astype(dtype))
            for validate in (True, False):
                np.testing.assert_array_equal(
                    pokernel.evaluate(laid_out, validate=validate), expected, f"{dtype}, {name}, validate={validate}"
                )


@pytest.mark.parametrize("k", [5, 6, 7])
def test_bulk_equals_scalar_on_millions_of_shuffled_hands(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 8_000_000, k)
    expected = one_by_one(hands)
    np.testing.assert_array_equal(pokernel.evaluate(hands), expected)
    np.testing.assert_array_equal(pokernel.evaluate(np.asfortranarray(hands), threads=1), expected)


def completions(known: list[int], dead: list[int], k: int) -> NDArray[np.int64]:
    """Counts by strength from every completion, one by one through the oracle."""
    left = [card for card in range(52) if card not in known and card not in dead]
    drawn = np.array(list(combinations(left, k - len(known))), np.uint8).reshape(comb(len(left), k - len(known)), -1)
    hands = np.concatenate([np.tile(np.array(known, np.uint8), (len(drawn), 1)), drawn], axis=1)
    return np.bincount(naive.strengths(hands), minlength=7463)


SUITED = [48, 44, 40, 8, 4, 0]


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("to_come", [0, 1, 2, 3])
@pytest.mark.parametrize("gone", [0, 1, 7, 30])
def test_completions_of_known_cards(k: int, to_come: int, gone: int, rng: np.random.Generator) -> None:
    held = k - to_come
    known_hands = [rng.permutation(52)[:held].tolist() for _ in range(3)]
    if held <= len(SUITED):
        known_hands.append(SUITED[:held])
    for known in known_hands:
        dead = [int(card) for card in rng.permutation(52) if card not in known][:gone]
        expected = completions(known, dead, k)
        counts = pokernel.enumerate_strengths(known, dead, k)
        assert counts.shape == (7463,)
        assert counts.dtype == np.int64
        np.testing.assert_array_equal(counts, expected, f"{known=}, {dead=}")
        as_texts = pokernel.enumerate_strengths(pokernel.format_cards(known), pokernel.format_cards(dead), k)
        np.testing.assert_array_equal(as_texts, expected)


@pytest.mark.parametrize("dead", [list(range(0, 52, 2)), list(range(28)), [card for card in range(52) if card % 4]])
def test_short_decks(dead: list[int]) -> None:
    for k in (5, 6, 7):
        np.testing.assert_array_equal(pokernel.enumerate_strengths("", dead, k), completions([], dead, k))


@pytest.mark.parametrize(
    ("known", "dead", "cards", "kind"),
    [
        ("AsAs", "", 7, pokernel.DuplicateCardError),
        ("AsKs", "As", 7, pokernel.DuplicateCardError),
        ("", "2c2c", 7, pokernel.DuplicateCardError),
        ("AsKx", "", 7, pokernel.CardError),
        ([51, 52], "", 7, pokernel.CardError),
        ([51, -1], "", 7, pokernel.CardError),
        ("", [300], 7, pokernel.CardError),
        ("AsKsQsJsTs9s", "", 5, pokernel.HandSizeError),
        ("", "", 4, pokernel.HandSizeError),
        ("", "", 8, pokernel.HandSizeError),
        ("", list(range(46)), 7, pokernel.HandSizeError),
        ([51.0], "", 7, TypeError),
        (None, "", 7, TypeError),
        (["AsKs", "QsJs"], "", 7, (TypeError, pokernel.PokernelError)),
    ],
    ids=repr,
)
def test_what_cannot_be_enumerated(known: Any, dead: Any, cards: int, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        pokernel.enumerate_strengths(known, dead, cards)
