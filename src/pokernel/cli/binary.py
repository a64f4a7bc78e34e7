"""Parquet, Arrow IPC and NumPy files: typed columns, rows counted from 1."""

import os
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from .blocks import ByteStream
from .rows import BATCH_ROWS, InputError, Rows, Slice, Source, reason_of

__all__ = ["IpcSource", "NpySource", "ParquetSource"]

READ_BYTES = 1 << 20


class _Typed(Source):
    """What the three share: rows without lines, and how many of them have been read."""

    _rows = 0
    _read = 0

    def where(self, line: int) -> str:
        return f"{self.name}: row {line}"

    def progress(self) -> float | None:
        return self._read / self._rows if self._rows else None

    def _cut(self, batch: pa.RecordBatch) -> Iterator[Rows]:
        """Yield slices (no copies) of a batch; refuse one whose buffers are not what its types say."""
        batch.validate(full=True)
        for start in range(0, batch.num_rows, BATCH_ROWS):
            part = batch.slice(start, BATCH_ROWS)
            if part.schema != self.schema:
                columns = [column.cast(kind.type) for column, kind in zip(part.columns, self.schema, strict=True)]
                part = pa.RecordBatch.from_arrays(columns, schema=self.schema)
            yield Rows(part, np.arange(self._read + 1, self._read + 1 + part.num_rows))
            self._read += part.num_rows


class ParquetSource(_Typed):
    """A Parquet file, or one of its row groups, read batch by batch."""

    def __init__(self, path: str, part: Slice | None = None) -> None:
        self.name = path
        try:
            # Pages of a mapped file would count as memory of ours, and all of a row group would be read at once.
            self._file = pq.ParquetFile(path, memory_map=False, pre_buffer=False, buffer_size=READ_BYTES)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(path, "Parquet", error) from error
        self.schema = _without_views(self._file.schema_arrow)
        self._rows = self._file.metadata.num_rows
        self._groups = None if part is None or not self._rows else [part.start]
        self._read = 0 if part is None else part.line - 1

    def __iter__(self) -> Iterator[Rows]:
        try:
            for batch in self._file.iter_batches(BATCH_ROWS, self._groups, use_threads=False):
                yield from self._cut(batch)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.name, "Parquet", error) from error

    def slices(self, size: int) -> Iterator[Slice]:
        line = 1
        if not self._file.metadata.num_row_groups:
            yield Slice()
        for group in range(self._file.metadata.num_row_groups):
            yield Slice(group, None, line)
            line += self._file.metadata.row_group(group).num_rows

    def close(self) -> None:
        self._file.close()


class IpcSource(_Typed):
    """An Arrow IPC file (also called Feather 2), mapped into memory, or an Arrow IPC stream, also from a pipe."""

    def __init__(self, path: str) -> None:
        self.name = "<stdin>" if path == "-" else path
        self._stream: ByteStream | None = None
        try:
            if os.path.isfile(path) and path != "-" and _starts_with(path, b"ARROW1"):
                self._reader = pa.ipc.open_file(pa.memory_map(path))
            else:
                self._stream = ByteStream(path)
                magic = self._stream.peek(6)
                if magic == b"ARROW1":
                    raise InputError(
                        f"{self.name}: the Arrow IPC file format needs a file; in a pipe use the stream format"
                    )
                if magic.startswith(b"FEA1"):
                    raise InputError(f"{self.name}: Feather version 1 is not read; save it as version 2")
                self._reader = pa.ipc.open_stream(pa.PythonFile(self._stream, "r"))
        except (pa.ArrowException, OSError) as error:
            self.close()
            raise _unreadable(self.name, "Arrow IPC", error) from error
        except InputError:
            self.close()
            raise
        self.schema = _without_views(self._reader.schema)

    def __iter__(self) -> Iterator[Rows]:
        try:
            if self._stream is not None:
                for batch in self._reader:
                    yield from self._cut(batch)
            else:
                for index in range(self._reader.num_record_batches):
                    yield from self._cut(self._reader.get_batch(index))
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.name, "Arrow IPC", error) from error

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()


class NpySource(_Typed):
    """An integer array ``(n, k)`` of cards in an ``.npy`` file, mapped into memory; the columns are c1 … ck."""

    named = False

    def __init__(self, path: str) -> None:
        self.name = path
        try:
            # numpy would advise to unpickle whatever is no array.
            if _starts_with(path, b"PK"):
                raise InputError(f"{path}: an archive; an integer array of shape (n, k) is needed")
            if not _starts_with(path, b"\x93NUMPY"):
                raise InputError(f"{path}: not a readable NumPy file: it does not start like one")
            array: NDArray[np.integer] = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise _unreadable(path, "NumPy", error) from error
        if array.ndim != 2 or array.dtype.kind not in "iu":
            raise InputError(f"{path}: {array.dtype} {array.shape}; an integer array of shape (n, k) is needed")
        self._array = array
        self._rows = len(array)
        native = array.dtype.newbyteorder("=")
        self.schema = pa.schema([(f"c{index + 1}", pa.from_numpy_dtype(native)) for index in range(array.shape[1])])

    def __iter__(self) -> Iterator[Rows]:
        native = self._array.dtype.newbyteorder("=")
        for start in range(0, self._rows, BATCH_ROWS):
            columns = np.ascontiguousarray(self._array[start : start + BATCH_ROWS].T, native)
            arrays = [pa.array(column) for column in columns]
            yield from self._cut(pa.RecordBatch.from_arrays(arrays, schema=self.schema))


def _without_views(schema: pa.Schema) -> pa.Schema:
    """Return the schema with plain strings and bytes for views of them, which pyarrow cannot filter or take from."""
    plain = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}
    for index, column in enumerate(schema):
        if column.type in plain:
            schema = schema.set(index, column.with_type(plain[column.type]))
    return schema


def _starts_with(path: str, magic: bytes) -> bool:
    with open(path, "rb") as file:
        return file.read(len(magic)) == magic


def _unreadable(name: str, form: str, error: BaseException) -> InputError:
    """Say why a file cannot be read; a missing file is not a broken one."""
    if isinstance(error, OSError) and error.errno and error.strerror:
        return InputError(f"{name}: {os.strerror(error.errno)}")
    return InputError(f"{name}: not a readable {form} file: {reason_of(error)}")
