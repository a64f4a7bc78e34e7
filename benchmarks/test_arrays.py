"""Arrays of hands: sizes, validation, threads, layouts, dtypes, boards; the yardsticks on the same hands."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

import pokernel
from pokernel.threads import cores

from . import harness
from .deal import Dealer, Hands, output
from .harness import BULK
from .yardsticks import SCALAR, best_of_21, roofline, slot_table

pytestmark = pytest.mark.benchmark(group="arrays")
THREADS = sorted({1, cores()})
run = functools.partial(harness.run, paced=True)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("validated", [True, False], ids=["validated", "unvalidated"])
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_rows(benchmark: BenchmarkFixture, cards: int, validated: bool, threads: int) -> None:
    out = output(BULK)
    run(
        benchmark,
        lambda hands: pokernel.evaluate(hands, out=out, validate=validated, threads=threads),
        Dealer(BULK, cards),
        hands=BULK,
        what="evaluate",
        cards=cards,
        validated=validated,
        threads=threads,
    )


def _arranged(arrange: Callable[[Hands], Any]) -> Callable[[], Any]:
    deal = Dealer(BULK)
    return lambda: arrange(deal())


def _one_board() -> Callable[[], Any]:
    deal_board, deal_holes = Dealer(1, 5), Dealer(BULK, 2, deck=47)

    def fresh() -> tuple[Hands, Hands]:
        (board,) = deal_board()
        return np.setdiff1d(np.arange(52, dtype=np.uint8), board)[deal_holes()], board

    return fresh


LAYOUTS: dict[str, tuple[str, str, Callable[[], Callable[[], Any]]]] = {
    "transposed": ("uint8", "transposed (k, n)", lambda: _arranged(lambda hands: np.ascontiguousarray(hands.T).T)),
    "columns": ("uint8", "k columns (n,)", lambda: _arranged(lambda hands: [*np.ascontiguousarray(hands.T)])),
    "int64": ("int64", "rows (n, k)", lambda: _arranged(lambda hands: hands.astype(np.int64))),
    "one-board": ("uint8", "holes (n, 2), one board", _one_board),
    "boards": (
        "uint8",
        "holes (n, 2), boards (n, 5)",
        lambda: _arranged(lambda hands: (hands[:, :2].copy(), hands[:, 2:].copy())),
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(benchmark: BenchmarkFixture, layout: str) -> None:
    dtype, name, dealer = LAYOUTS[layout]
    out = output(BULK)

    def work(given: Any) -> Any:
        if layout == "columns":
            return pokernel.evaluate_columns(*given, out=out, threads=1)
        return pokernel.evaluate(*(given if isinstance(given, tuple) else (given,)), out=out, threads=1)

    run(benchmark, work, dealer(), hands=BULK, what="evaluate", dtype=dtype, layout=name)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_scalar_kernel(benchmark: BenchmarkFixture, cards: int) -> None:
    out = output(BULK)

    def work(hands: Hands) -> NDArray[np.uint16]:
        SCALAR[cards](hands, out)
        return out

    fresh = Dealer(BULK, cards)
    run(
        benchmark, work, fresh, hands=BULK, what="scalar kernel in a loop", by="yardstick", cards=cards, validated=False
    )


def test_best_of_21(benchmark: BenchmarkFixture) -> None:
    hands = BULK >> 3
    out = output(hands)

    def work(given: Hands) -> NDArray[np.uint16]:
        best_of_21(given, out)
        return out

    run(
        benchmark,
        work,
        Dealer(hands),
        hands=hands,
        what="best of 21 five-card subsets",
        by="yardstick",
        validated=False,
    )


def test_roofline(benchmark: BenchmarkFixture) -> None:
    out = output(BULK)

    def work(hands: Hands) -> NDArray[np.uint16]:
        roofline(hands, slot_table(), out)
        return out

    run(
        benchmark,
        work,
        Dealer(BULK),
        hands=BULK,
        what="roofline: read a row and a slot",
        by="yardstick",
        validated=False,
    )
