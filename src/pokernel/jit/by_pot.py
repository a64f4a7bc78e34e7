"""Every pot of 64 deals side by side: chips, winners and who could have won it; and bets that nobody called.

Results are put together in a cache and then written from first to last: they are new memory as a rule, and several
passes over it would cost more than all the arithmetic. As in ``payouts.py``, deals that are not for columns go one by
one, by ``pots.py``.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int32

from . import pots as one_by_one
from ._compile import inline, inline_early, kernel
from .bits import plain_loop
from .columns import (
    DEALS,
    NO_BOUND,
    SEATS,
    clear_won,
    give_rows,
    go_side_by_side,
    make_table,
    survey,
    take_block,
)
from .side_pots import begin, next_pot, share_out

__all__ = ["most_pots", "pay_by_pot", "pots_at_most"]


COULD = np.iinfo(np.int32).min  # the sign: of all chips of a deal in columns, no more than 31 bits


class Notes(NamedTuple):
    """What is known of 64 deals' pots, flat."""

    pots: Any
    """Pot by pot for each deal: its chips."""
    seats: Any
    """Seat by seat for each pot: what it won, and ``COULD`` if it could."""


@inline_early
def _make_notes(pots, seats):
    """Make room for so many pots a deal."""
    return Notes(np.empty(DEALS * pots, np.int32), np.empty(DEALS * pots * seats, np.int32))


@inline
def _most_of(seats, t):
    """How many pots one of 64 deals has at most, as ``pots.most_pots`` counts them."""
    new, count, most = t.ways, t.odd, int32(0)
    for deal in range(DEALS):
        merged = (t.dead[deal] <= t.second[deal]) & (t.second[deal] < t.highest[deal])
        count[deal] = int32((t.highest[deal] == 0) & (t.dead[deal] > 0)) - int32(merged)
    for p in range(seats):
        for deal in range(DEALS):
            new[deal] = int32((t.hands[p, deal] > 0) & (t.bets[p, deal] > 0))
        for q in range(p):
            for deal in range(DEALS):
                new[deal] &= int32((t.hands[q, deal] == 0) | (t.bets[q, deal] != t.bets[p, deal]))
        for deal in range(DEALS):
            count[deal] += new[deal]
    for deal in range(DEALS):
        most = max(most, count[deal])
    return int(most)


@kernel
def _most_pots(chips, live, enough):
    deals, seats = chips.shape
    t, numbers = make_table(), np.empty(DEALS, np.int64)
    flat_chips, flat_live, most = chips.reshape(-1), live.reshape(-1), 0
    for done in range(0, deals, DEALS):
        # flags will do for strengths
        if take_block(seats, done, deals, flat_chips, flat_live, flat_live, numbers, t):
            survey(seats, t)
            most = max(most, _most_of(seats, t))
        else:
            most = max(most, one_by_one.most_pots(numbers[: min(DEALS, deals - done)], chips, live))
        if most >= enough:
            break
    return most


@inline
def _return_uncalled(seats, uncalled, back, t):
    """What one live seat put in above all others goes back."""
    for deal in range(DEALS):
        uncalled[deal] = max(t.highest[deal] - max(t.second[deal], t.dead[deal]), int32(0))
    for p in range(seats):
        for deal in range(DEALS):
            is_highest = (t.hands[p, deal] > 0) & (t.bets[p, deal] == t.highest[deal])
            back[p, deal] = uncalled[deal] if is_highest else int32(0)


@inline
def _leave_out_uncalled(uncalled, pot, t):
    """Take it out of the last pot, which may not be one then; `pot` is what is left in each."""
    for deal in range(DEALS):
        is_last = (t.bound[deal] == NO_BOUND) & (t.best[deal] > 0)
        t.chips[deal] -= uncalled[deal] if is_last else int32(0)
        t.best[deal] = t.best[deal] if t.chips[deal] > 0 else int32(0)
        pot[deal] = t.chips[deal]


@inline
def _see_who_could(seats, outcomes, t):
    """Who could win the pot at hand."""
    for p in range(seats):
        for deal in range(DEALS):
            above = (t.hands[p, deal] > 0) & (t.bets[p, deal] > t.below[deal])
            outcomes[p, deal] = int32(COULD) if (t.best[deal] > 0) & above else int32(0)


@inline
def _add_won(seats, outcomes, paid, t):
    """And who did."""
    for p in range(seats):
        for deal in range(DEALS):
            outcomes[p, deal] |= t.won[p, deal]
            paid[p, deal] += t.won[p, deal]


