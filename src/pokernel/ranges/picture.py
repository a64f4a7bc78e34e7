"""The grid of a range in characters: plain, for a terminal, for a notebook. rich is there when it asks for its text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..combos import class_name

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["NAMES", "RGB", "html", "plain", "rich_text", "shade"]

RGB = tuple[int, int, int]
# On a terminal of sixteen colors these become black, gray and green.
_ABSENT: RGB = (20, 22, 26)
_FAINT: RGB = (70, 84, 96)
_WHOLE: RGB = (0, 140, 70)

NAMES = tuple(tuple(class_name(13 * row + column) for column in range(12, -1, -1)) for row in range(12, -1, -1))
"""Names of the classes as `Range.grid` lays them out."""


def shade(share: float) -> RGB:
    """Color of a cell; the least share can be told from none."""
    if not share:
        return _ABSENT
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(_FAINT, _WHOLE, strict=True))
    return red, green, blue


def plain(grid: NDArray[np.float64]) -> str:
    """Thirteen lines: names of what is in the range, in parentheses what is in it in part, dots for the rest."""
    rows = ("".join(f"{_mark(name, share):^6}" for name, share in row) for row in _cells(grid))
    return "\n".join(row.rstrip() for row in rows)


def rich_text(grid: NDArray[np.float64]) -> Text:
    """Make the same in colors, for ``rich.print``."""
    from rich.text import Text

    text = Text(no_wrap=True)
    for number, row in enumerate(_cells(grid)):
        text.append("\n" * (number > 0))
        for name, share in row:
            color = "rgb({},{},{})".format(*shade(share))
            text.append(f"{_mark(name, share):^6}", f"{'bold ' if share else ''}white on {color}")
    return text


def html(grid: NDArray[np.float64], caption: str) -> str:
    """Make an HTML table for notebooks; the shares are in its tooltips."""
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td title="{name}: {share:.4g}" style="background:rgb{shade(share)};color:{"#fff" if share else "#89a"};'
            f'text-align:center;padding:2px 5px;border:1px solid #111">{name}</td>'
            for name, share in row
        )
        + "</tr>"
        for row in _cells(grid)
    )
    return f'<table style="font:12px monospace"><caption>{escape(caption)}</caption>{rows}</table>'


def _cells(grid: NDArray[np.float64]) -> Iterator[list[tuple[str, float]]]:
    for names, shares in zip(NAMES, grid.tolist(), strict=True):
        yield list(zip(names, shares, strict=True))


def _mark(name: str, share: float) -> str:
    if not share:
        return "·"
    return name if share == 1 else f"({name})"
