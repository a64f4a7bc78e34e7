"""Monte Carlo: random deals in waves of chunks, until there are enough or the error is small enough.

What is decided between two waves depends on what they gave, never on who did which chunk: the same seed gives the same.
"""

import math
import secrets
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple, overload

from ..errors import DealError
from .result import Equity
from .sampling import CHUNK, CLUSTERS, LANES, Clusters, Deals
from .spot import Spot
from .tally import error_of_ratio, read_clusters, read_counts
from .work import DoneBy, Report, Total, Work, add_up

__all__ = ["Wanted", "estimate"]

TRIALS: Final = 1_000_000
FIRST_WAVE: Final = 8
"""Chunks dealt before the first look at the error."""
DEAL_NANOSECONDS: Final = 60
CLUSTER_NANOSECONDS: Final = 5_000, 400
"""For a cluster, and for each rank pair in it."""
FEWEST_BOARDS: Final = 1 << 13
"""A ratio of two sums, and its error, need some clusters."""
PILOT: Final = 0, 2**32 - 1
"""Seed and chunk of what is dealt only to see how it goes: the same whatever the seed."""
PILOT_TRIALS: Final = 1 << 10
PILOT_CLASHES: Final = 1 << 17
RAREST: Final = 1e-5
"""Of all draws of ranges, those that must go together: fewer would take hours."""


class Wanted(NamedTuple):
    """What to deal, see :func:`pokernel.equity`."""

    trials: int | None
    target_error: float | None
    seed: int | None
    categories: bool


class _Chunks(Sequence[tuple[int, int]]):
    """Numbers and trials of chunks, made when they are wanted: there may be a great many."""

    def __init__(self, first: int, last: int, chunk: int, most: int) -> None:
        self._numbers, self._chunk, self._most = range(first, last), chunk, most

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, int]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = self._numbers[index]
        return number, min(self._chunk, self._most - number * self._chunk)


def estimate(spot: Spot, wanted: Wanted, done_by: DoneBy, report: Report) -> Equity:
    """Deal at random."""
    seed = secrets.randbits(64) if wanted.seed is None else int(wanted.seed)
    target = wanted.target_error
    most = int(wanted.trials) if wanted.trials else TRIALS if target is None else sys.maxsize
    in_clusters = most >= FEWEST_BOARDS and _clusters_pay(spot)
    work = Work(Clusters if in_clusters else Deals, spot, seed, wanted.categories)
    chunk = CLUSTERS * LANES if in_clusters else _deals_a_chunk(work.built)
    total = Total(integral=not in_clusters)

    def so_far() -> tuple[Equity, int] | None:
        vector, done = total.so_far()
        if vector is None:
            return None
        if in_clusters:
            return read_clusters(spot, vector, LANES, seed, wanted.categories), done
        return read_counts(spot, "monte-carlo", vector, wanted.categories, min(most, done * chunk), seed), done

    def partial() -> tuple[Equity, float] | None:
        now = so_far()
        if now is None:
            return None
        result, done = now
        share = 0.0 if most == sys.maxsize else min(1.0, done * chunk / most)
        return result, max(share, 0.0 if target is None else _share_of_error(result, target))

    result, done = None, 0
    while done * chunk < most:
        last = -(-most // chunk)
        if target is not None:
            last = min(last, done + _next_wave(result, done, target))
        add_up(work, _Chunks(done, last, chunk, most), total, done_by, lambda: report(partial))
        now = so_far()
        assert now is not None
        result, done = now
        if target is not None and max(result.standard_error) <= target:
            break
    assert result is not None
    return result


def _clusters_pay(spot: Spot) -> bool:
    """Whether two ranges had better meet on clusters of boards than in deals, for the same error.

    Clusters spread little where all boards are much alike to two wide ranges, and then one is worth hundreds of deals.
    A single hand's share depends on little but the board: its clusters never pay.
    """
    if len(spot.combos) != 2 or min(map(len, spot.combos)) == 1:
        return False
    pilot = Clusters(spot, PILOT[0])
    n, wins, losses, pairs, squares_a, squares_b, products = pilot.run(PILOT[1])[:7].tolist()
    if n * squares_b > 2 * pairs * pairs:  # pairs are so rare, or so uneven, that few clusters tell anything
        return False
    a = pairs + wins - losses
    error = error_of_ratio(n, squares_a, squares_b, products, a, pairs) / 2
    share = a / (2 * pairs)
    fixed, each = CLUSTER_NANOSECONDS
    cost = fixed + each * len(pilot.sweep.pairs)
    return bool(error**2 * n * cost < share * (1 - share) * DEAL_NANOSECONDS)


def _deals_a_chunk(deals: Deals) -> int:
    """Trials of a chunk: fewer, the more often ranges clash, so that a chunk takes as long as any."""
    if deals.never_clashes:
        return CHUNK
    trials = clashes = 0
    while trials < PILOT_TRIALS and clashes < PILOT_CLASHES:
        more = max(1, trials)
        clashes += deals.clashes(PILOT[0], PILOT[1] - trials, more)
        trials += more
    if trials < RAREST * (trials + clashes):
        raise DealError(
            f"the players' ranges go together in about one of {(trials + clashes) // trials:,} deals: too few to sample"
        )
    return max(1, int(CHUNK * trials / (trials + clashes)))


def _next_wave(result: Equity | None, done: int, target_error: float) -> int:
    """How many more chunks it takes, by the error so far; at most twice as many as there are."""
    if result is None:
        return FIRST_WAVE
    ratio = min(2.0, max(result.standard_error) / target_error)
    return max(FIRST_WAVE, min(math.ceil(1.05 * done * ratio**2) - done, 2 * done))


def _share_of_error(result: Equity, target_error: float) -> float:
    """How much of the work is done that the error takes."""
    error = max(result.standard_error)
    return min(1.0, (target_error / error) ** 2) if error else 1.0
