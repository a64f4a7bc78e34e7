"""``pokernel range``: a range as a grid, a list of combos, JSON, and a plot."""

import json
import math
import os
import sys

import numpy as np
import typer

from ..cards import format_cards
from ..combos import CLASS_OF, class_name
from ..ranges import Range
from ..ranges.picture import plain
from .show import print_pairs, read_cards
from .terminal import CommandError

__all__ = ["show"]


def show(text: str, dead: str = "", combos: bool = False, plot: str | None = None, as_json: bool = False) -> None:
    """
    Print a range, and draw it if that is wanted.

    Parameters
    ----------
    text : str
        The range, as `pokernel.Range` reads it.
    dead : str
        Cards seen elsewhere: what they leave of the range is shown, and the range in one line; blank for none.
    combos : bool
        Whether to list the combos instead of drawing the grid; in JSON, as well.
    plot : str, optional
        A file to draw the grid to, in the format that its suffix tells.
    as_json : bool
        Whether to print a JSON object.

    Raises
    ------
    CommandError
        If the dead cards are no cards, or the plot cannot be made.
    RangeError
        If the text is no range.
    """
    given = Range(text)
    known = read_cards("dead", dead) if dead.strip() else ()
    left, possible = given.without(known), math.comb(52 - len(known), 2)
    cards = format_cards(known, " ")
    if plot is not None:
        _draw(left, plot)
    if as_json:
        document = {"given": str(given), "dead": cards, "range": str(left), **_document(left, possible, combos)}
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
    elif combos:
        for combo, weight in zip(left.combos[::-1], left.weights[::-1].tolist(), strict=True):
            typer.echo(format_cards(combo) + (f":{weight}" if weight != 1 else ""))
    else:
        _print_picture(left)
        typer.echo()
        pairs = [("given", f"{given} without {cards}")] * bool(known)
        print_pairs([*pairs, ("range", str(left)), *_sizes(left, possible)])


def _print_picture(shown: Range) -> None:
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(shown)
    else:
        typer.echo(plain(shown.grid()))


def _sizes(left: Range, possible: int) -> list[tuple[str, str]]:
    count, weight = len(left), float(left.weights.sum())
    sizes = [("combos", f"{count:,} of {possible:,} ({count / possible:.2%})")]
    if weight != count:
        sizes.append(("weight", f"{weight:,.6g} ({weight / possible:.2%})"))
    return sizes


def _document(left: Range, possible: int, combos: bool) -> dict[str, object]:
    weight = float(left.weights.sum())
    sums = np.bincount(CLASS_OF, left.by_combo, 169)
    document: dict[str, object] = {
        "combos": len(left),
        "possible": possible,
        "weight": weight,
        "share": weight / possible,
        "classes": {class_name(number): float(sums[number]) for number in np.flatnonzero(sums)[::-1].tolist()},
    }
    if combos:
        names = map(format_cards, left.combos[::-1])
        document["weights"] = dict(zip(names, left.weights[::-1].tolist(), strict=True))
    return document


def _draw(shown: Range, path: str) -> None:
    try:
        from ..ranges.plot import figure

        title = str(shown)
        picture = figure(shown.grid(), title if len(title) < 200 else f"{len(shown):,} combos")
    except ImportError as error:
        raise CommandError(str(error)) from error
    form = os.path.splitext(path)[1].lstrip(".").lower()
    forms = picture.canvas.get_supported_filetypes()
    if form not in forms:
        raise CommandError(f"{path}: no format for a plot by its suffix; there are {', '.join(sorted(forms))}")
    picture.savefig(path, format=form)
