"""A hand as two integers that add and subtract: the key, its ranks and how many of each suit; the mask, its cards.

Key, 64 bits: the scaled prime logarithms of the cards' ranks sum in the high 32 bits (wrapping around: the logarithm of
the product), four 4-bit counters of the suits in the low 16. Mask: 16 bits a suit, one bit a rank. Both are plain sums
over the cards, so a board can be combined once and reused, and parts of hands combine in any order. Both are ``int64``
throughout (a key may be negative): numba turns a mix of signed and unsigned integers into floating point.

Cards are not checked here: a card above 51, or one held twice, gives a wrong answer without an error.
"""

import numpy as np
from numba import int64, uint8

from ..tables import load
from ._compile import inline

__all__ = ["add", "card_key", "card_mask", "combine", "remove"]

CARD_KEYS = load("card_keys").view(np.int64)


@inline
def card_key(card):
    """Key of one card."""
    return CARD_KEYS[uint8(card)]


@inline
def card_mask(card):
    """Mask of one card."""
    c = int64(card)
    return int64(1) << (((c & 3) << 4) + (c >> 2))


@inline
def add(key, mask, card):
    """Key and mask of a hand with one more card; ``add(0, 0, card)`` starts one."""
    return int64(key) + card_key(card), int64(mask) + card_mask(card)


@inline
def remove(key, mask, card):
    """Key and mask of a hand without one of its cards."""
    return int64(key) - card_key(card), int64(mask) - card_mask(card)


@inline
def combine(key, mask, other_key, other_mask):
    """Key and mask of two disjoint hands together, say hole cards and board."""
    return int64(key) + int64(other_key), int64(mask) + int64(other_mask)
