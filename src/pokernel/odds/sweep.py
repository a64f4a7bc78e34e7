"""Two ranges swept over one board after the other: an exact count in time that grows with combos, not with pairs.

Pieces and vectors are those of :mod:`.match_ups`.
"""

import functools
import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS
from ..strength import Category
from ..tables import load
from .lookups import (
    LARGEST,
    PIECE,
    board_mask,
    hash_tables,
    rank_keys,
    rank_sets,
    ranks_sum,
    suits_left,
    ways_of_rank_sets,
)
from .spot import Spot
from .suits import EXCHANGES, exchanges_of

__all__ = ["Sweep", "tables", "wins_losses_ties"]

BOARD_COST: Final = 400, 2_500
"""Nanoseconds for one board, about: whatever the ranges, and if they hold all ranks."""
DUST: Final = 1e-13
"""Parts of all pairs that rounding may leave where there are none."""


class Sweep:
    """Two ranges on every board."""

    def __init__(self, spot: Spot, categories: bool = False) -> None:
        self.wants_categories = categories
        self.spot = spot
        self.exchanges = EXCHANGES[exchanges_of(spot)]
        self.weights, self.products = by_rank_pairs(spot)
        used = (self.weights != 0).any(axis=(0, 2, 3))
        self.pairs, self.weights = PAIRS[used], np.ascontiguousarray(self.weights[:, used])
        boards = ways_of_rank_sets(suits_left((*spot.board, *spot.dead)), spot.to_come)
        self.rank_sets, boards = rank_sets(spot.to_come)[boards > 0], boards[boards > 0]
        self.boards = int(boards.sum())
        pairs = float(spot.weights[0].sum() * spot.weights[1].sum())
        self.is_integral = spot.scale > 0 and pairs * boards.max() < LARGEST
        self.cuts = _cut(boards, max(1, self.cost // PIECE), LARGEST / pairs if self.is_integral else math.inf)

    @property
    def pieces(self) -> int:
        """How many there are."""
        return len(self.cuts) - 1

    @property
    def cost(self) -> float:
        """Nanoseconds that all of it takes, about."""
        fixed, all_ranks = BOARD_COST
        return self.boards / len(self.exchanges) * (fixed + all_ranks * len(self.pairs) / len(PAIRS))

    def run(self, piece: int) -> NDArray[np.float64]:
        """Count one piece: some sets of ranks."""
        from ..jit.sweeps import sweep

        tally, by_category = np.zeros(3), np.zeros((2 if self.wants_categories else 0, 2, 10))
        sweep(
            self.rank_sets[self.cuts[piece] : self.cuts[piece + 1]],
            *(self.start(), self.exchanges, self.ranges(), tables(), self.room(), tally, by_category),
        )
        return np.concatenate([[0, *wins_losses_ties(*tally)], by_category.ravel()])

    def start(self) -> Any:
        """The board so far, as the kernels want it."""
        from ..jit.sweeps import Start

        board = self.spot.board
        return Start(board_mask(board), ranks_sum(board), suits_left((*board, *self.spot.dead)), rank_keys())

    def ranges(self) -> Any:
        """Both ranges, as the kernels want them."""
        from ..jit.heads_up import Ranges

        pair_at = np.full((13, 13), -1)
        pair_at[self.pairs[:, 0], self.pairs[:, 1]] = np.arange(len(self.pairs))
        keys = rank_keys()[self.pairs].sum(axis=1, dtype=np.uint32)
        weights = self.weights
        sums = [weights.sum(axis=3), weights.sum(axis=2), weights.sum(axis=(2, 3))[..., np.newaxis]]
        return Ranges(self.pairs, pair_at, keys, weights, np.concatenate(sums, axis=2), self.products)

    def room(self) -> Any:
        """Scratch space for one thread."""
        from ..jit.heads_up import make_room

        return make_room(len(self.pairs))


def wins_losses_ties(wins: float, losses: float, pairs: float) -> tuple[float, float, float]:
    """What is left of all pairs are ties; of weights that are no integers, not what rounding leaves."""
    dust = DUST * pairs
    wins, losses, ties = (0.0 if abs(part) <= dust else part for part in (wins, losses, pairs - wins - losses))
    return wins, losses, ties


def _cut(boards: NDArray[np.int64], pieces: float, most: float) -> list[int]:
    """Where to cut sets of ranks into so many pieces of as many boards, or more pieces, of less than `most` boards."""
    cuts, held = [0], 0
    share = min(boards.sum() / pieces, most)
    if boards.sum() <= share:
        return [0, len(boards)]
    for number, count in enumerate(boards.tolist()):
        if held and held + count >= share:
            cuts.append(number)
            held = 0
        held += count
    return [*cuts, len(boards)]


@functools.cache
def tables() -> Any:
    """The tables, as the kernels want them."""
    from ..jit.heads_up import Tables

    categories = load("categories")
    return Tables(*hash_tables(), load("flush"), categories, int(np.searchsorted(categories, Category.FULL_HOUSE)))


PAIRS: Final[NDArray[np.uint8]] = np.array([(high, low) for high in range(13) for low in range(high + 1)], np.uint8)
"""``(91, 2)``: all pairs of ranks, the higher first."""


@functools.cache
def _places() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Where each combo stands in weights by ranks and suits, flat; and its two cards."""
    first, second = COMBOS.astype(np.intp).T
    pair = (first >> 2) * ((first >> 2) + 1) // 2 + (second >> 2)
    suits = np.stack([first & 3, second & 3])
    suits = np.where(first >> 2 == second >> 2, np.sort(suits, axis=0), suits)
    return 16 * pair + 4 * suits[0] + suits[1], first, second


def by_rank_pairs(spot: Spot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both players' weights and products: ``(3, 91, 4, 4)`` by ranks and suits; products ``(53, 53)`` by cards."""
    place, first, second = _places()
    weights, products = np.zeros((3, 91 * 16)), np.zeros((53, 53))
    for row, combos, of_combos in zip(weights, spot.combos, spot.weights, strict=False):
        row[place[combos]] = of_combos
    weights[2] = weights[0] * weights[1]
    shared = weights[2, place]
    products[first, second] = products[second, first] = shared
    products[:52, 52] = products[52, :52] = products[:52, :52].sum(axis=1)
    products[52, 52] = shared.sum()
    return weights.reshape(3, 91, 4, 4), products
