"""Random deals of a spot, in chunks: each has a generator of its own, so that who does which chunk does not matter.

Chunk i of a seed starts from ``numpy.random.SeedSequence(seed, spawn_key=(i,))``. Like a count, a *sample* gives one
vector a chunk, and vectors add up. Two kinds: deals of everything, one trial after the other, and, for two ranges,
clusters of eight boards on which all combos meet.
"""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..combos import COMBOS
from ..errors import DealError
from ..ranges.holding import CARD_BITS
from ..tables import load
from .spot import Spot
from .sweep import Sweep, tables

__all__ = ["CHUNK", "Clusters", "Deals"]

CHUNK: Final = 1 << 17
"""Trials of one chunk of deals; a chunk of clusters has 1024 boards."""
CLUSTERS: Final = 128
LANES: Final = 8
MOST_CLASHES: Final = 1 << 24
"""So many clashes in a row end a chunk."""
LARGEST_UNIT: Final = 1 << 17
"""Joint holdings that players may be merged into: what is drawn together cannot clash."""
SMALL_UNIT: Final = 1 << 12
FEW_CLASHES: Final = 0.8
"""Where so many draws go together, two short lists are faster to draw from than a long one."""


def _state(seed: int, chunk: int) -> NDArray[np.uint64]:
    return np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(4, np.uint64).astype(np.uint64)


def _without(cards: tuple[int, ...]) -> np.int64:
    """The deck without these cards, a bit each."""
    return np.int64((1 << 52) - 1 - sum(1 << card for card in cards))


class Deals:
    """Trials in which everybody gets cards: winners are counted as in :mod:`.match_ups`, in integers."""

    def __init__(self, spot: Spot, seed: int, categories: bool = False) -> None:
        self.seed, self.wants_categories = seed, categories
        self.players = len(spot.combos)
        self.known: dict[int, int] = dict(enumerate(spot.board))  # column: card
        from_deck = list(range(len(spot.board), 5))
        ranged = []
        for player, (combos, any_two) in enumerate(zip(spot.combos, spot.any_two, strict=True)):
            columns = (5 + 2 * player, 6 + 2 * player)
            if len(combos) == 1:
                self.known |= dict(zip(columns, COMBOS[combos[0]].tolist(), strict=True))
            elif any_two:
                from_deck += columns
            else:
                ranged.append(player)
        self.from_deck = np.array(from_deck, np.uint64)
        self.deck = _without(spot.known)
        self.units = _units([_single(player, spot) for player in ranged])

    def run(self, chunk: int, trials: int = CHUNK) -> NDArray[np.int64]:
        """Deal one chunk."""
        vector, clashes = self._deal(_state(self.seed, chunk), trials)
        if clashes < 0:
            raise DealError("the ranges clash too often to be sampled: hardly any of their deals is possible")
        return vector

    @property
    def never_clashes(self) -> bool:
        """Whether all ranges are drawn together."""
        return len(self.units[0]) < 2

    def clashes(self, seed: int, chunk: int, trials: int) -> int:
        """How often the ranges clash until so many trials are dealt; a very large number if they never are."""
        _, clashes = self._deal(_state(seed, chunk), trials)
        return clashes if clashes >= 0 else MOST_CLASHES

    def _deal(self, state: NDArray[np.uint64], trials: int) -> tuple[NDArray[np.int64], int]:
        from ..jit import batch
        from ..jit.deal import BLOCK, deal

        columns = np.zeros((5 + 2 * self.players, BLOCK), np.uint8)
        for column, card in self.known.items():
            columns[column] = card
        tally = np.zeros((4, 1 << self.players), np.int64)
        by_category = np.zeros((self.players if self.wants_categories else 0, 2, 10), np.int64)
        clashes = deal(
            *(trials, state, columns, self.units, self.deck, self.from_deck),
            *(batch.tables(7), load("categories"), MOST_CLASHES, tally, by_category),
        )
        return np.concatenate([tally.sum(axis=0), by_category.ravel()]), int(clashes)


