"""Payouts without looking at pots, 64 deals at once, where nobody shares one.

Let F(x) be the chips that all seats have put in up to x each. A live seat wins what lies between m, the most that a
stronger live seat has put in, and its own contribution c: F(c) - F(m), or nothing if m is as much as c. What is above
every live contribution belongs to who wins the highest of them: for seats that have put in that much, c has no bound.

So 64 deals become columns of ``int32``, over which LLVM vectorizes the loops. Deals in which equal hands may share a
pot, in which something is wrong or nobody live has a chip, and blocks with numbers too large for that go one by one,
by ``pots.py``, like those left over at the end.
"""

import numpy as np
from numba import int32, int64
from numba.core import config

from . import pots
from ._compile import inline_early, kernel
from .bits import plain_loop

__all__ = ["pay"]

DEALS = 64
SEATS = 32
TOO_MANY = 1 << 26  # chips of a seat, or strengths: 32 times as much is still an int32
NO_BOUND = np.iinfo(np.int32).max


@inline_early
def _columns_of(rows, seats, columns):
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            columns[p, deal] = rows[k]
            k += seats


@inline_early
def _rows_of(columns, seats, rows):
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            rows[k] = columns[p, deal]
            k += seats


@inline_early
def _take(chips, strengths, live, seats, rows, bets, hands):
    """Columns of chips and of hands: 0 for folded seats, 1 for live ones without a strength, else the strength and 1.

    Gives a number that is not in ``range(TOO_MANY)`` if one of them may not fit.
    """
    all_bits = int64(0)
    for k in range(DEALS * seats):
        all_bits |= chips[k]
        rows[k] = int32(chips[k])
    _columns_of(rows, seats, bets)
    for k in range(DEALS * seats):
        strength = max(strengths[k], int64(0)) + 1 if live[k] else int64(0)
        all_bits |= strength
        rows[k] = int32(strength)
    _columns_of(rows, seats, hands)
    return all_bits


@inline_early
def _pay_unshared(bets, hands, seats, highest, beaten, bound, chips, won, special):
    """Fill `won`, by seat and deal, and say which deals are special: theirs means nothing. The rest is scratch."""
    for deal in range(DEALS):
        highest[deal] = int32(0)
        chips[deal] = int32(0)
        bound[deal] = int32(0)
    living, weak = chips, bound
    for p in range(seats):
        for deal in range(DEALS):
            hand = hands[p, deal]
            highest[deal] = max(highest[deal], bets[p, deal] if hand > 0 else int32(0))
            living[deal] += int32(hand > 0)
            weak[deal] |= int32(hand == 1)
    for deal in range(DEALS):
        special[deal] = int32((highest[deal] == 0) | ((weak[deal] != 0) & (living[deal] > 1)))
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
                special[deal] |= int32(equal & (min(bets[p, deal], bets[q, deal]) > beaten[deal]))


@kernel
def _pay(chips, strengths, live, buttons, spread, payouts):
    deals, seats = chips.shape
    bad, first, done = 0, -1, 0
    alone = np.empty(DEALS, np.int64)
    side_by_side = seats <= SEATS and deals >= DEALS
    size = (seats, DEALS) if side_by_side else (0, 0)
    bets, hands, won = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    rows, special = np.empty(size[0] * size[1], np.int32), np.empty(size[1], np.int32)
    a, b, c, d = (
        np.empty(size[1], np.int32),
        np.empty(size[1], np.int32),
        np.empty(size[1], np.int32),
        np.empty(size[1], np.int32),
    )
    bets_in_a_row, strengths_in_a_row, live_in_a_row, payouts_in_a_row = (
        chips.reshape(-1),
        strengths.reshape(-1),
        live.reshape(-1),
        payouts.reshape(-1),
    )
    while done < deals:
        count = 0
        if side_by_side and done + DEALS <= deals:
            span = slice(seats * done, seats * (done + DEALS))
            given = _take(bets_in_a_row[span], strengths_in_a_row[span], live_in_a_row[span], seats, rows, bets, hands)
            _pay_unshared(bets, hands, seats, a, b, c, d, won, special)
            _rows_of(won, seats, rows)
            paid = payouts_in_a_row[span]
            for k in range(DEALS * seats):
                paid[k] = rows[k]
            small = 0 <= given < TOO_MANY
            for deal in range(DEALS):
                plain_loop()
                alone[count] = done + deal
                known = len(buttons) == 0 or 0 <= buttons[done + deal] < seats
                count += not (small and known and special[deal] == 0)
        else:
            for deal in range(done, min(done + DEALS, deals)):
                plain_loop()
                alone[count] = deal
                count += 1
        for k in range(count):
            plain_loop()
            i = alone[k]
            if not pots.pay_deal(
                False, i, chips, strengths, live, buttons, spread, payouts, payouts, payouts, payouts, payouts
            ):
                bad += 1
                first = i if first < 0 else first
        done += DEALS
    return bad, first


pay = pots.pay if config.DISABLE_JIT else _pay
"""Fill `payouts` as ``pots.pay`` does; interpreted, nothing is gained by columns."""
