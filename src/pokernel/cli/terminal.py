"""The command and its surroundings: exit statuses, signals, tables, progress. Imports nothing heavy."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

import typer

from ..errors import PokernelError

__all__ = ["BROKEN_PIPE", "FAILED", "LOST_LINES", "CommandError", "guarded", "print_table", "progress_bar"]

FAILED = 1
LOST_LINES = 3
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
BROKEN_PIPE = 128 + 13  # SIGPIPE, which not every system names


class CommandError(Exception):
    """What ends a command with status 1; the text is all that the user sees."""


class _Terminated(BaseException):
    """SIGTERM, as an exception, so that what is half done is undone."""


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated


@contextmanager
def guarded() -> Iterator[None]:
    """Turn every way in which a command is known to end early into a line on standard error and an exit status."""
    main_thread = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, _terminate) if main_thread else None
    try:
        yield
    except BrokenPipeError:
        # Whoever read our output has enough. What is still buffered must not be tried again at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except _Terminated:
        raise typer.Exit(TERMINATED) from None
    except (CommandError, PokernelError) as error:
        # Their texts are made to be read. Every other ValueError is a mistake of ours, and needs its traceback.
        typer.echo(str(error), err=True)
        raise typer.Exit(FAILED) from None
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        typer.echo(f"{place}{error.strerror or error}", err=True)
        raise typer.Exit(FAILED) from None
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def progress_bar(label: str, shown: bool = True) -> Iterator[Callable[[float | None, str], None]]:
    """Yield ``advance(share, text)``; it draws on standard error if that is a terminal, and does nothing otherwise."""
    if not shown or not sys.stderr.isatty():
        yield lambda share, text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(label),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[text]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=None, text="")

        def advance(share: float | None, text: str) -> None:
            progress.update(task, total=None if share is None else 1.0, completed=share or 0.0, text=text)

        yield advance


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print a table, drawn by rich on a terminal, aligned plain text elsewhere; `right` names right-aligned columns."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table()
        for head in heads:
            table.add_column(head, justify="right" if head in right else "left")
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        return
    cells = [list(heads), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        aligned = (
            cell.rjust(width) if head in right else cell.ljust(width)
            for cell, width, head in zip(line, widths, heads, strict=True)
        )
        typer.echo("  ".join(aligned).rstrip())
