"""Two ranges against each other on whole boards: every pair of combos at once, in time that grows with combos, not pairs.

On one board a combo beats every combo of lesser strength that shares no card with it. So walk the strengths upwards and
keep running totals of the weight passed, in all and by card: what (a, b) beats weighs ``total - by_card[a] -
by_card[b]``, because no weaker combo holds both its cards. Both players' wins are counted so; what is neither is a tie.

Unsuited strengths depend on ranks alone. The 16 combos of two ranks (6 of one) are therefore one step of the walk, a
*rank pair*, with its weights summed by card; and boards with the same ranks share the order of the steps: eight of them
walk side by side (``lanes.py``). Only combos that make a flush go one by one, between the straights and the full houses.

Weights are ``float64``: sums of integers below 2**53 are exact. ``weights[p, q, i, j]`` is that of rank pair q in suits i
and j, the higher rank first (of one rank i < j), for p = 0 the first player, 1 the second, 2 both multiplied; zero for
combos whose cards are known or dead. Masks are those of ``hand.py``.
"""

from typing import Any

import numpy as np
from numba import int64, uint32

from ._compile import bare_kernel, inline_early
from .bits import address, popcount, trailing_zeros
from .lanes import LANES, add_weights, count_beaten, fill_lanes, sum_lanes

__all__ = ["make_room", "order_pairs", "walk_boards"]

ENDLESS = 1 << 16  # above all strengths
ONE = np.uint64(1)  # numba turns signed and unsigned together into floats
ROW = 8 * LANES  # bytes of one number in all lanes
NONE = 15  # no rank


@inline_early
def _pattern(patterns, n, board_ranks, ranks, first, second, flush):
    """Append the flush of a board with these ranks more, behind what is weaker; how many there are then.

    Of three suited board cards and two ranks more the higher ranks make the better flush, so that only straight flushes
    come out of order.
    """
    key = (int64(flush[board_ranks | ranks]) << 16) | (first << 8) | second
    at = n
    while at > 0 and patterns[at - 1] > key:
        patterns[at] = patterns[at - 1]
        at -= 1
    patterns[at] = key
    return n + 1


@inline_early
def _combo(n, strength, a, b, weights, pair_at, strengths, cards, flush_weights):
    """Append a combo, unless nobody holds it; how many there are then."""
    a, b = max(a, b), min(a, b)
    q = pair_at[a >> 2, b >> 2]
    if q >= 0:
        i, j = a & 3, b & 3
        if a >> 2 == b >> 2:
            i, j = j, i
        hero, villain = weights[0, q, i, j], weights[1, q, i, j]
        if hero != 0.0 or villain != 0.0:
            strengths[n], cards[n, 0], cards[n, 1] = strength, 2 * a, 2 * b
            flush_weights[n, 0], flush_weights[n, 1] = hero, villain
            n += 1
    return n


@inline_early
def _list_flushes(board, drawn, suit, count, pair_at, weights, flush, patterns, strengths, cards, flush_weights):
    """List the live combos that make a flush of this suit with so many board cards, from the weakest; how many."""
    on_board = (board >> (16 * suit)) & 0x1FFF
    free = 0x1FFF & ~((drawn >> (16 * suit)) & 0x1FFF)
    n_patterns = 0
    if count == 5:
        n_patterns = _pattern(patterns, n_patterns, on_board, 0, NONE, NONE, flush)
    for r in range(13):
        if not (free >> r) & 1:
            continue
        if count >= 4:
            n_patterns = _pattern(patterns, n_patterns, on_board, 1 << r, r, NONE, flush)
        for s in range(r):
            if (free >> s) & 1:
                n_patterns = _pattern(patterns, n_patterns, on_board, (1 << r) | (1 << s), r, s, flush)
    n = 0
    for at in range(n_patterns):
        strength, r, s = patterns[at] >> 16, (patterns[at] >> 8) & 0xFF, patterns[at] & 0xFF
        if s != NONE:
            n = _combo(n, strength, 4 * r + suit, 4 * s + suit, weights, pair_at, strengths, cards, flush_weights)
            continue
        for b in range(52):
            if b & 3 == suit or (drawn >> (16 * (b & 3) + (b >> 2))) & 1:
                continue
            if r != NONE:
                n = _combo(n, strength, 4 * r + suit, b, weights, pair_at, strengths, cards, flush_weights)
                continue
            for a in range(b):
                if a & 3 != suit and not (drawn >> (16 * (a & 3) + (a >> 2))) & 1:
                    n = _combo(n, strength, a, b, weights, pair_at, strengths, cards, flush_weights)
    return n


