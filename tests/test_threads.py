"""Threads, forks, spawned processes and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import naive
import numpy as np
import pytest
from conftest import RunPython
from layouts import deal

from pokernel import CardError, evaluate

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


ENDLESS = """
import sys, time
import numpy as np
import pokernel

n = 20_000_000_000
hand = np.array([51, 46, 41, 36, 30, 25, 20], np.uint8)
hands = np.broadcast_to(hand, (n, 7))
out = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint16), (n,), (0,))
pokernel.evaluate(hands[:100_000], out=out[:100_000], threads={threads})
print("started", flush=True)
try:
    pokernel.evaluate(hands, out=out, threads={threads})
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
    pokernel.evaluate(hands[:100_000], threads={threads})
    print("alive", flush=True)
"""


@posix_only
@pytest.mark.parametrize("threads", [1, 2, None])
def test_ctrl_c_ends_a_long_call(threads: int | None, tmp_path: Path) -> None:
    """The call would take a minute; hands and output are views without strides, so that it needs no memory."""
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS.format(threads=threads)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n", process.communicate()[1]
        time.sleep(0.5)
        assert process.poll() is None
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    interrupted, alive = output.splitlines()
    assert alive == "alive"
    assert float(interrupted.split()[1]) - sent < 1.0  # a tenth of a second by design, more on a machine that is busy
