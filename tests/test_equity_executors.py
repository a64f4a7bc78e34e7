"""Work given out: to threads, to pools of threads and processes, to executors that lose it. Nothing is counted twice."""

import json
import multiprocessing
import os
import queue
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from asked import QUESTIONS, Kills, answer, by_one_thread
from conftest import RunPython

import pokernel
from pokernel import Equity, executors
from pokernel.executors import hand_out

EVERY_QUESTION = pytest.mark.parametrize("name", QUESTIONS)


# ---- whoever does it -------------------------------------------------------------------------------------------------


def test_the_questions_are_of_all_kinds() -> None:
    kinds = {name: (said["method"], type(said["total"])) for name in QUESTIONS for said in [by_one_thread(name)]}
    assert kinds == {
        "match-ups": ("match-ups", int),
        "sweep": ("sweep", int),
        "floats": ("sweep", float),
        "deals": ("monte-carlo", int),
        "clusters": ("monte-carlo", float),
        "deals to an error": ("monte-carlo", int),
        "clusters to an error": ("monte-carlo", float),
    }


@EVERY_QUESTION
def test_any_number_of_threads(name: str) -> None:
    for threads in (2, 3, 7, None):
        assert answer(name, threads=threads) == by_one_thread(name)


@EVERY_QUESTION
def test_a_pool_of_threads(name: str) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert answer(name, executor=pool) == by_one_thread(name)
        assert answer(name, executor=pool, threads=1) == by_one_thread(name)


@pytest.mark.slow
def test_a_pool_of_processes() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for name in QUESTIONS:
            assert answer(name, executor=pool) == by_one_thread(name)


