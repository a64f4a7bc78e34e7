"""Boards by the ranks of the cards still to come, then by their suits; one for each class of suit exchanges.

Masks as in ``hand.py``: 16 bits a suit, clubs lowest, a bit a rank.
"""

from numba import int64

from ._compile import inline
from .bits import popcount

__all__ = ["exchanged", "multiplicity", "next_suits", "spread", "suits_of"]


@inline
def suits_of(mask, rank):
    """Suits of a rank that a mask holds, a bit each."""
    m = mask >> rank
    return (m & 1) | ((m >> 15) & 2) | ((m >> 30) & 4) | ((m >> 45) & 8)


@inline
def spread(suits, rank):
    """Mask of a rank's cards in these suits."""
    return ((suits & 1) | ((suits & 2) << 15) | ((suits & 4) << 30) | ((suits & 8) << 45)) << rank


@inline
def next_suits(suits, available, count):
    """The next set of so many of the available suits; 16 after the last one. 0 comes before the first."""
    suits += 1
    while suits < 16 and (suits & ~available != 0 or popcount(suits) != count):
        suits += 1
    return suits


@inline
def exchanged(mask, exchange):
    """The mask whose suit s is suit ``exchange[s]`` of this one."""
    image = int64(0)
    for s in range(4):
        image |= ((mask >> (16 * int64(exchange[s]))) & 0x1FFF) << (16 * s)
    return image


@inline
def multiplicity(mask, exchanges):
    """Boards that a group of suit exchanges makes of this one, itself included; 0 if another stands for them all."""
    fixed = 0
    for g in range(len(exchanges)):
        image = exchanged(mask, exchanges[g])
        if image > mask:
            return 0
        fixed += image == mask
    return len(exchanges) // fixed
