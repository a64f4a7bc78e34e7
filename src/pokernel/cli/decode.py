"""Arrow columns to cards, straight from Arrow's buffers: no Python object per cell unless a cell is spelled unusually.

Here a code is a byte, and 255 stands for "not decoded": the caller takes those cells one by one.
"""

from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..cards import RANKS, SUITS

__all__ = [
    "CARD_CODES",
    "MOST_CARDS",
    "RANK_CODES",
    "SUIT_CODES",
    "UNKNOWN",
    "decode_cells",
    "decode_hands",
    "decode_lists",
    "plainer",
]

UNKNOWN = 255
MOST_CARDS = 7

Bytes = NDArray[np.uint8]
Rows = NDArray[np.intp]


def _table(codes: dict[str, int]) -> Bytes:
    """Return the code of each text of one or two ASCII characters, indexed by ``first + 256 * second``."""
    table = np.full(1 << 16, UNKNOWN, np.uint8)
    for text, code in codes.items():
        table[int.from_bytes(text.encode(), "little")] = code
    return table


_CARDS = {
    r + s: 4 * rank + suit
    for (rank, rank_text), (suit, suit_text) in product(enumerate(RANKS), enumerate(SUITS))
    for r, s in product({rank_text, rank_text.lower()}, {suit_text, suit_text.upper()})
}
_PAIRS = _table(_CARDS)

# Cells, as text: a card's name or number; the UCI file's suits (hearts, spades, diamonds, clubs) and ranks (1: ace).
CARD_CODES = _table(_CARDS | {str(card): card for card in range(52)})
SUIT_CODES = _table({"1": 2, "2": 3, "3": 1, "4": 0})
RANK_CODES = _table({"1": 12} | {str(rank): rank - 2 for rank in range(2, 14)})


def decode_hands(column: pa.Array) -> tuple[Bytes, Bytes, Rows]:
    """
    Decode hands written as ``AsKd…``, ``As Kd …`` or ``As,Kd,…``, up to seven cards each, of mixed sizes.

    Parameters
    ----------
    column : pyarrow.Array
        n texts of any Arrow string type.

    Returns
    -------
    cards : uint8 (n, 7)
        The cards of each row from the left; the rest of a row is undefined.
    sizes : uint8 (n,)
        How many there are; 0 where the row was not decoded.
    others : intp
        The rows not decoded (nulls, and texts spelled otherwise or wrongly), ascending.
    """
    offsets, data, valid = _buffers(column)
    lengths = np.diff(offsets)
    n = len(lengths)
    cards = np.empty((n, MOST_CARDS), np.uint8)
    sizes = np.zeros(n, np.uint8)
    longest = 3 * MOST_CARDS - 1
    counts = np.bincount(np.minimum(lengths, longest + 1), minlength=longest + 2)
    for length in range(2, longest + 1):
        packed, spaced = length % 2 == 0 and length <= 2 * MOST_CARDS, length % 3 == 2 and length > 2
        if not counts[length] or not (packed or spaced):
            continue
        rows: Rows | slice = slice(None)
        if counts[length] == n:
            text = data[offsets[0] : offsets[-1]].reshape(n, length)
        else:
            rows = np.flatnonzero(lengths == length)
            text = data[offsets[rows, None] + np.arange(length)]
        # A text of 14 characters may be seven cards or five with separators; a text can be only one of the two.
        if packed:
            _store(cards, sizes, rows, _PAIRS[np.ascontiguousarray(text).view("<u2")])
        if spaced:
            found = _PAIRS[text[:, 0::3] | text[:, 1::3].astype(np.uint16) << 8]
            separators = text[:, 2::3]
            found[~((separators == 0x20) | (separators == 0x2C)).all(axis=1)] = UNKNOWN
            _store(cards, sizes, rows, found)
    if valid is not None:
        sizes[~valid] = 0
    return cards, sizes, np.flatnonzero(sizes == 0)


