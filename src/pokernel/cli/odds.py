"""``pokernel equity``: who can expect how much of the pot, in a table or JSON."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

from ..odds.equity import equity
from ..odds.result import Equity
from ..strength import Category
from .show import read_cards
from .terminal import CommandError, print_table, progress_bar

__all__ = ["show"]

NAME_WIDTH = 20
SHOWN_WHILE_COUNTING = 4
"""Players whose equities stand beside the bar: more would not fit."""


def show(
    players: Sequence[str],
    board: str = "",
    dead: str = "",
    *,
    method: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    categories: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """
    Print the players' equities.

    Parameters
    ----------
    players, board, dead, method, trials, target_error, seed, threads, categories
        As for `pokernel.equity`, everything in texts.
    as_json : bool
        Whether to print a JSON object.
    quiet : bool
        Whether to draw no bar.

    Raises
    ------
    CommandError
        If the board or the dead cards are no cards, or what must be compiled may not be.
    PokernelError
        If a player's text is no hand or range, or all of it cannot be dealt together.
    """
    known = [read_cards(name, text) if text.strip() else () for name, text in (("board", board), ("dead", dead))]
    with _in_a_line(), progress_bar("equity", not quiet) as advance:
        result = equity(
            players,
            *known,
            method=method,
            trials=trials,
            target_error=target_error,
            seed=seed,
            threads=threads,
            categories=categories,
            progress=lambda partial, share: advance(share, _in_short(partial)),
        )
    if as_json:
        typer.echo(json.dumps(result.as_dict(), ensure_ascii=False, indent=2))
        return
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(result)
    else:
        typer.echo(str(result))
    for head, tables in (("ends with", result.categories), ("wins with", result.winning_categories)):
        if tables is not None:
            names = [name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…" for name in result.players]
            rows = [[kind.label, *(f"{share:.3%}" for share in tables[:, kind])] for kind in reversed(Category)]
            typer.echo()
            print_table([head, *names], rows, right=names)


@contextmanager
def _in_a_line() -> Iterator[None]:
    """Tell without a traceback that nothing may be compiled: the only RuntimeError that is no mistake of ours."""
    try:
        yield
    except RuntimeError as error:
        from numba import config

        if not config.DISABLE_JIT:
            raise
        raise CommandError(str(error)) from error


def _in_short(partial: Equity) -> str:
    told = [f"{share:.2%}" for share in partial.equity[:SHOWN_WHILE_COUNTING]]
    if partial.trials:
        told.append(f"± {max(partial.standard_error):.2%}")
    return "  ".join(told)
