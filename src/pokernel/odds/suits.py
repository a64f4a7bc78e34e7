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
    known = [spot.board, spot.dead]
    known += [COMBOS[combos[0]].tolist() for combos in spot.combos if len(combos) == 1]
    ranks = [0, 0, 0, 0]
    for place, cards in enumerate(known):
        for card in cards:
            ranks[card & 3] |= 1 << (13 * place + (card >> 2))
    found = _exchanges_among(tuple(map(ranks.index, ranks)))
    if len(found) > 1:
        ranges = [pair for pair in zip(spot.combos, spot.weights, strict=True) if len(pair[0]) > 1]
        for combos, weights in ranges:
            dense = np.zeros(len(COMBOS))
            dense[combos] = weights
            found = found[(dense[images()[found[:, np.newaxis], combos]] == weights).all(axis=1)]
    return found


@functools.cache
def _exchanges_among(alike: tuple[int, ...]) -> NDArray[np.intp]:
    """The exchanges, by number, of suits that are alike: each suit is given by the first one like it."""
    first = np.array(alike)
    found = np.flatnonzero((first[EXCHANGES] == first).all(axis=1))
    found.flags.writeable = False
    return found
