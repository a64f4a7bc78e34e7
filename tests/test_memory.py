"""No temporary grows with the input."""

import itertools
import math
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import deal

from pokernel import best_five, evaluate, evaluate_columns
from pokernel.bulk import Blocks

HANDS = 1 << 20
Call = Callable[[Any, Any], Any]

CALLS: dict[str, Call] = {
    "rows": lambda hands, out: evaluate(hands, out=out),
    "rows on two threads": lambda hands, out: evaluate(hands, out=out, threads=2),
    "unvalidated": lambda hands, out: evaluate(hands, out=out, validate=False),
    "transposed": lambda hands, out: evaluate(hands.reshape(7, -1).T, out=out, validate=False),
    "columns": lambda hands, out: evaluate_columns(*hands.reshape(7, -1), out=out, validate=False),
    "backwards": lambda hands, out: evaluate(hands[::-1], out=out),
    "hole and board": lambda hands, out: evaluate(hands[:, :2], hands[:, 2:], out=out),
    "one board": lambda hands, out: evaluate(hands[:, :2], hands[0, 2:], out=out, validate=False),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_little_memory_beside_the_input(name: str, dtype: Any, tmp_path: Path, rng: np.random.Generator) -> None:
    np.save(tmp_path / "hands.npy", deal(rng, HANDS, 7).astype(dtype))
    hands = np.load(tmp_path / "hands.npy", mmap_mode="r")
    out = np.empty(HANDS, np.uint16)
    CALLS[name](hands, out)  # tables and compiler come first
    tracemalloc.start()
    CALLS[name](hands, out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000


FIVES: dict[str, Callable[[Any], Any]] = {
    "one axis": best_five,
    "a long last axis": lambda hands: best_five(hands[np.newaxis]),
    "a short last axis": lambda hands: best_five(hands[:, np.newaxis]),
    "three axes": lambda hands: best_five(hands.reshape(4, -1, 16, 7)),
    "columns": lambda hands: best_five(hands.T),
    "hole and board": lambda hands: best_five(hands[:, :2], hands[:, 2:]),
    "backwards": lambda hands: best_five(hands[::-1]),
}


@pytest.mark.parametrize("name", FIVES)
def test_little_memory_beside_the_five_that_play(name: str, rng: np.random.Generator) -> None:
    hands = np.resize(deal(rng, 52, 7), (HANDS, 7))
    best_five(hands[:100])
    if name == "columns":
        hands = hands.T.copy()
    tracemalloc.start()
    FIVES[name](hands)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * HANDS + 2 * HANDS + 4_000_000


def test_a_bad_row_at_the_end_takes_no_more(rng: np.random.Generator) -> None:
    hands = deal(rng, HANDS, 7)
    hands[-1, 0] = hands[-1, 1]
    out = np.empty(HANDS, np.uint16)
    with pytest.raises(ValueError, match=f"row {HANDS - 1}"):
        evaluate(hands, out=out)
    tracemalloc.start()
    with pytest.raises(ValueError, match=f"row {HANDS - 1}"):
        evaluate(hands, out=out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000


# ---- blocks ----------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(1, 300))
def test_blocks_cut_an_array_in_order(shape: list[int], most: int) -> None:
    numbers = np.arange(math.prod(shape)).reshape(shape)
    blocks = Blocks(tuple(shape), most)
    indices = [blocks[number] for number in range(len(blocks))]
    parts = [numbers[index] for index in indices]
    np.testing.assert_array_equal(np.concatenate([part.reshape(-1) for part in parts]), np.arange(numbers.size))
    assert max(part.size for part in parts) <= most
    axis = len(indices[0]) - 1
    assert axis == 0 or math.prod(shape[axis:]) > most  # no axis is cut into single elements without need
    for _, alongside in itertools.groupby(zip(indices, parts, strict=True), key=lambda pair: pair[0][:-1]):
        sizes = [part.size for _, part in alongside]
        even = -(-shape[axis] // len(sizes)) * math.prod(shape[axis + 1 :])
        assert set(sizes[:-1]) <= {even}
        assert sizes[-1] <= even
        assert all(size + other > most for size, other in itertools.pairwise(sizes))


@pytest.mark.parametrize("shape", [(10**12,), (10**6, 10**6), (1, 10**12), (10**12, 1), (10**4, 10**4, 10**4)])
def test_blocks_of_an_endless_array_take_no_memory(shape: tuple[int, ...]) -> None:
    tracemalloc.start()
    blocks = Blocks(shape, 1 << 13)
    ends = blocks[0], blocks[len(blocks) - 1]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000
    assert 10**12 / (1 << 13) <= len(blocks) <= 2 * 10**12 / (1 << 13)
    for index, last in zip(ends, (False, True), strict=True):
        *outer, block = index
        assert outer == [extent - 1 if last else 0 for extent in shape[: len(outer)]]
        assert (block.stop == shape[len(outer)]) if last else (block.start == 0)
