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
from itertools import product
from typing import Any, Final, NoReturn

import numpy as np

from .errors import CardError, DuplicateCardError

__all__ = ["RANKS", "SUITS", "format_card", "format_cards", "parse_card", "parse_cards"]

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
CARD_OF: Final = {r + s: 4 * rank + suit for (r, rank), (s, suit) in product(_RANK_OF.items(), _SUIT_OF.items())}
_CARD_OF_PAIR: Final = {tuple(text): card for text, card in CARD_OF.items()}
NAMES: Final = tuple(r + s for r, s in product(RANKS, SUITS))

_CARD: Final = re.compile(r"(10|[2-9TJQKAtjqka])\s*(?:([cdhsCDHS])|([♣♧♦♢♥♡♠♤])\ufe0f?)\s*(,?)\s*")
_TOKEN: Final = re.compile(r"[^\s,]+|,")


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
    card = CARD_OF.get(text)
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
            found = _look_up(CARD_OF, cards.split())
        else:
            found = _look_up(_CARD_OF_PAIR, zip(cards[::2], cards[1::2], strict=True))
        return found or tuple(_scan(cards))
    texts = as_list(cards, "cards")
    return _look_up(CARD_OF, texts) or tuple(_scan_items(texts))


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
        raise CardError(no_card(card))
    return NAMES[card]


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
            raise DuplicateCardError(f"{NAMES[card]} twice in {_quote(text)}: at positions {found[card]} and {at}")
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
            raise DuplicateCardError(f"{NAMES[card]} twice: items {found[card]} and {number}")
        found[card] = number
    if not found:
        raise CardError("no card in an empty sequence")
    return found


def _raise_no_card(text: str, at: int, end: int) -> NoReturn:
    if not end:
        raise CardError(f"no card in {_quote(text)}")
    token = _TOKEN.match(text, at, end) if at < end else None
    found = _quote(token[0]) if token else "it ends"
    strange = [f"U+{ord(c):04X}" for c in (token[0] if token else "")[:3] if c.isalnum() and not c.isascii()]
    alike = f" ({' '.join(strange)}, no ASCII letter)" if strange else ""  # a Cyrillic A looks like an ace
    raise CardError(f"no card at position {at} of {_quote(text)}: {found}{alike}")


def _quote(text: str, limit: int = 80) -> str:
    return repr(str(text) if len(text) <= limit else text[: limit - 1] + "…")  # str(): np.str_ has a repr of its own


def no_card(card: object) -> str:
    return f"{card} is no card: cards run from 0 to 51"


def as_list(values: Iterable[Any], what: str) -> list[Any]:
    """Items of any sequence of texts; what cannot be one is refused before anything iterates over it."""
    if isinstance(values, list):
        return values
    if isinstance(values, np.ndarray) and values.ndim and values.dtype.kind in "UTO":
        return list(values.tolist())
    if isinstance(values, bytes | bytearray | memoryview | np.ndarray) or not isinstance(values, Iterable):
        detail = f" of {values.dtype}" if isinstance(values, np.ndarray) else ""
        raise TypeError(f"{what} are read from texts, not from {type(values).__name__}{detail}")
    return list(values)
