"""What a cell holds, by its looks: cards, attempts at cards, numbers, suits and ranks."""

import re
from collections.abc import Sequence
from typing import Any

from ..cards import parse_cards
from ..errors import PokernelError

__all__ = ["WHOLE", "card_count", "hold_cards", "is_number", "is_unknown", "looks_like_uci", "tries_cards", "uci_pairs"]

_CARD = "[2-9TJQKA][cdhs♣♧♦♢♥♡♠♤]"
WHOLE = re.compile(r"\s*\d{1,9}(?:\.0*)?\s*", re.ASCII)
"""A whole number, perhaps with a decimal point."""
_UNKNOWN = re.compile(
    r"\s*(?:[?x*_.–—#-]*|-\d{1,9}(?:\.0*)?|n/?a|nan|null|none|unknown|hidden|down|fold(?:ed)?|muck(?:ed)?)\s*",
    re.IGNORECASE,
)


def is_unknown(cell: Any) -> bool:
    """Return whether a cell is blank, or says that nobody knows."""
    return cell is None or _UNKNOWN.fullmatch(str(cell)) is not None


def hold_cards(column: Sequence[Any]) -> bool:
    """Return whether a cell of a column tells a card otherwise than by a number."""
    return any(not is_number(cell) and (card_count(cell) or tries_cards(str(cell)) > 1) for cell in column)


def tries_cards(text: str) -> int:
    """Return how many cards a text tries to tell, well or badly; 0 where it says something else."""
    packed = re.sub(r"[^\w♣♧♦♢♥♡♠♤]|_", "", text.replace("10", "T"))
    cards = len(re.findall(_CARD, packed, re.IGNORECASE))
    if 4 * cards >= len(packed) and (cards > 2 or (cards == 2 and re.match(_CARD, packed, re.IGNORECASE))):
        return cards
    return len(packed) // 2 if re.fullmatch(r"(?:[2-9TJQKA].){3,}", packed) and re.search(r"[^\d]", packed) else 0


def card_count(cell: Any) -> int:
    """Return how many cards a cell holds; a number counts as one."""
    if isinstance(cell, list):
        return len(cell)
    cell = "" if cell is None else str(cell)
    if WHOLE.fullmatch(cell):
        return 1
    try:
        return len(parse_cards(cell))
    except PokernelError:
        return 0


def is_number(cell: Any) -> bool:
    """Return whether a cell is an integer, or digits alone."""
    return isinstance(cell, int) or re.fullmatch(r"\d{1,9}", str(cell).strip(), re.ASCII) is not None


def uci_pairs(columns: int) -> int:
    """Return how many suit and rank pairs a headerless file of so many columns starts with; 0 if that is no hand."""
    return columns // 2 if 5 <= columns // 2 <= 7 else 0


def looks_like_uci(cells: Sequence[Any]) -> bool:
    """Return whether a row may start with suits 1 to 4 and ranks 1 to 13 in turn."""
    pairs = uci_pairs(len(cells))
    return pairs > 0 and all(
        re.fullmatch(r"[1-4]" if index % 2 == 0 else r"[1-9]|1[0-3]", str(cell).strip()) is not None
        for index, cell in enumerate(cells[: 2 * pairs])
    )