@pytest.mark.slow
def test_portable_kernels_give_the_same(run_python: RunPython) -> None:
    """Whatever the machine: the same counts, and the same random deals and boards."""
    names = ["sweep", "deals", "clusters"]
    ended = run_python(
        "import json, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from asked import by_one_thread\n"
        f"print(json.dumps([by_one_thread(name) for name in {names}]))\n",
        env={"POKERNEL_PORTABLE": "1"},
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == [by_one_thread(name) for name in names]


def test_different_seeds_differ() -> None:
    for name, (players, board, options) in QUESTIONS.items():
        if "seed" in options:
            others = [pokernel.equity(players, board, **options | {"seed": seed}) for seed in (11, 12)]
            assert len({tuple(said) for said in (by_one_thread(name)["equity"], *(r.equity for r in others))}) == 3


def test_a_new_seed_every_time_which_the_result_tells() -> None:
    first, second = (pokernel.equity(["AsKs", "QQ"], method="monte-carlo", trials=1000) for _ in range(2))
    assert first.seed is not None
    assert first.seed != second.seed
    again = pokernel.equity(["AsKs", "QQ"], method="monte-carlo", trials=1000, seed=first.seed)
    assert again.as_dict() == first.as_dict()


def test_concurrent_calls() -> None:
    with ThreadPoolExecutor(6) as callers, ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            asked = [callers.submit(answer, name, threads=2, executor=executor) for name in [*QUESTIONS, *QUESTIONS]]
            for name, said in zip([*QUESTIONS, *QUESTIONS], asked, strict=True):
                assert said.result() == by_one_thread(name)


FORKS = """
import os, threading, warnings
import pokernel

warnings.simplefilter("ignore", DeprecationWarning)  # 3.12: fork in a process that has threads
WAYS = {"sweep": {}, "match-ups": {}, "monte-carlo": {"trials": 300_000, "seed": 1}}

def right():
    said = [pokernel.equity(["TT+", "AQ, 88"], "2c 7d 9h", method=m, threads=2, **how) for m, how in WAYS.items()]
    return [result.as_dict() for result in said]

def child_is_right():
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if right() == (expected or right()) else 3)
        finally:
            os._exit(4)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork as POSIX has it")
def test_forked_children(run_python: RunPython) -> None:
    """Before the parent's first call and after it."""
    ended = run_python(
        FORKS + "expected = None\n"
        "before = child_is_right()\n"
        "expected = right()\n"
        "print(before, child_is_right(), child_is_right(), right() == expected)\n",
        timeout=90,
    )
    assert (ended.returncode, ended.stdout) == (0, "True True True True\n"), ended.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork as POSIX has it")
def test_forked_while_another_thread_counts(run_python: RunPython) -> None:
    """Whatever lock the other thread holds, nobody in the child will release it."""
    ended = run_python(
        FORKS + "expected = right()\n"
        "stop = threading.Event()\n"
        "def count():\n"
        "    while not stop.is_set():\n"
        "        right()\n"
        "other = threading.Thread(target=count)\n"
        "other.start()\n"
        "print(all(child_is_right() for _ in range(20)))\n"
        "stop.set()\n"
        "other.join()\n",
        timeout=120,
    )
    assert (ended.returncode, ended.stdout) == (0, "True\n"), ended.stderr


# ---- executors that fail ---------------------------------------------------------------------------------------------


class Lost(ConnectionResetError):
    pass


class Loses(Executor):
    """Does what it is given in a thread, in any order; loses some of it, before or after it is done."""

    def __init__(self, fates: Sequence[str], seed: int = 0) -> None:
        self.given: Counter[object] = Counter()
        self.done: Counter[object] = Counter()
        self._fates, self._random = fates, random.Random(seed)
        self._queue: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given[arguments[1]] += 1
        self._queue.put((future, lambda: fn(*arguments, **options), arguments[1]))
        return future

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            there = [first]
            while not self._queue.empty():
                more = self._queue.get()
                if more is None:
                    return
                there.append(more)
            self._random.shuffle(there)
            for future, do, piece in there:
                self._end(future, do, piece)

    def _end(self, future: Future[Any], do: Callable[[], Any], piece: object) -> None:
        fate = self._random.choice(self._fates)
        if fate == "cancelled":
            future.cancel()
        if not future.set_running_or_notify_cancel():
            return
        if fate == "raises":
            future.set_exception(ZeroDivisionError("in the work"))
        elif fate == "broken":
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            result = do()
            self.done[piece] += 1
            if fate == "lost":
                future.set_exception(Lost("its result never came"))
            else:
                future.set_result(result)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._queue.put(None)
        self._thread.join()


@EVERY_QUESTION
def test_what_is_lost_is_done_again_and_counted_once(name: str) -> None:
    for seed in range(3):
        with Loses(["done", "done", "done", "lost", "broken", "cancelled"], seed) as executor:
            assert answer(name, executor=executor) == by_one_thread(name)
            assert sum(executor.given.values()) > len(executor.given) > 3


@EVERY_QUESTION
def test_what_is_always_lost_is_done_here(name: str) -> None:
    for fate in ("lost", "broken", "cancelled"):
        with Loses([fate]) as executor:
            assert answer(name, executor=executor) == by_one_thread(name)
            assert 1 <= min(executor.given.values()) <= max(executor.given.values()) <= 5


@EVERY_QUESTION
def test_an_executor_that_takes_no_more(name: str) -> None:
    """After some pieces, or from the start: a warning, and the rest is done here."""

    class TakesSome(Loses):
        most = 0

        def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
            if sum(self.given.values()) == self.most:
                raise BrokenExecutor("no more workers")
            return super().submit(fn, *arguments, **options)

    for most in (0, 3):
        with TakesSome(["done", "broken"]) as executor:
            executor.most = most
            with pytest.warns(RuntimeWarning, match=r"no more workers.*the rest is done here") as warned:
                said = answer(name, executor=executor)
            assert said == by_one_thread(name)
            assert 1 <= len(warned) <= 3  # once a wave
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.warns(RuntimeWarning, match="after shutdown"):
        assert answer(name, executor=pool) == by_one_thread(name)


@EVERY_QUESTION
def test_an_error_in_the_work_is_raised_and_nothing_is_tried_again(name: str) -> None:
    with Loses(["done", "done", "raises"], seed=1) as executor:
        with pytest.raises(ZeroDivisionError, match="in the work"):
            answer(name, executor=executor)
        assert max(executor.given.values()) == 1
    assert sum(executor.done.values()) <= 64


def test_an_executor_that_answers_the_same_call_alike() -> None:
    """As Dask does, which gives a call that it knows the result it has, be that the loss of a worker."""

    class Remembers(Executor):
        def __init__(self) -> None:
            self.known: dict[tuple[object, ...], Future[Any]] = {}

        def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
            key = fn, *arguments
            if key not in self.known:
                self.known[key] = Future()
                if sum(arguments[1] == other[2] for other in self.known) == 1:
                    self.known[key].set_exception(BrokenExecutor("a worker died"))
                else:
                    self.known[key].set_result(fn(*arguments))
            return self.known[key]

    lost = executors.Lost()
    done = dict(hand_out(str, range(5), Remembers(), lost, "never mind"))
    assert done == {number: str(number) for number in range(5)}
    assert not lost


def test_what_waits_is_cancelled_when_the_caller_leaves() -> None:
    """An error in the callback: nothing that had not begun is done afterwards."""

    class Slow(Executor):
        def __init__(self) -> None:
            self.given: list[Future[Any]] = []

        def submit(self, fn: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.given.append(future)
            if len(self.given) <= 3:
                threading.Timer(0.15, self.end, (future, fn(*arguments))).start()
            return future

        def end(self, future: Future[Any], result: Any) -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(result)

    def leave(partial: Equity, share: float) -> None:
        raise LookupError("enough")

    executor = Slow()
    with pytest.raises(LookupError, match="enough"):
        pokernel.equity(["random", "22+"], method="sweep", executor=executor, progress=leave)
    assert len(executor.given) > 10
    assert all(future.cancelled() or future.done() for future in executor.given)


# ---- processes that die ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sweep", "deals to an error"])
def test_a_pool_whose_process_is_killed(name: str) -> None:
    """Such a pool takes no more work."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        executor = Kills(pool, pool.submit(os.getpid).result(), after=2)
        with pytest.warns(RuntimeWarning, match="the rest is done here"):
            assert answer(name, executor=executor) == by_one_thread(name)


def test_an_executor_that_takes_nothing_of_very_much() -> None:
    """What is left to do here is not written down one by one."""
    with ThreadPoolExecutor(1) as executor:
        pass
    lost = executors.Lost()
    with pytest.warns(RuntimeWarning, match="takes no more work"):
        assert not list(hand_out(str, range(10**12), executor, lost, "it is done here"))
    assert len(lost) == 10**12
    assert [lost[index] for index in (0, 1, 10**12 - 1)] == [0, 1, 10**12 - 1]


@pytest.mark.filterwarnings("ignore:the executor takes no more work:RuntimeWarning")
@pytest.mark.parametrize("processes", [False, True])
@pytest.mark.parametrize("cancel", [False, True])
def test_an_executor_that_is_shut_down_in_the_middle(processes: bool, cancel: bool) -> None:
    """Every piece is either done or lost, once; those that the shutdown cancels are not waited for."""
    spawn = multiprocessing.get_context("spawn")
    executor: Executor = ProcessPoolExecutor(2, spawn) if processes else ThreadPoolExecutor(2)
    lost, done = executors.Lost(), list[int]()

    def work() -> None:
        for number, _ in hand_out(time.sleep, [0.005] * 600, executor, lost, "the rest is left"):
            done.append(number)
            if len(done) == 1:
                executor.shutdown(wait=False, cancel_futures=cancel)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert sorted([*done, *lost]) == list(range(600))
    assert len(lost) > 300
