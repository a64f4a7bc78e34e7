"""Deals whose cards are known to exact equities: all boards of each at once, as ``match_ups.py`` counts them."""

import numpy as np
from numba import int64, uint32

from ._compile import inline, kernel
from .match_ups import WAYS, count_by_seat, make_room

__all__ = ["equities"]

SHARED = 2520
"""A count divides by all of 1 to 10 once it is multiplied by this, and then once only is rounded."""


@inline
def _combo(hands, q):
    high, low = max(int64(hands[q, 0]), int64(hands[q, 1])), min(int64(hands[q, 0]), int64(hands[q, 1]))
    return high * (high - 1) // 2 + low


@inline
def _looked_up(hands, preflop):
    """Twice the boards that the first of two hands wins before the flop, and those that it ties."""
    counts, class_of, turn_of, turns = preflop
    first, second = _combo(hands, 0), _combo(hands, 1)
    row, column = class_of[first], turns[turn_of[first], second]
    return 2 * counts[0, row, column] + counts[1, row, column]


@kernel
def equities(boards, holes, live, folds, totals, draws, tables, preflop, out):
    """Fill `out` ``(deals, seats)``; how many deals have no live seat, no card or one twice, and the first, or -1.

    From `boards` ``(deals, cards)``, `holes` ``(deals, seats, 2)``, ``uint8``, and, if somebody `folds`, `live`
    ``(deals, seats)``; ``totals[p]`` is how many boards p players may see. `preflop` is the table of match-ups, as
    ``odds/preflop_layout.py`` lays it out.
    """
    rank_keys = tables[0]
    deals, seats = out.shape
    room, tally = make_room(seats), np.empty(seats * WAYS, np.float64)
    available, hands, seat_of = np.empty(13, np.int64), np.empty((seats, 2), np.uint8), np.empty(seats, np.int64)
    no_categories = np.empty((0, 2, 10), np.float64)
    bad, first = 0, -1
    for i in range(deals):
        taken, known, x, good = int64(0), int64(0), uint32(0), True
        for r in range(13):
            available[r] = 15
        for j in range(boards.shape[1]):
            card = int64(boards[i, j])
            good &= card < 52 and (taken >> card) & 1 == 0
            if not good:
                break
            taken |= int64(1) << card
            known |= int64(1) << (16 * (card & 3) + (card >> 2))
            x = uint32(x + rank_keys[card >> 2])
            available[card >> 2] &= ~(int64(1) << (card & 3))
        players = 0
        for p in range(seats):
            out[i, p] = 0.0
            if folds and not live[i, p]:
                continue
            for j in range(2):
                card = int64(holes[i, p, j])
                good &= card < 52 and (taken >> (card & 63)) & 1 == 0
                taken |= int64(1) << (card & 63)
                hands[players, j] = card
            seat_of[players] = p
            players += 1
        if not good or players == 0:
            bad += 1
            first = i if first < 0 else first
            continue
        if players == 1:
            out[i, seat_of[0]] = 1.0
            continue
        if players == 2 and boards.shape[1] == 0:
            share, all_boards = _looked_up(hands, preflop), 2 * totals[2]
            out[i, seat_of[0]], out[i, seat_of[1]] = share / all_boards, (all_boards - share) / all_boards
            continue
        for k in range(players * WAYS):
            tally[k] = 0.0
        count_by_seat(players, hands, known, x, available, draws, tables, tally, no_categories, room)
        for q in range(players):
            share = 0.0
            for ways in range(1, players + 1):
                count = tally[WAYS * q + ways]
                share += count * (SHARED // ways) if ways <= 10 else count * SHARED / ways
            out[i, seat_of[q]] = share / (totals[players] * SHARED)
    return bad, first
