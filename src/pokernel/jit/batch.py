"""Kernels over arrays of hands, many at a time: pack, look up, and mend the flushes.

A step (``steps_x86.py``) packs some dozens of hands as if there were no flushes and says in a bit mask which have one.
Where it looks them up itself (``at_once``), this runs while the next step packs. Where the processor does better with
each by itself (``apart``), a block of hands is packed and then looked up.

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

from ..tables import load
from . import pack
from ._compile import AVX2, WIDE, inline_early, kernel
from .bits import address, plain_loop
from .blocks import look_up_all, mend, pad, queue_flushes
from .steps_x86 import evaluate_step, pack_step
from .vectors_x86 import HANDS, WIDE_HANDS

__all__ = ["COLUMNS", "ROWS", "tables"]

BLOCK = 1024  # hands between mendings; these are multiples of a step, and compile-time constants
KEYS = 256  # hands that are packed, then looked up
USUAL, USUAL_WIDE = (0, 0, 0, 0, 0, 0, 2, 3), (0, 0, 0, 0, 0, 1, 3, 5)
"""By hand size: as many flushes as 49 of 50 steps have at most (of five cards 19 of 20)."""
LINE = 64  # bytes, of a cache


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
def _at_once(columns, k, cards, out, check, tables):
    _, digits, multiplier, displacements, strengths, flush = tables
    # numba frees an array after its last use by name, and addresses are no use: these are named in every block
    queue, words = np.empty(BLOCK + 1, np.int32), np.empty(BLOCK, np.int64)
    padded, starts, spare = np.empty(HANDS * 8, np.uint8), np.empty(8, np.int64), np.empty(HANDS, np.uint16)
    invalid = 0
    n = len(out)
    for start in range(0, n, BLOCK):
        end = address(queue)
        for first in range(start, min(start + BLOCK, n), HANDS):
            rest = n - first
            source, at, to = cards, first, address(out) + 2 * first
            if rest < HANDS:
                source, at, to = pad(columns, k, HANDS, cards, first, rest, padded, starts), 0, address(spare)
            flushes, bad = evaluate_step(
                columns, k, source, at, to, check, digits, multiplier, displacements, strengths
            )
            if rest < HANDS:
                flushes &= (1 << rest) - 1
                for i in range(rest):
                    plain_loop()
                    out[first + i] = spare[i]
            invalid |= bad
            end = queue_flushes(USUAL[k], flushes, first, end)
        mend(columns, k, cards, queue, end, words, address(out), flush)
    return invalid


@inline_early
def _apart(columns, k, cards, out, check, tables):
    _, digits, multiplier, displacements, strengths, flush = tables
    queue, words = np.empty(BLOCK + 1, np.int32), np.empty(BLOCK, np.int64)
    memory = np.empty(4 * KEYS + LINE, np.uint8)
    padded, starts = np.empty(WIDE_HANDS * 8, np.uint8), np.empty(8, np.int64)
    invalid = 0
    n = len(out)
    for start in range(0, n, BLOCK):
        end = address(queue)
        for packed in range(start, min(start + BLOCK, n), KEYS):
            keys, stop = (address(memory) + LINE - 1) & -LINE, min(packed + KEYS, n)
            for first in range(packed, stop, WIDE_HANDS):
                rest = n - first
                source, at = cards, first
                if rest < WIDE_HANDS:
                    source, at = pad(columns, k, WIDE_HANDS, cards, first, rest, padded, starts), 0
                flushes, bad = pack_step(columns, k, source, at, keys + 4 * (first - packed), check, digits, multiplier)
                if rest < WIDE_HANDS:
                    flushes &= (1 << rest) - 1
                invalid |= bad
                end = queue_flushes(USUAL_WIDE[k], flushes, first, end)
            look_up_all(k, keys, stop - packed, address(out) + 2 * packed, displacements, strengths)
        mend(columns, k, cards, queue, end, words, address(out), flush)
    return invalid


_loop = _apart if WIDE else _at_once


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
