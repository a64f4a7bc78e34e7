"""One hand at a time, from the same tables, in plain Python: no compiler to wait for.

A card's word is one large integer that adds up over a hand: the 32-bit scaled logarithm of its rank lowest, then four
4-bit suit counters, then one bit a card, suit by suit, so that a card held twice carries and leaves fewer bits set. It
stays below 120 bits: the fewer digits an integer has, the faster it adds.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from .cards import RANKS, SUITS, format_card
from .errors import CardError, DuplicateCardError, HandSizeError
from .tables import load

__all__ = ["STRENGTH_OF", "STRENGTH_OF_TEXTS", "best_of", "prepare", "prepare_texts", "strength_of"]

LOGARITHM = (1 << 32) - 1
SUITS_AT, CARDS_AT = 35, 51  # seven logarithms carry into three more bits
BIAS = 0x3333 << SUITS_AT  # added once to a hand: a counter of five or more then sets the top bit of its four
FLUSH = 0x8888 << SUITS_AT
NO_CARD = 52  # makes up for the cards that a hand of five or six lacks

NUMBERS = tuple(range(NO_CARD + 1))
"""CPython has one object for each small int: a card that is not one of these very objects gets a closer look."""

STRENGTH_OF: dict[int, Callable[[Sequence[int]], int]] = {}
"""``STRENGTH_OF[k](cards)``: strength of one hand of k ints, or the error that says what is wrong with it."""
STRENGTH_OF_TEXTS: dict[int, Callable[[Iterable[str]], int | None]] = {}
"""``STRENGTH_OF_TEXTS[k](texts)``: the same of k canonical texts (``"As"``); None if one is not, or it is no hand."""


@functools.cache
def _words() -> tuple[int, ...]:
    """The word of each card; that of no card is zero: in a caller's hand it leaves a bit unset, as a duplicate does."""
    keys = load("card_keys")[:NO_CARD].tolist()
    words = [(key >> 32) + ((key & 0xFFFF) << SUITS_AT) for key in keys]
    return *(word + (1 << (CARDS_AT + 13 * (card & 3) + (card >> 2))) for card, word in enumerate(words)), 0


@functools.cache
def _pair_words() -> tuple[tuple[int, ...], ...]:
    """The words of two cards added up: fewer additions a hand, and few enough to lie in the cache."""
    return tuple(tuple(first + second for second in _words()) for first in _words())


def _hash(k: int) -> tuple[memoryview, memoryview, int, int]:
    """Displacements, strengths, the shift that gives a row, the mask that gives a slot."""
    if k not in (5, 6, 7):
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {k}")
    displacements, strengths = load(f"displacements{k}"), load(f"strengths{k}")
    shift = 32 - (len(displacements).bit_length() - 1)
    return displacements.data, strengths.data, shift, len(strengths) - 1


def prepare(k: int) -> None:
    """Make ``STRENGTH_OF[k]``: with all it needs in local variables it keeps up with compiled peers."""
    displacements_table, strengths, shift, mask = _hash(k)
    displacements: list[int] = displacements_table.tolist()  # few enough to lie in the cache as int objects
    pair, last, n = _pair_words(), tuple(word + BIAS for word in _words()), NUMBERS
    no_card, flushes, logarithm, cards_at = NO_CARD, FLUSH, LOGARITHM, CARDS_AT

    def strength(cards: Sequence[int]) -> int:
        if k == 7:
            a, b, c, d, e, f, g = cards
        elif k == 6:
            (a, b, c, d, e, f), g = cards, no_card
        else:
            (a, b, c, d, e), f, g = cards, no_card, no_card
        try:  # identity is the quickest test that tells -1 from the last card and True from 1
            if n[a] is a and n[b] is b and n[c] is c and n[d] is d and n[e] is e and n[f] is f and n[g] is g:
                word = pair[a][b] + pair[c][d] + pair[e][f] + last[g]
            else:
                return strength(_numbers(cards))
        except IndexError:
            _refuse(cards)
        if (word >> cards_at).bit_count() != k:
            _refuse(cards)
        if word & flushes:
            return _flush_strength(word)
        x = word & logarithm
        return strengths[(x + displacements[x >> shift]) & mask]

    STRENGTH_OF[k] = strength


def prepare_texts(k: int) -> None:
    """Make ``STRENGTH_OF_TEXTS[k]``."""
    displacements, strengths, shift, mask = _hash(k)
    word_of = {r + s: _words()[4 * rank + suit] for rank, r in enumerate(RANKS) for suit, s in enumerate(SUITS)}

    def strength(texts: Iterable[str]) -> int | None:
        try:
            word = sum(map(word_of.__getitem__, texts), BIAS)
        except (KeyError, TypeError):
            return None
        if (word >> CARDS_AT).bit_count() != k:
            return None
        if word & FLUSH:
            return _flush_strength(word)
        x = word & LOGARITHM
        return strengths[(x + displacements[x >> shift]) & mask]

    STRENGTH_OF_TEXTS[k] = strength


def _flush_strength(word: int) -> int:
    suit = ((word & FLUSH) >> SUITS_AT).bit_length() // 4 - 1
    strength: int = load("flush").item(word >> (CARDS_AT + 13 * suit) & 0x1FFF)
    return strength


def strength_of(cards: Sequence[int]) -> int:
    """Strength of one hand of 5, 6 or 7 distinct cards, or the error that says what is wrong with it."""
    if len(cards) not in STRENGTH_OF:
        prepare(len(cards))
    return STRENGTH_OF[len(cards)](cards)


def _numbers(cards: Sequence[int]) -> bytes:
    """The same cards as items of ``NUMBERS``, which bytes yield, or the error that says why they are none."""
    try:
        numbers = bytes(cards)  # takes whatever is an index, 0 to 255
    except ValueError:
        _refuse(cards)
    if (0 in numbers or 1 in numbers) and bool in map(type, cards):
        _refuse(cards)
    return numbers


def _refuse(cards: Sequence[int]) -> NoReturn:
    if bool in map(type, cards):
        raise TypeError("cards must be ints, not bools")
    for position, card in enumerate(cards):
        if not 0 <= card < 52:
            raise CardError(f"{card} at position {position} is no card: cards are 0 to 51")
    position, card = next((i, card) for i, card in enumerate(cards) if card in cards[:i])
    raise DuplicateCardError(f"{format_card(card)} ({card}) twice, the second time at position {position}")


def best_of(cards: Sequence[int], strength: int) -> tuple[int, ...]:
    """Which five of the cards make this strength, their own, in canonical order; of equal cards the higher suit."""
    suits = [card & 3 for card in cards]
    left = sorted(cards)
    if load("categories")[strength] in (5, 8, 9):  # flush, straight flush, royal flush
        left = [card for card in left if suits.count(card & 3) >= 5]
    best = []
    for rank in load("ranks")[strength].tolist():
        card = max(card for card in left if card >> 2 == rank)
        left.remove(card)
        best.append(card)
    return tuple(best)
