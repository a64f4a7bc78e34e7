"""From a hand's key and mask to its strength: one addition, two table reads."""

from numba import uint32

from ..tables import load
from ._compile import inline, inline_early

__all__ = [
    "flush_strength",
    "has_flush",
    "lookup5",
    "lookup6",
    "lookup7",
    "unsuited",
    "unsuited5",
    "unsuited6",
    "unsuited7",
]

FLUSH = load("flush")
DISPLACEMENTS5, STRENGTHS5 = load("displacements5"), load("strengths5")
DISPLACEMENTS6, STRENGTHS6 = load("displacements6"), load("strengths6")
DISPLACEMENTS7, STRENGTHS7 = load("displacements7"), load("strengths7")

ROW_SHIFT = (0, 0, 0, 0, 0, 22, 20, 19)
"""By hand size: how far a 32-bit sum is shifted to give its row, the index of its displacement."""
SLOT_MASK = (0, 0, 0, 0, 0, 0x1FFF, 0x7FFF, 0xFFFF)
"""By hand size: the bits of a displaced sum that index the strengths."""


@inline
def has_flush(key):
    """Whether a suit's counter is five or more: then, plus three, it sets the top bit of its four."""
    return ((key + 0x3333) & 0x8888) != 0


@inline_early
def best_flush(mask, flush):
    """Strength of the hand's flush; the table is 0 below five cards, which only one suit of seven cards can reach."""
    clubs, diamonds = flush[mask & 0x1FFF], flush[(mask >> 16) & 0x1FFF]
    hearts, spades = flush[(mask >> 32) & 0x1FFF], flush[(mask >> 48) & 0x1FFF]
    return max(clubs, diamonds, hearts, spades)


@inline
def flush_strength(mask):
    """Strength of the hand's flush, 0 if it has none."""
    return best_flush(mask, FLUSH)


@inline_early
def unsuited(cards, key, displacements, strengths):
    """Strength of the ranks of so many cards: each row of sums is displaced by its own amount, so that no two meet."""
    x = uint32(key >> 32)
    return strengths[(x + displacements[x >> ROW_SHIFT[cards]]) & SLOT_MASK[cards]]


@inline
def unsuited5(key):
    """Strength of five cards' ranks."""
    return unsuited(5, key, DISPLACEMENTS5, STRENGTHS5)


@inline
def unsuited6(key):
    """Strength of six cards' ranks."""
    return unsuited(6, key, DISPLACEMENTS6, STRENGTHS6)


@inline
def unsuited7(key):
    """Strength of seven cards' ranks."""
    return unsuited(7, key, DISPLACEMENTS7, STRENGTHS7)


@inline
def lookup5(key, mask):
    """Strength of the five-card hand with this key and mask, ``uint16``."""
    return flush_strength(mask) if has_flush(key) else unsuited5(key)


@inline
def lookup6(key, mask):
    """Strength of the six-card hand with this key and mask, ``uint16``."""
    return flush_strength(mask) if has_flush(key) else unsuited6(key)


@inline
def lookup7(key, mask):
    """Strength of the seven-card hand with this key and mask, ``uint16``."""
    return flush_strength(mask) if has_flush(key) else unsuited7(key)
