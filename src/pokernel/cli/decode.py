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

# Cells, as text: a card's name or number; the UCI file's suits (hearts, spades, diamonds, clubs) and ranks (1: ace).
CARD_CODES = _table(_CARDS | {str(card): card for card in range(52)})
SUIT_CODES = _table({"1": 2, "2": 3, "3": 1, "4": 0})
RANK_CODES = _table({"1": 12} | {str(rank): rank - 2 for rank in range(2, 14)})


def decode_hands(column: pa.Array) -> tuple[Bytes, Bytes, Rows]:
    """
    Decode hands of up to seven cards, of mixed sizes.

    Parameters
    ----------
    column : pyarrow.Array
        n texts, or lists of card numbers or texts, of any Arrow type for these.

    Returns
    -------
    cards : uint8 (n, 7)
        The cards of each row from the left; the rest of a row is undefined.
    sizes : uint8 (n,)
        How many there are; 0 where the row was not decoded.
    others : intp
        The rows not decoded (nulls, and what is no hand though all its cards may be different), ascending; all rows
        of a column of single values that are no cards, such as numbers with a point and dates.

    Raises
    ------
    pyarrow.ArrowTypeError
        If it is a column of structs, maps or the like.
    """
    from ..frames.columns import hand_column
    from ..jit.text import TWICE

    cards, sizes = np.empty((len(column), MOST_CARDS), np.uint8), np.zeros(len(column), np.uint8)
    try:
        hands = hand_column(column)
    except TypeError as error:
        if pa.types.is_nested(column.type):
            raise pa.ArrowTypeError(str(error)) from None
        return cards, sizes, np.arange(len(column))
    hands.read(0, cards, sizes)
    sizes[(sizes > TWICE) & (sizes <= TWICE + MOST_CARDS)] -= TWICE  # that is for the kernels to find
    sizes[sizes > MOST_CARDS] = 0
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
