"""Whole processes as contenders: what a fresh interpreter pays for its first answer."""

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

__all__ = ["BARE", "IMPORT", "ROWS", "TEXT", "TRIVIAL", "process_contenders"]

BARE, IMPORT, TEXT = "import numpy", "import pokernel", "first text hand"
TRIVIAL, ROWS = "first rows through a trivial cached function", "first rows"

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


@contextmanager
def process_contenders() -> Iterator[dict[str, Contender]]:
    """The scripts, run in a folder of their own with a warm cache; each round's "hand" is one process."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "trivial.py").write_text(_MODULE)

        def contender(script: str) -> Contender:
            def work() -> None:
                subprocess.run([sys.executable, "-c", script], check=True, cwd=folder, env=os.environ)

            def prepare(hands: Hands) -> Work:
                return work

            return Contender(prepare)

        yield {name: contender(script) for name, script in _SCRIPTS.items()}
