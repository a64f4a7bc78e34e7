"""Showdowns 32 deals at a time: the same as one by one, whatever the cards, and no byte outside the arrays."""

import itertools
import sys
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from modes import GUARD_PAGES, IS_IN_THIS_MODE, MODES

from pokernel import DuplicateCardError, showdown
from pokernel.jit import showdown as one_by_one
from pokernel.jit import showdowns

SEATS = range(1, 24)
SIZES = (1, 31, 32, 38, 39, 40, 70, 71, 72, 200)


def deal(rng: np.random.Generator, n: int, k: int, deck: int = 52) -> Any:
    """Rows of k different cards, of the first so many of the deck."""
    return rng.permuted(np.tile(np.arange(deck, dtype=np.uint8), (n, 1)), axis=1)[:, :k]


def seated(cards: Any) -> tuple[Any, Any]:
    """Read-only boards and holes of rows of cards."""
    boards, holes = cards[:, :5].copy(), cards[:, 5:].reshape(len(cards), -1, 2).copy()
    boards.flags.writeable = holes.flags.writeable = False
    return boards, holes


def shown(room: Any, boards: Any, holes: Any, live: Any = None) -> tuple[Any, Any, Any]:
    """How many are bad, and which first; strengths; winners."""
    seats = holes.shape[:2]
    strengths, winners = np.full(seats, 7777, np.uint16), np.ones(seats, np.bool_)
    given = (boards, holes) if live is None else (boards, holes, live)
    show = room.show_all if live is None else room.show_live
    return show(*given, one_by_one.tables(), strengths, winners), strengths, winners


@pytest.mark.parametrize("seats", SEATS)
def test_the_same_as_one_by_one(seats: int, rng: np.random.Generator) -> None:
    """Good deals, deals with one bad card, and bytes that are mostly no cards; all live, or some."""
    for size in SIZES:
        good = deal(rng, size, 5 + 2 * seats)
        one_bad = good.copy()
        rows = rng.random(size) < 0.1
        one_bad[rows, rng.integers(0, 5 + 2 * seats, size)[rows]] = rng.integers(0, 256, size)[rows]
        for cards in (good, one_bad, rng.integers(0, 256, good.shape, np.uint8)):
            boards, holes = seated(cards)
            for live in (None, rng.random((size, seats)) < 0.7, np.zeros((size, seats), np.bool_)):
                if live is not None:
                    live.flags.writeable = False
                expected, found = (shown(room, boards, holes, live) for room in (one_by_one, showdowns))
                assert found[0] == expected[0]
                if cards is good:
                    np.testing.assert_array_equal(found[1], expected[1])
                    np.testing.assert_array_equal(found[2], expected[2])


@pytest.mark.parametrize("seats", [1, 2, 5, 6, 9, 23])
def test_against_the_rules(seats: int, rng: np.random.Generator) -> None:
    cards = deal(rng, 300, 5 + 2 * seats)
    cards[::3] = 2 * deal(rng, 100, 5 + 2 * seats, 26) if seats < 10 else cards[::3]  # two suits alone: flushes
    boards, holes = seated(cards)
    expected = np.stack([naive.strengths(np.concatenate([boards, holes[:, p]], axis=1)) for p in range(seats)], axis=1)
    live = rng.random((300, seats)) < 0.8
    live[:, 0] = True
    for folding in (None, live):
        kept = expected if folding is None else np.where(folding, expected, 0)
        result = showdown(boards, holes, live=folding)
        np.testing.assert_array_equal(result.strengths, kept)
        np.testing.assert_array_equal(result.winners, kept == kept.max(axis=1, keepdims=True))


@pytest.mark.parametrize("seats", [1, 4, 6, 10])
def test_every_pair_of_places_is_compared(seats: int, rng: np.random.Generator) -> None:
    """A deal for each pair, in which these two cards are the same; a folded seat's card may be anybody's."""
    pairs = list(itertools.combinations(range(5 + 2 * seats), 2))
    cards = deal(rng, len(pairs), 5 + 2 * seats)
    for row, (one, other) in enumerate(pairs):
        cards[row, other] = cards[row, one]
    boards, holes = seated(cards)
    with pytest.raises(DuplicateCardError, match=rf"^row 0: .* \({len(pairs)} of {len(pairs)} rows are bad\)$"):
        showdown(boards, holes)
    for row in range(0, len(pairs), 17):
        some = deal(rng, len(pairs), 5 + 2 * seats)
        some[row] = cards[row]
        with pytest.raises(DuplicateCardError, match=rf"^row {row}: .* \(1 of {len(pairs)} rows is bad\)$"):
            showdown(*seated(some))
    live = np.ones((len(pairs), seats), np.bool_)
    for row, (_, other) in enumerate(pairs):
        if other >= 5:
            live[row, (other - 5) // 2] = False
    fit = live.any(axis=1) & (np.array([other for _, other in pairs]) >= 5)
    assert showdown(boards[fit], holes[fit], live=live[fit]).winners.any(axis=1).all()


BETWEEN_GUARD_PAGES = """
def placed(memory, shape, dtype, end):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return (memory[len(memory) - size :] if end else memory[:size]).view(dtype).reshape(shape)

places = [between_guards() for _ in range(5)]
rng = np.random.default_rng(7)
for seats in range(1, 24):
    for n in (*range(28, 45), 63, 64, 71, 72, 78, 110):
        cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)[:, : 5 + 2 * seats]
        alive = rng.random((n, seats)) < 0.7
        alive[:, 0] = True
        expected = pokernel.evaluate(cards[:, 5:].reshape(n, seats, 2), cards[:, None, :5])
        for end in (False, True):
            boards, holes, live = (
                placed(place, shape, dtype, end)
                for place, shape, dtype in zip(places, ((n, 5), (n, seats, 2), (n, seats)), (np.uint8, np.uint8, np.bool_))
            )
            boards[:], holes[:], live[:] = cards[:, :5], cards[:, 5:].reshape(holes.shape), alive
            out = pokernel.Showdown(placed(places[3], (n, seats), np.uint16, end), placed(places[4], (n, seats), np.bool_, end))
            for folding in (None, live):
                kept = expected if folding is None else np.where(alive, expected, 0)
                for memory in places[3:]:
                    memory[:] = 0xA5
                pokernel.showdown(boards, holes, live=folding, out=out)
                assert (out.strengths == kept).all(), (seats, n)
                assert (out.winners == (kept == kept.max(axis=1, keepdims=True))).all(), (seats, n)
                for memory, array in zip(places[3:], (out.strengths, out.winners)):
                    beside = memory[: -array.nbytes] if end else memory[array.nbytes :]
                    assert (beside == 0xA5).all(), (seats, n)
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect through ctypes is Linux's")
@MODES
def test_nothing_outside_the_arrays_is_read_or_written(mode: dict[str, str], run_python: RunPython) -> None:
    ended = run_python(IS_IN_THIS_MODE + GUARD_PAGES + BETWEEN_GUARD_PAGES, env=mode)
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr
