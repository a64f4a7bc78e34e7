"""Hands in polars: the namespace ``poker`` of expressions and series, which importing this module registers.

Hands are texts (``"As Ks Qs Js Ts"``), lists or arrays of cards, or structs of one card a field:
``pl.struct("c0", "c1", "c2", "c3", "c4").poker.strength()``. All is done element by element, and so runs in the
streaming engine, in ``group_by`` and in ``over`` as anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import polars as pl

from . import arrow
from . import polars_series as series
from .polars_series import CATEGORY, OnError

__all__ = ["CATEGORY", "PokerExpr", "PokerSeries"]

Batch = Callable[[pl.Series, Any, OnError], pl.Series]

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
        return self._mapped(series.strengths, pl.UInt16, board, on_error)

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
        return self._mapped(series.categories, CATEGORY, board, on_error)

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
        return self._mapped(series.descriptions, pl.String, board, on_error)

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
        return self._mapped(series.best_fives, pl.String, board, on_error)

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
        return self._mapped(series.valid, pl.Boolean, board, "null")

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

    def __init__(self, hands: pl.Series) -> None:
        self._hands = hands

    def strength(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Strength of the best five cards of each hand, ``UInt16``."""
        return series.strengths(self._hands, board, on_error)

    def category(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Category of each hand or strength, `CATEGORY`."""
        return series.categories(self._hands, board, on_error)

    def describe(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """Each hand or strength in words, ``String``."""
        return series.descriptions(self._hands, board, on_error)

    def best_five(self, board: Any = None, *, on_error: OnError = "raise") -> pl.Series:
        """The five cards of each hand that make its strength, ``String``."""
        return series.best_fives(self._hands, board, on_error)

    def valid(self, board: Any = None) -> pl.Series:
        """Whether each row holds a hand, ``Boolean``."""
        return series.valid(self._hands, board, "null")
