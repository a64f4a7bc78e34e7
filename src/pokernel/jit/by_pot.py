"""Every pot of 64 deals side by side: chips, winners and who could have won it; and bets that nobody called.

As in ``payouts.py``, deals that do not fit go one by one, by ``pots.py``.
"""

from typing import Any

import numpy as np
from numba import int32, int64

from . import pots as one_by_one
from ._compile import inline_early, kernel
from .bits import plain_loop
from .columns import DEALS, NO_BOUND, SEATS, TOO_MANY, give_rows, go_side_by_side, survey, take_columns
from .side_pots import next_pot, share_out

__all__ = ["most_pots", "pay_by_pot"]


@inline_early
def _look_at_bets(seats, bets, hands, top, second, dead):
    """Each deal's highest and next live contribution, and the highest of folded seats."""
    for deal in range(DEALS):
        top[deal] = int32(0)
        second[deal] = int32(0)
        dead[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            bet = bets[p, deal] if hands[p, deal] > 0 else int32(0)
            dead[deal] = max(dead[deal], bets[p, deal] - bet)
            second[deal] = max(second[deal], min(top[deal], bet))
            top[deal] = max(top[deal], bet)


@inline_early
def _most_of(seats, bets, hands, top, second, dead, new, count):
    """How many pots one of 64 deals has at most, as ``pots.count_pots`` counts them; `new` and `count` are scratch."""
    _look_at_bets(seats, bets, hands, top, second, dead)
    for deal in range(DEALS):
        merged = (dead[deal] <= second[deal]) & (second[deal] < top[deal])
        count[deal] = int32((top[deal] == 0) & (dead[deal] > 0)) - int32(merged)
    for p in range(seats):
        for deal in range(DEALS):
            new[deal] = int32((hands[p, deal] > 0) & (bets[p, deal] > 0))
        for q in range(p):
            for deal in range(DEALS):
                new[deal] &= int32((hands[q, deal] == 0) | (bets[q, deal] != bets[p, deal]))
        for deal in range(DEALS):
            count[deal] += new[deal]
    most = int32(0)
    for deal in range(DEALS):
        most = max(most, count[deal])
    return int64(most)


@kernel
def _most_pots(chips, live):
    deals, seats = chips.shape
    high, wide = SEATS, DEALS
    bets, hands = np.empty((high, wide), np.int32), np.empty((high, wide), np.int32)
    rows, lines = np.empty(high * wide, np.int32), np.empty((5, wide), np.int32)
    flat_chips, flat_live = chips.reshape(-1), live.reshape(-1)
    most, done = 0, 0
    while done < deals:
        end = min(done + DEALS, deals)
        together = end == done + DEALS
        if together:
            span = slice(seats * done, seats * end)
            # any strengths will do
            given = take_columns(seats, flat_chips[span], flat_chips[span], flat_live[span], rows, bets, hands)
            together = 0 <= given < TOO_MANY
            found = _most_of(seats, bets, hands, lines[0], lines[1], lines[2], lines[3], lines[4])
            most = max(most, found if together else 0)
        if not together:
            for i in range(done, end):
                plain_loop()
                most = max(most, one_by_one.count_pots(i, chips, live))
        done = end
    return most


@inline_early
def _write_pot(seats, done, k, bets, hands, below, best, chips, won, could, pots, won_by_pot, eligible):
    """Write pot `k` of each deal; `could`, which seats could have won it, is scratch."""
    for p in range(seats):
        for deal in range(DEALS):
            could[p, deal] = int32((best[deal] > 0) & (hands[p, deal] > 0) & (bets[p, deal] > below[deal]))
    for deal in range(DEALS):
        plain_loop()
        i = done + deal
        pots[i, k] = chips[deal]
        for p in range(seats):
            plain_loop()
            won_by_pot[i, k, p] = won[p, deal]
            eligible[i, k, p] = could[p, deal] != 0


@kernel
def _pay_by_pot(chips, strengths, live, buttons, spread, payouts, pots, won_by_pot, eligible, returned):
    deals, seats = chips.shape
    high, wide = SEATS, DEALS
    bets, hands = np.empty((high, wide), np.int32), np.empty((high, wide), np.int32)
    won, could = np.empty((high, wide), np.int32), np.empty((high, wide), np.int32)
    paid, back = np.empty((high, wide), np.int32), np.empty((high, wide), np.int32)
    rows, lines = np.empty(high * wide, np.int32), np.empty((11, wide), np.int32)
    highest, others, below, bound, best = lines[0], lines[1], lines[2], lines[3], lines[4]
    pot, ways, starts, odd, uncalled, amount = lines[5], lines[6], lines[7], lines[8], lines[9], lines[10]
    flat = chips.reshape(-1), strengths.reshape(-1), live.reshape(-1), payouts.reshape(-1), returned.reshape(-1)
    at_once, turns = int32(1) if spread else NO_BOUND, 1 + (len(buttons) > 0)
    bad, first, done = 0, -1, 0
    while done < deals:
        end = min(done + DEALS, deals)
        side_by_side = end == done + DEALS
        small = False
        if side_by_side:
            span = slice(seats * done, seats * end)
            given = take_columns(seats, flat[0][span], flat[1][span], flat[2][span], rows, bets, hands)
            small = 0 <= given < TOO_MANY
            survey(seats, bets, hands, highest, others, pot, ways)
            _look_at_bets(seats, bets, hands, highest, pot, ways)
            for deal in range(DEALS):
                uncalled[deal] = max(highest[deal] - max(pot[deal], ways[deal]), int32(0))
                below[deal] = int32(0)
                starts[deal] = int32(0)
            if len(buttons) > 0:
                for deal in range(DEALS):
                    button = buttons[done + deal]
                    others[deal] |= int32((button < 0) | (button >= seats))
                    starts[deal] = int32(button + 1)
            for p in range(seats):
                for deal in range(DEALS):
                    is_top = (hands[p, deal] > 0) & (bets[p, deal] == highest[deal])
                    back[p, deal] = uncalled[deal] if is_top else int32(0)
                    paid[p, deal] = back[p, deal]
            k = 0
            while next_pot(seats, bets, hands, highest, below, bound, best, pot, ways):
                for deal in range(DEALS):
                    pot[deal] -= uncalled[deal] if (bound[deal] == NO_BOUND) & (best[deal] > 0) else int32(0)
                    amount[deal] = pot[deal]
                    best[deal] = best[deal] if pot[deal] > 0 else int32(0)
                for p in range(seats):
                    for deal in range(DEALS):
                        won[p, deal] = int32(0)
                share_out(seats, bets, hands, below, best, pot, ways, at_once, starts, turns, odd, won)
                for p in range(seats):
                    for deal in range(DEALS):
                        paid[p, deal] += won[p, deal]
                if k < pots.shape[1]:
                    _write_pot(seats, done, k, bets, hands, below, best, amount, won, could, pots, won_by_pot, eligible)
                else:
                    for deal in range(DEALS):  # chips that changed since pots were counted
                        others[deal] |= best[deal]
                for deal in range(DEALS):
                    below[deal] = bound[deal]
                k += 1
            pots[done:end, k:] = 0
            won_by_pot[done:end, k:] = 0
            eligible[done:end, k:] = False
            give_rows(seats, paid, rows, flat[3][span])
            give_rows(seats, back, rows, flat[4][span])
        for i in range(done, end):
            plain_loop()
            if small and others[i - done] == 0:
                continue
            if not one_by_one.pay_deal(
                True, i, chips, strengths, live, buttons, spread, payouts, pots, won_by_pot, eligible, returned
            ):
                bad += 1
                first = i if first < 0 else first
        done = end
    return bad, first


def most_pots(chips: Any, live: Any) -> int:
    """How many pots a deal has at most, as ``pots.most_pots`` counts them."""
    return int((_most_pots if go_side_by_side(chips) else one_by_one.most_pots)(chips, live))


def pay_by_pot(chips: Any, *more: Any) -> tuple[int, int]:
    """Fill all that ``pots.pay_by_pot`` does, of the same arguments."""
    bad, first = (_pay_by_pot if go_side_by_side(chips) else one_by_one.pay_by_pot)(chips, *more)
    return bad, first
