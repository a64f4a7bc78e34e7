"""One way to run a row of the benchmarks: new hands before every round, and a label that says all.

Rows are measured minutes apart, and shared machines drift twofold within seconds. So every round of a row first times
the yardsticks: a row's multiple of the scalar kernel and its fraction of the roofline are medians over its own rounds.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from .deal import Dealer, output
from .yardsticks import SCALAR, roofline, slot_table

__all__ = ["BULK", "ROUNDS", "SINGLE", "run"]

ROUNDS = 9
BULK = 1 << 22
"""Hands in an array: 29 MB of seven cards and 8 MB of strengths, beyond second-level caches."""
SINGLE = 1 << 14
"""Hands evaluated one a call in a round."""

PACE = 1 << 20
"""Hands to one timing of a yardstick."""

Material = TypeVar("Material")


class _Pace:
    """Seconds a hand of the yardsticks, round by round."""

    def __init__(self, cards: int) -> None:
        hands, out = Dealer(PACE, cards)(), output(PACE)
        self.works: dict[str, Callable[[], None]] = {"times_scalar": lambda: SCALAR[cards](hands, out)}
        if cards == 7:
            self.works["of_roofline"] = lambda: roofline(hands, slot_table(), out)
        self.seconds: dict[str, list[float]] = {name: [] for name in self.works}

    def take(self) -> None:
        for name, work in self.works.items():
            started = time.perf_counter()
            work()
            self.seconds[name].append((time.perf_counter() - started) / PACE)

    def ratios(self, seconds: list[float]) -> dict[str, float]:
        """By yardstick: the median ratio of a row's rate to its own, from the row's seconds a hand."""
        last = {name: taken[-len(seconds) :] for name, taken in self.seconds.items()}  # the first was for warming up
        return {name: float(np.median(np.divide(taken, seconds))) for name, taken in last.items()}


def run(
    benchmark: BenchmarkFixture,
    work: Callable[[Material], Any],
    fresh: Callable[[], Material],
    *,
    hands: int,
    what: str,
    by: str = "pokernel",
    cards: int = 7,
    dtype: str = "uint8",
    layout: str = "rows (n, k)",
    validated: bool = True,
    threads: int = 1,
    paced: bool = False,
    unit: str = "hands",
    rounds: int = ROUNDS,
    checksum: Callable[[Any], int] = lambda result: int(np.sum(result, dtype=np.int64)),
) -> None:
    """Time `work` on what `fresh` gives, anew in every round; the checksum is that of the last round's result.

    Where hands are not what a row counts, `unit` says what the number of `hands` is of: questions, trials, deals.
    """
    pace = _Pace(cards) if paced else None

    def setup() -> tuple[tuple[Material], dict[str, Any]]:
        given = fresh()
        if pace:
            pace.take()
        return (given,), {}

    result = benchmark.pedantic(  # type: ignore[no-untyped-call]
        work, setup=setup, rounds=rounds, warmup_rounds=1
    )
    benchmark.extra_info |= {
        "what": what,
        "by": by,
        "hands": hands,
        "cards": cards,
        "dtype": dtype,
        "layout": layout,
        "validated": validated,
        "threads": threads,
        "unit": unit,
        "checksum": checksum(result),
    }
    if pace and benchmark.stats:
        benchmark.extra_info |= pace.ratios([duration / hands for duration in benchmark.stats.stats.data])
