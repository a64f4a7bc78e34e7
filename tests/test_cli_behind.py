"""Work done on a thread of its own: in order, not too far behind, and not after something went wrong."""

import threading
import time
from collections.abc import Iterator

import pytest

from pokernel.cli.behind import do_behind

PATIENCE = 30.0


def one(item: object) -> int:
    return 1


def test_everything_is_done_in_order_on_one_other_thread() -> None:
    done: list[int] = []
    threads: set[int] = set()

    def do(item: int) -> None:
        time.sleep(0.001 * (item % 3))
        threads.add(threading.get_ident())
        done.append(item)

    do_behind(iter(range(100)), do, one, 7)
    assert done == list(range(100))
    assert len(threads) == 1
    assert threading.get_ident() not in threads
    assert not [thread for thread in threading.enumerate() if thread.ident in threads]
    do_behind([], do, one, 7)
    assert len(done) == 100


@pytest.mark.parametrize("sizes", [[3] * 40, [1, 9, 4, 7, 2, 10] * 5, [0] * 20, [11, 12, 1, 50, 50, 2, 8], [99]])
def test_no_more_waits_than_may(sizes: list[int]) -> None:
    """Ten at most together, or one by itself."""
    limit, lock = 10, threading.Lock()
    waiting: list[int] = []
    done: list[int] = []

    def items() -> Iterator[int]:
        for index, size in enumerate(sizes):
            with lock:
                assert sum(waiting) <= limit or len(waiting) == 1
                waiting.append(size)
            yield index

    def do(item: int) -> None:
        time.sleep(0.002)
        with lock:
            waiting.remove(sizes[item])
            done.append(item)

    # What has been yielded and finds no room is not among those that wait: it counts from the next one on.
    do_behind(items(), do, sizes.__getitem__, limit)
    assert done == list(range(len(sizes)))
    assert waiting == []


@pytest.mark.parametrize(("size", "ahead"), [(0, 8), (3, 4), (5, 3), (6, 2), (10, 2), (11, 2)])
def test_items_are_asked_for_ahead(size: int, ahead: int) -> None:
    """As many as may wait, the one under way among them, and one more."""
    asked = 0

    def items() -> Iterator[int]:
        nonlocal asked
        for item in range(8):
            asked += 1
            yield item

    def do(item: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while asked < min(item + ahead, 8) and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.02)
        assert asked == min(item + ahead, 8)

    do_behind(items(), do, lambda item: size, 10)
    assert asked == 8


def test_an_item_larger_than_the_limit_waits_for_the_others() -> None:
    done: list[int] = []
    do_behind([1, 100, 2, 200], done.append, lambda item: item, 10)
    assert done == [1, 100, 2, 200]


@pytest.mark.parametrize("kind", [ValueError, OSError, KeyboardInterrupt, MemoryError])
def test_what_goes_wrong_is_raised_and_nothing_done_after(kind: type[BaseException]) -> None:
    """Also not what waits already."""
    done: list[int] = []
    queued = threading.Event()
    error = kind("no room")

    def items() -> Iterator[int]:
        for item in range(6):
            if item == 5:
                queued.set()
                time.sleep(0.3)  # time for those that wait, were they to be done
            yield item

    def do(item: int) -> None:
        if item == 1:
            assert queued.wait(PATIENCE)
            raise error
        done.append(item)

    with pytest.raises(kind) as caught:
        do_behind(items(), do, one, 100)
    assert caught.value is error
    assert done == [0]


def test_what_goes_wrong_with_the_last_item() -> None:
    def do(item: int) -> None:
        if item == 2:
            raise ValueError("the last")

    with pytest.raises(ValueError, match="the last"):
        do_behind(range(3), do, one, 100)


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_goes_wrong_with_the_items(kind: type[BaseException]) -> None:
    """The one under way is waited for, the others are not begun."""
    done: list[int] = []
    over = threading.Event()

    def items() -> Iterator[int]:
        yield from range(4)
        over.set()
        raise kind("no more")

    def do(item: int) -> None:
        assert over.wait(PATIENCE)
        time.sleep(0.5)
        done.append(item)

    with pytest.raises(kind, match="no more"):
        do_behind(items(), do, one, 100)
    assert done == [0]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pokernel-behind")]
