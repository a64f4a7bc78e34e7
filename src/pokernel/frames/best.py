"""The five cards that play, as texts in Arrow memory."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..cards import NAMES
from ..jit.best import best_rows
from ..jit.ragged import BAD
from ..tables import load
from .cells import Bytes
from .results import valid_bits

__all__ = ["BestRows", "card_texts"]

NAME_PAIRS = np.frombuffer("".join(NAMES).encode(), "<u2")


class BestRows:
    """Collects, block by block, the cards that play."""

    def __init__(self, rows: int) -> None:
        self.cards = np.zeros((rows, 5), np.uint8)

    def __call__(self, start: int, cards: Bytes, sizes: Bytes, strengths: NDArray[np.uint16]) -> None:
        for size in (5, 6, 7):
            rows = np.flatnonzero((sizes == size) & (strengths != BAD))
            if len(rows) == len(sizes):
                here = self.cards[start : start + len(rows)]
                best_rows(np.ascontiguousarray(cards[:, :size]), strengths, load("ranks"), load("categories"), here)
            elif len(rows):
                best = np.empty((len(rows), 5), np.uint8)
                best_rows(
                    np.ascontiguousarray(cards[rows, :size]), strengths[rows], load("ranks"), load("categories"), best
                )
                self.cards[start + rows] = best


def card_texts(cards: Bytes, nulls: NDArray[np.bool_] | None = None) -> pa.Array:
    """Texts (``AsKsQsJsTs``) of cards ``(n, k)``, 0 … 51."""
    texts, width = NAME_PAIRS[cards], 2 * cards.shape[1]
    kind, offset = (pa.string(), np.int32) if width * len(cards) < 2**31 else (pa.large_string(), np.int64)
    offsets = np.arange(0, width * len(cards) + 1, width, dtype=offset)
    return pa.Array.from_buffers(kind, len(cards), [valid_bits(nulls), pa.py_buffer(offsets), pa.py_buffer(texts)])
