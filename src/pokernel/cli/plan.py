"""How inputs are divided into parts: found out once, written down, and found again after a crash."""

import base64
import json
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from .. import __version__
from .job import Inputs, Output
from .layouts import Layout
from .parts import Part
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
        """Return it as a text that `from_json` reads."""
        parts = [asdict(part) for part in self.parts]
        plan = {"request": self.request, "schema": base64.b64encode(self.schema).decode(), "parts": parts}
        return json.dumps(plan).encode()

    @staticmethod
    def from_json(text: bytes) -> "Plan":
        """Read what `to_json` wrote."""
        plan = json.loads(text)
        return Plan(plan["request"], base64.b64decode(plan["schema"]), [_part(part) for part in plan["parts"]])


def _part(told: dict[str, Any]) -> Part:
    names, layout = told["slice"]["names"], told["layout"]
    return Part(
        **told
        | {
            "form": InputFormat(told["form"]),
            "slice": Slice(**told["slice"] | {"names": None if names is None else tuple(names)}),
            "layout": Layout(LayoutKind(layout["kind"]), tuple(layout["columns"]), tuple(layout["board"])),
        }
    )


def make_plan(asked: dict[str, Any], inputs: Inputs, scorer: Scorer) -> Plan:
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

    Raises
    ------
    InputError
        If an input cannot be read or has not the columns of the first.
    """
    parts: list[Part] = []
    first: pa.Schema | None = None
    for path in map(os.path.abspath, inputs.paths):
        with closing(open_source(path, inputs.form, inputs.header, inputs.delimiter)) as source:
            own = scorer.schema(source)
            if not len(source.schema):
                continue
            first = first or own
            scorer.check_same(source, own, first)
            form = inputs.form or input_format_of(path)
            layout = scorer.layout_of(source, next(iter(source), None))
            slices = list(source.slices(PART_BYTES))
        assert form is not None, "the source is open"
        for piece in slices:
            parts.append(Part(len(parts), path, form, inputs.header, inputs.delimiter, piece, layout))
    schema = scorer.added if first is None else first
    return Plan(asked, schema.serialize().to_pybytes(), parts)
