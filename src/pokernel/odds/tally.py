"""From vectors of counts to equities."""

import math
from collections.abc import Mapping
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards import format_cards
from .result import Equity, shares
from .spot import Spot
from .sweep import wins_losses_ties

__all__ = ["error_of_ratio", "read_clusters", "read_counts"]

Counts = dict[tuple[int, ...], int | float]


def read_counts(
    spot: Spot,
    method: str,
    vector: NDArray[Any],
    categories: bool = False,
    trials: int = 0,
    seed: int | None = None,
) -> Equity:
    """Read counts by the set of winners, a bit a player, and by category; of all deals, or of so many trials."""
    players = len(spot.combos)
    by_winners = vector[: 1 << players].tolist()
    counts: Counts = {
        tuple(player for player in range(players) if winners >> player & 1): count
        for winners, count in enumerate(by_winners)
        if count
    }
    errors = errors_of_trials(counts, players) if trials else (0.0,) * players
    return _equity(spot, method, counts, errors, trials, seed, vector[1 << players :] if categories else None)


def read_clusters(spot: Spot, vector: NDArray[Any], lanes: int, seed: int, categories: bool) -> Equity:
    """Read what :class:`.sampling.Clusters` adds up."""
    n, wins, losses, pairs, squares_a, squares_b, products = vector[:7].tolist()
    parts = zip(((0,), (1,), (0, 1)), wins_losses_ties(wins, losses, pairs), strict=True)
    counts: Counts = {winners: count for winners, count in parts if count}
    error = error_of_ratio(n, squares_a, squares_b, products, pairs + wins - losses, pairs) / 2
    return _equity(
        spot, "monte-carlo", counts, (error, error), int(n) * lanes, seed, vector[7:] if categories else None
    )


def errors_of_trials(counts: Mapping[tuple[int, ...], int | float], players: int) -> tuple[float, ...]:
    """Standard errors of the equities of independent trials, from how often who won."""
    n = math.fsum(counts.values())
    errors = []
    for player in range(players):
        won = [(1 / len(winners), count) for winners, count in counts.items() if player in winners]
        mean = math.fsum(share * count for share, count in won) / n
        square = math.fsum(share * share * count for share, count in won) / n
        seen = math.sqrt(max(0.0, square - mean * mean) / (n - 1)) if n > 1 else math.inf
        errors.append(max(seen, 1 / n))  # what was never seen may still come once in n trials
    return tuple(errors)


def error_of_ratio(n: float, squares_a: float, squares_b: float, products: float, a: float, b: float) -> float:
    """Standard error of sum(a) / sum(b) over n independent pairs (a, b), by the delta method."""
    if n < 2 or not b:
        return math.inf
    ratio = a / b
    spread = squares_a - 2 * ratio * products + ratio * ratio * squares_b
    return math.sqrt(max(0.0, spread) * n / (n - 1)) / b


def _equity(
    spot: Spot,
    method: str,
    counts: Counts,
    errors: tuple[float, ...],
    trials: int,
    seed: int | None,
    by_category: NDArray[Any] | None,
) -> Equity:
    if not trials and spot.unit != 1:
        counts = {winners: count * spot.unit for winners, count in counts.items()}
    players = range(len(spot.combos))
    values = list(counts.values())
    total = sum(values) if all(isinstance(count, int) for count in values) else math.fsum(values)
    together = [
        sum(count for winners, count in counts.items() if len(winners) > 1 and player in winners) / total
        for player in players
    ]
    tables = None if by_category is None else (by_category.reshape(-1, 2, 10) / total).astype(np.float64)
    return Equity(
        players=spot.names,
        board=format_cards(spot.board),
        dead=format_cards(spot.dead),
        counts=counts,
        total=total,
        scale=1 if trials else max(1, spot.scale),
        exact=not trials,
        method=method,
        equity=_equities(counts, len(players)),
        win=tuple(counts.get((player,), 0) / total for player in players),
        tie=tuple(together),
        standard_error=errors,
        trials=trials,
        seed=seed,
        categories=None if tables is None else tables[:, 0],
        winning_categories=None if tables is None else tables[:, 1],
    )


def _equities(counts: Counts, players: int) -> tuple[float, ...]:
    """What `shares` gives as fractions, rounded once; of integers without fractions, which take their time."""
    parts, unit = [0] * players, lcm(*range(1, players + 1))
    total = 0
    for winners, count in counts.items():
        if not isinstance(count, int):
            return tuple(map(float, shares(counts, players)))
        total += count
        for player in winners:
            parts[player] += count * (unit // len(winners))
    return tuple(part / (total * unit) for part in parts)
