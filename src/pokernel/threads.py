"""Numbered pieces of work over a pool of plain threads: the caller works too, and Ctrl-C stops within a piece."""

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["cores", "run"]

_pool: "ThreadPoolExecutor | None" = None
_lock = threading.Lock()


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _most_helpers() -> int:
    return max(32, cores())


def _start_anew() -> None:
    """A forked child has the parent's pool, but not its threads, and perhaps a lock that nobody will release."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


def _start(task: Callable[[], None]) -> bool:
    """Have the pool do a task, now or later; False where it takes none, as at the interpreter's end."""
    global _pool
    with _lock:
        try:
            if _pool is None:
                from concurrent.futures import ThreadPoolExecutor  # refuses to be imported at the end, too

                _pool = ThreadPoolExecutor(max_workers=_most_helpers(), thread_name_prefix="pokernel")
            _pool.submit(task)
        except RuntimeError:  # the task may lie in the pool's queue all the same
            return False
        return True


class _Left:
    """Numbered pieces that nobody has begun, in shares of neighbours."""

    def __init__(self, pieces: int, shares: int) -> None:
        self._shares = [range(pieces * i // shares, pieces * (i + 1) // shares) for i in range(shares)]
        self._given_up = False

    def take(self, worker: int) -> int | None:
        """The first piece of the worker's own share, once it is done the last of the longest; None if none is left."""
        shares = self._shares
        own = worker % len(shares)
        if self._given_up:
            return None
        if mine := shares[own]:
            shares[own] = mine[1:]
            return mine[0]
        longest = max(range(len(shares)), key=lambda share: len(shares[share]))
        if theirs := shares[longest]:
            shares[longest] = theirs[:-1]
            return theirs[-1]
        return None

    def give_up(self) -> None:
        """Leave none to be taken: from now on, whatever another thread is just about to note down."""
        self._given_up = True


def run(work: Callable[[int], None], pieces: int, threads: int, *, apart: bool = False) -> None:
    """Call ``work(0)`` … ``work(pieces - 1)``, each once, on up to so many threads, the caller's among them.

    Pieces are begun in order; `apart`: each thread has a share of neighbours, and helps others once it is done. That is
    for pieces that fill a new array: two threads that come to a page of memory at once would both clear one for it.

    Pieces should be short: an exception or a Ctrl-C cancels what nobody has begun, and waits for what is under way on
    every thread, however often Ctrl-C comes. No more than 32 threads, or one a core, help the caller.
    """
    if min(threads, pieces) <= 1:
        for piece in range(pieces):
            work(piece)
        return
    workers = min(threads, pieces, _most_helpers() + 1)
    left = _Left(pieces, workers if apart else 1)
    came, inside, lock = 0, 0, threading.Lock()
    nobody_inside = threading.Condition(lock)
    errors: list[BaseException] = []

    def drain(worker: int) -> None:
        try:
            while True:
                with lock:
                    piece = left.take(worker)
                if piece is None:
                    return
                work(piece)
        except BaseException:
            left.give_up()
            raise

    def help_out() -> None:
        """Drain; a helper that comes late, even once all has ended, is given nothing to touch."""
        nonlocal came, inside
        with lock:
            came += 1
            inside += 1
            worker = came
        try:
            drain(worker)
        except BaseException as error:
            errors.append(error)
        finally:
            with lock:
                inside -= 1
                nobody_inside.notify_all()

    interrupt: KeyboardInterrupt | None = None
    try:
        for _ in range(workers - 1):
            if not _start(help_out):
                break
        drain(0)
    finally:
        while True:
            try:
                with lock:
                    left.give_up()
                    nobody_inside.wait_for(lambda: inside == 0)
                break
            except KeyboardInterrupt as error:
                interrupt = error
    if interrupt is not None:
        raise interrupt
    if errors:
        raise errors[0]
