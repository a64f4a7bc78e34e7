"""Write batches as CSV, TSV, NDJSON, Parquet or Arrow, to standard output, or to a file, whole or not at all."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from .blocks import CODECS
from .destination import Destination
from .fragments import dumps, is_fragments, to_plain
from .rows import reason_of
from .sources import format_of
from .terminal import CommandError, UsageError
from .words import OutputFormat

__all__ = ["Sink", "open_sink", "output_format_of", "save"]

ROW_GROUP = 1 << 19


def output_format_of(path: str | None, form: OutputFormat | None) -> OutputFormat:
    """Return the format of the output: as asked, else as the name tells, else CSV for standard output."""
    piped = path is None or path == "-"
    if form is None and piped:
        form = OutputFormat.csv
    elif form is None:
        try:
            form = OutputFormat(format_of(path or "") or "")
        except ValueError:
            raise UsageError(f"{path}: which format? Say --output-format ({', '.join(OutputFormat)})") from None
    codec = CODECS.get(os.path.splitext(path or "")[1].lower())
    if form in (OutputFormat.parquet, OutputFormat.arrow, OutputFormat.arrows) and codec is not None:
        raise UsageError(f"{path}: {codec} is for texts; {form} could not be read back from it")
    if form in (OutputFormat.parquet, OutputFormat.arrow, OutputFormat.arrows) and piped:
        if sys.stdout.isatty():
            raise CommandError(f"{form} is not for terminals: redirect it, or say --output FILE")
        # Who reads a pipe cannot seek to the footer of the file format.
        form = OutputFormat.arrows if form is OutputFormat.arrow else form
    return form


def save(
    batches: Iterable[pa.RecordBatch],
    schema: Callable[[], pa.Schema | None],
    path: str | None,
    form: OutputFormat,
    header: bool,
) -> None:
    """
    Write batches to a file, whole or not at all, or to standard output.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        All of one schema.
    schema : callable
        Tells it, once the first batch is there or there is none.
    path, form, header
        As for `Destination` and `open_sink`.
    """
    destination = Destination(path)
    try:
        codec = CODECS.get(os.path.splitext(path or "")[1].lower())
        file = pa.PythonFile(destination, "w")
        if codec is not None:
            file = pa.CompressedOutputStream(file, codec)
        sink: Sink | None = None
        for batch in batches:
            if form is not OutputFormat.ndjson:
                batch = to_plain(batch)
            with _told(path, form):
                sink = sink or open_sink(form, file, batch.schema, header)
                sink.write(batch)
        with _told(path, form):
            none = pa.RecordBatch.from_pylist([], schema() or pa.schema([]))
            sink = sink or open_sink(form, file, to_plain(none).schema, header)
            sink.close()
            if codec is not None:
                file.close()
        destination.commit()
    finally:
        destination.discard()


@contextmanager
def _told(path: str | None, form: OutputFormat) -> Iterator[None]:
    """Name the output of what pyarrow cannot write, a type that the format does not have, say."""
    try:
        yield
    except pa.ArrowException as error:
        name = "<stdout>" if path is None or path == "-" else path
        raise CommandError(f"{name}: cannot be written as {form}: {reason_of(error)}") from error


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
        self._delimiter = delimiter
        self._options = pacsv.WriteOptions(include_header=False, delimiter=delimiter, quoting_style="none")
        if header:
            names = self._quoted(pa.array(schema.names, pa.string())).to_pylist()
            file.write((delimiter.join(names) + "\n").encode())

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [_as_text(column) for column in batch.columns]
        names = [str(index) for index in range(len(columns))]
        plain = pa.BufferOutputStream()
        try:
            pacsv.write_csv(pa.RecordBatch.from_arrays(columns, names), plain, self._options)
        except pa.ArrowInvalid:
            # Some cell needs quotes, which pyarrow would put around every cell.
            quoted = [self._quoted(column) for column in columns]
            lines = pc.binary_join_element_wise(*quoted, self._delimiter)
            _write_texts(self._file, pc.binary_join_element_wise(lines, "\n", ""))
        else:
            self._file.write(plain.getvalue())

    def close(self) -> None:
        pass

    def _quoted(self, column: pa.Array) -> pa.Array:
        column = pc.fill_null(column, "")
        needs = pc.match_substring_regex(column, f'["{self._delimiter}\r\n]')
        doubled = pc.replace_substring(column, '"', '""')
        return pc.if_else(needs, pc.binary_join_element_wise('"', doubled, '"', ""), column)


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


def _needs_no_escapes(column: pa.Array) -> bool:
    """Return whether JSON texts of a column are its strings in quotes: no null, no control character, no quote."""
    if not pa.types.is_string(column.type) or column.null_count or not len(column):
        return False
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, np.int32)
    text = np.frombuffer(data or b"", np.uint8)[bounds[column.offset] : bounds[column.offset + len(column)]]
    return not ((text < 0x20).any() or (text == ord('"')).any() or (text == ord("\\")).any())


def _as_text(column: pa.Array) -> pa.Array:
    """Return any column as strings; nested values as JSON."""
    if pa.types.is_string(column.type):
        return column
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        return pa.array([None if value is None else dumps(value) for value in column.to_pylist()], pa.string())


def _as_json(column: pa.Array) -> pa.Array:
    """Return any column as JSON texts, with no null among them."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return pc.fill_null(column.cast(pa.string()), "null")
    if pa.types.is_floating(kind):
        finite = pc.fill_null(pc.is_finite(column), False)
        return pc.if_else(finite, column.cast(pa.string()), "null")
    return pa.array([dumps(value) for value in column.to_pylist()], pa.string())
