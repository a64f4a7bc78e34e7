"""Every deal counted: known hands on all boards at once, or two ranges swept over one board after the other.

A *count* of a spot is cut into numbered pieces, each of some hundredths of a second; ``run(piece)`` gives a vector: deals
by the set of winners (a bit a player), then, if wanted, by player the categories of all hands and of those that won.
"""

import functools
import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS
from ..tables import load
from .spot import Spot
from .suits import EXCHANGES, exchanges_of, images

__all__ = ["MatchUps", "Sweep", "rank_keys"]

LARGEST: Final = 2**53
"""Below it floats hold every integer."""
PIECE: Final = 2e7
"""Nanoseconds that a piece should take."""
DEAL_COST: Final = (150, 1_500, 9_000, 40_000, 150_000, 500_000)
"""Nanoseconds for one deal of known hands, by cards to come, about."""
BOARD_COST: Final = 3_000
"""Nanoseconds for two wide ranges on one board, about."""
FULL_HOUSE: Final = 6

Vector = NDArray[np.float64]


@functools.cache
def rank_keys() -> NDArray[np.uint32]:
    """``(13,)``: what a rank adds to the sum that finds a strength."""
    keys: NDArray[np.uint32] = (load("card_keys")[:52:4] >> np.uint64(32)).astype(np.uint32)
    return keys


@functools.cache
def rank_sets(size: int) -> NDArray[np.uint8]:
    """``(n, size)``: all multisets of ranks with no rank more than four times, ascending."""
    from itertools import combinations_with_replacement

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


def board_mask(cards: tuple[int, ...]) -> np.int64:
    """16 bits a suit, a bit a rank."""
    return np.int64(sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards))


def ranks_sum(cards: tuple[int, ...]) -> np.uint32:
    """The sum of the ranks' keys."""
    return np.uint32(sum(int(rank_keys()[card >> 2]) for card in cards) & 0xFFFFFFFF)


def suits_left(gone: tuple[int, ...]) -> NDArray[np.int64]:
    """``(13,)``: the suits of each rank that are still in the deck, a bit each."""
    left = np.full(13, 15, np.int64)
    for card in gone:
        left[card >> 2] &= ~(1 << (card & 3))
    return left


def hash_tables() -> tuple[np.uint32, NDArray[np.uint16], NDArray[np.uint16]]:
    """Shift, displacements and strengths for seven cards."""
    displacements = load("displacements7")
    return np.uint32(32 - (len(displacements).bit_length() - 1)), displacements, load("strengths7")


