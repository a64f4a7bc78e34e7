"""Ratios that a drifting machine cannot bend: contenders take turns, round by round, on the same new hands."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .deal import Hands
from .peers import Work

__all__ = ["Contender", "Group", "Measured", "measure"]

By = dict[str, NDArray[np.float64]]
"""Numbers by contender and round."""


@dataclass(frozen=True)
class Contender:
    """Somebody who can do the work of a round."""

    prepare: Callable[[Hands], Work]
    """Everything that is not timed; raises ImportError if the contender is not there."""
    hands: int | None = None
    """How many of the round's hands, from the first; all by default."""
    counted: Callable[[Any], float] | None = None
    """How much was done, from what the work returned, where it is not the hands that count: questions, trials."""
    before: Callable[[], object] | None = None
    """Right before the turn, not timed."""
    after: Callable[[], float | None] | None = None
    """Once the turn is over, not timed: checks what was done, clears it away, and perhaps tells its peak memory, MB."""


Group = tuple[Callable[[], Hands], dict[str, Contender]]
"""What deals a round's hands, and who is to do something with them."""


@dataclass(frozen=True)
class Measured:
    """What was found out about a group's contenders."""

    seconds: By
    """A hand."""
    missing: dict[str, str] = field(default_factory=dict)
    """Who is not there, and why."""
    peaks: By = field(default_factory=dict)
    """Peak memory, MB, of those who tell it."""


def measure(
    contenders: Mapping[str, Contender], fresh: Callable[[], Hands], rounds: int, warm_up: bool = True
) -> Measured:
    """Measure every contender in every round.

    A round that is not counted comes first, unless it is too long to be done twice: it compiles, loads and touches. The
    order of turns rotates every other round, and goes backwards in between, so that nobody always finds the hands in a
    cache, or a machine that the same other contender left.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    peaks: dict[str, list[float]] = {name: [] for name in contenders}
    missing: dict[str, str] = {}
    for turn in range(-1 if warm_up else 0, rounds):
        hands = fresh()
        works: dict[str, tuple[Work, float]] = {}
        for name, contender in contenders.items():
            if name not in missing:
                given = hands[: contender.hands]
                try:
                    works[name] = contender.prepare(given), len(given)
                except ImportError as reason:
                    missing[name] = str(reason)
        first = turn // 2 % max(1, len(works))
        names = [*list(works)[first:], *list(works)[:first]][:: -1 if turn % 2 else 1]
        gc.collect()
        gc.disable()
        try:
            for name in names:
                work, count = works[name]
                counted, after = contenders[name].counted, contenders[name].after
                if before := contenders[name].before:
                    before()
                started = time.perf_counter()
                if counted:
                    count = counted(work())
                else:
                    work()
                elapsed = time.perf_counter() - started
                peak = after() if after else None
                if turn >= 0:
                    seconds[name].append(elapsed / count)
                    peaks[name] += [peak] if peak is not None else []
        finally:
            gc.enable()
    there = [name for name in contenders if name not in missing]
    return Measured(
        {name: np.array(seconds[name]) for name in there},
        missing,
        {name: np.array(peaks[name]) for name in there if peaks[name]},
    )
