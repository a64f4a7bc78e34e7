"""The doors of ``arrow`` row by row, until the kernels are there."""

from typing import Any

import pyarrow as pa

from .. import best_five, evaluate, format_cards, parse_cards
from ..errors import PokernelError

KINDS = {"strengths": pa.uint16(), "best_five": pa.string(), "valid": pa.bool_()}


def read(data: Any, board: Any, on_error: str, threads: int | None, what: str) -> Any:
    """Whatever is asked for of each row."""
    rows, chunked = _rows(data)
    boards = [board] * len(rows) if board is None or isinstance(board, (str, list, tuple)) else _rows(board)[0]
    found, bad = [], []
    for row, (hand, cards) in enumerate(zip(rows, boards, strict=True)):
        try:
            if hand is None:
                found.append(None)
            elif what == "best_five":
                found.append(format_cards(best_five(hand, cards)))
            else:
                strength = evaluate(hand, cards)
                found.append(True if what == "valid" else strength)
        except PokernelError as error:
            bad.append(type(error)(f"row {row}: {error}"))
            found.append(False if what == "valid" else None)
    if bad and on_error == "raise":
        raise bad[0]
    array = pa.array(found, KINDS[what])
    return pa.chunked_array([array]) if chunked else array


def _rows(data: Any) -> tuple[list[Any], bool]:
    if isinstance(data, pa.RecordBatch | pa.Table):
        columns = [column.to_pylist() for column in data.columns]
        rows = (
            columns[0]
            if len(columns) == 1
            else [None if None in row else list(row) for row in zip(*columns, strict=True)]
        )
        return rows, isinstance(data, pa.Table)
    if not isinstance(data, pa.Array | pa.ChunkedArray):
        data = pa.chunked_array(data) if hasattr(data, "__arrow_c_stream__") else pa.array(data)
    if pa.types.is_struct(data.type):
        return _rows(pa.Table.from_arrays(data.flatten(), [str(i) for i in range(data.type.num_fields)]))
    return [parse_cards(row) if isinstance(row, str) else row for row in data.to_pylist()], isinstance(
        data, pa.ChunkedArray
    )
