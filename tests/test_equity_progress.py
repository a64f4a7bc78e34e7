"""What is told meanwhile, and how to leave: callbacks, the bar on standard error, Ctrl-C."""

import contextlib
import itertools
import math
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest
from asked import answer, by_one_thread
from conftest import RunPython
from spots import told

import pokernel
from pokernel import Equity

LONG: dict[str, tuple[list[Any], str, dict[str, Any]]] = {
    "sweep": (["random", "random"], "", {"method": "sweep", "categories": True}),
    "match-ups": (["TT+, AK", "99-55, AQ", "A5s-A2s, KQs"], "", {"method": "match-ups"}),
    "deals": (["AsKs", "QQ", "random"], "", {"method": "monte-carlo", "trials": 20_000_000, "seed": 1}),
    "to an error": (["AsKs", "QQ", "random"], "", {"method": "monte-carlo", "target_error": 0.0001, "seed": 1}),
    "clusters": (["20%", "15%"], "", {"method": "monte-carlo", "trials": 400_000, "seed": 1, "categories": True}),
}
"""Each takes several tenths of a second."""
EVERY = pytest.mark.parametrize("name", LONG)


class Enough(Exception):
    pass


@EVERY
@pytest.mark.parametrize("where", ["one thread", "threads", "executor"])
def test_a_callback_gets_partial_results(name: str, where: str) -> None:
    """In the caller's thread; they are consistent, and more each time; then the result is the same as without."""
    players, board, options = LONG[name]
    calls: list[tuple[Equity, float, int]] = []

    def listen(partial: Equity, share: float) -> None:
        calls.append((partial, share, threading.get_ident()))
        if len(calls) == 4:
            raise Enough

    with ThreadPoolExecutor(2) as pool:
        ways: dict[str, dict[str, Any]] = {
            "one thread": {"threads": 1},
            "threads": {"threads": 3},
            "executor": {"executor": pool},
        }
        with contextlib.suppress(Enough):
            for _ in range(100):
                pokernel.equity(players, board, progress=listen, **options, **ways[where])
    assert len(calls) == 4
    seen: list[tuple[Equity, float]] = []
    for partial, share, thread in calls:
        if seen and partial.total < seen[-1][0].total:
            seen.clear()  # another round: the machine is fast
        seen.append((partial, share))
        assert thread == threading.get_ident()
        assert 0 < share <= 1
        assert not partial.exact
        assert partial.method == ("monte-carlo" if "seed" in options else name)
        assert math.isclose(sum(partial.counts.values()), partial.total)
        assert math.isclose(sum(partial.equity), 1)
        assert len(partial.standard_error) == len(partial.players) == len(players)
        assert str(partial)
    for (before, share_before), (after, share_after) in itertools.pairwise(seen):
        assert after.total >= before.total  # an executor may not have done the next piece
        assert share_after >= share_before
        assert all(after.counts.get(who, 0) >= n for who, n in before.counts.items())


def test_a_callback_changes_nothing() -> None:
    for name in ("sweep", "deals to an error", "clusters to an error"):
        assert answer(name, progress=lambda partial, share: None) == by_one_thread(name)
        assert answer(name, progress=False) == by_one_thread(name)


@EVERY
def test_a_partial_estimate_is_one(name: str) -> None:
    """Of random deals with their error; of a count, which is in no random order, without one."""
    players, board, options = LONG[name]
    looked = False

    def look(partial: Equity, share: float) -> None:
        nonlocal looked
        looked = True
        if "seed" in options:
            assert partial.trials > 0
            assert partial.seed == 1
            assert 0 < max(partial.standard_error) < 0.1
            share_of_total = partial.trials / options.get("trials", math.inf)
            assert share == pytest.approx(share_of_total) or "target_error" in options
        else:
            assert all(map(math.isnan, partial.standard_error))
            assert told(partial)["standard_error"] == [None] * len(players)
        raise Enough

    with contextlib.suppress(Enough):
        for _ in range(100):
            pokernel.equity(players, board, progress=look, **options)
    assert looked


