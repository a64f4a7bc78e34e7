"""Which columns hold the cards: what the user says, what the columns are called, what the first rows hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..frames.kinds import is_text
from .cells import WHOLE, card_count, is_number, is_unknown, looks_like_uci, uci_pairs
from .header import HAND_NAMES, NEVER_CARDS, UCI_NAMES, Sample
from .words import LayoutKind

__all__ = ["Layout", "LayoutError", "choose", "guessed", "is_list"]

_NUMBERED = ("c{}", "card{}", "card_{}", "card {}")
_CARD_NAME = re.compile(r"(?:c|card|hole|hole[ _]?card|flop|turn|river|board)[ _]?\d{0,2}", re.IGNORECASE)


class LayoutError(Exception):
    """The columns that hold the cards cannot be told, or are not there."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cards are: a column of hands, 5 to 7 of cards, or 10 to 14 of suits and ranks; perhaps a board."""

    kind: LayoutKind
    columns: tuple[int, ...]
    board: tuple[int, ...] = ()


def choose(
    schema: pa.Schema, sample: Sample, kind: LayoutKind, columns: str | None, board: str | None, named: bool
) -> Layout:
    """
    Find the columns that hold the cards.

    Parameters
    ----------
    schema : pyarrow.Schema
        All columns.
    sample : sequence of rows
        The cells of some of the first rows; looked at when the names do not tell.
    kind : LayoutKind
        What the user says about the layout.
    columns, board : str or None
        The columns that the user names: names, 1-based numbers, and ranges of numbers such as ``1-5``, after commas.
    named : bool
        Whether the names come from the input.

    Raises
    ------
    LayoutError
        If there is no such column, a wrong number of them, or no telling; lists the columns.
    """
    names = list(schema.names)
    board_columns = () if board is None else _columns(names, board)
    if len(board_columns) > 5:
        raise LayoutError(f"{len(board_columns)} columns of board cards; a board has at most 5")
    if columns is not None:
        chosen = _columns(names, columns)
        if kind is LayoutKind.auto:
            few = LayoutKind.text if len(chosen) == 1 else LayoutKind.columns
            kind = few if len(chosen) < 10 else LayoutKind.uci
    else:
        kind, chosen = _find(schema, sample, kind, named, board_columns)
    layout = Layout(kind, chosen, board_columns)
    _check(layout, names, columns is None)
    return layout


def guessed(layout: Layout, names: Sequence[str], named: bool) -> str:
    """Say which columns were taken for the cards, and how to say otherwise."""
    what = {LayoutKind.text: "hands", LayoutKind.columns: "cards", LayoutKind.uci: "suits and ranks"}[layout.kind]
    chosen = ", ".join(names[index] for index in layout.columns)
    first = "" if named else "no line of names; "
    return f"{first}{what} in column{'s' * (len(layout.columns) > 1)} {chosen} (else say --columns, --layout)"


def _columns(names: list[str], spec: str) -> tuple[int, ...]:
    """Return the indices of the columns that a list of names, numbers and ranges means."""
    found: list[int] = []
    for word in (word.strip() for word in spec.split(",")):
        if names.count(word) > 1:
            raise LayoutError(f"{names.count(word)} columns are called {word!r}; say their numbers, from 1")
        if word in names:
            found.append(names.index(word))
            continue
        numbers = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", word, re.ASCII)
        if numbers is None:
            raise LayoutError(f"no column {word!r}; there are: {_listed(names)}")
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last <= len(names):
            raise LayoutError(f"no column {word}; there are {len(names)}: {_listed(names)}")
        found.extend(range(first - 1, last))
    if len(set(found)) < len(found):
        raise LayoutError(f"a column comes twice in {spec!r}")
    return tuple(found)


