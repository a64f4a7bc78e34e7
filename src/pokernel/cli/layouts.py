"""Which columns hold the cards: what the user says, what the columns are called, what the first row holds."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..cards import parse_cards
from ..errors import PokernelError
from .words import LayoutKind

__all__ = ["Layout", "LayoutError", "choose", "counts_columns", "guessed", "invent_names", "is_data", "is_list"]

Sample = Sequence[Sequence[Any]]

_HAND_NAMES = ("hand", "hands", "cards", "hole", "hole_cards", "holes")
_NEVER_CARDS = {"id", "player", "name", "class"}
_USUAL_NAMES = {*_HAND_NAMES, "board", "flop", "turn", "river", *_NEVER_CARDS}
_WHOLE = re.compile(r"\s*\d{1,9}(?:\.0*)?\s*", re.ASCII)
_NUMBERED = ("c{}", "card{}", "card_{}", "card {}")
_CARD_NAME = re.compile(r"(?:c|card|hole|hole[ _]?card|flop|turn|river|board)[ _]?\d{0,2}", re.IGNORECASE)
_CARD = "[2-9TJQKA][cdhs♣♧♦♢♥♡♠♤]"
_UCI_NAMES = tuple(f"{letter}{pair}" for pair in range(1, 8) for letter in "SC")


class LayoutError(Exception):
    """The columns that hold the cards cannot be told, or are not there."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cards are: a column of hands, 5 to 7 of cards, or 10 to 14 of suits and ranks; perhaps a board."""

    kind: LayoutKind
    columns: tuple[int, ...]
    board: tuple[int, ...] = ()


def is_data(cells: Sequence[str], below: Sample = ()) -> bool:
    """
    Return whether the first row of a file is data.

    Parameters
    ----------
    cells : sequence of str
        The first row.
    below : sequence of rows
        Some of the rows after it.

    Notes
    -----
    A cell that reads as cards, or as an attempt at two or more, is data for certain; a usual name of a column makes
    the row a header; else each cell votes, and a tie is data: that is never lost without a word.
    """
    words = [cell.strip() for cell in cells]
    if any(_card_count(word) > 2 or _tries_cards(word) > 2 for word in words):
        return True
    if any(_is_usual_name(word) for word in words):
        return False
    if any(_card_count(word) > 1 or _tries_cards(word) > 1 for word in words):
        return True
    columns = [[row[index] for row in below if index < len(row)] for index in range(len(words))]
    if _is_count(word for word, column in zip(words, columns, strict=True) if _is_number(word) and _hold_cards(column)):
        return False
    votes = [_vote(word, column, words.count(word) == 1) for word, column in zip(words, columns, strict=True)]
    return sum(votes) >= 0 and any(votes)


def _vote(word: str, column: Sequence[Any], single: bool) -> int:
    """Return 1 for data, -1 for a name, 0 for neither, of a cell of the first row (once there?) and those below it."""
    cards, numbers = _hold_cards(column), bool(column) and all(map(_is_number, column))
    if _is_number(word):
        return 1 if numbers or cards or not column else 0
    if _card_count(word):
        return 1 if cards or not column else 0
    if single and re.fullmatch(r"[^\W\d][\w .#()/-]*", word):
        return -1 if cards or numbers or not column else 0
    return 1 if cards else 0


def _is_usual_name(word: str) -> bool:
    return word.lower() in _USUAL_NAMES or re.fullmatch(r"(?:card[ _]?|[cs])[0-7]", word.lower()) is not None


def _is_count(words: Iterable[str]) -> bool:
    """Return whether numbers are those that count the columns of unnamed tables: 0, 1, 2 … or 1, 2, 3 …"""
    numbers = [int(word) for word in words]
    return len(numbers) > 1 and numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _hold_cards(column: Sequence[Any]) -> bool:
    return any(not _is_number(cell) and (_card_count(cell) or _tries_cards(str(cell)) > 1) for cell in column)


def _tries_cards(text: str) -> int:
    """Return how many cards a text tries to tell, well or badly; 0 where it says something else."""
    packed = re.sub(r"[^\w♣♧♦♢♥♡♠♤]|_", "", text.replace("10", "T"))
    cards = len(re.findall(_CARD, packed, re.IGNORECASE))
    if 4 * cards >= len(packed) and (cards > 2 or (cards == 2 and re.match(_CARD, packed, re.IGNORECASE))):
        return cards
    return len(packed) // 2 if re.fullmatch(r"(?:[2-9TJQKA].){3,}", packed) and re.search(r"[^\d]", packed) else 0


def _card_count(cell: Any) -> int:
    """Return how many cards a cell holds; a number counts as one."""
    if isinstance(cell, list):
        return len(cell)
    cell = "" if cell is None else str(cell)
    if _WHOLE.fullmatch(cell):
        return 1
    try:
        return len(parse_cards(cell))
    except PokernelError:
        return 0


