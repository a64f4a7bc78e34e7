"""Hands in pandas: functions from a Series, or a DataFrame of one card a column, to a Series with the same index.

Hands are texts (``"As Ks Qs Js Ts"``), sequences of cards, or rows of cards, and so are boards, which may also be one
for all. Results have nullable types, whatever the types of the cards: what is missing stays missing.
"""

from typing import Any, Final, Literal, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.types import is_float_dtype, is_integer_dtype

from ..errors import PokernelError
from ..evaluation import evaluate
from . import arrow

__all__ = ["CATEGORY", "Poker", "best_five", "category", "describe", "strength", "valid"]

CATEGORY: Final = pd.CategoricalDtype(arrow.CATEGORIES, ordered=True)
"""The type of categories: the ten names, from the weakest to the strongest."""

OnError = Literal["raise", "null"]
Frame: TypeAlias = pd.Series | pd.DataFrame


def strength(hands: Frame, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
    """Strength of the best five cards of each hand.

    Parameters
    ----------
    hands : Series or DataFrame
        n hands: texts or sequences of cards; or a card a column, as a number or as text.
    board : Series, DataFrame, str or sequence of int, optional
        Cards that are added to each hand: n boards in the order of the hands, or one for all.
    on_error : {"raise", "null"}
        What to do about rows that hold no hand: raise an error that names the first, counted from 0 as `iloc` does, or
        leave them missing.
    threads : int, optional
        As for :func:`pokernel.evaluate`.

    Returns
    -------
    Series of UInt16
        1 (7-5-4-3-2, unsuited) … 7462 (a royal flush), higher is stronger; missing where a hand is, or a card of it.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError
        Something that is no card, a card twice in a hand and its board, other than 5, 6 or 7 cards.
    TypeError
        Columns that cannot hold cards.

    Examples
    --------
    >>> import pandas as pd
    >>> from pokernel.frames import pandas as poker
    >>> poker.strength(pd.Series(["As Ks Qs Js Ts", None], index=["a", "b"]))
    a    7462
    b    <NA>
    dtype: UInt16
    >>> poker.strength(pd.DataFrame([[51, 47], [0, 1]]), "Qs Js Ts").to_list()
    [7462, 1397]
    """
    arrow.check_on_error(on_error)
    if board is None and isinstance(hands, pd.DataFrame) and _is_plain(hands):
        try:
            return pd.Series(pd.array(evaluate(hands.to_numpy(), threads=threads), pd.UInt16Dtype()), hands.index)
        except PokernelError:  # the door says of which row, or makes it missing
            pass
    found = arrow.strengths(*_given(hands, board), on_error=on_error, threads=threads)
    return _series(hands, found, pd.UInt16Dtype())


def category(hands: Frame, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
    """Category of each hand; also of each strength, if a Series holds integers.

    Parameters
    ----------
    hands, board, on_error, threads
        As for `strength`.

    Returns
    -------
    Series of category
        `CATEGORY`: an ordered ``Categorical`` of the ten names, from ``"High card"`` to ``"Royal flush"``.

    Examples
    --------
    >>> import pandas as pd
    >>> from pokernel.frames import pandas as poker
    >>> categories = poker.category(pd.Series(["As Ks Qs Js Ts", "7c 5d 4h 3s 2c"]))
    >>> categories.to_list(), (categories > "Flush").to_list()
    (['Royal flush', 'High card'], [True, False])
    """
    codes = arrow.category_codes(_of_strength(hands, board, on_error, threads))
    filled = codes.cast(pa.int8()).fill_null(-1).to_numpy()  # -1 is missing
    return pd.Series(pd.Categorical.from_codes(filled, dtype=CATEGORY), hands.index, name=_name(hands))


def describe(hands: Frame, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
    """Each hand in words; also each strength, if a Series holds integers.

    Parameters
    ----------
    hands, board, on_error, threads
        As for `strength`.

    Returns
    -------
    Series of string

    Examples
    --------
    >>> import pandas as pd
    >>> from pokernel.frames import pandas as poker
    >>> poker.describe(pd.Series(["Jc Jd Jh 3s 3c Kd 2h", None])).to_list()
    ['Full house, jacks full of threes', <NA>]
    """
    return _series(hands, arrow.describe(_of_strength(hands, board, on_error, threads)), _STRING)


def best_five(hands: Frame, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
    """The five cards of each hand that make its strength.

    Parameters
    ----------
    hands, board, on_error, threads
        As for `strength`.

    Returns
    -------
    Series of string
        Such as ``AsAh9s9cKd``, in the order of :func:`pokernel.best_five`.

    Examples
    --------
    >>> import pandas as pd
    >>> from pokernel.frames import pandas as poker
    >>> poker.best_five(pd.Series(["2c As 2d Ah 9s 9c Kd"])).to_list()
    ['AsAh9s9cKd']
    """
    return _series(hands, arrow.best_five(*_given(hands, board), on_error=on_error, threads=threads), _STRING)


def valid(hands: Frame, board: Any = None, *, threads: int | None = None) -> pd.Series:
    """Whether each row holds a hand: 5, 6 or 7 different cards.

    Parameters
    ----------
    hands, board, threads
        As for `strength`.

    Returns
    -------
    Series of boolean
        Missing where the hand is.

    Examples
    --------
    >>> import pandas as pd
    >>> from pokernel.frames import pandas as poker
    >>> poker.valid(pd.Series(["As Ks Qs Js Ts", "As Ks Qs Js As", None])).to_list()
    [True, False, <NA>]
    """
    return _series(hands, arrow.valid(*_given(hands, board), threads=threads), pd.BooleanDtype())


@pd.api.extensions.register_series_accessor("poker")
@pd.api.extensions.register_dataframe_accessor("poker")
class Poker:
    """The functions of this module as methods: ``hands.poker.strength()`` is ``strength(hands)``.

    Examples
    --------
    >>> import pandas as pd
    >>> import pokernel.frames.pandas
    >>> pd.Series(["AsAh", "KsKh"]).poker.strength("2c 7d 9h Js 3c").to_list()
    [4028, 3808]
    """

    def __init__(self, hands: Frame) -> None:
        self._hands = hands

    def strength(self, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
        """See `strength`."""
        return strength(self._hands, board, on_error=on_error, threads=threads)

    def category(self, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
        """See `category`."""
        return category(self._hands, board, on_error=on_error, threads=threads)

    def describe(self, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
        """See `describe`."""
        return describe(self._hands, board, on_error=on_error, threads=threads)

    def best_five(self, board: Any = None, *, on_error: OnError = "raise", threads: int | None = None) -> pd.Series:
        """See `best_five`."""
        return best_five(self._hands, board, on_error=on_error, threads=threads)

    def valid(self, board: Any = None, *, threads: int | None = None) -> pd.Series:
        """See `valid`."""
        return valid(self._hands, board, threads=threads)


_STRING: Final = pd.StringDtype("pyarrow")


def _of_strength(hands: Frame, board: Any, on_error: OnError, threads: int | None) -> Any:
    """Strengths, which a Series may hold already."""
    arrow.check_on_error(on_error)
    if isinstance(hands, pd.Series) and board is None:
        kind = hands.dtype.categories.dtype if isinstance(hands.dtype, pd.CategoricalDtype) else hands.dtype
        if is_integer_dtype(kind) or is_float_dtype(kind):
            column = _column(hands, "the strengths")
            return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    return arrow.strengths(*_given(hands, board), on_error=on_error, threads=threads)


def _given(hands: Frame, board: Any) -> tuple[Any, Any]:
    if not isinstance(hands, Frame):
        raise TypeError(f"hands are a Series or a DataFrame, not {type(hands).__name__}")
    if not isinstance(board, Frame):
        return _exported(hands, "hands"), board
    if len(board) != len(hands) or not board.index.equals(hands.index):
        raise PokernelError("the boards have another index than the hands: reindex them first")
    return _exported(hands, "hands"), _exported(board, "boards")


def _is_plain(frame: pd.DataFrame) -> bool:
    """Whether it is, or makes, one array of integers: rows that lie together would be torn apart into columns."""
    kinds = set(frame.dtypes)
    return len(kinds) == 1 and isinstance(kind := kinds.pop(), np.dtype) and kind.kind in "iu"


def _exported(frame: Frame, what: str) -> Any:
    if isinstance(frame, pd.Series):
        return _column(frame, what)
    columns = [_column(frame.iloc[:, number], f"column {name!r}") for number, name in enumerate(frame.columns)]
    return pa.Table.from_arrays(columns, [str(name) for name in frame.columns])


def _column(series: pd.Series, what: str) -> Any:
    try:
        try:
            column = pa.array(series, from_pandas=True)
        except (OverflowError, ValueError):  # of pyarrow also: integers of any size, texts that are no Unicode
            column = pa.array(series.map(_tidied), from_pandas=True)
    except (pa.ArrowException, OverflowError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise TypeError(f"{what}: neither texts nor whole numbers nor lists of them: {reason}") from None
    if pa.types.is_dictionary(column.type) and pa.types.is_floating(column.type.value_type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):  # what integers with gaps become
        column = _whole(column)
    return column.cast(pa.string()) if pa.types.is_null(column.type) else column


def _whole(column: Any) -> pa.Array:
    """Numbers with gaps as integers; what is not whole becomes -1, which is no card and no strength."""
    numbers = np.asarray(column.cast(pa.float64()).fill_null(np.nan))
    gaps = np.isnan(numbers)
    whole = (np.abs(numbers) < 2**62) & (np.trunc(numbers) == numbers)
    return pa.array(np.where(whole, numbers, -1).astype(np.int64), mask=gaps)


def _tidied(value: Any) -> Any:
    """A cell that Arrow has no room for as one that is wrong in the same way."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, (list, tuple)):
        return [_tidied(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 2**63 else -1
    return -1 if isinstance(value, float) and value == value and not value.is_integer() else value


def _name(hands: Frame) -> Any:
    return hands.name if isinstance(hands, pd.Series) else None


def _series(hands: Frame, found: Any, dtype: Any) -> pd.Series:
    values = dtype.__from_arrow__(found)
    return pd.Series(values, hands.index, name=_name(hands))
