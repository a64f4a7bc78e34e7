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
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import pyarrow as pa

from ..executors import hand_out
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
        As `pokernel.cli.job.score_files`; or if the folder has something else in it.
    """
    folder = os.path.abspath(str(output.path))
    inputs = replace(inputs, paths=expanded(inputs.paths, folder))
    if "-" in inputs.paths:
        raise UsageError("a folder of parts is made of files: standard input cannot be read in parts")
    form = output.form or _form_like(inputs)
    check_options(inputs, output, form)
    pa.enable_signal_handlers(False)
    if not quiet:
        scorer.tell = say
    started = time.perf_counter()
    asked = request(inputs, output, scorer, form)
    found = _manifest(folder)
    if found is not None:
        _check_asked(folder, found["request"], asked)
        _tidy(folder)
        if not quiet:
            say(f"{folder}: all was done before")
        report = Report(**found["report"])
    else:
        plan = _plan(folder, asked, inputs, scorer)
        parts = Parts(
            folder,
            form,
            output.header,
            plan.schema,
            scorer.describe,
            scorer.best_five,
            scorer.prefix,
            scorer.on_error,
        )
        report = _finish(parts, plan, _done(parts, plan, workers, quiet))
    if report.lost:
        tell_lost(report, scorer.on_error)
    if not quiet:
        say(f"{report.rows:,} rows, {report.lost:,} bad, {time.perf_counter() - started:.2f} s")
    return report


def _form_like(inputs: Inputs) -> OutputFormat:
    """Return the format of the first input; Parquet for formats that are not written, or not in parts."""
    form = inputs.form or input_format_of(inputs.paths[0])
    if form is InputFormat.text:
        return OutputFormat.csv
    kept = (InputFormat.csv, InputFormat.tsv, InputFormat.ndjson)
    return OutputFormat(form) if form in kept else OutputFormat.parquet


def _manifest(folder: str) -> dict[str, Any] | None:
    """Return the manifest of a folder that has one."""
    try:
        with open(os.path.join(folder, MANIFEST), "rb") as file:
            manifest: dict[str, Any] = json.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return manifest


def _plan(folder: str, asked: dict[str, Any], inputs: Inputs, scorer: Scorer) -> Plan:
    """Return the plan that lies in the folder, or make one and leave it there."""
    try:
        os.makedirs(folder, exist_ok=True)
        here = [name for name in os.listdir(folder) if not is_aside(name)]
    except OSError as error:
        raise CommandError(f"{folder}: cannot be written: {error.strerror}") from error
    if PLAN in here:
        with open(os.path.join(folder, PLAN), "rb") as file:
            plan = Plan.from_json(file.read())
        _check_asked(folder, plan.request, asked)
    elif here:
        raise CommandError(f"{folder}: has something else in it ({min(here)}): name a new folder, or empty this one")
    else:
        plan = make_plan(asked, inputs, scorer)
        write_whole(os.path.join(folder, PLAN), plan.to_json())
    os.makedirs(os.path.join(folder, REPORTS), exist_ok=True)
    return plan


def _check_asked(folder: str, before: dict[str, Any], asked: dict[str, Any]) -> None:
    """Refuse to mix two jobs in one folder."""
    # Where no bad line was let pass, no part has one.
    strict = before["on_error"] == OnError.stop
    for what, value in asked.items():
        if json.loads(json.dumps(value)) != before[what] and not (strict and what == "on_error"):
            raise CommandError(
                f"{folder}: belongs to a job that differs in {what.replace('_', ' ')}: name a new folder, or empty this"
            )


def _done(parts: Parts, plan: Plan, workers: Workers, quiet: bool) -> list[Report]:
    """Return the reports of all parts, once those that are not done are done."""
    reports = {part.number: report for part in plan.parts if (report := parts.report(part.number)) is not None}
    missing = [part for part in plan.parts if part.number not in reports]
    if reports and not quiet:
        say(f"{parts.folder}: {len(reports):,} of {len(plan.parts):,} parts were done before")
    rows = sum(report.rows for report in reports.values())
    with progress_bar("score", not quiet) as advance:
        for part, report in _scored(parts, missing, workers):
            reports[part.number] = report
            rows += report.rows
            advance(len(reports) / len(plan.parts), f"{rows:,} rows")
    return [reports[part.number] for part in plan.parts]


def _scored(parts: Parts, missing: list[Part], workers: Workers) -> Iterator[tuple[Part, Report]]:
    """Yield parts with their reports, as they come."""
    lost: list[int] = list(range(len(missing)))
    task = functools.partial(score_part, parts)
    if missing:
        with workers.hired() as executor:
            if executor is not None:
                lost = []
                for index, report in hand_out(task, missing, executor, lost, "the rest is done here"):
                    yield missing[index], report
    for index in lost:
        yield missing[index], task(missing[index])


def _finish(parts: Parts, plan: Plan, reports: list[Report]) -> Report:
    """Write the manifest, remove all that is not a part, and return the sum of the reports."""
    first = [line for report in reports for line in report.first][:SHOWN_FAULTS]
    total = Report(sum(report.rows for report in reports), sum(report.lost for report in reports), first)
    made = [
        {"name": parts.name(part.number), "input": part.path, "from": part.slice.line}
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
    for name in os.listdir(folder):
        if name == PLAN or is_aside(name):
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
