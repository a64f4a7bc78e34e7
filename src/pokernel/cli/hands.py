"""The cards of a batch of rows, whatever the layout, and why some rows have none."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..cards import parse_card, parse_cards
from ..errors import CardError, HandSizeError, PokernelError
from . import decode
from .fragments import dumps, is_fragments, to_values
from .layouts import Layout, is_list
from .words import LayoutKind

__all__ = ["Hands", "read_hands"]

Columns: TypeAlias = list[tuple[pa.Field, pa.Array]]


@dataclass(slots=True)
class Hands:
    """The cards of n rows, ``(n, 7)``, how many in each (0: at fault), and the reasons of the faults by row."""

    cards: NDArray[np.uint8]
    sizes: NDArray[np.uint8]
    faults: dict[int, str] = field(default_factory=dict)


def read_hands(table: pa.RecordBatch, layout: Layout) -> Hands:
    """
    Read the cards of a batch.

    Parameters
    ----------
    table : pyarrow.RecordBatch
        n rows.
    layout : Layout
        Where the cards are.

    Returns
    -------
    Hands
        Every card is one of 0 … 51; that a row holds 5 to 7, all different, is not yet known.
    """
    columns = [(table.schema.field(index), table.column(index)) for index in layout.columns]
    if layout.kind is LayoutKind.text:
        hands = _from_column(*columns[0])
    else:
        hands = (_from_cards if layout.kind is LayoutKind.columns else _from_pairs)(columns)
    board = [(table.schema.field(index), table.column(index)) for index in layout.board]
    if not board:
        return hands
    return _with_board(hands, _from_column(*board[0]) if len(board) == 1 else _from_cards(board))


def _from_column(kind: pa.Field, column: pa.Array) -> Hands:
    if is_fragments(kind):
        values = to_values(column)
        return _decoded(pa.array(map(_joined, values), pa.string()), lambda rows: [values[row] for row in rows])
    texts = column
    if is_list(column.type) and not pa.types.is_integer(column.type.value_type):
        texts = pc.binary_join(column.cast(pa.list_(pa.string())), " ")
    return _decoded(texts, lambda rows: [column[row].as_py() for row in rows])


def _joined(value: Any) -> str | None:
    """Return a hand told by a text, or by texts in a list, as one text; None for all others."""
    if isinstance(value, list) and all(isinstance(card, str) for card in value):
        return " ".join(value)
    return value if isinstance(value, str) else None


def _decoded(column: pa.Array, written: Callable[[list[int]], list[Any]]) -> Hands:
    """Decode a column of texts or lists, and one by one what `written` says is in the rows left over."""
    cards, sizes, others = decode.decode_hands(column)
    hands = Hands(cards, sizes)
    rows = others.tolist()
    for row, value in zip(rows, written(rows) if rows else [], strict=True):
        try:
            found = _read_hand(value)
        except PokernelError as error:
            hands.faults[row] = str(error)
        else:
            cards[row, : len(found)] = found
            sizes[row] = len(found)
    return hands


def _read_hand(value: Any) -> tuple[int, ...]:
    if value is None or (isinstance(value, str) and not value.strip()):
        raise CardError("no hand")
    if not isinstance(value, str | list):
        raise CardError(f"{dumps(value)} is no hand")
    cards = parse_cards(value) if isinstance(value, str) else tuple(map(_read_card, value))
    if len(cards) > decode.MOST_CARDS:
        raise HandSizeError(f"{len(cards)} cards; a hand has 5, 6 or 7")
    return cards


def _from_cards(columns: Columns) -> Hands:
    """Read one card a column."""
    faults: dict[int, str] = {}
    return _stacked([_codes(*column, decode.CARD_CODES, _read_card, faults) for column in columns], faults)


def _from_pairs(columns: Columns) -> Hands:
    """Read suits and ranks in turn."""
    faults: dict[int, str] = {}
    cards = []
    for index in range(0, len(columns), 2):
        suits = _codes(*columns[index], decode.SUIT_CODES, _read_suit, faults)
        ranks = _codes(*columns[index + 1], decode.RANK_CODES, _read_rank, faults)
        # Where a code is missing the row is at fault and the card means nothing.
        cards.append(np.uint8(4) * ranks + suits)
    return _stacked(cards, faults)


def _stacked(codes: list[NDArray[np.uint8]], faults: dict[int, str]) -> Hands:
    cards = np.zeros((len(codes[0]), decode.MOST_CARDS), np.uint8)
    for index, column in enumerate(codes):
        cards[:, index] = column
    sizes = np.full(len(cards), len(codes), np.uint8)
    sizes[list(faults)] = 0
    return Hands(cards, sizes, faults)


def _codes(
    kind: pa.Field, column: pa.Array, codes: NDArray[np.uint8], read: Callable[[Any], int], faults: dict[int, str]
) -> NDArray[np.uint8]:
    """Decode a column of single cells, the unusual ones with `read`; a row keeps the first of its faults."""
    if is_fragments(kind):
        column = pa.array([None if value is None else _written(value) for value in to_values(column)], pa.string())
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = column.cast(pa.string())
    found = decode.decode_cells(column, codes)
    others = np.flatnonzero(found == decode.UNKNOWN)
    for row in others.tolist():
        value = column[row].as_py()
        try:
            found[row] = read(value)
        except PokernelError as error:
            faults.setdefault(row, f"column {kind.name}: {error}")
    return found


def _read_card(value: Any) -> int:
    if isinstance(value, str) and not re.fullmatch(r"\s*\d+(?:\.\d*)?\s*", value):
        if not value.strip():
            raise CardError("no card")
        return parse_card(value)
    return _read_number(value, 0, 51, "card")


def _read_suit(value: Any) -> int:
    return (2, 3, 1, 0)[_read_number(value, 1, 4, "suit") - 1]


def _read_rank(value: Any) -> int:
    return (_read_number(value, 1, 13, "rank") + 11) % 13


def _read_number(value: Any, least: int, most: int, what: str) -> int:
    text = "" if value is None else _written(value).strip()
    if not text:
        raise CardError(f"no {what}")
    # Tables that had gaps once say 7.0 for 7.
    number = re.fullmatch(r"(\d{1,9})(?:\.0*)?", text, re.ASCII)
    if number is None or not least <= int(number[1]) <= most:
        raise CardError(f"{text!r} is not a {what}, {least} to {most}")
    return int(number[1])


def _written(value: Any) -> str:
    return value if isinstance(value, str) else dumps(value)


def _with_board(holes: Hands, boards: Hands) -> Hands:
    """Put each row's board after its hole cards."""
    faults = {row: f"board: {reason}" for row, reason in boards.faults.items()} | holes.faults
    together = holes.sizes.astype(np.intp) + boards.sizes
    cards = holes.cards.copy()
    for size in range(decode.MOST_CARDS):
        rows = np.flatnonzero((holes.sizes == size) & (together <= decode.MOST_CARDS))
        cards[rows, size:] = boards.cards[rows, : decode.MOST_CARDS - size]
    for row in np.flatnonzero(together > decode.MOST_CARDS).tolist():
        faults.setdefault(row, f"{together[row]} cards with the board; a hand has 5, 6 or 7")
    sizes = together.astype(np.uint8)
    sizes[list(faults)] = 0
    return Hands(cards, sizes, faults)
