"""Sixty-four deals as columns of ``int32``, one a seat: loops over a column are LLVM's to vectorize, on any CPU.

It does where it knows the shapes: a table has room for ``SEATS``, of which the first `seats` are in use. Numbers from
``TOO_MANY`` on do not fit.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int32, int64
from numba.core import config

from ._compile import inline, inline_early
from .bits import plain_loop

__all__ = [
    "DEALS",
    "NO_BOUND",
    "SEATS",
    "TOO_MANY",
    "Table",
    "clear_won",
    "give_rows",
    "go_side_by_side",
    "make_table",
    "pick_columns",
    "survey",
    "take_block",
]

DEALS = 64
SEATS = 32
TOO_MANY = 1 << 26  # 32 seats' chips together are still an int32
NO_BOUND = np.iinfo(np.int32).max


class Table(NamedTuple):
    """Columns of 64 deals, by seat or one of each kind; kernels pass it on as it is."""

    bets: Any
    """``(SEATS, 64)``: chips."""
    hands: Any
    """0 for folded seats, 1 for live ones without a strength, else the strength and 1."""
    won: Any
    highest: Any
    """``(64,)``: the highest live contribution."""
    second: Any
    """The next one, which may be as high."""
    dead: Any
    """The highest contribution of folded seats."""
    others: Any
    """Whether the deal is none for columns."""
    shared: Any
    """Whether several may have won the same pot."""
    below: Any
    """Where the pot at hand begins, by contributions, and where it ends."""
    bound: Any
    best: Any
    """The best hand in it."""
    chips: Any
    ways: Any
    """How many have that."""
    starts: Any
    """The seat whom odd chips come to first."""
    odd: Any
    rows: Any
    """Scratch: as many numbers as a column by seat has, flat."""


@inline_early
def make_table():
    """Make room for 64 deals."""
    return Table(
        np.empty((SEATS, DEALS), np.int32),
        np.empty((SEATS, DEALS), np.int32),
        np.empty((SEATS, DEALS), np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(DEALS, np.int32),
        np.empty(SEATS * DEALS, np.int32),
    )


def go_side_by_side(deals: Any) -> bool:
    """Whether deals, an array of these, are enough to fill columns, and no more seats than these have."""
    return len(deals) >= DEALS and deals.shape[1] <= SEATS and not config.DISABLE_JIT


@inline
def _hand(strength, live):
    return max(strength, int64(0)) + 1 if live else int64(0)


@inline
def _turn(rows, seats, columns):
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            columns[p, deal] = rows[k]
            k += seats


@inline
def _take_columns(seats, chips, strengths, live, t):
    """64 deals that follow each other, as flat arrays, to columns; whether all their numbers fit."""
    all_bits = int64(0)
    for k in range(DEALS * seats):
        all_bits |= chips[k]
        t.rows[k] = int32(chips[k])
    _turn(t.rows, seats, t.bets)
    for k in range(DEALS * seats):
        hand = _hand(strengths[k], live[k])
        all_bits |= hand
        t.rows[k] = int32(hand)
    _turn(t.rows, seats, t.hands)
    return 0 <= all_bits < TOO_MANY


@inline
def take_block(seats, done, deals, chips, strengths, live, numbers, t):
    """The next 64 of so many deals, in flat arrays, and their `numbers`; False if they are fewer, or do not fit."""
    for deal in range(DEALS):
        plain_loop()
        numbers[deal] = done + deal
    if deals - done < DEALS:
        return False
    span = slice(seats * done, seats * (done + DEALS))
    return _take_columns(seats, chips[span], strengths[span], live[span], t)


@inline
def pick_columns(seats, chips, strengths, live, deals, t):
    """Deals with these numbers, which fit, to columns."""
    for deal in range(DEALS):
        plain_loop()
        i = deals[deal]
        for p in range(seats):
            plain_loop()
            t.bets[p, deal] = int32(chips[i, p])
            t.hands[p, deal] = int32(_hand(strengths[i, p], live[i, p]))


@inline
def give_rows(seats, columns, rows, out):
    """Columns to 64 deals that follow each other, a flat array; `rows` is a table's."""
    for p in range(seats):
        k = p
        for deal in range(DEALS):
            plain_loop()
            rows[k] = columns[p, deal]
            k += seats
    for k in range(DEALS * seats):
        out[k] = rows[k]


@inline
def survey(seats, t):
    """Find each deal's highest contributions, and the deals that are not for columns.

    Those have live hands without strengths, or chips where nobody live has one.
    """
    counted = t.others  # live hands, and 256 for each without a strength
    for deal in range(DEALS):
        t.highest[deal] = int32(0)
        t.second[deal] = int32(0)
        t.dead[deal] = int32(0)
        counted[deal] = int32(0)
    for p in range(seats):
        for deal in range(DEALS):
            hand = t.hands[p, deal]
            bet = t.bets[p, deal] if hand > 0 else int32(0)
            t.dead[deal] = max(t.dead[deal], t.bets[p, deal] - bet)
            t.second[deal] = max(t.second[deal], min(t.highest[deal], bet))
            t.highest[deal] = max(t.highest[deal], bet)
            counted[deal] += int32(hand > 0) + (int32(256) if hand == 1 else int32(0))
    for deal in range(DEALS):
        weak = (counted[deal] > 256) & (counted[deal] != 257)
        t.others[deal] = int32(weak | ((t.highest[deal] == 0) & (t.dead[deal] > 0)))


@inline
def clear_won(seats, t):
    """Begin with nothing won."""
    for p in range(seats):
        for deal in range(DEALS):
            t.won[p, deal] = int32(0)
