"""One hand at a time, from the same tables, in plain Python: no compiler to wait for.

A card's word is one large integer that adds up over a hand: a bit a card lowest (so that a card held twice carries and
leaves fewer bits set), then four 4-bit suit counters, then the 32-bit scaled logarithm of the card's rank.
"""

import functools
from typing import NamedTuple

from .cards import RANKS, SUITS, format_card
from .errors import CardError, DuplicateCardError, HandSizeError
from .tables import load

__all__ = ["best_of", "strength_of"]

CARD_BITS = (1 << 55) - 1  # 52 cards and room for the carry of seven
SUITS_AT, LOGARITHM_AT = 55, 71


class _Lookup(NamedTuple):
    words: list[int]
    word_of: dict[str, int]
    hashes: dict[int, tuple[memoryview, memoryview, int, int]]
    flush: memoryview


@functools.cache
def _lookup() -> _Lookup:
    words = []
    for card, key in enumerate(load("card_keys")[:52].tolist()):
        words.append((key >> 32 << LOGARITHM_AT) + ((key & 0xFFFF) << SUITS_AT) + (1 << card))
    texts = {r + s: words[4 * rank + suit] for rank, r in enumerate(RANKS) for suit, s in enumerate(SUITS)}
    hashes = {}
    for k in (5, 6, 7):
        displacements, strengths = load(f"displacements{k}"), load(f"strengths{k}")
        shift = 32 - (len(displacements).bit_length() - 1)
        hashes[k] = (memoryview(displacements), memoryview(strengths), shift, len(strengths) - 1)
    return _Lookup(words, texts, hashes, memoryview(load("flush")))


def _strength(word: int, k: int, lookup: _Lookup) -> int:
    flagged = ((word >> SUITS_AT) + 0x3333) & 0x8888
    if flagged:
        suit = flagged.bit_length() // 4 - 1
        return lookup.flush[sum(1 << rank for rank in range(13) if word >> (4 * rank + suit) & 1)]
    displacements, strengths, shift, mask = lookup.hashes[k]
    x = (word >> LOGARITHM_AT) & 0xFFFFFFFF
    return strengths[(x + displacements[x >> shift]) & mask]


def strength_of(cards: tuple[int, ...] | list[int]) -> int:
    """Strength of one hand of 5, 6 or 7 distinct cards.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError
        Naming the card, its position, or the number of cards.
    """
    lookup = _lookup()
    k = len(cards)
    try:
        if k == 7:
            a, b, c, d, e, f, g = bytes(cards)
            w = lookup.words
            word = w[a] + w[b] + w[c] + w[d] + w[e] + w[f] + w[g]
        else:
            word = sum(map(lookup.words.__getitem__, bytes(cards)))
    except (ValueError, IndexError):
        raise _no_card(cards) from None
    if k not in lookup.hashes:
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {k}")
    if (word & CARD_BITS).bit_count() != k:
        raise _twice(cards)
    return _strength(word, k, lookup)


def strength_of_text(text: str) -> int | None:
    """Strength of a hand written canonically (``"AsKsQsJsTs2c3d"``); None if it is not, or is no hand."""
    lookup = _lookup()
    k = len(text) // 2
    try:
        word = sum(map(lookup.word_of.__getitem__, map(str.__add__, text[::2], text[1::2])))
    except KeyError:
        return None
    if 2 * k != len(text) or k not in lookup.hashes or (word & CARD_BITS).bit_count() != k:
        return None
    return _strength(word, k, lookup)


def _no_card(cards: tuple[int, ...] | list[int]) -> CardError:
    position, card = next((i, card) for i, card in enumerate(cards) if not 0 <= card < 52)
    return CardError(f"{card} at position {position} is no card: cards are 0 to 51")


def _twice(cards: tuple[int, ...] | list[int]) -> DuplicateCardError:
    position, card = next((i, card) for i, card in enumerate(cards) if card in cards[:i])
    return DuplicateCardError(f"{format_card(card)} ({card}) twice, the second time at position {position}")


def best_of(cards: tuple[int, ...] | list[int], strength: int) -> tuple[int, ...]:
    """Which five of the cards make this strength, their own, in canonical order; of equal cards the higher suit."""
    ranks = load("ranks")[strength].tolist()
    suits = [card & 3 for card in cards]
    left = sorted(cards)
    if load("categories")[strength] in (5, 8, 9):  # flush, straight flush, royal flush
        left = [card for card in left if suits.count(card & 3) >= 5]
    best = []
    for rank in ranks:
        card = max(card for card in left if card >> 2 == rank)
        left.remove(card)
        best.append(card)
    return tuple(best)
