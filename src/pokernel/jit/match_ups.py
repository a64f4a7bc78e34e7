"""Every player's two cards known: all boards, by the ranks that they draw, not one by one.

Boards of the same ranks give everybody the same unsuited hand, so they are counted at once, by binomials: at most 6,175
sets of ranks stand for 2,598,960 boards. Then every board with a flush in somebody's hand is taken from where it was
counted and put where it belongs: for each suit, for each set of its cards that the board may draw, the other cards
count by ranks again.

Deals of hole cards are numbered by mixed radix, one digit a player; those that a suit exchange turns into one with a
smaller combo first are left to that one. Tallies are ``float64``, by the set of winners, a bit a player: sums of
integers below 2**53 are exact.
"""

import numpy as np
from numba import int64, uint32

from ._compile import bare_kernel, inline, inline_early, kernel
from .bits import popcount

__all__ = ["WAYS", "count_by_seat", "make_room", "match_ups"]

WAYS = 24
"""23 players, or none, win together."""


@inline
def _unsuited(x, shift, displacements, strengths):
    slot = uint32(x)
    return int64(strengths[(slot + displacements[slot >> shift]) & (len(strengths) - 1)])


@inline
def _winners(found, players):
    """Who has the greatest strength, a bit each."""
    best, winners = int64(-1), int64(0)
    for p in range(players):
        s = found[p]
        bit = int64(1) << p
        winners = bit if s > best else winners | bit if s == best else winners
        best = max(best, s)
    return winners


@inline
def _count(by_seat, found, players, times, tally, by_category, categories):
    winners = _winners(found, players)
    if by_seat:
        ways = popcount(winners)
        for p in range(players):
            tally[WAYS * p + ways] += times if (winners >> p) & 1 else 0.0
        return
    tally[winners] += times
    if len(by_category):
        for p in range(players):
            category = categories[found[p]]
            by_category[p, 0, category] += times
            if (winners >> p) & 1:
                by_category[p, 1, category] += times


@inline
def _ways(counts, codes, row):
    """Ways to draw the ranks of a row: a binomial for each of its different ranks."""
    ways = 1.0
    for i in range(codes.shape[1]):
        ways *= counts[codes[row, i]]
    return ways


@inline
def _fill_counts(available, without, counts):
    """``counts[8 * r + m]``: ways to choose m cards of rank r among those available in other suits than `without`."""
    for r in range(13):
        n = popcount(available[r] & ~without)
        ways = 1.0
        for m in range(5):
            counts[8 * r + m] = ways
            ways = ways * (n - m) / (m + 1)


