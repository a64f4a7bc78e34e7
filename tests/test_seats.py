"""Blocks of deals over threads: all deals, each once, in calls of a fitting size; and which bad one is named."""

import math
import threading

import pytest

from pokernel.bulk import FEWEST, SHARE, at_once
from pokernel.invalid import Index
from pokernel.seats import over_deals


def test_a_call_takes_no_more_than_a_threads_share() -> None:
    assert at_once(10**9, 1 << 18, 1) == at_once(10, 1 << 18, 1) == 1 << 18
    assert at_once(10**9, 1 << 18, 8) == 1 << 18
    assert at_once(1 << 18, 1 << 18, 2) == (1 << 18) // (2 * SHARE)
    assert at_once((1 << 18) + 1, 1 << 18, 2) == (1 << 18) // (2 * SHARE) + 1
    assert at_once(1 << 18, 1 << 18, 1000) == at_once(10, 1 << 18, 2) == FEWEST
    assert at_once(10**9, 50, 8) == 50


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("deals", [(60_000,), (20, 3_000), (3_000, 20), (5,), (3, 1), (1, 2, 30_000)])
@pytest.mark.parametrize("seats", [1, 6, 23])
def test_blocks_are_all_deals_once_and_enough_for_all_threads(deals: tuple[int, ...], seats: int, threads: int) -> None:
    done: list[tuple[int, int]] = []
    lock = threading.Lock()

    def work(index: Index) -> tuple[int, int]:
        *outer, block = index
        first = 0
        for at, extent in zip(outer, deals, strict=False):
            first = first * extent + int(at)
        inner = math.prod(deals[len(outer) + 1 :])
        start = (first * deals[len(outer)] + block.start) * inner
        with lock:
            done.append((start, start + (block.stop - block.start) * inner))
        return 0, -1

    assert over_deals(deals, seats, 1 << 18, threads, work) is None
    done.sort()
    count = math.prod(deals)
    assert [start for start, _ in done] == [0, *(end for _, end in done[:-1])]
    assert done[-1][1] == count
    most = at_once(count * seats, 1 << 18, threads)
    assert all((end - start) * seats <= most for start, end in done)
    if threads > 1 and count * seats >= FEWEST * SHARE * threads:
        assert len(done) >= SHARE * threads
    if threads == 1 and count * seats <= 1 << 18:
        assert len(done) == 1


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize(
    ("deals", "named"), [((60_000,), (4_321,)), ((20, 3_000), (1, 1_321)), ((3_000, 20), (216, 1))]
)
def test_the_first_bad_deal_is_named_and_all_are_counted(
    deals: tuple[int, ...], named: tuple[int, ...], threads: int
) -> None:
    bad = 4_321, 4_322, 59_999

    def work(index: Index) -> tuple[int, int]:
        *outer, block = index
        inner = math.prod(deals[len(outer) + 1 :])
        start = ((int(outer[0]) * deals[1] if outer else 0) + block.start) * inner
        found = [place - start for place in bad if start <= place < start + (block.stop - block.start) * inner]
        return len(found), found[0] if found else -1

    assert over_deals(deals, 6, 1 << 18, threads, work) == (named, 3)
