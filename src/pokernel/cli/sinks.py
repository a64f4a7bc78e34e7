"""Write batches as CSV, TSV, NDJSON, Parquet or Arrow into an open file."""

import json
from functools import cache
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..frames.results import texts_of, with_nulls
from .fragments import cell_of, dumps, is_fragments
from .terminal import CommandError
from .words import OutputFormat

__all__ = ["Sink", "open_sink"]

ROW_GROUP = 1 << 19


class Sink(Protocol):
    """Takes batches of one schema, then is closed, which writes what is held back and the footer, if any."""

    def write(self, batch: pa.RecordBatch) -> None: ...
    def close(self) -> None: ...


def open_sink(form: OutputFormat, file: pa.NativeFile, schema: pa.Schema, header: bool = True) -> Sink:
    """
    Return a sink on an open file.

    Parameters
    ----------
    form : OutputFormat
        The format.
    file : pyarrow.NativeFile
        Where to write; stays open.
    schema : pyarrow.Schema
        Of every batch.
    header : bool, default True
        Whether CSV and TSV start with the names of the columns.
    """
    if form in (OutputFormat.csv, OutputFormat.tsv):
        return DelimitedSink(file, schema, "," if form is OutputFormat.csv else "\t", header)
    if form is OutputFormat.ndjson:
        if twice := [name for name in schema.names if schema.names.count(name) > 1]:
            raise CommandError(
                f"two columns are called {twice[0]!r}, which JSON objects cannot have; choose another format"
            )
        return NdjsonSink(file, schema)
    if form is OutputFormat.parquet:
        return ParquetSink(file, schema)
    return IpcSink(file, schema, stream=form is OutputFormat.arrows)


class DelimitedSink:
    r"""CSV or TSV with ``\n`` line ends; only cells that need quotes have them, a null is an empty cell."""

    def __init__(self, file: pa.NativeFile, schema: pa.Schema, delimiter: str, header: bool) -> None:
        self._file = file
        self._delimiter = ord(delimiter)
        self._special = self._delimiter, *b'"\r\n'
        self._needs_quotes = np.isin(np.arange(256), self._special)
        self._out = np.empty(0, np.uint8)
        if header:
            names = [texts_of([name]) for name in schema.names]
            self.write(pa.RecordBatch.from_arrays(names, [str(index) for index in range(len(names))]))

    def write(self, batch: pa.RecordBatch) -> None:
        from ..jit.delimited import SLACK, any_special, join

        columns = [_filled(_as_text(column)) for column in batch.columns]
        texts, room = np.zeros((len(columns), 4), np.int64), SLACK
        for place, column in zip(texts, columns, strict=True):
            first, data, there = _text_memory(column)
            is_special = any_special(there, self._special)
            place[:] = first, data.address if data else 0, data.address + data.size if data else 0, is_special
            room += (1 + is_special) * len(there) + (1 + 2 * is_special) * len(column)
        if len(self._out) < room:
            self._out = np.empty(room, np.uint8)
        size = join(len(batch), texts, self._needs_quotes, self._delimiter, self._out)
        self._file.write(self._out[:size].data)

    def close(self) -> None:
        pass


class NdjsonSink:
    """One JSON object a line; null, and what JSON has no number for, is ``null``."""

    def __init__(self, file: pa.NativeFile, schema: pa.Schema) -> None:
        self._file = file
        keys = [json.dumps(name, ensure_ascii=False) + ":" for name in schema.names]
        self._keys = [("{" if index == 0 else ",") + key for index, key in enumerate(keys)]
        self._is_json = list(map(is_fragments, schema))

    def write(self, batch: pa.RecordBatch) -> None:
        pieces: list[pa.Array | str] = []
        for key, column, is_json in zip(self._keys, batch.columns, self._is_json, strict=True):
            if is_json:
                pieces += [key, pc.fill_null(column, "null")]
            elif _needs_no_escapes(column):
                pieces += [key + '"', column, '"']
            else:
                pieces += [key, _as_json(column)]
        _write_texts(self._file, pc.binary_join_element_wise(*pieces, "}\n", ""))

    def close(self) -> None:
        pass


class ParquetSink:
    """Parquet with row groups of half a million rows, which are held in memory until full."""

    def __init__(self, file: pa.NativeFile, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(file, schema, compression="zstd")
        self._held: list[pa.RecordBatch] = []
        self._rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        self._held.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pa.Table.from_batches(self._held), row_group_size=self._rows)
            self._held, self._rows = [], 0


class IpcSink:
    """Arrow IPC: the file format (Feather 2), or the stream format, which can be read from a pipe."""

    def __init__(self, file: pa.NativeFile, schema: pa.Schema, stream: bool) -> None:
        self._writer = (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, schema)

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def close(self) -> None:
        self._writer.close()


def _write_texts(file: pa.NativeFile, texts: pa.Array) -> None:
    """Write the texts of an array, none of them null, one after the other."""
    _, offsets, data = texts.buffers()
    if len(texts):
        bounds = np.frombuffer(offsets, np.int32)
        file.write(memoryview(data)[bounds[texts.offset] : bounds[texts.offset + len(texts)]])


def _filled(column: pa.Array) -> pa.Array:
    """Return a column of strings with empty ones for nulls."""
    return pc.fill_null(column, "") if column.null_count else column


def _text_memory(column: pa.Array) -> tuple[int, pa.Buffer | None, NDArray[np.uint8]]:
    """Return the address of a column's first offset, the buffer of its texts, and what of that is this column's."""
    _, offsets, data = column.buffers()
    if not len(column) or data is None:
        return offsets.address + 4 * column.offset if offsets else 0, None, _frozen(np.empty(0, np.uint8))
    first, last = np.frombuffer(offsets, np.int32)[[column.offset, column.offset + len(column)]].tolist()
    return offsets.address + 4 * column.offset, data, _frozen(np.frombuffer(data, np.uint8)[first:last])


def _frozen(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the array as one that is not written: kernels are compiled for one kind, not for two."""
    array.flags.writeable = False
    return array


def _needs_no_escapes(column: pa.Array) -> bool:
    """Return whether JSON texts of a column are its strings in quotes: no null, no control character, no quote."""
    if not pa.types.is_string(column.type) or column.null_count or not len(column):
        return False
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, np.int32)
    text = np.frombuffer(data or b"", np.uint8)[bounds[column.offset] : bounds[column.offset + len(column)]]
    return not ((text < 0x20).any() or (text == ord('"')).any() or (text == ord("\\")).any())


@cache
def _number_texts() -> pa.Array:
    """Return the texts of 16-bit numbers: looked up, they come three times faster than written."""
    return with_nulls(pa.uint16(), 1 << 16, np.arange(1 << 16, dtype=np.uint16), None).cast(pa.string())


def _as_text(column: pa.Array) -> pa.Array:
    """Return any column as strings; nested values as JSON."""
    if pa.types.is_string(column.type):
        return column
    if pa.types.is_uint8(column.type) or pa.types.is_uint16(column.type):
        return _number_texts().take(column)
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        return pa.array(map(cell_of, column.to_pylist()), pa.string())


def _as_json(column: pa.Array) -> pa.Array:
    """Return any column as JSON texts, with no null among them."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return pc.fill_null(column.cast(pa.string()), "null")
    if pa.types.is_floating(kind):
        finite = pc.fill_null(pc.is_finite(column), False)
        return pc.if_else(finite, column.cast(pa.string()), "null")
    return pa.array([dumps(value) for value in column.to_pylist()], pa.string())
