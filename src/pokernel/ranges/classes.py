"""Classes of combos such as ``AKs``, one by one and in the runs that ``+`` and ``-`` name."""

from functools import cache

import numpy as np

from ..combos import CLASS_OF, CLASS_SIZES
from ..tables import load

__all__ = ["Class", "climb", "combos_of", "kickers", "numbers", "top_classes"]

Class = tuple[int, int, str]
"""Higher rank, lower rank, and ``"s"``, ``"o"`` or ``""``: a pair, or both suited and offsuit."""


def numbers(hand: Class) -> list[int]:
    """Numbers of a class: one, or two where both suited and offsuit are meant."""
    high, low, suffix = hand
    if high == low:
        return [14 * high]
    return [13 * high + low] * (suffix != "o") + [13 * low + high] * (suffix != "s")


def kickers(high: int, lowest: int, highest: int, suffix: str) -> list[Class]:
    return [(high, low, suffix) for low in range(lowest, highest + 1)]


def climb(lowest: int, highest: int, gap: int, suffix: str) -> list[Class]:
    """Classes whose ranks keep their distance while the higher one rises; pairs keep none."""
    return [(high, high - gap, suffix) for high in range(lowest, highest + 1)]


@cache
def combos_of(number: int) -> tuple[int, ...]:
    """Numbers of the combos of a class."""
    return tuple(np.flatnonzero(number == CLASS_OF).tolist())


def top_classes(share: float) -> list[int]:
    """The best classes against a random hand, so many, all whole, that their share of all combos is nearest.

    At a tie the larger share; never none, unless the share is 0.
    """
    order = load("preflop_order")
    held = [0, *np.cumsum(CLASS_SIZES[order]).tolist()]
    wanted = share * held[-1]
    count = min(range(len(held)), key=lambda count: (abs(held[count] - wanted), -count))
    return list(map(int, order[: count or share > 0]))
