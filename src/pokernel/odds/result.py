"""What came out: equities, counted or estimated, and how they look."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..strength import Category

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Equity"]


@dataclass(frozen=True, eq=False)
class Equity:
    """How much of the pot each player can expect, and how often he wins it alone, or with whom.

    Attributes
    ----------
    players : tuple of str
        What they hold, as :class:`pokernel.Range` or a hand writes it.
    board, dead : str
        Cards on the board so far, cards that cannot come.
    counts : mapping of tuple of int to int (or float)
        By the players who win together, numbered from 0: in how many deals. A deal is a hand for each player and a
        whole board; a weighted one counts as often as the product of its weights times `scale`. Integers, except where
        no factor up to a million makes integers of a player's weights, where counts would not fit 53 bits in a piece of
        the work (fine weights of wide ranges), and where boards were sampled for ranges.
    total : int or float
        All deals counted.
    scale : int
        What the weights of one deal were multiplied by: 1 where all are 1.
    exact : bool
        Whether every possible deal was counted.
    method : str
        ``"table"``, ``"match-ups"``, ``"sweep"`` or ``"monte-carlo"``, see :func:`pokernel.equity`.
    equity : tuple of float
        By player: the share of the pot on average, ties split. See `shares` for exact fractions.
    win, tie : tuple of float
        By player: the probability to win alone, and to win together with others.
    standard_error : tuple of float
        By player, of `equity`: 0 where it is exact. About 68 % of estimates lie within one, 95 % within two.
    trials : int
        Boards dealt at random; 0 where it is exact.
    seed : int or None
        That gives the same again.
    categories, winning_categories : numpy.ndarray or None
        ``(players, 10)``, if asked for: the probability that a player's hand ends in each :class:`pokernel.Category`,
        and that it does and wins (alone or with others).
    """

    players: tuple[str, ...]
    board: str
    dead: str
    counts: Mapping[tuple[int, ...], int | float]
    total: int | float
    scale: int
    exact: bool
    method: str
    equity: tuple[float, ...]
    win: tuple[float, ...]
    tie: tuple[float, ...]
    standard_error: tuple[float, ...]
    trials: int
    seed: int | None
    categories: NDArray[np.float64] | None = None
    winning_categories: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))
        for table in (self.categories, self.winning_categories):
            if table is not None:
                table.flags.writeable = False

    def __reduce__(self) -> tuple[object, ...]:
        values = [getattr(self, field.name) for field in fields(self)]
        return type(self), tuple(dict(value) if isinstance(value, Mapping) else value for value in values)

    def __eq__(self, other: object) -> bool:
        return self.as_dict() == other.as_dict() if isinstance(other, Equity) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.players, self.board, self.dead, self.method, self.total, self.seed))

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """Equities as fractions of what was counted; their sum is 1, exactly if the counts are integers."""
        return shares(self.counts, len(self.players))

    def as_dict(self) -> dict[str, object]:
        """Everything as plain Python values that JSON can hold; keys of counts are texts such as ``"0,2"``.

        An error that is not known (of a single trial) is None.
        """
        plain: dict[str, object] = {
            "players": list(self.players),
            "board": self.board,
            "dead": self.dead,
            "method": self.method,
            "exact": self.exact,
            "equity": list(self.equity),
            "win": list(self.win),
            "tie": list(self.tie),
            "standard_error": [error if math.isfinite(error) else None for error in self.standard_error],
            "counts": {",".join(map(str, winners)): count for winners, count in self.counts.items()},
            "total": self.total,
            "scale": self.scale,
            "trials": self.trials,
            "seed": self.seed,
        }
        for name in ("categories", "winning_categories"):
            values = getattr(self, name)
            if values is not None:
                plain[name] = [dict(zip([c.label for c in Category], row, strict=True)) for row in values.tolist()]
        return plain

    def __str__(self) -> str:
        heads, rows = self._cells()
        lines = [heads, *rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
        table = [
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in lines
        ]
        return "\n".join([*(line.rstrip() for line in table), self._told()])

    def __rich__(self) -> Table:
        from rich.table import Table

        heads, rows = self._cells()
        table = Table(caption=self._told(), caption_justify="left")
        for i, head in enumerate(heads):
            table.add_column(head, justify="right" if i else "left")
        for row in rows:
            table.add_row(*row)
        return table

    def _repr_html_(self) -> str:
        heads, rows = self._cells()
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{html.escape(self._told())}</p>"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        heads = ["player", "equity", "win", "tie"]
        if not self.exact:
            heads.append("±")
        rows = []
        for i, name in enumerate(self.players):
            name = name if len(name) <= 48 else name[:47] + "…"
            row = [name, *(f"{100 * values[i]:.3f}%" for values in (self.equity, self.win, self.tie))]
            if not self.exact:
                row.append(f"{100 * self.standard_error[i]:.3f}%")
            rows.append(row)
        return heads, rows

    def _told(self) -> str:
        where = f"board {self.board or 'none'}" + (f", dead {self.dead}" if self.dead else "")
        if self.exact:
            deals = f"{self.total:,} deals" if isinstance(self.total, int) else f"deals of weight {self.total:,.6g}"
            scaled = f", weights times {self.scale:,}" if self.scale > 1 else ""
            return f"{where}; exact: {deals}{scaled} ({self.method})"
        return f"{where}; estimated: {self.trials:,} boards, seed {self.seed}, ± one standard error"


def shares(counts: Mapping[tuple[int, ...], int | float], players: int) -> tuple[Fraction, ...]:
    """Each player's part of what was counted; winners share equally."""
    parts = [Fraction(0)] * players
    for winners, count in counts.items():
        for player in winners:
            parts[player] += Fraction(count) / len(winners)
    total = sum(map(Fraction, counts.values()))
    return tuple(part / total for part in parts)
