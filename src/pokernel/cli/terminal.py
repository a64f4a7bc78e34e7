"""The command and its surroundings: exit statuses, signals, tables, progress. Imports nothing heavy."""

import errno
import io
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

__all__ = [
    "BROKEN_PIPE",
    "FAILED",
    "LOST_LINES",
    "CommandError",
    "UsageError",
    "finished",
    "guarded",
    "print_table",
    "progress_bar",
    "replace_closed_streams",
    "say",
]

FAILED = 1
MISUSED = 2
LOST_LINES = 3
HUNG_UP = 128 + 1  # SIGHUP and SIGPIPE, which not every system names
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
BROKEN_PIPE = 128 + 13


class CommandError(Exception):
    """What ends a command with status 1; the text is all that the user sees."""


class UsageError(CommandError):
    """The same with status 2: what was asked for does not go together."""


class _Terminated(BaseException):
    """SIGTERM or SIGHUP, as an exception, so that what is half done is undone."""


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated(number)


class _Closed(io.RawIOBase):
    """What stands for a standard stream that the caller closed: whoever needs it learns that it is."""

    def __init__(self, name: str) -> None:
        self._name = name

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> NoReturn:
        self._refuse()

    def readinto(self, buffer: object) -> NoReturn:
        self._refuse()

    def write(self, data: object) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise OSError(errno.EBADF, f"{self._name} is closed")


def replace_closed_streams() -> None:
    """Put something in the place of closed standard streams, and keep their numbers from the files that we open."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(_Closed("standard input"), "utf-8")
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_Closed("standard output"), "utf-8", write_through=True)
    if sys.stderr is None:
        # Nobody is left to complain to.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (open until the end)


def say(text: str) -> None:
    """Print a line on standard error; if that cannot be, the exit status must do."""
    with suppress(OSError):
        typer.echo(text, err=True)


def finished(status: int) -> int:
    """Write out what standard output still holds and return the exit status, a worse one if that fails."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        say(f"<stdout>: {error.strerror or error}")
        return status or FAILED
    return status


def _drop_output() -> None:
    """Keep what is still buffered from being tried again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def guarded() -> Iterator[None]:
    """Turn every way in which a command is known to end early into a line on standard error and an exit status."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in {HUNG_UP - 128, TERMINATED - 128} & set(signal.valid_signals()):
            # nohup has SIGHUP ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _terminate)
    try:
        yield
    except BrokenPipeError:
        # Whoever read our output has enough.
        _drop_output()
        raise typer.Exit(BROKEN_PIPE) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except _Terminated as ended:
        raise typer.Exit(128 + ended.args[0]) from None
    except (CommandError, PokernelError) as error:
        # Their texts are made to be read. Every other ValueError is a mistake of ours, and needs its traceback.
        say(str(error))
        raise typer.Exit(MISUSED if isinstance(error, UsageError) else FAILED) from None
    except OSError as error:
        place = error.filename or ("<stdout>" if error.errno == errno.ENOSPC else "")
        say(f"{place}{': ' if place else ''}{error.strerror or error}")
        raise typer.Exit(FAILED) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
