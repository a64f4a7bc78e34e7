"""Open an input by its format."""

import os

from .binary import IpcSource, NpySource, ParquetSource
from .blocks import CODECS, ByteStream
from .delimited import DelimitedSource, Dialect
from .layouts import invent_names, is_data
from .ndjson import NdjsonSource
from .rows import InputError, Source

__all__ = ["FORMATS", "SUFFIXES", "format_of", "open_source"]

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrows",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".npy": "npy",
    ".txt": "text",
}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))


def format_of(path: str) -> str | None:
    """Return the format that a file's name tells, compression set aside, or None."""
    stem, suffix = os.path.splitext(path.lower())
    if suffix in CODECS:
        suffix = os.path.splitext(stem)[1]
    return SUFFIXES.get(suffix)


def open_source(path: str, form: str | None = None, header: bool | None = None, delimiter: str | None = None) -> Source:
    """
    Open an input.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input.
    form : str, optional
        One of `FORMATS`; told from the name when left out (standard input: text).
    header : bool, optional
        Whether the first line of CSV or TSV names the columns; told from its cells when left out.
    delimiter : str, optional
        What stands between the fields of CSV or TSV.

    Raises
    ------
    InputError
        If the format cannot be told or the file not be read.
    """
    form = form or ("text" if path == "-" else format_of(path))
    if form is None:
        raise InputError(f"{path}: which format? Say --input-format ({', '.join(FORMATS)})")
    if form in ("arrow", "arrows"):
        return IpcSource(path)
    if form in ("parquet", "npy"):
        if path == "-":
            raise InputError(f"<stdin>: {form} needs a file: it cannot be read front to back")
        return ParquetSource(path) if form == "parquet" else NpySource(path)
    try:
        stream = ByteStream(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    try:
        if form == "ndjson":
            return NdjsonSource(stream)
        if form == "text":
            return DelimitedSource(stream, Dialect(None), False, is_data, lambda _: ["hand"])
        dialect = Dialect(delimiter or (",", "\t")[form == "tsv"])
        return DelimitedSource(stream, dialect, header, is_data, invent_names)
    except BaseException:
        stream.close()
        raise
