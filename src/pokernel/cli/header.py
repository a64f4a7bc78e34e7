"""Whether the first row of a file is data, and what columns without names are called."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .cells import card_count, hold_cards, is_number, looks_like_uci, tries_cards, uci_pairs

__all__ = ["HAND_NAMES", "NEVER_CARDS", "UCI_NAMES", "Sample", "counts_columns", "invent_names", "is_data"]

Sample = Sequence[Sequence[Any]]
"""Cells, row by row."""

HAND_NAMES = ("hand", "hands", "cards", "hole", "hole_cards", "holes")
NEVER_CARDS = {"id", "player", "name", "class"}
_USUAL_NAMES = {*HAND_NAMES, "board", "flop", "turn", "river", *NEVER_CARDS}
UCI_NAMES = tuple(f"{letter}{pair}" for pair in range(1, 8) for letter in "SC")


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
    if any(card_count(word) > 2 or tries_cards(word) > 2 for word in words):
        return True
    if any(_is_usual_name(word) for word in words):
        return False
    if any(card_count(word) > 1 or tries_cards(word) > 1 for word in words):
        return True
    columns = [[row[index] for row in below if index < len(row)] for index in range(len(words))]
    if _is_count(word for word, column in zip(words, columns, strict=True) if is_number(word) and hold_cards(column)):
        return False
    votes = [_vote(word, column, words.count(word) == 1) for word, column in zip(words, columns, strict=True)]
    return sum(votes) >= 0 and any(votes)


def _vote(word: str, column: Sequence[Any], single: bool) -> int:
    """Return 1 for data, -1 for a name, 0 for neither, of a cell of the first row (once there?) and those below it."""
    cards, numbers = hold_cards(column), bool(column) and all(map(is_number, column))
    if is_number(word):
        return 1 if numbers or cards or not column else 0
    if card_count(word):
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


def counts_columns(cells: Sequence[Any]) -> bool:
    """Return whether a row of numbers may be one that names columns: 0, 1, 2 … or 1, 2, 3 …"""
    return len(cells) > 1 and all(map(is_number, cells)) and _is_count(str(cell) for cell in cells)


def invent_names(cells: Sequence[str]) -> list[str]:
    """Name the columns of a file without a header: hand; or S1, C1 … CLASS for the UCI file; or column_1 …"""
    if len(cells) == 1:
        return ["hand"]
    if looks_like_uci(cells) and (pairs := uci_pairs(len(cells))):
        return [*UCI_NAMES[: 2 * pairs], *(["CLASS"] if len(cells) % 2 else [])]
    return [f"column_{index}" for index in range(1, len(cells) + 1)]
