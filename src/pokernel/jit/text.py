"""Card texts to cards, straight from the memory of a column: the grammar of ``cards.py``, byte by byte.

Texts lie in memory as Arrow lays them out, UTF-8 in all cases: fixed widths, 32-bit or 64-bit offsets, or views (16
bytes a row: the length, then the text itself if it has at most 12 bytes, else four bytes of it and two 32-bit integers,
the number of a buffer and a place in it). A text that would lie outside its buffer is refused, not read.

Plainly written hands, ``AsKd…``, ``As Kd …`` or ``As,Kd,…``, take one look-up a card: two bytes are read as one number.
All others, and those with a fault, go to a scanner that accepts what the pattern in ``cards.py`` matches, and no more.
"""

import functools
from typing import Any

import numpy as np
from numba import int32, int64, uint8, uint16

from ..cards import CARD_OF, RANKS, SUITS
from ._compile import inline, inline_early, kernel
from .memory import peek
from .showdown import one_by_one, set_bits

__all__ = ["FIXED", "NO_CARD", "OFFSETS32", "OFFSETS64", "OUTSIDE", "TWICE", "VIEWS", "decode", "tables"]

FIXED, OFFSETS32, OFFSETS64, VIEWS = 0, 1, 2, 3

# A number of cards is 52 at most; if one is there twice, TWICE and so many, up to 100. Or it says why there is none.
TWICE, OUTSIDE, NO_CARD = 100, 253, 254

SUIT, SPACE, COMMA, OTHER = 16, 32, 33, 64  # classes of bytes; a rank's is the rank


@functools.cache
def tables() -> tuple[Any, ...]:
    """What the kernel reads: the class of a byte, the card of two bytes (255: none), the suit of U+2660 … U+2667."""
    classes = np.full(256, OTHER, np.uint8)
    for letters, first in ((RANKS, 0), (RANKS.lower(), 0), (SUITS, SUIT), (SUITS.upper(), SUIT)):
        classes[list(letters.encode())] = range(first, first + len(letters))
    classes[[byte for byte in range(128) if chr(byte).isspace()]] = SPACE
    classes[ord(",")] = COMMA
    pairs = np.full(1 << 16, 255, np.uint8)
    symbols = np.empty(8, np.uint8)
    for text, card in CARD_OF.items():
        if text.isascii() and len(text) == 2:
            pairs[int.from_bytes(text.encode(), "little")] = card
        elif text.startswith("A") and not text.isascii():
            symbols[ord(text[1]) - 0x2660] = card & 3
    for table in (classes, pairs, symbols):
        table.flags.writeable = False
    return classes, pairs, symbols


@inline
def _wide_space(at, end):
    """How many bytes white space takes that is no ASCII character, 0 if there is none: what ``str.isspace`` says."""
    first, second = peek(uint8, at), peek(uint8, at + 1) if at + 1 < end else uint8(0)
    if first == 0xC2:
        return 2 * (second == 0x85 or second == 0xA0)
    third = peek(uint8, at + 2) if at + 2 < end else uint8(0)
    if first == 0xE1:
        return 3 * (second == 0x9A and third == 0x80)
    if first == 0xE3:
        return 3 * (second == 0x80 and third == 0x80)
    if first != 0xE2:
        return 0
    if second == 0x81:
        return 3 * (third == 0x9F)
    listed = 0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
    return 3 * (second == 0x80 and listed)


@inline
def _skip(at, end, classes):
    """Where the white space from here on ends."""
    while at < end:
        byte = peek(uint8, at)
        if classes[byte] == SPACE:
            at += 1
        elif byte >= 0xC2:
            width = _wide_space(at, end)
            if width == 0:
                return at
            at += width
        else:
            return at
    return at


@inline
def _suit(at, end, classes, symbols):
    """The suit that stands here and how many bytes it takes, 0 if none does."""
    if at >= end:
        return int64(0), 0
    suit = int64(classes[peek(uint8, at)]) - SUIT
    if 0 <= suit < 4:
        return suit, 1
    if end - at < 3 or peek(uint16, at) != 0x99E2 or (peek(uint8, at + 2) & 0xF8) != 0xA0:
        return int64(0), 0
    emoji = end - at >= 6 and peek(uint16, at + 3) == 0xB8EF and peek(uint8, at + 5) == 0x8F  # U+FE0F
    return int64(symbols[peek(uint8, at + 2) & 7]), 6 if emoji else 3


