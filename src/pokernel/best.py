"""The five cards that play."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .evaluation import evaluate
from .inputs import as_array, as_one_hand, read_parts
from .single import best_of, strength_of
from .tables import load

__all__ = ["best_five", "best_five_of"]

BLOCK = 1 << 13  # hands whose cards are gathered at once


def best_five(hands: Any, board: Any = None) -> Any:
    """The five of a hand's 5, 6 or 7 cards that make its strength.

    Parameters
    ----------
    hands, board
        As for :func:`pokernel.evaluate`.

    Returns
    -------
    tuple of int or numpy.ndarray
        For one hand five cards 0 … 51, otherwise ``uint8`` cards of shape ``(..., 5)``. In canonical order: the cards
        that make the category first (four before one, three before two), then from the highest rank down, the ace of a
        wheel last, equal ranks spades, hearts, diamonds, clubs. Where two choices are equally strong the higher suit
        plays.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError, TypeError
        As for :func:`pokernel.evaluate`.

    Examples
    --------
    >>> import pokernel
    >>> pokernel.format_cards(pokernel.best_five("2c As 2d Ah 9s 9c Kd"))
    'AsAh9s9cKd'
    >>> pokernel.best_five([[0, 16, 12, 8, 4, 51, 50]])
    array([[16, 12,  8,  4,  0]], dtype=uint8)
    """
    parts = read_parts(hands, board)
    hand = as_one_hand(parts)
    if hand is not None:
        return best_of(hand, strength_of(hand))
    return _best_five_of_arrays([as_array(part, what) for part, what in zip(parts, ("hands", "board"), strict=False)])


def _best_five_of_arrays(parts: list[NDArray[Any]]) -> NDArray[np.uint8]:
    strengths = np.asarray(evaluate(*parts))  # checks everything
    return best_five_of(parts, strengths.reshape(strengths.shape or (1,)))


def best_five_of(parts: Sequence[NDArray[Any]], strengths: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """The same of hands that are known to be hands, and of these strengths, which have an axis at least."""
    from .bulk import Blocks, gather_rows
    from .jit.best import best_rows

    shape = strengths.shape
    k = sum(part.shape[-1] for part in parts)
    out = np.empty((*shape, 5), np.uint8)
    if strengths.size:
        ranks, categories = load("ranks"), load("categories")
        parts = [np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts]
        blocks = Blocks(shape, BLOCK)
        for index in map(blocks.__getitem__, range(len(blocks))):
            cards = gather_rows([part[index] for part in parts], k)
            best = np.empty((*cards.shape[:-1], 5), np.uint8)
            best_rows(cards.reshape(-1, k), strengths[index].reshape(-1), ranks, categories, best.reshape(-1, 5))
            out[index] = best
    return out
