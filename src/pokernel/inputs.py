"""Whatever a caller hands in becomes one hand, a tuple of ints, or an integer array of hands, or an error."""

import contextlib
import operator
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .cards import parse_card, parse_cards
from .errors import CardError, HandSizeError
from .notation import parse_hands

__all__ = ["Cards", "as_array", "as_one_hand", "is_nothing", "read", "read_parts", "require_integers"]

Cards = tuple[int, ...] | NDArray[Any]
DEEPEST = 32


def read(given: Any, what: str = "hands") -> Cards:
    """One hand (or part of one) as a tuple of ints, or many as an integer array ``(..., k)``.

    A text is one hand; a sequence of single cards (texts or ints) is one hand; a sequence of hands, nested to any
    depth, is an array of hands; an empty sequence is an array of no hands. Duplicates, and the range of integers in
    arrays and of one hand, are not checked here.
    """
    if isinstance(given, str):
        return parse_cards(given)
    if isinstance(given, np.ndarray):
        return _read_array(given, what)
    if isinstance(given, Sequence) and not isinstance(given, (bytes, bytearray, memoryview)):
        return _read_sequence(given, what) if len(given) else np.empty((0, 0), np.uint8)
    if hasattr(given, "__array__"):
        return _read_array(np.asarray(given), what)
    return _refuse(given, what)


def read_parts(hands: Any, board: Any) -> list[Cards]:
    """The hands, and the board if there is one: a blank text or an empty sequence is none."""
    return [read(hands)] if is_nothing(board) else [read(hands), read(board, "board")]


def is_nothing(given: Any) -> bool:
    """Whether this stands for no cards: None, a blank text, an empty sequence (not an array, nor bytes)."""
    if isinstance(given, str):
        return not given.strip()
    empty = isinstance(given, Sequence) and not isinstance(given, (bytes, bytearray, memoryview)) and not len(given)
    return given is None or empty


def as_one_hand(parts: Sequence[Cards]) -> tuple[int, ...] | None:
    """The parts' cards together if every part is of one hand, else None."""
    cards: tuple[int, ...] = ()
    for part in parts:
        if not isinstance(part, tuple):
            return None
        cards += part
    return cards


