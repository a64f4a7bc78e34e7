"""What a caller hands in as combos and weights becomes numbers, or an error that names the item."""

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards import NAMES, format_card, parse_cards
from ..combos import COMBOS
from ..errors import DuplicateCardError, PokernelError, RangeError

__all__ = ["combo_number", "weights_of"]


def combo_number(combo: Any) -> int:
    """Number of one combo: a text of two cards, or a pair of cards, texts or ints in any order."""
    if isinstance(combo, str):
        cards = parse_cards(combo)
    else:
        if not isinstance(combo, Iterable) or isinstance(combo, bytes | bytearray | memoryview | Mapping):
            hint = "; weights come after all combos, (['AsKs', 'AdKd'], [1, 0.5])" if isinstance(combo, Real) else ""
            raise TypeError(f"a combo is a text such as 'AsKs' or a pair of cards, not {type(combo).__name__}{hint}")
        items = combo.tolist() if isinstance(combo, np.ndarray) else list(combo)
        if any(isinstance(item, str) for item in items):
            cards = parse_cards(items)
        else:
            for item in items:
                format_card(item)
            cards = tuple(map(int, items))
    if len(cards) != 2:
        raise RangeError(f"a combo has two cards, not {len(cards)}")
    low, high = sorted(cards)
    if low == high:
        raise DuplicateCardError(f"{NAMES[high]} twice")
    return high * (high - 1) // 2 + low


def weights_of(combos: Any, weights: Any) -> NDArray[np.float64]:
    """Weights ``(1326,)`` by the number of the combo; see :meth:`pokernel.Range.from_combos`."""
    numbers: dict[int, int] = {}
    for item, combo in enumerate(_items(combos)):
        try:
            number = combo_number(combo)
        except (PokernelError, TypeError) as error:
            raise type(error)(f"combo {item}: {error}") from None
        if number in numbers:
            name = "".join(NAMES[card] for card in COMBOS[number])
            raise RangeError(f"{name} twice: combos {numbers[number]} and {item}")
        numbers[number] = item
    by_combo = np.zeros(len(COMBOS))
    by_combo[list(numbers)] = 1.0 if weights is None else _checked(weights, len(numbers))
    return by_combo


def _items(combos: Any) -> list[Any]:
    given = type(combos).__name__
    if isinstance(combos, np.ndarray):
        if combos.dtype.kind in "iu" and not isinstance(combos, np.ma.MaskedArray):
            if combos.ndim != 2 or combos.shape[1] != 2:
                raise RangeError(f"an array of combos has the shape (n, 2), not {combos.shape}")
            return list(combos.tolist())
        if combos.dtype.kind in "UTO" and combos.ndim:
            return list(combos.tolist())
        given = f"{given} of {combos.dtype}"
    elif isinstance(combos, Iterable) and not isinstance(combos, str | bytes | bytearray | memoryview | Mapping):
        return list(combos)
    raise TypeError(f"combos are a sequence of texts or of pairs of cards, not {given}; Range(text) reads a text")


def _checked(weights: Any, count: int) -> NDArray[np.float64]:
    if isinstance(weights, np.ma.MaskedArray):
        raise TypeError("weights cannot be masked: fill or drop what is masked first")
    try:
        array = np.asarray(weights)
    except ValueError:
        raise RangeError("weights must make an array (n,): these sequences are of different lengths") from None
    if array.dtype.kind not in "iuf":
        given = f"an array of {array.dtype}" if array.ndim else type(weights).__name__
        raise TypeError(f"weights are numbers from 0 to 1, not {given}")
    if array.shape != (count,):
        raise RangeError(f"{count} combos need weights of the shape ({count},), not {array.shape}")
    good = (array >= 0) & (array <= 1)
    if not good.all():
        first = int(good.argmin())
        raise RangeError(f"weight {first}: {array[first]} is no weight: weights run from 0 to 1")
    return array.astype(np.float64) + 0.0  # a weight of -0.0 becomes 0.0, whose bytes are those of an absent combo
