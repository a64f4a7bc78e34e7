"""Loops over all completions of a hand, counting strengths. Keys and masks are those of ``hand.py``.

``lookup`` is ``(card_keys, displacements, strengths, flush)`` for hands of the completed size.
"""

import numpy as np
from numba import uint32

from ._compile import inline_early, kernel
from .hand import card_mask
from .lookup import best_flush, has_flush

__all__ = ["count_flushes", "count_plainly"]


@inline_early
def _unsuited(key, shift, lookup):
    x = uint32(key >> 32)
    return lookup[2][(x + lookup[1][x >> shift]) & (len(lookup[2]) - 1)]


@kernel
def count_plainly(key, mask, left, below, more, shift, lookup, counts):
    """Count, one look-up a hand, every hand of (key, mask) and `more` cards, one at least, of ``left[:below]``.

    No recursion: numba crashes on recursive functions that come from its cache.
    """
    keys, masks, chosen = np.empty(8, np.int64), np.empty(8, np.int64), np.empty(8, np.int64)
    keys[0], masks[0], chosen[0] = key, mask, below
    drawn = 0  # cards drawn from the top down, all but the last; chosen[drawn] is above the next
    while drawn >= 0:
        if drawn == more - 1:
            for last in range(chosen[drawn]):
                k = keys[drawn] + lookup[0][left[last]]
                if has_flush(k):
                    counts[best_flush(masks[drawn] | card_mask(left[last]), lookup[3])] += 1
                else:
                    counts[_unsuited(k, shift, lookup)] += 1
            drawn -= 1
            continue
        chosen[drawn] -= 1
        if chosen[drawn] < more - drawn - 1:  # too few cards below for the rest of the hand
            drawn -= 1
            continue
        card = left[chosen[drawn]]
        keys[drawn + 1], masks[drawn + 1] = keys[drawn] + lookup[0][card], masks[drawn] | card_mask(card)
        chosen[drawn + 1] = chosen[drawn]
        drawn += 1


@kernel
def count_flushes(key, mask, suited, needed, others, more, shift, lookup, counts):
    """Move every hand with a flush in one suit from its ranks' strength to its own.

    The hands are (key, mask), `needed` or more of the `suited` cards left in the deck, and `others` up to `more` cards.
    """
    for subset in range(1 << len(suited)):
        k, m, drawn = key, mask, 0
        for i in range(len(suited)):
            if (subset >> i) & 1:
                k += lookup[0][suited[i]]
                m |= card_mask(suited[i])
                drawn += 1
        if drawn < needed or drawn > more:
            continue
        strength = best_flush(m, lookup[3])
        if drawn == more:
            counts[_unsuited(k, shift, lookup)] -= 1
            counts[strength] += 1
        elif drawn == more - 1:
            for i in range(len(others)):
                counts[_unsuited(k + lookup[0][others[i]], shift, lookup)] -= 1
            counts[strength] += len(others)
        else:  # a flush of five leaves two cards of seven
            for i in range(len(others)):
                first = k + lookup[0][others[i]]
                for j in range(i):
                    counts[_unsuited(first + lookup[0][others[j]], shift, lookup)] -= 1
            counts[strength] += len(others) * (len(others) - 1) // 2
