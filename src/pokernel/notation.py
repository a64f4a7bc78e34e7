"""Many hands at once between texts and arrays: quick where all are written alike, tolerant row by row where not."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .cards import CARD_OF, NAMES, as_list, no_card, parse_cards
from .errors import CardError, HandSizeError, PokernelError

__all__ = ["format_hands", "parse_hands"]

_BLOCK: Final = 1 << 14  # rows read at once: their temporaries stay in the cache
_NO_CARD: Final = 255


def parse_hands(texts: Iterable[str | Iterable[str]]) -> NDArray[np.uint8]:
    """Read many hands of one size.

    Hands written alike (`AsKd…`, `As Kd …` or `As,Kd,…`) are read at several millions a second, all others one by one.

    Parameters
    ----------
    texts : sequence of n hands
        Each is anything that `parse_cards` reads: a text, or a sequence of card texts.

    Returns
    -------
    ndarray of uint8, shape (n, k)
        Distinct cards in every row, for any k from 1 up; shape (0, 7) if there are no hands.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError
        For a text that is no hand, a card said twice, a hand of another size than the first good one. All rows are
        read before; the message names the first bad row, and how many are bad.
    TypeError
        If `texts` is one str, or a row is neither str nor a sequence of str; names the row.

    Examples
    --------
    >>> parse_hands(["AsKd", "10h 9♠"])
    array([[51, 45],
           [34, 31]], dtype=uint8)
    >>> parse_hands(["AsKd", "AsK", "1h2h"])
    Traceback (most recent call last):
        ...
    pokernel.errors.CardError: row 1: no card at position 2 of 'AsK': 'K' (2 of 3 rows are bad)
    """
    if isinstance(texts, str):
        raise TypeError("hands are read from a sequence of texts, not from one str: parse_cards reads one hand")
    rows = as_list(texts, "hands")
    if not rows:
        return np.empty((0, 7), np.uint8)
    reader = _RowReader()
    blocks = []
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        hands = _parse_alike(block)
        if hands is None or not reader.accepts(hands.shape[1], start):
            hands = reader.read(block, start)
        blocks.append(hands)
    reader.raise_faults(len(rows))
    return np.concatenate(blocks)


def format_hands(hands: ArrayLike, separator: str = "") -> NDArray[np.str_]:
    """Name the cards of many hands; the inverse of `parse_hands`.

    Parameters
    ----------
    hands : array_like of integers, shape (..., k)
        Cards 0 … 51, of any integer dtype.
    separator : str
        What to put between two cards.

    Returns
    -------
    ndarray of str, shape (...)

    Raises
    ------
    CardError
        If a card is out of range; names the first bad row, and how many are bad.
    HandSizeError
        If k is 0, `hands` has no axis, or its rows differ in length.
    TypeError
        If `hands` holds anything but integers.

    Examples
    --------
    >>> format_hands([[51, 45], [34, 31]], separator=" ")
    array(['As Kd', 'Th 9s'], dtype='<U5')
    """
    cards = _as_hands(hands)
    *shape, k = cards.shape
    step = 2 + len(separator)
    width = step * k - len(separator)  # no separator after the last card
    code_points = np.empty((*shape, k, step), np.uint32)
    code_points[..., :2] = _name_code_points()[cards]
    code_points[..., 2:] = [ord(character) for character in separator]
    texts = np.ascontiguousarray(code_points.reshape(*shape, step * k)[..., :width])
    return texts.view(f"U{width}")[..., 0]


class _RowReader:
    """Reads hands one by one; remembers their size, the first fault, and how many there were."""

    def __init__(self) -> None:
        self.size = 0
        self.size_row = 0
        self.fault: tuple[int, PokernelError] | None = None
        self.faults = 0

    def accepts(self, size: int, row: int) -> bool:
        """Whether a hand may have this size; the first hand sets it."""
        if not self.size:
            self.size, self.size_row = size, row
        return size == self.size

    def read(self, texts: list[Any], first_row: int) -> NDArray[np.uint8]:
        hands = []
        for row, text in enumerate(texts, first_row):
            try:
                cards = parse_cards(text)
                if not self.accepts(len(cards), row):
                    raise HandSizeError(_count(len(cards), "card") + f", where row {self.size_row} has {self.size}")
            except PokernelError as error:
                self.fault = self.fault or (row, error)
                self.faults += 1
            except TypeError as error:
                raise TypeError(f"row {row}: {error}") from None
            else:
                hands.append(cards)
        return np.array(hands, np.uint8).reshape(len(hands), self.size)

    def raise_faults(self, rows: int) -> None:
        if self.fault:
            row, error = self.fault
            raise type(error)(f"row {row}: {error} {_share(self.faults, rows)}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _share(bad: int, rows: int) -> str:
    return f"({bad} of {_count(rows, 'row')} {'is' if bad == 1 else 'are'} bad)"


def _parse_alike(texts: list[Any]) -> NDArray[np.uint8] | None:
    """Hands of plain two-character cards, all run together or all separated by one same character; None if not so."""
    if not isinstance(texts[0], str):
        return None
    try:
        (width,) = set(map(len, texts))
        separator = texts[0][2:3]
        if separator in (" ", ","):
            spelling, step = np.dtype([("card", "<u2"), ("separator", "u1")]), 3
        else:
            spelling, step, separator = np.dtype([("card", "<u2")]), 2, ""
        count, rest = divmod(width + len(separator), step)
        if rest or not count:
            return None
        fields = np.frombuffer(separator.join([*texts, ""]).encode("ascii"), spelling)
    except (TypeError, ValueError):  # not sized, of many lengths, not text, not ASCII
        return None
    if separator and (fields["separator"] != ord(separator)).any():
        return None
    cards = _plain_cards()[fields["card"]].reshape(len(texts), count)
    if cards.max() == _NO_CARD:
        return None
    masks = np.zeros(len(texts), np.uint64)
    for column in cards.T:
        masks |= np.uint64(1) << column
    return cards if (np.bitwise_count(masks) == count).all() else None


@cache
def _plain_cards() -> NDArray[np.uint8]:
    """Card of every pair of ASCII characters read as one little-endian uint16; 255 if they are none."""
    cards = np.full(1 << 16, _NO_CARD, np.uint8)
    for text, card in CARD_OF.items():
        if len(text) == 2 and text.isascii():
            cards[int.from_bytes(text.encode(), "little")] = card
    return cards


@cache
def _name_code_points() -> NDArray[np.uint32]:
    return np.array([[ord(character) for character in name] for name in NAMES], np.uint32)


def _as_hands(hands: ArrayLike) -> NDArray[np.integer[Any]]:
    """Check cards for formatting: integers, shape (..., k) with k > 0, all of them 0 … 51."""
    try:
        cards = np.asarray(hands)
    except ValueError:
        raise HandSizeError("hands of different sizes make no array") from None
    if cards.dtype.kind not in "iu" or isinstance(hands, np.ma.MaskedArray):
        raise TypeError(f"cards are integers, not {'masked' if cards.dtype.kind in 'iu' else cards.dtype}")
    if not cards.ndim or not cards.shape[-1]:
        raise HandSizeError(f"an array of shape {cards.shape} holds no hands")
    bad = (cards < 0) | (cards > 51)
    if bad.any():
        rows = np.atleast_1d(bad.any(axis=-1))
        row = ", ".join(map(str, np.unravel_index(rows.argmax(), rows.shape)))
        row = f"({row})" if rows.ndim > 1 else row
        raise CardError(f"row {row}: {no_card(cards[bad][0])} {_share(int(rows.sum()), rows.size)}")
    return cards
