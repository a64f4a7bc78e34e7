"""The table of match-ups before the flop, laid out so that nothing is left to look for.

The tables have each match-up once, whatever its suits are called. Here there is one row for each of the 169 classes,
for its *representative*, the combo with the lowest number, and one column for each combo of the other hand. A hand of
any suits becomes its class's representative in a *turn*, one of twelve exchanges of suits, and the other hand turns
with it.
"""

import functools
import itertools
import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..combos import CLASS_OF, CLASS_SIZES, COMBOS, combo_indices
from ..tables import load

__all__ = ["BOARDS", "Floats", "Indices", "Layout", "laid_out", "layout_for_kernels"]

BOARDS: Final = math.comb(48, 5)
"""1,712,304: the boards that two hands leave."""

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Layout(NamedTuple):
    """Rows of classes, columns of combos, and how any hand gets to its row."""

    counts: Floats
    """``(2, 169, 1326)``: wins and ties of each representative against each combo; 0 where they share a card."""
    by_class: Floats
    """``(2, 169, 169)``: the same against each class."""
    representatives: Indices
    """``(169,)``."""
    turns: Indices
    """``(12, 1326)``: the combo that each combo becomes in each turn."""
    backwards: Indices
    """``(1326, 12)``: the combo that becomes each combo, in each turn."""
    turn_of: Indices
    """``(1326,)``: a turn in which each combo becomes its representative."""


@functools.cache
def laid_out() -> Layout:
    """Lay the table out, at first use: a twentieth of a second."""
    names = np.array(list(itertools.permutations(range(4))))
    even = np.array(
        [sum(b > a for a, b in itertools.combinations(order[::-1], 2)) % 2 == 0 for order in names.tolist()]
    )
    renamings = combo_indices((COMBOS & ~np.uint8(3)) + names[:, COMBOS & 3])
    turns = renamings[even]  # only one of these takes two suits to two others, in this order
    representatives = np.unique(CLASS_OF, return_index=True)[1]
    represented = representatives[CLASS_OF]
    turn_of = (turns == represented).argmax(axis=0)

    # The least combo that the other hand can become while the representative stays what it is.
    least = np.full((169, 1326), 1326)
    for renaming in renamings:
        stays = np.flatnonzero(renaming[representatives] == representatives)
        least[stays] = np.minimum(least[stays], renaming)
    key = 1326 * representatives[:, np.newaxis] + least
    turned = turns[turn_of, representatives[:, np.newaxis]]
    exchanged = 1326 * represented + least[CLASS_OF, turned]
    first = np.minimum(key, exchanged)
    disjoint = (COMBOS[representatives][:, np.newaxis, :, np.newaxis] != COMBOS[:, np.newaxis]).all(axis=(2, 3))
    there = np.zeros(1326**2, bool)
    there[first[disjoint]] = True
    number = np.cumsum(there)[first] - 1  # of a match-up: its key's place among all keys

    wins, ties = load("preflop_wins").astype(np.int64), load("preflop_ties").astype(np.int64)
    won, tied = wins[number], ties[number]
    counts = np.stack([np.where(exchanged < key, BOARDS - won - tied, won), tied]) * disjoint
    ordered = np.argsort(CLASS_OF, kind="stable")
    by_class = np.add.reduceat(counts[:, :, ordered], np.cumsum(CLASS_SIZES) - CLASS_SIZES, axis=2)
    return Layout(
        counts.astype(np.float64),
        by_class.astype(np.float64),
        representatives,
        turns,
        turns.argsort(axis=1).T.copy(),
        turn_of,
    )


@functools.cache
def layout_for_kernels() -> tuple[Floats, NDArray[np.uint8], Indices, Indices]:
    """What a kernel needs of it: `counts`, the class of each combo, `turn_of` and `turns`."""
    found = laid_out()
    return found.counts, CLASS_OF, found.turn_of, found.turns
