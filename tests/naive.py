"""The rules of poker once more, from ``shared/seeds/README.md`` alone: an oracle that shares nothing with pokernel.

Plain Python comes first: a hand is a sequence of cards ``4 * rank + suit``, its key a tuple that compares as hands do.
The second half answers the same questions for arrays, again by its own means: it sorts rank multiplicities and indexes
hands by their place in colexicographic order. No primes, no bit masks, no perfect hash.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Key = tuple[int, tuple[int, ...]]
Strengths = NDArray[np.uint16]
AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

HIGH_CARD, ONE_PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
BY_SHAPE = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): ONE_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): TRIPS,
    (3, 2): FULL_HOUSE,
    (4, 1): QUADS,
}
ACE, FIVE = 12, 3
WHEEL = (ACE, 3, 2, 1, 0)


def compiled(function: AnyFunction) -> AnyFunction:
    """``njit(nogil=True)`` that keeps the function's type."""
    return cast(AnyFunction, njit(nogil=True)(function))


# ---- one hand, plain Python --------------------------------------------------------------------------------------


def key(five: Sequence[int]) -> Key:
    """Category and tie-breaking ranks of five cards; the stronger hand has the greater key, equal keys split."""
    times = Counter(card // 4 for card in five)
    ranks = tuple(sorted(times, key=lambda rank: (times[rank], rank), reverse=True))
    category = BY_SHAPE[tuple(sorted(times.values(), reverse=True))]
    suited = len({card % 4 for card in five}) == 1
    if category == HIGH_CARD and (ranks == WHEEL or ranks[0] - ranks[4] == 4):
        top = FIVE if ranks == WHEEL else ranks[0]
        if suited and top == ACE:
            return ROYAL_FLUSH, ()
        return (STRAIGHT_FLUSH if suited else STRAIGHT), (top,)
    return (FLUSH if suited else category), ranks


def best_key(cards: Sequence[int]) -> Key:
    """The key of the best five of any number of cards."""
    return max(key(five) for five in combinations(cards, 5))


def in_order(five: Sequence[int]) -> tuple[int, ...]:
    """The cards that make the hand first, then the rest, descending; equal ranks by suit; the wheel's ace last."""
    times = Counter(card // 4 for card in five)
    wheel = {card // 4 for card in five} == set(WHEEL)
    return tuple(
        sorted(
            five,
            key=lambda card: (times[card // 4], -1 if wheel and card // 4 == ACE else card // 4, card % 4),
            reverse=True,
        )
    )


def best_five(cards: Sequence[int]) -> tuple[int, ...]:
    """The five cards that play; where equal hands could, the one of the higher suits."""
    return max((in_order(five) for five in combinations(cards, 5)), key=lambda five: (key(five), five))


@cache
def numbering() -> dict[Key, int]:
    """The strength 1 … 7462 of every key, one hand of each class being built for it."""
    keys = set()
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) <= 4:
            keys.add(key(offsuit(ranks)))
        if len(set(ranks)) == 5:
            keys.add(key([4 * rank for rank in ranks]))
    return {key: strength for strength, key in enumerate(sorted(keys), 1)}


def offsuit(ranks: Sequence[int]) -> list[int]:
    """Five cards of these ranks, repeated ranks together, in more than one suit."""
    suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not any(suits):
        suits[0] = 1
    return [4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)]


def strength(cards: Sequence[int]) -> int:
    """The strength of 5, 6 or 7 cards."""
    return numbering()[best_key(cards)]


# ---- arrays: every hand by its colexicographic index ---------------------------------------------------------------

BINOMIAL = np.array([[comb(n, k) for k in range(8)] for n in range(53)], np.int64)
SQUARES_TO_CATEGORY = np.zeros(18, np.int32)
for _shape, _category in BY_SHAPE.items():
    SQUARES_TO_CATEGORY[sum(times * times for times in _shape)] = _category


def codes(five: NDArray[np.uint8]) -> NDArray[np.int32]:
    """``(n, 5)`` cards to ``(n,)`` numbers that compare as the hands do; ``code // 13**5`` is the category."""
    ranks = five >> 2
    times = (ranks[:, :, None] == ranks[:, None, :]).sum(2, dtype=np.uint8)
    ranks = np.sort(16 * times + ranks, axis=1)[:, ::-1] & 15
    category = SQUARES_TO_CATEGORY[times.sum(1)]
    wheel = (ranks == WHEEL).all(1)
    straight = (category == HIGH_CARD) & (wheel | (ranks[:, 0] - ranks[:, 4] == 4))
    suited = (five & 3 == five[:, :1] & 3).all(1)
    category[straight] = STRAIGHT
    category[suited] = FLUSH
    category[suited & straight] = STRAIGHT_FLUSH
    category[suited & straight & (ranks[:, 1] == ACE - 1)] = ROYAL_FLUSH
    ranks[wheel] = (3, 2, 1, 0, 0)
    code: NDArray[np.int32] = category
    for column in ranks.T:
        code = code * 13 + column
    return code


@compiled
def fill(hands: NDArray[np.uint8], first: int) -> None:
    """Write the hands of colexicographic index ``first``, ``first + 1``, … into the rows, each ascending."""
    n, k = hands.shape
    cards = np.full(k + 1, 52)
    for place in range(k, 0, -1):
        card = place - 1
        while BINOMIAL[card + 1, place] <= first:
            card += 1
        cards[place - 1] = card
        first -= BINOMIAL[card, place]
    for row in range(n):
        for place in range(k):
            hands[row, place] = cards[place]
        place = 0
        while place < k and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        cards[place] += 1


@compiled
def best_of_one_less(hands: NDArray[np.uint8], one_less: Strengths, best: Strengths) -> None:
    """The strongest of the k hands of k - 1 cards in each ascending row, whose strengths lie in ``one_less``."""
    n, k = hands.shape
    for row in range(n):
        below, above = 0, 0
        for place in range(1, k):
            above += BINOMIAL[hands[row, place], place]
        strongest = one_less[above]
        for left_out in range(1, k):
            below += BINOMIAL[hands[row, left_out - 1], left_out]
            above -= BINOMIAL[hands[row, left_out], left_out]
            strongest = max(strongest, one_less[below + above])
        best[row] = strongest


def all_hands(k: int, block: int = 1 << 21) -> Iterator[tuple[int, int]]:
    """Cover all C(52, k) hands by blocks of colexicographic indices, ``(first, count)`` each."""
    total = comb(52, k)
    return ((first, min(block, total - first)) for first in range(0, total, block))


def hands_at(k: int, first: int, count: int) -> NDArray[np.uint8]:
    """``(count, k)``: consecutive hands in colexicographic order."""
    hands = np.empty((count, k), np.uint8)
    fill(hands, first)
    return hands


def best_of(hands: NDArray[np.uint8]) -> Strengths:
    """``(n, k)`` ascending rows to strengths."""
    best = np.empty(len(hands), np.uint16)
    best_of_one_less(hands, table(hands.shape[1] - 1), best)
    return best


@cache
def table(k: int) -> Strengths:
    """The strengths of all hands of five or six cards, by colexicographic index."""
    if k == 5:
        blocks = [codes(hands_at(5, first, count)) for first, count in all_hands(5, 1 << 17)]
        return (np.unique(np.concatenate(blocks), return_inverse=True)[1] + 1).astype(np.uint16)
    return np.concatenate([best_of(hands_at(k, first, count)) for first, count in all_hands(k)])


def strengths(hands: NDArray[np.uint8]) -> Strengths:
    """``(n, k)`` distinct cards in any order to ``(n,)`` strengths."""
    ascending = np.sort(hands, axis=1)
    if hands.shape[1] == 5:
        index: NDArray[np.int64] = BINOMIAL[ascending, np.arange(1, 6)].sum(1)
        return table(5)[index]
    return best_of(ascending)