@inline
def _scan(at, end, cards, row, classes, symbols):
    """Cards of a text into their row, as many as it takes; gives how many there are, or what is wrong."""
    count, due, seen, twice = 0, True, int64(0), int64(0)
    at = _skip(at, end, classes)
    while at < end:
        rank = int64(classes[peek(uint8, at)])
        if rank >= SUIT:
            if end - at < 2 or peek(uint16, at) != 0x3031:  # "10"
                return NO_CARD
            rank = 8
            at += 1
        at += 1
        suit, width = _suit(at, end, classes, symbols)
        if width == 0:
            at = _skip(at, end, classes)
            suit, width = _suit(at, end, classes, symbols)
            if width == 0:
                return NO_CARD
        at += width
        card = 4 * rank + suit
        twice |= seen >> card
        seen |= int64(1) << card
        if count < cards.shape[1]:
            cards[row, count] = card
        count += 1
        if at < end and classes[peek(uint8, at)] >= SUIT:
            at = _skip(at, end, classes)
        due = at < end and classes[peek(uint8, at)] == COMMA
        if due:
            at = _skip(at + 1, end, classes)
    if due:
        return NO_CARD
    return TWICE + min(count, 100) if twice & 1 else count


@inline_early
def _plain(k, step, at, cards, row, pairs):
    """Whether so many distinct cards, each two bytes, stand there so far apart; they are in their row then."""
    wrong = seen = int64(0)
    for j in range(k):
        one_by_one()
        card = int64(pairs[peek(uint16, at + step * j)])
        wrong |= card
        seen |= int64(1) << (card & 63)
        cards[row, j] = card
    if step == 3:
        for j in range(k - 1):
            byte = peek(uint8, at + 3 * j + 2)
            wrong |= 64 * (byte != 0x20 and byte != 0x2C)
    return wrong < 64 and set_bits(seen) == k


@inline
def _read(at, length, cards, row, tables):
    classes, pairs, symbols = tables
    most = cards.shape[1]
    if length == 14 and most == 7:
        if _plain(7, 2, at, cards, row, pairs):
            return 7
    elif length == 20 and most == 7:
        if _plain(7, 3, at, cards, row, pairs):
            return 7
    elif length % 2 == 0 and length <= 2 * most and length > 0 and _plain(length // 2, 2, at, cards, row, pairs):
        return length // 2
    if length % 3 == 2 and length < 3 * most and _plain(length // 3 + 1, 3, at, cards, row, pairs):
        return length // 3 + 1
    return _scan(at, at + length, cards, row, classes, symbols)


@kernel
def decode(layout, rows, width, buffers, cards, sizes, tables):
    """Read texts.

    Parameters
    ----------
    layout : FIXED, OFFSETS32, OFFSETS64 or VIEWS
    rows : machine address of the first row's offset or view; for FIXED, its place in the buffer
    width : bytes a row, for FIXED
    buffers : ``int64 (b, 2)``, machine addresses and sizes of the buffers of text; one but for VIEWS
    cards : ``uint8 (n, m)`` for the cards of each row from the left; the rest of a row is undefined
    sizes : ``uint8 (n,)`` for how many each text has, which may be more than m; or a code
    tables : what :func:`tables` gives
    """
    for row in range(len(sizes)):
        which, start, length = int64(0), int64(0), int64(width)
        inside = int64(0)
        if layout == FIXED:
            start = int64(rows) + row * width
        elif layout == OFFSETS32:
            start = int64(peek(int32, rows + 4 * row))
            length = int64(peek(int32, rows + 4 * row + 4)) - start
        elif layout == OFFSETS64:
            start = peek(int64, rows + 8 * row)
            length = peek(int64, rows + 8 * row + 8) - start
        else:
            view = rows + 16 * row
            length = int64(peek(int32, view))
            if 0 <= length <= 12:
                inside = view + 4
            else:
                which, start = int64(peek(int32, view + 8)), int64(peek(int32, view + 12))
        if inside == 0:
            if not 0 <= which < len(buffers) or start < 0 or length < 0 or start > buffers[which, 1] - length:
                sizes[row] = OUTSIDE
                continue
            inside = buffers[which, 0] + start
        sizes[row] = _read(inside, length, cards, row, tables)
