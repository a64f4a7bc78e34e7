"""Rows of cards to strengths, block by block on threads, and the error about the first row that holds no hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..bulk import evaluate_parts, thread_count
from ..cards import format_card
from ..errors import CardError, DuplicateCardError, HandSizeError, PokernelError, VerificationError
from ..jit.batch import ROWS
from ..jit.batch import tables as rows_tables
from ..jit.ragged import BAD, MOST, append, look_up, tables
from ..threads import run
from .cells import Bytes
from .columns import Hands
from .given import Given, pieces

__all__ = ["BAD", "Fault", "evaluate_rows", "read_rows"]

BLOCK: Final = 1 << 14  # rows at once: their cards stay in the cache until they are looked up

SEVENS: Final = bytes([MOST]) * BLOCK

Strengths = NDArray[np.uint16]
Then = Callable[[int, Bytes, Bytes, Strengths], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """The first row that holds no hand, how many there are, and where it can be asked why."""

    row: int
    count: int
    parts: Sequence[Hands]
    place: int

    def complain(self, rows: int) -> PokernelError:
        """The error that says so."""
        error = self._reason()
        share = f"({self.count} of {rows} row{'s' * (rows != 1)} {'is' if self.count == 1 else 'are'} bad)"
        return type(error)(f"row {self.row}: {error} {share}")

    def _reason(self) -> PokernelError:
        hand: list[int] = []
        sizes = []
        for part, what in zip(self.parts, ("", "board: "), strict=False):
            try:
                cards = part.explain(self.place)
            except CardError as error:
                return type(error)(f"{what}{error}")
            sizes.append(len(cards))
            hand += cards
        if not 5 <= len(hand) <= MOST:
            total = f" = {len(hand)}" if len(sizes) > 1 else ""
            return HandSizeError(f"a hand has 5, 6 or 7 cards, not {' + '.join(map(str, sizes))}{total}")
        for card in hand:
            if hand.count(card) > 1:
                return DuplicateCardError(f"{format_card(card)} ({card}) is there twice")
        return VerificationError("the kernels refuse a hand that is valid: run pokernel verify, reinstall pokernel")


def read_rows(parts: Sequence[Hands], first: int, stop: int) -> tuple[Bytes, Bytes]:
    """Cards and sizes of rows, the parts of each put together."""
    cards, sizes = np.empty((stop - first, MOST), np.uint8), np.empty(stop - first, np.uint8)
    parts[0].read(first, cards, sizes)
    for part in parts[1:]:
        more, counts = np.empty_like(cards), np.empty_like(sizes)
        part.read(first, more, counts)
        append(cards, sizes, more, counts)
    return cards, sizes


def evaluate_rows(
    hands: Given, board: Any, out: Strengths, threads: int | None, then: Then | None = None
) -> tuple[Fault | None, bool]:
    """Strengths of all rows, 0 where a hand is null and BAD where it is none.

    Parameters
    ----------
    hands, board
        Columns, and what a caller gives as board.
    out : ndarray of uint16, shape (n,)
        Where the strengths go.
    threads : int, optional
        As the caller says.
    then : callable, optional
        Called on the threads for each block with its first row, cards, sizes and strengths.

    Returns
    -------
    Fault or None
        If there are rows that are no hands.
    bool
        Whether some hand is null.
    """
    threads = thread_count(threads, hands.rows)
    blocks: list[tuple[int, int, int, list[Hands]]] = []
    for start, rows, parts in pieces(hands, board):
        if then or not _evaluate_as_it_lies(parts, out[start : start + rows], threads):
            blocks += [(start, first, min(first + BLOCK, rows), parts) for first in range(0, rows, BLOCK)]
    faults: list[Fault] = []
    nulls: list[int] = []

    def work(number: int) -> None:
        start, first, stop, parts = blocks[number]
        cards, sizes = read_rows(parts, first, stop)
        strengths = out[start + first : start + stop]
        if not _all_seven(cards, sizes, strengths):
            bad, at = look_up(cards, sizes, strengths, tables())
            if bad:
                faults.append(Fault(start + first + at, bad, parts, first + at))
            if not strengths.all():
                nulls.append(number)
        if then:
            then(start + first, cards, sizes, strengths)

    run(work, len(blocks), threads, apart=True)
    if not faults:
        return None, bool(nulls)
    worst = min(faults, key=lambda fault: fault.row)
    return Fault(worst.row, sum(fault.count for fault in faults), worst.parts, worst.place), bool(nulls)


def _all_seven(cards: Bytes, sizes: Bytes, strengths: Strengths) -> bool:
    """Whether all rows are hands of seven cards, the quickest kind, and have their strengths now."""
    # Unlike numpy, bytes keep the interpreter's lock, which costs more to get back than small batches do.
    if sizes.tobytes() != SEVENS[: len(sizes)]:
        return False
    flat = cards.reshape(-1)
    flat.flags.writeable = False
    return not ROWS[MOST](flat, strengths, True, rows_tables(MOST))


def _evaluate_as_it_lies(parts: Sequence[Hands], out: Strengths, threads: int) -> bool:
    """Whether the cards are numbers without nulls, all rows are hands, and `out` has their strengths now."""
    arrays: list[NDArray[Any]] = []
    for part in parts:
        found = part.as_arrays()
        if found is None:
            return False
        arrays += found
    if not 5 <= sum(array.shape[1] for array in arrays) <= MOST:
        return False
    try:
        evaluate_parts(arrays, out.shape, out, True, threads)
    except CardError:  # which row, and how many: that is asked block by block
        return False
    return True
