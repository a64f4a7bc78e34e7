"""What a strength means: its category, its five ranks, its name in words, its number in the Cactus Kev order.

A strength is an int from `WEAKEST` (7-5-4-3-2 of mixed suits) to `STRONGEST` (a royal flush); the higher the stronger.
Every function takes one strength (a Python or numpy integer) or an array of them (any integer dtype, any shape).
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from .errors import PokernelError
from .tables import load

__all__ = [
    "STRONGEST",
    "WEAKEST",
    "Category",
    "category",
    "describe",
    "from_kev_rank",
    "ranks_of",
    "to_kev_rank",
]

WEAKEST: Final = 1
STRONGEST: Final = 7462

Integer = int | np.integer[Any]
Integers = NDArray[np.integer[Any]] | Sequence[Any]


class Category(IntEnum):
    """The ten kinds of hands, weakest first."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def label(self) -> str:
        """The name in words, such as ``"Full house"``."""
        return self.name.replace("_", " ").capitalize()


_CATEGORIES: Final = tuple(Category)
_ONE: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_MANY: Final = tuple(word + ("es" if word == "six" else "s") for word in _ONE)

# Indexed by Category; the numbers count the five ranks in the order of `ranks_of`.
_TEXTS: Final = (
    "High card, {one[0]}-{one[1]}-{one[2]}-{one[3]}-{one[4]}",
    "One pair, {many[0]}, {one[2]}-{one[3]}-{one[4]} kickers",
    "Two pair, {many[0]} and {many[2]}, {one[4]} kicker",
    "Three of a kind, {many[0]}, {one[3]}-{one[4]} kickers",
    "Straight, {one[0]} high",
    "Flush, {one[0]}-{one[1]}-{one[2]}-{one[3]}-{one[4]}",
    "Full house, {many[0]} full of {many[3]}",
    "Four of a kind, {many[0]}, {one[4]} kicker",
    "Straight flush, {one[0]} high",
    "Royal flush",
)


@overload
def category(strength: Integer) -> Category: ...
@overload
def category(strength: Integers) -> NDArray[np.uint8]: ...
def category(strength: Integer | Integers) -> Category | NDArray[np.uint8]:
    """Tell which kind of hand a strength is.

    Parameters
    ----------
    strength : int or array of integers, shape (...)
        `WEAKEST` … `STRONGEST`.

    Returns
    -------
    Category or ndarray of uint8, shape (...)

    Raises
    ------
    PokernelError
        If a strength is out of range; of an array, names the first bad index, and how many are bad.
    TypeError
        If `strength` is a bool, a float or anything else than integers.

    Examples
    --------
    >>> category(7462)
    <Category.ROYAL_FLUSH: 9>
    >>> category(np.array([1, 5860, 7300], np.uint16))
    array([0, 4, 7], dtype=uint8)
    """
    checked = _checked(strength)
    categories = load("categories")
    return _CATEGORIES[categories[checked]] if isinstance(checked, int) else categories[checked, ...]


@overload
def ranks_of(strength: Integer) -> tuple[int, int, int, int, int]: ...
@overload
def ranks_of(strength: Integers) -> NDArray[np.uint8]: ...
def ranks_of(strength: Integer | Integers) -> tuple[int, ...] | NDArray[np.uint8]:
    """Tell the card ranks that make a strength.

    Ranks that come oftenest stand first, then the higher ones; in the straight to the five, 3, 2, 1, 0, 12, the ace is
    low.

    Parameters
    ----------
    strength : int or array of integers, shape (...)
        `WEAKEST` … `STRONGEST`.

    Returns
    -------
    tuple of five int or ndarray of uint8, shape (..., 5)
        Ranks from 0 (deuce) to 12 (ace), as in `pokernel.RANKS`.

    Raises
    ------
    PokernelError, TypeError
        As `category` does.

    Examples
    --------
    >>> ranks_of(7462), ranks_of(1)
    ((12, 11, 10, 9, 8), (5, 3, 2, 1, 0))
    """
    checked = _checked(strength)
    ranks = load("ranks")
    return tuple(ranks[checked].tolist()) if isinstance(checked, int) else ranks[checked, ...]


@overload
def describe(strength: Integer) -> str: ...
@overload
def describe(strength: Integers) -> NDArray[np.str_]: ...
def describe(strength: Integer | Integers) -> str | NDArray[np.str_]:
    """Say a strength in words; different strengths in different words.

    Parameters
    ----------
    strength : int or array of integers, shape (...)
        `WEAKEST` … `STRONGEST`.

    Returns
    -------
    str or ndarray of str, shape (...)

    Raises
    ------
    PokernelError, TypeError
        As `category` does.

    Examples
    --------
    >>> describe(7462)
    'Royal flush'
    >>> describe(np.array([7250, 1])).tolist()
    ['Full house, jacks full of threes', 'High card, seven-five-four-three-two']
    """
    checked = _checked(strength)
    return _text(checked) if isinstance(checked, int) else _all_texts()[checked, ...]


