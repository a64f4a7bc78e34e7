"""Open an input by its format."""

import os

from .binary import IpcSource, NpySource, ParquetSource
from .blocks import CODECS, ByteStream
from .delimited import DelimitedSource, Dialect
from .header import invent_names, is_data
from .ndjson import NdjsonSource
from .rows import InputError, Slice, Source
from .words import InputFormat

__all__ = ["SUFFIXES", "format_of", "input_format_of", "open_source"]

SUFFIXES = {
    ".csv": InputFormat.csv,
    ".tsv": InputFormat.tsv,
    ".tab": InputFormat.tsv,
    ".ndjson": InputFormat.ndjson,
    ".jsonl": InputFormat.ndjson,
    ".parquet": InputFormat.parquet,
    ".pq": InputFormat.parquet,
    ".arrow": InputFormat.arrow,
    ".arrows": InputFormat.arrows,
    ".feather": InputFormat.arrow,
    ".ipc": InputFormat.arrow,
    ".npy": InputFormat.npy,
    ".txt": InputFormat.text,
}


def format_of(path: str) -> InputFormat | None:
    """Return the format that a file's name tells, compression set aside, or None."""
    stem, suffix = os.path.splitext(path.lower())
    if suffix in CODECS:
        suffix = os.path.splitext(stem)[1]
    return SUFFIXES.get(suffix)


def input_format_of(path: str) -> InputFormat | None:
    """Return the format of an input that is not told: text on standard input, else as the name tells."""
    return InputFormat.text if path == "-" else format_of(path)


def open_source(
    path: str,
    form: InputFormat | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    part: Slice | None = None,
) -> Source:
    """
    Open an input.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input.
    form : InputFormat, optional
        Told from the name when left out (standard input: text).
    header : bool, optional
        Whether the first line of CSV or TSV names the columns; told from its cells when left out.
    delimiter : str, optional
        What stands between the fields of CSV or TSV.
    part : Slice, optional
        Read this slice, one of those that the whole source has told.

    Raises
    ------
    InputError
        If the format cannot be told or the file not be read.
    """
    form = form or input_format_of(path)
    if form is None:
        raise InputError(f"{path}: which format? Say --input-format ({', '.join(InputFormat)})")
    codec = CODECS.get(os.path.splitext(path)[1].lower())
    if codec is not None and form in (InputFormat.arrow, InputFormat.arrows, InputFormat.parquet, InputFormat.npy):
        raise InputError(f"{path}: {form} is not read from {codec}: unpack it first")
    if form in (InputFormat.arrow, InputFormat.arrows):
        return IpcSource(path)
    if form in (InputFormat.parquet, InputFormat.npy):
        if path == "-":
            raise InputError(f"<stdin>: {form} needs a file: it cannot be read front to back")
        return ParquetSource(path, part) if form is InputFormat.parquet else NpySource(path)
    sliced = part if part and part.names is not None else None  # a whole source tells its names itself
    try:
        stream = ByteStream(path, part.start if part else 0, part.size if part else None)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    try:
        if form is InputFormat.ndjson:
            return NdjsonSource(stream)
        if form is InputFormat.text:
            return DelimitedSource(stream, Dialect(None), False, is_data, lambda _: ["hand"], sliced)
        dialect = Dialect(delimiter or (",", "\t")[form is InputFormat.tsv])
        return DelimitedSource(stream, dialect, header, is_data, invent_names, sliced)
    except BaseException:
        stream.close()
        raise
