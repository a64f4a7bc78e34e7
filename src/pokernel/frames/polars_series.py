"""Series of hands in polars to series of what is to be known of them, a batch at a time: what the namespace calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal

import polars as pl
import pyarrow as pa

from ..errors import PokernelError
from ..evaluation import evaluate_columns
from ..strength import STRONGEST, WEAKEST
from ..strength import describe as words_of
from . import arrow
from .batches import found_in

__all__ = ["CATEGORY", "OnError", "best_fives", "categories", "descriptions", "strengths", "valid"]

CATEGORY: Final = pl.Enum(arrow.CATEGORIES)
"""The type of categories: the ten names, which sort from the weakest to the strongest."""

OnError = Literal["raise", "null"]

_OLD: Final = pl.__version__.startswith("1.")  # slices of its arrays say that they lie behind their end


def strengths(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    arrow.check_on_error(on_error)
    if board is None and hands.dtype == pl.Struct:
        columns = hands.struct.unnest().get_columns()
        if len(columns) in (5, 6, 7) and all(map(_is_plain, columns)):
            try:
                return pl.Series(hands.name, evaluate_columns(*(column.to_numpy() for column in columns)))
            except PokernelError:  # the door says of which row, or makes it null
                pass
    return pl.Series(hands.name, _asked(arrow.strengths, hands, board, on_error=on_error), pl.UInt16)


def categories(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    codes = arrow.category_codes(_exported(_of_strength(hands, board, on_error)))
    return _names().gather(pl.Series(codes, dtype=pl.UInt8)).alias(hands.name)


def descriptions(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    strengths = _of_strength(hands, board, on_error)
    if strengths is hands:
        arrow.category_codes(_exported(strengths))  # says which are none
    return _words().gather(strengths).alias(hands.name)


def best_fives(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    return pl.Series(hands.name, _asked(arrow.best_five, hands, board, on_error=on_error), pl.String)


def valid(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    return pl.Series(hands.name, _asked(arrow.valid, hands, board), pl.Boolean)


def _of_strength(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    """Strengths, which the column may be already."""
    arrow.check_on_error(on_error)
    return hands if hands.dtype.is_integer() and board is None else strengths(hands, board, on_error)


def _asked(door: Callable[..., Any], hands: pl.Series, board: Any, **options: Any) -> Any:
    columns = [_exported(column) for column in (hands, board) if isinstance(column, pl.Series)]
    try:
        return door(columns[0], board if len(columns) < 2 else columns[1], **options)
    except PokernelError as error:
        found = found_in(error, *columns)
        if found is None:
            raise
        row, values, what, share = found
        raise type(error)(f"row {row}, {values}: {what}{share}") from None


def _is_plain(cards: pl.Series) -> bool:
    """Whether they are numbers that numpy takes as they lie: batches are small, and the door asks for their layout."""
    narrow = cards.dtype.is_integer() and not str(cards.dtype).endswith("128")
    return narrow and cards.n_chunks() == 1 and not cards.null_count()


def _exported(series: pl.Series) -> pa.ChunkedArray:
    """The series as it lies, texts as views, where `to_arrow` would copy them; lone nulls as texts."""
    if series.dtype == pl.Object:  # would be exported as bytes: where the objects lie
        raise TypeError("cards are integers or texts, not Object")
    if series.dtype == pl.Null:
        series = series.cast(pl.String)
    elif series.dtype == pl.Array and _OLD:
        series = series.arr.to_list()
    try:
        return pa.chunked_array(series)
    except pa.ArrowException as error:  # 128-bit integers, objects
        raise TypeError(f"cards are integers or texts, not {series.dtype}: {error}") from None


@cache
def _names() -> pl.Series:
    return pl.Series(arrow.CATEGORIES, dtype=CATEGORY)


@cache
def _words() -> pl.Series:
    return pl.Series([None, *(words_of(strength) for strength in range(WEAKEST, STRONGEST + 1))], dtype=pl.String)