@inline_early
def _walk_flushes(lane, start, n, below, flushes, by_card, passed, beaten, column, times, categories, by_category):
    """Walk one board's flushes from `start` on, while their strengths are below that; where it stopped.

    The lane's weights by card lie in ``column`` meanwhile, first player's and second's in turn.
    """
    if start == n or flushes[0][lane, start] >= below:
        return start
    strengths, cards, held = flushes[0][lane], flushes[1][lane], flushes[2][lane]
    for card in range(52):
        column[2 * card], column[2 * card + 1] = by_card[0, card, lane], by_card[1, card, lane]
    passed0, passed1 = passed[0, lane], passed[1, lane]
    beaten0, beaten1 = 0.0, 0.0
    while start < n and strengths[start] < below:
        end = start
        while end < n and strengths[end] == strengths[start]:
            a, b = cards[end, 0], cards[end, 1]
            beaten0 += held[end, 0] * (passed1 - column[a + ONE] - column[b + ONE])
            beaten1 += held[end, 1] * (passed0 - column[a] - column[b])
            end += 1
        for entry in range(start, end):
            a, b = cards[entry, 0], cards[entry, 1]
            weight0, weight1 = held[entry, 0], held[entry, 1]
            column[a] += weight0
            column[b] += weight0
            column[a + ONE] += weight1
            column[b + ONE] += weight1
            passed0 += weight0
            passed1 += weight1
        if len(by_category):
            _file_flushes(
                start,
                end,
                strengths,
                cards,
                held,
                column,
                (passed0, passed1),
                times[lane],
                categories,
                by_category[:, 1],
            )
        start = end
    for card in range(52):
        by_card[0, card, lane], by_card[1, card, lane] = column[2 * card], column[2 * card + 1]
    passed[0, lane], passed[1, lane] = passed0, passed1
    beaten[0, lane] += beaten0
    beaten[1, lane] += beaten1
    return start


@inline_early
def _file_flushes(start, end, strengths, cards, held, column, passed, times, categories, filed):
    """Add to ``filed[p, category]`` the pairs of each player's flushes with all that has been passed."""
    for entry in range(start, end):
        category = categories[strengths[entry]]
        a, b = cards[entry, 0], cards[entry, 1]
        both = held[entry, 0] * held[entry, 1]  # a combo shares both its cards with itself
        filed[0, category] += times * (held[entry, 0] * (passed[1] - column[a + ONE] - column[b + ONE]) + both)
        filed[1, category] += times * (held[entry, 1] * (passed[0] - column[a] - column[b]) + both)


@inline_early
def _file_pair(q, category, pairs, live, by_card, passed, times, free, filed):
    """Add to ``filed[p, category]`` the pairs of each player's combos of a rank pair with all that has been passed."""
    first, second = int64(pairs[q, 0]) * 4 * ROW, int64(pairs[q, 1]) * 4 * ROW
    for p in range(2):
        free[:] = 0.0
        other = address(by_card[1 - p])
        count_beaten(address(live[p, q]), other + first, other + second, address(passed[1 - p]), address(free))
        for lane in range(LANES):
            filed[p, category] += times[lane] * (free[lane] + live[2, q, 8, lane])


@inline_early
def _walk_pairs(at, end, pairs, order, found, live, by_card, passed, beaten, times, free, categories, by_category):
    """Walk the rank pairs ``order[at:end]`` on all lanes."""
    while at < end:
        group = at
        while group < end and found[order[group]] == found[order[at]]:
            q = order[group]
            first, second = int64(pairs[q, 0]) * 4 * ROW, int64(pairs[q, 1]) * 4 * ROW
            for p in range(2):
                other = address(by_card[1 - p])
                count_beaten(
                    address(live[p, q]), other + first, other + second, address(passed[1 - p]), address(beaten[p])
                )
            group += 1
        for i in range(at, group):
            q = order[i]
            first, second = int64(pairs[q, 0]) * 4 * ROW, int64(pairs[q, 1]) * 4 * ROW
            for p in range(2):
                own = address(by_card[p])
                add_weights(address(live[p, q]), own + first, own + second, address(passed[p]))
        if len(by_category):
            category = categories[found[order[at]]]
            for i in range(at, group):
                _file_pair(order[i], category, pairs, live, by_card, passed, times, free, by_category[:, 1])
        at = group


