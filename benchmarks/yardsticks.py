"""What pokernel's bulk kernels are held against, one hand at a time, in plain numba."""

import functools
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from pokernel.jit import card_key, card_mask, lookup7, strength5, strength6, strength7
from pokernel.jit.bits import address, peek

from .deal import Hands, compiled

__all__ = ["SCALAR", "best_of_21", "count_nested", "fill_a_core", "roofline", "scalar_again", "slot_table"]

Strengths = NDArray[np.uint16]
FIVES = tuple(combinations(range(7), 5))


@compiled
def _scalar5(hands: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = strength5(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4])


@compiled
def _scalar6(hands: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = strength6(hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3], hands[i, 4], hands[i, 5])


@compiled
def _scalar7(hands: Any, out: Any) -> None:
    for i in range(len(out)):
        h = hands[i]
        out[i] = strength7(h[0], h[1], h[2], h[3], h[4], h[5], h[6])


SCALAR: dict[int, Callable[[Hands, Strengths], None]] = {5: _scalar5, 6: _scalar6, 7: _scalar7}
"""By hand size: the scalar kernel of ``pokernel.jit`` over rows, nothing checked."""


@compiled
def best_of_21(hands: Any, out: Any) -> None:
    """Fill `out` with the best of each seven-card row's five-card subsets."""
    for i in range(len(out)):
        best = 0
        for a, b, c, d, e in FIVES:
            strength = strength5(hands[i, a], hands[i, b], hands[i, c], hands[i, d], hands[i, e])
            if strength > best:
                best = strength
        out[i] = best


@compiled
def roofline(hands: Any, table: Any, out: Any) -> None:
    """Read each row of seven bytes as one word, one entry of the table at a random place, write it.

    The place is the top 16 bits of a product, which every card moves. Of the ways tried (byte by byte, four hands a
    step, 32-bit hashing, all in order) the fastest; LLVM unrolls it.
    """
    cards, last = address(hands), len(out) - 1
    for i in range(last):
        word = peek(int64, cards + 7 * i) << 8  # the eighth byte is the next row's
        out[i] = table[(uint64(word) * uint64(0x9E3779B97F4A7C15)) >> uint64(48)]
    word = peek(int64, cards + 7 * last - 1) & ~0xFF
    out[last] = table[(uint64(word) * uint64(0x9E3779B97F4A7C15)) >> uint64(48)]


@functools.cache
def slot_table() -> Strengths:
    """128 KiB of strengths for :func:`roofline`."""
    return np.random.default_rng(0).integers(1, 7463, 1 << 16, np.uint16)


@compiled
def count_nested(counts: Any) -> None:
    """Count all C(52,7) hands by strength: seven loops that add card keys and masks, one look-up a hand."""
    for a in range(6, 52):
        key_a, mask_a = card_key(a), card_mask(a)
        for b in range(5, a):
            key_b, mask_b = key_a + card_key(b), mask_a + card_mask(b)
            for c in range(4, b):
                key_c, mask_c = key_b + card_key(c), mask_b + card_mask(c)
                for d in range(3, c):
                    key_d, mask_d = key_c + card_key(d), mask_c + card_mask(d)
                    for e in range(2, d):
                        key_e, mask_e = key_d + card_key(e), mask_d + card_mask(e)
                        for f in range(1, e):
                            key_f, mask_f = key_e + card_key(f), mask_e + card_mask(f)
                            for g in range(f):
                                counts[lookup7(key_f + card_key(g), mask_f + card_mask(g))] += 1


@compiled
def scalar_again(hands: Any, times: Any, sums: Any, place: Any) -> None:
    """The scalar kernel over the same few hands, so many times: nothing but a core and its first-level cache."""
    total = int64(0)
    for _ in range(times):
        for i in range(len(hands)):
            h = hands[i]
            total += strength7(h[0], h[1], h[2], h[3], h[4], h[5], h[6])
    sums[place] = total


@compiled
def fill_a_core(steps: Any, results: Any, place: Any) -> None:
    """So many steps of eight chains of arithmetic side by side: many instructions a cycle, no memory."""
    a = b = c = d = e = f = g = h = int64(place + 1)
    for i in range(steps):
        a = (a + i) ^ b
        b = (b - i) ^ c
        c = (c + i) ^ d
        d = (d - i) ^ e
        e = (e + i) ^ f
        f = (f - i) ^ g
        g = (g + i) ^ h
        h = (h - i) ^ a
    results[place] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
