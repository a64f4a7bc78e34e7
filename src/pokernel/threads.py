"""Numbered pieces of work over a pool of plain threads: the caller works too, and Ctrl-C stops within a piece."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["cores", "run"]

_pool: ThreadPoolExecutor | None = None


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _forget_pool() -> None:
    """A forked child has the parent's pool, but not its threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def run(work: Callable[[int], None], pieces: int, threads: int) -> None:
    """Call ``work(0)`` … ``work(pieces - 1)``, each once, on up to so many threads, the caller's among them.

    Pieces should be short: an exception or a Ctrl-C waits for those under way, and cancels the rest.
    """
    global _pool
    waiting = deque(range(pieces))

    def drain() -> None:
        while True:
            try:
                piece = waiting.popleft()
            except IndexError:
                return
            work(piece)

    helpers = min(threads, pieces) - 1
    if helpers < 1:
        return drain()
    if _pool is None:
        _pool = ThreadPoolExecutor(max_workers=max(32, cores()), thread_name_prefix="pokernel")
    helping: list[Future[None]] = []
    try:
        for _ in range(helpers):  # one by one: an interrupt between two must find the first
            helping.append(_pool.submit(drain))  # noqa: PERF401
        drain()
    finally:
        waiting.clear()
        for future in helping:
            if not future.cancel():
                future.result()
