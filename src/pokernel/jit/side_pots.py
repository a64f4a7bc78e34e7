"""Pots of 64 deals side by side, each deal's next one at a time, in the columns of ``columns.py``.

A pot lies between two bounds, the contributions of live seats. The last one has no upper bound: folded seats' chips
above all live contributions are in it. A deal that has none left has one without chips and winners.
"""

import numpy as np
from numba import int32

from ._compile import inline_early
from .columns import DEALS, NO_BOUND

__all__ = ["next_pot", "share_out"]


@inline_early
def next_pot(seats, bets, hands, highest, below, bound, best, chips, ways):
    """The pot above `below`: its bound, best hand (0: there is none), chips and winners; whether any deal has one."""
    for deal in range(DEALS):
        bound[deal] = NO_BOUND
        best[deal] = int32(0)
        chips[deal] = int32(0)
        ways[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            above = bets[p, deal] > below[deal]
            bound[deal] = min(bound[deal], bets[p, deal] if above & (hands[p, deal] > 0) else NO_BOUND)
            best[deal] = max(best[deal], hands[p, deal] if above else int32(0))
    anybody = int32(0)
    for deal in range(DEALS):
        anybody |= best[deal]
        bound[deal] = NO_BOUND if bound[deal] == highest[deal] else bound[deal]
    for p in range(seats):
        for deal in range(DEALS):
            chips[deal] += min(bets[p, deal], bound[deal]) - min(bets[p, deal], below[deal])
            ways[deal] += int32((hands[p, deal] == best[deal]) & (bets[p, deal] > below[deal]))
    return anybody > 0


@inline_early
def share_out(seats, bets, hands, below, best, chips, ways, at_once, starts, turns, odd, won):
    """Add a pot's shares to `won`, and its odd chips, so many at once, to its winners from seat `starts` on.

    In the second of two turns they go around to seats before it. `odd` is scratch.
    """
    for deal in range(DEALS):
        # exact: both are small, and a quotient that is no integer is farther from one than doubles are apart
        share = int32(np.true_divide(np.float64(chips[deal]), np.float64(max(ways[deal], int32(1)))))
        odd[deal] = chips[deal] - share * ways[deal]
        chips[deal] = share
    for p in range(seats):
        for deal in range(DEALS):
            wins = (hands[p, deal] == best[deal]) & (bets[p, deal] > below[deal])
            won[p, deal] += chips[deal] if wins else int32(0)
    for turn in range(turns):
        for p in range(seats):
            for deal in range(DEALS):
                wins = (hands[p, deal] == best[deal]) & (bets[p, deal] > below[deal])
                wins &= (p >= starts[deal]) ^ (turn > 0)
                more = min(odd[deal], at_once) if wins else int32(0)
                won[p, deal] += more
                odd[deal] -= more
