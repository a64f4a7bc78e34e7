"""Work that is done behind the caller's back: on a thread of its own, in order, never far behind."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["do_behind"]

Item = TypeVar("Item")


def do_behind(items: Iterable[Item], do: Callable[[Item], None], size: Callable[[Item], int], limit: int) -> None:
    """
    Do something with each item on another thread, while this one gets the next items.

    Parameters
    ----------
    items : iterable
        Asked for its items here.
    do : callable
        What to do with one. What goes wrong there is raised here, as is what goes wrong with `items`; then no item
        is begun any more, and the one under way is waited for.
    size : callable
        How large an item is.
    limit : int
        How large all that wait may be together; a single one may be larger.
    """
    failed = False

    def attempt(item: Item) -> None:
        nonlocal failed
        if failed:  # what waits then would otherwise go on until the caller hears of it
            return
        try:
            do(item)
        except BaseException:
            failed = True
            raise

    waiting: deque[tuple[Future[None], int]] = deque()
    total = 0
    thread = ThreadPoolExecutor(1, "pokernel-behind")
    try:
        for item in items:
            more = size(item)
            while waiting and (waiting[0][0].done() or total + more > limit):
                waiting[0][0].result()
                total -= waiting.popleft()[1]
            waiting.append((thread.submit(attempt, item), more))
            total += more
        for future, _ in waiting:
            future.result()
    finally:
        thread.shutdown(cancel_futures=True)
