"""The grid of a range as a plot. matplotlib is imported here alone, and when a plot is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .picture import NAMES, shade

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "figure"]

_MISSING = 'plots need matplotlib: pip install "pokernel[plot]"'
_INCHES = 6.0


def draw(grid: NDArray[np.float64], ax: Axes | None = None) -> Axes:
    """Draw the classes and their shares; see :meth:`pokernel.Range.plot`."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError(_MISSING) from error
        ax = pyplot.figure(figsize=(_INCHES, _INCHES), layout="tight").add_subplot()
    colors = np.array([[shade(share) for share in row] for row in grid.tolist()], np.uint8)
    ax.imshow(colors)
    for (row, column), share in np.ndenumerate(grid):
        name = NAMES[row][column]
        part = f"{name}\n{share:.0%}" if 0 < share < 1 else name
        ax.text(column, row, part, ha="center", va="center", color="white" if share else "#8899aa", fontsize=8)
    ax.set_xticks(np.arange(12) + 0.5, labels=[])
    ax.set_yticks(np.arange(12) + 0.5, labels=[])
    ax.grid(color="black")
    ax.tick_params(length=0)
    return ax


def figure(grid: NDArray[np.float64], title: str) -> Figure:
    """Make a figure that pyplot does not know, to be saved."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(_MISSING) from error
    made = Figure(figsize=(_INCHES, _INCHES), layout="tight")
    draw(grid, made.add_subplot()).set_title(title, fontsize=9, wrap=True)
    return made
