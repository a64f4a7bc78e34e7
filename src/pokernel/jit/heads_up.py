"""Two ranges on whole boards: every pair of combos at once, in time that grows with combos, not with pairs.

On one board a combo beats every combo of lesser strength that shares no card with it. So walk the strengths upwards and
keep running totals of the weight passed, in all and by card: what (a, b) beats weighs ``total - by_card[a] -
by_card[b]``, because no weaker combo holds both its cards. Both players' wins are counted so; what is neither is a tie.

Unsuited strengths depend on ranks alone. The 16 combos of two ranks (6 of one) are therefore one step of the walk, a
*rank pair*, with its weights summed by card; and boards with the same ranks share the order of the steps: eight of
them walk side by side (``lanes.py``). Only combos that make a flush go one by one (``flushes.py``), between the
straights and the full houses. Masks are those of ``hand.py``.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint32

from ._compile import bare_kernel, inline_early
from .bits import address, popcount, trailing_zeros
from .flushes import Flushes, file_flushes, list_flushes, make_flushes, walk_flushes
from .lanes import LANES, add_weights, count_beaten, fill_lanes, sum_lanes

__all__ = ["Ranges", "Room", "Tables", "make_room", "order_pairs", "walk_boards"]

ENDLESS = 1 << 16  # above all strengths
ROW = 8 * LANES  # bytes of one number in all lanes


class Ranges(NamedTuple):
    """Two ranges by rank pairs. Weights are ``float64``: sums of integers below 2**53 are exact."""

    pairs: Any
    """``(n, 2)``: the ranks of each pair that somebody holds, the higher first."""
    pair_at: Any
    """``(13, 13)``: number of a rank pair, the higher rank first; -1 for one that nobody holds."""
    keys: Any
    """``(n,)``: what a pair adds to the sum that finds a strength."""
    weights: Any
    """``(3, n, 4, 4)`` by suits of both ranks (of equal ranks the lower first): the first player's, the second's, both
    multiplied; zero for combos with cards that are known or dead."""
    sums: Any
    """``(3, n, 9)``: weights by suit of the first card (4), of the second (4), in all."""
    products: Any
    """``(53, 53)``: both players' weights multiplied, by the cards of a combo, symmetric; sums in row and column 52."""


class Tables(NamedTuple):
    """What finds strengths and tells categories."""

    shift: Any
    displacements: Any
    strengths: Any
    flush: Any
    categories: Any
    full_house: Any
    """The weakest full house."""


class Room(NamedTuple):
    """Scratch space; what a walk leaves here is what it found."""

    alive: Any
    """``(52, lanes)``: 1 for cards that a rank pair may hold, else 0."""
    suited: Any
    """``(4, lanes)``: 1 where a rank pair's combo in this suit makes a flush."""
    live: Any
    """``(3, n, 9, lanes)``: the sums of what is alive."""
    by_card: Any
    """``(2, 52, lanes)``: each player's weight passed with this card."""
    passed: Any
    """``(2, lanes)``: each player's weight passed."""
    beaten: Any
    """``(2, lanes)``: the pairs that each player has won."""
    spare: Any
    """``(lanes,)``."""
    found: Any
    """``(n,)``: strengths of the rank pairs."""
    order: Any
    """``(n,)``: the rank pairs, the weakest first."""
    flushes: Flushes
    boards: Any
    """``(2, lanes)``: boards waiting, without and with flushes."""
    drawn: Any
    times: Any
    waiting: Any
    """``(2,)``: how many."""
    steps: Any
    """``(4, 16)``."""


def make_room(n_pairs: int) -> Room:
    """The room for so many rank pairs, empty."""
    return Room(
        alive=np.empty((52, LANES)),
        suited=np.empty((4, LANES)),
        live=np.empty((3, n_pairs, 9, LANES)),
        by_card=np.empty((2, 52, LANES)),
        passed=np.empty((2, LANES)),
        beaten=np.empty((2, LANES)),
        spare=np.empty(LANES),
        found=np.empty(n_pairs, np.int64),
        order=np.empty(n_pairs, np.int64),
        flushes=make_flushes(LANES),
        boards=np.empty((2, LANES), np.int64),
        drawn=np.empty((2, LANES), np.int64),
        times=np.empty((2, LANES)),
        waiting=np.empty(2, np.int64),
        steps=np.empty((4, 16), np.int64),
    )


@inline_early
def order_pairs(x, ranges, tables, room):
    """Find the strength of each rank pair on a board whose ranks sum to `x`, and the order of the pairs by strength."""
    found, order = room.found, room.order
    for q in range(len(ranges.keys)):
        slot = uint32(x + ranges.keys[q])
        strength = int64(
            tables.strengths[(slot + tables.displacements[slot >> tables.shift]) & (len(tables.strengths) - 1)]
        )
        found[q] = strength
        at = q
        while at > 0 and found[order[at - 1]] > strength:  # fewer than a hundred, once for many boards
            order[at] = order[at - 1]
            at -= 1
        order[at] = q


