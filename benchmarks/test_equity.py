"""Questions of equity, trials, showdowns, pots: ours alone, `ratios` has the peers."""

import functools
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import pokernel
from pokernel.threads import cores

from . import harness
from .deal import Dealer
from .equity_groups import AA, AK, ANY, DEALT, FLOP, FLOPPED, SIX, WIDE_FLOP, chips_of, flopped, seated
from .equity_peers import Question

pytestmark = pytest.mark.benchmark(group="odds")
THREADS = sorted({1, cores()})
DEALS = 1_000_000
TRIALS = 1 << 20
run = functools.partial(harness.run, rounds=5)

EXACT = {
    "one hand v another": ("table", AK, 1, 50),
    "one hand v another, no table": ("match-ups", AK, 1, 50),
    "a hand v random, no table": ("match-ups", AA, cores(), 1),
    "random v random": ("table", ANY, 1, 50),
    "random v random, no table": ("sweep", ANY, cores(), 1),
    "20 % v 15 %": ("exact", FLOP, 1, 20),
    "50 % v 42 %": ("exact", WIDE_FLOP, 1, 20),
    "a hand v a range v a hand": ("match-ups", Question(("AsKs", "QQ+,AKs", "JcTc"), "Ah7d2s"), 1, 50),
}
"""What it is called; the method, the question, threads at most, how often it is asked in a round."""


def _input(question: Question) -> str:
    """Long ranges by their share of all combos."""
    texts = (player if len(player) < 16 else f"{len(pokernel.Range(player)) / 1326:.0%}" for player in question.players)
    return " v ".join(texts) + f", {f'board {question.board}' if question.board else 'before the flop'}"


def _won(result: pokernel.Equity) -> int:
    return int(result.counts[(0,)])


def _ask(benchmark: BenchmarkFixture, question: Question, threads: int, times: int = 1, **options: Any) -> None:
    players = list(map(pokernel.Range, question.players))

    def work(_: None) -> pokernel.Equity:
        answers = (pokernel.equity(players, question.board, threads=threads, **options) for _ in range(times))
        return list(answers)[-1]

    run(
        benchmark,
        work,
        lambda: None,
        hands=options.get("trials", times),
        unit="trials" if "trials" in options else "questions",
        what=f"equity, method={options['method']!r}",
        dtype="Range",
        layout=_input(question),
        threads=threads,
        checksum=_won,
    )


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", EXACT)
def test_exact(benchmark: BenchmarkFixture, name: str, threads: int) -> None:
    method, question, most, times = EXACT[name]
    if threads > most:
        pytest.skip("one thread is enough")
    _ask(benchmark, question, threads, times, method=method)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", [name for name in DEALT if name != "two ranges"])  # its trials may be whole boards
def test_monte_carlo(benchmark: BenchmarkFixture, name: str, threads: int) -> None:
    if threads > 1 and name != "two hands":
        pytest.skip("one thread is enough")
    _ask(benchmark, DEALT[name], threads, method="monte-carlo", trials=TRIALS, seed=1)


@pytest.mark.parametrize("threads", THREADS)
def test_showdown(benchmark: BenchmarkFixture, threads: int) -> None:
    deal = Dealer(DEALS, SIX)
    run(
        benchmark,
        lambda given: pokernel.showdown(*given, threads=threads),
        lambda: seated(deal()),
        hands=DEALS,
        unit="deals",
        what="showdown",
        layout="boards (n, 5), holes (n, 6, 2)",
        threads=threads,
        checksum=lambda shown: int(shown.strengths.sum(dtype=np.int64)),
    )


@pytest.mark.parametrize("threads", THREADS)
def test_equities(benchmark: BenchmarkFixture, threads: int) -> None:
    deals = 1 << 17
    deal = Dealer(deals, FLOPPED)
    run(
        benchmark,
        lambda given: pokernel.equities(*given, threads=threads),
        lambda: flopped(deal()),
        hands=deals,
        unit="deals",
        what="equities",
        layout="flops (n, 3), holes (n, 2, 2)",
        threads=threads,
        checksum=lambda found: int(np.rint(found.sum())),
    )


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("by_pot", [False, True], ids=["payouts", "by-pot"])
def test_settle(benchmark: BenchmarkFixture, by_pot: bool, threads: int) -> None:
    deals = DEALS // 10 if by_pot else DEALS
    deal = Dealer(deals, SIX)
    seats = np.arange(1, 7)
    run(
        benchmark,
        lambda given: pokernel.settle(*given, by_pot=by_pot, threads=threads),
        lambda: chips_of(deal()),
        hands=deals,
        unit="deals",
        what="settle, by_pot=True" if by_pot else "settle",
        dtype="int64",
        layout="contributions, strengths, live (n, 6)",
        threads=threads,
        checksum=lambda paid: int(((paid.payouts if by_pot else paid) @ seats).sum()),
    )
