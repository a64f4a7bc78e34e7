"""Hands in Arrow memory to strengths in Arrow memory: arrays, chunked arrays, record batches, tables, capsules.

A hand a row, in one of these layouts: one column of texts, as :func:`pokernel.parse_cards` reads them, of mixed sizes
and spellings; one column of lists of card numbers 0 … 51, or of texts of one card; several columns, or a struct's
fields, each with a card's number or text. An Array or a RecordBatch gives an Array, what has chunks a ChunkedArray of
the same chunks. A hand that is null, or has a null card, has a null strength.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..errors import PokernelError
from ..strength import STRONGEST, WEAKEST, Category
from ..strength import category as category_of
from ..strength import describe as describe_of
from .results import chunks_of, delivered, texts_of, with_nulls, zeros

__all__ = ["CATEGORIES", "best_five", "categories", "category_codes", "describe", "strengths", "valid"]

if TYPE_CHECKING:
    from .given import Given
    from .rows import Then

OnError = Literal["raise", "null"]

BAD: Final = 0xFFFF  # what ``rows.py`` has for the strength of what is no hand

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
    from .given import take

    hands = take(data)
    found, is_bad, is_null = _evaluated(hands, board, on_error, threads)
    if is_bad:
        found[found == BAD] = 0
    nulls = zeros(found) if is_bad or is_null else None
    return delivered(with_nulls(pa.uint16(), len(found), found, nulls), hands.chunks)


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
    from .best import BestRows, card_texts
    from .given import take

    hands = take(data)
    best = BestRows(hands.rows)
    found, _, _ = _evaluated(hands, board, on_error, threads, best)
    return delivered(card_texts(best.cards, (found == 0) | (found == BAD)), hands.chunks)


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
    from .given import take

    hands = take(data)
    found, _, _ = _evaluated(hands, board, "null", threads)
    flags = np.packbits(found != BAD, bitorder="little")
    return delivered(with_nulls(pa.bool_(), len(found), flags, zeros(found)), hands.chunks)


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
    column, values, nulls = _strengths(strengths)
    return delivered(with_nulls(pa.uint8(), len(values), category_of(values), nulls), chunks_of(column))


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
    column, values, nulls = _strengths(strengths)
    codes = with_nulls(pa.uint8(), len(values), category_of(values), nulls)
    names = texts_of(CATEGORIES)
    return delivered(pa.DictionaryArray.from_arrays(codes, names, ordered=True), chunks_of(column))


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
    column, values, nulls = _strengths(strengths)
    category_of(values)  # refuses what is no strength
    texts, longest = _descriptions()
    if longest * len(values) >= 2**31:  # more than 32-bit offsets can count
        texts = texts.cast(pa.large_string())
    indices = with_nulls(pa.uint16(), len(values), values.astype(np.uint16), nulls)
    return delivered(texts.take(indices), chunks_of(column))


@cache
def _descriptions() -> tuple[pa.Array, int]:
    """The description of each strength, indexed by it, and the length of the longest."""
    texts = ["", *describe_of(np.arange(WEAKEST, STRONGEST + 1)).tolist()]
    return texts_of(texts), max(map(len, texts))


def check_on_error(on_error: str) -> None:
    """Refuse what is no way to go about bad rows."""
    if on_error not in ("raise", "null"):
        raise PokernelError(f"on_error must be 'raise' or 'null', not {on_error!r}")


def _evaluated(
    hands: "Given", board: Any, on_error: OnError, threads: int | None, then: "Then | None" = None
) -> tuple[NDArray[np.uint16], bool, bool]:
    """Strengths of hands, 0 where they are null and BAD where they are none; and whether there are such and such."""
    from .rows import evaluate_rows

    check_on_error(on_error)
    found = np.empty(hands.rows, np.uint16)
    fault, is_null = evaluate_rows(hands, board, found, threads, then)
    if fault is not None and on_error == "raise":
        raise fault.complain(hands.rows)
    return found, fault is not None, is_null


def _strengths(given: Any) -> tuple[Any, NDArray[Any], NDArray[np.bool_] | None]:
    """A column, its values in one array, 1 where they are null, and where that is if anywhere."""
    from .given import one_column

    column = one_column(given, "strengths")
    if not pa.types.is_integer(column.type) and not pa.types.is_null(column.type):
        raise TypeError(f"a strength is an integer, not {column.type}")
    if pa.types.is_null(column.type):
        column = column.cast(pa.uint16())
    if not column.null_count:
        return column, np.asarray(column), None
    return column, np.asarray(column.fill_null(WEAKEST)), np.asarray(column.is_null())
