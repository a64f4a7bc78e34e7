"""A part of a folder: a slice of an input, scored into a file of its own by whoever is asked to."""

import json
import os
from contextlib import closing
from dataclasses import asdict, dataclass

import pyarrow as pa

from .destination import write_whole
from .layouts import Layout
from .rows import InputError, Slice
from .save import save
from .score import Report, Scorer
from .sources import open_source
from .words import InputFormat, OnError, OutputFormat

__all__ = ["Input", "Part", "Parts", "score_part"]


@dataclass(frozen=True, slots=True)
class Input:
    """A file that has parts: how to read it, how large it was and when it was last changed, where its cards are."""

    path: str
    size: int
    seconds: int
    form: InputFormat
    header: bool | None
    delimiter: str | None
    layout: Layout

    def check(self) -> None:
        """Refuse a file that is not the one that was looked at."""
        try:
            now = os.stat(self.path)
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror}") from error
        if (now.st_size, int(now.st_mtime)) != (self.size, self.seconds):
            raise InputError(f"{self.path}: is not the file that it was when the job began: empty its folder")


@dataclass(frozen=True, slots=True)
class Part:
    """One of them: what to read."""

    number: int
    source: Input
    slice: Slice


@dataclass(frozen=True, slots=True)
class Parts:
    """What they have in common: where they go, and what they look like."""

    folder: str
    form: OutputFormat
    header: bool
    schema: bytes
    describe: bool
    best_five: bool
    prefix: str
    on_error: OnError

    def name(self, number: int) -> str:
        """Return what the file of a part is called."""
        return f"part-{number:05d}.{self.form}"

    def report_path(self, number: int) -> str:
        """Return where the report of a part stands, which comes after the part."""
        return os.path.join(self.folder, "_reports", f"{number:05d}.json")

    def report(self, number: int) -> Report | None:
        """Return the report of a part that is done, else None."""
        try:
            with open(self.report_path(number), encoding="utf-8") as file:
                found = Report(**json.load(file))
        except FileNotFoundError:
            return None
        return found if self.has(number) else None

    def has(self, number: int) -> bool:
        """Return whether the file of a part is there, as this machine sees the folder."""
        return os.path.isfile(os.path.join(self.folder, self.name(number)))


def score_part(parts: Parts, part: Part) -> Report:
    """Score a part into its file, which appears whole or not at all, like its report; to do it twice does not hurt."""
    scorer = Scorer(
        describe=parts.describe,
        best_five=parts.best_five,
        prefix=parts.prefix,
        on_error=parts.on_error,
        layout=part.source.layout,
        output=pa.ipc.read_schema(pa.py_buffer(parts.schema)),
    )
    given, target = part.source, os.path.join(parts.folder, parts.name(part.number))
    given.check()
    with closing(open_source(given.path, given.form, given.header, given.delimiter, part.slice)) as source:
        save(scorer.run([source]), lambda: scorer.output, target, parts.form, parts.header)
    given.check()
    write_whole(parts.report_path(part.number), json.dumps(asdict(scorer.report)).encode())
    return scorer.report
