"""Perfect hashes of rank multisets: sums of thirteen logarithms, rows of them displaced so that no two meet.

``README.md`` has the maths, ``build_tables.py`` what is hashed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ranks = tuple[int, ...]

LOGARITHMS = (
    *(388240398, 101326086, 69278498, 135992583, 553978404, 119218181, 252445703),
    *(302384654, 402656515, 604770596, 353504768, 437986062, 725785),
)
"""Discrete logarithms of thirteen other primes, deuce to ace: ``5**x == ±prime (mod 2**34)``.

``build_tables.py --search`` found them. They are chosen for their short digits: in base 256 no digit exceeds 36, so
seven cards sum without a carry and a SIMD kernel may add each byte by itself. Sums of logarithms are logarithms of
products, modulo 2**32.
"""

MULTIPLIER = 2321673307
"""Scales every logarithm, which only changes the generator 5; found by ``--search`` so that all three hashes fit."""

HASHES = {5: (10, 13), 6: (12, 15), 7: (13, 16)}
"""Hand size -> (row bits, slot bits): 2**row bits displacements into 2**slot bits strengths."""


def sieve(limit: int) -> list[int]:
    """All primes below `limit`."""
    composite = bytearray(limit)
    for d in range(2, math.isqrt(limit) + 1):
        if not composite[d]:
            composite[d * d :: d] = b"\1" * len(range(d * d, limit, d))
    return [p for p in range(2, limit) if not composite[p]]


SMALL_PRIMES = sieve(1 << 17)  # enough to prove a number below 2**34 prime


def power_of_five(logarithm: int) -> int:
    """The prime whose logarithm this is: ``5**logarithm`` or its negative modulo 2**34, 0 if neither is prime."""
    power = pow(5, logarithm, 1 << 34)
    return next((p for p in (power, (1 << 34) - power) if p > 1 and all(p % d for d in SMALL_PRIMES)), 0)


def digits(logarithms: Sequence[int]) -> NDArray[np.uint8]:
    """The four base-256 digits of each logarithm, lowest first: (13, 4)."""
    return np.array([list(x.to_bytes(4, "little")) for x in logarithms], np.uint8)


def rank_keys(logarithms: Sequence[int], multiplier: int) -> NDArray[np.uint32]:
    """What one card of each rank adds to a hand's key: its scaled logarithm, modulo 2**32."""
    return (np.array(logarithms, np.uint64) * np.uint64(multiplier) & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def displace(
    sums: NDArray[np.uint32], values: NDArray[np.uint16], row_bits: int, slot_bits: int
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]] | None:
    """Row displacement: ``slot = (sum + displacement[sum >> (32 - row_bits)]) mod 2**slot_bits``.

    Rows are placed densest first, each at the first displacement where none of its sums meets a taken slot.
    Returns (displacements, strengths by slot), or None where a row does not fit.
    """
    slots = 1 << slot_bits
    row = (sums >> np.uint32(32 - row_bits)).astype(np.intp)
    column = (sums & np.uint32(slots - 1)).astype(np.intp)
    count = np.bincount(row, minlength=1 << row_bits)
    members = np.split(np.argsort(row, kind="stable"), np.cumsum(count)[:-1])
    taken_twice = np.zeros(2 * slots, bool)  # the slots, twice over: a shifted view needs no wrap-around
    displacement, table = np.zeros(1 << row_bits, np.uint16), np.zeros(slots, np.uint16)
    for r in np.argsort(-count, kind="stable"):
        columns = column[members[r]]
        if len(np.unique(columns)) < len(columns):
            return None
        clash = np.zeros(slots, bool)
        for c in columns:
            clash |= taken_twice[c : c + slots]
        shift = int(np.argmin(clash))
        if clash[shift]:
            return None
        at = (columns + shift) & (slots - 1)
        taken_twice[at] = taken_twice[at + slots] = True
        table[at], displacement[r] = values[members[r]], shift
    return displacement, table


def perfect_hashes(keys: NDArray[np.uint32], best: dict[int, dict[Ranks, int]]) -> dict[str, NDArray[np.uint16]] | None:
    """Displacements and strengths for 5, 6 and 7 cards under one set of keys, or None where one does not fit."""
    tables = {}
    for size in (7, 5, 6):
        sums = keys[np.array(list(best[size]))].sum(axis=1, dtype=np.uint32)
        values = np.array(list(best[size].values()), np.uint16)
        if len(np.unique(sums)) < len(sums):
            return None  # two rank multisets share a sum
        fit = displace(sums, values, *HASHES[size])
        if fit is None:
            return None
        tables[f"displacements{size}"], tables[f"strengths{size}"] = fit
    return tables
