"""Whole processes as contenders: what a fresh interpreter pays for its first answer, and for compiling it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .deal import Hands
from .interleaved import Contender
from .peers import Work

__all__ = ["BARE", "COLD", "IMPORT", "ROWS", "TEXT", "TRIVIAL", "WARM", "compile_contenders", "process_contenders"]

BARE, IMPORT, TEXT = "import numpy", "import pokernel", "first text hand"
TRIVIAL, ROWS = "first rows through a trivial cached function", "first rows"
COLD, WARM = "first rows, empty cache", "first rows, warm cache"

_MODULE = """
from numba import njit

@njit(nogil=True, cache=True)
def trivial(hands, out):
    for i in range(len(out)):
        out[i] = hands[i, 0]
"""
_HANDS = "import numpy; hands = numpy.tile(numpy.arange(7, 49, 6, dtype=numpy.uint8), (1000, 1)); "
_SCRIPTS = {
    BARE: "import numpy",
    IMPORT: "import pokernel",
    TEXT: "import pokernel; pokernel.evaluate('AsKsQsJsTs2c3d')",
    TRIVIAL: _HANDS + "out = numpy.empty(1000, numpy.uint16); from trivial import trivial; trivial(hands, out)",
    ROWS: _HANDS + "import pokernel; pokernel.evaluate(hands)",
}


def _run(script: str, folder: str, cache: str | None = None) -> None:
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    subprocess.run([sys.executable, "-c", script], check=True, cwd=folder, env=environment)


@contextmanager
def process_contenders() -> Iterator[dict[str, Contender]]:
    """The scripts, run in a folder of their own with a warm cache; each round's "hand" is one process."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "trivial.py").write_text(_MODULE)

        def contender(script: str) -> Contender:
            def prepare(hands: Hands) -> Work:
                return lambda: _run(script, folder)

            return Contender(prepare)

        yield {name: contender(script) for name, script in _SCRIPTS.items()}


@contextmanager
def compile_contenders() -> Iterator[dict[str, Contender]]:
    """The first seven-card rows of a process whose cache is empty, and of one that finds them compiled."""
    with tempfile.TemporaryDirectory() as folder:

        def cold(hands: Hands) -> Work:
            cache = tempfile.mkdtemp(dir=folder)
            return lambda: _run(_SCRIPTS[ROWS], folder, cache)

        def warm(hands: Hands) -> Work:
            return lambda: _run(_SCRIPTS[ROWS], folder, os.path.join(folder, "warm"))

        yield {COLD: Contender(cold), WARM: Contender(warm)}
