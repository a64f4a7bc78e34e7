"""Batch in, batch out: the function that engines which cut their data into Arrow batches ask for.

Spark (``mapInArrow``), Ray Data (``map_batches``), Dask, DataFusion and others call a function of one's own with record
batches or tables, somewhere, in some order. :class:`AddStrengths` is one, made once and sent to wherever it is needed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..errors import PokernelError
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
        self._hand, self._board, self._on_error = hand, board, on_error
        self._category, self._describe, self._best_five = category, describe, best_five
        added = [("strength", pa.uint16() if strength_type is None else strength_type)]
        wanted = {"category": category, "description": describe, "best_five": best_five}
        added += [(name, pa.string()) for name, is_wanted in wanted.items() if is_wanted]
        self._added = [pa.field(prefix + name, kind) for name, kind in added]

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

    def __call__(self, data: Any) -> Any:
        """Add the columns.

        Parameters
        ----------
        data : RecordBatch, Table, or iterator of them
            Rows of hands.

        Returns
        -------
        RecordBatch, Table, or iterator of them
            The same rows and chunks.

        Raises
        ------
        CardError, DuplicateCardError, HandSizeError
            As :func:`pokernel.frames.arrow.strengths` does.
        PokernelError
            If there is no such column, or one of the same name as one of ours.
        TypeError
            If `data` are something else, or columns cannot hold cards.
        """
        if isinstance(data, pa.RecordBatch | pa.Table):
            return self._add(data)
        if isinstance(data, Iterable) and not isinstance(data, dict | str | bytes):
            return self._each(data)
        raise TypeError(f"batches are record batches or tables of pyarrow, not {type(data).__name__}")

    def _each(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            if not isinstance(batch, pa.RecordBatch | pa.Table):
                raise TypeError(f"batches are record batches or tables of pyarrow, not {type(batch).__name__}")
            yield self._add(batch)

    def _add(self, batch: Any) -> Any:
        schema = self.schema(batch.schema)
        hands = _columns(batch, self._hand)
        board = None if self._board is None else _columns(batch, self._board)
        found = arrow.strengths(hands, board, on_error=self._on_error)
        columns = [found.cast(self._added[0].type)]
        if self._category:
            columns.append(arrow.categories(found).cast(pa.string()))
        if self._describe:
            columns.append(arrow.describe(found).cast(pa.string()))
        if self._best_five:
            columns.append(arrow.best_five(hands, board, on_error=self._on_error))
        return type(batch).from_arrays([*batch.columns, *columns], schema=schema)


def _columns(batch: Any, names: str | Sequence[str]) -> Any:
    """One column, or a batch of several."""
    for name in [names] if isinstance(names, str) else names:
        if batch.schema.names.count(name) != 1:
            there = ", ".join(batch.schema.names)
            raise PokernelError(f"{batch.schema.names.count(name) or 'no'} column {name!r}; there are: {there}")
    return batch.column(names) if isinstance(names, str) else batch.select(list(names))
