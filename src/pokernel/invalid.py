"""Which hands are no hands, and the error that says so."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import format_card
from .errors import CardError, DuplicateCardError, HandSizeError, VerificationError
from .inputs import require_integers

__all__ = ["complaint", "invalid_rows"]

Index = tuple[Any, ...]


def invalid_rows(hands: NDArray[Any]) -> NDArray[np.bool_]:
    """Which hands are no hands.

    Parameters
    ----------
    hands : numpy.ndarray
        Integers of any dtype, shape ``(..., k)``.

    Returns
    -------
    numpy.ndarray
        Booleans, shape ``(...)``: true where a hand holds something else than 0 … 51, or a card twice.

    Raises
    ------
    TypeError
        If `hands` is not an integer array, or is masked.
    HandSizeError
        If it has no axis of cards.

    Examples
    --------
    >>> import numpy as np, pokernel
    >>> pokernel.invalid_rows(np.array([[51, 47, 43, 39, 35], [1, 1, 2, 3, 4], [0, 1, 2, 3, 52]]))
    array([False,  True,  True])
    """
    hands = np.asanyarray(hands)
    require_integers(hands, "hands")
    if not hands.ndim:
        raise HandSizeError("a single number is no hand")
    invalid = np.zeros(hands.shape[:-1], np.bool_)
    seen = np.zeros(hands.shape[:-1], np.uint64)
    for cards in np.moveaxis(hands, -1, 0):
        invalid |= (cards < 0) | (cards > 51)
        bit = np.uint64(1) << (cards & 63).astype(np.uint64)
        invalid |= (seen & bit) != 0
        seen |= bit
    return invalid


def complaint(parts: Sequence[NDArray[Any]], shape: tuple[int, ...], suspects: Sequence[Index]) -> CardError:
    """The error for the first invalid hand among blocks that have one, with the number of invalid hands."""
    first: tuple[tuple[int, ...], list[int]] | None = None
    count = 0
    for index in suspects:
        taken = [part[index] for part in parts]
        narrow = [np.where((block < 0) | (block > 51), 255, block).astype(np.uint8) for block in taken]
        invalid = invalid_rows(np.concatenate(narrow, axis=-1))
        count += int(invalid.sum())
        if first is None and invalid.any():
            inside = np.unravel_index(int(np.argmax(invalid)), invalid.shape)
            cards = [int(card) for block in taken for card in block[inside]]
            first = _position(index, inside), cards
    if first is None:
        raise VerificationError("the kernels refuse hands that are valid: run pokernel verify, reinstall pokernel")
    position, cards = first
    if len(position) < len(shape):  # blocks of a flattened array
        position = tuple(int(i) for i in np.unravel_index(position[0], shape))
    row = f"row {position[0] if len(position) == 1 else position}"
    tail = f"({count} of {math.prod(shape)} rows {'is' if count == 1 else 'are'} bad)"
    for card in cards:
        if not 0 <= card <= 51:
            return CardError(f"{row}: {card} is no card, cards are 0 to 51 {tail}")
    card = next(card for i, card in enumerate(cards) if card in cards[:i])
    return DuplicateCardError(f"{row}: {format_card(card)} ({card}) is there twice {tail}")


def _position(index: Index, inside: Sequence[Any]) -> tuple[int, ...]:
    """Where in the whole array an element of a block lies."""
    outer, block, rest = index[:-1], index[-1], inside
    return (*(int(i) for i in outer), block.start + int(rest[0]), *(int(i) for i in rest[1:]))