def require_integers(array: NDArray[Any], what: str, into: str = "uint8") -> None:
    """Refuse arrays that are not of integers, or that hide some of them; say what to convert those of numbers into."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{what} must not be a masked array: fill it or drop what is masked first")
    if array.dtype.kind not in "iu":
        numbers = array.dtype.kind in "fb" or (array.dtype == object and all(map(_is_number, array.flat)))
        hint = f"; convert it, say with .astype(numpy.{into})" if numbers else ""
        raise TypeError(f"{what} must be an integer array, not one of dtype {array.dtype}{hint}")


def _read_array(given: NDArray[Any], what: str) -> Cards:
    if given.dtype.kind in "UT" or (given.dtype.kind == "O" and given.size and isinstance(given.flat[0], str)):
        return read(given.tolist(), what)
    require_integers(given, what)
    if given.ndim == 0:
        raise TypeError(f"{what} must be an array of hands, not the single number {given}")
    return tuple(given.tolist()) if given.ndim == 1 else given


def _read_sequence(given: Sequence[Any], what: str) -> Cards:
    first = given[0]
    if isinstance(first, str):
        return _read_texts(given, what)
    if _is_number(first):
        for position, card in enumerate(given):
            if isinstance(card, (str, Sequence, np.ndarray)) and not _is_number(card):
                _mixed(f"item 0 of {what} is the single card {first}, item {position} is {_kind(card)}")
            if not _is_number(card):
                raise TypeError(f"item {position} of {what} must be an int, not {_kind(card)}")
        return tuple(map(operator.index, given))
    if not isinstance(first, (Sequence, np.ndarray)) or (isinstance(first, np.ndarray) and not first.ndim):
        _refuse(first, f"item 0 of {what}")
    kinds = {(type(row), getattr(row, "dtype", None), getattr(row, "shape", None)) for row in given}
    if len(kinds) == 1 and type(first) is np.ndarray and first.dtype.kind in "iu":
        return np.stack(given)
    leaf, depth = first, 1
    while isinstance(leaf, (list, tuple)) and leaf:
        leaf, depth = leaf[0], depth + 1
        if depth > DEEPEST:
            raise HandSizeError(f"{what} are nested more than {DEEPEST} deep: is a list its own item?")
    array = None
    if _is_number(leaf):
        with contextlib.suppress(ValueError, OverflowError):  # ragged: the first odd row speaks for itself below
            array = np.asarray(given)
        if array is not None and array.dtype.kind in "iu" and not _hides_booleans(given):
            return array
    return _stack([_read_row(row, number, what) for number, row in enumerate(given)], what)


def _read_row(row: Any, number: int, what: str) -> NDArray[Any]:
    name = f"row {number}" if what in ("hands", "board") else f"{what}, row {number}"
    if isinstance(row, np.ndarray) and not row.ndim:
        _refuse(row, name)
    if isinstance(row, (Sequence, np.ndarray)) and not len(row):
        rule = "a hand has 5, 6 or 7 cards" if what == "hands" else "all rows have as many cards"
        raise HandSizeError(f"{name} is empty: {rule}")
    return as_array(read(row, name), name)


def as_array(cards: Cards, what: str) -> NDArray[Any]:
    """One hand as an array, its numbers checked to be cards; an array as it is."""
    if not isinstance(cards, tuple):
        return cards
    for position, card in enumerate(cards):
        if not 0 <= card <= 51:
            raise CardError(f"{what}: {card} at position {position} is no card, cards are 0 to 51")
    return np.array(cards, np.uint8)


def _is_number(item: Any) -> bool:
    if isinstance(item, np.ndarray):
        return item.ndim == 0 and item.dtype.kind in "iu"
    if isinstance(item, (bool, np.bool_)):
        return False
    return isinstance(item, (int, np.integer)) or hasattr(type(item), "__index__")


def _hides_booleans(given: Sequence[Any] | NDArray[Any]) -> bool:
    """Whether nested sequences have a bool among their ints: numpy takes it for 0 or 1."""
    if isinstance(given, np.ndarray):
        return bool(given.dtype == np.bool_)
    kinds = set(map(type, given))
    if kinds == {int}:
        return False
    nested = (item for item in given if isinstance(item, (Sequence, np.ndarray)))
    return not kinds.isdisjoint({bool, np.bool_}) or any(map(_hides_booleans, nested))


def _read_texts(given: Sequence[Any], what: str) -> Cards:
    for position, text in enumerate(given):
        if _is_number(text) or (isinstance(text, (Sequence, np.ndarray)) and not isinstance(text, str)):
            _mixed(f"item 0 of {what} is the text {given[0]!r}, item {position} is {_kind(text)}")
        if not isinstance(text, str):
            raise TypeError(f"item {position} of {what} must be a text like item 0, not {_kind(text)}")
    try:
        parse_card(given[0])
    except CardError:
        return parse_hands(given)
    for position, text in enumerate(given):
        if len(text) > 2 and len(parse_cards(text)) > 1:
            _mixed(f"item 0 of {what} is the single card {given[0]!r}, item {position} is the hand {text!r}")
    return parse_cards(given)


def _stack(rows: list[NDArray[Any]], what: str) -> NDArray[Any]:
    for number, row in enumerate(rows):
        if row.shape != rows[0].shape:
            sizes = [f"{r.shape[0]} cards" if r.ndim == 1 else f"shape {r.shape}" for r in (row, rows[0])]
            raise HandSizeError(f"row {number} of {what} has {sizes[0]}, row 0 has {sizes[1]}: they must be alike")
    if {row.dtype for row in rows} == {np.dtype(np.uint64)}:
        return np.stack(rows)
    for number, row in enumerate(rows):  # a mixture with int64 would become floating point
        if row.dtype == np.uint64 and row.size and row.max() > 51:
            raise CardError(f"row {number} of {what}: {row.max()} is no card, cards are 0 to 51")
    return np.stack([row.astype(np.int64) if row.dtype == np.uint64 else row for row in rows])


def _kind(item: Any) -> str:
    return (
        f"the text {item!r}"
        if isinstance(item, str)
        else f"{'an' if type(item).__name__[0] in 'aeiou' else 'a'} {type(item).__name__}"
    )


def _mixed(found: str) -> NoReturn:
    raise HandSizeError(f"{found}: give single cards (one hand) or whole hands (many), not a mixture")


def _refuse(given: Any, what: str) -> NoReturn:
    accepted = "a text, a sequence of cards or of hands, or an integer array"
    raise TypeError(f"{what} must be {accepted}, not {type(given).__name__}")
