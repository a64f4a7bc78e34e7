"""The pipeline of ``pokernel score``: rows in, the same rows out with the strength of their hand."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..cards import format_card
from ..errors import PokernelError
from ..frames.results import texts_of, with_nulls, zeros
from ..strength import STRONGEST, WEAKEST, Category, category, describe
from .fragments import is_fragments, text_of, to_fragments, to_plain, to_values
from .hands import Hands, read_hands
from .header import counts_columns
from .layouts import Layout, LayoutError, choose, guessed
from .rows import SAMPLE_ROWS, InputError, Rows, Source, reason_of
from .terminal import CommandError
from .words import LayoutKind, OnError

__all__ = ["SHOWN_FAULTS", "BadLine", "Report", "Scorer"]

SHOWN_FAULTS = 10
LONGEST_REASON = 300

_BOARD_NAMES = ("board", "boards", "community", "community_cards", "community cards", "flop")
_MARKS = {";": "';'", "|": "'|'", "\t": "tab"}


class BadLine(CommandError):
    """A line that cannot be scored, where every line must be; the text says where and why."""


@dataclass(slots=True)
class Report:
    """How many rows came in, how many of them were lost, and the first of those, with place and reason."""

    rows: int = 0
    lost: int = 0
    first: list[str] = field(default_factory=list)


@dataclass
class Scorer:
    """
    What to add to each row, and what to do with rows that hold no hand.

    Attributes
    ----------
    kind, columns, board
        Where the cards are; see `pokernel.cli.layouts.choose`.
    describe, best_five : bool
        Whether to add these columns.
    prefix : str
        Stands before the names of the added columns.
    on_error : OnError
        Raise `BadLine`, drop the row, or keep it with nulls.
    layout : Layout or None
        Where the cards are, if that is known.
    report : Report
        What has been read so far.
    output : pyarrow.Schema or None
        The columns of the output, once the first source is open.
    progress : float or None
        The share of the present source that has been read, if it can be known.
    tell : callable
        Takes what has been guessed about a source, in a line for the user.
    """

    kind: LayoutKind = LayoutKind.auto
    columns: str | None = None
    board: str | None = None
    describe: bool = False
    best_five: bool = False
    prefix: str = ""
    on_error: OnError = OnError.stop
    layout: Layout | None = None
    report: Report = field(default_factory=Report)
    output: pa.Schema | None = None
    progress: float | None = None
    tell: Callable[[str], None] = field(default=lambda text: None)
    _told: str = ""

    @cached_property
    def added(self) -> pa.Schema:
        """The columns that scoring adds."""
        columns = [("strength", pa.uint16()), ("category", pa.string())]
        columns += [("description", pa.string())] * self.describe + [("best_five", pa.string())] * self.best_five
        return pa.schema([(self.prefix + name, kind) for name, kind in columns])

    def schema(self, source: Source) -> pa.Schema:
        """Return the columns of the output for those of a source; refuse columns of the same name."""
        for name in self.added.names:
            if name in source.schema.names:
                raise InputError(f"{source.name}: there is a column {name!r} already; use --prefix to rename ours")
        schema = source.schema
        for column in self.added:
            schema = schema.append(column)
        return schema

    def run(self, sources: Iterable[Source]) -> Iterator[pa.RecordBatch]:
        """Yield the scored batches, all of the schema of the first source that has columns, left in `output`."""
        for source in sources:
            known = self.output is not None and len(self.output) > len(self.added)
            if known and not len(source.schema):
                continue
            own = self.schema(source)
            if not known:
                self.output = own
            elif self.output is not None:
                self.check_same(source, own, self.output)
            layout: Layout | None = None
            for rows in source:
                layout = layout or self.layout_of(source, rows)
                self.progress = source.progress()
                yield _cast(self._score(source, rows, layout), self.output, source)
            if layout is None and len(source.schema) and (self.columns or self.board):
                self.layout_of(source, None)

    def check(self, sources: Iterable[Source]) -> None:
        """Refuse sources whose columns do not go together, before a row is read."""
        first: pa.Schema | None = None
        for source in sources:
            if len(source.schema):
                own = self.schema(source)
                self.check_same(source, own, first or own)
                first = first or own

    def check_same(self, source: Source, own: pa.Schema, first: pa.Schema) -> None:
        """Refuse a source whose columns are not called as those of the first."""
        if own.names != first.names:
            there = ", ".join(source.schema.names)
            raise InputError(f"{source.name}: the columns are not those of the first file: {there}")

    def layout_of(self, source: Source, rows: Rows | None) -> Layout:
        """Return where the cards of a source are, from its names and first rows; say so where that is a guess."""
        if self.layout is not None:
            return self.layout
        sample: list[tuple[Any, ...]] = []
        if rows is not None:
            if 0 in rows.faults and self.on_error is OnError.stop:
                self._note(source, rows, rows.faults)
            first = rows.table.slice(0, SAMPLE_ROWS)
            columns = [
                to_values(column)
                if is_fragments(kind)
                else [text_of(cell) if isinstance(cell, bytes) else cell for cell in column.to_pylist()]
                for kind, column in zip(source.schema, first.columns, strict=True)
            ]
            sample = [cells for row, cells in enumerate(zip(*columns, strict=True)) if row not in rows.faults]
        try:
            layout = choose(source.schema, sample, self.kind, self.columns, self.board, source.named)
        except LayoutError as error:
            raise InputError(f"{source.name}: {error}") from error
        free = len(source.schema) - len(layout.columns) - len(layout.board)
        if self.columns is None and (free or layout.kind is LayoutKind.uci):
            guess = guessed(layout, source.schema.names, source.named)
            if guess != self._told:
                self.tell(f"{source.name}: {guess}")
            self._told = guess
        elif source.unsure and sample and counts_columns(sample[0]):
            self.tell(f"{source.name}: no line of names (if line {source.unsure} names the columns, say --header)")
        return layout

    def _score(self, source: Source, rows: Rows, layout: Layout) -> pa.RecordBatch:
        try:
            hands = read_hands(rows.table, layout)
        except pa.ArrowException as error:
            raise InputError(f"{source.name}: no hands in these columns: {reason_of(error)}") from error
        faults = hands.faults | rows.faults
        hands.sizes[list(rows.faults)] = 0
        strengths, best = self._evaluate(hands, faults)
        self.report.rows += len(rows.lines)
        if faults:
            self._note(source, rows, faults, layout)
        added = self._columns(strengths, best)
        table = pa.RecordBatch.from_arrays([*rows.table.columns, *added], schema=self.schema(source))
        if faults and self.on_error is OnError.skip:
            table = table.filter(pa.array(strengths > 0))
        return table

    def _evaluate(self, hands: Hands, faults: dict[int, str]) -> tuple[NDArray[np.uint16], NDArray[np.uint8] | None]:
        """Return strengths (0 for no hand) and, if wanted, the five cards that play; add to the faults."""
        from .. import evaluate, invalid_rows

        strengths = np.zeros(len(hands.sizes), np.uint16)
        best = np.zeros((len(strengths), 5), np.uint8) if self.best_five else None
        counts = np.bincount(hands.sizes, minlength=8)
        for size in np.flatnonzero(counts).tolist():
            rows: slice | NDArray[np.intp] = slice(None)
            if counts[size] < len(strengths):
                rows = np.flatnonzero(hands.sizes == size)
            if not 5 <= size <= 7:
                for row in np.arange(len(strengths))[rows].tolist():
                    faults.setdefault(row, f"{size} card{'s' * (size != 1)}; a hand has 5, 6 or 7")
                continue
            cards = np.ascontiguousarray(hands.cards[rows, :size])
            try:
                found = evaluate(cards)
            except PokernelError:
                bad = invalid_rows(cards)
                rows = np.arange(len(strengths))[rows]
                for row in rows[bad].tolist():
                    faults[row] = _duplicate(hands.cards[row, :size].tolist())
                rows, cards = rows[~bad], cards[~bad]
                found = evaluate(cards)
            strengths[rows] = found
            if best is not None:
                from ..best import best_five_of

                best[rows] = best_five_of([cards], found)
        return strengths, best

    def _note(self, source: Source, rows: Rows, faults: dict[int, str], layout: Layout | None = None) -> None:
        """Count the faults and keep the first; stop at the first of all if so asked."""
        for row in sorted(faults)[: SHOWN_FAULTS - len(self.report.first)]:
            reason = faults[row]
            if len(reason) > LONGEST_REASON:
                reason = reason[:LONGEST_REASON] + "…"
            if layout is not None and row not in rows.faults:
                reason += _hint(source, rows, row, reason, layout)
            self.report.first.append(f"{source.where(int(rows.lines[row]))}: {reason}")
        self.report.lost += len(faults)
        if self.on_error is OnError.stop:
            raise BadLine(f"{self.report.first[0]}\nstopped there; --on-error skip or null goes on")

    def _columns(self, strengths: NDArray[np.uint16], best: NDArray[np.uint8] | None) -> list[pa.Array]:
        none = zeros(strengths)
        column = with_nulls(pa.uint16(), len(strengths), strengths, none)
        labels = with_nulls(pa.uint8(), len(strengths), _category_of_strength()[strengths], none)
        added = [column, _labels().take(labels)]
        if self.describe:
            added.append(_descriptions().take(column))
        if best is not None:
            from ..frames.best import card_texts

            added.append(card_texts(best, none))
        return added


def _hint(source: Source, rows: Rows, row: int, reason: str, layout: Layout) -> str:
    """Return what may be meant by a row that holds no hand, to be put after the reason; mostly nothing."""
    cell = rows.table.column(layout.columns[0])[row].as_py()
    for mark in ";|\t" if source.text and isinstance(cell, str) else "":
        if mark in cell:
            return f" (if fields are separated by {mark!r}, say --input-format csv --delimiter {_MARKS[mark]})"
    if source.text and isinstance(cell, str) and re.fullmatch(r"\s*\d\d?(\s*,\s*\d\d?)+\s*", cell, re.ASCII):
        return " (if these are the numbers of cards, say --input-format csv)"
    if not layout.board and re.match(r"[1-4] cards?;", reason):
        for name in source.schema.names:
            if name.lower() in _BOARD_NAMES:
                return f" (if the others are in the column {name}, say --board {name})"
    return " (if this line names the columns, say --header)" if rows.lines[row] == source.unsure else ""


def _duplicate(cards: list[int]) -> str:
    """Say which card comes twice."""
    twice = next(card for card in cards if cards.count(card) > 1)
    return f"{format_card(twice)} twice in {' '.join(map(format_card, cards))}"


def _cast(batch: pa.RecordBatch, schema: pa.Schema | None, source: Source) -> pa.RecordBatch:
    """Return the batch with the types of the first file."""
    if schema is None or batch.schema.equals(schema, check_metadata=True):
        return batch
    columns = []
    for column, plain, kind, wanted in zip(batch.columns, to_plain(batch).columns, batch.schema, schema, strict=True):
        try:
            if is_fragments(wanted):
                columns.append(column if is_fragments(kind) else to_fragments(column.to_pylist()))
            else:
                columns.append(plain.cast(wanted.type))
        except pa.ArrowException as error:
            raise InputError(f"{source.name}: column {wanted.name!r}: {reason_of(error)}") from error
    return pa.RecordBatch.from_arrays(columns, schema=schema)


@cache
def _labels() -> pa.Array:
    """Return the names of the categories, indexed by Category."""
    return texts_of([kind.label for kind in Category])


@cache
def _category_of_strength() -> NDArray[np.uint8]:
    """Return the category of each strength; index 0, which is no strength, is there to be masked."""
    return np.concatenate([np.zeros(1, np.uint8), category(np.arange(WEAKEST, STRONGEST + 1))])


@cache
def _descriptions() -> pa.Array:
    """Return the description of each strength, indexed by it."""
    return texts_of(["", *describe(np.arange(WEAKEST, STRONGEST + 1)).tolist()])