def plainer(column: pa.Array) -> pa.Array:
    """
    Respell texts so that `decode_hands` can read more of them.

    Every ``10`` becomes ``T``, every suit symbol its letter, and blanks go, in this order. A text that is a hand only
    after that was one before: what was replaced can stand in the result only where the parser takes either.
    """
    if not pa.types.is_string(column.type):
        column = column.cast(pa.string())
    column = pc.replace_substring(column, "10", "T")
    _, _, data = column.buffers()
    if data is not None and (np.frombuffer(data, np.uint8) > 0x7F).any():
        for symbols, letter in (("♣♧", "c"), ("♦♢", "d"), ("♥♡", "h"), ("♠♤", "s")):
            column = pc.replace_substring_regex(column, f"[{symbols}]\ufe0f?", letter)
    return pc.replace_substring(column, " ", "")


def _store(cards: Bytes, sizes: Bytes, rows: Rows | slice, found: Bytes) -> None:
    """Write the wholly decoded of the hands `found` into their rows."""
    size = found.shape[1]
    if (found == UNKNOWN).any():
        good = (found != UNKNOWN).all(axis=1)
        rows, found = np.arange(len(cards))[rows][good], found[good]
    cards[rows, :size] = found
    sizes[rows] = size


def decode_lists(column: pa.Array) -> tuple[Bytes, Bytes, Rows]:
    """Do the same for lists of card numbers (list, large list or fixed-size list of an integer type)."""
    n = len(column)
    cards = np.empty((n, MOST_CARDS), np.uint8)
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    values = decode_cells(column.flatten(), CARD_CODES)
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    sizes = np.zeros(n, np.uint8)
    for size in range(1, MOST_CARDS + 1):
        rows = np.flatnonzero(lengths == size)
        if len(rows):
            _store(cards, sizes, rows, values[starts[rows, None] + np.arange(size)])
    return cards, sizes, np.flatnonzero(sizes == 0)


def decode_cells(column: pa.Array, codes: Bytes) -> Bytes:
    """
    Decode cells that hold one code each.

    Parameters
    ----------
    column : pyarrow.Array
        n texts, or n integers that stand for their decimal text.
    codes : uint8 (65536,)
        One of the tables of this module.

    Returns
    -------
    uint8 (n,)
        The codes; 255 for nulls and all other cells.
    """
    if pa.types.is_integer(column.type):
        numbers = np.array([codes[int.from_bytes(str(number).encode(), "little")] for number in range(100)], np.uint8)
        none = len(numbers) - 1
        # Arrow would compare as int64, which not every uint64 is.
        values = pc.fill_null(column, pa.scalar(none, column.type)).to_numpy(zero_copy_only=False)
        indices = np.where((values >= 0) & (values < none), values, none)
        found: Bytes = numbers[indices.astype(np.intp)]
        return found
    offsets, data, valid = _buffers(column)
    starts, lengths = offsets[:-1], np.diff(offsets)
    if not len(data):
        return np.full(len(lengths), UNKNOWN, np.uint8)
    # Clipped reads past the end are masked by the length.
    first = data.take(starts, mode="clip").astype(np.uint16)
    second = data.take(starts + 1, mode="clip").astype(np.uint16)
    found = codes[first | np.where(lengths == 2, second, 0) << 8]
    found[(lengths < 1) | (lengths > 2)] = UNKNOWN
    if valid is not None:
        found[~valid] = UNKNOWN
    return found


def _buffers(column: pa.Array) -> tuple[NDArray[np.int64], Bytes, NDArray[np.bool_] | None]:
    """Return offsets (n + 1), bytes and (None: all) which are valid, of a column of texts."""
    large = pa.types.is_large_string(column.type)
    if not large and not pa.types.is_string(column.type):
        column = column.cast(pa.string())
    _, offset_buffer, data_buffer = column.buffers()
    width = np.dtype(np.int64 if large else np.int32)
    offsets = np.zeros(1, np.int64)
    if len(column):
        start = column.offset * width.itemsize
        offsets = np.frombuffer(offset_buffer, width, len(column) + 1, start).astype(np.int64)
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.empty(0, np.uint8)
    valid = column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else None
    return offsets, data, valid
