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

                _pool = ThreadPoolExecutor(max_workers=max(32, cores()), thread_name_prefix="pokernel")
            _pool.submit(task)
        except RuntimeError:  # the task may lie in the pool's queue all the same
            return False
        return True


def run(work: Callable[[int], None], pieces: int, threads: int) -> None:
    """Call ``work(0)`` … ``work(pieces - 1)``, each once, on up to so many threads, the caller's among them.

    Pieces should be short: an exception or a Ctrl-C cancels what nobody has begun, and waits for what is under way on
    every thread, however often Ctrl-C comes. No more than 32 threads, or one a core, help the caller.
    """
    if min(threads, pieces) <= 1:
        for piece in range(pieces):
            work(piece)
        return
    taken, inside, lock = 0, 0, threading.Lock()
    nobody_inside = threading.Condition(lock)
    errors: list[BaseException] = []

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

    def help_out() -> None:
        """Drain, if there is still something to do: a helper that comes late must not touch anything."""
        nonlocal inside
        with lock:
            if taken >= pieces:
                return
            inside += 1
        try:
            drain()
        except BaseException as error:
            errors.append(error)
        finally:
            with lock:
                inside -= 1
                nobody_inside.notify_all()

    interrupt: KeyboardInterrupt | None = None
    try:
        for _ in range(min(threads, pieces) - 1):
            if not _start(help_out):
                break
        drain()
    finally:
        while True:
            try:
                with lock:
                    taken = pieces
                    nobody_inside.wait_for(lambda: inside == 0)
                break
            except KeyboardInterrupt as error:
                interrupt = error
    if interrupt is not None:
        raise interrupt
    if errors:
        raise errors[0]
