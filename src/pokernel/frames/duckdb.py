"""Hands in DuckDB: SQL functions that take thousands of rows at a time."""

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, Final, Literal

import duckdb
import pyarrow as pa

from ..cards import parse_cards
from ..errors import HandSizeError, PokernelError
from ..evaluation import evaluate_columns
from ..strength import STRONGEST, WEAKEST
from . import arrow
from .batches import found_in

__all__ = ["register"]

OnError = Literal["raise", "null"]
Door = Callable[..., Any]

CATEGORY: Final = f"ENUM({', '.join(map(repr, arrow.CATEGORIES))})"
REMEMBERED: Final = 1 << 16
"""Answers of `poker_equity` that are kept: a table asks the same things again and again."""


def register(connection: duckdb.DuckDBPyConnection, *, on_error: OnError = "raise") -> None:
    """Add SQL functions to a database, for all of its connections.

    ======================================  =========  =================================================
    ``poker_strength(hand)``                USMALLINT  1 … 7462, higher is stronger
    ``poker_category(hand)``                ENUM       ``High card`` … ``Royal flush``, in this order
    ``poker_describe(hand)``                VARCHAR    ``Full house, jacks full of threes``
    ``poker_best_five(hand)``               VARCHAR    the five cards that play, ``AsAh9s9cKd``
    ``poker_valid(hand)``                   BOOLEAN    whether it is one
    ``poker_equity(hand, range[, board])``  DOUBLE     its share of the pot against a range, exact
    ======================================  =========  =================================================

    A hand is a VARCHAR, or a LIST or an ARRAY of card numbers or texts; a board may follow it, of the same types. Or it
    is five to seven arguments of one card each. Categories and descriptions can be had of strengths, too. NULL in, NULL
    out.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Of the database. Registering again replaces the functions.
    on_error : {"raise", "null"}
        What to do about hands that cannot be evaluated: fail the query or return NULL.

    Raises
    ------
    ValueError
        If `on_error` is neither.

    Examples
    --------
    >>> import duckdb
    >>> import pokernel.frames.duckdb
    >>> connection = duckdb.connect()
    >>> pokernel.frames.duckdb.register(connection)
    >>> connection.sql("SELECT poker_strength('As Ks Qs Js Ts'), poker_category([51, 50, 49, 48, 0])").fetchall()
    [(7462, 'Four of a kind')]
    >>> connection.sql("SELECT round(poker_equity('AsKs', 'QQ+, AKs', 'Ah 7d 2s'), 4)").fetchall()
    [(0.7857,)]
    """
    if on_error not in ("raise", "null"):
        raise ValueError(f"on_error must be 'raise' or 'null', not {on_error!r}")
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    for name, (result, door) in _FUNCTIONS.items():
        try:
            connection.remove_function(name)
        except duckdb.InvalidInputException:  # there is none
            pass
        try:
            connection.create_function(name, partial(_called, name, door, on_error), None, result, **options)
        except duckdb.CatalogException:
            raise PokernelError(f"another connection of this database has registered {name}: it is there") from None


def _called(name: str, door: Door, on_error: OnError, *given: Any) -> Any:
    """What DuckDB calls, with columns of equal lengths."""
    columns = [_plain(column) for column in given]
    try:
        return door(*columns, on_error=on_error)
    except PokernelError as error:
        found = found_in(error, *columns)
        if found is None:
            raise
        _, values, what, _ = found
        raise type(error)(f"{name}({values}): {what}") from None


def _plain(column: Any) -> pa.Array:
    """One array of a type that can hold cards, which DuckDB's type of lone NULLs cannot."""
    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def _hands(columns: tuple[pa.Array, ...]) -> tuple[Any, Any]:
    """Hands, and boards or None."""
    if len(columns) <= 2:
        return columns[0], columns[1] if len(columns) == 2 else None
    if len(columns) not in (5, 6, 7):
        raise TypeError(f"a hand is one argument, two with its board, or 5 to 7 cards, not {len(columns)} arguments")
    return pa.RecordBatch.from_arrays(list(columns), [f"card {number}" for number in range(len(columns))]), None


def _strengths(*columns: pa.Array, on_error: OnError) -> Any:
    if len(columns) in (5, 6, 7) and all(map(_is_plain, columns)):
        try:
            return pa.array(evaluate_columns(*(column.to_numpy() for column in columns), threads=1))
        except PokernelError:  # the door says of which row, or makes it null
            pass
    hands, boards = _hands(columns)
    return arrow.strengths(hands, boards, on_error=on_error, threads=1)  # DuckDB has threads of its own


def _is_plain(cards: pa.Array) -> bool:
    """Whether they are numbers that numpy takes as they lie: batches are small, and the door asks for their layout."""
    return pa.types.is_integer(cards.type) and not cards.null_count


def _of_strength(door: Door, *columns: pa.Array, on_error: OnError) -> Any:
    if len(columns) == 1 and pa.types.is_integer(columns[0].type):  # strengths already, perhaps wrong ones
        return door(columns[0])
    return _by_strength(door).take(_strengths(*columns, on_error=on_error))


@cache
def _by_strength(door: Door) -> pa.Array:
    """What the door says of each strength, indexed by it."""
    return door(pa.array([None, *range(WEAKEST, STRONGEST + 1)], pa.uint16()))


def _best_fives(*columns: pa.Array, on_error: OnError) -> Any:
    hands, boards = _hands(columns)
    return arrow.best_five(hands, boards, on_error=on_error, threads=1)


def _valid(*columns: pa.Array, on_error: OnError) -> Any:
    hands, boards = _hands(columns)
    return arrow.valid(hands, boards, threads=1)


def _equities(*columns: pa.Array, on_error: OnError) -> pa.Array:
    if len(columns) not in (2, 3):
        raise TypeError(f"poker_equity takes a hand, a range and perhaps a board, not {len(columns)} arguments")
    equities = []
    for row, values in enumerate(zip(*(column.to_pylist() for column in columns), strict=True)):
        question = tuple(tuple(value) if isinstance(value, list) else value for value in values)
        try:
            equities.append(None if None in question else _equity(*question))
        except PokernelError as error:
            if on_error == "raise":
                raise type(error)(f"row {row}: {error}") from None
            equities.append(None)
    return pa.array(equities, pa.float64())


@lru_cache(REMEMBERED)
def _equity(hand: Any, villain: str, board: Any = "") -> float:
    from ..odds.equity import equity

    if not isinstance(hand, str | tuple):
        raise TypeError(f"a hand is a text or a list of cards, not {type(hand).__name__}")
    is_text = isinstance(hand, str) or any(isinstance(card, str) for card in hand)
    cards = parse_cards(hand) if is_text else hand
    if len(cards) != 2:
        raise HandSizeError(f"a hand has two cards before the board, not {len(cards)}")
    return equity([cards, _range(villain)], board, method="exact", threads=1).equity[0]


@lru_cache(256)
def _range(text: str) -> Any:
    from ..ranges import Range

    return Range(text)


_FUNCTIONS: Final[dict[str, tuple[str, Door]]] = {
    "poker_strength": ("USMALLINT", _strengths),
    "poker_category": (CATEGORY, partial(_of_strength, arrow.categories)),
    "poker_describe": ("VARCHAR", partial(_of_strength, arrow.describe)),
    "poker_best_five": ("VARCHAR", _best_fives),
    "poker_valid": ("BOOLEAN", _valid),
    "poker_equity": ("DOUBLE", _equities),
}
