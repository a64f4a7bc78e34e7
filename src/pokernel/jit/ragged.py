"""Rows of cards that differ in size: put together from lists and parts, then looked up one by one.

A row has room for `MOST` cards and a size beside it. A size above 52 is no size but says why there is no hand, by one
of the codes of ``text.py`` or by NULL, the largest.
"""

import functools
from typing import Any

import numpy as np
from numba import int64, uint8, uint16

from ..tables import load
from ._compile import inline_early, kernel
from .hand import card_mask
from .lookup import best_flush, has_flush, unsuited
from .showdown import one_by_one, set_bits
from .text import OUTSIDE

__all__ = ["BAD", "MOST", "NULL", "append", "look_up", "spread", "tables"]

MOST = 7
NULL = 255
BAD = 0xFFFF  # instead of a strength


@functools.cache
def tables() -> tuple[Any, ...]:
    """What :func:`look_up` reads: key and mask of each card, displacements and strengths for 5, 6, 7 cards, flush."""
    cards = np.empty(2 * 52, np.int64)
    cards[::2] = load("card_keys").view(np.int64)[:52]
    cards[1::2] = [card_mask(card) for card in range(52)]
    cards.flags.writeable = False
    return cards, *(load(f"{name}{k}") for k in (5, 6, 7) for name in ("displacements", "strengths")), load("flush")


@kernel
def spread(starts, stops, codes, cards, sizes):
    """Put lists into rows.

    Parameters
    ----------
    starts, stops : ``int64 (n,)``, where in `codes` each list starts and ends
    codes : ``uint8``, a card each, or what it is instead; a list with a null is null
    cards, sizes : ``uint8 (n, MOST)`` and ``(n,)``, to be filled
    """
    for row in range(len(sizes)):
        start, stop = starts[row], stops[row]
        if not 0 <= start <= stop <= len(codes):
            sizes[row] = OUTSIDE
            continue
        worst = uint8(0)
        for j in range(stop - start):
            code = codes[start + j]
            worst = max(worst, code)
            if j < MOST:
                cards[row, j] = code
        sizes[row] = worst if worst > 51 else min(stop - start, int64(52))


@kernel
def append(cards, sizes, more, counts):
    """Add the cards of other rows, `more` and `counts`, to rows; a null on either side makes a null."""
    for row in range(len(sizes)):
        size, count = int64(sizes[row]), int64(counts[row])
        if max(size, count) > 52:
            sizes[row] = max(size, count)
            continue
        for j in range(min(count, MOST - size)):
            cards[row, size + j] = more[row, j]
        sizes[row] = min(size + count, 52)


@inline_early
def _strength(k, cards, row, keys, displacements, strengths, flush):
    """Strength of a row of so many cards, BAD if one is there twice."""
    key = mask = int64(0)
    for j in range(k):
        card = 2 * int64(cards[row, j])
        key += keys[card]
        mask |= keys[card + 1]
    if set_bits(mask) != k:
        return uint16(BAD)
    return best_flush(mask, flush) if has_flush(key) else unsuited(k, key, displacements, strengths)


@kernel
def look_up(cards, sizes, strengths, tables):
    """Strengths of rows, 0 for null, BAD for what is no hand; gives how many are bad, and the first of them or -1.

    Cards are 0 … 51 where a size is one.
    """
    keys, displacements5, strengths5, displacements6, strengths6, displacements7, strengths7, flush = tables
    bad, first = 0, -1
    for row in range(len(sizes)):
        one_by_one()
        size = int64(sizes[row])
        if size == 7:
            strength = _strength(7, cards, row, keys, displacements7, strengths7, flush)
        elif size == 6:
            strength = _strength(6, cards, row, keys, displacements6, strengths6, flush)
        elif size == 5:
            strength = _strength(5, cards, row, keys, displacements5, strengths5, flush)
        else:
            strength = uint16(0) if size == NULL else uint16(BAD)
        if strength == BAD:
            bad += 1
            first = row if first < 0 else first
        strengths[row] = strength
    return bad, first
