"""Questions that are cut into many pieces: whoever answers them, and however many, the answers are the same."""

import functools
import itertools
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, Final

from spots import told

import pokernel

Question = tuple[Sequence[Any], str, dict[str, Any]]

QUESTIONS: Final[dict[str, Question]] = {
    "match-ups": (
        ["TT+, AK:0.5", "88-55, AQs, KQ", "ATs+, 98s:0.25, 76s"],
        "Td 9s 4s",
        {"method": "match-ups", "categories": True},
    ),
    "sweep": (["random", "22+, A2s+:0.5"], "Ts", {"method": "sweep"}),
    "floats": (
        ["30%", {"AsKs": 2**-0.5, "9c9d": 3**-0.5, "7h6h": 5**-0.5}],
        "Ts",
        {"method": "sweep", "categories": True},
    ),
    "deals": (
        ["QQ+:0.5, AKs", "99+, AQ+:0.3", "random"],
        "",
        {"method": "monte-carlo", "trials": 5 * 131_072 + 4321, "seed": 5, "categories": True},
    ),
    "clusters": (
        ["20%", "15%:0.5"],
        "",
        {"method": "monte-carlo", "trials": 9_001, "seed": 2**64 - 1, "categories": True},
    ),
    "deals to an error": (["AsKs", "QQ"], "", {"method": "monte-carlo", "target_error": 0.0004, "seed": 0}),
    "clusters to an error": (["60%", "50%"], "Ks 9s 2h", {"method": "monte-carlo", "target_error": 0.0008, "seed": 3}),
}


def answer(name: str, **how: Any) -> dict[str, Any]:
    """Everything that the answer to a question says."""
    players, board, options = QUESTIONS[name]
    return told(pokernel.equity(players, board, **options, **how))


@functools.cache
def by_one_thread(name: str) -> dict[str, Any]:
    """The answer to compare with."""
    return answer(name, threads=1)


class Kills(Executor):
    """Kills one of a pool's processes when some pieces have come back."""

    def __init__(self, pool: Executor, pid: int, after: int) -> None:
        self._pool, self._pid, self._countdown = pool, pid, itertools.count(after, -1)
        self.has_killed = False

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        future = self._pool.submit(fn, *arguments, **options)
        future.add_done_callback(self._count)
        return future

    def _count(self, future: Future[Any]) -> None:
        if not future.cancelled() and future.exception() is None and next(self._countdown) == 0:
            os.kill(self._pid, signal.SIGKILL)
            self.has_killed = True
