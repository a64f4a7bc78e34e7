"""Arrays of numpy in Arrow's clothes: what they hold stays where it lies.

``pyarrow.array`` would import pandas, where that is installed, only to ask whether what it is given is of that kind.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..strength import WEAKEST

__all__ = ["chunks_of", "delivered", "texts_of", "valid_bits", "with_nulls", "zeros"]


def zeros(found: NDArray[np.uint16]) -> NDArray[np.bool_] | None:
    """Where strengths are zero, if anywhere."""
    return None if found.min(initial=WEAKEST) else found == 0


def valid_bits(nulls: NDArray[np.bool_] | None) -> pa.Buffer | None:
    """Arrow's bitmap of what is not null, if anything is."""
    return None if nulls is None else pa.py_buffer(np.packbits(~nulls, bitorder="little"))


def with_nulls(kind: pa.DataType, rows: int, values: NDArray[Any], nulls: NDArray[np.bool_] | None) -> pa.Array:
    """An array of so many values, which lie as Arrow wants them; some of them may be null."""
    return pa.Array.from_buffers(kind, rows, [valid_bits(nulls), pa.py_buffer(values)])


def texts_of(words: Sequence[str]) -> pa.Array:
    """An array of strings."""
    texts = [word.encode() for word in words]
    offsets = np.array([0, *accumulate(map(len, texts))], np.int32)
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(texts))])


def chunks_of(column: Any) -> list[int] | None:
    """How many rows each chunk has; None for what has no chunks."""
    return [len(chunk) for chunk in column.chunks] if isinstance(column, pa.ChunkedArray) else None


def delivered(array: pa.Array, chunks: Sequence[int] | None) -> Any:
    """The array, cut into chunks if there shall be some."""
    if chunks is None:
        return array
    starts = [0, *accumulate(chunks)]
    return pa.chunked_array([array.slice(*cut) for cut in zip(starts, chunks, strict=False)], array.type)