@overload
def to_kev_rank(strength: Integer) -> int: ...
@overload
def to_kev_rank(strength: Integers) -> NDArray[np.uint16]: ...
def to_kev_rank(strength: Integer | Integers) -> int | NDArray[np.uint16]:
    """Convert strengths to the numbers of the Cactus Kev order, where 1 is the royal flush and 7462 the weakest hand.

    Parameters
    ----------
    strength : int or array of integers, shape (...)
        `WEAKEST` … `STRONGEST`.

    Returns
    -------
    int or ndarray of uint16, shape (...)
        ``7463 - strength``, the number that treys, deuces and phevaluator print.

    Raises
    ------
    PokernelError, TypeError
        As `category` does.

    Examples
    --------
    >>> to_kev_rank(7462), to_kev_rank(np.array([1, 7462]))
    (1, array([7462,    1], dtype=uint16))
    """
    return _reversed(_checked(strength))


@overload
def from_kev_rank(kev_rank: Integer) -> int: ...
@overload
def from_kev_rank(kev_rank: Integers) -> NDArray[np.uint16]: ...
def from_kev_rank(kev_rank: Integer | Integers) -> int | NDArray[np.uint16]:
    """Convert numbers of the Cactus Kev order to strengths; the inverse of `to_kev_rank`.

    Parameters
    ----------
    kev_rank : int or array of integers, shape (...)
        1 (a royal flush) … 7462 (the weakest hand).

    Returns
    -------
    int or ndarray of uint16, shape (...)
        Strengths.

    Raises
    ------
    PokernelError, TypeError
        As `category` does.

    Examples
    --------
    >>> from_kev_rank(1)
    7462
    """
    return _reversed(_checked(kev_rank, "Kev rank"))


def _checked(values: Integer | Integers, noun: str = "strength") -> int | NDArray[np.integer[Any]]:
    """Integers that are all in range: a plain int, or an array of any integer dtype."""
    if isinstance(values, Category):
        raise TypeError(f"a {noun} is an integer from {WEAKEST} to {STRONGEST}, not the category {values.label!r}")
    if isinstance(values, int | np.integer) and not isinstance(values, bool):
        if not WEAKEST <= values <= STRONGEST:
            raise PokernelError(_out_of_range(values, noun))
        return int(values)
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"a {noun} cannot be masked: fill or drop what is masked first")
    try:
        array = np.asarray(values)
    except ValueError:
        raise PokernelError(f"{noun}s must make an array: these sequences are of different lengths") from None
    if not array.size and not isinstance(values, np.ndarray):
        array = array.astype(np.uint16)
    if array.dtype.kind not in "iu":
        is_array = array.ndim or isinstance(values, np.ndarray)
        given = f"an array of {array.dtype}" if is_array else type(values).__name__
        raise TypeError(f"a {noun} is an integer, not {given}")
    if array.size and (array.min() < WEAKEST or array.max() > STRONGEST):
        raise PokernelError(_first_out_of_range(array, noun))
    return array


def _out_of_range(value: Integer, noun: str) -> str:
    return f"{value} is no {noun}: {noun}s run from {WEAKEST} to {STRONGEST}"


def _first_out_of_range(array: NDArray[np.integer[Any]], noun: str) -> str:
    if not array.ndim:
        return _out_of_range(array.item(), noun)
    bad = (array < WEAKEST) | (array > STRONGEST)
    index = ", ".join(map(str, np.unravel_index(bad.argmax(), bad.shape)))
    place = f"({index})" if array.ndim > 1 else index
    count = np.count_nonzero(bad)
    return f"index {place}: {_out_of_range(array[bad][0], noun)} ({count} of {array.size} out of range)"


def _reversed(checked: int | NDArray[np.integer[Any]]) -> int | NDArray[np.uint16]:
    if isinstance(checked, int):
        return WEAKEST + STRONGEST - checked
    narrow = checked.astype(np.uint16)  # before subtracting: an int8 cannot hold the difference
    return np.subtract(WEAKEST + STRONGEST, narrow, out=narrow)


def _text(strength: int) -> str:
    ranks = load("ranks")[strength].tolist()
    words = _TEXTS[load("categories")[strength]]
    return words.format(one=[_ONE[rank] for rank in ranks], many=[_MANY[rank] for rank in ranks])


@cache
def _all_texts() -> NDArray[np.str_]:
    return np.array(["", *map(_text, range(WEAKEST, STRONGEST + 1))])
