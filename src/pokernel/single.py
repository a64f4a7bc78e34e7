"""One hand at a time, from the same tables, in plain Python: no compiler to wait for.

A card's word is one large integer that adds up over a hand: the 32-bit scaled logarithm of its rank lowest, then four
4-bit suit counters, then one bit a card, so that a card held twice carries and leaves fewer bits set. It stays below
120 bits: the fewer digits an integer has, the faster it adds.
"""

import functools
import struct
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

STRENGTH_OF: dict[int, Callable[[Sequence[int]], int]] = {}
"""``STRENGTH_OF[k](cards)``: strength of one hand of k ints, or the error that says what is wrong with it."""
STRENGTH_OF_TEXTS: dict[int, Callable[[Iterable[str]], int | None]] = {}
"""``STRENGTH_OF_TEXTS[k](texts)``: the same of k canonical texts (``"As"``); None if one is not, or it is no hand."""


@functools.cache
def _words() -> list[int]:
    """The word of each card; those of 52 to 255 are zero: they leave a bit unset, as a duplicate does."""
    keys = load("card_keys").tolist()
    words = [(key >> 32) + ((key & 0xFFFF) << SUITS_AT) for key in keys]
    return [word + (1 << (CARDS_AT + card) if card < 52 else 0) for card, word in enumerate(words)]


@functools.cache
def _pair_words() -> list[int]:
    """The words of two cards added up, by ``first + 256 * second``: half as many additions."""
    return [first + second for second in _words()[:52] for first in _words()]


def _hash(k: int) -> tuple[memoryview, memoryview, int, int]:
    """Displacements, strengths, the shift that gives a row, the mask that gives a slot."""
    if k not in (5, 6, 7):
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {k}")
    displacements, strengths = load(f"displacements{k}"), load(f"strengths{k}")
    shift = 32 - (len(displacements).bit_length() - 1)
    return displacements.data, strengths.data, shift, len(strengths) - 1


def prepare(k: int) -> None:
    """Make ``STRENGTH_OF[k]``: with all it needs in local variables it keeps up with compiled peers."""
    displacements_table, strengths_table, shift, mask = _hash(k)
    shared = list(range(7463))  # few int objects stay in the cache, one for every slot would not
    displacements: list[int] = displacements_table.tolist()
    strengths: list[int] = [*map(shared.__getitem__, strengths_table.tolist())]
    w, pair, unpack = _words(), _pair_words(), struct.Struct({5: "<HHB", 6: "<HHH", 7: "<HHHB"}[k]).unpack
    last = [word + BIAS for word in (pair if k == 6 else w)]
    flushes, logarithm, cards_at = FLUSH, LOGARITHM, CARDS_AT

    def strength(cards: Sequence[int]) -> int:
        try:
            if k == 7:
                a, b, c, d = unpack(bytes(cards))
                word: int = pair[a] + pair[b] + pair[c] + last[d]
            else:
                a, b, c = unpack(bytes(cards))
                word = pair[a] + pair[b] + last[c]
        except (ValueError, IndexError):  # bytes() takes 0 to 255, pairs end at 51
            _refuse(cards)
        held = word >> cards_at
        if held.bit_count() != k:
            _refuse(cards)
        if held & 3:  # the cards 0 and 1 may be a False and a True in disguise
            try:
                if (held & 1 and cards[cards.index(0)] is False) or (held & 2 and cards[cards.index(1)] is True):
                    _refuse(cards)
            except ValueError:  # of a type of its own that is an index, but equals no int
                pass
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
    held = word >> (CARDS_AT + suit) & 0x1111111111111  # one bit a rank, four apart: binary in hexadecimal digits
    return int(load("flush")[int(f"{held:x}", 2)])


def strength_of(cards: Sequence[int]) -> int:
    """Strength of one hand of 5, 6 or 7 distinct cards, or the error that says what is wrong with it."""
    if len(cards) not in STRENGTH_OF:
        prepare(len(cards))
    return STRENGTH_OF[len(cards)](cards)


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
