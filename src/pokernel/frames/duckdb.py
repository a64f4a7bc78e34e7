"""Hands in DuckDB: SQL functions that take thousands of rows at a time."""

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, Final, Literal

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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

    A hand is a VARCHAR, a LIST or an ARRAY of card numbers or texts, or a STRUCT of a card a field; a board may follow
    it, of the same types. Or it is five to seven arguments of one card each. Categories and descriptions can be had of
    strengths, too. Numbers are of any integer type; HUGEINT, such as a sum, only outside of a LIST, an ARRAY or a
    STRUCT. `poker_equity` takes hands and boards as VARCHAR, LIST or ARRAY. NULL in, NULL out, also for a NULL card.

    Not inside a transaction: a rollback takes the functions away, or brings those back that were there before.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Of the database. Registering again replaces the functions.
    on_error : {"raise", "null"}
        What to do about hands that cannot be evaluated, and strengths that are none: fail the query or return NULL.

    Raises
    ------
    PokernelError
        If `on_error` is neither; if a function or macro has one of the names that this connection has not registered:
        then none is added.

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
        raise PokernelError(f"on_error must be 'raise' or 'null', not {on_error!r}")
    _make_room(connection)
    for name, (result, _) in _FUNCTIONS.items():
        _create(connection, name, result, on_error)


def _make_room(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove what this connection has registered before, unless there is something that is not ours to remove."""
    names = ", ".join(f"'{name}'" for name in _FUNCTIONS)
    found = connection.sql(
        "SELECT lower(function_name), function_type = 'scalar' AND database_name = 'system' AND varargs = 'ANY' "
        f"AND parameter_types = ['ANY'], return_type FROM duckdb_functions() WHERE lower(function_name) IN ({names})"
    ).fetchall()
    for name, is_like_ours, result in found:
        if not is_like_ours or result.replace(" ", "") != _FUNCTIONS[name][0].replace(" ", ""):
            raise _not_ours(name)
    for name, _, _ in found:
        try:
            connection.remove_function(name)
        except duckdb.InvalidInputException:  # it is another connection's
            raise _not_ours(name) from None


def _create(connection: duckdb.DuckDBPyConnection, name: str, result: str, on_error: OnError) -> None:
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    arguments = (name, _function(name, on_error), None, result)
    try:
        try:
            connection.create_function(*arguments, **options)
        except duckdb.NotImplementedException:
            # The connection remembers what was rolled back, and forgets only what it can remove: give it one.
            with connection.cursor() as other:
                other.create_function(*arguments, **options)
            try:
                connection.remove_function(name)
            except duckdb.CatalogException:  # an open transaction does not see it
                raise PokernelError("functions cannot be registered again inside a transaction") from None
            connection.create_function(*arguments, **options)
    except duckdb.CatalogException:
        raise _not_ours(name) from None


def _not_ours(name: str) -> PokernelError:
    return PokernelError(f"there is a function or macro of the name {name} that this connection has not registered")


@cache
def _function(name: str, on_error: OnError) -> Door:
    """What to register: never freed, as a database calls it after the connection that held it is gone."""
    return partial(_called, name, _FUNCTIONS[name][1], on_error)


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
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if not pa.types.is_decimal(array.type) or array.type.scale != 0:
        return array
    try:  # HUGEINT
        return array.cast(pa.int64())
    except pa.ArrowInvalid:  # beyond 64 bits nothing is a card or a strength, whatever it is
        limits = np.iinfo(np.int64)
        values = (None if value is None else int(value) for value in array.to_pylist())
        return pa.array([v if v is None else min(max(v, limits.min), limits.max) for v in values], pa.int64())


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
        strengths = columns[0]
        if on_error == "null":
            is_one = pc.and_(pc.greater_equal(strengths, WEAKEST), pc.less_equal(strengths, STRONGEST))
            strengths = pc.if_else(is_one, strengths, None)
        return door(strengths)
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
    for what, column in zip(("hand", "range", "board"), columns, strict=False):
        if not _is_asked(column.type, lists=what != "range"):
            raise TypeError(f"a {what} is a text{'' if what == 'range' else ' or a list of cards'}, not {column.type}")
    equities: list[float | None] = []
    for row, values in enumerate(zip(*(column.to_pylist() for column in columns), strict=True)):
        question = tuple(tuple(value) if isinstance(value, list) else value for value in values)
        try:
            equities.append(None if _has_null(question) else _equity(*question))
        except PokernelError as error:
            if on_error == "raise":
                raise type(error)(f"row {row}: {error}") from None
            equities.append(None)
    return pa.array(equities, pa.float64())


def _is_asked(kind: pa.DataType, *, lists: bool) -> bool:
    """Whether it is a type of texts or, perhaps, of lists of cards."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if lists and (pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)):
        card = kind.value_type
        return pa.types.is_integer(card) or pa.types.is_null(card) or _is_asked(card, lists=False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _has_null(question: tuple[Any, ...]) -> bool:
    return None in question or any(isinstance(value, tuple) and None in value for value in question)


@lru_cache(REMEMBERED)
def _equity(hand: Any, villain: str, board: Any = "") -> float:
    from ..odds.equity import equity

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
