"""Batch in, batch out: the function that engines which cut their data into Arrow batches ask for.

Spark (``mapInArrow``), Ray Data (``map_batches``), Dask, DataFusion and others call a function of one's own with record
batches or tables, somewhere, in some order. :class:`AddStrengths` is one, made once and sent to wherever it is needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..errors import PokernelError
from ..strength import STRONGEST, WEAKEST
from . import arrow

__all__ = ["AddStrengths"]


class AddStrengths:
    """Function of Arrow batches that returns them with columns for the strength of each row's hand.

    Parameters
    ----------
    hand : str or sequence of str
        The column of hands, or the columns of cards, in one of the layouts of :mod:`pokernel.frames.arrow`.
    board : str or sequence of str, optional
        The column, or the columns, of boards that are added to the hands.
    category : bool, default True
        Whether to add a column ``category``, the category's name.
    describe, best_five : bool, default False
        Whether to add a column ``description``, the hand in words; ``best_five``, the cards that play.
    prefix : str, optional
        Stands before the names of the added columns.
    strength_type : pyarrow.DataType, optional
        The type of ``strength``: ``uint16`` if left out. Spark has no unsigned integers: give it ``pyarrow.int32()``.
    on_error : {"raise", "null"}
        As for :func:`pokernel.frames.arrow.strengths`; rows are counted from the start of a batch.

    Raises
    ------
    PokernelError
        If no column is named for the hand, or one twice; if `on_error` is something else.
    TypeError
        If names are no texts, or `strength_type` cannot hold 1 … 7462.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel.frames.add import AddStrengths
    >>> add = AddStrengths("hand")
    >>> add(pa.table({"id": [1, 2], "hand": ["As Ks Qs Js Ts", "7c 5d 4h 3s 2c"]})).to_pylist()[0]
    {'id': 1, 'hand': 'As Ks Qs Js Ts', 'strength': 7462, 'category': 'Royal flush'}

    In Spark and in Ray Data::

        add = AddStrengths("hand", strength_type=pa.int32())
        frame.mapInArrow(add, "id long, hand string, strength int, category string")

        dataset.map_batches(AddStrengths("hand"), batch_format="pyarrow")
    """

    def __init__(
        self,
        hand: str | Sequence[str],
        board: str | Sequence[str] | None = None,
        *,
        category: bool = True,
        describe: bool = False,
        best_five: bool = False,
        prefix: str = "",
        strength_type: pa.DataType | None = None,
        on_error: arrow.OnError = "raise",
    ) -> None:
        arrow.check_on_error(on_error)
        self._hand, self._board, self._on_error = _names(hand), _names(board), on_error
        _check_names(self._hand, self._board)
        self._category, self._describe, self._best_five = category, describe, best_five
        added = [("strength", pa.uint16() if strength_type is None else strength_type)]
        wanted = {"category": category, "description": describe, "best_five": best_five}
        added += [(name, pa.string()) for name, is_wanted in wanted.items() if is_wanted]
        self._added = [pa.field(prefix + name, kind) for name, kind in added]
        _check_type(self._added[0].type)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Columns of what comes out, for those of what goes in.

        Parameters
        ----------
        schema : pyarrow.Schema

        Returns
        -------
        pyarrow.Schema

        Raises
        ------
        PokernelError
            If there is a column of the same name as one of ours.
        """
        for field in self._added:
            if field.name in schema.names:
                raise PokernelError(f"there is a column {field.name!r} already: give a prefix")
            schema = schema.append(field)
        return schema

    def __repr__(self) -> str:
        names = ", ".join(field.name for field in self._added)
        return f"<AddStrengths to {', '.join([*self._hand, *self._board])}: {names}>"

    def __call__(self, data: Any) -> Any:
        """Add the columns.

        Parameters
        ----------
        data : RecordBatch, Table, or iterator or list of them
            Rows of hands.

        Returns
        -------
        RecordBatch, Table, or iterator or list of them
            The same rows and chunks.

        Raises
        ------
        CardError, DuplicateCardError, HandSizeError
            As :func:`pokernel.frames.arrow.strengths` does.
        PokernelError
            If there is no such column, or there are several, or one has the same name as one of ours.
        TypeError
            If `data` are something else, or columns cannot hold cards.
        """
        if isinstance(data, pa.RecordBatch | pa.Table):
            return self._add(data)
        is_frame = hasattr(data, "__arrow_c_stream__") and not isinstance(data, pa.RecordBatchReader)
        is_one = is_frame or hasattr(data, "__arrow_c_array__") or isinstance(data, dict | str | bytes)
        if isinstance(data, Iterable) and not is_one:
            return type(data)(self._each(data)) if isinstance(data, list | tuple) else self._each(data)
        raise TypeError(f"batches are record batches or tables of pyarrow, not {type(data).__name__}")

    def _each(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if not isinstance(batch, pa.RecordBatch | pa.Table):
                raise TypeError(f"batches are record batches or tables of pyarrow, not {type(batch).__name__}")
            yield self._add(batch)

    def _add(self, batch: Any) -> Any:
        schema = self.schema(batch.schema)
        hands = _columns(batch, self._hand)
        board = _columns(batch, self._board) if self._board else None
        found = arrow.strengths(hands, board, on_error=self._on_error)
        columns = [found]
        if self._category:
            columns.append(arrow.categories(found))
        if self._describe:
            columns.append(arrow.describe(found))
        if self._best_five:
            columns.append(arrow.best_five(hands, board, on_error=self._on_error))
        added = [_cast(column, field.type) for column, field in zip(columns, self._added, strict=True)]
        return type(batch).from_arrays([*batch.columns, *added], schema=schema)


def _names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    return () if given is None else (given,) if isinstance(given, str) else tuple(given)


def _check_names(hand: tuple[str, ...], board: tuple[str, ...]) -> None:
    """Refuse what would make every row no hand."""
    if not hand:
        raise PokernelError("no column is named for the hand")
    names = hand + board
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"columns have texts for names, not {name!r}")
        if names.count(name) > 1:
            raise PokernelError(f"column {name!r} is named twice, and no card can be in a hand twice")


def _check_type(kind: pa.DataType) -> None:
    """Refuse a type that strengths do not fit into."""
    strengths = pa.array([WEAKEST, STRONGEST - 1, STRONGEST], pa.uint16())
    try:
        fits = strengths.cast(kind).cast(pa.uint16()).equals(strengths)
    except pa.ArrowException:
        fits = False
    if not fits:
        raise TypeError(f"strengths, {WEAKEST} to {STRONGEST}, do not fit into {kind}")


def _columns(batch: Any, names: tuple[str, ...]) -> Any:
    """A batch of these alone."""
    there = batch.schema.names
    for name in names:
        if name not in there:
            raise PokernelError(f"there is no column {name!r}; there are: {', '.join(there) or 'none'}")
        if there.count(name) > 1:
            raise PokernelError(f"there are {there.count(name)} columns {name!r}")
    return batch.select(list(names))


def _cast(column: Any, kind: pa.DataType) -> Any:
    """The same chunks in this type: pyarrow would leave empty ones out."""
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([chunk.cast(kind) for chunk in column.chunks], kind)
    return column.cast(kind)
