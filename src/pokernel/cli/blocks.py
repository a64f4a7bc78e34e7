"""Byte streams cut into blocks of whole lines, in bounded memory."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa

from .rows import InputError, reason_of

__all__ = ["CODECS", "Block", "ByteStream", "read_blocks"]

BLOCK_BYTES = 1 << 21
LIMIT_BYTES = 1 << 24

CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}

# How files start that are no text.
_MAGICS = {
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"\x1f\x8b": "looks gzipped: unpack it, or give a file called .gz",
    b"BZh": "looks packed by bzip2: unpack it, or give a file called .bz2",
    b"\x28\xb5\x2f\xfd": "looks packed by zstd: unpack it, or give a file called .zst",
    b"PAR1": "looks like Parquet: say --input-format parquet, and give a file",
    b"ARROW1": "looks like Arrow IPC: say --input-format arrow, and give a file",
    b"\x93NUMPY": "looks like a NumPy array: say --input-format npy, and give a file",
}


class ByteStream:
    """
    A file, compressed or not, or standard input (``-``), read from front to back.

    Parameters
    ----------
    path : str
        The file.
    start, size : int, optional
        Read so many bytes from this one on; only of what is not compressed.
    """

    def __init__(self, path: str, start: int = 0, size: int | None = None) -> None:
        self.name = "<stdin>" if path == "-" else path
        self.position = start
        self._total = 0
        self._ahead = b""
        if path == "-":
            self._raw = cast(io.BufferedReader, sys.stdin.buffer)
        else:
            self._raw = open(path, "rb")  # noqa: SIM115 (closed by close)
            self._total = os.fstat(self._raw.fileno()).st_size
            if start:
                self._raw.seek(start)
        self._left = size
        codec = None if path == "-" else CODECS.get(os.path.splitext(path)[1].lower())
        self._read: Callable[[int], bytes] = self._raw.read1
        if codec is not None:
            self._read = pa.CompressedInputStream(pa.PythonFile(self._raw, "r"), codec).read

    @property
    def compressed(self) -> bool:
        """Whether bytes of the file are not bytes of the stream."""
        return self._read != self._raw.read1

    def peek(self, size: int) -> bytes:
        """Return the next bytes, which `read` will return again; to be called once, before it."""
        self._ahead = self.read(size)
        return self._ahead

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer only at the end."""
        if self._left is not None:
            size = min(size, self._left)
            self._left -= size
        # Piece by piece: a signal that comes between two reads of the system is seen here, not after the next byte.
        pieces = [self._ahead[:size]]
        self._ahead = self._ahead[size:]
        missing = size - len(pieces[0])
        try:
            while missing and (piece := self._read(missing)):
                pieces.append(piece)
                missing -= len(piece)
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or reason_of(error)}") from error
        data = b"".join(pieces)
        self.position += len(data)
        return data

    def progress(self) -> float | None:
        """Return the share of the file that has been read, or None for a stream of unknown length."""
        return min(1.0, self._raw.tell() / self._total) if self._total else None

    @property
    def closed(self) -> bool:
        """Whether it is closed; pyarrow asks."""
        return self._raw.closed

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._raw is not sys.stdin.buffer:
            self._raw.close()


@dataclass(frozen=True, slots=True)
class Block:
    """
    Whole records.

    Attributes
    ----------
    data : bytes
        The records.
    line : int
        The number of their first line.
    start : int
        The place of their first byte in the stream.
    fault : str or None
        Why they cannot be read, if they cannot.
    """

    data: bytes
    line: int
    start: int
    fault: str | None = None


def last_line_end(data: bytes, final: bool) -> int:
    """Return where the last whole line of `data` ends (0: nowhere)."""
    return data.rfind(b"\n") + 1


def read_blocks(
    stream: ByteStream, cut: Callable[[bytes, bool], int] = last_line_end, line: int = 1
) -> Iterator[Block]:
    r"""
    Yield blocks that end where a record ends, each with a final ``\n``.

    Parameters
    ----------
    stream : ByteStream
        The input; a UTF-8 byte order mark is dropped.
    cut : callable
        ``cut(data, final)`` is the end of the last whole record in `data`, or 0; `final` says that no more follows.
    line : int, default 1
        The number of the stream's first line.

    Notes
    -----
    Memory stays bounded: a record longer than 16 MiB becomes a block with a fault, one line long, and reading goes on
    at the next line. The same happens to a quoted field that never closes.
    """
    buffer, started, start = b"", stream.position > 0, stream.position
    while True:
        chunk = stream.read(BLOCK_BYTES)
        final = len(chunk) < BLOCK_BYTES
        if not started and chunk:
            started = True
            for magic, what in _MAGICS.items():
                if chunk.startswith(magic):
                    raise InputError(f"{stream.name}: {what}")
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
            start = stream.position - len(chunk)
        buffer += chunk
        if final and buffer and not buffer.endswith(b"\n"):
            buffer += b"\n"
        while buffer:
            end = cut(buffer, final)
            fault = None
            if not end:
                if not final and len(buffer) <= LIMIT_BYTES:
                    break
                end, fault = buffer.find(b"\n") + 1, "a quoted field opens here and does not close"
            if not end:
                fault = f"line longer than {LIMIT_BYTES >> 20} MiB"
                yield Block(b"\n", line, start, fault)
                line, buffer = line + 1, _after_this_line(stream)
                start = stream.position - len(buffer)
                continue
            yield Block(buffer[:end], line, start, fault)
            start += end
            line += int(np.count_nonzero(np.frombuffer(buffer, np.uint8, end) == ord("\n")))
            buffer = buffer[end:]
            if not final and fault is None:
                break
        if final:
            return


def _after_this_line(stream: ByteStream) -> bytes:
    """Skip the rest of a line and return the bytes after it that have been read already."""
    while chunk := stream.read(BLOCK_BYTES):
        if end := chunk.find(b"\n") + 1:
            return chunk[end:]
    return b""