@inline_early
def _count_boards(by_seat, players, holes, weight, known, x, available, draws, tables, tally, by_category, room):
    rank_keys, shift, displacements, strengths, flush, categories = tables
    free, counts, xs, found, moved, held = room
    for r in range(13):
        free[r] = available[r]
    for p in range(players):
        xs[p] = x
        for i in range(2):
            card = int64(holes[p, i])
            free[card >> 2] &= ~(int64(1) << (card & 3))
            xs[p] = uint32(xs[p] + rank_keys[card >> 2])
    to_come = len(draws) - 1
    _fill_counts(free, 0, counts)
    codes, sums = draws[to_come]
    for row in range(len(sums)):
        ways = _ways(counts, codes, row)
        if ways != 0.0:
            for p in range(players):
                found[p] = _unsuited(xs[p] + sums[row], shift, displacements, strengths)
            _count(by_seat, found, players, ways * weight, tally, by_category, categories)
    for suit in range(4):
        on_board = (known >> (16 * suit)) & 0x1FFF
        most = 0
        for p in range(players):
            held[p] = 0
            for i in range(2):
                if holes[p, i] & 3 == suit:
                    held[p] |= int64(1) << int64(holes[p, i] >> 2)
            most = max(most, popcount(held[p]))
        ranks = int64(0)
        for r in range(13):
            ranks |= ((free[r] >> suit) & 1) << r
        _fill_counts(free, 1 << suit, counts)
        for drawn in range(max(0, 5 - popcount(on_board) - most), min(to_come, popcount(ranks)) + 1):
            codes, sums = draws[to_come - drawn]
            subset = (int64(1) << drawn) - 1
            while subset < (int64(1) << popcount(ranks)):
                mask, suited_x = int64(0), uint32(0)
                left, at = ranks, 0
                while left != 0:
                    low = left & -left
                    if (subset >> at) & 1:
                        mask |= low
                        suited_x = uint32(suited_x + rank_keys[popcount(low - 1)])
                    left ^= low
                    at += 1
                for row in range(len(sums)):
                    ways = weight * _ways(counts, codes, row)
                    if ways == 0.0:
                        continue
                    for p in range(players):
                        strength = _unsuited(xs[p] + uint32(suited_x + sums[row]), shift, displacements, strengths)
                        found[p] = moved[p] = strength
                        together = held[p] | on_board | mask
                        if popcount(together) >= 5:
                            moved[p] = flush[together]
                    _count(by_seat, found, players, -ways, tally, by_category, categories)
                    _count(by_seat, moved, players, ways, tally, by_category, categories)
                if subset == 0:
                    break
                low = subset & -subset  # the next subset of as many cards
                ripple = subset + low
                subset = ripple | (((subset ^ ripple) >> 2) // low)


@bare_kernel
def _count_deal(players, holes, weight, known, x, available, draws, tables, tally, by_category, room):
    """Count all boards of one deal of hole cards, `weight` times, by the set of winners."""
    _count_boards(False, players, holes, weight, known, x, available, draws, tables, tally, by_category, room)


@bare_kernel
def count_by_seat(players, holes, known, x, available, draws, tables, tally, by_category, room):
    """Count all boards of one deal, by player and how many win with him: at ``WAYS * player + ways``.

    No categories are counted: `by_category` has no player.
    """
    _count_boards(True, players, holes, 1.0, known, x, available, draws, tables, tally, by_category, room)


@inline_early
def make_room(players):
    """Scratch space for so many players."""
    return (
        np.empty(13, np.int64),
        np.empty(128, np.float64),
        np.empty(players, np.uint32),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
    )


@kernel
def match_ups(
    first, last, sizes, combos, cards, weights, images, known, x, available, draws, tables, tally, by_category
):
    """Count the deals `first` to `last` (exclusive) on all boards; how many deals were counted, without exchanges.

    Parameters: player p holds one of ``combos[p, :sizes[p]]``, with weights alike; ``cards`` ``(1326, 2)``;
    ``images[g, c]`` is the combo that suit exchange g makes of c; `known` the board so far, `x` the sum of its ranks'
    keys, `available` the suits left by rank; ``draws[m]`` the sets of m ranks, as codes for binomials and sums of keys.
    """
    players = len(sizes)
    room = make_room(players)
    digits, holes = np.empty(players, np.int64), np.empty((players, 2), np.uint8)
    steps = np.empty(players, np.int64)
    step = int64(1)
    for p in range(players - 1, -1, -1):
        steps[p] = step
        step *= sizes[p]
    counted = 0
    deal = first
    while deal < last:
        rest = deal
        taken = int64(0)
        weight = 1.0
        clash = -1
        for p in range(players):
            digits[p] = rest // steps[p]
            rest -= digits[p] * steps[p]
            combo = combos[p, digits[p]]
            for i in range(2):
                holes[p, i] = cards[combo, i]
            both = (int64(1) << int64(holes[p, 0])) | (int64(1) << int64(holes[p, 1]))
            if taken & both:
                clash = p
                break
            taken |= both
            weight *= weights[p, digits[p]]
        if clash >= 0:
            deal += steps[clash] - deal % steps[clash]
            continue
        fixed = 0
        for g in range(len(images)):
            order = 0
            for p in range(players):
                combo = combos[p, digits[p]]
                image = images[g, combo]
                if image != combo:
                    order = 1 if image > combo else -1
                    break
            if order < 0:
                fixed = -1
                break
            fixed += order == 0
        if fixed > 0:
            weight *= len(images) // fixed
            _count_deal(players, holes, weight, known, x, available, draws, tables, tally, by_category, room)
            counted += 1
        deal += 1
    return counted
