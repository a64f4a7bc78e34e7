"""Equity: one question, four ways to the answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS
from ..errors import DealError, PokernelError
from ..threads import cores
from .estimate import Wanted, estimate
from .match_ups import MatchUps, require_compiler
from .preflop import hand_match_up, match_up
from .result import Equity
from .spot import Spot, read_spot
from .sweep import Sweep
from .tally import read_counts
from .work import DoneBy, Report, Ticker, Total, Work, add_up

__all__ = ["equity"]

METHODS: Final = ("auto", "exact", "table", "match-ups", "sweep", "monte-carlo")
PATIENCE: Final = 4e9
"""Nanoseconds of one processor that counting may take, about, where sampling would do as well."""
LITTLE: Final = 1e5
"""Nanoseconds that it takes to look for a cheaper way, about."""
MOST_HOURS: Final = 1_000
"""Of one processor, that counting may take, about."""
LEAST_ERROR: Final = 1e-7
"""It takes some 10**13 deals."""

Progress = Callable[[Equity, float], None]


def equity(
    players: Sequence[Any] | NDArray[Any],
    board: Any = "",
    dead: Any = "",
    *,
    method: str = "auto",
    trials: int | None = None,
    target_error: float | np.floating[Any] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: bool | Progress | None = None,
    categories: bool = False,
) -> Equity:
    """How much of the pot each player can expect when the rest of the board comes at random.

    Parameters
    ----------
    players : sequence of 2 to 10
        Each is a hand (``"AsKs"``, a pair of cards), a range (:class:`pokernel.Range`, or a text that it reads: ``"QQ+,
        AKs"``, ``"15%"``, ``"random"``), combos (integers ``(n, 2)``), combos with weights (a pair ``(combos,
        weights)``, or a mapping).
    board, dead : text or sequence of cards, optional
        0 to 5 cards on the board; cards that cannot come.
    method : str
        ``"auto"``: exact where that takes some seconds at most, else Monte Carlo. ``"exact"``: counted, however long it
        takes (up to 1,000 hours), in the fastest of three ways, which can also be chosen:

        ``"table"``      two players before the flop, no dead cards: every match-up is in a table
        ``"match-ups"``  deal by deal of hole cards, all boards of each at once: few combos, any number of players
        ``"sweep"``      board by board, all combos of two ranges at once

        ``"monte-carlo"``: estimated from random deals.
    trials : int, optional
        Boards to deal at random where it is not counted exactly, a million by default; rounded up to whole clusters of
        eight where ranges meet on boards.
    target_error : float, optional
        Deal until no player's equity has a larger standard error than this, or until `trials`, if they are given.
    seed : int, optional
        The same seed gives the same numbers to the last bit, whatever `threads` and `executor`. By default a new one,
        which the result tells.
    threads : int, optional
        By default as many as this process has processors; an `executor` has its own.
    executor : concurrent.futures.Executor, optional
        Where the work is done instead: a pool of threads or processes, or Dask's ``client.get_executor()``. A piece
        that is lost with its worker is done again.
    progress : bool or callable, optional
        True draws a bar on standard error. A callable is called now and then, in this thread, with a partial result
        (not `exact`, of an exact count without an error) and the share done.
    categories : bool
        Whether to count what each player's hand becomes, too.

    Returns
    -------
    Equity
        Immutable; prints as a table.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError, RangeError
        If something is no card, hand or range, or a card is in two places; names the player.
    DealError
        If ranges cannot be dealt together, or beside the board and dead cards; if a `method` does not apply.
    TypeError, PokernelError
        If an argument is of a wrong type or out of its range.

    Notes
    -----
    Every possible deal, of a hand to each player and a board, counts once, or as often as the product of its hands'
    weights. So ranges that share cards are weighed as they are dealt, not one by one.

    Exact counts do not visit every deal: suits that can be exchanged count once; boards with the same ranks count at
    once for hands that make no flush; a range's combos meet another's all at once, by strength. The tests compare them
    with plain loops. Monte Carlo deals everything at random, or, for two ranges, only the boards: all combos meet on
    each, in clusters of boards with the same ranks, whose spread the standard error is made of.

    Examples
    --------
    >>> import pokernel
    >>> result = pokernel.equity(["AsKs", "QhQd"])
    >>> result.counts[(0,)], result.counts[(1,)], result.counts[(0, 1)]
    (787966, 917606, 6732)
    >>> print(pokernel.equity(["AsKs", "QQ+,AKs", "random"], "Ah 7d 2s Kc"))
    player     equity      win      tie
    AsKs      67.480%  61.963%  11.037%
    QQ+, AKs  29.840%  24.457%  10.769%
    random     2.680%   2.542%   0.280%
    board Ah7d2sKc; exact: 357,588 deals (match-ups)
    """
    _check_options(method, trials, target_error, seed, threads, executor)
    spot = read_spot(players, board, dead)
    done_by = DoneBy(threads or cores(), executor)
    with _reporter(progress) as report:
        if method in ("auto", "exact", "table") and _is_in_table(spot) and not categories:
            return _from_table(spot)
        if method == "table":
            raise DealError("the table has two players before the flop, without dead cards or categories")
        require_compiler()
        if method != "monte-carlo":
            chosen, work = _cheapest(spot, method, categories)
            if method != "auto" or work.built.cost <= PATIENCE:
                return _counted(spot, chosen, work, done_by, report, categories)
        return estimate(
            spot,
            Wanted(trials, None if target_error is None else float(target_error), seed, categories),
            done_by,
            report,
        )


def _check_options(
    method: str,
    trials: int | None,
    target_error: float | np.floating[Any] | None,
    seed: int | None,
    threads: int | None,
    executor: Executor | None,
) -> None:
    if method not in METHODS:
        raise PokernelError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0), ("threads", threads, 1)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise TypeError(f"{name} must be an integer, not {value!r}")
        if value < least:
            raise PokernelError(f"{name} must be at least {least}, not {value}")
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor must be a concurrent.futures.Executor, not {type(executor).__name__}")
    if target_error is not None:
        if isinstance(target_error, bool) or not isinstance(target_error, (int, float, np.floating)):
            raise TypeError(f"target_error must be a number, not {target_error!r}")
        if not LEAST_ERROR <= target_error < 1:
            raise PokernelError(f"target_error must be at least {LEAST_ERROR:g} and less than 1, not {target_error}")


def _is_in_table(spot: Spot) -> bool:
    return len(spot.combos) == 2 and not spot.board and not spot.dead


def _from_table(spot: Spot) -> Equity:
    """Look all match-ups up."""
    if spot.scale and all(len(combos) == 1 for combos in spot.combos):
        times = math.prod(int(weights[0]) for weights in spot.weights)
        wins, losses, ties = hand_match_up(*(int(combos[0]) for combos in spot.combos))
        return read_counts(spot, "table", np.array([0, times * wins, times * losses, times * ties], object))
    dense = []
    for combos, weights in zip(spot.combos, spot.weights, strict=True):
        row = np.zeros(len(COMBOS), np.int64 if spot.scale else np.float64)
        row[combos] = weights
        dense.append(row)
    return read_counts(spot, "table", np.array([0, *match_up(*dense)], object))


def _cheapest(spot: Spot, method: str, categories: bool) -> tuple[str, Work]:
    """The engine to count with."""
    if method == "sweep" and len(spot.combos) != 2:
        raise DealError(f"a sweep is for two players, not {len(spot.combos)}")
    works = {}
    if method != "sweep":
        works["match-ups"] = Work(MatchUps, spot, categories)
        if works["match-ups"].built.cost < LITTLE and works["match-ups"].built.is_integral:
            return "match-ups", works["match-ups"]
    if method != "match-ups" and len(spot.combos) == 2:
        works["sweep"] = Work(Sweep, spot, categories)
    chosen = min(works, key=lambda name: (not works[name].built.is_integral, works[name].built.cost))
    return chosen, works[chosen]


def _counted(spot: Spot, method: str, work: Work, done_by: DoneBy, report: Report, categories: bool) -> Equity:
    hours = work.built.cost / 3.6e12
    if hours > MOST_HOURS:
        told = f"{hours:.3g} hours or so to count all deals, more than {MOST_HOURS:,}"
        raise DealError(f"{told}: estimate them, by method='auto'")
    if work.built.pieces == 1 and report is _say_nothing and done_by.executor is None:
        counted = work.run(0)
        return read_counts(spot, method, counted.astype(np.int64) if work.built.is_integral else counted, categories)
    pieces, total = range(work.built.pieces), Total(work.built.is_integral)

    def partial() -> tuple[Equity, float] | None:
        vector, done = total.so_far()
        if vector is None or not vector[: 1 << len(spot.combos)].any():  # no deal so far was possible
            return None
        result = read_counts(spot, method, vector, categories)
        unknown = (math.nan,) * len(spot.combos)  # deals are not counted in a random order
        return replace(result, exact=False, standard_error=unknown), done / len(pieces)

    add_up(work, pieces, total, done_by, lambda: report(partial))
    vector, _ = total.so_far()
    assert vector is not None
    return read_counts(spot, method, vector, categories)


def _say_nothing(partial: Callable[[], tuple[Equity, float] | None]) -> None:
    """Nobody wants to know."""


@contextmanager
def _reporter(progress: bool | Progress | None) -> Iterator[Report]:
    """What takes partial results, made only when they are due."""
    if progress is None or progress is False:
        yield _say_nothing
    elif progress is True:
        from .bar import bar

        with bar() as advance:
            yield _now_and_then(advance)
    elif callable(progress):
        yield _now_and_then(progress)
    else:
        raise TypeError(f"progress must be a bool or a callable, not {type(progress).__name__}")


def _now_and_then(progress: Progress) -> Report:
    ticker = Ticker()

    def report(partial: Callable[[], tuple[Equity, float] | None]) -> None:
        if ticker.due and (so_far := partial()) is not None:
            ticker.start()
            progress(*so_far)

    return report