def _find(
    schema: pa.Schema, sample: Sample, kind: LayoutKind, named: bool, board: tuple[int, ...]
) -> tuple[LayoutKind, tuple[int, ...]]:
    """Find the columns by name, then by what the first rows hold, for one layout or (auto) for each in turn."""
    names = [name.lower() for name in schema.names]
    texts = [i for i, column in enumerate(schema) if _is_hands(column.type) and i not in board]
    if kind in (LayoutKind.auto, LayoutKind.text):
        for name in HAND_NAMES:
            if name in names and _is_hands(schema.field(names.index(name)).type):
                return LayoutKind.text, (names.index(name),)
    if kind in (LayoutKind.auto, LayoutKind.uci):
        pairs = sum(name.lower() in names for name in UCI_NAMES) // 2
        if pairs >= 5 and all(name.lower() in names for name in UCI_NAMES[: 2 * pairs]):
            return LayoutKind.uci, tuple(names.index(name.lower()) for name in UCI_NAMES[: 2 * pairs])
    if kind in (LayoutKind.auto, LayoutKind.columns):
        for pattern in _NUMBERED:
            numbers = [number for number in range(10) if pattern.format(number) in names]
            if 5 <= len(numbers) <= 7:
                found = tuple(names.index(pattern.format(number)) for number in numbers)
                _refuse_others(schema.names, sample, found, board)
                return LayoutKind.columns, found
    if kind is LayoutKind.uci and not named and uci_pairs(len(names)):
        return LayoutKind.uci, tuple(range(2 * uci_pairs(len(names))))
    if kind is LayoutKind.auto and not named and any(map(looks_like_uci, sample)):
        return LayoutKind.uci, tuple(range(2 * uci_pairs(len(names))))
    counts = [max(map(card_count, cells)) for cells in zip(*sample, strict=True)]
    hands = [i for i in texts if counts and counts[i] > 1]
    if kind in (LayoutKind.auto, LayoutKind.columns):
        cards = [
            i
            for i, count in enumerate(counts)
            if i not in board and count == 1 and not all(is_number(row[i]) for row in sample)
        ]
        if not 5 <= len(cards) <= 7 and 5 <= len(names) <= 7 and (kind is LayoutKind.columns or not hands):
            cards = [i for i, count in enumerate(counts) if i not in board and count == 1]
        if 5 <= len(cards) <= 7:
            _refuse_others(schema.names, sample, tuple(cards), board)
            return LayoutKind.columns, tuple(cards)
    if kind in (LayoutKind.auto, LayoutKind.text):
        for only in (hands, texts):
            if len(only) == 1:
                _refuse_others(schema.names, sample, (only[0],), board)
                return LayoutKind.text, (only[0],)
    if not texts and len(names) - len(board) < 5:
        raise LayoutError(f"no texts, and {len(names)} column{'s' * (len(names) > 1)}: a hand has 5, 6 or 7 cards")
    raise LayoutError(f"which columns hold the cards? Say --columns; there are: {_listed(schema.names)}")


def _refuse_others(names: Sequence[str], sample: Sample, found: tuple[int, ...], board: tuple[int, ...]) -> None:
    """Raise a LayoutError if other columns have a card a row, too: by what they hold, or by what they are called."""
    taken = [cell for row in sample for index in found if not is_unknown(cell := row[index])]
    whole = len(found) == 1 and bool(taken) and all(card_count(cell) == 7 for cell in taken)
    if whole or not sample:
        return  # nothing more belongs to a hand of seven; and without rows nothing is scored
    numbers = any(WHOLE.fullmatch(str(cell)) for cell in taken)
    others = [
        name
        for index, name in enumerate(names)
        if index not in found
        and index not in board
        and _may_hold_a_card(name, [row[index] for row in sample], numbers, 1 < len(found) < 7)
    ]
    if others:
        chosen, more = ", ".join(names[index] for index in found), ", ".join(others)
        raise LayoutError(f"cards in {chosen}, but in {more}, too? Say --columns, and --board if that is the board")


def _may_hold_a_card(name: str, column: Sequence[Any], as_numbers: bool, unseen: bool) -> bool:
    """Whether a column has a card a row, told as the others are, or, by its name, one that nobody has seen yet."""
    if name.lower() in NEVER_CARDS:
        return False
    known = [cell for cell in column if not is_unknown(cell)]
    numbers = [float(cell) for cell in known if WHOLE.fullmatch(str(cell))]
    cards = sum(card_count(cell) == 1 for cell in known) - len(numbers)
    if _CARD_NAME.fullmatch(name):
        counted = as_numbers and len(numbers) == len(known) and max(numbers, default=52) <= 51
        return cards > 0 or counted or (unseen and not known)
    return 0 < cards == len(known)


def _is_hands(kind: pa.DataType) -> bool:
    """Return whether a column of this type can hold a hand a row: a text (in bytes, maybe), or a list."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return is_text(kind) or is_list(kind)


def is_list(kind: pa.DataType) -> bool:
    """Return whether a type is one of Arrow's lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _check(layout: Layout, names: list[str], guessed: bool) -> None:
    count = len(layout.columns)
    if layout.kind is LayoutKind.text and count != 1:
        raise LayoutError(f"--layout text takes one column, not {count}")
    fewest, most = (1, 7) if layout.board else (5, 7)
    if layout.kind is LayoutKind.columns and not fewest <= count <= most:
        raise LayoutError(f"{count} columns of cards; a hand has 5, 6 or 7")
    if layout.kind is LayoutKind.uci and (count % 2 or not fewest <= count // 2 <= most):
        raise LayoutError(f"{count} columns of suits and ranks; a hand has 10, 12 or 14")
    for index in set(layout.board) & set(layout.columns):
        raise LayoutError(f"column {names[index]!r} cannot be both hand and board")
    for index in layout.columns if guessed else ():
        if names.count(names[index]) > 1:
            raise LayoutError(
                f"{names.count(names[index])} columns are called {names[index]!r}; say --columns by numbers"
            )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20])
    return f"{shown}, … ({len(names)})" if len(names) > 20 else shown or "none"
