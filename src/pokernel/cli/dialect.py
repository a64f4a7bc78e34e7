"""How delimited text is written: what separates fields, where records end, what a record by itself says."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from .blocks import LIMIT_BYTES

__all__ = ["Dialect", "Record"]

# Lines from the start of the block to the record's first; its cells; what is wrong with it.
Record: TypeAlias = tuple[int, list[str], str | None]

# pyarrow needs some delimiter even where lines have no fields; a line that holds this one is read the slow way.
_NO_DELIMITER = "\x1f"
_NEWLINE = ord("\n")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How records split into fields: a delimiter and quotes, or (``delimiter=None``) each line one field, verbatim."""

    delimiter: str | None

    @property
    def parse_options(self) -> pacsv.ParseOptions:
        """Return the same for pyarrow."""
        if self.delimiter is None:
            return pacsv.ParseOptions(delimiter=_NO_DELIMITER, quote_char=False)
        return pacsv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True)

    def cut(self, data: bytes, final: bool) -> int:
        """Return where the last whole record of `data` ends (0: nowhere)."""
        if self.delimiter is None or b'"' not in data:
            return data.rfind(b"\n") + 1
        ends = self.record_ends(data)
        if ends is not None:
            return int(ends[-1]) + 1 if len(ends) else 0
        starts = [0]
        text = data.decode("utf-8", "surrogateescape")
        lines = io.StringIO(text, newline="\n")
        reader = self._reader(lines)
        while True:
            try:
                next(reader)
            except csv.Error:
                pass
            except StopIteration:
                break
            starts.append(lines.tell())
        # The last record may go on beyond the data; at the end of the input only an open quote says that it would.
        if final and self._closes(text[starts[-2] :]):
            return len(data)
        return len(text[: starts[-2]].encode("utf-8", "surrogateescape"))

    def record_ends(self, data: bytes) -> NDArray[np.int64] | None:
        r"""Return where the ``\n`` lie that end records; None if quotes are not used as RFC 4180 has it."""
        from ..jit.delimited import MISUSED, record_ends

        array = np.frombuffer(data, np.uint8)
        if self.delimiter is None or b'"' not in data:
            return np.flatnonzero(array == _NEWLINE)
        ends = np.empty(np.count_nonzero(array == _NEWLINE), np.int64)
        found = record_ends(array, ord(self.delimiter), ends)
        return None if found == MISUSED else ends[:found]

    def records(self, data: bytes) -> Iterator[Record]:
        """Yield offset of the first line, the cells, and what is wrong, of each record that is not blank."""
        try:
            text, escaped = data.decode(), False
        except UnicodeDecodeError:
            text, escaped = data.decode("utf-8", "surrogateescape"), True
        for line, cells, reason in self._split(text):
            joined = "".join(cells) if escaped else ""
            try:
                joined.encode()
            except UnicodeEncodeError as error:
                byte = ord(joined[error.start]) - 0xDC00
                readable = [cell.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for cell in cells]
                yield line, readable, f"not UTF-8: byte 0x{byte:02x}"
            else:
                yield line, cells, reason

    def _split(self, text: str) -> Iterator[Record]:
        if self.delimiter is None:
            for line, cell in enumerate(text.split("\n")):
                if cell := cell.removesuffix("\r"):
                    yield line, [cell], None
            return
        reader = self._reader(io.StringIO(text, newline="\n"))
        while True:
            line = reader.line_num
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                reason = "carriage return inside the line" if "new-line character" in str(error) else str(error)
                yield line, [], reason
            else:
                if cells:
                    yield line, cells, None

    def _reader(self, lines: io.StringIO, strict: bool = False) -> Any:
        csv.field_size_limit(LIMIT_BYTES * 2)
        return csv.reader(lines, delimiter=self.delimiter or ",", strict=strict)

    def _closes(self, record: str) -> bool:
        try:
            for _ in self._reader(io.StringIO(record, newline="\n"), strict=True):
                pass
        except csv.Error as error:
            return "unexpected end" not in str(error)
        return True
