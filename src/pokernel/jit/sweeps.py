"""Boards for two ranges to meet on: all of them, one for each class of suit exchanges, or random ones.

Boards of the same ranks go together, because they share the order of the rank pairs (``heads_up.py``).
"""

from typing import Any, NamedTuple

from numba import int64, uint32

from ._compile import bare_kernel, inline_early
from .bits import address, popcount, trailing_zeros
from .boards import multiplicity, next_suits, spread
from .heads_up import order_pairs, walk_boards
from .lanes import LANES, count_pairs
from .random import draw, draw_cards

__all__ = ["Start", "sample", "sweep"]


class Start(NamedTuple):
    """A board that is not complete."""

    known: Any
    """Its cards, as a mask."""
    x: Any
    """The sum of its ranks' keys."""
    available: Any
    """``(13,)``: the suits of each rank that are in the deck, as bits."""
    rank_keys: Any
    """``(13,)``."""


@inline_early
def _may_flush(board):
    suited = 0
    for s in range(4):
        suited |= popcount((board >> (16 * s)) & 0x1FFF) >= 3
    return int64(suited)


@inline_early
def _alive(drawn, products):
    """Sum of `products` over the combos that hold none of these cards."""
    total = products[52, 52]
    for suit in range(4):
        left = (drawn >> (16 * suit)) & 0x1FFF
        while left != 0:
            a = 4 * trailing_zeros(left) + suit
            total -= products[a, 52]
            left &= left - 1
            for other in range(suit, 4):  # two drawn cards: their combo was taken off twice
                more = left if other == suit else (drawn >> (16 * other)) & 0x1FFF
                while more != 0:
                    total += products[a, 4 * trailing_zeros(more) + other]
                    more &= more - 1
    return total


@inline_early
def _collect(kind, products, room):
    """What the boards just walked gave: wins and losses of the first player, and all pairs."""
    count_pairs(address(room.by_card), address(room.passed), address(room.spare))
    wins, losses, pairs = 0.0, 0.0, 0.0
    for lane in range(LANES):
        times = room.times[kind, lane]
        wins += times * room.beaten[0, lane]
        losses += times * room.beaten[1, lane]
        pairs += times * (room.spare[lane] + _alive(room.drawn[kind, lane], products))
    return wins, losses, pairs


@bare_kernel
def sweep(draws, start, exchanges, ranges, tables, room, tally, by_category):
    """Add every board to a tally of (wins, losses, pairs) of the first player; one of each class of exchanges is
    walked.

    Parameters
    ----------
    draws : ``(n, d)``, rows of ranks that the board may still get, ascending.
    start, ranges, tables, room : as their types say.
    exchanges : ``(g, 4)``, a group of permutations of the suits that change nothing.
    by_category : as for `walk_boards`.
    """
    d = draws.shape[1]
    rank, count, suits, masks = room.steps[0], room.steps[1], room.steps[2], room.steps[3]
    masks[0] = room.waiting[0] = room.waiting[1] = 0
    for row in range(len(draws)):
        runs = 0
        ranks = int64(0)
        x = start.x
        for i in range(d):
            r = int64(draws[row, i])
            ranks |= int64(1) << r
            x = uint32(x + start.rank_keys[r])
            if i > 0 and rank[runs - 1] == r:
                count[runs - 1] += 1
            else:
                rank[runs], count[runs] = r, 1
                runs += 1
        order_pairs(x, ranges, tables, room)
        level = 0
        suits[0] = 0
        while level >= 0:
            if runs != 0:
                suits[level] = next_suits(suits[level], start.available[rank[level]], count[level])
                if suits[level] == 16:
                    level -= 1
                    if level >= 0:
                        continue
                else:
                    masks[level + 1] = masks[level] | spread(suits[level], rank[level])
                    if level < runs - 1:
                        level += 1
                        suits[level] = 0
                        continue
            if level >= 0:
                n = multiplicity(masks[runs], exchanges)
                if n != 0:
                    kind = _may_flush(start.known | masks[runs])
                    at = room.waiting[kind]
                    room.boards[kind, at], room.drawn[kind, at] = start.known | masks[runs], masks[runs]
                    room.times[kind, at] = n
                    room.waiting[kind] = at + 1
                if runs == 0:
                    level = -1
            for kind in range(2):
                if room.waiting[kind] == LANES or (room.waiting[kind] > 0 and level < 0):
                    for at in range(
                        room.waiting[kind], LANES
                    ):  # lanes to spare walk the first board again, for nothing
                        room.boards[kind, at], room.drawn[kind, at] = room.boards[kind, 0], room.drawn[kind, 0]
                        room.times[kind, at] = 0.0
                    walk_boards(kind, ranks, ranges, tables, room, by_category)
                    wins, losses, pairs = _collect(kind, ranges.products, room)
                    tally[0] += wins
                    tally[1] += losses
                    tally[2] += pairs
                    room.waiting[kind] = 0


@inline_early
def _random_suits(state, available, count):
    """So many of the available suits, every choice as likely."""
    suits = int64(0)
    for _ in range(count):
        which = draw(state, popcount(available))
        left = available
        for _ in range(which):
            left &= left - 1
        suits |= left & -left
        available &= ~(left & -left)
    return suits


FIRST = (0, 1, 2, 3, 4)
"""Places for the cards of a board."""


@bare_kernel
def sample(clusters, state, deck, to_come, start, ranges, tables, room, moments, by_category):
    """Add so many clusters of random boards, eight of the same ranks each, to sums of what they gave.

    A cluster is a random board, and seven with the suits of its drawn ranks chosen anew: each of the eight is as likely
    to be any board, and one order of the rank pairs serves them all. `moments` takes, summed over clusters: the first
    player's wins, losses and all pairs of combos; with a = pairs + wins - losses: the squares of a, of pairs, a *
    pairs. All else is as for `sweep`; `deck` is a mask of 52 bits.
    """
    count, drawn = room.steps[0], room.steps[1]
    room.times[:] = 1.0
    for _ in range(clusters):
        draw_cards(state, deck, to_come, drawn, FIRST, 0)
        count[:] = 0
        ranks = first = int64(0)
        x = start.x
        for i in range(to_come):
            card = drawn[i]
            count[card >> 2] += 1
            ranks |= int64(1) << (card >> 2)
            first |= int64(1) << (16 * (card & 3) + (card >> 2))
            x = uint32(x + start.rank_keys[card >> 2])
        kind = int64(0)
        for lane in range(LANES):
            mask = first
            if lane > 0:
                mask = int64(0)
                for r in range(13):
                    if count[r] > 0:
                        mask |= spread(_random_suits(state, start.available[r], count[r]), r)
            room.drawn[0, lane] = room.drawn[1, lane] = mask
            room.boards[0, lane] = room.boards[1, lane] = start.known | mask
            kind |= _may_flush(start.known | mask)
        order_pairs(x, ranges, tables, room)
        walk_boards(kind, ranks, ranges, tables, room, by_category)
        wins, losses, pairs = _collect(kind, ranges.products, room)
        a = pairs + wins - losses
        moments[0] += wins
        moments[1] += losses
        moments[2] += pairs
        moments[3] += a * a
        moments[4] += pairs * pairs
        moments[5] += a * pairs
