"""The words and bounds of what options take, each in its one place; imports nothing heavy."""

from enum import StrEnum, auto
from typing import Final

__all__ = ["LEAST_ERROR", "InputFormat", "LayoutKind", "Method", "OnError", "OutputFormat"]


class InputFormat(StrEnum):
    """What `score` reads."""

    csv = auto()
    tsv = auto()
    ndjson = auto()
    parquet = auto()
    arrow = auto()
    arrows = auto()
    npy = auto()
    text = auto()


class OutputFormat(StrEnum):
    """What `score` writes: formats that it reads, by the same names."""

    csv = InputFormat.csv
    tsv = InputFormat.tsv
    ndjson = InputFormat.ndjson
    parquet = InputFormat.parquet
    arrow = InputFormat.arrow
    arrows = InputFormat.arrows


class LayoutKind(StrEnum):
    """How the cards lie in the columns."""

    auto = "auto"
    text = "text"
    columns = "columns"
    uci = "uci"


class OnError(StrEnum):
    """What to do with a line that holds no hand."""

    stop = auto()
    skip = auto()
    null = auto()


class Method(StrEnum):
    """How equities are found: the words of `pokernel.equity`."""

    auto = "auto"
    exact = "exact"
    table = "table"
    match_ups = "match-ups"
    sweep = "sweep"
    monte_carlo = "monte-carlo"


LEAST_ERROR: Final = 1e-7
"""The least standard error that may be asked for: that of `pokernel.equity`."""
