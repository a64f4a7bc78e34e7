"""Random numbers for kernels: xoshiro256++ (Blackman and Vigna), and cards drawn from a deck without bias.

A state is four ``uint64``, not all zero; one state a chunk of work makes answers independent of who does which chunk.
"""

import numpy as np
from numba import int64, uint64

from ._compile import inline
from .bits import multiply, nth_bit, popcount, trailing_zeros

__all__ = ["draw", "draw_cards", "step"]

ZERO, ONE, NINE = np.uint64(0), np.uint64(1), np.uint64(9)
MOST_OUTCOMES = np.uint64(52**9)


@inline
def step(s0, s1, s2, s3):
    """A word, and the next state: a loop that keeps it in registers is not held up by memory."""
    mixed = s0 + s3
    word = ((mixed << uint64(23)) | (mixed >> uint64(41))) + s0
    t = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    return word, s0 ^ s3, s1 ^ s2, s2 ^ t, (s3 << uint64(45)) | (s3 >> uint64(19))


@inline
def _next(state):
    word, state[0], state[1], state[2], state[3] = step(state[0], state[1], state[2], state[3])
    return word


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
def draw_cards(state, deck, count, out, places, shift):
    """Draw so many cards from a deck, a mask of 52 bits, into these places of `out`, all shifted by so much.

    One word for up to nine cards (Brackett-Rozinsky and Lemire 2024). A word is passed over, as seldom as with Lemire's
    method, where outcomes would not all get equally many; how many there are is asked of one word in thousands.
    """
    place, count = ZERO, uint64(count)  # numba checks signed indices for negative values
    left, size = uint64(deck), uint64(popcount(deck))
    while place < count:
        start, before = place, left
        end = min(count, place + NINE)
        low = _next(state)
        while place < end:
            high, low = multiply(low, size - place)
            bit = nth_bit(left, high)
            left ^= bit
            out[uint64(places[place]) + uint64(shift)] = trailing_zeros(int64(bit))
            place += ONE
        if low < MOST_OUTCOMES:
            outcomes = ONE
            for drawn in range(start, end):
                outcomes *= size - uint64(drawn)
            if low < outcomes and low < -outcomes % outcomes:
                place, left = start, before
