"""Ratios that a drifting machine cannot bend: contenders take turns, round by round, on the same new hands."""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .deal import Hands
from .peers import Work

__all__ = ["Contender", "measure"]


@dataclass(frozen=True)
class Contender:
    """Somebody who can do the work of a round."""

    prepare: Callable[[Hands], Work]
    """Everything that is not timed; raises ImportError if the contender is not there."""
    hands: int | None = None
    """How many of the round's hands, from the first; all by default."""
    counted: Callable[[Any], float] | None = None
    """How much was done, from what the work returned, where it is not the hands that count: questions, trials."""


def measure(
    contenders: Mapping[str, Contender], fresh: Callable[[], Hands], rounds: int, warm_up: bool = True
) -> tuple[dict[str, NDArray[np.float64]], dict[str, str]]:
    """Seconds a hand of every contender in every round, and why others are missing.

    A round that is not counted comes first, unless it is too long to be done twice: it compiles, loads and touches. The
    order of turns rotates, so that nobody always finds the hands in a cache.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
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
        names = list(works)
        gc.collect()
        gc.disable()
        try:
            for i in range(len(names)):
                name = names[(i + turn) % len(names)]
                work, count = works[name]
                counted = contenders[name].counted
                started = time.perf_counter()
                if counted:
                    count = counted(work())
                else:
                    work()
                elapsed = time.perf_counter() - started
                if turn >= 0:
                    seconds[name].append(elapsed / count)
        finally:
            gc.enable()
    return {name: np.array(seconds[name]) for name in contenders if name not in missing}, missing
