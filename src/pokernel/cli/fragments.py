"""Columns whose cells are pieces of JSON: what NDJSON holds that no single Arrow type does, kept as it is."""

import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

__all__ = ["JSON_TEXT", "cell_of", "dumps", "is_fragments", "text_of", "to_fragments", "to_plain", "to_values"]

JSON_TEXT = {b"pokernel": b"JSON"}  # the metadata of such a column


def is_fragments(column: pa.Field) -> bool:
    """Return whether the texts of a column are pieces of JSON."""
    return column.metadata is not None and column.metadata.get(b"pokernel") == b"JSON"


def dumps(value: object) -> str:
    """Return a value as JSON on one line; what JSON does not know as its text."""
    return json.dumps(value, ensure_ascii=False, default=text_of)


def cell_of(value: object) -> str | None:
    """Return what a cell of text holds for a value: null and texts as they are, all else as JSON."""
    return value if value is None else text_of(value) if isinstance(value, (bytes, str)) else dumps(value)


def text_of(value: object) -> str:
    r"""Return a value as text: bytes as UTF-8, those that are none as ``\xff``."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def to_fragments(values: Sequence[Any]) -> pa.Array:
    """Return values as such a column; None is null."""
    return pa.array([None if value is None else dumps(value) for value in values], pa.string())


def to_values(column: pa.Array) -> list[Any]:
    """Return the values of such a column."""
    return [None if text is None else json.loads(text) for text in column.to_pylist()]


def to_plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with plain texts for pieces of JSON: strings without their quotes, all else as JSON."""
    columns, schema = batch.columns, batch.schema
    for index, column in enumerate(schema):
        if is_fragments(column):
            values = to_values(columns[index])
            columns[index] = pa.array(map(cell_of, values), pa.string())
            schema = schema.set(index, column.remove_metadata())
    return pa.RecordBatch.from_arrays(columns, schema=schema)
