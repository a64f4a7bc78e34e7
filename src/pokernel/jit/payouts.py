"""Payouts without looking at pots, 64 deals side by side, where nobody shares one.

Let F(x) be the chips that all seats have put in up to x each. A live seat wins what lies between m, the most that a
stronger live seat has put in, and its own contribution c: F(c) - F(m), or nothing if m is as much as c. What is above
every live contribution belongs to who wins the highest of them: for seats that have put in that much, c has no bound.

Deals in which equal hands may share a pot wait until they are 64, and are paid pot by pot, side by side. Those in which
something is wrong or nobody live has a chip, those with numbers too large, and what is left over at the end go one by
one, by ``pots.py``.
"""

from typing import Any

import numpy as np
from numba import int32

from . import pots
from ._compile import inline_early, kernel
from .bits import plain_loop
from .columns import DEALS, NO_BOUND, SEATS, TOO_MANY, give_rows, go_side_by_side, pick_columns, survey, take_columns
from .side_pots import next_pot, share_out

__all__ = ["pay"]


@inline_early
def _pay_unshared(seats, bets, hands, highest, beaten, bound, chips, won, shared):
    """Fill `won`, and say which deals may have shared pots: theirs means nothing.

    `beaten`, `bound` and `chips` are scratch.
    """
    for deal in range(DEALS):
        shared[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            beaten[deal] = int32(0)
            chips[deal] = int32(0)
            bound[deal] = NO_BOUND if bets[p, deal] == highest[deal] else bets[p, deal]
        for q in range(seats):
            for deal in range(DEALS):
                beaten[deal] = max(beaten[deal], bets[q, deal] if hands[q, deal] > hands[p, deal] else int32(0))
        for q in range(seats):
            for deal in range(DEALS):
                chips[deal] += min(bets[q, deal], bound[deal]) - min(bets[q, deal], beaten[deal])
        for deal in range(DEALS):
            wins = (hands[p, deal] > 0) & (bets[p, deal] > beaten[deal])
            won[p, deal] = chips[deal] if wins else int32(0)
        for q in range(p):
            for deal in range(DEALS):
                equal = (hands[q, deal] == hands[p, deal]) & (hands[p, deal] > 0)
                shared[deal] |= int32(equal & (min(bets[p, deal], bets[q, deal]) > beaten[deal]))


@inline_early
def _pay_together(numbers, chips, strengths, live, buttons, spread, columns, lines, payouts):
    """Pay 64 deals with these numbers, pot by pot."""
    seats = chips.shape[1]
    bets, hands, won = columns
    highest, below, bound, best, pot, ways, starts, odd = lines
    pick_columns(seats, chips, strengths, live, numbers, bets, hands)
    survey(seats, bets, hands, highest, pot, ways, odd)
    for deal in range(DEALS):
        below[deal] = int32(0)
        starts[deal] = int32(0)
    if len(buttons) > 0:
        for deal in range(DEALS):
            starts[deal] = int32(buttons[numbers[deal]] + 1)
    for p in range(seats):
        for deal in range(DEALS):
            won[p, deal] = int32(0)
    while next_pot(seats, bets, hands, highest, below, bound, best, pot, ways):
        at_once, turns = int32(1) if spread else NO_BOUND, 1 + (len(buttons) > 0)
        share_out(seats, bets, hands, below, best, pot, ways, at_once, starts, turns, odd, won)
        for deal in range(DEALS):
            below[deal] = bound[deal]
    for deal in range(DEALS):
        plain_loop()
        for p in range(seats):
            plain_loop()
            payouts[numbers[deal], p] = won[p, deal]


@kernel
def _pay(chips, strengths, live, buttons, spread, payouts):
    deals, seats = chips.shape
    high, wide = SEATS, DEALS
    bets, hands, won = (
        np.empty((high, wide), np.int32),
        np.empty((high, wide), np.int32),
        np.empty((high, wide), np.int32),
    )
    rows, lines = np.empty(high * wide, np.int32), np.empty((8, wide), np.int32)
    a, b, c, d, e, f, g, h = lines[0], lines[1], lines[2], lines[3], lines[4], lines[5], lines[6], lines[7]
    highest, shared, others = f, g, h
    flat = chips.reshape(-1), strengths.reshape(-1), live.reshape(-1), payouts.reshape(-1)
    alone, together, waiting = np.empty(2 * DEALS, np.int64), np.empty(2 * DEALS, np.int64), 0
    bad, first, done = 0, -1, 0
    while done < deals:
        count, end = 0, min(done + DEALS, deals)
        if end == done + DEALS:
            span = slice(seats * done, seats * end)
            given = take_columns(seats, flat[0][span], flat[1][span], flat[2][span], rows, bets, hands)
            survey(seats, bets, hands, highest, others, a, b)
            _pay_unshared(seats, bets, hands, highest, a, b, c, won, shared)
            give_rows(seats, won, rows, flat[3][span])
            small = 0 <= given < TOO_MANY
            for deal in range(DEALS):
                plain_loop()
                i = done + deal
                fits = small and others[deal] == 0 and (len(buttons) == 0 or 0 <= buttons[i] < seats)
                alone[count] = together[waiting] = i
                count += not fits
                waiting += fits and shared[deal] != 0
        else:
            for i in range(done, end):
                plain_loop()
                alone[count] = i
                count += 1
        if waiting >= DEALS:
            columns, more = (bets, hands, won), (a, b, c, d, e, f, g, h)
            _pay_together(together, chips, strengths, live, buttons, spread, columns, more, payouts)
            waiting -= DEALS
            together[:waiting] = together[DEALS : DEALS + waiting]
        if end == deals:
            alone[count : count + waiting] = together[:waiting]
            count += waiting
        for k in range(count):
            plain_loop()
            i = alone[k]
            if not pots.pay_deal(
                False, i, chips, strengths, live, buttons, spread, payouts, payouts, payouts, payouts, payouts
            ):
                bad += 1
                first = i if first < 0 else first
        done = end
    return bad, first


def pay(chips: Any, *more: Any) -> tuple[int, int]:
    """Fill payouts as ``pots.pay`` does, of the same arguments."""
    bad, first = (_pay if go_side_by_side(chips) else pots.pay)(chips, *more)
    return bad, first
