"""CSV, TSV and plain text: every cell a string, byte for byte; every record with the number of its line.

Blocks of plain lines are cut by a kernel. pyarrow parses others whole. It numbers no lines, so what it read is accepted
only when it found exactly the records that the line ends of the block call for; then a block is read record by record.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from .blocks import Block, ByteStream, read_blocks
from .dialect import Dialect, Record
from .plain import plain_columns
from .rows import SAMPLE_ROWS, InputError, Rows, Slice, Source

__all__ = ["DelimitedSource", "Dialect"]

_NEWLINE, _RETURN = b"\n\r"


class DelimitedSource(Source):
    """
    Delimited text as a source whose columns are all strings.

    Parameters
    ----------
    stream : ByteStream
        The bytes.
    dialect : Dialect
        How records split into fields.
    header : bool or None
        Whether the first record names the columns; None asks `is_data`.
    is_data : callable
        Whether the cells of the first record look like data, from them and from the cells of some records below.
    invent : callable
        Names for columns without a header, from the cells of the first record.
    part : Slice, optional
        What of the file the stream has, where it does not have all; then there is no first record to be asked.
    """

    text = True

    def __init__(
        self,
        stream: ByteStream,
        dialect: Dialect,
        header: bool | None,
        is_data: Callable[[Sequence[str], Sequence[Sequence[str]]], bool],
        invent: Callable[[Sequence[str]], list[str]],
        part: Slice | None = None,
    ) -> None:
        self.name = stream.name
        self._stream = stream
        self._dialect = dialect
        self._is_data, self._invent = is_data, invent
        self._width = 0  # how many cells a record has; 0 until the first has been seen
        self._plain: list[pa.Array] | None = None
        self._blocks = read_blocks(stream, self._cut, part.line if part else 1)
        names: Sequence[str] = (part.names or ()) if part else self._read_head(header)
        self.schema = pa.schema([(name, pa.string()) for name in names])
        # pyarrow takes column names that need not be the schema's: plain numbers cannot clash or be empty.
        self._width = len(names)
        keys = [str(index) for index in range(self._width)]
        self._convert = pacsv.ConvertOptions(column_types=dict.fromkeys(keys, pa.string()), strings_can_be_null=False)
        self._keys = keys

    def _read_head(self, header: bool | None) -> list[str]:
        """Return the names of the columns, from the first record or not, and put what is no header back."""
        for block in self._blocks:
            if block.fault:
                raise InputError(f"{self.where(block.line)}: {block.fault}")
            records = self._dialect.records(block.data)
            first = next(records, None)
            if first is None:
                continue
            offset, cells, reason = first
            if reason and (header is not False or not cells):
                raise InputError(f"{self.where(block.line + offset)}: {reason}")
            if header is None:
                header = not self._is_data(cells, [cells for _, cells, _ in islice(records, SAMPLE_ROWS)])
                self.unsure = 0 if header else block.line + offset
            self.named = header
            if header:
                block = _without_header(block, offset, self._dialect)
            self._begin = block.start, block.line
            self._blocks = chain([block], self._blocks)
            return cells if header else self._invent(cells)
        self.named = False
        return []

    def slices(self, size: int) -> Iterator[Slice]:
        if self._stream.compressed or not self._width:
            yield Slice()
            return
        (start, line), names = self._begin, tuple(self.schema.names)
        with closing(ByteStream(self.name, start)) as stream:
            for block in read_blocks(stream, self._dialect.cut, line):
                if block.start - start >= size:
                    yield Slice(start, block.start - start, line, names)
                    start, line = block.start, block.line
            yield Slice(start, stream.position - start, line, names)

    def __iter__(self) -> Iterator[Rows]:
        for block in self._blocks:
            if block.fault:
                yield self._slow([(0, [], block.fault)], block.line)
            elif block.data:
                yield (
                    self._known(block) or self._fast(block) or self._slow(self._dialect.records(block.data), block.line)
                )

    def progress(self) -> float | None:
        return self._stream.progress()

    def close(self) -> None:
        self._stream.close()

    def _cut(self, data: bytes, final: bool) -> int:
        """Return where the last whole record ends: where the last line does if all are plain, which are kept then."""
        end, self._plain = data.rfind(b"\n") + 1, None
        if end and self._width:
            self._plain = plain_columns(data[:end], self._dialect.delimiter, self._width)
        return end if self._plain is not None else self._dialect.cut(data, final)

    def _known(self, block: Block) -> Rows | None:
        """Return what `_cut` kept of the block that it has just cut, if anything."""
        if self._plain is None:
            return None
        table = pa.RecordBatch.from_arrays(self._plain, schema=self.schema)
        return Rows(table, np.arange(block.line, block.line + len(table)))

    def _fast(self, block: Block) -> Rows | None:
        """Let pyarrow read the block; None unless its records are certainly those of the line ends."""
        read = pacsv.ReadOptions(use_threads=False, column_names=self._keys, block_size=len(block.data) + 1)
        try:
            table = pacsv.read_csv(pa.BufferReader(block.data), read, self._dialect.parse_options, self._convert)
        except pa.ArrowInvalid:
            return None
        lines = self._lines(block, table.num_rows)
        if lines is None:
            return None
        columns = [column.combine_chunks() for column in table.columns]
        return Rows(pa.RecordBatch.from_arrays(columns, schema=self.schema), lines)

    def _lines(self, block: Block, rows: int) -> NDArray[np.int64] | None:
        """Return the line of each of `rows` records, blank lines not counted; None if there are not so many."""
        data = block.data
        if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
            return None  # pyarrow ends a record there
        newlines = data.count(b"\n")
        quoted = self._dialect.delimiter is not None and b'"' in data
        ends = self._dialect.record_ends(data) if quoted or newlines != rows else None
        if newlines == rows and (not quoted or (ends is not None and len(ends) == rows)):
            return np.arange(block.line, block.line + rows)
        if ends is None:
            return None
        array = np.frombuffer(data, np.uint8)
        starts = np.concatenate([[0], ends[:-1] + 1])
        blank = (ends == starts) | ((ends == starts + 1) & (array[starts] == _RETURN))
        starts = starts[~blank]
        if len(starts) != rows:
            return None
        line_ends = np.flatnonzero(array == _NEWLINE)
        lines: NDArray[np.int64] = np.searchsorted(line_ends, starts) + np.int64(block.line)
        return lines

    def _slow(self, records: Iterable[Record], line: int) -> Rows:
        """Build rows of records one by one, the bad ones cut or padded to the width of the schema."""
        width = len(self.schema)
        cells: list[list[str | None]] = []
        lines: list[int] = []
        faults: dict[int, str] = {}
        for offset, found, reason in records:
            if reason is None and len(found) != width:
                reason = (
                    f"{len(found)} of {width} fields" if len(found) < width else f"{len(found)} fields, not {width}"
                )
            if reason is not None:
                faults[len(cells)] = reason
            cells.append([*found[:width], *[None] * (width - len(found))])
            lines.append(line + offset)
        columns = list(zip(*cells, strict=True)) if cells else [()] * width
        arrays = [pa.array(column, pa.string()) for column in columns]
        table = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
        return Rows(table, np.array(lines, np.int64), faults)


def _without_header(block: Block, offset: int, dialect: Dialect) -> Block:
    """Return the block after its first record, which starts `offset` lines down."""
    records = dialect.records(block.data)
    next(records)
    following = next(records, None)
    if following is None:
        return Block(b"", block.line + block.data.count(b"\n"), block.start + len(block.data))
    skip, start = following[0], 0
    for _ in range(skip):
        start = block.data.index(b"\n", start) + 1
    return Block(block.data[start:], block.line + skip, block.start + start)