@inline
def _note_pot(seats, most, k, pot, outcomes, notes):
    """Note pot `k` of each deal."""
    for deal in range(DEALS):
        plain_loop()
        notes.pots[most * deal + k] = pot[deal]
    for p in range(seats):
        at = seats * k + p
        for deal in range(DEALS):
            plain_loop()
            notes.seats[at] = outcomes[p, deal]
            at += most * seats


@inline
def _note_none(seats, most, k, notes):
    """Note that there are no pots from `k` on."""
    for deal in range(DEALS):
        plain_loop()
        for none in range(most * deal + k, most * (deal + 1)):
            plain_loop()
            notes.pots[none] = 0
        for none in range(seats * (most * deal + k), seats * most * (deal + 1)):
            plain_loop()
            notes.seats[none] = 0


@inline
def _write_notes(notes, pots, won, eligible):
    """All notes of 64 deals to where they belong."""
    for i in range(len(pots)):
        pots[i] = notes.pots[i]
    for i in range(len(won)):
        won[i] = notes.seats[i] & ~COULD
    for i in range(len(eligible)):
        eligible[i] = notes.seats[i] < 0


@kernel
def _pay_by_pot(chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned):
    deals, seats = chips.shape
    t, uncalled, pot = make_table(), np.empty(DEALS, np.int32), np.empty(DEALS, np.int32)
    paid, outcomes = np.empty((SEATS, DEALS), np.int32), np.empty((SEATS, DEALS), np.int32)
    flat_chips, flat_strengths, flat_live = chips.reshape(-1), strengths.reshape(-1), live.reshape(-1)
    flat_payouts, flat_returned = payouts.reshape(-1), returned.reshape(-1)
    flat_pots, flat_won, flat_eligible = pots.reshape(-1), won.reshape(-1), eligible.reshape(-1)
    most = pots.shape[1]
    notes = _make_notes(most, seats)
    alone, bad, first = np.empty(DEALS, np.int64), 0, -1
    for done in range(0, deals, DEALS):
        count, end = 0, min(done + DEALS, deals)
        span = slice(seats * done, seats * end)
        if not take_block(seats, done, deals, flat_chips, flat_strengths, flat_live, alone, t):
            count = end - done
        else:
            survey(seats, t)
            begin(alone, buttons, t)
            _return_uncalled(seats, uncalled, paid, t)
            give_rows(seats, paid, t.rows, flat_returned[span])
            k = 0
            while next_pot(seats, t):
                _leave_out_uncalled(uncalled, pot, t)
                _see_who_could(seats, outcomes, t)
                clear_won(seats, t)
                share_out(seats, spread, len(buttons) > 0, t)
                _add_won(seats, outcomes, paid, t)
                if k < most:
                    _note_pot(seats, most, k, pot, outcomes, notes)
                else:
                    for deal in range(DEALS):  # chips that changed since pots were counted
                        t.others[deal] |= t.best[deal]
                k += 1
            _note_none(seats, most, k, notes)
            by_seat = slice(most * span.start, most * span.stop)
            _write_notes(notes, flat_pots[most * done : most * end], flat_won[by_seat], flat_eligible[by_seat])
            give_rows(seats, paid, t.rows, flat_payouts[span])
            for deal in range(DEALS):
                plain_loop()
                i = done + deal
                alone[count] = i
                count += t.others[deal] != 0 or (len(buttons) > 0 and not 0 <= buttons[i] < seats)
        if count > 0:
            more, at = one_by_one.pay_by_pot(
                alone[:count], chips, strengths, live, buttons, spread, payouts, pots, won, eligible, returned
            )
            first = at if first < 0 else first
            bad += more
    return bad, first


def pots_at_most(seats: int) -> int:
    """How many pots there can be: what the last of seats alone put in goes back, or is added to another pot."""
    return max(seats - 1, 1)


def most_pots(chips: Any, live: Any) -> int:
    """How many pots a deal has at most, as ``pots.most_pots`` counts them; counts no further than that many."""
    if go_side_by_side(chips):
        return int(_most_pots(chips, live, pots_at_most(chips.shape[1])))
    return int(one_by_one.most_pots(np.arange(len(chips)), chips, live))


def pay_by_pot(chips: Any, *more: Any) -> tuple[int, int]:
    """Fill all that ``pots.pay_by_pot`` does, for all deals."""
    if go_side_by_side(chips):
        bad, first = _pay_by_pot(chips, *more)
    else:
        bad, first = one_by_one.pay_by_pot(np.arange(len(chips)), chips, *more)
    return bad, first
