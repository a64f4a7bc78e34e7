"""Numbered pieces of work on threads or on any executor, merged in order, each counted exactly once.

Work is a class and its arguments, and is sent as such: a worker builds it once and then takes pieces. Results are
vectors that add up; integers are added as integers, floats in the order of the pieces, so that the sum does not depend
on who did what.
"""

import functools
import pickle
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from threading import Lock, get_ident
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..executors import Lost, hand_out
from ..threads import run
from .result import Equity

__all__ = ["DoneBy", "Report", "Ticker", "Total", "Work", "add_up"]

Vector = NDArray[Any]
Piece = int | tuple[int, ...]
"""What an engine runs: the number of a piece, or several arguments."""
Report = Callable[[Callable[[], tuple[Equity, float] | None]], None]
"""Takes partial results, if there are any, and the share done; they are made only when they are due."""


class DoneBy(NamedTuple):
    """Who does the work: so many threads, or an executor."""

    threads: int
    executor: Executor | None


class Work:
    """An engine by its class and arguments; picklable, and small."""

    def __init__(self, engine: Callable[..., Any], *arguments: Any) -> None:
        self.engine, self.arguments = engine, arguments
        self._built: Any = None

    @property
    def built(self) -> Any:
        """The engine, built where it is needed; without a lock, which a forked child would find locked for ever."""
        if self._built is None:
            self._built = self.engine(*self.arguments)
        return self._built

    def run(self, piece: Piece) -> Vector:
        """Have the engine run a piece."""
        vector: Vector = self.built.run(*piece) if isinstance(piece, tuple) else self.built.run(piece)
        return vector

    def __getstate__(self) -> dict[str, Any]:
        return {"engine": self.engine, "arguments": self.arguments, "_built": None}


@functools.lru_cache(maxsize=4)
def _unpickled(pickled: bytes) -> Work:
    work: Work = pickle.loads(pickled)
    return work


def _run_there(pickled: bytes, piece: Piece) -> Vector:
    """What a worker does."""
    return _unpickled(pickled).run(piece)


class Total:
    """A sum of vectors in the order of their pieces, whatever the order in which they come; any thread may add."""

    def __init__(self, integral: bool) -> None:
        self._integral = integral
        self._early: dict[int, Vector] = {}
        self._lock = Lock()
        self._sum: Vector | None = None
        self._merged = 0

    def add(self, number: int, vector: Vector) -> None:
        """Add the vector of the piece that is `number` in order, once all before it are added."""
        with self._lock:
            self._early[number] = vector
            while self._merged in self._early:
                due = self._early.pop(self._merged)
                if self._integral:
                    due = due.astype(np.int64).astype(object)  # Python's integers have no largest
                self._sum = due if self._sum is None else self._sum + due
                self._merged += 1

    def so_far(self) -> tuple[Vector | None, int]:
        """The sum, None if there is nothing yet, and of how many pieces, at one moment."""
        with self._lock:
            return self._sum, self._merged


def add_up(work: Work, pieces: Sequence[Piece], total: Total, done_by: DoneBy, report: Callable[[], None]) -> None:
    """Run the pieces and add their vectors to a total, after those that it has; `report` is called now and then."""
    _, offset = total.so_far()
    left: Sequence[int] | Lost = range(len(pieces))
    if done_by.executor is not None:
        lost = Lost()
        task = functools.partial(_run_there, pickle.dumps(work))
        for number, vector in hand_out(task, pieces, done_by.executor, lost, "the rest is done here"):
            total.add(offset + number, vector)
            report()
        left = lost
    if not left:
        return
    caller, _ = get_ident(), work.built

    def one(index: int) -> None:
        total.add(offset + left[index], work.run(pieces[left[index]]))
        if get_ident() == caller:
            report()

    run(one, len(left), done_by.threads)


class Ticker:
    """Says now and then that it is time: often enough for the eye, too seldom to cost."""

    def __init__(self, seconds: float = 0.1) -> None:
        self._seconds = seconds
        self.start()

    def start(self) -> None:
        """Wait once more from now on."""
        self._next = time.monotonic() + self._seconds

    @property
    def due(self) -> bool:
        """Whether it is time."""
        return time.monotonic() >= self._next
