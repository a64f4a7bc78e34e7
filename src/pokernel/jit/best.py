"""Which five cards play: one loop over rows, from the strengths that are already known."""

from numba import int64, uint8

from ._compile import kernel

__all__ = ["best_rows"]


@kernel
def best_rows(hands, strengths, ranks, categories, out):
    """Fill `out` ``(n, 5)`` with the cards of each row of `hands` ``(n, k)`` that make its strength.

    A hand is 52 bits, four a rank: the highest set bit of a rank's four is its highest suit. In a flush only one suit
    counts, the one with five bits or more.
    """
    for i in range(len(strengths)):
        strength = strengths[i]
        seen = int64(0)
        for j in range(hands.shape[1]):
            seen |= int64(1) << int64(hands[i, j])
        category = categories[strength]
        if category == 5 or category >= 8:
            for suit in range(4):
                suited = seen & (int64(0x1111111111111) << suit)
                left, count = suited, 0
                while left != 0:
                    left &= left - 1
                    count += 1
                if count >= 5:
                    seen = suited
                    break
        for j in range(5):
            rank = int64(ranks[strength, j])
            held = (seen >> (4 * rank)) & 15
            suit = 3 if held & 8 else 2 if held & 4 else 1 if held & 2 else 0
            card = 4 * rank + suit
            seen &= ~(int64(1) << card)
            out[i, j] = uint8(card)
