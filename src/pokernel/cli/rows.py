"""What flows through the command: batches of rows that know which line of which file they came from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .terminal import CommandError

__all__ = ["BATCH_ROWS", "SAMPLE_ROWS", "InputError", "Rows", "Slice", "Source", "reason_of"]

BATCH_ROWS = 65_536
SAMPLE_ROWS = 20  # as many rows tell what columns hold


class InputError(CommandError):
    """Input that cannot be read at all; the text names the file and says why."""


def reason_of(error: BaseException) -> str:
    """Return an error's text on one line (pyarrow's run over several), never empty."""
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Slice:
    """
    A piece of an input that can be read without the rest.

    Attributes
    ----------
    start : int
        The byte, or the row group, where it starts.
    size : int or None
        How many bytes; None for a whole input, or for a row group.
    line : int
        The number of its first line or row.
    names : tuple of str or None
        What the columns are called, where the slice itself does not tell.
    """

    start: int = 0
    size: int | None = None
    line: int = 1
    names: tuple[str, ...] | None = None


@dataclass(slots=True)
class Rows:
    """
    One batch.

    Attributes
    ----------
    table : pyarrow.RecordBatch
        n rows, all of the source's schema.
    lines : int64 (n,)
        The 1-based line (or row, in formats without lines) that each row starts on.
    faults : dict of int to str
        Rows that the format could not read, with the reason. ``table`` holds what there was of them, nulls elsewhere.
    """

    table: pa.RecordBatch
    lines: NDArray[np.int64]
    faults: dict[int, str] = field(default_factory=dict)


class Source(ABC):
    """
    An open input: a schema, known before the first row, and a stream of `Rows`.

    Attributes
    ----------
    name : str
        What messages call it.
    schema : pyarrow.Schema
        Empty when the input holds nothing, not even a header.
    named : bool
        Whether the input itself names its columns.
    text : bool
        Whether its cells are cut from text, perhaps at the wrong delimiter.
    unsure : int
        The line that was taken for data though nobody said that it is no header; 0 for none.
    """

    name: str
    schema: pa.Schema
    named: bool = True
    text: bool = False
    unsure: int = 0

    @abstractmethod
    def __iter__(self) -> Iterator[Rows]:
        """Yield the batches, once."""

    def where(self, line: int) -> str:
        """Return the place of a line (or row) in the form that editors jump to."""
        return f"{self.name}:{line}"

    def slices(self, size: int) -> Iterator[Slice]:
        """Yield slices that hold all rows: of about so many bytes, or as the input is cut already, or all of it."""
        yield Slice()

    def progress(self) -> float | None:
        """Return the share that has been read, 0 to 1, or None where nobody can know."""
        return None

    def close(self) -> None:  # noqa: B027 (most sources have nothing to close)
        """Let go of the file."""
