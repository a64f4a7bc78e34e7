"""A bar on standard error while equities are counted: rich's where it is installed, one plain line where not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .result import Equity

__all__ = ["bar"]

WIDTH = 30


@contextmanager
def bar() -> Iterator[Callable[[float, Equity], None]]:
    """Yield what takes the share done and the result so far; the bar is gone at the end."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    except ImportError:
        yield _draw
        sys.stderr.write("\r\033[K")
        return
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda share, result: progress.update(task, completed=share, description=_told(result))


def _draw(share: float, result: Equity) -> None:
    filled = round(WIDTH * share)
    sys.stderr.write(f"\r\033[K[{'#' * filled}{' ' * (WIDTH - filled)}] {share:4.0%}  {_told(result)}")
    sys.stderr.flush()


def _told(result: Equity) -> str:
    """Equities so far; more than four would not fit."""
    return "  ".join(f"{100 * share:.2f}%" for share in result.equity[:4])
