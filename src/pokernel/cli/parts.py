"""A part of a folder: a slice of an input, scored into a file of its own by whoever is asked to."""

import json
import os
from contextlib import closing
from dataclasses import asdict, dataclass

import pyarrow as pa

from .destination import write_whole
from .layouts import Layout
from .rows import Slice
from .save import save
from .score import Report, Scorer
from .sources import open_source
from .words import InputFormat, OnError, OutputFormat

__all__ = ["Part", "Parts", "score_part"]


@dataclass(frozen=True, slots=True)
class Part:
    """One of them: what to read, and where its cards are."""

    number: int
    path: str
    form: InputFormat
    header: bool | None
    delimiter: str | None
    slice: Slice
    layout: Layout


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
        return found if os.path.isfile(os.path.join(self.folder, self.name(number))) else None


def score_part(parts: Parts, part: Part) -> Report:
    """Score a part into its file, which appears whole or not at all, like its report; to do it twice does not hurt."""
    scorer = Scorer(
        describe=parts.describe,
        best_five=parts.best_five,
        prefix=parts.prefix,
        on_error=parts.on_error,
        layout=part.layout,
        output=pa.ipc.read_schema(pa.py_buffer(parts.schema)),
    )
    target = os.path.join(parts.folder, parts.name(part.number))
    with closing(open_source(part.path, part.form, part.header, part.delimiter, part.slice)) as source:
        save(scorer.run([source]), lambda: scorer.output, target, parts.form, parts.header)
    write_whole(parts.report_path(part.number), json.dumps(asdict(scorer.report)).encode())
    return scorer.report
