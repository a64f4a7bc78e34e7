"""The kernel: cards to strength, for callers inside their own numba code.

Cards are not checked here: one above 51, or the same card twice, gives a wrong answer without an error.

A card's key is one 64-bit word (``hand.py``), a hand's key their sum. Its high half finds the strength in a perfect
hash, unless its low half says that a suit has five cards (one random seven-card hand in 33): only then is the mask
of ranks by suit worth its price.
"""

from ._compile import inline
from .hand import card_key, card_mask
from .lookup import flush_strength, has_flush, unsuited5, unsuited6, unsuited7

__all__ = ["strength5", "strength6", "strength7"]


@inline
def strength5(c0, c1, c2, c3, c4):
    """Strength of five cards, ``uint16``."""
    key = card_key(c0) + card_key(c1) + card_key(c2) + card_key(c3) + card_key(c4)
    if not has_flush(key):
        return unsuited5(key)
    return flush_strength(card_mask(c0) | card_mask(c1) | card_mask(c2) | card_mask(c3) | card_mask(c4))


@inline
def strength6(c0, c1, c2, c3, c4, c5):
    """Strength of the best five of six cards, ``uint16``."""
    key = card_key(c0) + card_key(c1) + card_key(c2) + card_key(c3) + card_key(c4) + card_key(c5)
    if not has_flush(key):
        return unsuited6(key)
    mask = card_mask(c0) | card_mask(c1) | card_mask(c2) | card_mask(c3) | card_mask(c4) | card_mask(c5)
    return flush_strength(mask)


@inline
def strength7(c0, c1, c2, c3, c4, c5, c6):
    """Strength of the best five of seven cards, ``uint16``."""
    key = card_key(c0) + card_key(c1) + card_key(c2) + card_key(c3) + card_key(c4) + card_key(c5) + card_key(c6)
    if not has_flush(key):
        return unsuited7(key)
    mask = card_mask(c0) | card_mask(c1) | card_mask(c2) | card_mask(c3)
    return flush_strength(mask | card_mask(c4) | card_mask(c5) | card_mask(c6))
