"""Scored batches to standard output, or to a file, whole or not at all."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pyarrow as pa

from .behind import do_behind
from .blocks import CODECS
from .destination import Destination
from .fragments import to_plain
from .rows import reason_of
from .sinks import Sink, open_sink
from .sources import format_of
from .terminal import CommandError, UsageError
from .words import OutputFormat

__all__ = ["output_format_of", "save"]

AHEAD = 1 << 25
"""Bytes that may wait to be written."""


def output_format_of(path: str | None, form: OutputFormat | None) -> OutputFormat:
    """Return the format of the output: as asked, else as the name tells, else CSV for standard output."""
    piped = path is None or path == "-"
    if form is None and piped:
        form = OutputFormat.csv
    elif form is None:
        try:
            form = OutputFormat(format_of(path or "") or "")
        except ValueError:
            forms = ", ".join(OutputFormat)
            raise UsageError(
                f"{path}: which format? Say --output-format ({forms}), or {path}/ for a folder of parts"
            ) from None
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
        output = _Output(file, path, form, header)
        if destination.patient:
            do_behind(batches, output.write, _bytes, AHEAD)
        else:
            for batch in batches:
                output.write(batch)
        output.close(schema() or pa.schema([]))
        if codec is not None:
            file.close()
        destination.commit()
    finally:
        destination.discard()


def _bytes(batch: pa.RecordBatch) -> int:
    return int(batch.nbytes)


class _Output:
    """A sink that opens with its first batch, and names the output of what pyarrow cannot write there."""

    def __init__(self, file: pa.NativeFile, path: str | None, form: OutputFormat, header: bool) -> None:
        self._file, self._form, self._header = file, form, header
        self._name = "<stdout>" if path is None or path == "-" else path
        self._sink: Sink | None = None

    def write(self, batch: pa.RecordBatch) -> None:
        if self._form is not OutputFormat.ndjson:
            batch = to_plain(batch)
        with self._told():
            self._opened(batch.schema).write(batch)

    def close(self, schema: pa.Schema) -> None:
        """Write what is held back; the schema counts where there was no batch."""
        if self._sink is None and self._form is not OutputFormat.ndjson:
            schema = to_plain(pa.RecordBatch.from_pylist([], schema)).schema
        with self._told():
            self._opened(schema).close()

    def _opened(self, schema: pa.Schema) -> Sink:
        if self._sink is None:
            self._sink = open_sink(self._form, self._file, schema, self._header)
        return self._sink

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except pa.ArrowException as error:
            raise CommandError(f"{self._name}: cannot be written as {self._form}: {reason_of(error)}") from error
