"""Hands in Arrow memory to strengths in Arrow memory: arrays, chunked arrays, record batches, tables, capsules.

A hand a row, in one of these layouts: one column of texts, as :func:`pokernel.parse_cards` reads them, of mixed sizes
and spellings; one column of lists of card numbers 0 … 51, or of texts of one card; several columns (or a struct's fields),
each with a card's number or text. An Array or a RecordBatch gives an Array, what has chunks gives a ChunkedArray of the
same chunks. A hand that is null, or has a null card, has a null strength.
"""

from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa

from ..errors import PokernelError
from ..strength import Category
from ..strength import category as category_of
from ..strength import describe as describe_of

__all__ = ["CATEGORIES", "best_five", "categories", "category_codes", "describe", "strengths", "valid"]

OnError = Literal["raise", "null"]

CATEGORIES: Final = tuple(kind.label for kind in Category)
"""The names of the ten categories, weakest first: what :func:`category_codes` count."""


def strengths(data: Any, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> Any:
    """Strength of the best five cards of each hand.

    Parameters
    ----------
    data : Array, ChunkedArray, RecordBatch, Table, or what has ``__arrow_c_array__`` or ``__arrow_c_stream__``
        The hands, in one of the module's layouts; n rows.
    board : like `data`, or str or sequence of int, optional
        Cards that are added to each hand: n rows of them, or one text (or sequence of numbers) for all hands.
    on_error : {"raise", "null"}
        What to do about rows that hold no hand: raise an error that names the first and says how many there are, or
        leave their strengths null.
    threads : int, optional
        As for :func:`pokernel.evaluate`.

    Returns
    -------
    Array or ChunkedArray of uint16, n rows
        Null where the hand is.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError
        Something that is no card, a card twice in a hand and its board, other than 5, 6 or 7 cards.
    TypeError
        Columns that cannot hold cards; data that is no Arrow data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.strengths(pa.array(["As Ks Qs Js Ts", None, "7c5d4h3s2c"])).to_pylist()
    [7462, None, 1]
    >>> arrow.strengths(pa.array(["AsAh", "KsKh"]), board="2c 7d 9h Js 3c").to_pylist()
    [4028, 3808]
    """
    from .slow import read

    return read(data, board, on_error, threads, "strengths")


def best_five(data: Any, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> Any:
    """The five cards of each hand that make its strength, as texts.

    Parameters
    ----------
    data, board, on_error, threads
        As for :func:`strengths`.

    Returns
    -------
    Array or ChunkedArray of string, n rows
        Such as ``AsAh9s9cKd``, in the order of :func:`pokernel.best_five`; null where the hand is.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError, TypeError
        As :func:`strengths` does.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.best_five(pa.array(["2c As 2d Ah 9s 9c Kd"])).to_pylist()
    ['AsAh9s9cKd']
    """
    from .slow import read

    return read(data, board, on_error, threads, "best_five")


def valid(data: Any, board: Any = None, *, threads: int | None = None) -> Any:
    """Which rows hold a hand: 5, 6 or 7 different cards.

    Parameters
    ----------
    data, board, threads
        As for :func:`strengths`.

    Returns
    -------
    Array or ChunkedArray of bool, n rows
        Null where the hand is.

    Raises
    ------
    TypeError
        Columns that cannot hold cards; data that is no Arrow data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.valid(pa.array(["AsKsQsJsTs", "AsKsQsJsTx", "AsKs", None])).to_pylist()
    [True, False, False, None]
    """
    from .slow import read

    return read(data, board, "null", threads, "valid")


def category_codes(strengths: Any) -> Any:
    """Category of each strength as a number.

    Parameters
    ----------
    strengths : Array or ChunkedArray of integers, or what has the capsules
        1 … 7462, and nulls.

    Returns
    -------
    Array or ChunkedArray of uint8
        0 (high card) … 9 (royal flush): indices into `CATEGORIES`, values of :class:`pokernel.Category`.

    Raises
    ------
    PokernelError
        If a strength is out of range; names the first bad index, and how many are bad.
    TypeError
        If `strengths` are no integers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.category_codes(pa.array([7462, None, 1])).to_pylist()
    [9, None, 0]
    """
    return _mapped(strengths, lambda values: pa.array(category_of(values), pa.uint8()))


def categories(strengths: Any) -> Any:
    """Category of each strength by name.

    Parameters
    ----------
    strengths
        As for :func:`category_codes`.

    Returns
    -------
    Array or ChunkedArray of dictionary<uint8, string, ordered>
        The dictionary is `CATEGORIES`: all ten names, weakest first, in every chunk.

    Raises
    ------
    PokernelError, TypeError
        As :func:`category_codes` does.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.categories(pa.array([7462, None, 1])).to_pylist()
    ['Royal flush', None, 'High card']
    """
    names = pa.array(CATEGORIES, pa.string())
    codes = category_codes(strengths)
    if isinstance(codes, pa.ChunkedArray):
        chunks = [pa.DictionaryArray.from_arrays(chunk, names, ordered=True) for chunk in codes.chunks]
        return pa.chunked_array(chunks, pa.dictionary(pa.uint8(), pa.string(), ordered=True))
    return pa.DictionaryArray.from_arrays(codes, names, ordered=True)


def describe(strengths: Any) -> Any:
    """Each strength in words.

    Parameters
    ----------
    strengths
        As for :func:`category_codes`.

    Returns
    -------
    Array or ChunkedArray of string

    Raises
    ------
    PokernelError, TypeError
        As :func:`category_codes` does.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames import arrow
    >>> arrow.describe(pa.array([7250])).to_pylist()
    ['Full house, jacks full of threes']
    """
    return _mapped(strengths, lambda values: pa.array(describe_of(values).tolist(), pa.string()))


def _mapped(strengths: Any, convert: Any) -> Any:
    if isinstance(strengths, pa.ChunkedArray):
        return pa.chunked_array([_mapped(chunk, convert) for chunk in strengths.chunks])
    values = strengths.to_pylist()
    known = convert(np.array([value or 1 for value in values], np.int64))
    if any(value is not None and not 1 <= value <= 7462 for value in values):
        raise PokernelError("out of range")
    return pa.array(
        [None if value is None else new.as_py() for value, new in zip(values, known, strict=True)], known.type
    )
