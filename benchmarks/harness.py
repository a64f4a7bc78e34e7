"""One way to run a row of the benchmarks: new hands before every round, and a label that says all."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

__all__ = ["BULK", "ROUNDS", "SINGLE", "run"]

ROUNDS = 9
BULK = 1 << 22
"""Hands in an array: 29 MB of seven cards and 8 MB of strengths, beyond second-level caches."""
SINGLE = 1 << 14
"""Hands evaluated one a call in a round."""

Material = TypeVar("Material")


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
    checksum: Callable[[Any], int] = lambda result: int(np.sum(result, dtype=np.int64)),
) -> None:
    """Time `work` on what `fresh` gives, anew in every round; the checksum is that of the last round's result."""
    result = benchmark.pedantic(  # type: ignore[no-untyped-call]
        work, setup=lambda: ((fresh(),), {}), rounds=ROUNDS, warmup_rounds=1
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
        "checksum": checksum(result),
    }
