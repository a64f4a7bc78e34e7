"""A bar on standard error while equities are counted: rich's where it is installed, one plain line where not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .result import Equity

__all__ = ["bar"]

WIDTH = 30
CLEAR = "\r\033[K"  # the terminal's line


@contextmanager
def bar() -> Iterator[Callable[[Equity, float], None]]:
    """Yield what takes the result so far and the share done; the bar is gone at the end."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    except ImportError:
        try:
            yield _draw if sys.stderr.isatty() else lambda result, share: None
        finally:
            if sys.stderr.isatty():
                sys.stderr.write(CLEAR)
        return
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda result, share: progress.update(task, completed=share, description=_told(result))


def _draw(result: Equity, share: float) -> None:
    filled = round(WIDTH * share)
    sys.stderr.write(f"{CLEAR}[{'#' * filled}{' ' * (WIDTH - filled)}] {share:4.0%}  {_told(result)}")
    sys.stderr.flush()


def _told(result: Equity) -> str:
    """Equities so far; more than four would not fit."""
    return "  ".join(f"{100 * share:.2f}%" for share in result.equity[:4])
