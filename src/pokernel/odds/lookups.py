"""What kernels look up by rank: keys, sets of ranks to come, masks of cards."""

import functools
import math
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..tables import load

__all__ = [
    "LARGEST",
    "PIECE",
    "board_mask",
    "draws",
    "hash_tables",
    "rank_keys",
    "rank_sets",
    "ranks_sum",
    "seven_card_tables",
    "suits_left",
    "ways_of_rank_sets",
]

LARGEST: Final = 2**53
"""Below it floats hold every integer."""
PIECE: Final = 1e7
"""Nanoseconds that a piece of work should take."""


WAYS: Final = np.array([[math.comb(n, m) for m in range(8)] for n in range(5)])
"""Ways to choose m of n suits."""


@functools.cache
def rank_keys() -> NDArray[np.uint32]:
    """``(13,)``: what a rank adds to the sum that finds a strength."""
    keys: NDArray[np.uint32] = (load("card_keys")[:52:4] >> np.uint64(32)).astype(np.uint32)
    return keys


@functools.cache
def _rank_keys() -> list[int]:
    keys: list[int] = rank_keys().tolist()
    return keys


@functools.cache
def rank_sets(size: int) -> NDArray[np.uint8]:
    """``(n, size)``: all multisets of ranks with no rank more than four times, ascending."""
    sets = [ranks for ranks in combinations_with_replacement(range(13), size) if size < 5 or ranks[0] != ranks[4]]
    return np.array(sets, np.uint8).reshape(len(sets), size)


@functools.cache
def draws(size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """The rank sets as codes ``8 * rank + count`` of their different ranks (0 for none), and sums of their keys."""
    sets = rank_sets(size)
    codes = np.zeros((len(sets), max(size, 1)), np.uint8)
    for row, ranks in enumerate(sets.tolist()):
        different = sorted(set(ranks))
        codes[row, : len(different)] = [8 * rank + ranks.count(rank) for rank in different]
    return codes, rank_keys()[sets].sum(axis=1, dtype=np.uint32)


def ways_of_rank_sets(available: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How many boards have the ranks of each row of `rank_sets`, of the suits that are left of each rank."""
    ways = WAYS[np.bitwise_count(available)].ravel()
    codes, _ = draws(size)  # the code 0 stands for none of a rank
    counted: NDArray[np.int64] = ways[codes].prod(axis=1, dtype=np.int64)
    return counted


def board_mask(cards: tuple[int, ...]) -> np.int64:
    """16 bits a suit, a bit a rank."""
    return np.int64(sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards))


def ranks_sum(cards: tuple[int, ...]) -> np.uint32:
    """The sum of the ranks' keys."""
    return np.uint32(sum(_rank_keys()[card >> 2] for card in cards) & 0xFFFFFFFF)


def suits_left(gone: tuple[int, ...]) -> NDArray[np.int64]:
    """``(13,)``: the suits of each rank that are still in the deck, a bit each."""
    left = [15] * 13
    for card in gone:
        left[card >> 2] &= ~(1 << (card & 3))
    return np.array(left, np.int64)


def hash_tables() -> tuple[np.uint32, NDArray[np.uint16], NDArray[np.uint16]]:
    """Shift, displacements and strengths for seven cards."""
    displacements = load("displacements7")
    return np.uint32(32 - (len(displacements).bit_length() - 1)), displacements, load("strengths7")


@functools.cache
def seven_card_tables() -> tuple[object, ...]:
    """What the kernel of match-ups looks up."""
    return rank_keys(), *hash_tables(), load("flush"), load("categories")
