"""Newline-delimited JSON: one object a line, the columns being the keys of the first block of lines."""

import json
import math
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.json as pajson

from .blocks import Block, ByteStream, read_blocks
from .fragments import JSON_TEXT, dumps, is_fragments, to_fragments
from .rows import Rows, Source, reason_of

__all__ = ["NdjsonSource"]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is larger than any number of 64 bits")
    return value


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} twice")
    return found


# The bare C scanner: one call a line, and it says where the value ends.
_scan: Callable[[str, int], tuple[Any, int]] = vars(
    json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_single)
)["scan_once"]

# An integer that a float may not hold.
_LONG = re.compile(rb"[0-9]{16}")

MOST_HELD = 8

# What pyarrow raises for a value that a type cannot hold; UnicodeError stands for half a surrogate pair.
_UNFIT = (pa.ArrowException, OverflowError, UnicodeError)


class NdjsonSource(Source):
    """
    NDJSON as a source; types are those of the first block, and a later line that does not fit them is at fault.

    Parameters
    ----------
    stream : ByteStream
        The bytes.
    """

    def __init__(self, stream: ByteStream) -> None:
        self.name = stream.name
        self._stream = stream
        self._blocks = read_blocks(stream)
        self.schema = pa.schema([])
        # Blocks without a single object tell no columns; a few are held back until one that does.
        held: list[Block] = []
        for block in self._blocks:
            held.append(block)
            objects, _, _ = _parse(block)
            # The order of first appearance; a dict is an ordered set.
            names = dict.fromkeys(chain.from_iterable(objects))
            if names:
                self.schema = pa.schema([_infer(name, [item.get(name) for item in objects]) for name in names])
            if names or len(held) == MOST_HELD:
                break
        self._blocks = chain(held, self._blocks)
        # pyarrow adds keys to objects that lack them, makes floats of integers, and knows no pieces of JSON.
        self._flat = not any(map(is_fragments, self.schema)) and all(_is_flat(column.type) for column in self.schema)
        self._floats = any("double" in str(column.type) for column in self.schema)

    def __iter__(self) -> Iterator[Rows]:
        known = set(self.schema.names)
        for block in self._blocks:
            if (rows := self._fast(block)) is not None:
                yield rows
                continue
            objects, lines, faults = _parse(block)
            for row, item in enumerate(objects):
                if not item.keys() <= known:
                    new = next(key for key in item if key not in known)
                    faults.setdefault(row, f"new key {new!r}: the columns are those of the first lines")
            columns = [_column(objects, column, faults) for column in self.schema]
            if objects:
                table = pa.RecordBatch.from_arrays(columns, schema=self.schema)
                yield Rows(table, np.array(lines, np.int64), faults)

    def _fast(self, block: Block) -> Rows | None:
        """Let pyarrow read the block; None where it cannot, or where its rows might not be one a line."""
        data = block.data
        lines = data.count(b"\n")
        # Where every line starts with { and ends with }, no object runs over a line end: that would want a comma.
        plain = data.startswith(b"{") and data.count(b"\n{") == lines - 1 and data.count(b"}\n") == lines
        if block.fault or not plain or not self._flat or b"NaN" in data or b"Inf" in data:
            return None
        if self._floats and _LONG.search(data):
            return None
        read = pajson.ReadOptions(use_threads=False, block_size=len(data) + 1)
        parse = pajson.ParseOptions(explicit_schema=self.schema, unexpected_field_behavior="error")
        try:
            data.decode()
            table = pajson.read_json(pa.BufferReader(data), read, parse)
        except (pa.ArrowException, UnicodeDecodeError):
            return None
        if table.num_rows != lines or table.schema != self.schema:
            return None
        columns = [column.combine_chunks() for column in table.columns]
        batch = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        return Rows(batch, np.arange(block.line, block.line + lines))

    def progress(self) -> float | None:
        return self._stream.progress()

    def close(self) -> None:
        self._stream.close()


def _parse(block: Block) -> tuple[list[dict[str, Any]], list[int], dict[int, str]]:
    """Return the objects of a block ({} for a line at fault), their line numbers and the faults."""
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    faults: dict[int, str] = {}
    for line, data in enumerate(block.data.split(b"\n")[:-1], block.line):
        item: Any = {}
        reason = block.fault
        if reason is None:
            try:
                text = data.decode().strip(" \t\r")
                if not text:
                    continue
                item, end = _scan(text, 0)
                if end < len(text):
                    reason = f"JSON: more after the value, at character {end + 1}"
                elif not isinstance(item, dict):
                    reason = "not a JSON object"
            except UnicodeDecodeError as error:
                reason = f"not UTF-8: byte 0x{data[error.start]:02x}"
            except StopIteration as error:
                reason = f"not JSON from character {error.value + 1} on"
            except json.JSONDecodeError as error:
                reason = f"JSON: {error.msg}, at character {error.pos + 1}"
            except (ValueError, RecursionError) as error:
                reason = reason_of(error)
        if reason is not None:
            faults[len(objects)] = reason
            item = {}
        objects.append(item)
        lines.append(line)
    return objects, lines, faults


def _infer(name: str, values: list[Any]) -> pa.Field:
    """Return a column of the narrowest type that holds the values as they are; one of JSON if there is no such type."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {str}:
        return pa.field(name, pa.string())
    try:
        kind = pa.float64() if kinds == {int, float} else pa.array(values).type
        # Where there were only nulls so far, or empty lists, anything may follow.
        if "null" not in str(kind) and all(map(_is_kept, values, pa.array(values, kind).to_pylist())):
            return pa.field(name, kind)
    except _UNFIT:
        pass
    return pa.field(name, pa.string(), metadata=JSON_TEXT)


def _is_flat(kind: pa.DataType) -> bool:
    """Return whether a type is a text, a number, a truth value or a list of such."""
    return not pa.types.is_nested(kind) or (pa.types.is_list(kind) and not pa.types.is_nested(kind.value_type))


def _is_kept(value: Any, typed: Any) -> bool:
    """Return whether what an Arrow type makes of a value is that value."""
    if type(value) is type(typed) and not isinstance(value, list | dict):
        return bool(value == typed)
    if {type(value), type(typed)} == {int, float}:
        return bool(value == typed)
    return dumps(value) == dumps(typed)


def _column(objects: list[dict[str, Any]], column: pa.Field, faults: dict[int, str]) -> pa.Array:
    values = [item.get(column.name) for item in objects]
    found = _typed(values, column)
    if found is not None:
        return found
    for row, value in enumerate(values):
        if _typed([value], column) is None:
            values[row] = None
            faults.setdefault(row, f"{column.name!r}: {json.dumps(value)} is not {column.type}")
    return _typed(values, column)


def _typed(values: list[Any], column: pa.Field) -> pa.Array | None:
    """Return values as Arrow has them, or None if they do not fit or would not come out as they went in."""
    try:
        if is_fragments(column):
            return to_fragments(values)
        array = pa.array(values, column.type)
    except _UNFIT:
        return None
    return array if all(map(_is_kept, values, array.to_pylist())) else None
