"""Pieces of work on any ``concurrent.futures`` executor; those that a worker takes with it when it dies, again."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from itertools import chain
from queue import SimpleQueue
from typing import TypeVar

__all__ = ["Lost", "hand_out"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

OUTSTANDING = 256
"""Pieces that an executor has at a time, at most."""
ATTEMPTS = 3
"""Times that a piece is given to an executor that loses it."""


class Lost:
    """Numbers of pieces that an executor lost for good: of some, and of all that it never had, however many."""

    def __init__(self) -> None:
        self._some: list[int] = []
        self._rest = range(0)

    def __len__(self) -> int:
        return len(self._some) + len(self._rest)

    def __getitem__(self, index: int) -> int:
        return self._some[index] if index < len(self._some) else self._rest[index - len(self._some)]

    def __iter__(self) -> Iterator[int]:
        return chain(self._some, self._rest)

    def add(self, number: int) -> None:
        """Add one."""
        self._some.append(number)

    def add_from(self, first: int, count: int) -> None:
        """Add all from the first on, of so many pieces in all; once."""
        self._rest = range(first, count)


def hand_out(
    task: Callable[[Piece], Result], pieces: Sequence[Piece], executor: Executor, lost: Lost, what_then: str
) -> Iterator[tuple[int, Result]]:
    """Results by the number of their piece, as they come.

    Parameters
    ----------
    task : callable
        Takes a piece; both picklable.
    pieces : sequence
        What is to be done; a piece that is lost with its worker is given out again, so doing it twice must not hurt.
    executor : concurrent.futures.Executor
        Does it.
    lost : Lost
        Gets the numbers of pieces that the executor loses again and again, or does not take any more.
    what_then : str
        What happens to those, for a warning.

    Raises
    ------
    Exception
        What a task raises.
    """
    waiting: dict[Future[Result], int] = {}
    # `concurrent.futures.wait` never hears of those that a shutdown cancels, callbacks do.
    done: SimpleQueue[Future[Result]] = SimpleQueue()
    again: list[int] = []
    attempts: Counter[int] = Counter()
    fresh, broken = 0, False
    try:
        while again or fresh < len(pieces) or waiting:
            while (again or fresh < len(pieces)) and len(waiting) < OUTSTANDING:
                number = again.pop() if again else fresh
                fresh += number == fresh
                if not broken and attempts[number] < ATTEMPTS:
                    try:
                        future = executor.submit(_attempt, task, pieces[number], attempts[number])
                    except RuntimeError as error:  # a broken pool, or one that is shut down
                        broken = True
                        told = f"the executor takes no more work ({error}): {what_then}"
                        warnings.warn(told, RuntimeWarning, stacklevel=5)
                    else:
                        waiting[future] = number
                        future.add_done_callback(done.put)
                        continue
                lost.add(number)
                if broken and fresh < len(pieces):
                    lost.add_from(fresh, len(pieces))
                    fresh = len(pieces)
            if not waiting:
                continue
            future = done.get()
            number = waiting.pop(future)
            try:
                result = future.result()
            except Exception as error:
                if not _is_lost(error):
                    raise
                attempts[number] += 1
                again.append(number)
                continue
            yield number, result
    finally:
        for future in waiting:
            future.cancel()


def _attempt(task: Callable[[Piece], Result], piece: Piece, attempt: int) -> Result:
    """Do a piece; Dask gives the same call the same answer, also where that was that its worker died."""
    return task(piece)


def _is_lost(error: Exception) -> bool:
    """Whether an error tells of a worker that went away, not of the work."""
    lost = (BrokenExecutor, CancelledError, ConnectionError, EOFError, TimeoutError)
    return isinstance(error, lost) or type(error).__name__ in {
        "KilledWorker",
        "FutureCancelledError",
        "CommClosedError",
        "LostDependencyError",
    }
