"""Cards as people write them and as pokernel counts them.

A card is an int ``4 * rank + suit``: rank 0 is the deuce and 12 the ace; suits 0 to 3 are clubs, diamonds, hearts,
spades. Its canonical text is ``RANKS[rank] + SUITS[suit]``: ``"2c"`` is 0 and ``"As"`` is 51.

Reading is tolerant of spelling and strict about everything else. Ranks and suits in either case, ``10`` for ``T``,
the symbols ``♠♥♦♣`` and ``♤♡♢♧`` (also with the emoji selector U+FE0F), white space around and inside a card, and at
most one comma between two cards are all fine; any other character, half a card or a card said twice is an error that
quotes the text and the place.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import CardError, DuplicateCardError, HandSizeError, PokernelError

__all__ = ["RANKS", "SUITS", "format_card", "format_cards", "format_hands", "parse_card", "parse_cards", "parse_hands"]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

_SYMBOLS: Final = ("♣♧", "♦♢", "♥♡", "♠♤")  # in the order of SUITS

# Spellings are listed, never folded: lower() and re.IGNORECASE would let in lookalikes such as "ſ" and the Kelvin sign.
_RANK_OF: Final = {text: rank for rank, letter in enumerate(RANKS) for text in (letter, letter.lower())} | {"10": 8}
_SUIT_OF: Final = {
    text: suit
    for suit, (letter, symbols) in enumerate(zip(SUITS, _SYMBOLS, strict=True))
    for text in (letter, letter.upper(), *symbols)
}
_CARD_OF: Final = {r + s: 4 * rank + suit for (r, rank), (s, suit) in product(_RANK_OF.items(), _SUIT_OF.items())}
_CARD_OF_PAIR: Final = {tuple(text): card for text, card in _CARD_OF.items()}
_NAMES: Final = tuple(r + s for r, s in product(RANKS, SUITS))

_CARD: Final = re.compile(r"(10|[2-9TJQKAtjqka])\s*(?:([cdhsCDHS])|([♣♧♦♢♥♡♠♤])\ufe0f?)\s*(,?)\s*")
_TOKEN: Final = re.compile(r"[^\s,]+|,")

_BLOCK: Final = 1 << 14  # rows read at once by parse_hands: their temporaries stay in the cache
_NO_CARD: Final = 255


def parse_card(text: str) -> int:
    """Read the text of one card.

    Parameters
    ----------
    text : str
        ``"As"``, ``"10h"``, ``"A ♠"`` …, see the module's docstring.

    Returns
    -------
    int
        The card, 0 … 51.

    Raises
    ------
    CardError
        If the text is anything but one card; quotes the text and the position.
    TypeError
        If `text` is no str.

    Examples
    --------
    >>> parse_card("As"), parse_card("10♥"), parse_card(" 2 c ")
    (51, 34, 0)
    >>> parse_card("Asx")
    Traceback (most recent call last):
        ...
    pokernel.errors.CardError: no card at position 2 of 'Asx': 'x'
    """
    if not isinstance(text, str):
        raise TypeError(f"a card is read from str, not from {type(text).__name__}")
    card = _CARD_OF.get(text)
    if card is not None:
        return card
    (card, _), *more = _scan(text).items()
    if more:
        raise CardError(f"one card expected, another at position {more[0][1]} of {_quote(text)}")
    return card


def parse_cards(cards: str | Iterable[str]) -> tuple[int, ...]:
    """Read one or more distinct cards.

    Parameters
    ----------
    cards : str or sequence of str
        One text that holds all the cards, or texts of one card each.

    Returns
    -------
    tuple of int
        The cards in the order given, each 0 … 51.

    Raises
    ------
    CardError
        If there is no card, or something that is no card; names the item, quotes the text and the position.
    DuplicateCardError
        If a card comes twice.
    TypeError
        If `cards` is neither, or an item is no str.

    Examples
    --------
    >>> parse_cards("AsKd"), parse_cards("as, 10 ♦"), parse_cards(["As", "Kd"])
    ((51, 45), (51, 33), (51, 45))
    >>> parse_cards("As Kd As")
    Traceback (most recent call last):
        ...
    pokernel.errors.DuplicateCardError: As twice in 'As Kd As': at positions 0 and 6
    """
    # Plain cards, run together, spaced or listed, need no scanner; all else, and every error, is left to it.
    if isinstance(cards, str):
        if " " in cards:
            found = _look_up(_CARD_OF, cards.split())
        else:
            found = _look_up(_CARD_OF_PAIR, zip(cards[::2], cards[1::2], strict=True))
        return found or tuple(_scan(cards))
    texts = _as_list(cards, "cards")
    return _look_up(_CARD_OF, texts) or tuple(_scan_items(texts))


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
    rows = _as_list(texts, "hands")
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


def format_card(card: int | np.integer[Any]) -> str:
    """Name a card.

    Parameters
    ----------
    card : int
        0 … 51, a Python or numpy integer.

    Returns
    -------
    str
        The canonical text, such as ``"As"``.

    Raises
    ------
    CardError
        If `card` is out of range.
    TypeError
        If `card` is no integer (nor may it be a bool).

    Examples
    --------
    >>> format_card(51), format_card(0)
    ('As', '2c')
    """
    if isinstance(card, bool) or not isinstance(card, int | np.integer):
        raise TypeError(f"a card is an integer, not {type(card).__name__}")
    if not 0 <= card < 52:
        raise CardError(_no_card(card))
    return _NAMES[card]


def format_cards(cards: Iterable[int | np.integer[Any]], separator: str = "") -> str:
    """Name cards one after another; the inverse of `parse_cards`, except that duplicates are named as they stand.

    Parameters
    ----------
    cards : sequence of int
        Each 0 … 51.
    separator : str
        What to put between two cards.

    Returns
    -------
    str

    Raises
    ------
    CardError, TypeError
        As `format_card` does.

    Examples
    --------
    >>> format_cards((51, 34)), format_cards((51, 34), separator=" ")
    ('AsTh', 'As Th')
    """
    return separator.join(map(format_card, cards))


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


def _look_up(card_of: Mapping[Any, int], spellings: Iterable[Any]) -> tuple[int, ...]:
    """Cards of spellings that are all in the table and all distinct; none otherwise."""
    try:
        cards = tuple(map(card_of.__getitem__, spellings))
    except (KeyError, TypeError, ValueError):  # not in the table, not hashable, half a pair left over
        return ()
    return cards if len(set(cards)) == len(cards) else ()


def _scan(text: str) -> dict[int, int]:
    """Cards of a text in order, each with its position; the one grammar of pokernel."""
    found: dict[int, int] = {}
    at, end = len(text) - len(text.lstrip()), len(text.rstrip())
    card_due: str | bool = True  # at the start and after a comma
    while card_due or at < end:
        match = _CARD.match(text, at, end)
        if match is None:
            _raise_no_card(text, at, end)
        rank, letter, symbol, card_due = match.groups()
        card = 4 * _RANK_OF[rank] + _SUIT_OF[letter or symbol]
        if card in found:
            raise DuplicateCardError(f"{_NAMES[card]} twice in {_quote(text)}: at positions {found[card]} and {at}")
        found[card] = at
        at = match.end()
    return found


def _scan_items(items: list[Any]) -> dict[int, int]:
    """Cards of a sequence of texts in order, each with the number of its item."""
    found: dict[int, int] = {}
    for number, text in enumerate(items):
        try:
            card = parse_card(text)
        except (CardError, TypeError) as error:
            raise type(error)(f"item {number}: {error}") from None
        if card in found:
            raise DuplicateCardError(f"{_NAMES[card]} twice: items {found[card]} and {number}")
        found[card] = number
    if not found:
        raise CardError("no card in an empty sequence")
    return found


def _raise_no_card(text: str, at: int, end: int) -> NoReturn:
    if not end:
        raise CardError(f"no card in {_quote(text)}")
    token = _TOKEN.match(text, at, end) if at < end else None
    raise CardError(f"no card at position {at} of {_quote(text)}: {_quote(token[0]) if token else 'it ends'}")


def _quote(text: str, limit: int = 80) -> str:
    return repr(str(text) if len(text) <= limit else text[: limit - 1] + "…")  # str(): np.str_ has a repr of its own


def _no_card(card: object) -> str:
    return f"{card} is no card: cards run from 0 to 51"


def _as_list(values: Iterable[Any], what: str) -> list[Any]:
    """Items of any sequence of texts; what cannot be one is refused before anything iterates over it."""
    if isinstance(values, list):
        return values
    if isinstance(values, np.ndarray) and values.ndim and values.dtype.kind in "UTO":
        return list(values.tolist())
    if isinstance(values, bytes | bytearray | memoryview | np.ndarray) or not isinstance(values, Iterable):
        detail = f" of {values.dtype}" if isinstance(values, np.ndarray) else ""
        raise TypeError(f"{what} are read from texts, not from {type(values).__name__}{detail}")
    return list(values)


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
    for text, card in _CARD_OF.items():
        if len(text) == 2 and text.isascii():
            cards[int.from_bytes(text.encode(), "little")] = card
    return cards


@cache
def _name_code_points() -> NDArray[np.uint32]:
    return np.array([[ord(character) for character in name] for name in _NAMES], np.uint32)


def _as_hands(hands: ArrayLike) -> NDArray[np.integer[Any]]:
    """Check cards for formatting: integers, shape (..., k) with k > 0, all of them 0 … 51."""
    try:
        cards = np.asarray(hands)
    except ValueError:
        raise HandSizeError("hands of different sizes make no array") from None
    if cards.dtype.kind not in "iu":
        raise TypeError(f"cards are integers, not {cards.dtype}")
    if not cards.ndim or not cards.shape[-1]:
        raise HandSizeError(f"an array of shape {cards.shape} holds no hands")
    bad = (cards < 0) | (cards > 51)
    if bad.any():
        rows = np.atleast_1d(bad.any(axis=-1))
        row = ", ".join(map(str, np.unravel_index(rows.argmax(), rows.shape)))
        row = f"({row})" if rows.ndim > 1 else row
        raise CardError(f"row {row}: {_no_card(cards[bad][0])} {_share(int(rows.sum()), rows.size)}")
    return cards
