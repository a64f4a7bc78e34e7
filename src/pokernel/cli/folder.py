"""One run of ``pokernel score`` into a folder of parts: what a crash left undone is done by the next run.

The folder has ``_plan.json`` first, which says what was asked for and what the parts are, then parts and, after each,
its report; a part counts as done when both are there. Everything is written aside and renamed. When all is done, the
manifest comes, ``_manifest.json``, and the plan and the reports go.
"""

import functools
import json
import os
import shutil
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from itertools import zip_longest
from typing import Any

import pyarrow as pa

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from ..executors import Lost, hand_out
from .cluster import Workers
from .destination import is_aside, write_whole
from .job import Inputs, Output, check_options, tell_lost
from .parts import Part, Parts, score_part
from .paths import expanded
from .plan import Plan, make_plan, request
from .score import SHOWN_FAULTS, Report, Scorer
from .sources import input_format_of
from .terminal import CommandError, UsageError, progress_bar, say
from .words import InputFormat, OnError, OutputFormat

__all__ = ["score_folder"]

PLAN, MANIFEST, REPORTS = "_plan.json", "_manifest.json", "_reports"


def score_folder(inputs: Inputs, output: Output, scorer: Scorer, workers: Workers, quiet: bool = False) -> Report:
    """
    Score inputs into a folder of parts: one for each row group of Parquet and for each block of delimited text.

    Parameters
    ----------
    inputs, output
        Files, patterns and folders to read; the folder to write.
    scorer : Scorer
        What to add.
    workers : Workers
        Who does it.
    quiet : bool
        No progress bar and no summary.

    Raises
    ------
    CommandError
        As `pokernel.cli.job.score_files`; or if the folder has something else in it, or another job at work.
    """
    folder = os.path.abspath(str(output.path))
    inputs = replace(inputs, paths=expanded(inputs.paths, folder))
    for path in inputs.paths:
        if not os.path.isfile(path):
            what = "standard input" if path == "-" else path
            raise UsageError(f"a folder of parts is made of files: {what} cannot be read in parts")
    form = output.form or _form_like(inputs)
    check_options(inputs, output, form)
    pa.enable_signal_handlers(False)
    if not quiet:
        scorer.tell = say
    started = time.perf_counter()
    asked: dict[str, Any] = json.loads(json.dumps(request(inputs, output, scorer, form)))
    workers.check()
    with _alone(folder):
        report = _done_before(folder, asked, quiet)
        if report is None:
            plan = _plan(folder, asked, inputs, scorer, quiet)
            wanted = scorer.describe, scorer.best_five, scorer.prefix, scorer.on_error
            parts = Parts(folder, form, output.header, plan.schema, *wanted)
            _refuse_strangers(folder, [parts.name(part.number) for part in plan.parts])
            report = _finish(parts, plan, _done(parts, plan, workers, quiet))
    if report.lost:
        tell_lost(report, scorer.on_error)
    if not quiet:
        say(f"{report.rows:,} rows, {report.lost:,} bad, {time.perf_counter() - started:.2f} s")
    return report