def invent_names(cells: Sequence[str]) -> list[str]:
    """Name the columns of a file without a header: hand; or S1, C1 … CLASS for the UCI file; or column_1 …"""
    if len(cells) == 1:
        return ["hand"]
    if _looks_like_uci(cells) and (pairs := _pairs(len(cells))):
        return [*_UCI_NAMES[: 2 * pairs], *(["CLASS"] if len(cells) % 2 else [])]
    return [f"column_{index}" for index in range(1, len(cells) + 1)]


def _pairs(columns: int) -> int:
    """Return how many suit and rank pairs a headerless file of so many columns starts with; 0 if that is no hand."""
    return columns // 2 if 5 <= columns // 2 <= 7 else 0


def _looks_like_uci(cells: Sequence[Any]) -> bool:
    pairs = _pairs(len(cells))
    return pairs > 0 and all(
        re.fullmatch(r"[1-4]" if index % 2 == 0 else r"[1-9]|1[0-3]", str(cell).strip()) is not None
        for index, cell in enumerate(cells[: 2 * pairs])
    )


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
        for name in _HAND_NAMES:
            if name in names and _is_hands(schema.field(names.index(name)).type):
                return LayoutKind.text, (names.index(name),)
    if kind in (LayoutKind.auto, LayoutKind.uci):
        pairs = sum(name.lower() in names for name in _UCI_NAMES) // 2
        if pairs >= 5 and all(name.lower() in names for name in _UCI_NAMES[: 2 * pairs]):
            return LayoutKind.uci, tuple(names.index(name.lower()) for name in _UCI_NAMES[: 2 * pairs])
    if kind in (LayoutKind.auto, LayoutKind.columns):
        for pattern in _NUMBERED:
            numbers = [number for number in range(10) if pattern.format(number) in names]
            if 5 <= len(numbers) <= 7:
                found = tuple(names.index(pattern.format(number)) for number in numbers)
                _refuse_others(schema.names, sample, found, board)
                return LayoutKind.columns, found
    if kind is LayoutKind.uci and not named and _pairs(len(names)):
        return LayoutKind.uci, tuple(range(2 * _pairs(len(names))))
    if kind is LayoutKind.auto and not named and any(map(_looks_like_uci, sample)):
        return LayoutKind.uci, tuple(range(2 * _pairs(len(names))))
    counts = [max(map(_card_count, cells)) for cells in zip(*sample, strict=True)]
    if kind in (LayoutKind.auto, LayoutKind.columns):
        cards = [
            i
            for i, count in enumerate(counts)
            if i not in board and count == 1 and not all(_is_number(row[i]) for row in sample)
        ]
        if not 5 <= len(cards) <= 7 and 5 <= len(names) <= 7:
            cards = [i for i, count in enumerate(counts) if i not in board and count == 1]
        if 5 <= len(cards) <= 7:
            return LayoutKind.columns, tuple(cards)
    if kind in (LayoutKind.auto, LayoutKind.text):
        hands = [i for i in texts if counts and counts[i] > 1]
        if len(hands) == 1:
            return LayoutKind.text, (hands[0],)
        if len(texts) == 1:
            return LayoutKind.text, (texts[0],)
    raise LayoutError(f"which columns hold the cards? Say --columns; there are: {_listed(schema.names)}")


def _refuse_others(names: Sequence[str], sample: Sample, found: tuple[int, ...], board: tuple[int, ...]) -> None:
    """Raise a LayoutError if other columns have a card a row, too: by what they hold, or of numbers by their names."""
    others = []
    for index, column in enumerate(zip(*sample, strict=True)):
        free = index not in found and index not in board and names[index].lower() not in _NEVER_CARDS
        if free and all(_card_count(cell) == 1 for cell in column):
            numbers = [float(cell) for cell in column if _WHOLE.fullmatch(str(cell))]
            if not numbers or (_CARD_NAME.fullmatch(names[index]) and max(numbers) <= 51):
                others.append(names[index])
    if others:
        chosen, more = ", ".join(names[index] for index in found), ", ".join(others)
        raise LayoutError(f"cards in {chosen}, but in {more}, too? Say --columns, and --board if that is the board")


def counts_columns(cells: Sequence[Any]) -> bool:
    """Return whether a row of numbers may be one that names columns: 0, 1, 2 … or 1, 2, 3 …"""
    return len(cells) > 1 and all(map(_is_number, cells)) and _is_count(str(cell) for cell in cells)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int) or re.fullmatch(r"\d{1,9}", str(cell).strip(), re.ASCII) is not None


def _is_hands(kind: pa.DataType) -> bool:
    """Return whether a column of this type can hold a hand a row: a text, or a list."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return _is_text(kind) or is_list(kind)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


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
