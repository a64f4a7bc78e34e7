"""Pots of 64 deals side by side, each deal's next one at a time, in the columns of ``columns.py``.

A pot lies between two bounds, the contributions of live seats. The last one has no upper bound: folded seats' chips
above all live contributions are in it. A deal that has none left has one without chips and winners.
"""

import numpy as np
from numba import float64, int32

from ._compile import inline
from .columns import DEALS, NO_BOUND

__all__ = ["begin", "next_pot", "share_out"]


@inline
def begin(numbers, buttons, t):
    """Begin below the first pots of deals with these numbers; odd chips are to go around from the button's left."""
    for deal in range(DEALS):
        t.below[deal] = int32(0)
        t.starts[deal] = int32(0)
        t.shared[deal] = int32(0)
    if len(buttons) > 0:
        for deal in range(DEALS):
            t.starts[deal] = int32(buttons[numbers[deal]] + 1)


@inline
def next_pot(seats, t):
    """Find the pot from `below` on: `bound`, `best` (0: there is none), `chips`, `ways`; whether any deal has one."""
    for deal in range(DEALS):
        t.bound[deal] = NO_BOUND
        t.best[deal] = int32(0)
        t.chips[deal] = int32(0)
        t.ways[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            above = t.bets[p, deal] > t.below[deal]
            t.bound[deal] = min(t.bound[deal], t.bets[p, deal] if above & (t.hands[p, deal] > 0) else NO_BOUND)
            t.best[deal] = max(t.best[deal], t.hands[p, deal] if above else int32(0))
    any_best = int32(0)
    for deal in range(DEALS):
        any_best |= t.best[deal]
        t.bound[deal] = NO_BOUND if t.bound[deal] == t.highest[deal] else t.bound[deal]
    for p in range(seats):
        for deal in range(DEALS):
            t.chips[deal] += min(t.bets[p, deal], t.bound[deal]) - min(t.bets[p, deal], t.below[deal])
            t.ways[deal] += int32((t.hands[p, deal] == t.best[deal]) & (t.bets[p, deal] > t.below[deal]))
    return any_best > 0


@inline
def share_out(seats, spread, around, t):
    """Add each winner's part of the pot to `won`; begin the next pot above it.

    Odd chips go to its first winner, or if `spread` one each to its first winners, from `starts` on; if `around`, then
    to those before that.
    """
    at_once = int32(1) if spread else NO_BOUND
    for deal in range(DEALS):
        # exact: both are small, and a quotient that is no integer is farther from one than doubles are apart
        share = int32(np.true_divide(float64(t.chips[deal]), float64(max(t.ways[deal], int32(1)))))
        t.odd[deal] = t.chips[deal] - share * t.ways[deal]
        t.chips[deal] = share
        t.shared[deal] |= int32(t.ways[deal] > 1)
    for p in range(seats):
        for deal in range(DEALS):
            wins = (t.hands[p, deal] == t.best[deal]) & (t.bets[p, deal] > t.below[deal])
            t.won[p, deal] += t.chips[deal] if wins else int32(0)
    for turn in range(1 + around):
        for p in range(seats):
            for deal in range(DEALS):
                wins = (t.hands[p, deal] == t.best[deal]) & (t.bets[p, deal] > t.below[deal])
                wins &= (p >= t.starts[deal]) ^ (turn > 0)
                more = min(t.odd[deal], at_once) if wins else int32(0)
                t.won[p, deal] += more
                t.odd[deal] -= more
    for deal in range(DEALS):
        t.below[deal] = t.bound[deal]
