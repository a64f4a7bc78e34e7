"""Whatever a caller hands in becomes columns of Arrow memory, in pieces without seams."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import HandSizeError, PokernelError
from ..inputs import as_array, read
from .columns import Hands, SameCards, hand_columns

__all__ = ["Given", "one_column", "pieces", "take"]


@dataclass(frozen=True, slots=True)
class Given:
    """Columns of n rows, in chunks or not; one of the two: the same cards for all rows."""

    columns: Sequence[pa.ChunkedArray]
    names: Sequence[str]
    rows: int
    chunks: Sequence[int] | None
    """How many rows each chunk has; None where what was given has no chunks."""


def take(data: Any, what: str = "hands") -> Given:
    """Columns of anything that is Arrow memory or can be had as such."""
    column = _as_arrow(data, what)
    if isinstance(column, pa.RecordBatch):
        arrays, names = [pa.chunked_array([array]) for array in column.columns], column.schema.names
    elif isinstance(column, pa.Table):
        arrays, names = column.columns, column.schema.names
    else:
        arrays, names = [column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])], [""]
    chunked = isinstance(column, (pa.ChunkedArray, pa.Table))
    if len(arrays) == 1 and pa.types.is_struct(arrays[0].type):
        names = [field.name for field in arrays[0].type]
        arrays = arrays[0].flatten()
    if not arrays:
        raise TypeError(f"{what} have no columns")
    lengths = [len(chunk) for chunk in arrays[0].chunks] if chunked else None
    return Given(arrays, names, len(arrays[0]), lengths)


def one_column(data: Any, what: str) -> pa.ChunkedArray | pa.Array:
    """One column, with chunks or without."""
    column = _as_arrow(data, what)
    if isinstance(column, (pa.RecordBatch, pa.Table)):
        raise TypeError(f"{what} are one column, not a table of {column.num_columns}")
    return column


def _as_arrow(data: Any, what: str) -> Any:
    if isinstance(data, (pa.Array, pa.ChunkedArray, pa.RecordBatch, pa.Table)):
        return data
    if hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_array__"):
        return pa.array(data)
    if hasattr(data, "__arrow_c_stream__"):
        return pa.chunked_array(data)
    raise TypeError(f"{what} must be Arrow data, such as a pyarrow.Array, not {type(data).__name__}")


def same_cards(board: Any) -> Sequence[int] | None:
    """The cards of one board for all rows, none if there is no board; None if `board` is a column of them."""
    if board is None:
        return ()
    if not isinstance(board, (str, list, tuple, np.ndarray)):
        return None
    if not len(board.strip() if isinstance(board, str) else board):
        return ()
    try:
        cards = read(board, "board")
    except PokernelError as error:
        said = str(error)
        raise type(error)(said if said.startswith("board") else f"board: {said}") from None
    if not isinstance(cards, tuple):
        raise TypeError("board must be one board for all hands, or Arrow data with one for each")
    return tuple(as_array(cards, "board").tolist())


def pieces(hands: Given, board: Any) -> Iterator[tuple[int, int, list[Hands]]]:
    """Where rows whose columns have no seams start, how many they are, and their parts: hands, and board if any."""
    shared = same_cards(board)
    boards = take(board, "board") if shared is None else None
    columns = [*hands.columns, *(boards.columns if boards else ())]
    if boards and boards.rows != hands.rows:
        raise HandSizeError(f"hands and board do not go together: they have {hands.rows} and {boards.rows} rows")
    start, width = 0, len(hands.columns)
    if not hands.rows:  # a column that cannot hold cards is refused however short it is
        empty = [column.chunk(0) if column.num_chunks else pa.nulls(0, column.type) for column in columns]
        hand_columns(empty[:width], hands.names)
        if boards:
            hand_columns(empty[width:], boards.names)
        return
    for arrays in _without_seams(columns):
        rows = len(arrays[0])
        if not rows:
            continue
        parts = [hand_columns(arrays[:width], hands.names)]
        if boards:
            parts.append(hand_columns(arrays[width:], boards.names))
        elif shared:
            parts.append(SameCards(shared, rows))
        yield start, rows, parts
        start += rows


def _without_seams(columns: Sequence[pa.ChunkedArray]) -> list[list[pa.Array]]:
    """The columns cut wherever one of them has a seam."""
    if all(column.num_chunks == 1 for column in columns):
        return [[column.chunk(0) for column in columns]]
    table = pa.Table.from_arrays(columns, [str(index) for index in range(len(columns))])
    return [batch.columns for batch in table.to_batches()]
