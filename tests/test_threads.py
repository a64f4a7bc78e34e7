"""Threads, forks, spawned processes and Ctrl-C."""

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pyarrow as pa
import pytest
from conftest import RunPython
from layouts import deal

from pokernel import CardError, bulk, evaluate, seats, settle, showdown
from pokernel import threads as room
from pokernel.frames import arrow, rows

posix_only = pytest.mark.skipif(os.name != "posix", reason="fork and SIGINT as POSIX has them")

ANSWER = """
import multiprocessing, os, sys
import numpy as np
import pokernel

hand = np.array([51, 46, 41, 36, 30, 25, 20], np.uint8)
hands = np.tile(hand, (600_000, 1))
strength = pokernel.evaluate(tuple(hand.tolist()))

def right(threads=2):
    return bool((pokernel.evaluate(hands, threads=threads) == strength).all())
"""


def test_concurrent_calls(rng: np.random.Generator) -> None:
    jobs = [deal(rng, 200_000 + 1000 * i, 5 + i % 3) for i in range(12)]
    expected = [naive.strengths(hands) for hands in jobs]
    with ThreadPoolExecutor(6) as pool:
        for _ in range(3):
            for threads in (1, 2, None):
                results = pool.map(lambda hands, threads=threads: evaluate(hands, threads=threads), jobs)
                for strengths, right in zip(results, expected, strict=True):
                    np.testing.assert_array_equal(strengths, right)


def test_concurrent_calls_keep_their_own_errors(rng: np.random.Generator) -> None:
    hands = deal(rng, 400_000, 7)

    def score(row: int) -> str:
        broken = hands.copy()
        broken[row, 3] = 52
        with pytest.raises(CardError) as error:
            evaluate(broken, threads=2)
        return str(error.value)

    rows = list(range(0, 400_000, 50_000))
    with ThreadPoolExecutor(4) as pool:
        for row, message in zip(rows, pool.map(score, rows), strict=True):
            assert f"row {row}" in message


def test_one_thread_is_one(run_python: RunPython) -> None:
    """Counts the threads that Python starts, and those that the system sees, in a process that used no other."""
    ended = run_python(
        "import os, threading\n"
        "import numpy as np, pokernel\n"
        "def native(): return len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else 0\n"
        "started, start = [], threading.Thread.start\n"
        "threading.Thread.start = lambda thread: (started.append(thread), start(thread))[1]\n"
        "hands = np.tile(np.arange(7, dtype=np.uint8), (2_000_000, 1))\n"
        "before = native()\n"
        "pokernel.evaluate(hands, threads=1)\n"
        "print(len(started), native() - before)\n"
        "pokernel.evaluate(hands[:5])\n"
        "print(len(started), native() - before)\n"
        "pokernel.evaluate(hands, threads=2)\n"
        "print(len(started) > 0)\n"
    )
    assert ended.stdout == "0 0\n0 0\nTrue\n", ended.stderr


