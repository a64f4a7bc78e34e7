"""What loops over blocks of hands have in common: the last few hands of all, look-ups, and hands with a flush.

Those are queued by their numbers, without a branch (a mispredicted one costs as much as four hands), and mended a block
at a time from the cards themselves. Machine addresses instead of arrays keep numba from checking indices for negative
values.
"""

from numba import int32, int64, uint8

from ._compile import inline_early
from .bits import address, peek, plain_loop, poke, popcount, trailing_zeros
from .look_up_x86 import look_up_keys

__all__ = ["look_up_all", "mend", "pad", "queue_flushes"]

EIGHT = 8
ONES = 0x01_01_01_01_01_01_01_01  # one bit in each byte of a word


@inline_early
def pad(columns, k, step, cards, first, rest, padded, starts):
    """Copy the last hands to where a whole step of them may be read, the very last one several times.

    Returns what stands for their `cards`.
    """
    if not columns:
        for i in range(rest * k):
            plain_loop()
            padded[i] = peek(uint8, cards + first * k + i)
        for i in range(rest * k, step * k):
            plain_loop()
            padded[i] = padded[i - k]
        return address(padded)
    for j in range(k):
        start, to = peek(int64, cards + 8 * j) + first, step * j
        for i in range(rest):
            plain_loop()
            padded[to + i] = peek(uint8, start + i)
        for i in range(rest, step):
            plain_loop()
            padded[to + i] = padded[to + i - 1]
        starts[j] = address(padded) + to
    return address(starts)


@inline_early
def look_up_all(k, keys, hands, out, displacements, strengths):
    """Write the unsuited strengths of so many hands to the address `out`, by their sums at the address `keys`."""
    eights = hands - hands % EIGHT
    for hand in range(0, eights, EIGHT):
        look_up_keys(k, EIGHT, keys + 4 * hand, out + 2 * hand, displacements, strengths)
    for hand in range(eights, hands):
        look_up_keys(k, 1, keys + 4 * hand, out + 2 * hand, displacements, strengths)


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
def queue_flushes(usual, flushes, first, end):
    """Append the numbers of the hands whose bits are set to the queue that ends here; returns its new end.

    As many as `usual`, a constant, take no branch; what is at the end is overwritten even if there are none.
    """
    for _ in range(usual):
        poke(int32(first + trailing_zeros(flushes)), end)
        end += 4 * (flushes != 0)
        flushes &= flushes - 1
    while flushes != 0:
        poke(int32(first + trailing_zeros(flushes)), end)
        end += 4
        flushes &= flushes - 1
    return end


@inline_early
def _flush_mask(k, cards):
    """Ranks, one bit each, of the suit in which a hand has a flush, its cards the low k bytes of a word.

    Five or more of at most seven cards are of its suit: a bit of the suit is set in five cards or more, or in at most
    two.
    """
    cards &= (1 << (8 * k)) - 1
    suit = int64(popcount(cards & ONES) > 2) + 2 * int64(popcount(cards & (2 * ONES)) > 2)
    bits = ((cards & (3 * ONES)) << 4) | ((cards >> 2) & (15 * ONES))  # 16 * suit + rank, in each byte
    mask = int64(0)
    for j in range(k):
        mask |= int64(1) << ((bits >> (8 * j)) & 63)
    return (mask >> (16 * suit)) & 0x1FFF


@inline_early
def mend(columns, k, cards, queue, end, words, out, flush):
    """Write the strengths of the hands in a queue; `words` has room for as many, and to round up."""
    count = (end - address(queue)) >> 2
    for i in range(count):
        plain_loop()
        words[i] = _word(columns, k, cards, int64(queue[i]))
    for i in range((count + EIGHT - 1) // EIGHT * EIGHT):  # LLVM's to vectorize
        words[i] = _flush_mask(k, words[i])
    for i in range(count):
        plain_loop()
        poke(flush[words[i]], out + 2 * int64(queue[i]))
