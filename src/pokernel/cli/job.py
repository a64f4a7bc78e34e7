"""One run of ``pokernel score``: its inputs opened in turn, a bar while it lasts, one report of what was lost."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import pyarrow as pa

from .paths import expanded
from .rows import Source
from .save import output_format_of, save
from .score import Report, Scorer
from .sources import input_format_of, open_source
from .terminal import UsageError, progress_bar, say
from .words import InputFormat, OnError, OutputFormat

__all__ = ["Inputs", "Output", "check_options", "score_files", "tell_lost"]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What to read: files (``-`` is standard input), and how, if not as they look."""

    paths: Sequence[str]
    form: InputFormat | None = None
    header: bool | None = None
    delimiter: str | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """Where to write (None and ``-`` are standard output), and how, if not as the name says."""

    path: str | None = None
    form: OutputFormat | None = None
    header: bool = True


def score_files(inputs: Inputs, output: Output, scorer: Scorer, quiet: bool = False) -> Report:
    """
    Score the inputs one after the other into one output; say on standard error what was lost.

    Parameters
    ----------
    inputs, output
        What to read and where to write.
    scorer : Scorer
        What to add.
    quiet : bool
        No progress bar and no summary.

    Raises
    ------
    CommandError
        If an input is not there or not readable, or a line is bad and must not be.
    """
    inputs = replace(inputs, paths=expanded(inputs.paths, None if output.path == "-" else output.path))
    form = output_format_of(output.path, output.form)
    check_options(inputs, output, form)
    # pyarrow would catch a signal for the time of one read, and forget it where the read ends before it looks.
    pa.enable_signal_handlers(False)
    if len(inputs.paths) > 1:
        # What a pipe holds cannot be looked at twice.
        files = [path for path in inputs.paths if path != "-" and os.path.isfile(path)]
        scorer.check(_Opened(replace(inputs, paths=files)))
    if not quiet:
        scorer.tell = say
    # Rows that scroll over the terminal are progress enough.
    scrolling = output.path in (None, "-") and sys.stdout.isatty()
    started = time.perf_counter()
    with progress_bar("score", not quiet and not scrolling) as advance:

        def scored() -> Iterator[pa.RecordBatch]:
            sources = _Opened(inputs)
            for batch in scorer.run(sources):
                advance(sources.share(scorer.progress), f"{scorer.report.rows:,} rows")
                yield batch

        save(scored(), lambda: scorer.output, output.path, form, output.header)
    if scorer.report.lost:
        tell_lost(scorer.report, scorer.on_error)
    if not quiet:
        say(f"{scorer.report.rows:,} rows, {scorer.report.lost:,} bad, {time.perf_counter() - started:.2f} s")
    return scorer.report


def check_options(inputs: Inputs, output: Output, form: OutputFormat) -> None:
    """Refuse options that would do nothing."""
    delimited = (InputFormat.csv, InputFormat.tsv, None)  # None: which it is will be asked for
    if not any((inputs.form or input_format_of(path)) in delimited for path in inputs.paths):
        if inputs.delimiter is not None:
            raise UsageError("--delimiter is for CSV and TSV; no input is either")
        if inputs.header is not None:
            raise UsageError("--header and --no-header are for CSV and TSV; no input is either")
    if not output.header and form not in (OutputFormat.csv, OutputFormat.tsv):
        raise UsageError("--no-output-header is for CSV and TSV; the output is neither")


class _Opened(Iterable[Source]):
    """The inputs, each open while it is its turn."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._done = 0

    def __iter__(self) -> Iterator[Source]:
        given = self._inputs
        for path in given.paths:
            with closing(open_source(path, given.form, given.header, given.delimiter)) as source:
                yield source
            self._done += 1

    def share(self, of_present: float | None) -> float | None:
        """Return the share of all that has been read, from that of the present input; files count alike."""
        return None if of_present is None else (self._done + of_present) / len(self._inputs.paths)


def tell_lost(report: Report, on_error: OnError) -> None:
    """Say which lines were lost, the first of them, and how many."""
    for line in report.first:
        say(line)
    if report.lost > len(report.first):
        say(f"… and {report.lost - len(report.first):,} more")
    how = "left out" if on_error is OnError.skip else "kept without strength"
    say(f"{report.lost:,} of {report.rows:,} lines lost ({how})")
