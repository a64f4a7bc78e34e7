"""Weights to text: the canonical notation of a range, which reads back as the same range."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..cards import RANKS, format_cards
from ..combos import CLASS_OF, CLASS_SIZES, COMBOS

__all__ = ["EMPTY", "write"]

EMPTY = "0%"

Run = tuple[int, int, int]
"""The higher card, the highest and the lowest kicker."""


def write(by_combo: NDArray[np.float64]) -> str:
    """Name all combos, those of the highest weight first; whole classes in runs, before combos one by one."""
    terms = []
    for weight in np.unique(by_combo[by_combo > 0])[::-1]:
        suffix = "" if weight == 1 else f":{float(weight)!r}"  # repr() reads back as the same float
        terms += [term + suffix for term in _terms(by_combo == weight)]
    return ", ".join(terms) or EMPTY


def _terms(chosen: NDArray[np.bool_]) -> Iterator[str]:
    whole = np.bincount(CLASS_OF[chosen], minlength=169) == CLASS_SIZES
    if whole.all():
        yield "random"
        return
    suited = whole.reshape(13, 13)
    yield from map(_pairs, _stretches(np.flatnonzero(suited.diagonal()).tolist()))
    runs = {"s": _runs(suited), "o": _runs(suited.T)}
    both = [run for run in runs["s"] if run in runs["o"]]
    for suffix, mine in (("", both), *((suffix, [r for r in runs[suffix] if r not in both]) for suffix in "so")):
        yield from _unpaired(mine, suffix)
    yield from (format_cards(COMBOS[combo]) for combo in np.flatnonzero(chosen & ~whole[CLASS_OF])[::-1])


def _stretches(ranks: list[int]) -> list[tuple[int, int]]:
    """Highest and lowest of each stretch of consecutive ranks, the highest stretch first; `ranks` ascend."""
    ends: list[tuple[int, int]] = []
    for rank in reversed(ranks):
        if ends and ends[-1][1] == rank + 1:
            ends[-1] = ends[-1][0], rank
        else:
            ends.append((rank, rank))
    return ends


def _runs(classes: NDArray[np.bool_]) -> list[Run]:
    """Runs of kickers below each higher card, of a square whose rows are the higher cards."""
    return [
        (high, *ends) for high in range(12, 0, -1) for ends in _stretches(np.flatnonzero(classes[high, :high]).tolist())
    ]


def _pairs(ends: tuple[int, int]) -> str:
    top, bottom = (2 * RANKS[rank] for rank in ends)
    if ends[0] == ends[1]:
        return top
    return f"{bottom}+" if ends[0] == 12 else f"{top}-{bottom}"


def _unpaired(runs: list[Run], suffix: str) -> Iterator[str]:
    """Name runs of kickers; three or more lone hands that climb with the same gap make a run of their own."""
    lone = defaultdict(list)
    for high, top, bottom in reversed(runs):
        if top == bottom:
            lone[high - top].append(high)
    ladders = {
        (top, top - gap): (bottom, bottom - gap)
        for gap, highs in lone.items()
        for top, bottom in _stretches(highs)
        if top - bottom >= 2
    }
    climbing = {(top - i, low - i) for (top, low), (bottom, _) in ladders.items() for i in range(1, top - bottom + 1)}
    for high, top, bottom in runs:
        name = RANKS[high] + RANKS[top] + suffix
        if (high, top) in ladders:
            yield f"{name}-{''.join(RANKS[rank] for rank in ladders[high, top])}{suffix}"
        elif top == bottom and (high, top) not in climbing:
            yield name
        elif top > bottom:
            low = RANKS[high] + RANKS[bottom] + suffix
            yield f"{low}+" if top == high - 1 else f"{name}-{low}"
