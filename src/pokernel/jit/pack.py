"""Loops over arrays of hands, one at a time: for any CPU, and as plain Python under ``NUMBA_DISABLE_JIT=1``.

The same results as ``batch.py`` reaches 32 or 64 at a time. Pack a hand's cards into its key, look the key up.
"""

from ._compile import inline_early, kernel
from .hand import card_mask
from .lookup import best_flush, has_flush, unsuited

__all__ = ["rows5", "rows6", "rows7"]


@inline_early
def _invalid(k, hands, at):
    """1 if the hand at this offset has a card above 51 or one twice, else 0."""
    invalid = seen = 0
    for j in range(k):
        card = int(hands[at + j])
        invalid |= (card > 51) | ((seen >> (card & 63)) & 1)
        seen |= 1 << (card & 63)
    return invalid


@inline_early
def _flush_strength(k, hands, at, flush):
    mask = 0
    for j in range(k):
        mask |= card_mask(hands[at + j] & 63)  # an unchecked byte must not shift out of the word
    return best_flush(mask, flush)


@inline_early
def _rows(k, hands, out, check, tables):
    card_keys, _, _, displacements, strengths, flush = tables
    invalid = 0
    for i in range(len(out)):
        at = k * i
        if check:
            invalid |= _invalid(k, hands, at)
        key = card_keys[hands[at]]
        for j in range(1, k):
            key += card_keys[hands[at + j]]
        if has_flush(key):
            out[i] = _flush_strength(k, hands, at, flush)
        else:
            out[i] = unsuited(k, key, displacements, strengths)
    return invalid


@kernel
def rows5(hands, out, check, tables):
    """Strengths of five-card rows; nonzero if `check` found an invalid one. See ``batch.py``."""
    return _rows(5, hands, out, check, tables)


@kernel
def rows6(hands, out, check, tables):
    """Strengths of six-card rows; nonzero if `check` found an invalid one. See ``batch.py``."""
    return _rows(6, hands, out, check, tables)


@kernel
def rows7(hands, out, check, tables):
    """Strengths of seven-card rows; nonzero if `check` found an invalid one. See ``batch.py``."""
    return _rows(7, hands, out, check, tables)
