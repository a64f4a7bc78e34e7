"""Columns of Arrow memory as rows of cards, some thousands at a time, read where they lie.

A block of rows is read into ``cards`` ``(n, 7)`` and ``sizes``, see ``jit/ragged.py``.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..errors import CardError, HandSizeError
from ..jit.ragged import MOST, spread
from .cells import Bytes, Cells, Indices, Nulls, Texts, cell_column, plain, taken
from .kinds import is_list, is_text

__all__ = ["Hands", "SameCards", "hand_column", "hand_columns"]


PIECE = 1 << 14  # rows whose sizes are looked at at once: no temporary grows with the column


class Hands(Protocol):
    """Cards of n rows."""

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        """Fill in as many rows as there is room for, from this one on."""

    def explain(self, row: int) -> Sequence[int]:
        """The cards of a row that is not null, or the error that says why it has none."""

    def as_arrays(self) -> list[NDArray[Any]] | None:
        """All cards as they lie in memory, integers ``(n, k)``, where they are numbers without nulls."""


class Lists:
    """Lists of cells: in a row, one after another, or anywhere (list views)."""

    def __init__(self, column: pa.Array) -> None:
        kind = column.type
        self.nulls, self.rows, self.offset = Nulls(column), len(column), column.offset
        self.cells, self.length = cell_column(column.values), len(column.values)
        self.width: int | None = kind.list_size if pa.types.is_fixed_size_list(kind) else None
        self.bounds: list[NDArray[Any]] = []
        if self.width is None:
            views = pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind)
            dtype = np.dtype(np.int32 if pa.types.is_list(kind) or pa.types.is_list_view(kind) else np.int64)
            start = column.offset * dtype.itemsize
            for data in column.buffers()[1 : 3 if views else 2]:
                many = self.rows + (not views)
                self.bounds.append(taken(data, dtype, many, start) if self.rows else np.zeros(many, dtype))
        self.codes = self.cells.read(0, self.length) if len(self.bounds) == 2 else None

    def _bounds(self, first: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where these rows' lists start and stop among the cells."""
        if self.width is not None:
            ends = (self.offset + np.arange(first, stop + 1, dtype=np.int64)) * self.width
        elif len(self.bounds) == 1:
            ends = self.bounds[0][first : stop + 1].astype(np.int64)
        else:
            starts, sizes = (bounds[first:stop].astype(np.int64) for bounds in self.bounds)
            return starts, starts + sizes
        return ends[:-1], ends[1:]

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        starts, stops = self._bounds(first, first + len(sizes))
        if self.codes is not None:
            spread(starts, stops, self.codes, cards, sizes)
        else:
            start, stop = (min(max(int(end), 0), self.length) for end in (starts[0], stops[-1]))
            spread(starts - start, stops - start, self.cells.read(start, max(start, stop)), cards, sizes)
        self.nulls.mark(first, sizes)

    def explain(self, row: int) -> Sequence[int]:
        (start,), (stop,) = self._bounds(row, row + 1)
        if not 0 <= start <= stop <= self.length:
            raise CardError("the list lies outside the column's memory")
        return [self.cells.explain(item) for item in range(int(start), int(stop))]

    def as_arrays(self) -> list[NDArray[Any]] | None:
        values = self.cells.as_array()
        width = self._same_width() if values is not None and self.nulls.bits is None else None
        if values is None or width is None:
            return None
        (start,), _ = self._bounds(0, 1)
        cards = values[start : start + self.rows * width]
        return [cards.reshape(self.rows, width)] if start >= 0 and len(cards) == self.rows * width else None

    def _same_width(self) -> int | None:
        """How many cells every list has, if they lie one after another and all have as many."""
        if self.width is not None or len(self.bounds) != 1:
            return self.width
        (ends,) = self.bounds
        width = int(ends[1] - ends[0])
        pieces = (ends[start : start + PIECE + 1] for start in range(0, self.rows, PIECE))
        return width if 0 < width <= MOST and all((np.diff(piece) == width).all() for piece in pieces) else None


