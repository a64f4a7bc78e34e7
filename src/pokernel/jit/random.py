"""Random numbers for kernels: xoshiro256++ (Blackman and Vigna), and cards drawn from a deck without bias.

A state is four ``uint64``, not all zero; one state a chunk of work makes answers independent of who does which chunk.
"""

import numpy as np
from numba import int64, uint64

from ._compile import inline
from .bits import multiply, nth_bit, popcount, trailing_zeros

__all__ = ["draw", "draw_cards", "pick"]

ZERO, ONE, NINE = np.uint64(0), np.uint64(1), np.uint64(9)


@inline
def _next(state):
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    mixed = s0 + s3
    result = ((mixed << uint64(23)) | (mixed >> uint64(41))) + s0
    t = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    state[1] = s1 ^ s2
    state[0] = s0 ^ s3
    state[2] = s2 ^ t
    state[3] = (s3 << uint64(45)) | (s3 >> uint64(19))
    return result


@inline
def draw(state, n):
    """A number from 0 to n - 1 (Lemire's method: the few words that would favour some numbers are passed over)."""
    high, low = multiply(_next(state), uint64(n))
    if low < uint64(n):
        threshold = -uint64(n) % uint64(n)
        while low < threshold:
            high, low = multiply(_next(state), uint64(n))
    return int64(high)


@inline
def pick(state, thresholds, aliases, start, n):
    """One of n weighted items, by Walker's and Vose's alias tables, which begin at `start`."""
    high, low = multiply(_next(state), uint64(n))
    item = start + int64(high)
    return int64(high) if low <= thresholds[item] else int64(aliases[item])


@inline
def draw_cards(state, deck, count, out):
    """Draw so many cards from a deck, a mask of 52 bits, into the first places of `out`.

    One word for up to nine cards (Brackett-Rozinsky and Lemire 2024). A word is passed over, as seldom as with Lemire's
    method, where outcomes would not all get equally many.
    """
    place, count = ZERO, uint64(count)  # numba checks signed indices for negative values
    left, size = uint64(deck), uint64(popcount(deck))
    while place < count:
        start, before = place, left
        end = min(count, place + NINE)
        low, outcomes = _next(state), ONE
        while place < end:
            outcomes *= size - place
            high, low = multiply(low, size - place)
            bit = nth_bit(left, high)
            left ^= bit
            out[place] = trailing_zeros(int64(bit))
            place += ONE
        if low < outcomes and low < -outcomes % outcomes:
            place, left = start, before
