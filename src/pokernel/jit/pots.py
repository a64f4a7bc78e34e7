"""Deals to payouts: pots are peeled off from the lowest live contribution up, and each is paid at once.

A pot ends where a live seat's contribution ends, so that it has one set of seats that can win it; the chips of folded
seats fill pots and part none, and what they put in above every live seat belongs to the last. What one live seat put
in above all others is no pot: it goes back.

Arrays are C-contiguous: `chips`, `strengths` ``int64`` and `live`, boolean, of shape ``(deals, seats)``; `buttons`,
``int64``, of shape ``(deals,)`` or empty. The kernels return how many deals cannot be settled, the first of them (-1 if
there is none) and the largest number of pots in a deal; payouts of a deal that cannot be settled mean nothing.
"""

import numpy as np
from numba import int64

from ._compile import inline_early, kernel

__all__ = ["pay", "pay_by_pot"]

MOST = np.iinfo(np.int64).max


@inline_early
def _pay(by_pot, chips, strengths, live, buttons, spread, every_pot, payouts, won, eligible, returned):
    deals, seats = chips.shape
    bad, first, deepest = 0, -1, 0
    for i in range(deals):
        total, living, highest, good = int64(0), 0, int64(-1), True
        for p in range(seats):
            bet = chips[i, p]
            good &= 0 <= bet <= MOST - total
            total += bet
            if live[i, p]:
                living += 1
                highest = max(highest, bet)
            if not by_pot:
                payouts[i, p] = 0
        good &= living > 0 or total == 0
        start = 0
        if len(buttons) > 0:
            good &= 0 <= buttons[i] < seats
            start = buttons[i] + 1
        pots = 0
        below = int64(0) if highest > 0 else int64(-1)  # live seats that put in nothing can win dead money only
        while good and total > 0 and below < highest:
            lowest, best, ways, winner, contenders = highest, int64(0), 0, 0, 0
            for p in range(seats):
                bet = chips[i, p]
                if live[i, p] and bet > below:
                    contenders += 1
                    lowest = min(lowest, bet)
                    strength = strengths[i, p]
                    good &= strength > 0 or living == 1
                    if ways == 0 or strength > best:
                        best, ways, winner = strength, 1, p
                    else:
                        ways += strength == best
            # a pot's only winner wins every pot from there on that he has chips in
            level = lowest if every_pot or ways > 1 else chips[i, winner]
            floor, ceiling = max(below, int64(0)), level if level < highest else MOST
            pot = int64(0)
            for p in range(seats):
                pot += max(min(chips[i, p], ceiling) - floor, int64(0))
            below = level
            if every_pot and contenders == 1:
                called = int64(0)
                for p in range(seats):
                    if p != winner:
                        called = max(called, chips[i, p])
                uncalled = max(level - called, int64(0))
                pot -= uncalled
                if by_pot:
                    returned[i, winner] = uncalled
                else:
                    payouts[i, winner] += uncalled
                if pot == 0:
                    break
            if by_pot:
                for p in range(seats):
                    eligible[i, pots, p] = live[i, p] and chips[i, p] >= level
            if ways == 1:
                if by_pot:
                    won[i, pots, winner] = pot
                else:
                    payouts[i, winner] += pot
            else:
                share = pot // ways
                odd = pot - share * ways
                for p in range(seats):
                    if live[i, p] and chips[i, p] >= level and strengths[i, p] == best:
                        if by_pot:
                            won[i, pots, p] = share
                        else:
                            payouts[i, p] += share
                p = start
                while odd > 0:
                    p = p if p < seats else 0
                    if live[i, p] and chips[i, p] >= level and strengths[i, p] == best:
                        extra = int64(1) if spread else odd
                        odd -= extra
                        if by_pot:
                            won[i, pots, p] += extra
                        else:
                            payouts[i, p] += extra
                    p += 1
            pots += 1
        deepest = max(deepest, pots)
        if not good:
            bad += 1
            first = i if first < 0 else first
    return bad, first, deepest


@kernel
def pay(chips, strengths, live, buttons, spread, every_pot, payouts):
    """Fill `payouts` ``(deals, seats)``; a pot's odd chips go to the first of its winners, or one each if `spread`.

    `every_pot` is slower, the payouts are the same: unless it is true, pots that one seat wins in a row count as one.
    """
    return _pay(False, chips, strengths, live, buttons, spread, every_pot, payouts, payouts, payouts, payouts)


@kernel
def pay_by_pot(chips, strengths, live, buttons, spread, won, eligible, returned):
    """The same apart: `won` and `eligible` ``(deals, pots, seats)``, `returned` ``(deals, seats)``, all zero before."""
    return _pay(True, chips, strengths, live, buttons, spread, True, won, won, eligible, returned)
