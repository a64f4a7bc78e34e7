"""Exchanges of suits: poker does not know one suit from another, so whole families of deals need one count."""

import functools
import itertools

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS, combo_indices
from .spot import Spot

__all__ = ["EXCHANGES", "exchanges_of", "images"]

EXCHANGES: NDArray[np.int64] = np.array(list(itertools.permutations(range(4))))
"""``(24, 4)``: all permutations of the suits, the one that changes nothing first."""


@functools.cache
def images() -> NDArray[np.int64]:
    """``(24, 1326)``: the combo that each exchange makes of each combo."""
    cards = COMBOS.astype(np.int64)
    return np.stack([combo_indices(4 * (cards >> 2) + exchange[cards & 3]) for exchange in EXCHANGES])


def exchanges_of(spot: Spot) -> NDArray[np.intp]:
    """The exchanges, by number, that leave board, dead cards and every player's weights what they are: a group."""
    found, rows = [], _dense(spot)
    for number, exchange in enumerate(EXCHANGES.tolist()):
        same_cards = all(
            {4 * (card >> 2) + exchange[card & 3] for card in cards} == set(cards) for cards in (spot.board, spot.dead)
        )
        if same_cards and all(
            (dense[images()[number, combos]] == weights).all()
            for dense, combos, weights in zip(rows, spot.combos, spot.weights, strict=True)
        ):
            found.append(number)
    return np.array(found)


def _dense(spot: Spot) -> list[NDArray[np.float64]]:
    rows = [np.zeros(len(COMBOS)) for _ in spot.combos]
    for row, combos, weights in zip(rows, spot.combos, spot.weights, strict=True):
        row[combos] = weights
    return rows
