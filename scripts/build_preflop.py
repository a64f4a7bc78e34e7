"""The second stage of ``build_tables.py``: heads-up match-ups before the flop. ``scripts/README.md`` has the maths.

It needs the first stage's tables, and nothing of pokernel. Run by itself it is ``build_tables.py``, options and all:
one manifest lists the tables of both.
"""

from __future__ import annotations

import itertools
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import numpy as np
from numba import int16, njit, uint32
from numpy.typing import NDArray

Array = NDArray[Any]
AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

BOARDS = math.comb(48, 5)
"""Boards that a match-up of two hands leaves."""
BATCH = 512
"""Boards compared at once: their strengths stay in a processor's second cache, their counts below 2**15."""
PIECE = 16 * BATCH
DEAD = 32767
"""In place of the strength of two cards of which one is on the board: no hand beats or ties it."""

CARDS = np.array([(high, low) for high in range(52) for low in range(high)])
"""The 1,326 combos, numbered as in ``pokernel.combos``: two cards, the higher first."""
WORDS = np.bitwise_or.reduce(np.int64(1) << (16 * (CARDS & 3) + (CARDS >> 2)), axis=1)
"""The cards of each combo as bits: 16 a suit, one a rank."""
RANK_PAIRS = [(high, low) for high in range(13) for low in range(high + 1)]
PAIR_OF = np.array([RANK_PAIRS.index((high >> 2, low >> 2)) for high, low in CARDS.tolist()])
SUIT_NAMES = np.array(list(itertools.permutations(range(4))))
RENAMED = np.sort(4 * (CARDS >> 2) + SUIT_NAMES[:, CARDS & 3], axis=2)
RENAMINGS = (RENAMED[:, :, 1] * (RENAMED[:, :, 1] - 1) // 2 + RENAMED[:, :, 0]).astype(np.int32)
"""``(24, 1326)``: the combo that each combo becomes when suits exchange their names."""


def compiled(function: AnyFunction) -> AnyFunction:
    """``njit(nogil=True)`` that keeps the function's type."""
    return cast(AnyFunction, njit(nogil=True)(function))


def boards_by_multiplicity() -> dict[int, NDArray[np.int64]]:
    """One board, as bits, of each class that is one up to the names of suits, by the number of boards in the class.

    A class is a multiset of four rank sets, one a suit. It has as many boards as its sets have different orders.
    """
    masks = [[sum(1 << rank for rank in ranks) for ranks in itertools.combinations(range(13), n)] for n in range(6)]
    found: dict[int, list[int]] = {}
    for sizes in itertools.combinations_with_replacement(range(6), 4):
        if sum(sizes) == 5:
            times = Counter(sizes)
            suits = [itertools.combinations_with_replacement(masks[size], times[size]) for size in times]
            for groups in itertools.product(*suits):
                four = list(itertools.chain(*groups))
                orders = 24 // math.prod(math.factorial(equal) for equal in Counter(four).values())
                found.setdefault(orders, []).append(sum(mask << 16 * suit for suit, mask in enumerate(four)))
    assert sum(map(len, found.values())) == 134_459
    assert sum(orders * len(boards) for orders, boards in found.items()) == math.comb(52, 5)
    return {orders: np.array(boards, np.int64) for orders, boards in found.items()}


def match_ups() -> tuple[Array, Array, Array]:
    """All ordered pairs of combos that are to be counted, by their first: first, second, number of the match-up.

    A pair's key is the least ``1326 * first + second`` over the 24 names of its suits; the pair is counted if exchanged
    it has no lesser key. Then its key is its match-up's, and match-ups are numbered in the order of their keys.
    """
    key = np.full((1326, 1326), 1326**2, np.int32)
    for renaming in RENAMINGS:
        np.minimum(key, 1326 * renaming[:, np.newaxis] + renaming, out=key)
    disjoint = (WORDS[:, np.newaxis] & WORDS) == 0
    assert disjoint.sum() * BOARDS == 2_781_381_002_400
    first, second = np.nonzero(disjoint & (key <= key.T))
    keys, match_up = np.unique(key[first, second], return_inverse=True)
    assert len(keys) == 47_008
    return first, second, match_up


@compiled
def fill(
    out: Array,
    boards: Array,
    sums: Array,
    sizes: Array,
    pairs: Array,
    pair_of: Array,
    words: Array,
    displacements: Array,
    strengths: Array,
    flush: Array,
) -> None:
    """Strengths of all combos, rows, on up to BATCH boards, columns; what is dead, or no board, is DEAD."""
    unsuited = np.empty(len(pairs), np.int16)
    out[:] = DEAD
    for column in range(len(boards)):
        board = boards[column]
        total = uint32(0)
        for suit in range(4):
            total += sums[(board >> (16 * suit)) & 0x1FFF]
        for pair in range(len(pairs)):
            x = uint32(total + pairs[pair])
            unsuited[pair] = strengths[(x + displacements[x >> uint32(19)]) & uint32(0xFFFF)]
        for combo in range(len(words)):
            if not board & words[combo]:
                out[combo, column] = unsuited[pair_of[combo]]
        for suit in range(4):
            held = (board >> (16 * suit)) & 0x1FFF
            if sizes[held] >= 3:
                for combo in range(len(words)):
                    if not board & words[combo]:
                        suited = flush[held | ((words[combo] >> (16 * suit)) & 0x1FFF)]
                        if suited:
                            out[combo, column] = suited


@compiled
def compare(
    strengths: Array, starts: Array, second: Array, match_up: Array, weight: int, wins: Array, ties: Array
) -> None:
    """Add up how often each pair's first combo beats, and ties, its second; pairs begin by first combo at `starts`."""
    row = np.empty(BATCH, np.int16)
    for first in range(len(starts) - 1):
        for column in range(BATCH):
            row[column] = strengths[first, column] if strengths[first, column] != DEAD else 0
        for pair in range(starts[first], starts[first + 1]):
            other = strengths[second[pair]]
            won, tied = int16(0), int16(0)  # narrow, so that a vector holds many
            for column in range(BATCH):
                won = int16(won + int16(row[column] > other[column]))
                tied = int16(tied + int16(row[column] == other[column]))
            wins[match_up[pair]] += weight * won
            ties[match_up[pair]] += weight * tied


def count(tables: Mapping[str, Array], first: Array, second: Array, match_up: Array) -> Array:
    """Wins and ties of every match-up, ``(2, 47008)``, summed over all its pairs and weighted boards."""
    keys = (tables["card_keys"][:52:4] >> np.uint64(32)).astype(np.uint32)
    bits = np.arange(8192)[:, np.newaxis] >> np.arange(13) & 1
    lookup: tuple[Array, ...] = (
        (bits * keys).sum(axis=1, dtype=np.uint32),
        bits.sum(axis=1),
        keys[np.array(RANK_PAIRS)].sum(axis=1, dtype=np.uint32),
        *(PAIR_OF, WORDS),
        *(tables[name] for name in ("displacements7", "strengths7", "flush")),
    )

    starts = np.searchsorted(first, np.arange(1327))
    shape = 2, int(match_up.max()) + 1

    def piece(weight: int, boards: Array) -> Array:
        strengths, found = np.empty((1326, BATCH), np.int16), np.zeros(shape, np.int64)
        for at in range(0, len(boards), BATCH):
            fill(strengths, boards[at : at + BATCH], *lookup)
            compare(strengths, starts, second, match_up, weight, found[0], found[1])
        return found

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pieces = [
            pool.submit(piece, weight, boards[at : at + PIECE])
            for weight, boards in boards_by_multiplicity().items()
            for at in range(0, len(boards), PIECE)
        ]
        return sum((each.result() for each in pieces), np.zeros(shape, np.int64))


def prove(results: Array) -> None:
    """Compare wins, losses and ties, ``(3, 1326, 1326)``, with published ones."""
    spades, queens = ((np.array(hand) == CARDS).all(axis=1).argmax() for hand in ((51, 47), (42, 41)))  # AsKs, QhQd
    assert results[:, spades, queens].tolist() == [787_966, 917_606, 6_732]
    aces, kings = (np.flatnonzero((np.array(rank) == CARDS >> 2).all(axis=1)) for rank in (12, 11))
    assert results[:, aces][:, :, kings].sum(axis=(1, 2)).tolist() == [50_371_344, 10_986_372, 285_228]


def order(results: Array) -> Array:
    """The 169 classes, numbered as in ``pokernel.combos``, from best to worst against a random hand."""
    (high, low), suited = (CARDS >> 2).T, CARDS[:, 0] & 3 == CARDS[:, 1] & 3
    classes = np.where(suited, 13 * high + low, 13 * low + high)
    shares = (2 * results[0] + results[2]).sum(axis=1)  # in half boards
    share = np.zeros(169, np.int64)
    share[classes] = shares
    assert (share[classes] == shares).all()
    assert len(np.unique(share)) == 169
    return np.argsort(-share)


def build(tables: Mapping[str, Array]) -> dict[str, Array]:
    """The tables of match-ups, from those of the first stage."""
    first, second, match_up = match_ups()
    sums, pairs = count(tables, first, second, match_up), np.bincount(match_up)
    assert not (sums % pairs).any()
    wins, ties = sums // pairs
    losses = BOARDS - wins - ties
    assert losses.min() >= 0

    counted = np.zeros((1326, 1326), bool)
    counted[first, second] = True
    mirrored = match_up[counted[second, first]]  # who is who depends on the names of suits: each is counted as first
    assert (wins[mirrored] == losses[mirrored]).all()

    results = np.zeros((3, 1326, 1326), np.int64)
    results[:, second, first] = losses[match_up], wins[match_up], ties[match_up]
    results[:, first, second] = wins[match_up], losses[match_up], ties[match_up]
    prove(results)
    return {
        "preflop_wins": wins.astype(np.uint32),
        "preflop_ties": ties.astype(np.uint32),
        "preflop_order": order(results).astype(np.uint8),
    }


if __name__ == "__main__":
    from build_tables import main

    sys.exit(main())
