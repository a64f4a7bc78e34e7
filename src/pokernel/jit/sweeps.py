"""Boards for two ranges to meet on: all of them, one for each class of suit exchanges, or random ones.

Boards of the same ranks go together, because they share the order of the rank pairs (``heads_up.py``).
"""

import numpy as np
from numba import int64, uint32

from ._compile import inline, kernel
from .bits import address, popcount, trailing_zeros
from .boards import multiplicity, next_suits, spread
from .heads_up import order_pairs, walk_boards
from .lanes import LANES, count_pairs
from .random import draw, draw_many

__all__ = ["sample", "sweep"]


@inline
def _may_flush(board):
    suited = 0
    for s in range(4):
        suited |= popcount((board >> (16 * s)) & 0x1FFF) >= 3
    return suited


@inline
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


@inline
def _collect(drawn, times, room, products, tally):
    """Add what the boards of all lanes gave to (wins, losses, pairs) of the first player."""
    by_card, passed, beaten, pairs = room[3], room[4], room[5], room[9]
    count_pairs(address(by_card), address(passed), address(pairs))
    for lane in range(LANES):
        tally[0] += times[lane] * beaten[0, lane]
        tally[1] += times[lane] * beaten[1, lane]
        tally[2] += times[lane] * (pairs[lane] + _alive(drawn[lane], products))


@kernel
def sweep(draws, start, exchanges, ranges, tables, room, tally, by_category):
    """Add every board to a tally of (wins, losses, pairs) of the first player; one for each class of exchanges is walked.

    Parameters
    ----------
    draws : ``(n, d)``, rows of ranks that the board may still get, ascending.
    start : ``(known, x, available, rank_keys)``: the board so far as a mask, the sum of its ranks' keys, the suits of each
        rank in the deck as bits, the ranks' keys.
    exchanges : ``(g, 4)``, a group of permutations of the suits that change nothing.
    ranges : ``(pairs, pair_at, pair_keys, weights, sums, products)``, see ``heads_up.py``.
    by_category : ``(2, 2, 10)``, by player: pairs by the category of his hand, all of them and those not lost; or empty.
    """
    known, x, available, rank_keys = start
    pair_keys, products = ranges[2], ranges[5]
    d = draws.shape[1]
    found, order = room[11], room[12]
    rank, count, suits = np.empty(6, np.int64), np.empty(6, np.int64), np.empty(6, np.int64)
    masks = np.zeros(7, np.int64)
    boards, drawn = np.zeros((2, LANES), np.int64), np.zeros((2, LANES), np.int64)
    times, waiting = np.zeros((2, LANES), np.float64), np.zeros(2, np.int64)
    walked = 0
    for row in range(len(draws)):
        runs = 0
        ranks = int64(0)
        ranks_x = x
        for i in range(d):
            ranks |= int64(1) << int64(draws[row, i])
            ranks_x = uint32(ranks_x + rank_keys[draws[row, i]])
            if i > 0 and draws[row, i] == draws[row, i - 1]:
                count[runs - 1] += 1
            else:
                rank[runs], count[runs] = draws[row, i], 1
                runs += 1
        order_pairs(ranks_x, pair_keys, tables, found, order)
        level = 0
        suits[0] = 0
        while level >= 0:
            if runs != 0:
                suits[level] = next_suits(suits[level], available[rank[level]], count[level])
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
                    board = known | masks[runs]
                    kind = int64(_may_flush(board))
                    at = waiting[kind]
                    boards[kind, at], drawn[kind, at], times[kind, at] = board, masks[runs], n
                    waiting[kind] = at + 1
                    walked += 1
                if runs == 0:
                    level = -1
            for kind in range(2):
                if waiting[kind] == LANES or (waiting[kind] > 0 and level < 0):
                    for at in range(waiting[kind], LANES):  # lanes to spare walk the first board again, for nothing
                        boards[kind, at], drawn[kind, at], times[kind, at] = boards[kind, 0], drawn[kind, 0], 0.0
                    batch = boards[kind], drawn[kind], times[kind], kind
                    walk_boards(batch, ranks, ranges, tables, room, by_category)
                    _collect(drawn[kind], times[kind], room, products, tally)
                    waiting[kind] = 0
    return walked


@inline
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


@kernel
def sample(clusters, state, deck, to_come, start, ranges, tables, room, moments, by_category):
    """Add so many clusters of random boards, eight of the same ranks each, to sums of what they gave.

    A cluster is a random board, and seven with the suits of its drawn ranks chosen anew: each of the eight is as likely
    to be any board, and one order of the rank pairs serves them all. `moments` takes, summed over clusters: the first
    player's wins, losses and all pairs of combos; with a = pairs + wins - losses: the squares of a, of pairs, a * pairs.
    All else is as for `sweep`; `deck` stays shuffled.
    """
    known, x, available, rank_keys = start
    pair_keys, products = ranges[2], ranges[5]
    cluster = np.empty(3, np.float64)
    found, order = room[11], room[12]
    count = np.zeros(13, np.int64)
    boards, drawn = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    times = np.ones(LANES, np.float64)
    for _ in range(clusters):
        draw_many(state, deck, 0, to_come)
        count[:] = 0
        ranks = first = int64(0)
        ranks_x = x
        for i in range(to_come):
            card = int64(deck[i])
            count[card >> 2] += 1
            ranks |= int64(1) << (card >> 2)
            first |= int64(1) << (16 * (card & 3) + (card >> 2))
            ranks_x = uint32(ranks_x + rank_keys[card >> 2])
        may_flush = int64(0)
        for lane in range(LANES):
            mask = first
            if lane > 0:
                mask = int64(0)
                for r in range(13):
                    if count[r] > 0:
                        mask |= spread(_random_suits(state, available[r], count[r]), r)
            drawn[lane], boards[lane] = mask, known | mask
            may_flush |= int64(_may_flush(known | mask))
        order_pairs(ranks_x, pair_keys, tables, found, order)
        walk_boards((boards, drawn, times, may_flush), ranks, ranges, tables, room, by_category)
        cluster[:] = 0.0
        _collect(drawn, times, room, products, cluster)
        wins, losses, total = cluster
        a = total + wins - losses
        moments[0] += wins
        moments[1] += losses
        moments[2] += total
        moments[3] += a * a
        moments[4] += total * total
        moments[5] += a * total
