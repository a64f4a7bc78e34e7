"""Blocks of plain records to columns of strings, quicker than any reader that must be ready for everything."""

from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["plain_columns"]


def plain_columns(data: bytes, delimiter: str | None, width: int) -> list[pa.Array] | None:
    r"""
    Read a block.

    Parameters
    ----------
    data : bytes
        Whole lines, each ended by ``\n``.
    delimiter : str or None
        None: each line is one cell, verbatim.
    width : int
        How many cells each record must have.

    Returns
    -------
    list of pyarrow.StringArray or None
        A row for each line; None where a line is blank, is no whole record or has another number of cells, where a
        quote or a carriage return stands elsewhere than around a cell or at a line end, and where it is not UTF-8.
    """
    from ..jit.delimited import OTHERWISE, SLACK, copy_cells, split

    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    block = np.frombuffer(data, np.uint8)
    lines = np.count_nonzero(block == 10)
    if len(data) < lines * width:  # not even room for the delimiters, and much for the bounds
        return None
    bounds, sizes = np.empty((lines, width, 2), np.int32), np.zeros(width, np.int64)
    if split(block, *_classes(delimiter), bounds, sizes) == OTHERWISE:
        return None
    columns = []
    for column, size in enumerate(sizes.tolist()):
        offsets, texts = np.empty(lines + 1, np.int32), np.empty(size + SLACK, np.uint8)
        copy_cells(block, bounds, column, offsets, texts)
        columns.append(pa.Array.from_buffers(pa.string(), lines, [None, pa.py_buffer(offsets), pa.py_buffer(texts)]))
    return columns


@cache
def _classes(delimiter: str | None) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the class of each byte, and inside of quotes."""
    from ..jit import delimited as kinds

    classes = np.full(256, kinds.ORDINARY, np.uint8)
    classes[list(b"\n\r")] = kinds.END, kinds.RETURN
    if delimiter is not None:
        classes[[*b'"', ord(delimiter)]] = kinds.QUOTE, kinds.BREAK
    return classes, np.where(classes == kinds.BREAK, np.uint8(kinds.ORDINARY), classes)
