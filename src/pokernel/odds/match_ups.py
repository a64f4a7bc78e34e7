"""Known hands on all boards at once, deal by deal: an exact count for few combos and any number of players.

A *count* of a spot is cut into numbered pieces of about a hundredth of a second each. ``run(piece)`` gives a vector,
and vectors add up: deals by the set of winners (a bit a player), then, if wanted, by player the categories of all hands
and of those that won or shared.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS
from .lookups import LARGEST, PIECE, board_mask, draws, ranks_sum, seven_card_tables, suits_left
from .spot import Spot
from .suits import exchanges_of, images

__all__ = ["DEAL_COST", "MatchUps", "require_compiler"]

DEAL_COST: Final = (150, 600, 3_000, 20_000, 80_000, 400_000)
"""Nanoseconds for one deal of hole cards to two players, by cards to come, about."""


class MatchUps:
    """All boards for every deal of hole cards."""

    def __init__(self, spot: Spot, categories: bool = False) -> None:
        self.players = len(spot.combos)
        self.wants_categories = categories
        sizes = list(map(len, spot.combos))
        self.sizes, self.deals = np.array(sizes), math.prod(sizes)
        self.combos, self.weights = np.zeros((self.players, max(sizes)), np.int64), np.zeros((self.players, max(sizes)))
        for player, (combos, weights) in enumerate(zip(spot.combos, spot.weights, strict=True)):
            self.combos[player, : len(combos)] = combos
            self.weights[player, : len(combos)] = weights
        self.images = images()[exchanges_of(spot)]
        self.to_come = spot.to_come
        self.known, self.x = board_mask(spot.board), ranks_sum(spot.board)
        self.available = suits_left((*spot.board, *spot.dead))
        weight = math.prod(self.weights.max(axis=1).tolist()) * len(self.images) * math.comb(52, spot.to_come)
        self.is_integral = spot.scale > 0 and weight < LARGEST
        most = LARGEST / weight if self.is_integral else math.inf
        self.deal_cost = DEAL_COST[spot.to_come] * self.players / 2 * (1.5 if categories else 1)
        self.deals_a_piece = int(max(1, min(PIECE // self.deal_cost, most)))

    @property
    def cost(self) -> float:
        """Nanoseconds that all of it takes, about."""
        return self.deals * (20 + self.deal_cost / len(self.images))

    @property
    def pieces(self) -> int:
        """How many there are."""
        return -(-self.deals // self.deals_a_piece)

    def run(self, piece: int) -> NDArray[np.float64]:
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
            seven_card_tables(),
            *(tally, by_category),
        )
        return np.concatenate([tally, by_category.ravel()])


def require_compiler() -> None:
    """Vectors and 128-bit products are nothing that Python could do in the kernels' place."""
    from numba import config

    if config.DISABLE_JIT:
        raise RuntimeError("equities are counted by compiled kernels only: unset NUMBA_DISABLE_JIT")