@inline_early
def _file_pair(q, category, ranges, room, times, filed):
    """Add to ``filed[p, category]`` the pairs of each player's combos of a rank pair with all that has been passed."""
    first, second = int64(ranges.pairs[q, 0]) * 4 * ROW, int64(ranges.pairs[q, 1]) * 4 * ROW
    for p in range(2):
        room.spare[:] = 0.0
        other = address(room.by_card[1 - p])
        count_beaten(
            address(room.live[p, q]), other + first, other + second, address(room.passed[1 - p]), address(room.spare)
        )
        for lane in range(LANES):  # a combo shares both its cards with itself
            filed[p, category] += times[lane] * (room.spare[lane] + room.live[2, q, 8, lane])


@inline_early
def _walk_pairs(at, end, ranges, tables, room, times, by_category):
    """Walk the rank pairs ``order[at:end]`` on all lanes."""
    pairs, order, found = ranges.pairs, room.order, room.found
    while at < end:
        group = at
        while group < end and found[order[group]] == found[order[at]]:
            q = order[group]
            first, second = int64(pairs[q, 0]) * 4 * ROW, int64(pairs[q, 1]) * 4 * ROW
            for p in range(2):
                other, passed = address(room.by_card[1 - p]), address(room.passed[1 - p])
                count_beaten(address(room.live[p, q]), other + first, other + second, passed, address(room.beaten[p]))
            group += 1
        for i in range(at, group):
            q = order[i]
            first, second = int64(pairs[q, 0]) * 4 * ROW, int64(pairs[q, 1]) * 4 * ROW
            for p in range(2):
                own = address(room.by_card[p])
                add_weights(address(room.live[p, q]), own + first, own + second, address(room.passed[p]))
        if len(by_category):
            for i in range(at, group):
                _file_pair(order[i], tables.categories[found[order[i]]], ranges, room, times, by_category[:, 1])
        at = group


@inline_early
def _lay_out(lane, board, drawn, ranges, tables, room):
    """Tell what is alive on one board, and list its flushes, which are not there for their rank pairs."""
    suit = count = int64(0)
    for s in range(4):
        left = (drawn >> (16 * s)) & 0x1FFF
        while left != 0:
            room.alive[4 * trailing_zeros(left) + s, lane] = 0.0
            left &= left - 1
        on_board = popcount((board >> (16 * s)) & 0x1FFF)
        if on_board >= 3:
            suit, count = s, on_board
    room.flushes.listed[lane] = room.flushes.walked[lane] = 0
    if count == 3:
        room.suited[suit, lane] = 1.0
    elif count == 4:
        for r in range(13):
            room.alive[4 * r + suit, lane] = 0.0
    elif count == 5:
        room.alive[:, lane] = 0.0
    if count != 0:
        list_flushes(lane, board, drawn, suit, count, ranges, tables.flush, room.flushes)


@bare_kernel
def walk_boards(kind, ranks, ranges, tables, room, by_category):
    """Walk the boards of the room's row `kind` (1 if there may be flushes), whose drawn ranks are `ranks`, as bits.

    Wins are in ``room.beaten`` then. `by_category` ``(2, 2, 10)`` takes pairs by player and category of his hand, all
    of them and those not lost; or it is empty.
    """
    times = room.times[kind]
    room.alive[:] = 1.0
    room.suited[:] = 0.0
    for lane in range(LANES):
        _lay_out(lane, room.boards[kind, lane], room.drawn[kind, lane], ranges, tables, room)
    for q in range(len(ranges.pairs)):
        r, s = int64(ranges.pairs[q, 0]), int64(ranges.pairs[q, 1])
        first, second = address(room.alive) + r * 4 * ROW, address(room.alive) + s * 4 * ROW
        for p in range(3 if len(by_category) else 2):
            if kind == 1 or ((ranks >> r) | (ranks >> s)) & 1:
                sum_lanes(address(ranges.weights[p, q]), first, second, address(room.suited), address(room.live[p, q]))
            else:
                fill_lanes(address(ranges.sums[p, q]), address(room.live[p, q]))
    room.by_card[:] = 0.0
    room.passed[:] = 0.0
    room.beaten[:] = 0.0
    start, high = int64(0), len(room.order)  # where the full houses begin
    while high > 0 and room.found[room.order[high - 1]] >= tables.full_house:
        high -= 1
    for phase in range(2):  # flushes come after the straights, straight flushes after all else
        end = high if phase == 0 else len(room.order)
        _walk_pairs(start, end, ranges, tables, room, times, by_category)
        start = end
        for lane in range(LANES):
            walk_flushes(
                lane,
                tables.full_house if phase == 0 else ENDLESS,
                room.flushes,
                room.by_card,
                room.passed,
                room.beaten,
                times,
                tables.categories,
                by_category,
            )
    if len(by_category):
        _file_all(ranges, tables, room, times, by_category)


@inline_early
def _file_all(ranges, tables, room, times, by_category):
    """File every pair under the category of each player's hand, once all have been passed."""
    for q in range(len(ranges.pairs)):
        _file_pair(q, tables.categories[room.found[q]], ranges, room, times, by_category[:, 0])
    for lane in range(LANES):
        column = room.flushes.column
        for card in range(52):
            column[2 * card], column[2 * card + 1] = room.by_card[0, card, lane], room.by_card[1, card, lane]
        n, passed0, passed1 = room.flushes.listed[lane], room.passed[0, lane], room.passed[1, lane]
        file_flushes(
            lane, int64(0), n, room.flushes, passed0, passed1, times[lane], tables.categories, by_category[:, 0]
        )
