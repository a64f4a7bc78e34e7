"""Deals to payouts: pots are peeled off from the lowest live contribution up, and each is paid at once.

A pot ends where a live seat's contribution ends, so that it has one set of seats that can win it; the chips of folded
seats fill pots and part none, and what they put in above every live seat belongs to the last. What one live seat put
in above all others is no pot: it goes back.

Kernels do the deals of the `numbers` that they are given. Other arrays are C-contiguous: `chips` ``int64``, `strengths`
of any integers, `live` boolean, of shape ``(deals, seats)``; `buttons`, ``int64``, of shape ``(deals,)`` or empty. The
kernels that pay return how many deals cannot be settled, whose payouts mean nothing, and the first of them, -1 if there
is none.
"""

import numpy as np
from numba import int64

from ._compile import bare_kernel, inline_early

__all__ = ["most_pots", "pay", "pay_by_pot"]

MOST = np.iinfo(np.int64).max


@inline_early
def _count_pots(i, chips, live):
    """How many pots deal `i` has; any number if it cannot be settled."""
    pots, living, dead, highest, second = 0, 0, int64(0), int64(0), int64(0)
    for p in range(chips.shape[1]):
        bet = chips[i, p]
        if live[i, p]:
            living += 1
            new = bet > 0
            for q in range(p):
                if live[i, q] and chips[i, q] == bet:
                    new = False
                    break
            pots += new
            second = max(second, min(bet, highest))
            highest = max(highest, bet)
        else:
            dead = max(dead, bet)
    if highest == 0:
        pots = int64(living > 0 and dead > 0)  # dead money only
    elif dead <= second < highest:  # nobody called any part of what the last bet put on top: it is no pot
        pots -= 1
    return pots


@bare_kernel
def most_pots(numbers, chips, live):
    """How many pots a deal has at most; deals that cannot be settled count as well, by any number."""
    most = 0
    for k in range(len(numbers)):
        most = max(most, _count_pots(numbers[k], chips, live))
    return most


@inline_early
def _pay_deal(by_pot, i, chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned):
    """Pay deal `i`, pot by pot; whether it can be settled."""
    seats = chips.shape[1]
    total, living, highest, good = int64(0), 0, int64(-1), True
    for p in range(seats):
        bet = chips[i, p]
        good &= 0 <= bet <= MOST - total
        total += bet
        if live[i, p]:
            living += 1
            highest = max(highest, bet)
        payouts[i, p] = 0
        if by_pot:
            returned[i, p] = 0
    good &= living > 0 or total == 0
    start = 0
    if len(buttons) > 0:
        good &= 0 <= buttons[i] < seats
        start = buttons[i] + 1
    k = 0
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
        if ways == 0:
            good = False
            break  # chips that changed since they were added up
        # a pot's only winner wins every pot from there on that he has chips in
        level = lowest if by_pot or ways > 1 else chips[i, winner]
        floor, ceiling = max(below, int64(0)), level if level < highest else MOST
        pot = int64(0)
        for p in range(seats):
            pot += max(min(chips[i, p], ceiling) - floor, int64(0))
        below = level
        if by_pot:
            if contenders == 1:
                called = int64(0)
                for p in range(seats):
                    if p != winner:
                        called = max(called, chips[i, p])
                uncalled = max(level - called, int64(0))
                pot -= uncalled
                returned[i, winner] = uncalled
                payouts[i, winner] += uncalled
                if pot == 0:
                    break
            if k == pots.shape[1]:
                good = False
                break  # since pots were counted
            pots[i, k] = pot
            for p in range(seats):
                won[i, k, p] = 0
                eligible[i, k, p] = live[i, p] and chips[i, p] >= level
        if ways == 1:
            payouts[i, winner] += pot
            if by_pot:
                won[i, k, winner] = pot
        else:
            share = pot // ways
            odd = pot - share * ways
            for p in range(seats):
                if live[i, p] and chips[i, p] >= level and strengths[i, p] == best:
                    payouts[i, p] += share
                    if by_pot:
                        won[i, k, p] = share
            p = start
            for _ in range(seats):  # once around is enough: there are fewer odd chips than winners
                if odd == 0:
                    break
                p = p if p < seats else 0
                if live[i, p] and chips[i, p] >= level and strengths[i, p] == best:
                    extra = int64(1) if spread else odd
                    odd -= extra
                    payouts[i, p] += extra
                    if by_pot:
                        won[i, k, p] += extra
                p += 1
            good &= odd == 0
        k += 1
    if by_pot:
        for none in range(k, pots.shape[1]):
            pots[i, none] = 0
            for p in range(seats):
                won[i, none, p] = 0
                eligible[i, none, p] = False
    return good


@inline_early
def _pay(by_pot, numbers, chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned):
    bad, first = 0, -1
    for k in range(len(numbers)):
        i = numbers[k]
        if not _pay_deal(by_pot, i, chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned):
            bad += 1
            first = i if first < 0 else first
    return bad, first


@bare_kernel
def pay(numbers, chips, strengths, live, buttons, spread, payouts):
    """Fill `payouts` ``(deals, seats)``; a pot's odd chips go to the first of its winners, or one each if `spread`.

    Pots that one seat wins in a row are paid as one.
    """
    return _pay(False, numbers, chips, strengths, live, buttons, spread, payouts, payouts, payouts, payouts, payouts)


@bare_kernel
def pay_by_pot(numbers, chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned):
    """The same, each pot by itself: `pots` ``(deals, most_pots)``, `won` and `eligible` ``(deals, most_pots, seats)``.

    And `returned` ``(deals, seats)``, which is in no pot.
    """
    return _pay(True, numbers, chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned)
