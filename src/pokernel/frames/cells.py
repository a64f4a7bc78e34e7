"""Columns of Arrow memory that hold a card a row, or texts of cards, read where they lie, some thousands at a time.

A code is a card, or what is there instead: a code of ``jit/text.py``, or NULL. No row is looked at in Python unless
somebody asks what is wrong with it.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..cards import no_card, parse_card, parse_cards
from ..errors import CardError, PokernelError
from ..jit import text
from ..jit.ragged import NULL
from .kinds import is_list, is_text

__all__ = ["Bytes", "Cells", "Indices", "Nulls", "Texts", "cell_column", "plain", "taken"]

Bytes = NDArray[np.uint8]

_SHORT: Final = "the Arrow memory is broken: a buffer of a column of {} is shorter than its rows need"


class Cells(Protocol):
    """One card a row."""

    def read(self, first: int, stop: int) -> Bytes:
        """Codes of these rows."""

    def explain(self, row: int) -> int:
        """The card of a row that is not null, or the error that says why there is none."""

    def as_array(self) -> NDArray[Any] | None:
        """All cards as they lie in memory, integers ``(n,)``, where they are numbers and no null is among them."""


class Nulls:
    """Which rows are null."""

    def __init__(self, column: pa.Array) -> None:
        self.bits = np.frombuffer(column.buffers()[0], np.uint8) if column.null_count else None
        self.offset = column.offset

    def mark(self, first: int, codes: Bytes) -> None:
        """Overwrite the codes of rows that are null, from this row on."""
        if self.bits is not None:
            byte, bit = divmod(self.offset + first, 8)
            bits = np.unpackbits(self.bits[byte : byte + (bit + len(codes) + 7) // 8], bitorder="little")
            codes[bits[bit : bit + len(codes)] == 0] = NULL


def taken(data: pa.Buffer | None, dtype: np.dtype[Any], count: int, start: int) -> NDArray[Any]:
    """So many numbers of a buffer from this byte on, if it has them."""
    if not count:
        return np.empty(0, dtype)
    if data is None or start + count * dtype.itemsize > data.size:
        raise PokernelError(_SHORT.format(dtype))
    return np.frombuffer(data, dtype, count, start)


class Texts:
    """Texts of any Arrow layout: hands, or single cards."""

    def __init__(self, column: pa.Array) -> None:
        kind = column.type
        _, rows, *data = column.buffers()
        self.column, self.nulls, self.width = column, Nulls(column), 0
        if pa.types.is_fixed_size_binary(kind):  # all rows lie in one buffer, and the first at its start
            self.layout, self.step, self.width, rows, data = text.FIXED, kind.byte_width, kind.byte_width, None, [rows]
        elif pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
            self.layout, self.step = text.VIEWS, 16
        elif pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
            self.layout, self.step = text.OFFSETS64, 8
        else:
            self.layout, self.step = text.OFFSETS32, 4
        self.start = (rows.address if rows is not None else 0) + column.offset * self.step
        offsets = self.layout in (text.OFFSETS32, text.OFFSETS64)
        entries = rows if self.layout != text.FIXED else data[0]
        if len(column) and (column.offset + len(column) + offsets) * self.step > (entries.size if entries else 0):
            raise PokernelError(_SHORT.format(kind))
        spans = [(buffer.address, buffer.size) if buffer is not None else (0, 0) for buffer in data]
        self.buffers = np.array(spans, np.int64).reshape(-1, 2)

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        start = self.start + first * self.step
        text.decode(self.layout, start, self.width, self.buffers, cards, sizes, text.tables())
        self.nulls.mark(first, sizes)

    def explain(self, row: int) -> Sequence[int]:
        return parse_cards(self.text(row))

    def text(self, row: int) -> str:
        cards, sizes = np.empty((1, 1), np.uint8), np.empty(1, np.uint8)
        self.read(row, cards, sizes)
        if sizes[0] == text.OUTSIDE:
            raise CardError("the text lies outside the column's memory")
        data = self.column[row].as_buffer()
        return data.to_pybytes().decode("utf-8", "backslashreplace") if data is not None else ""

    def as_arrays(self) -> None:
        return None


class TextCells:
    """Texts of one card each."""

    def __init__(self, column: pa.Array) -> None:
        self.texts = Texts(column)

    def read(self, first: int, stop: int) -> Bytes:
        cards, sizes = np.empty((stop - first, 1), np.uint8), np.empty(stop - first, np.uint8)
        self.texts.read(first, cards, sizes)
        sizes[(sizes != 1) & (sizes < text.OUTSIDE)] = text.NO_CARD
        return np.where(sizes == 1, cards[:, 0], sizes)

    def explain(self, row: int) -> int:
        return parse_card(self.texts.text(row))

    def as_array(self) -> None:
        return None


class NumberCells:
    """Integers of any type."""

    def __init__(self, column: pa.Array) -> None:
        dtype = np.dtype(column.type.to_pandas_dtype())
        self.values = taken(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)
        self.nulls = Nulls(column)

    def read(self, first: int, stop: int) -> Bytes:
        numbers = self.values[first:stop]
        unsigned = numbers.view(numbers.dtype.str.replace("i", "u"))  # a negative number becomes a large one
        if len(numbers) and unsigned.max() < 52:
            codes = numbers.astype(np.uint8)
        else:
            codes = np.where(unsigned < 52, unsigned, text.NO_CARD).astype(np.uint8)
        self.nulls.mark(first, codes)
        return codes

    def explain(self, row: int) -> int:
        card = int(self.values[row])
        if not 0 <= card <= 51:
            raise CardError(no_card(card))
        return card

    def as_array(self) -> NDArray[Any] | None:
        return self.values if self.nulls.bits is None else None


class DictionaryCells:
    """Cells that are said by their number in a dictionary of cells."""

    def __init__(self, column: pa.Array) -> None:
        self.cells, self.indices, self.nulls = cell_column(column.dictionary), Indices(column), Nulls(column)
        self.codes = self.cells.read(0, len(column.dictionary)) if len(column.dictionary) else np.empty(0, np.uint8)

    def read(self, first: int, stop: int) -> Bytes:
        codes = np.empty(stop - first, np.uint8)
        self.indices.take(first, self.codes, codes)
        self.nulls.mark(first, codes)
        return codes

    def explain(self, row: int) -> int:
        return self.cells.explain(self.indices[row])

    def as_array(self) -> None:
        return None


class Indices:
    """Which entry of its dictionary a column means in each row; anything where the row is null."""

    def __init__(self, column: pa.Array) -> None:
        values = NumberCells(column.indices).values
        self.values = values.view(np.int64) if values.dtype == np.uint64 else values  # as numpy takes indices
        self.entries = len(column.dictionary)

    def take(self, first: int, codes: Bytes, out: Bytes) -> None:
        """The codes of rows from this one on, by those of the entries; OUTSIDE where there is no such entry."""
        indices = self.values[first : first + len(out)]
        if not self.entries:
            out[:] = text.OUTSIDE
            return
        codes.take(indices, out=out, mode="clip")
        if len(indices) and (indices.min() < 0 or indices.max() >= self.entries):
            out[(indices < 0) | (indices >= self.entries)] = text.OUTSIDE

    def __getitem__(self, row: int) -> int:
        index = int(self.values[row])
        if not 0 <= index < self.entries:
            raise CardError(f"the dictionary has no entry {index}")
        return index


def _wraps(kind: pa.DataType) -> bool:
    """Whether an extension type only names texts or lists: numbers and bytes that it names are no cards."""
    if not isinstance(kind, pa.BaseExtensionType):
        return False
    inner = kind.storage_type
    return is_list(inner) or any(
        getattr(pa.types, f"is_{name}")(inner) for name in ("string", "large_string", "string_view")
    )


def plain(column: pa.Array) -> pa.Array:
    """A column without what only wraps it."""
    while True:
        if _wraps(column.type):
            column = column.storage
        elif pa.types.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        else:
            return column


def cell_column(column: pa.Array) -> Cells:
    """A column of single cards, whatever its type."""
    column = plain(column)
    kind = column.type
    if pa.types.is_dictionary(kind):
        return DictionaryCells(column)
    if pa.types.is_null(kind):
        column = column.cast(pa.uint8())
        return NumberCells(column)
    if pa.types.is_integer(kind):
        return NumberCells(column)
    if is_text(kind):
        return TextCells(column)
    raise TypeError(f"cards are integers or texts, not {kind}")