@pytest.mark.parametrize(
    "first",
    [
        "True",
        "right(1)",
        "right(2)",
    ],
)
def test_at_the_interpreters_end(first: str, run_python: RunPython) -> None:
    """No thread can be started any more: whether there is a pool already, only kernels, or nothing."""
    ended = run_python(
        ANSWER + f"import atexit\natexit.register(lambda: print(right(), right(None)))\nassert {first}\n"
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True True\n", "")


@posix_only
@pytest.mark.parametrize("threads", [1, 2, None])
def test_forked_child_after_use(threads: int | None, run_python: RunPython) -> None:
    ended = run_python(
        ANSWER + f"assert right({threads})\n"
        "import warnings\n"
        "warnings.simplefilter('ignore', DeprecationWarning)  # 3.12: fork in a process that has threads\n"
        "for _ in range(3):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        f"        os._exit(0 if right({threads}) and right(2) else 3)\n"
        "    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        f"assert right({threads})\n",
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (0, "0\n0\n0\n"), ended.stderr


@posix_only
def test_forked_child_before_first_use(run_python: RunPython) -> None:
    ended = run_python(
        ANSWER + "child = os.fork()\nif child == 0:\n    os._exit(0 if right() else 3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), right())\n",
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (0, "0 True\n"), ended.stderr


@posix_only
def test_fork_while_another_thread_evaluates(run_python: RunPython) -> None:
    ended = run_python(
        ANSWER + "import threading, warnings\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"
        "assert right()\n"
        "stop = threading.Event()\n"
        "def work():\n"
        "    while not stop.is_set():\n"
        "        right()\n"
        "worker = threading.Thread(target=work)\n"
        "worker.start()\n"
        "for _ in range(20):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os._exit(0 if right() else 3)\n"
        "    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "stop.set()\n"
        "worker.join()\n"
        "print('done')\n",
        timeout=90,
    )
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr


@posix_only
def test_forked_child_of_a_parent_that_was_starting_a_helper(run_python: RunPython) -> None:
    """The child has no threads but its own, and nobody in it will release the lock."""
    ended = run_python(
        ANSWER + "import warnings\n"
        "from pokernel import threads\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"
        "assert right() and threads._pool is not None\n"
        "with threads._lock:\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        anew = threads._pool is None\n"
        "        os._exit(0 if anew and right() and threads._pool is not None else 3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), right())\n",
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (0, "0 True\n"), ended.stderr


METHODS = ["spawn", "fork", "forkserver"] if os.name == "posix" else ["spawn"]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_pools_of_processes(method: str, tmp_path: Path) -> None:
    script = tmp_path / "pool.py"
    script.write_text(
        ANSWER + "if __name__ == '__main__':\n"
        "    assert right()\n"
        f"    with multiprocessing.get_context('{method}').Pool(2) as pool:\n"
        "        print(pool.map(right, [1, 2, None, 2]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", str(script)], capture_output=True, text=True, timeout=120
    )
    assert ended.stdout == "[True, True, True, True]\n", ended.stderr


# ---- pieces of work --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 7, 1000])
@pytest.mark.parametrize("pieces", [0, 1, 2, 5, 2000])
def test_every_piece_is_done_once(pieces: int, threads: int, apart: bool) -> None:
    done: list[int] = []
    room.run(done.append, pieces, threads, apart=apart)
    assert sorted(done) == list(range(pieces))


@pytest.mark.parametrize(("apart", "begun"), [(False, [0, 1, 2]), (True, [0, 33, 66])])
def test_apart_each_thread_begins_in_a_share_of_its_own(apart: bool, begun: list[int]) -> None:
    """Three threads, none of which goes on before all have begun."""
    together, started = threading.Barrier(3), threading.local()
    first: list[int] = []

    def work(piece: int) -> None:
        if not hasattr(started, "at"):
            started.at = piece
            first.append(piece)
            together.wait(10)

    room.run(work, 100, 3, apart=apart)
    assert sorted(first) == begun


def test_who_is_done_helps_the_others() -> None:
    """One thread stays in the first piece of its share until the other has done all else, the far end first."""
    caller, all_else, begun = threading.current_thread(), threading.Event(), threading.Barrier(2)
    helped: list[int] = []

    def work(piece: int) -> None:
        if piece in (0, 10):
            begun.wait(10)
        if threading.current_thread() is caller:
            assert all_else.wait(10)
        else:
            helped.append(piece)
            if len(helped) == 19:
                all_else.set()

    room.run(work, 20, 2, apart=True)
    assert helped == [*range(10, 20), *range(9, 0, -1)]


def test_whoever_fills_a_new_array_asks_for_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def run(work: Callable[[int], None], pieces: int, threads: int, *, apart: bool = False) -> None:
        asked.append(apart)
        room.run(work, pieces, threads, apart=apart)

    for user in (bulk, seats, rows):
        monkeypatch.setattr(user, "run", run)
    hands = np.tile(np.arange(17, dtype=np.uint8), (3000, 1))
    evaluate(hands[:, :7].copy(), threads=2)
    evaluate(hands[:, :7].astype(np.int64), threads=2)
    shown = showdown(hands[:, :5], hands[:, 5:].reshape(-1, 6, 2), threads=2)
    settle(np.ones((3000, 6), int), shown.strengths, threads=2)
    arrow.strengths(pa.array(["AsKsQsJsTs"] * 3000), threads=2)
    assert len(asked) == 5
    assert all(asked)


def test_nothing_is_begun_once_given_up() -> None:
    left = room._Left(10, 2)
    assert (left.take(0), left.take(1), left.take(1), left.take(2)) == (0, 5, 6, 1)
    left.give_up()
    assert (left.take(0), left.take(1)) == (None, None)


class Broken(Exception):
    pass


@pytest.mark.parametrize("culprit", ["helper", "caller", "both"])
def test_an_exception_cancels_the_rest_and_leaves_when_all_have_ended(culprit: str) -> None:
    """Of three threads that have begun, one or two raise, one stays in its piece for longer."""
    caller, begun = threading.current_thread(), threading.Barrier(3)
    roles: queue.SimpleQueue[str] = queue.SimpleQueue()
    for role in ("slow", "raise") if culprit != "caller" else ("slow", "slow"):
        roles.put(role)
    started, ended = [], []

    def work(piece: int) -> None:
        started.append(piece)
        if piece < 3:
            begun.wait(10)
            helping = threading.current_thread() is not caller
            role = roles.get_nowait() if helping else "" if culprit == "helper" else "raise"
            if role == "raise":
                raise Broken("helper" if helping else "caller")
            time.sleep(0.15 if role == "slow" else 0)
        else:
            time.sleep(0.001)
        ended.append(piece)

    with pytest.raises(Broken, match="helper" if culprit == "helper" else "caller"):
        room.run(work, 3000, 3)
    assert len(started) == len(ended) + (2 if culprit == "both" else 1)
    assert len(started) < 100
    before = len(started)
    time.sleep(0.05)
    assert len(started) == before


def test_a_helper_that_could_not_start_does_nothing_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system grants no more threads: the caller does it all, and a busy helper finds nothing in its queue."""
    pool = ThreadPoolExecutor(2)
    monkeypatch.setattr(room, "_pool", pool)
    hold, busy, late = threading.Event(), threading.Event(), threading.Event()

    def keep_busy() -> None:
        busy.set()
        hold.wait(10)

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    inside = 0

    def work(piece: int) -> None:
        nonlocal inside
        if threading.current_thread() is caller:
            hold.set()  # now the busy helper may look into its queue
            late.wait(0.2)
        else:
            inside += 1
            late.set()
            time.sleep(0.2)
            inside -= 1

    caller = threading.current_thread()
    with pool:
        pool.submit(keep_busy)
        assert busy.wait(10)
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", refuse)
            room.run(work, 3, 2)
        assert inside == 0


def test_concurrent_first_use_makes_one_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ThreadPoolExecutor] = []
    together = threading.Barrier(8)
    make = ThreadPoolExecutor.__init__

    def make_slowly(pool: ThreadPoolExecutor, *arguments: Any, **options: Any) -> None:
        time.sleep(0.05)
        make(pool, *arguments, **options)
        made.append(pool)

    def use() -> int:
        done: list[int] = []
        together.wait(10)
        room.run(done.append, 20, 2)
        return len(done)

    monkeypatch.setattr(room, "_pool", None)
    with ThreadPoolExecutor(8) as users:
        monkeypatch.setattr(ThreadPoolExecutor, "__init__", make_slowly)
        used: list[Future[int]] = [users.submit(use) for _ in range(8)]
        assert [user.result() for user in used] == [20] * 8
    assert len(made) == 1
    made[0].shutdown()


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------

TWICE = """
import os, signal, threading, time
from pokernel import threads

inside, started = set(), []

def work(piece):
    started.append(piece)
    inside.add(piece)
    for _ in range(20):
        time.sleep(0.01)
    inside.discard(piece)

def interrupt():
    while len(inside) < 3:
        time.sleep(0.001)
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.03)

sender = threading.Thread(target=interrupt)
sender.start()
try:
    try:
        threads.run(work, 1000, 3)
    finally:
        left = set(inside), len(started)
        sender.join()
except KeyboardInterrupt:
    time.sleep(0.3)
    print(len(left[0]), len(started) - left[1])
"""


@posix_only
def test_a_second_ctrl_c_leaves_nothing_running(run_python: RunPython) -> None:
    """The first one interrupts the caller's own piece, the second its wait for the others; one piece never ends."""
    ended = run_python(TWICE)
    assert (ended.returncode, ended.stdout) == (0, "1 0\n"), ended.stderr


INTERRUPTED = """
import os, signal, statistics, sys, threading, time, traceback
import numpy as np
import pokernel

n = 1 << 25
spades = np.resize(np.arange(3, 52, 4, dtype=np.uint8), n + 6)
flushes = np.lib.stride_tricks.sliding_window_view(spades, 7)  # they take longest
hand, many = np.array([51, 46, 41, 36, 30, 25, 20]), 1 << 30
hands, board = {
    "rows": lambda: (np.resize(flushes[:13_000], (n, 7)), None),
    "columns": lambda: (flushes, None),
    "int64": lambda: (np.broadcast_to(hand, (many, 7)), None),
    "boards": lambda: (np.broadcast_to(hand[:2].astype(np.uint8), (many, 2)), hand[2:]),
}[LAYOUT]()
out = np.empty(len(hands), np.uint16)

def call(stop, threads):
    pokernel.evaluate(hands[:stop], board, out=out[:stop], threads=threads)

def latency(threads):
    sent = []
    def interrupt():
        time.sleep(0.02)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        while True:
            call(len(hands), threads)
    except KeyboardInterrupt as interrupt:
        passed = time.monotonic() - sent[0]
        frames = [(os.path.basename(f.filename), f.name) for f in traceback.extract_tb(interrupt.__traceback__)]
    sender.join()
    return passed, ("threads.py", "run") in frames

for threads in (1, 2):
    call(600_000, threads)
    for _ in range(4):
        tries = [latency(threads) for _ in range(3)]
        median = statistics.median(passed for passed, _ in tries)
        if median < 0.1 and all(inside for _, inside in tries):
            call(600_000, threads)
            print("soon")
            break
    else:
        print(threads, tries)
"""


@posix_only
@pytest.mark.parametrize("layout", ["rows", "columns", "int64", "boards"])
def test_ctrl_c_within_a_tenth_of_a_second(layout: str, run_python: RunPython) -> None:
    """A call would take longer, of hands that broadcast much longer; a busy machine gets four chances for a median."""
    ended = run_python(INTERRUPTED.replace("LAYOUT", repr(layout)))
    assert (ended.returncode, ended.stdout) == (0, "soon\nsoon\n"), ended.stderr
