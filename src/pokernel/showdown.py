"""What plays at a showdown: the best five cards of a hand."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .evaluation import evaluate
from .inputs import as_array, as_one_hand, read
from .single import best_of, strength_of
from .tables import load

__all__ = ["best_five"]

BLOCK = 1 << 15  # hands whose cards and strengths are held at once


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
    parts = [read(hands)] if board is None else [read(hands), read(board, "board")]
    hand = as_one_hand(parts)
    if hand is not None:
        return best_of(hand, strength_of(hand))
    return _best_five_of_arrays([as_array(part, what) for part, what in zip(parts, ("hands", "board"), strict=False)])


def _best_five_of_arrays(parts: list[NDArray[Any]]) -> NDArray[np.uint8]:
    from .jit.best import best_rows

    strengths = np.asarray(evaluate(*parts))  # checks everything
    shape = strengths.shape
    k = sum(part.shape[-1] for part in parts)
    out = np.empty((*shape, 5), np.uint8)
    if not strengths.size:
        return out
    ranks, categories = load("ranks"), load("categories")
    outer = shape[0]
    step = max(1, BLOCK // max(1, math.prod(shape[1:])))
    parts = [np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts]
    for start in range(0, outer, step):
        rows = slice(start, min(start + step, outer))
        cards = np.empty((rows.stop - start, *shape[1:], k), np.uint8)
        at = 0
        for part in parts:
            np.copyto(cards[..., at : at + part.shape[-1]], part[rows], casting="unsafe")
            at += part.shape[-1]
        best_rows(cards.reshape(-1, k), strengths[rows].reshape(-1), ranks, categories, out[rows].reshape(-1, 5))
    return out