def _form_like(inputs: Inputs) -> OutputFormat:
    """Return the format of the first input; CSV for plain text, Parquet for all that is neither text nor Parquet."""
    form = inputs.form or input_format_of(inputs.paths[0])
    if form is InputFormat.text:
        return OutputFormat.csv
    kept = (InputFormat.csv, InputFormat.tsv, InputFormat.ndjson)
    return OutputFormat(form) if form in kept else OutputFormat.parquet


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Make the folder, if there is none, and keep other jobs out of it, however this process ends."""
    try:
        os.makedirs(folder, exist_ok=True)
        number = os.open(folder, os.O_RDONLY) if fcntl else None
    except OSError as error:
        raise CommandError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        if fcntl and number is not None:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CommandError(f"{folder}: another job is at work there") from None
            except OSError:  # a file system without locks
                pass
        yield
    finally:
        if number is not None:
            os.close(number)


def _read(folder: str, name: str) -> bytes | None:
    """Return what a file of the folder holds, if it is there."""
    try:
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _done_before(folder: str, asked: dict[str, Any], quiet: bool) -> Report | None:
    """Return the report of a job that is finished."""
    text = _read(folder, MANIFEST)
    if text is None:
        return None
    try:
        manifest = json.loads(text)
        before, report = manifest["request"], Report(**manifest["report"])
        sizes = {str(part["name"]): int(part["bytes"]) for part in manifest["parts"]}
        _check_asked(folder, before, asked)
    except (KeyError, TypeError, ValueError):
        raise _strange(folder, MANIFEST) from None
    for name, size in sizes.items():
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or os.path.getsize(path) != size:
            raise CommandError(f"{folder}: was complete, but {name} has changed since: empty the folder to do it again")
    _refuse_strangers(folder, sizes)
    _tidy(folder)
    if not quiet:
        say(f"{folder}: all was done before")
    return report


def _plan(folder: str, asked: dict[str, Any], inputs: Inputs, scorer: Scorer, quiet: bool) -> Plan:
    """Return the plan that lies in the folder, or make one and leave it there."""
    text = _read(folder, PLAN)
    here = [name for name in os.listdir(folder) if not is_aside(name)]
    if text is not None:
        try:
            plan = Plan.from_json(text)
            before = plan.request
            _check_asked(folder, before, asked)
        except (KeyError, TypeError, ValueError):
            raise _strange(folder, PLAN) from None
        plan = plan.asked_as(asked)
    elif here:
        raise _strange(folder, min(here))
    else:
        with progress_bar("plan", not quiet) as advance:
            plan = make_plan(asked, inputs, scorer, advance)
    # The plan comes first: a folder that has reports and no plan would be somebody else's.
    if text is None or before != asked:
        write_whole(os.path.join(folder, PLAN), plan.to_json())
    os.makedirs(os.path.join(folder, REPORTS), exist_ok=True)
    return plan


def _refuse_strangers(folder: str, parts: Iterable[str]) -> None:
    """Refuse a folder that has something else beside these parts that its readers would take for one.

    They skip names that begin so; systems and other tools leave some, ours are among them.
    """
    others = {*os.listdir(folder)} - {*parts}
    strange = {name for name in others if not name.startswith((".", "_")) and not is_aside(name)}
    if strange:
        raise CommandError(f"{folder}: has something else in it ({min(strange)}): move it away, or name a new folder")


def _strange(folder: str, name: str) -> CommandError:
    return CommandError(f"{folder}: has something else in it ({name}): name a new folder, or empty this one")


def _check_asked(folder: str, before: dict[str, Any], asked: dict[str, Any]) -> None:
    """Refuse to mix two jobs in one folder."""
    # Where no bad line was let pass, no part has one.
    strict = before["on_error"] == OnError.stop
    for what, value in asked.items():
        if value != before[what] and not (strict and what == "on_error"):
            how = f"{what.replace('_', ' ')}{_changed(before[what], value) if what == 'inputs' else ''}"
            raise CommandError(f"{folder}: belongs to a job that differs in {how}: name a new folder, or empty this")


def _changed(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> str:
    """Name the first file that is another one, or has changed."""
    none: dict[str, Any] = {}
    for there, here in zip_longest(before, now, fillvalue=none):
        if there != here:
            return f" ({(here or there)['path']}{' has changed' * (there.get('path') == here.get('path'))})"
    return ""


def _done(parts: Parts, plan: Plan, workers: Workers, quiet: bool) -> list[Report]:
    """Return the reports of all parts, once those that are not done are done."""
    reports = {part.number: report for part in plan.parts if (report := parts.report(part.number)) is not None}
    missing = [part for part in plan.parts if part.number not in reports]
    if reports and not quiet:
        say(f"{parts.folder}: {len(reports):,} of {len(plan.parts):,} parts were done before")
    rows = sum(report.rows for report in reports.values())
    # Closed at once, whatever happens: workers are dismissed before another job may have the folder.
    with progress_bar("score", not quiet) as advance, closing(_scored(parts, missing, workers)) as scored:
        for part, report in scored:
            reports[part.number] = report
            rows += report.rows
            advance(len(reports) / len(plan.parts), f"{rows:,} rows")
    return [reports[part.number] for part in plan.parts]


def _scored(parts: Parts, missing: list[Part], workers: Workers) -> Generator[tuple[Part, Report], None, None]:
    """Yield parts with their reports, as they come."""
    lost: Iterable[int] = range(len(missing))
    task = functools.partial(score_part, parts)
    if missing:
        hired = False
        try:
            with workers.hired() as executor:
                if executor is not None:
                    lost, hired = Lost(), True
                    for index, report in hand_out(task, missing, executor, lost, "the rest is done here"):
                        yield missing[index], report
        finally:
            if hired and workers.ours:  # and gone: what they were about to move into place is nobody's
                _sweep(parts.folder)
                _sweep(os.path.join(parts.folder, REPORTS))
    for index in lost:
        yield missing[index], task(missing[index])


def _finish(parts: Parts, plan: Plan, reports: list[Report]) -> Report:
    """Write the manifest, remove all that is not a part, and return the sum of the reports."""
    for part in plan.parts:
        if not parts.has(part.number):
            name = parts.name(part.number)
            raise CommandError(f"{parts.folder}: {name} is not there: do all workers see this folder by this name?")
    first = [line for report in reports for line in report.first][:SHOWN_FAULTS]
    total = Report(sum(report.rows for report in reports), sum(report.lost for report in reports), first)
    made = [
        {"name": parts.name(part.number), "input": part.source.path, "from": part.slice.line}
        | {"bytes": os.path.getsize(os.path.join(parts.folder, parts.name(part.number)))}
        | {"rows": report.rows, "lost": report.lost}
        for part, report in zip(plan.parts, reports, strict=True)
    ]
    manifest = {"request": plan.request, "report": asdict(total), "parts": made}
    write_whole(os.path.join(parts.folder, MANIFEST), json.dumps(manifest, indent=1).encode() + b"\n")
    _tidy(parts.folder)
    return total


def _tidy(folder: str) -> None:
    """Remove what a finished folder does not need: the plan, the reports, what workers that died left aside."""
    shutil.rmtree(os.path.join(folder, REPORTS), ignore_errors=True)
    _sweep(folder)
    with suppress(OSError):
        os.unlink(os.path.join(folder, PLAN))


def _sweep(folder: str) -> None:
    """Remove what workers that died left aside."""
    with suppress(OSError):
        for name in filter(is_aside, os.listdir(folder)):
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
