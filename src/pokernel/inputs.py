"""Whatever a caller hands in becomes one hand, a tuple of ints, or an integer array of hands, or an error."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .cards import parse_card, parse_cards, parse_hands
from .errors import CardError, HandSizeError

__all__ = ["Cards", "as_one_hand", "read"]

Cards = tuple[int, ...] | NDArray[Any]


def read(given: Any, what: str = "hands") -> Cards:
    """One hand (or part of one) as a tuple of ints, or many as an integer array ``(..., k)``.

    A text is one hand; a sequence of single cards (texts or ints) is one hand; a sequence of hands, nested to any
    depth, is an array of hands. Card values and duplicates are not checked here, except in texts.
    """
    if isinstance(given, str):
        return parse_cards(given)
    if isinstance(given, np.ndarray):
        return _read_array(given, what)
    if isinstance(given, (list, tuple)):
        return _read_sequence(given, what)
    if hasattr(given, "__array__"):
        return _read_array(np.asarray(given), what)
    return _refuse(given, what)


def as_one_hand(parts: Sequence[Cards]) -> tuple[int, ...] | None:
    """The parts' cards together if every part is of one hand, else None."""
    cards: tuple[int, ...] = ()
    for part in parts:
        if not isinstance(part, tuple):
            return None
        cards += part
    return cards


def _read_array(given: NDArray[Any], what: str) -> Cards:
    if given.dtype.kind in "UT":
        texts = parse_hands([str(text) for text in given.ravel()])
        return texts.reshape(*given.shape, texts.shape[1]) if given.ndim else tuple(texts[0].tolist())
    if given.dtype.kind not in "iu":
        hint = "; convert it, say with .astype(numpy.uint8)" if given.dtype.kind in "fb" else ""
        raise TypeError(f"{what} must be an integer array, not one of dtype {given.dtype}{hint}")
    if given.ndim == 0:
        raise TypeError(f"{what} must be an array of hands, not the single number {given}")
    return tuple(given.tolist()) if given.ndim == 1 else given


def _read_sequence(given: Sequence[Any], what: str) -> Cards:
    if not given:
        return np.empty((0, 7), np.uint8)
    first = given[0]
    if isinstance(first, str):
        return _read_texts(given, what)
    if isinstance(first, (int, np.integer)):
        for position, card in enumerate(given):
            if not isinstance(card, (int, np.integer)):
                _mixed(f"item 0 of {what} is the single card {first}, item {position} is {_kind(card)}")
        return tuple(map(int, given))
    if not isinstance(first, (list, tuple, np.ndarray)):
        _refuse(first, f"item 0 of {what}")
    leaf = first
    while isinstance(leaf, (list, tuple)) and leaf:
        leaf = leaf[0]
    if isinstance(leaf, (str, np.ndarray)):
        return _stack([read(item, f"item {i} of {what}") for i, item in enumerate(given)], what)
    try:
        array = np.asarray(given)
    except ValueError:
        array = None
    if array is None or array.dtype.kind not in "iu":  # let the first odd item speak for itself
        return _stack([read(item, f"item {i} of {what}") for i, item in enumerate(given)], what)
    return array


def _read_texts(given: Sequence[Any], what: str) -> Cards:
    for position, text in enumerate(given):
        if not isinstance(text, str):
            _mixed(f"item 0 of {what} is the text {given[0]!r}, item {position} is {_kind(text)}")
    try:
        parse_card(given[0])
    except CardError:
        return parse_hands(given)
    for position, text in enumerate(given):
        if len(text) > 2 and len(parse_cards(text)) > 1:
            _mixed(f"item 0 of {what} is the single card {given[0]!r}, item {position} is the hand {text!r}")
    return parse_cards(given)


def _stack(items: list[Cards], what: str) -> NDArray[Any]:
    arrays = [np.asarray(item) for item in items]
    for position, array in enumerate(arrays):
        if array.shape[-1] != arrays[0].shape[-1]:
            sizes = f"{array.shape[-1]} cards, item 0 has {arrays[0].shape[-1]}"
            raise HandSizeError(f"item {position} of {what} has {sizes}: hands of one array are of one size")
        if array.shape != arrays[0].shape:
            shapes = f"shape {array.shape}, item 0 has {arrays[0].shape}"
            raise HandSizeError(f"item {position} of {what} has {shapes}")
    return np.stack(arrays)


def _kind(item: Any) -> str:
    return f"the text {item!r}" if isinstance(item, str) else f"a {type(item).__name__}"


def _mixed(found: str) -> NoReturn:
    raise HandSizeError(f"{found}: give single cards (one hand) or whole hands (many), not a mixture")


def _refuse(given: Any, what: str) -> NoReturn:
    accepted = "a text, a sequence of cards or of hands, or an integer array"
    raise TypeError(f"{what} must be {accepted}, not {type(given).__name__}")
