"""Sixty-four deals as columns of ``int32``, one a seat: loops over a column are LLVM's to vectorize, on any CPU.

Columns are arrays of shape ``(SEATS, 64)``, of which the first `seats` are in use, or ``(64,)``; LLVM vectorizes where
it knows the shapes. `bets` holds chips; `hands` 0 for folded seats, 1 for live ones without a strength, else the
strength and 1. Numbers from ``TOO_MANY`` on do not fit.
"""

from typing import Any

import numpy as np
from numba import int32, int64
from numba.core import config

from ._compile import inline_early
from .bits import plain_loop

__all__ = [
    "DEALS",
    "NO_BOUND",
    "SEATS",
    "TOO_MANY",
    "give_rows",
    "go_side_by_side",
    "pick_columns",
    "survey",
    "take_columns",
]

DEALS = 64
SEATS = 32
TOO_MANY = 1 << 26  # 32 seats' chips together are still an int32
NO_BOUND = np.iinfo(np.int32).max


def go_side_by_side(deals: Any) -> bool:
    """Whether deals, an array of these, are enough to fill columns, and no more seats than these have."""
    return len(deals) >= DEALS and deals.shape[1] <= SEATS and not config.DISABLE_JIT


@inline_early
def _hand(strength, live):
    return max(strength, int64(0)) + 1 if live else int64(0)


@inline_early
def _turn(rows, seats, columns):
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            columns[p, deal] = rows[k]
            k += seats


@inline_early
def take_columns(seats, chips, strengths, live, rows, bets, hands):
    """64 deals that follow each other, as flat arrays, to columns; `rows` is scratch of as many ``int32``.

    Gives a number that is not in ``range(TOO_MANY)`` if one of them may not fit.
    """
    all_bits = int64(0)
    for k in range(DEALS * seats):
        all_bits |= chips[k]
        rows[k] = int32(chips[k])
    _turn(rows, seats, bets)
    for k in range(DEALS * seats):
        hand = _hand(strengths[k], live[k])
        all_bits |= hand
        rows[k] = int32(hand)
    _turn(rows, seats, hands)
    return all_bits


@inline_early
def pick_columns(seats, chips, strengths, live, deals, bets, hands):
    """Deals with these numbers, which fit, to columns."""
    for deal in range(DEALS):
        plain_loop()
        i = deals[deal]
        for p in range(seats):
            plain_loop()
            bets[p, deal] = int32(chips[i, p])
            hands[p, deal] = int32(_hand(strengths[i, p], live[i, p]))


@inline_early
def give_rows(seats, columns, rows, out):
    """Columns to 64 deals that follow each other, a flat array; `rows` is scratch."""
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            rows[k] = columns[p, deal]
            k += seats
    for k in range(DEALS * seats):
        out[k] = rows[k]


@inline_early
def survey(seats, bets, hands, highest, odd_one_out, living, weak):
    """Each deal's highest live contribution, and whether it is for others: live hands without strengths, or no chips.

    `living` and `weak` are scratch.
    """
    for deal in range(DEALS):
        highest[deal] = int32(0)
        living[deal] = int32(0)
        weak[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            hand = hands[p, deal]
            highest[deal] = max(highest[deal], bets[p, deal] if hand > 0 else int32(0))
            living[deal] += int32(hand > 0)
            weak[deal] |= int32(hand == 1)
    for deal in range(DEALS):
        odd_one_out[deal] = int32((highest[deal] == 0) | ((weak[deal] != 0) & (living[deal] > 1)))
