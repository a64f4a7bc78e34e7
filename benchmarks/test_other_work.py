"""One hand a call, best fives, texts, enumeration."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

import pokernel
from pokernel import enumerate_strengths
from pokernel.threads import cores

from .deal import Dealer, Hands
from .harness import BULK, SINGLE, run
from .peers import phevaluator_texts, single_ints
from .yardsticks import count_nested

EVERY_HAND = math.comb(52, 7)


def texts(hands: Hands, separator: str = "") -> list[str]:
    written: list[str] = pokernel.format_hands(hands, separator).tolist()
    return written


@pytest.mark.benchmark(group="one hand a call")
@pytest.mark.parametrize("form", ["ints", "text", "spaced text"])
def test_one_hand(benchmark: BenchmarkFixture, form: str) -> None:
    deal = Dealer(SINGLE)
    given: dict[str, Any] = {
        "ints": lambda: single_ints(deal()),
        "text": lambda: texts(deal()),
        "spaced text": lambda: texts(deal(), " "),
    }
    layout = {"ints": "a tuple", "text": "AsKs…", "spaced text": "As Ks …"}[form]
    dtype = "int" if form == "ints" else "text"
    evaluate = pokernel.evaluate
    run(
        benchmark,
        lambda hands: list(map(evaluate, hands)),
        given[form],
        hands=SINGLE,
        what="evaluate, one hand a call",
        dtype=dtype,
        layout=layout,
    )


@pytest.mark.benchmark(group="one hand a call")
def test_one_hand_by_phevaluator(benchmark: BenchmarkFixture) -> None:
    pytest.importorskip("phevaluator")
    deal = Dealer(SINGLE)
    run(
        benchmark,
        lambda work: work(),
        lambda: phevaluator_texts(deal()),
        hands=SINGLE,
        what="evaluate_7cards(*texts)",
        by="phevaluator",
        dtype="text",
        layout="7 card texts",
        validated=False,
    )


@pytest.mark.benchmark(group="other work")
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_best_five(benchmark: BenchmarkFixture, cards: int) -> None:
    hands = BULK >> 2  # their strengths are found on every core, which cards make them on one
    run(
        benchmark, pokernel.best_five, Dealer(hands, cards), hands=hands, what="best_five", cards=cards, threads=cores()
    )


@pytest.mark.benchmark(group="other work")
@pytest.mark.parametrize("separator", ["", " "], ids=["run-together", "spaced"])
def test_parse_hands(benchmark: BenchmarkFixture, separator: str) -> None:
    hands = 1 << 17
    deal = Dealer(hands)
    layout = "As Ks …" if separator else "AsKs…"
    what = "parse_hands"
    run(
        benchmark,
        pokernel.parse_hands,
        lambda: texts(deal(), separator),
        hands=hands,
        what=what,
        dtype="text",
        layout=layout,
    )


def _weighted(counts: NDArray[np.int64]) -> int:
    return int(counts @ np.arange(len(counts)))


@pytest.mark.benchmark(group="other work")
def test_enumerate_strengths(benchmark: BenchmarkFixture) -> None:
    run(
        benchmark,
        lambda _: enumerate_strengths(),
        lambda: None,
        hands=EVERY_HAND,
        what="enumerate_strengths(), all C(52, 7)",
        dtype="none",
        layout="none",
        checksum=_weighted,
    )


@pytest.mark.benchmark(group="other work")
def test_nested_loops(benchmark: BenchmarkFixture) -> None:
    def work(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        count_nested(counts)
        return counts

    run(
        benchmark,
        work,
        lambda: np.zeros(7463, np.int64),
        hands=EVERY_HAND,
        what="seven nested loops, all C(52, 7)",
        by="yardstick",
        dtype="none",
        layout="none",
        validated=False,
        checksum=_weighted,
    )
