"""Monte Carlo: random deals in waves of chunks, until there are enough or the error is small enough.

What is decided between two waves depends on what they gave, never on who did which chunk: the same seed gives the same.
"""

import math
import secrets
import sys
from concurrent.futures import Executor
from typing import Final

from .result import Equity
from .sampling import CHUNK, CLUSTERS, LANES, Clusters, Deals
from .spot import Spot
from .tally import read_clusters, read_counts
from .work import Report, Total, Work, add_up

__all__ = ["estimate"]

TRIALS: Final = 1_000_000
FIRST_WAVE: Final = 8
"""Chunks dealt before the first look at the error."""
DEAL_COST: Final = 40
"""Nanoseconds for a deal, about."""
CLUSTER_COST: Final = 4_000, 200
"""Nanoseconds for a cluster, about, and for each rank pair in it."""
DEAL_VARIANCE: Final = 0.23
"""Of one player's share of one pot, about, where both have a chance."""
PILOT: Final = 2**32 - 1
"""The chunk that is dealt only to see how clusters spread."""


def estimate(
    spot: Spot,
    trials: int | None,
    target_error: float | None,
    seed: int | None,
    threads: int,
    executor: Executor | None,
    report: Report,
    categories: bool,
) -> Equity:
    """Deal at random; see :func:`pokernel.equity` for the arguments."""
    seed = secrets.randbits(64) if seed is None else int(seed)
    in_clusters = _clusters_pay(spot, seed)
    work = Work(Clusters if in_clusters else Deals, spot, seed, categories)
    chunk = CLUSTERS * LANES if in_clusters else CHUNK
    most = int(trials) if trials else TRIALS if target_error is None else sys.maxsize
    total = Total(integral=not in_clusters)

    def so_far() -> Equity:
        if in_clusters:
            return read_clusters(spot, total.vector, LANES, seed, categories)
        dealt = min(most, total.merged * chunk)
        return read_counts(spot, "monte-carlo", total.vector, categories, dealt, seed)

    def partial() -> tuple[Equity, float]:
        result = so_far()
        share = 0.0 if most == sys.maxsize else min(1.0, total.merged * chunk / most)
        if target_error is not None:
            share = max(share, _share_of_error(result, target_error))
        return result, share

    while total.merged * chunk < most:
        first = total.merged
        size = -(-most // chunk) - first
        if target_error is not None:
            size = min(size, _next_wave(so_far() if first else None, first, target_error))
        pieces = [(number, min(chunk, most - number * chunk)) for number in range(first, first + size)]
        add_up(work, pieces, total, threads, executor, lambda: report(partial))
        if target_error is not None and max(so_far().standard_error) <= target_error:
            break
    return so_far()


def _clusters_pay(spot: Spot, seed: int) -> bool:
    """Whether two ranges had better meet on clusters of boards than in deals, for the same error.

    Clusters spread little where all boards are much alike to two wide ranges, and then one is worth thousands of deals.
    """
    if len(spot.combos) != 2 or min(map(len, spot.combos)) == 1:
        return False
    pilot = Clusters(spot, seed)
    error = max(read_clusters(spot, pilot.run(PILOT), LANES, seed, categories=False).standard_error)
    fixed, each = CLUSTER_COST
    return error**2 * CLUSTERS * (fixed + each * len(pilot.sweep.pairs)) < DEAL_VARIANCE * DEAL_COST


def _next_wave(result: Equity | None, done: int, target_error: float) -> int:
    """How many more chunks it takes, by the error so far; at most twice as many as there are."""
    if result is None:
        return FIRST_WAVE
    needed = done * (max(result.standard_error) / target_error) ** 2
    return max(FIRST_WAVE, min(math.ceil(1.05 * needed) - done, 2 * done))


def _share_of_error(result: Equity, target_error: float) -> float:
    """How much of the work is done that the error takes."""
    error = max(result.standard_error)
    return min(1.0, (target_error / error) ** 2) if error else 1.0
