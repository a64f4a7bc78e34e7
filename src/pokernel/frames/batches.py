"""What is wrong with a row of a batch, told by what it holds: who asked did not number the rows of batches."""

import re
from typing import Any, Final

from ..errors import PokernelError

__all__ = ["found_in"]

_ROW: Final = re.compile(
    r"(?:row|index) (?P<row>\d+): (?P<what>.*?)(?P<share> \(\d+ of \d+ (?:rows? (?:is|are) bad|out of range)\))?",
    re.DOTALL,
)


def found_in(error: PokernelError, *columns: Any) -> tuple[int, str, str, str] | None:
    """Take an error about a row, or about the index of a strength, apart.

    Parameters
    ----------
    error : PokernelError
        That one of the doors of ``arrow`` raised.
    *columns : Array or ChunkedArray
        What the batch has.

    Returns
    -------
    tuple of int and three str, or None
        The row, what the columns hold there, what is wrong with it, how many rows are bad; None if it tells of no row.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from pokernel import HandSizeError
    >>> found_in(HandSizeError("row 1: not 2 cards (1 of 2 rows is bad)"), pa.array(["AsKsQsJsTs", "AsKs"]))
    (1, "'AsKs'", 'not 2 cards', ' (1 of 2 rows is bad)')
    """
    match = _ROW.fullmatch(str(error))
    if match is None:
        return None
    row = int(match["row"])
    return row, ", ".join(_quoted(column[row].as_py()) for column in columns), match["what"], match["share"] or ""


def _quoted(value: Any, limit: int = 80) -> str:
    text = repr(list(value.values()) if isinstance(value, dict) else value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
