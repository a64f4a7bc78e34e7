"""A showdown deal by deal, for any CPU: the board is added up once, each seat adds its two cards.

The same results as ``showdowns.py`` reaches 32 deals at a time.
"""

import functools
from typing import Any

import numpy as np
from numba import int64, uint16
from numba.extending import overload

from ..tables import load
from . import batch
from ._compile import inline_early, kernel
from .bits import plain_loop
from .hand import card_mask
from .lookup import best_flush, has_flush, unsuited

__all__ = ["one_by_one", "set_bits", "show", "show_all", "show_live", "tables"]


def one_by_one():
    """Mark a loop that LLVM shall not vectorize, in a kernel that plain Python can run."""


@overload(one_by_one)
def _compiledone_by_one():
    return lambda: plain_loop()


@functools.cache
def tables() -> tuple[Any, ...]:
    """What the kernels read: key and mask of each byte, displacements, strengths, flush; rank digits, multiplier."""
    cards = np.empty(512, np.int64)  # side by side in one axis: a second would cost a multiplication each time
    cards[::2] = load("card_keys").view(np.int64)
    cards[1::2] = [card_mask(card) if card < 52 else 0 for card in range(256)]
    cards.flags.writeable = False
    _, digits, multiplier, displacements, strengths, flush = batch.tables(7)
    return cards, displacements, strengths, flush, digits, multiplier


@inline_early
def set_bits(mask):
    """Number of set bits of a mask, in any interpreter: LLVM makes one instruction of it."""
    pairs = mask - ((mask >> 1) & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + ((pairs >> 2) & 0x3333333333333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56) & 0xFF


@inline_early
def show(folds, boards, holes, live, tables, strengths, winners):
    """A card that is none, or that another seat or the board has too, leaves a bit of the deal's mask unset."""
    cards, displacements, unsuited_strengths, flush, _, _ = tables
    bad, first = 0, -1
    deals, seats = strengths.shape
    for i in range(deals):
        key = mask = int64(0)
        for j in range(5):
            card = 2 * int64(boards[i, j])
            key += cards[card]
            mask |= cards[card + 1]
        seen, best, count = mask, uint16(0), 5 + 2 * seats
        for p in range(seats):
            one_by_one()
            a, b = 2 * int64(holes[i, p, 0]), 2 * int64(holes[i, p, 1])
            hand, hole = key + cards[a] + cards[b], cards[a + 1] | cards[b + 1]
            if has_flush(hand):
                strength = best_flush(mask | hole, flush)
            else:
                strength = unsuited(7, hand, displacements, unsuited_strengths)
            if folds:  # without a branch: nobody foresees who folds
                kept = -int64(live[i, p])
                hole, strength = hole & kept, uint16(strength & kept)
                count -= 2 + 2 * kept
            seen |= hole
            strengths[i, p] = strength
            best = max(best, strength)
        for p in range(seats):
            one_by_one()
            winners[i, p] = strengths[i, p] == best
        if set_bits(seen) != count or best == 0:
            bad += 1
            first = i if first < 0 else first
    return bad, first


@kernel
def show_all(boards, holes, tables, strengths, winners):
    """Fill `strengths` ``uint16`` and `winners` ``bool``, ``(deals, seats)``.

    From `boards` ``(deals, 5)`` and `holes` ``(deals, seats, 2)``, ``uint8``, read-only, all C-contiguous. Returns how
    many deals have a card above 51 or one twice, and the first of them, -1 if there is none.
    """
    return show(False, boards, holes, winners, tables, strengths, winners)


@kernel
def show_live(boards, holes, live, tables, strengths, winners):
    """The same where some have folded: `live` ``(deals, seats)`` is boolean; a deal where nobody is live is bad, too.

    A folded seat has strength 0, and its cards count for nothing, whatever they are.
    """
    return show(True, boards, holes, live, tables, strengths, winners)