def test_the_bar_is_drawn_on_standard_error_only(run_python: RunPython) -> None:
    ended = run_python(
        "import pokernel\n"
        "for method in ('sweep', 'monte-carlo'):\n"
        "    print(pokernel.equity(['random', '22+'], method=method, seed=1, trials=20_000_000, progress=True).method)\n"
    )
    assert (ended.returncode, ended.stdout) == (0, "sweep\nmonte-carlo\n"), ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("terminal", [False, True])
def test_the_bar_without_rich(terminal: bool, run_python: RunPython) -> None:
    """One line that is drawn over and over, and gone at the end; only where there is a terminal."""
    ended = run_python(
        "import sys\n"
        "sys.modules['rich'] = None\n"
        f"sys.stderr.isatty = lambda: {terminal}\n"
        "import pokernel\n"
        "for _ in range(2):\n"
        "    result = pokernel.equity(['random', 'random'], method='sweep', progress=True)\n"
        "print(result.equity[0])\n"
    )
    assert (ended.returncode, ended.stdout) == (0, "0.5\n"), ended.stderr
    if terminal:
        assert "50.00%  50.00%" in ended.stderr
        drawn = ended.stderr.split("\n")  # carriage returns, as text
        assert drawn[0] == ""
        assert all(line.startswith("\033[K[") or line == "\033[K" for line in drawn[1:])
        assert drawn[-1] == "\033[K"
    else:
        assert ended.stderr == ""


@pytest.mark.parametrize("progress", ["yes", 1, 0.5, [], object()])
def test_what_is_no_progress(progress: Any) -> None:
    with pytest.raises(TypeError, match="progress"):
        pokernel.equity(["AA", "KK"], progress=progress)


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import os, signal, statistics, threading, time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
import pokernel

kind, pool = KIND, ThreadPoolExecutor(2)
question = {
    "sweep": ["random", "random"],
    "match-ups": ["22+, AT+"] * 3,
    "deals": ["22+, AT+", "random", "AsKs"],
    "clusters": ["20%", "15%"],
}[kind]
method = kind if kind in ("sweep", "match-ups") else "monte-carlo"

def latency(**how):
    sent = []
    def interrupt():
        time.sleep(0.05)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        while True:
            pokernel.equity(question, method=method, trials=2_000_000_000, **how)
    except KeyboardInterrupt:
        passed = time.monotonic() - sent[0]
    sender.join()
    return passed

pokernel.equity(question, "2c 7d 9h Js", method=method, trials=10_000)  # what is imported or compiled is not interrupted
for how in ({}, {"executor": pool, "progress": lambda partial, share: None}):
    for _ in range(4):
        tries = [latency(**how) for _ in range(3)]
        if statistics.median(tries) < 0.25:
            print("soon", pokernel.equity(["AsKs", "QQ"], "2c 7d 9h", method="match-ups").total)
            break
    else:
        print(tries)
os._exit(0)  # a pool's threads may be in a piece
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGINT as POSIX has it")
@pytest.mark.parametrize("kind", ["sweep", "match-ups", "deals", "clusters"])
def test_ctrl_c_within_a_fraction_of_a_second(kind: str, run_python: RunPython) -> None:
    """With or without an executor; a busy machine gets four chances for a median."""
    ended = run_python(INTERRUPTED.replace("KIND", repr(kind)))
    assert (ended.returncode, ended.stdout) == (0, "soon 5940\nsoon 5940\n"), ended.stdout + ended.stderr


class Late(Executor):
    """Takes longer than the time between two reports."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        time.sleep(0.15)
        future.set_result(fn(*arguments, **options))
        return future


def test_progress_towards_an_error_that_is_none() -> None:
    """By symmetry every board of two ranges that are alike splits: there is no error to get down."""
    shares: list[float] = []
    result = pokernel.equity(
        ["random", "random"],
        "2c7d9h",
        method="monte-carlo",
        target_error=0.001,
        seed=1,
        executor=Late(),
        progress=lambda partial, share: shares.append(share),
    )
    assert result.equity == (0.5, 0.5)
    assert shares
    assert set(shares) == {1.0}


@pytest.mark.parametrize("players", [["random"] * 3, ["50%", "40%", "random"]])
def test_an_exact_count_may_take_hours(players: list[str]) -> None:
    def stop(_: Equity, done: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        pokernel.equity(players, method="exact", progress=stop)