class CardColumns:
    """Several columns of cells side by side."""

    def __init__(self, columns: Sequence[pa.Array], names: Sequence[str]) -> None:
        _check_size(len(columns))
        self.names = [f"column {name}: " if name else "" for name in names]
        self.cells = [self._of(column, name) for column, name in zip(columns, self.names, strict=True)]

    @staticmethod
    def _of(column: pa.Array, name: str) -> Cells:
        try:
            return cell_column(column)
        except TypeError as error:
            raise TypeError(f"{name}{error}") from None

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        worst = np.zeros(len(sizes), np.uint8)
        for index, cells in enumerate(self.cells):
            codes = cells.read(first, first + len(sizes))
            np.maximum(worst, codes, out=worst)
            cards[:, index] = codes
        sizes[:] = np.where(worst > 51, worst, len(self.cells))

    def explain(self, row: int) -> Sequence[int]:
        return [self._cell(name, cells, row) for name, cells in zip(self.names, self.cells, strict=True)]

    def _cell(self, name: str, cells: Cells, row: int) -> int:
        try:
            return cells.explain(row)
        except CardError as error:
            raise type(error)(f"{name}{error}") from None

    def as_arrays(self) -> list[NDArray[Any]] | None:
        arrays = [array for cells in self.cells if (array := cells.as_array()) is not None]
        return [array[:, np.newaxis] for array in arrays] if len(arrays) == len(self.cells) else None


class DictionaryHands:
    """Hands that are said by their number in a dictionary of hands."""

    def __init__(self, column: pa.Array) -> None:
        self.hands, self.indices, self.nulls = hand_column(column.dictionary), Indices(column), Nulls(column)
        entries = len(column.dictionary)
        self.cards, self.sizes = np.empty((entries, MOST), np.uint8), np.empty(entries, np.uint8)
        if entries:
            self.hands.read(0, self.cards, self.sizes)

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        if len(self.cards):
            self.cards.take(self.indices.values[first : first + len(sizes)], axis=0, out=cards, mode="clip")
        self.indices.take(first, self.sizes, sizes)
        self.nulls.mark(first, sizes)

    def explain(self, row: int) -> Sequence[int]:
        return self.hands.explain(self.indices[row])

    def as_arrays(self) -> None:
        return None


class SameCards:
    """The same cards in every row."""

    def __init__(self, cards: Sequence[int], rows: int) -> None:
        _check_size(len(cards), "board: ")
        self.cards, self.rows = cards, rows

    def read(self, first: int, cards: Bytes, sizes: Bytes) -> None:
        cards[:, : len(self.cards)] = self.cards
        sizes[:] = len(self.cards)

    def explain(self, row: int) -> Sequence[int]:
        return self.cards

    def as_arrays(self) -> list[NDArray[Any]] | None:
        return [np.broadcast_to(np.array(self.cards, np.uint8), (self.rows, len(self.cards)))]


def _check_size(count: int, what: str = "") -> None:
    """Refuse more cards in every row than there is room for: no row can be a hand."""
    if count > MOST:
        raise HandSizeError(f"{what}a hand has 5, 6 or 7 cards, not {count}")


def hand_column(column: pa.Array) -> Hands:
    """A column of hands: texts, or lists of cards; a column of integers is one of single cards."""
    column = plain(column)
    kind = column.type
    if pa.types.is_dictionary(kind):
        return DictionaryHands(column)
    if is_list(kind):
        return Lists(column)
    return Texts(column) if is_text(kind) else CardColumns([column], [""])


def hand_columns(columns: Sequence[pa.Array], names: Sequence[str]) -> Hands:
    """Hands from one column of them, or from several of single cards."""
    return hand_column(columns[0]) if len(columns) == 1 else CardColumns(columns, names)