@bare_kernel
def walk_boards(batch, ranks, ranges, tables, room, by_category):
    """Walk up to eight boards with the same ranks; ``beaten[p, lane]`` of the room says what player p beats.

    ``batch`` is the boards, their drawn cards, how often each counts, and whether there may be a flush; ``ranks`` are the
    drawn ranks, a bit each.
    """
    boards, drawn, times, may_flush = batch
    pairs, pair_at, _, weights, sums, _ = ranges
    _, _, _, flush, categories, full_house = tables
    alive, suited, live, by_card, passed, beaten, patterns, flushes, listed, free, column, found, order = room
    alive[:] = 1.0
    suited[:] = 0.0
    for lane in range(LANES):
        suit = count = int64(0)
        for s in range(4):
            left = (drawn[lane] >> (16 * s)) & 0x1FFF
            while left != 0:
                alive[4 * trailing_zeros(left) + s, lane] = 0.0
                left &= left - 1
            on_board = popcount((boards[lane] >> (16 * s)) & 0x1FFF)
            if on_board >= 3:
                suit, count = s, on_board
        listed[:, lane] = 0
        if count == 0:
            continue
        if count == 3:  # what makes a flush is not there for its rank pair
            suited[suit, lane] = 1.0
        elif count == 4:
            for r in range(13):
                alive[4 * r + suit, lane] = 0.0
        else:
            alive[:, lane] = 0.0
        listed[0, lane] = _list_flushes(
            boards[lane],
            drawn[lane],
            suit,
            count,
            pair_at,
            weights,
            flush,
            patterns,
            flushes[0][lane],
            flushes[1][lane],
            flushes[2][lane],
        )
    high = len(order)  # where the full houses begin
    while high > 0 and found[order[high - 1]] >= full_house:
        high -= 1
    for q in range(len(pairs)):
        r, s = int64(pairs[q, 0]), int64(pairs[q, 1])
        touched = may_flush or ((ranks >> r) | (ranks >> s)) & 1
        for p in range(3 if len(by_category) else 2):
            if touched:
                first, second = address(alive) + r * 4 * ROW, address(alive) + s * 4 * ROW
                sum_lanes(address(weights[p, q]), first, second, address(suited), address(live[p, q]))
            else:
                fill_lanes(address(sums[p, q]), address(live[p, q]))
    by_card[:] = 0.0
    passed[:] = 0.0
    beaten[:] = 0.0
    at = int64(0)
    for phase in range(2):  # flushes come after the straights, straight flushes after all else
        end = high if phase == 0 else len(order)
        _walk_pairs(at, end, pairs, order, found, live, by_card, passed, beaten, times, free, categories, by_category)
        at = end
        below = full_house if phase == 0 else ENDLESS
        for lane in range(LANES):
            listed[1, lane] = _walk_flushes(
                lane,
                listed[1, lane],
                listed[0, lane],
                below,
                flushes,
                by_card,
                passed,
                beaten,
                column,
                times,
                categories,
                by_category,
            )
    if len(by_category):
        for q in range(len(pairs)):
            _file_pair(q, categories[found[q]], pairs, live, by_card, passed, times, free, by_category[:, 0])
        for lane in range(LANES):
            for card in range(52):
                column[2 * card], column[2 * card + 1] = by_card[0, card, lane], by_card[1, card, lane]
            totals = passed[0, lane], passed[1, lane]
            strengths, cards, held = flushes[0][lane], flushes[1][lane], flushes[2][lane]
            n = listed[0, lane]
            _file_flushes(
                int64(0), n, strengths, cards, held, column, totals, times[lane], categories, by_category[:, 0]
            )


@bare_kernel
def order_pairs(x, pair_keys, tables, found, order):
    """Find the strength of each rank pair on a board whose ranks sum to `x`, and the order of the pairs by strength."""
    shift, displacements, strengths, _, _, _ = tables
    for q in range(len(pair_keys)):
        slot = uint32(x + pair_keys[q])
        found[q] = strengths[(slot + displacements[slot >> shift]) & (len(strengths) - 1)]
        at = q
        while at > 0 and found[order[at - 1]] > found[q]:  # fewer than a hundred, once for many boards
            order[at] = order[at - 1]
            at -= 1
        order[at] = q


def make_room(n_pairs: int) -> tuple[Any, ...]:
    """Scratch space for so many rank pairs; see `walk_boards` for what is what."""
    flushes = np.empty((LANES, 1326), np.int64), np.empty((LANES, 1326, 2), np.uint64), np.empty((LANES, 1326, 2))
    return (
        *(np.empty((52, LANES)), np.empty((4, LANES)), np.empty((3, n_pairs, 9, LANES))),
        *(np.empty((2, 52, LANES)), np.empty((2, LANES)), np.empty((2, LANES))),
        *(np.empty(128, np.int64), flushes, np.empty((2, LANES), np.int64), np.empty(LANES), np.empty(104)),
        *(np.empty(n_pairs, np.int64), np.empty(n_pairs, np.int64)),
    )
