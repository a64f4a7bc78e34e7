"""Numbered pieces of work over a pool of plain threads: the caller works too, and Ctrl-C stops within a piece."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

__all__ = ["cores", "run"]

_pool: ThreadPoolExecutor | None = None
_lock = threading.Lock()


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_anew() -> None:
    """A forked child has the parent's pool, but not its threads, and perhaps a lock that nobody will release."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)


def _submit(task: Callable[[], None]) -> Future[None] | None:
    """Start a task on the pool; None where none can be started any more, as at the interpreter's end."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=max(32, cores()), thread_name_prefix="pokernel")
        try:
            return _pool.submit(task)
        except RuntimeError:
            return None


def run(work: Callable[[int], None], pieces: int, threads: int) -> None:
    """Call ``work(0)`` … ``work(pieces - 1)``, each once, on up to so many threads, the caller's among them.

    Pieces should be short: an exception or a Ctrl-C waits for those under way on every thread, and cancels the rest.
    No more than 32 threads, or one a core, help the caller.
    """
    taken, lock = 0, threading.Lock()

    def take() -> int:
        nonlocal taken
        with lock:
            taken += 1
            return taken - 1

    def drain() -> None:
        nonlocal taken
        try:
            while (piece := take()) < pieces:
                work(piece)
        except BaseException:
            taken = pieces
            raise

    helping: list[Future[None]] = []
    try:
        for _ in range(min(threads, pieces) - 1):
            helper = _submit(drain)
            if helper is None:
                break
            helping.append(helper)
        drain()
    finally:
        taken = pieces
        for helper in helping:
            helper.cancel()
        wait(helping)
    for helper in helping:
        if not helper.cancelled():
            helper.result()
