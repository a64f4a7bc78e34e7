"""The ``pokernel`` command. Everything it needs beyond numpy and numba comes with the extra ``pokernel[cli]``."""

import gc
import sys
from collections.abc import Sequence
from importlib.util import find_spec

__all__ = ["command", "main"]

_NEEDS = ("typer", "rich", "pyarrow")


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the program's name; ``sys.argv[1:]`` when left out.

    Returns
    -------
    int
        0 done · 1 stopped by an error · 2 wrong usage · 3 done, but lines were lost · 129 SIGHUP · 130 Ctrl-C ·
        141 the reader of our output went away · 143 SIGTERM.
    """
    if any(find_spec(name) is None for name in _NEEDS):
        print('pokernel\'s command needs its extra: pip install "pokernel[cli]"', file=sys.stderr)
        return 1
    from .app import run

    return run(arguments)


def command() -> int:
    """
    Be the process: `main` on its words, and then a quick end.

    At its end the interpreter looks through all that is left for cycles, and frees them one by one: a fifth of a second
    after numba, pyarrow and typer. What is frozen is left to the system, which takes it back at once: nothing may wait
    for a ``__del__`` any more, `main` has closed all that was to be written.
    """
    status = main()
    gc.freeze()
    gc.disable()
    return status
