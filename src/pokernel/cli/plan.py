"""How inputs are divided into parts: found out once, written down, and found again after a crash."""

import base64
import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

import pyarrow as pa

from .. import __version__
from .job import Inputs, Output
from .layouts import Layout
from .parts import Input, Part
from .rows import Slice
from .score import Scorer
from .sources import input_format_of, open_source
from .words import InputFormat, LayoutKind, OutputFormat

__all__ = ["Plan", "make_plan", "request"]

PART_BYTES = 1 << 26
"""What a part of delimited text has, about."""


def request(inputs: Inputs, output: Output, scorer: Scorer, form: OutputFormat) -> dict[str, Any]:
    """Return what is asked for, as JSON has it: two jobs of the same request have the same parts."""
    files = [(os.path.abspath(path), os.stat(path)) for path in inputs.paths]
    return {
        "pokernel": __version__,
        "inputs": [{"path": path, "bytes": at.st_size, "modified": at.st_mtime_ns} for path, at in files],
        "input_format": inputs.form,
        "header": inputs.header,
        "delimiter": inputs.delimiter,
        "layout": scorer.kind,
        "columns": scorer.columns,
        "board": scorer.board,
        "describe": scorer.describe,
        "best_five": scorer.best_five,
        "prefix": scorer.prefix,
        "on_error": scorer.on_error,
        "output_format": form,
        "output_header": output.header,
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """The request, the columns of all parts, and the parts."""

    request: dict[str, Any]
    schema: bytes
    parts: Sequence[Part]

    def to_json(self) -> bytes:
        """Return it as a text that `from_json` reads; inputs and the names of their columns stand there once."""
        inputs = []
        for source, parts in groupby(self.parts, lambda part: part.source):
            slices = [part.slice for part in parts]
            cuts = [[piece.start, piece.size, piece.line] for piece in slices]
            inputs.append(asdict(source) | {"names": slices[0].names, "slices": cuts})
        return json.dumps(
            {"request": self.request, "schema": base64.b64encode(self.schema).decode(), "inputs": inputs}
        ).encode()

    @staticmethod
    def from_json(text: bytes) -> "Plan":
        """Read what `to_json` wrote; a KeyError, TypeError or ValueError tells that it is something else."""
        plan = json.loads(text)
        parts: list[Part] = []
        for told in plan["inputs"]:
            names, cuts = told.pop("names"), told.pop("slices")
            named = None if names is None else tuple(names)
            source = _input(told)
            parts += [
                Part(len(parts) + index, source, Slice(start, size, line, named))
                for index, (start, size, line) in enumerate(cuts)
            ]
        return Plan(plan["request"], base64.b64decode(plan["schema"]), parts)

    def asked_as(self, asked: dict[str, Any]) -> "Plan":
        """Return the same parts for another request."""
        return replace(self, request=asked)


def _input(told: dict[str, Any]) -> Input:
    layout = told["layout"]
    layout = Layout(LayoutKind(layout["kind"]), tuple(layout["columns"]), tuple(layout["board"]))
    return Input(**told | {"form": InputFormat(told["form"]), "layout": layout})


def make_plan(asked: dict[str, Any], inputs: Inputs, scorer: Scorer, advance: Callable[[float, str], None]) -> Plan:
    """
    Look at every input, and divide it.

    Parameters
    ----------
    asked : dict
        What `request` says.
    inputs : Inputs
        Files; delimited text is read once, to find where its records end.
    scorer : Scorer
        Chooses the layout of each; has the columns of the output afterwards.
    advance : callable
        Takes the share that is done, and a word on it.

    Raises
    ------
    InputError
        If an input cannot be read or has not the columns of the first.
    """
    parts: list[Part] = []
    first: pa.Schema | None = None
    for index, path in enumerate(map(os.path.abspath, inputs.paths)):
        at = os.stat(path)
        with closing(open_source(path, inputs.form, inputs.header, inputs.delimiter)) as source:
            own = scorer.schema(source)
            if not len(source.schema):
                continue
            first = first or own
            scorer.check_same(source, own, first)
            form = inputs.form or input_format_of(path)
            assert form is not None, "the source is open"
            layout = scorer.layout_of(source, next(iter(source), None))
            given = Input(path, at.st_size, int(at.st_mtime), form, inputs.header, inputs.delimiter, layout)
            for piece in source.slices(PART_BYTES):
                parts.append(Part(len(parts), given, piece))
                within = min(1.0, piece.start / at.st_size) if piece.size is not None else 0.0
                advance((index + within) / len(inputs.paths), f"{len(parts):,} parts")
    schema = scorer.added if first is None else first
    return Plan(asked, schema.serialize().to_pybytes(), parts)
