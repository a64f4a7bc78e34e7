"""The cards of seats, however a caller lists them, None where they are not known; errors name deal and seat."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import parse_card, parse_cards
from .errors import CardError, HandSizeError, PokernelError
from .inputs import DEEPEST, as_array, read, require_integers
from .notation import parse_hands
from .seats import name_row

__all__ = ["read_holes"]

LONGEST = (1 << 63) - 1


def read_holes(given: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """An array ``(..., players, 2)``, if it is one (that is not checked), and which seats' cards are known if not all.

    A sequence is one of seats, or of such sequences, alike. A seat is None, a text, or a sequence of two cards.
    """
    axes = _axes(given) if _is_listed(given) else 0
    if axes < 2:
        return as_array(read(given, "holes"), "holes"), None
    if _is_of_numbers(given):
        try:
            return as_array(read(given, "holes"), "holes"), None
        except (PokernelError, TypeError):  # the seat that is wrong speaks for itself below; or it is None
            pass
    seats, shape = _seats(given, axes)
    known = np.array([seat is not None for seat in seats]).reshape(shape)
    found = _read_seats(seats, shape)
    cards = np.zeros((*shape, 2), found.dtype)
    cards[known] = found
    return cards, None if known.all() else known


def _is_listed(item: Any) -> bool:
    """Whether this has items that may be seats, texts or None: no text itself, no array of numbers."""
    if isinstance(item, np.ndarray) or (hasattr(item, "__array__") and not isinstance(item, Sequence)):
        array = np.asanyarray(item)
        if isinstance(array, np.ma.MaskedArray):
            return False  # refused: its items would be None where it hides them
        if array.dtype.kind == "O" and all(isinstance(number, (int, float, np.number)) for number in array.flat):
            return False  # numbers as objects: refused as an array of the wrong kind
        return array.ndim > 0 and array.dtype.kind in "UTO"
    return isinstance(item, Sequence) and not isinstance(item, (str, bytes, bytearray, memoryview))


def _items(sequence: Any) -> list[Any]:
    return list(sequence if isinstance(sequence, Sequence) else np.asarray(sequence).tolist())


def _axes(given: Any, depth: int = 1) -> int:
    """Axes of a sequence, that of the two cards included, by its first item; a text of several cards counts as one."""
    if isinstance(given, str):
        return 0 if _is_one_card(given) else 1
    if not _is_listed(given):
        return given.ndim if isinstance(given, np.ndarray) else 0
    if depth > DEEPEST:
        raise HandSizeError(f"holes are nested more than {DEEPEST} deep: is a list its own item?")
    items = _items(given)
    found = [item for item in items if item is not None]
    if found and all(isinstance(item, str) for item in found):  # two cards of one seat, or seats
        return 1 if len(found) == len(items) and all(map(_is_one_card, found)) else 2
    least = 2 if len(found) < len(items) else 1  # None is a seat
    return max(least, 1 + _axes(found[0], depth + 1)) if found else least


def _is_one_card(text: str) -> bool:
    try:
        parse_card(text)
    except CardError:
        return False
    return True


def _is_of_numbers(given: Any) -> bool:
    """Whether the first leaf is a number: nested numbers make an array at once."""
    while isinstance(given, Sequence) and not isinstance(given, str) and given:
        given = given[0]
    return given is not None and not isinstance(given, (str, Sequence))


def _seats(given: Any, axes: int) -> tuple[list[Any], tuple[int, ...]]:
    """All seats one after another, and the shape of the deals and their seats."""
    level = _items(given)
    shape: tuple[int, ...] = (len(level),)
    for _ in range(axes - 2):
        rows = [_items_of_row(row, number, shape) for number, row in enumerate(level)]
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                lengths = f"length {len(row)}, {_name(0, shape)} has length {len(rows[0])}"
                raise HandSizeError(f"{_name(number, shape)} of holes has {lengths}: they must be alike")
        level, shape = list(chain.from_iterable(rows)), (*shape, len(rows[0]))
    return level, shape


def _items_of_row(row: Any, number: int, shape: tuple[int, ...]) -> list[Any]:
    if isinstance(row, np.ndarray) and row.ndim and not _is_listed(row):
        require_integers(row, f"{_name(number, shape)} of holes")
    elif not _is_listed(row):
        what = "None: it stands for the cards of a seat" if row is None else f"a seat, {row!r}"
        raise HandSizeError(f"{_name(number, shape)} of holes is no sequence of seats as the first is, but {what}")
    return _items(row)


def _name(number: int, shape: tuple[int, ...]) -> str:
    position = [int(i) for i in np.unravel_index(number, shape)]
    return f"row {position[0] if len(position) == 1 else tuple(position)}"


def _read_seats(seats: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The two cards of each seat that has some; numbers that are no cards are left to those who know who is live."""
    given = [seat for seat in seats if seat is not None]
    if not given:
        return np.empty((0, 2), np.uint8)
    if all(isinstance(seat, str) for seat in given):
        try:
            cards = parse_hands(given)
            if cards.shape[1] == 2:
                return cards
        except PokernelError:  # found again below, with its place
            pass
    deals, players = shape[:-1], shape[-1]
    found: list[tuple[int, ...]] = []
    faults: dict[int, tuple[int, PokernelError | TypeError]] = {}
    for number, seat in enumerate(seats):
        if seat is None:
            continue
        try:
            found.append(_two_cards(seat))
        except (PokernelError, TypeError) as error:
            faults.setdefault(number // players, (number % players, error))
    if faults:
        deal, (seat, first) = next(iter(faults.items()))
        position = tuple(int(i) for i in np.unravel_index(deal, deals)) if deals else ()
        before, after = name_row((position, len(faults)), deals)
        raise type(first)(f"{before.replace(':', ',')}seat {seat}: {first}{after}")
    return np.array(found, np.int64)


def _two_cards(seat: Any) -> tuple[int, ...]:
    texts = isinstance(seat, Sequence) and len(seat) and all(isinstance(card, str) for card in seat)
    cards = parse_cards(seat) if texts else read(seat, "its cards")
    if isinstance(cards, np.ndarray) and cards.size:
        raise HandSizeError(f"two cards expected, not an array of shape {cards.shape}")
    if isinstance(cards, np.ndarray) or len(cards) != 2:
        raise HandSizeError(f"two cards expected, not {len(cards)}")
    for card in cards:
        if not -LONGEST <= card <= LONGEST:
            raise CardError(f"{card} is no card, cards are 0 to 51")
    return cards
