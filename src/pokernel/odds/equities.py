"""Exact equities of many deals whose cards are known."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bulk import ALONE, thread_count
from ..combos import combo_indices
from ..dealt import Dealt, read_dealt
from ..inputs import is_nothing
from ..invalid import Index
from ..outputs import output_array
from .lookups import PIECE, draws, seven_card_tables
from .match_ups import DEAL_COST, require_compiler
from .preflop import match_ups
from .preflop_layout import layout_for_kernels

__all__ = ["equities"]

AT_ONCE = 1 << 15
"""Match-ups to be looked up in one go."""
NO_CLASH = np.array([[3, 2], [1, 0]], np.uint8)
"""Two hands in the place of what is none."""
NO_LAYOUT = np.empty((2, 0, 0)), np.empty(0, np.uint8), np.empty(0, np.intp), np.empty((0, 0), np.intp)
"""In the place of the table of match-ups, where the board has cards."""
MOMENT = 2e6
"""Nanoseconds of work that are better done on one thread."""


def equities(
    board: Any, holes: Any, *, live: Any = None, out: NDArray[np.float64] | None = None, threads: int | None = None
) -> NDArray[np.float64]:
    """What part of the pot each seat can expect, exactly, of deals whose hole cards are known: one or an array of them.

    Every board that may come is counted, as :func:`pokernel.equity` does it, for whole arrays at once.

    Parameters
    ----------
    board : str, sequence or integer array
        0 to 5 cards, as :func:`pokernel.evaluate` reads them, or an array ``(..., cards)``.
    holes : sequence or integer array
        Two cards a seat for 1 to 23 seats, as :func:`pokernel.showdown` reads them: texts or pairs for one deal, or an
        array ``(..., players, 2)``. The leading axes of all arguments broadcast.
    live : boolean array, optional
        Shape ``(..., players)``: false where a seat has folded. Its cards are not looked at, and may come on the board;
        all others, and the board's, must be different cards of one deck. By default all are live that are not None.
    out : numpy.ndarray, optional
        Where the equities go: ``float64``, of their shape, C-contiguous and aligned, not overlapping the arguments.
        After an error they mean nothing.
    threads : int, optional
        Number of threads; by default one for what takes a few milliseconds, every core from there on.

    Returns
    -------
    numpy.ndarray
        ``float64``, shape ``(..., players)``: the share of the pot on average, ties split, 0 where a seat has folded.
        Of up to ten live seats each is the double nearest to the exact fraction, so the shares of a deal may miss 1 by
        a rounding or two.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError, PotError, OutputError, TypeError
        As `showdown` does: they name the seats, and of many deals the first bad row and the number of bad rows.

    Notes
    -----
    A deal of two hands takes some 1.5 µs on a flop, less with more of the board; before the flop it is looked up. Each
    more seat costs half as much again, and before the flop a millisecond. For single deals with everything that is
    known of them, for ranges, dead cards and estimates, see :func:`pokernel.equity`.

    Examples
    --------
    >>> import numpy as np, pokernel
    >>> pokernel.equities("2c 7d 9h", ["AsKs", "QhQd", None]).round(4)
    array([0.2394, 0.7606, 0.    ])
    >>> decks = np.random.default_rng(7).permuted(np.tile(np.arange(52, dtype=np.uint8), (1000, 1)), axis=1)
    >>> pokernel.equities(decks[:, :3], decks[:, 5:11].reshape(1000, 3, 2)).shape
    (1000, 3)
    """
    dealt = read_dealt(np.empty(0, np.uint8) if is_nothing(board) else board, holes, live, tuple(range(6)))
    to_come = 5 - dealt.boards.shape[-1]
    cost = DEAL_COST[to_come] * dealt.players / 2
    threads = thread_count(threads, ALONE if cost * dealt.seats / dealt.players > MOMENT else 0)
    shares = output_array(
        out, np.float64, (*dealt.deals, dealt.players), dealt.given, of="the equities", contiguous=True
    )
    if not dealt.deals:
        if (wrong := dealt.fault(())) is not None:
            raise wrong
        dealt = dealt.as_row()
    filled = np.asarray(shares).reshape(*dealt.deals, dealt.players)  # subclasses may copy
    if to_come == 5 and dealt.players == 2 and (dealt.live is None or bool(dealt.live.all())):
        _look_up(dealt, filled, threads)
    else:
        require_compiler()
        _count(dealt, filled, int(max(1, PIECE // cost)), threads)
    return shares


def _look_up(dealt: Dealt, shares: NDArray[np.float64], threads: int) -> None:
    """Two players before the flop, in the table of match-ups: without a compiler, where the kernel would need one."""

    def work(index: Index) -> tuple[int, int]:
        (_, block), _ = dealt.block(index)
        hands = block.copy()  # what is looked at is what is looked up, whoever writes to it meanwhile
        cards = np.sort(hands.reshape(-1, 4), axis=1)
        bad = (cards[:, 3] > 51) | (cards[:, 1:] == cards[:, :-1]).any(axis=1)
        hands[bad] = NO_CLASH
        filled = shares[index].reshape(-1, 2)
        filled[:] = match_ups(combo_indices(hands))
        return int(bad.sum()), int(bad.argmax()) if bad.any() else -1

    dealt.do(2 * AT_ONCE, threads, work)


def _count(dealt: Dealt, shares: NDArray[np.float64], at_once: int, threads: int) -> None:
    from ..jit.equities import equities as count

    to_come, players = 5 - dealt.boards.shape[-1], dealt.players
    left = 52 - dealt.boards.shape[-1]
    totals = np.array([math.comb(left - 2 * live, to_come) for live in range(players + 1)], np.float64)
    of_ranks, tables = tuple(map(draws, range(to_come + 1))), seven_card_tables()
    preflop = layout_for_kernels() if to_come == 5 else NO_LAYOUT

    def work(index: Index) -> tuple[int, int]:
        cards, live = dealt.block(index)
        filled = shares[index].reshape(-1, players)
        folds = live is not None
        flags = live if folds else np.empty((0, players), np.bool_)
        bad, first = count(*cards, flags, folds, totals, of_ranks, tables, preflop, filled)
        return bad, first

    dealt.do(at_once * players, threads, work)
