"""Hands in polars: the namespace ``poker`` of expressions and series, which importing this module registers.

Hands are texts (``"As Ks Qs Js Ts"``), lists or arrays of cards, or structs of one card a field:
``pl.struct("c0", "c1", "c2", "c3", "c4").poker.strength()``. All is done element by element, and so runs in the
streaming engine, in ``group_by`` and in ``over`` as anywhere else.
"""

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

__all__ = ["CATEGORY", "PokerExpr", "PokerSeries"]

CATEGORY: Final = pl.Enum(arrow.CATEGORIES)
"""The type of categories: the ten names, which sort from the weakest to the strongest."""

OnError = Literal["raise", "null"]
Batch = Callable[[pl.Series, Any, OnError], pl.Series]

_OLD: Final = pl.__version__.startswith("1.")  # slices of its arrays say that they lie behind their end
_BOARD: Final = "pokernel: board"  # the name of a field that no column of hands has


@pl.api.register_expr_namespace("poker")
class PokerExpr:
    """What is to be known of a column of hands: ``pl.col("hand").poker``.

    A null stays null, and so does a hand that lacks a card. A hand that cannot be evaluated raises an error
    that quotes it, and the number of its row, counted from the start of a batch: a lazy query has many of those.

    Examples
    --------
    >>> import polars as pl
    >>> import pokernel.frames.polars
    >>> frame = pl.DataFrame({"hand": ["As Ks Qs Js Ts", "7c 5d 4h 3s 2c", None]})
    >>> frame.select(pl.col("hand").poker.strength(), category=pl.col("hand").poker.category()).rows()
    [(7462, 'Royal flush'), (1, 'High card'), (None, None)]
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def strength(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Expr:
        """Strength of the best five cards of each hand.

        Parameters
        ----------
        board : polars.Expr, str or sequence of int, optional
            Cards that are added to each hand: an expression has a board for each, a text or a sequence one for all.
        on_error : {"raise", "null"}
            What to do about rows that hold no hand: raise an error or leave their strengths null.

        Returns
        -------
        polars.Expr
            ``UInt16``: 1 (7-5-4-3-2, unsuited) … 7462 (a royal flush); higher is stronger.

        Raises
        ------
        CardError, DuplicateCardError, HandSizeError
            When the query runs: something that is no card, a card twice, other than 5, 6 or 7 cards.
        TypeError
            When the query runs: columns that cannot hold cards.

        Examples
        --------
        >>> import polars as pl
        >>> import pokernel.frames.polars
        >>> frame = pl.DataFrame({"hole": ["AsAh", "KsKh"], "c0": [51, 0], "c1": [47, 1]})
        >>> frame.select(pl.col("hole").poker.strength("2c 7d 9h Js 3c")).to_series().to_list()
        [4028, 3808]
        >>> frame.select(pl.struct("c0", "c1").poker.strength("Qs Js Ts")).to_series().to_list()
        [7462, 1397]
        """
        return self._mapped(_strengths, pl.UInt16, board, on_error)

    def category(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Expr:
        """Category of each hand; also of each strength, where the column holds integers.

        Parameters
        ----------
        board, on_error
            As for `strength`.

        Returns
        -------
        polars.Expr
            `CATEGORY`: an ``Enum`` of the ten names, from ``"High card"`` to ``"Royal flush"``.

        Examples
        --------
        >>> import polars as pl
        >>> import pokernel.frames.polars
        >>> pl.select(pl.lit("Jc Jd Jh 3s 3c Kd 2h").poker.category()).item()
        'Full house'
        """
        return self._mapped(_categories, CATEGORY, board, on_error)

    def describe(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Expr:
        """Each hand in words; also each strength, where the column holds integers.

        Parameters
        ----------
        board, on_error
            As for `strength`.

        Returns
        -------
        polars.Expr
            ``String``.

        Examples
        --------
        >>> import polars as pl
        >>> import pokernel.frames.polars
        >>> pl.select(pl.lit("Jc Jd Jh 3s 3c Kd 2h").poker.describe()).item()
        'Full house, jacks full of threes'
        """
        return self._mapped(_descriptions, pl.String, board, on_error)

    def best_five(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Expr:
        """The five cards of each hand that make its strength.

        Parameters
        ----------
        board, on_error
            As for `strength`.

        Returns
        -------
        polars.Expr
            ``String``, in the order of :func:`pokernel.best_five`.

        Examples
        --------
        >>> import polars as pl
        >>> import pokernel.frames.polars
        >>> pl.select(pl.lit("2c As 2d Ah 9s 9c Kd").poker.best_five()).item()
        'AsAh9s9cKd'
        """
        return self._mapped(_best_fives, pl.String, board, on_error)

    def valid(self, board: Any = None) -> pl.Expr:
        """Whether each row holds a hand: 5, 6 or 7 different cards.

        Parameters
        ----------
        board
            As for `strength`.

        Returns
        -------
        polars.Expr
            ``Boolean``, null where the hand is.

        Examples
        --------
        >>> import polars as pl
        >>> import pokernel.frames.polars
        >>> frame = pl.DataFrame({"hand": ["As Ks Qs Js Ts", "As Ks Qs Js As", None]})
        >>> frame.filter(~pl.col("hand").poker.valid()).item()
        'As Ks Qs Js As'
        """
        return self._mapped(_valid, pl.Boolean, board, "null")

    def _mapped(self, batch: Batch, dtype: Any, board: Any, on_error: OnError) -> pl.Expr:
        arrow.check_on_error(on_error)
        if not isinstance(board, pl.Expr):
            return self._expr.map_batches(
                lambda hands: batch(hands, board, on_error), return_dtype=dtype, is_elementwise=True
            )

        def with_boards(both: pl.Series) -> pl.Series:
            hands, boards = both.struct.unnest().get_columns()
            return batch(hands, boards, on_error)

        # A struct has the name of its first field, and one board for all stands in each of its rows.
        both = pl.struct(self._expr, board.alias(_BOARD))
        return both.map_batches(with_boards, return_dtype=dtype, is_elementwise=True)


@pl.api.register_series_namespace("poker")
class PokerSeries:
    """The same of a series, with the same arguments; boards may be a series, and rows are counted from the top.

    Examples
    --------
    >>> import polars as pl
    >>> import pokernel.frames.polars
    >>> pl.Series(["As Ks Qs Js Ts", None]).poker.strength().to_list()
    [7462, None]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def strength(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Strength of the best five cards of each hand, ``UInt16``."""
        return _strengths(self._series, board, on_error)

    def category(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Category of each hand or strength, `CATEGORY`."""
        return _categories(self._series, board, on_error)

    def describe(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Each hand or strength in words, ``String``."""
        return _descriptions(self._series, board, on_error)

    def best_five(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """The five cards of each hand that make its strength, ``String``."""
        return _best_fives(self._series, board, on_error)

    def valid(self, board: Any = None) -> pl.Series:
        """Whether each row holds a hand, ``Boolean``."""
        return _valid(self._series, board, "null")


def _strengths(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    arrow.check_on_error(on_error)
    if board is None and hands.dtype == pl.Struct:
        columns = hands.struct.unnest().get_columns()
        if len(columns) in (5, 6, 7) and all(map(_is_plain, columns)):
            try:
                return pl.Series(hands.name, evaluate_columns(*(column.to_numpy() for column in columns)))
            except PokernelError:  # the door says of which row, or makes it null
                pass
    return pl.Series(hands.name, _asked(arrow.strengths, hands, board, on_error=on_error), pl.UInt16)


def _categories(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    codes = arrow.category_codes(_exported(_of_strength(hands, board, on_error)))
    return _names().gather(pl.Series(codes, dtype=pl.UInt8)).alias(hands.name)


def _descriptions(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    strengths = _of_strength(hands, board, on_error)
    if strengths is hands:
        arrow.category_codes(_exported(strengths))  # says which are none
    return _words().gather(strengths).alias(hands.name)


def _best_fives(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    return pl.Series(hands.name, _asked(arrow.best_five, hands, board, on_error=on_error), pl.String)


def _valid(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    return pl.Series(hands.name, _asked(arrow.valid, hands, board), pl.Boolean)


def _of_strength(hands: pl.Series, board: Any, on_error: OnError) -> pl.Series:
    """Strengths, which the column may be already."""
    arrow.check_on_error(on_error)
    return hands if hands.dtype.is_integer() and board is None else _strengths(hands, board, on_error)


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