class MatchUps:
    """All boards for every deal of hole cards."""

    def __init__(self, spot: Spot, categories: bool = False) -> None:
        self.players = len(spot.combos)
        self.wants_categories = categories
        self.sizes = np.array([len(combos) for combos in spot.combos])
        self.combos = np.zeros((self.players, self.sizes.max()), np.int64)
        self.weights = np.zeros(self.combos.shape)
        for player, (combos, weights) in enumerate(zip(spot.combos, spot.weights, strict=True)):
            self.combos[player, : len(combos)] = combos
            self.weights[player, : len(combos)] = weights
        self.images = images()[exchanges_of(spot)]
        self.deals = math.prod(self.sizes.tolist())
        self.to_come = spot.to_come
        self.known, self.x = board_mask(spot.board), ranks_sum(spot.board)
        self.available = suits_left((*spot.board, *spot.dead))
        weight = math.prod(weights.max() for weights in spot.weights) * len(self.images) * math.comb(52, spot.to_come)
        self.is_integral = spot.scale > 0 and weight < LARGEST
        most = LARGEST / weight if self.is_integral else math.inf
        self.deals_a_piece = int(max(1, min(PIECE // DEAL_COST[spot.to_come], most)))

    @property
    def cost(self) -> float:
        """Nanoseconds that all of it takes, about."""
        return self.deals * (20 + DEAL_COST[self.to_come] / len(self.images))

    @property
    def pieces(self) -> int:
        """How many there are."""
        return -(-self.deals // self.deals_a_piece)

    def run(self, piece: int) -> Vector:
        """Count one piece."""
        from ..jit.match_ups import match_ups

        tally = np.zeros(1 << self.players)
        by_category = np.zeros((self.players if self.wants_categories else 0, 2, 10))
        first = piece * self.deals_a_piece
        match_ups(
            first,
            min(first + self.deals_a_piece, self.deals),
            *(self.sizes, self.combos, COMBOS, self.weights, self.images),
            *(self.known, self.x, self.available, tuple(map(draws, range(self.to_come + 1)))),
            (rank_keys(), *hash_tables(), load("flush"), load("categories")),
            *(tally, by_category),
        )
        return np.concatenate([tally, by_category.ravel()])


class Sweep:
    """Two ranges on every board."""

    def __init__(self, spot: Spot, categories: bool = False) -> None:
        self.wants_categories = categories
        weights, products = by_rank_pairs(spot)
        used = (weights != 0).any(axis=(0, 2, 3))
        weights = np.ascontiguousarray(weights[:, used])
        sums = [weights.sum(axis=3), weights.sum(axis=2), weights.sum(axis=(2, 3))[..., np.newaxis]]
        self.pairs = PAIRS[used]
        pair_at = np.full((13, 13), -1)
        pair_at[self.pairs[:, 0], self.pairs[:, 1]] = np.arange(len(self.pairs))
        pair_keys = rank_keys()[self.pairs].sum(axis=1, dtype=np.uint32)
        self.ranges = self.pairs, pair_at, pair_keys, weights, np.concatenate(sums, axis=2), products
        self.exchanges = EXCHANGES[exchanges_of(spot)]
        gone = (*spot.board, *spot.dead)
        self.start = board_mask(spot.board), ranks_sum(spot.board), suits_left(gone), rank_keys()
        self.rank_sets = rank_sets(spot.to_come)
        self.boards = math.comb(52 - len(gone), spot.to_come)
        weight = float(spot.weights[0].sum() * spot.weights[1].sum())
        on_one_set = weight * 1024 * len(self.exchanges)  # five ranks come in 4**5 ways, others in fewer
        self.is_integral = spot.scale > 0 and on_one_set < LARGEST
        least = weight * self.boards / LARGEST if self.is_integral else 1
        self.pieces = int(min(len(self.rank_sets), max(1, self.cost // PIECE, 2 * least)))

    @property
    def cost(self) -> float:
        """Nanoseconds that all of it takes, about."""
        return BOARD_COST * self.boards / len(self.exchanges) * (0.2 + len(self.pairs) / 91)

    def run(self, piece: int) -> Vector:
        """Count one piece: every so many sets of ranks."""
        from ..jit.heads_up import make_room
        from ..jit.sweeps import sweep

        tally, by_category = np.zeros(3), np.zeros((2 if self.wants_categories else 0, 2, 10))
        sets = np.ascontiguousarray(self.rank_sets[piece :: self.pieces])
        sweep(
            sets,
            self.start,
            self.exchanges,
            self.ranges,
            sweep_tables(),
            make_room(len(self.pairs)),
            tally,
            by_category,
        )
        wins, losses, pairs = tally
        return np.concatenate([[0, wins, losses, pairs - wins - losses], by_category.ravel()])


def sweep_tables() -> tuple[Any, ...]:
    """Shift, displacements, strengths, flushes, categories, the weakest full house."""
    categories = load("categories")
    return *hash_tables(), load("flush"), categories, int(np.searchsorted(categories, FULL_HOUSE))


PAIRS: Final[NDArray[np.uint8]] = np.array([(high, low) for high in range(13) for low in range(high + 1)], np.uint8)
"""``(91, 2)``: all pairs of ranks, the higher first."""


def by_rank_pairs(spot: Spot) -> tuple[Vector, Vector]:
    """Weights ``(3, 91, 4, 4)`` of both players and their products, by ranks and suits; products ``(53, 53)`` by cards."""
    first, second = COMBOS.astype(np.intp).T
    pair = (first >> 2) * ((first >> 2) + 1) // 2 + (second >> 2)
    suits = np.stack([first & 3, second & 3])
    suits = np.where(first >> 2 == second >> 2, np.sort(suits, axis=0), suits)
    by_combo = np.zeros((3, len(COMBOS)))
    for row, combos, weights in zip(by_combo, spot.combos, spot.weights, strict=False):
        row[combos] = weights
    by_combo[2] = by_combo[0] * by_combo[1]
    weights = np.zeros((3, 91, 4, 4))
    weights[:, pair, suits[0], suits[1]] = by_combo
    products = np.zeros((53, 53))
    products[first, second] = products[second, first] = by_combo[2]
    products[:52, 52] = products[52, :52] = products[:52, :52].sum(axis=1)
    products[52, 52] = by_combo[2].sum()
    return weights, products
