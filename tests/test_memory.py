"""No temporary grows with the input."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layouts import deal

from pokernel import best_five, evaluate, evaluate_columns

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


def test_little_memory_beside_the_five_that_play(rng: np.random.Generator) -> None:
    hands = deal(rng, HANDS, 7)[np.newaxis]
    best_five(hands[:, :100])
    tracemalloc.start()
    best_five(hands)
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
