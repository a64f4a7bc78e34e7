"""Equities by dealing everything: every board, on it every holding of every player, one deal after the other.

An oracle written from the rules of the game. It imports nothing from pokernel, and looks for the value of seven cards
in another way than ``naive.py``, which is what it is tested against: counts of ranks and suits, no five-card subsets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from naive import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    compiled,
)
from numpy.typing import NDArray

Hand = tuple[int, int]
Holdings = Mapping[Hand, int]
"""What a player may hold, each hand as often as its weight."""

CATEGORY = 13**5
"""A value, divided by this, is a category."""


@dataclass(frozen=True)
class Tally:
    counts: dict[tuple[int, ...], int]
    """Deals by the players who win them together."""
    categories: list[list[list[int]]]
    """By player, for all deals and for those he wins or shares: deals by the category of his hand."""

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@compiled
def top(ranks: int, n: int) -> int:
    """The n highest of a set of ranks, as a number of so many digits of base 13."""
    number = 0
    for rank in range(12, -1, -1):
        if n > 0 and ranks >> rank & 1:
            number = 13 * number + rank
            n -= 1
    return number


@compiled
def straight(ranks: int) -> int:
    """The top of the highest straight in a set of ranks, or -1."""
    for highest in range(12, 3, -1):
        if ranks >> (highest - 4) & 31 == 31:
            return highest
    return 3 if ranks & 0x100F == 0x100F else -1


@compiled
def value(cards: NDArray[np.int64]) -> int:
    """A number for five to seven cards; the stronger hand has the greater one, equal hands split."""
    times, ranks = 0, 0  # of each rank, in four bits
    for card in cards:
        times += 1 << 4 * (card // 4)
        ranks |= 1 << card // 4
    for suit in range(4):
        suited, n = 0, 0
        for card in cards:
            if card % 4 == suit:
                suited |= 1 << card // 4
                n += 1
        if n >= 5:  # nobody has quads or a full house as well: of seven cards at most two are not of this suit
            if straight(suited) == 12:
                return ROYAL_FLUSH * CATEGORY
            if straight(suited) >= 0:
                return STRAIGHT_FLUSH * CATEGORY + straight(suited)
            return FLUSH * CATEGORY + top(suited, 5)
    quad, trip, pair, other = -1, -1, -1, -1
    for rank in range(12, -1, -1):
        n = times >> 4 * rank & 15
        if n == 4:
            quad = rank
        elif n == 3 and trip < 0:
            trip = rank
        elif n >= 2 and pair < 0:  # second trips are a pair
            pair = rank
        elif n >= 2 and other < 0:
            other = rank
    if quad >= 0:
        return QUADS * CATEGORY + 13 * quad + top(ranks & ~(1 << quad), 1)
    if trip >= 0 and pair >= 0:
        return FULL_HOUSE * CATEGORY + 13 * trip + pair
    if straight(ranks) >= 0:
        return STRAIGHT * CATEGORY + straight(ranks)
    if trip >= 0:
        return TRIPS * CATEGORY + 169 * trip + top(ranks & ~(1 << trip), 2)
    if other >= 0:
        return TWO_PAIR * CATEGORY + 169 * pair + 13 * other + top(ranks & ~(1 << pair) & ~(1 << other), 1)
    if pair >= 0:
        return ONE_PAIR * CATEGORY + 13**3 * pair + top(ranks & ~(1 << pair), 3)
    return HIGH_CARD * CATEGORY + top(ranks, 5)


@compiled
def values(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """``(n, k)`` hands to ``(n,)`` values."""
    found = np.empty(len(hands), np.int64)
    for row in range(len(hands)):
        found[row] = value(hands[row])
    return found


@compiled
def deal_everything(
    board: NDArray[np.int64],
    known: int,
    deck: NDArray[np.int64],
    sizes: NDArray[np.int64],
    hands: NDArray[np.int64],
    weights: NDArray[np.int64],
    tally: NDArray[np.int64],
    categories: NDArray[np.int64],
) -> None:
    """Fill the board up from the deck in every way; on each board, deal every player every hand he may hold."""
    players, to_come = len(sizes), 5 - known
    chosen = np.arange(to_come)
    seven = np.empty(7, np.int64)
    found = np.empty(weights.shape, np.int64)
    at = np.zeros(players + 1, np.int64)
    taken = np.zeros(players + 1, np.int64)
    times = np.ones(players + 1, np.int64)
    while True:
        for i in range(to_come):
            board[known + i] = deck[chosen[i]]
        on_board = 0
        for i in range(5):
            seven[i] = board[i]
            on_board |= 1 << board[i]
        for p in range(players):
            for h in range(sizes[p]):
                seven[5], seven[6] = hands[p, h, 0], hands[p, h, 1]
                alive = on_board & (1 << seven[5] | 1 << seven[6]) == 0
                found[p, h] = value(seven) if alive else -1
        p, at[0] = 0, -1
        while p >= 0:
            at[p] += 1
            if at[p] == sizes[p]:
                p -= 1
                continue
            h = at[p]
            mask = 1 << hands[p, h, 0] | 1 << hands[p, h, 1]
            if found[p, h] < 0 or mask & taken[p]:
                continue
            taken[p + 1], times[p + 1] = taken[p] | mask, times[p] * weights[p, h]
            if p + 1 < players:
                p += 1
                at[p] = -1
                continue
            best, winners = -1, 0
            for q in range(players):
                if found[q, at[q]] > best:
                    best, winners = found[q, at[q]], 0
                if found[q, at[q]] == best:
                    winners |= 1 << q
            tally[winners] += times[players]
            for q in range(players):
                category = found[q, at[q]] // CATEGORY
                categories[q, 0, category] += times[players]
                if winners >> q & 1:
                    categories[q, 1, category] += times[players]
        i = to_come - 1  # the next choice of cards from the deck
        while i >= 0 and chosen[i] == len(deck) - to_come + i:
            i -= 1
        if i < 0:
            return
        chosen[i] += 1
        for j in range(i + 1, to_come):
            chosen[j] = chosen[j - 1] + 1


def count(players: Sequence[Holdings], board: Sequence[int] = (), dead: Sequence[int] = ()) -> Tally:
    """Who wins how many of all deals. A holding with a board card or a dead card is never dealt."""
    gone = {*board, *dead}
    assert len(gone) == len(board) + len(dead)
    left = [[hand for hand in held if gone.isdisjoint(hand)] for held in players]
    sizes = np.array([len(hands) for hands in left])
    cards = np.zeros((len(players), max(1, sizes.max()), 2), np.int64)
    weights = np.zeros(cards.shape[:2], np.int64)
    for player, (hands, held) in enumerate(zip(left, players, strict=True)):
        for row, hand in enumerate(hands):
            cards[player, row], weights[player, row] = hand, held[hand]
    assert prod(int(row.max()) for row in weights) < 2**20  # the sums below must not be too long for 63 bits
    surely_held = {card for hands in left if len(hands) == 1 for card in hands[0]}
    deck = np.array([card for card in range(52) if card not in gone | surely_held])
    whole_board = np.array([*board] + [0] * (5 - len(board)))
    tally, categories = np.zeros(1 << len(players), np.int64), np.zeros((len(players), 2, 10), np.int64)
    deal_everything(whole_board, len(board), deck, sizes, cards, weights, tally, categories)
    counts = {
        tuple(player for player in range(len(players)) if winners >> player & 1): deals
        for winners, deals in enumerate(tally.tolist())
        if deals
    }
    return Tally(counts, categories.tolist())


def compatible_deals(players: Sequence[Holdings], board: Sequence[int] = (), dead: Sequence[int] = ()) -> int:
    """How many deals there are by weight, without dealing boards: holdings that do not clash, times choices of cards."""

    def below(player: int, taken: frozenset[int]) -> int:
        if player == len(players):
            return 1
        return sum(
            weight * below(player + 1, taken.union(hand))
            for hand, weight in players[player].items()
            if taken.isdisjoint(hand)
        )

    left = 52 - len(board) - len(dead) - 2 * len(players)
    return comb(left, 5 - len(board)) * below(0, frozenset([*board, *dead]))
