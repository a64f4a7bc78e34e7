"""Payouts of 64 deals side by side: in a closed form where nobody shares a pot, else pot by pot.

Let F(x) be the chips that all seats have put in up to x each. A live seat wins what lies between m, the most that a
stronger live seat has put in, and its own contribution c: F(c) - F(m), or nothing if m is as much as c. What is above
every live contribution belongs to who wins the highest of them: for seats that have put in that much, c has no bound.

Deals in which equal hands may share a pot wait until they are 64; where most do, a block goes pot by pot at once. Those
in which something is wrong or nobody live has a chip, blocks with numbers too large, and what is left over at the end
go one by one, by ``pots.py``.
"""

from typing import Any

import numpy as np
from numba import int32

from . import pots
from ._compile import inline, kernel
from .bits import plain_loop
from .columns import (
    DEALS,
    NO_BOUND,
    clear_won,
    give_rows,
    go_side_by_side,
    make_table,
    pick_columns,
    survey,
    take_block,
)
from .side_pots import begin, next_pot, share_out

__all__ = ["pay"]


@inline
def _pay_unshared(seats, t):
    """Fill `won`, and say where pots may be shared: there it means nothing."""
    beaten, bound, chips = t.below, t.bound, t.chips
    for deal in range(DEALS):
        t.shared[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            beaten[deal] = int32(0)
            chips[deal] = int32(0)
            bound[deal] = NO_BOUND if t.bets[p, deal] == t.highest[deal] else t.bets[p, deal]
        for q in range(seats):
            for deal in range(DEALS):
                stronger = t.hands[q, deal] > t.hands[p, deal]
                beaten[deal] = max(beaten[deal], t.bets[q, deal] if stronger else int32(0))
        for q in range(seats):
            for deal in range(DEALS):
                chips[deal] += min(t.bets[q, deal], bound[deal]) - min(t.bets[q, deal], beaten[deal])
        for deal in range(DEALS):
            wins = (t.hands[p, deal] > 0) & (t.bets[p, deal] > beaten[deal])
            t.won[p, deal] = chips[deal] if wins else int32(0)
        for q in range(p):
            for deal in range(DEALS):
                equal = (t.hands[q, deal] == t.hands[p, deal]) & (t.hands[p, deal] > 0)
                t.shared[deal] |= int32(equal & (min(t.bets[p, deal], t.bets[q, deal]) > beaten[deal]))


@inline
def _pay_shared(seats, numbers, buttons, spread, t):
    """Fill `won` pot by pot, of deals with these numbers, and say where pots were shared."""
    begin(numbers, buttons, t)
    clear_won(seats, t)
    while next_pot(seats, t):
        share_out(seats, spread, len(buttons) > 0, t)


@kernel
def _pay(chips, strengths, live, buttons, spread, payouts):
    deals, seats = chips.shape
    t = make_table()
    flat_chips, flat_strengths, flat_live = chips.reshape(-1), strengths.reshape(-1), live.reshape(-1)
    flat_payouts = payouts.reshape(-1)
    alone, together, waiting = np.empty(2 * DEALS, np.int64), np.empty(2 * DEALS, np.int64), 0
    bad, first, mostly_shared = 0, -1, False
    for done in range(0, deals, DEALS):
        count, end = 0, min(done + DEALS, deals)
        span = slice(seats * done, seats * end)
        if not take_block(seats, done, deals, flat_chips, flat_strengths, flat_live, alone, t):
            count = end - done
        else:
            survey(seats, t)
            by_pot = mostly_shared
            if by_pot:
                _pay_shared(seats, alone, buttons, spread, t)
            else:
                _pay_unshared(seats, t)
            give_rows(seats, t.won, t.rows, flat_payouts[span])
            shared = 0
            for deal in range(DEALS):
                plain_loop()
                i = done + deal
                fits = t.others[deal] == 0 and (len(buttons) == 0 or 0 <= buttons[i] < seats)
                alone[count] = together[waiting] = i
                count += not fits
                shared += t.shared[deal]
                waiting += fits and not by_pot and t.shared[deal] != 0
            mostly_shared = 2 * shared > DEALS
        if waiting >= DEALS:
            pick_columns(seats, chips, strengths, live, together, t)
            survey(seats, t)
            _pay_shared(seats, together, buttons, spread, t)
            for deal in range(DEALS):
                plain_loop()
                for p in range(seats):
                    plain_loop()
                    payouts[together[deal], p] = t.won[p, deal]
            waiting -= DEALS
            for k in range(waiting):  # an assignment of a slice takes seconds to compile
                plain_loop()
                together[k] = together[DEALS + k]
        if end == deals:
            for k in range(waiting):
                plain_loop()
                alone[count] = together[k]
                count += 1
        if count > 0:
            more, at = pots.pay(alone[:count], chips, strengths, live, buttons, spread, payouts)
            first = at if first < 0 else first
            bad += more
    return bad, first


def pay(chips: Any, *more: Any) -> tuple[int, int]:
    """Fill payouts as ``pots.pay`` does for all deals."""
    bad, first = _pay(chips, *more) if go_side_by_side(chips) else pots.pay(np.arange(len(chips)), chips, *more)
    return bad, first