class Clusters:
    """Random boards for two ranges, all of whose combos meet on each; gives sums of a ratio's parts, see `run`."""

    def __init__(self, spot: Spot, seed: int, categories: bool = False) -> None:
        self.seed, self.wants_categories = seed, categories
        self.sweep = Sweep(spot)
        self.to_come = spot.to_come
        self.deck = _without((*spot.board, *spot.dead))

    def run(self, chunk: int, boards: int = CLUSTERS * LANES) -> NDArray[np.float64]:
        """Deal one chunk: its clusters, and the sums that `pokernel.jit.sweeps.sample` makes."""
        from ..jit.sweeps import sample

        clusters = -(-boards // LANES)
        moments, by_category = np.zeros(6), np.zeros((2 if self.wants_categories else 0, 2, 10))
        sample(
            *(clusters, _state(self.seed, chunk), self.deck, self.to_come, self.sweep.start(), self.sweep.ranges()),
            *(tables(), self.sweep.room(), moments, by_category),
        )
        return np.concatenate([[clusters], moments, by_category.ravel()])


Unit = tuple[list[int], NDArray[np.int64], NDArray[np.uint8], NDArray[np.float64]]
"""Players, masks of joint holdings (52 bits), their cards ``(n, players, 2)`` and weights."""


def _single(player: int, spot: Spot) -> Unit:
    combos = spot.combos[player]
    return [player], CARD_BITS[combos], COMBOS[combos][:, np.newaxis], spot.weights[player]


def _merged(a: Unit, b: Unit) -> Unit | None:
    """Holdings of both units together, those that do not clash; None if that does not pay."""
    if _size(a) * _size(b) > LARGEST_UNIT:
        return None
    apart = (a[1][:, np.newaxis] & b[1]) == 0
    both = float(a[3] @ (apart @ b[3]))
    if np.count_nonzero(apart) > SMALL_UNIT and both > FEW_CLASHES * float(a[3].sum() * b[3].sum()):
        return None
    first, second = np.nonzero(apart)
    cards = np.concatenate([a[2][first], b[2][second]], axis=1)
    return a[0] + b[0], a[1][first] | b[1][second], cards, a[3][first] * b[3][second]


def _units(singles: list[Unit]) -> tuple[Any, ...]:
    """Merge the narrowest units that clash, if they stay small; lay all out for the kernel, with alias tables."""
    units, apart = sorted(singles, key=_size), list[Unit]()
    while units:
        first, *units = units
        merged = _merged(first, units[0]) if units else None
        if merged is None:
            apart.append(first)
        else:
            units = sorted([merged, *units[1:]], key=_size)
    units = apart
    sizes = np.array([len(masks) for _, masks, _, _ in units], np.int64)
    starts = np.cumsum(sizes) - sizes
    held = np.array([len(players) for players, _, _, _ in units], np.int64)
    most = max(held.tolist(), default=1)
    plain = np.array([bool((weights == weights[0]).all()) for _, _, _, weights in units], np.bool_)
    members = np.zeros((len(units), most), np.int64)
    together = np.concatenate([masks for _, masks, _, _ in units]) if units else np.empty(0, np.int64)
    cards = np.zeros((int(sizes.sum()), 2 * most), np.uint8)
    thresholds, aliases = np.zeros(len(cards), np.uint64), np.zeros(len(cards), np.int64)
    for unit, (players, masks, rows, weights) in enumerate(units):
        there = slice(starts[unit], starts[unit] + len(masks))
        members[unit, : len(players)] = players
        cards[there, : 2 * len(players)] = rows.reshape(len(masks), -1)
        if not plain[unit]:
            thresholds[there], aliases[there] = _alias_tables(weights)
    return starts, sizes, plain, thresholds, aliases, together, cards, held, members


def _size(unit: Unit) -> int:
    return len(unit[1])


def _alias_tables(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Walker's tables in Vose's way: item i stands for itself up to its threshold, of 2**64, else for its alias."""
    n = len(weights)
    thresholds, aliases = np.full(n, 2**64 - 1, np.uint64), np.arange(n)
    shares = (weights * (n / math.fsum(weights))).tolist()
    small = [item for item in range(n) if shares[item] < 1]
    large = [item for item in range(n) if shares[item] >= 1]
    while small and large:
        item, other = small.pop(), large.pop()
        thresholds[item], aliases[item] = min(int(shares[item] * 2**64), 2**64 - 1), other
        shares[other] -= 1 - shares[item]
        (small if shares[other] < 1 else large).append(other)
    return thresholds, aliases
