"""Loops over arrays of hands, 32 at a time: pack and look up in one step, then mend the flushes.

A step (``pack_x86.py``) looks all its hands up as if there were no flushes and says in a bit mask which have one. Their
numbers are queued, without a branch (a mispredicted one costs as much as four hands), and mended a block at a time from
the cards themselves. Machine addresses instead of arrays keep numba from checking indices for negative values.

Kernels by hand size: ``ROWS[k](hands, out, check, tables)`` takes one flat, read-only ``uint8`` array of rows;
``COLUMNS[k](addresses, out, check, tables)`` takes the addresses of k ``uint8`` columns. `out` is a flat ``uint16``
array for fewer than 2**31 hands, `tables` what :func:`tables` gives. They return nonzero if `check` is true and a hand
holds a card above 51 or one card twice; that hand's strength is then meaningless, yet no byte outside the arrays and
tables was read.

Without AVX2 ``ROWS`` are the loops of ``pack.py``, with identical results, and ``COLUMNS`` is empty.
"""

import functools
from typing import Any

import numpy as np
from numba import int32, int64, uint8

from ..tables import load
from . import pack
from ._compile import AVX2, inline_early, kernel
from .bits import address, peek, plain_loop, poke, popcount, trailing_zeros
from .pack_x86 import evaluate_step

__all__ = ["COLUMNS", "ROWS", "queue_flushes", "tables"]

STEP = 32
BLOCK = 1024  # hands between mendings: a multiple of STEP, a compile-time constant
UNBRANCHED = (0, 0, 0, 0, 0, 0, 2, 3)
"""By hand size: as many flushes as 49 of 50 steps have at most; queuing them takes no branch to mispredict."""
ONES = 0x01_01_01_01_01_01_01_01  # one bit in each byte of a word


@functools.cache
def tables(k: int) -> tuple[Any, ...]:
    """What the kernels for k cards read: card keys, rank digits, multiplier, displacements, strengths, flush.

    Displacements and strengths have an entry to spare: gathers read two at once.
    """
    spare = np.zeros(1, np.uint16)
    hashes = [np.append(load(f"{name}{k}"), spare) for name in ("displacements", "strengths")]
    for table in hashes:
        table.flags.writeable = False
    card_keys = load("card_keys").view(np.int64)
    return card_keys, load("rank_digits"), load("multiplier"), *hashes, load("flush")


@inline_early
def _pad(columns, k, cards, first, rest, padded, starts):
    """Copy the last hands to where a whole step of them may be read; returns what stands for their `cards`."""
    if not columns:
        for i in range(rest * k):
            plain_loop()
            padded[i] = peek(uint8, cards + first * k + i)
        return address(padded)
    for j in range(k):
        start = peek(int64, cards + 8 * j) + first
        for i in range(rest):
            plain_loop()
            padded[STEP * j + i] = peek(uint8, start + i)
        starts[j] = address(padded) + STEP * j
    return address(starts)


@inline_early
def _word(columns, k, cards, hand):
    """The cards of one hand as the low bytes of a word; what is above them is not the hand's."""
    end = hand * k + k
    if not columns and end >= 8:
        return peek(int64, cards + end - 8) >> (8 * (8 - k))
    word = int64(0)
    for j in range(k):
        at = peek(int64, cards + 8 * j) + hand if columns else cards + hand * k + j
        word |= int64(peek(uint8, at)) << (8 * j)
    return word


@inline_early
def queue_flushes(k, flushes, first, end):
    """Append the numbers of the hands whose bits are set to the queue that ends here; returns its new end."""
    for _ in range(UNBRANCHED[k]):
        poke(int32(first + trailing_zeros(flushes)), end)
        end += 4 * (flushes != 0)
        flushes &= flushes - 1
    while flushes != 0:
        poke(int32(first + trailing_zeros(flushes)), end)
        end += 4
        flushes &= flushes - 1
    return end


@inline_early
def _flush_strength(k, cards, flush):
    """Strength of a hand known to hold a flush, its cards the low k bytes of a word.

    Five or more of at most seven cards are of its suit: a bit of the suit is set in five cards or more, or in at most
    two.
    """
    cards &= (1 << (8 * k)) - 1
    suit = (popcount(cards & ONES) > 2) + 2 * (popcount(cards & (2 * ONES)) > 2)
    bits = ((cards & (3 * ONES)) << 4) | ((cards >> 2) & (15 * ONES))  # 16 * suit + rank, in each byte
    mask = 0
    for j in range(k):
        mask |= 1 << ((bits >> (8 * j)) & 63)
    return flush[(mask >> (16 * suit)) & 0x1FFF]


@inline_early
def _loop(columns, k, cards, out, check, tables):
    _, digits, multiplier, displacements, strengths, flush = tables
    # numba frees an array after its last use by name, and addresses are no use: these four are named in every block
    queue = np.empty(BLOCK + 3, np.int32)
    padded, starts, spare = np.empty(STEP * 8, np.uint8), np.empty(8, np.int64), np.empty(STEP, np.uint16)
    invalid = 0
    n = len(out)
    for start in range(0, n, BLOCK):
        end = address(queue)
        for first in range(start, min(start + BLOCK, n), STEP):
            rest = n - first
            source, at, to = cards, first, address(out) + 2 * first
            if rest < STEP:
                source, at, to = _pad(columns, k, cards, first, rest, padded, starts), 0, address(spare)
            bits = evaluate_step(columns, k, source, at, to, check, digits, multiplier, displacements, strengths)
            if rest < STEP:
                bits &= ((1 << rest) - 1) * 0x1_0000_0001
                for i in range(rest):
                    plain_loop()
                    out[first + i] = spare[i]
            invalid |= bits >> 32
            end = queue_flushes(k, bits & 0xFFFFFFFF, first, end)
        for queued in range(address(queue), end, 4):
            plain_loop()
            hand = int64(peek(int32, queued))
            poke(_flush_strength(k, _word(columns, k, cards, hand), flush), address(out) + 2 * hand)
    return invalid


@kernel
def rows5(hands, out, check, tables):
    """Strengths of five-card rows."""
    return _loop(False, 5, address(hands), out, check, tables)


@kernel
def rows6(hands, out, check, tables):
    """Strengths of six-card rows."""
    return _loop(False, 6, address(hands), out, check, tables)


@kernel
def rows7(hands, out, check, tables):
    """Strengths of seven-card rows."""
    return _loop(False, 7, address(hands), out, check, tables)


@kernel
def columns5(addresses, out, check, tables):
    """Strengths of five-card hands in columns."""
    return _loop(True, 5, address(addresses), out, check, tables)


@kernel
def columns6(addresses, out, check, tables):
    """Strengths of six-card hands in columns."""
    return _loop(True, 6, address(addresses), out, check, tables)


@kernel
def columns7(addresses, out, check, tables):
    """Strengths of seven-card hands in columns."""
    return _loop(True, 7, address(addresses), out, check, tables)


ROWS = {5: rows5, 6: rows6, 7: rows7} if AVX2 else {5: pack.rows5, 6: pack.rows6, 7: pack.rows7}
COLUMNS = {5: columns5, 6: columns6, 7: columns7} if AVX2 else {}
