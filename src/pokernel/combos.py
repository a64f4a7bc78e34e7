"""The 1,326 combos: two hole cards each, numbered; and the 169 classes that they fall into when suits do not matter.

Combo ``c`` holds two cards, the higher first: ``c = high * (high - 1) / 2 + low``. Its class is ``13 * r + s``, where r
and s are its two ranks: r > s is suited, r < s is offsuit, r = s is a pair. Turned upside down that is the usual grid:
row ``12 - r``, column ``12 - s`` has the pairs on the diagonal, suited hands above it, offsuit hands below.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .cards import RANKS

__all__ = ["CLASS_OF", "CLASS_SIZES", "COMBOS", "class_name", "combo_indices"]


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


COMBOS: Final[NDArray[np.uint8]] = _read_only(
    np.array([(high, low) for high in range(52) for low in range(high)], np.uint8)
)
"""``(1326, 2)``: the cards of each combo, the higher first."""


def _classes() -> NDArray[np.uint8]:
    (high, low), suited = (COMBOS >> 2).T, (COMBOS[:, 0] & 3) == (COMBOS[:, 1] & 3)
    classes: NDArray[np.uint8] = np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8)
    return classes


CLASS_OF: Final[NDArray[np.uint8]] = _read_only(_classes())
"""``(1326,)``: the class of each combo, 0 … 168."""

CLASS_SIZES: Final[NDArray[np.intp]] = _read_only(np.bincount(CLASS_OF, minlength=169))
"""``(169,)``: the number of combos of each class: 6, 4 or 12."""


def combo_indices(cards: NDArray[Any]) -> NDArray[np.intp]:
    """Numbers of combos ``(..., 2)``, in whichever order their two cards stand; they are not checked."""
    high: NDArray[np.intp] = cards.max(axis=-1).astype(np.intp)
    indices: NDArray[np.intp] = high * (high - 1) // 2 + cards.min(axis=-1)
    return indices


def class_name(number: int) -> str:
    """Name a class.

    >>> class_name(168), class_name(13 * 12 + 11), class_name(13 * 11 + 12)
    ('AA', 'AKs', 'AKo')
    """
    first, second = divmod(number, 13)
    high, low = RANKS[max(first, second)], RANKS[min(first, second)]
    return high + low + ("" if first == second else "s" if first > second else "o")
