"""Flushes of two ranges on one board: who makes one, from the weakest, and the walk past them, combo by combo.

See ``heads_up.py``. Three cards of a suit on the board make a flush with two more, four with one more, five with any
two; how strong depends on the *pattern* alone, the ranks of that suit that a combo adds.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64

from ._compile import inline_early

__all__ = ["Flushes", "file_flushes", "list_flushes", "make_flushes", "walk_flushes"]

NONE = 15  # no rank
ONE = np.uint64(1)  # numba makes floats of signed and unsigned integers together


class Flushes(NamedTuple):
    """Room for the flushes of so many lanes."""

    strengths: Any
    """``(lanes, 1326)``, ascending."""
    cards: Any
    """``(lanes, 1326, 2)``: twice the number of each card, its place in `column`."""
    held: Any
    """``(lanes, 1326, 2)``: both players' weights."""
    listed: Any
    """``(lanes,)``: how many there are."""
    walked: Any
    """``(lanes,)``: how many have been passed."""
    patterns: Any
    column: Any
    """``(104,)``: one lane's weights passed by card while its flushes are walked, the first player's, the second's."""


def make_flushes(lanes: int) -> Flushes:
    """The room, empty."""
    return Flushes(
        np.empty((lanes, 1326), np.int64),
        np.empty((lanes, 1326, 2), np.uint64),
        np.empty((lanes, 1326, 2)),
        np.empty(lanes, np.int64),
        np.empty(lanes, np.int64),
        np.empty(96, np.int64),
        np.empty(104),
    )


@inline_early
def _add_pattern(patterns, n, board_ranks, ranks, first, second, flush):
    """Put the flush of a board with these ranks more behind all that are weaker; how many there are then.

    Where the board has three of the suit, higher ranks make the better flush: only straight flushes come out of order.
    """
    key = (int64(flush[board_ranks | ranks]) << 16) | (first << 8) | second
    at = n
    while at > 0 and patterns[at - 1] > key:
        patterns[at] = patterns[at - 1]
        at -= 1
    patterns[at] = key
    return n + 1


@inline_early
def _add_combo(lane, n, strength, a, b, ranges, flushes):
    """Append a combo, unless nobody holds it; how many there are then."""
    a, b = max(a, b), min(a, b)
    q = ranges.pair_at[a >> 2, b >> 2]
    if q >= 0:
        i, j = a & 3, b & 3
        if a >> 2 == b >> 2:
            i, j = j, i
        hero, villain = ranges.weights[0, q, i, j], ranges.weights[1, q, i, j]
        if hero != 0.0 or villain != 0.0:
            flushes.strengths[lane, n] = strength
            flushes.cards[lane, n, 0], flushes.cards[lane, n, 1] = 2 * a, 2 * b
            flushes.held[lane, n, 0], flushes.held[lane, n, 1] = hero, villain
            n += 1
    return n


@inline_early
def list_flushes(lane, board, drawn, suit, count, ranges, flush, flushes):
    """List the live combos that make a flush with `count` cards of a suit on the board, from the weakest."""
    on_board = (board >> (16 * suit)) & 0x1FFF
    free = 0x1FFF & ~((drawn >> (16 * suit)) & 0x1FFF)
    patterns, n_patterns = flushes.patterns, 0
    for r in range(-1, 13):
        if r < 0:
            if count == 5:
                n_patterns = _add_pattern(patterns, n_patterns, on_board, int64(0), int64(NONE), int64(NONE), flush)
        elif (free >> r) & 1:
            for s in range(-1, r):
                if s < 0:
                    if count >= 4:
                        n_patterns = _add_pattern(patterns, n_patterns, on_board, int64(1) << r, r, int64(NONE), flush)
                elif (free >> s) & 1 and ranges.pair_at[r, s] >= 0:
                    both = (int64(1) << r) | (int64(1) << s)
                    n_patterns = _add_pattern(patterns, n_patterns, on_board, both, r, s, flush)
    n = 0
    for at in range(n_patterns):
        strength, r, s = patterns[at] >> 16, (patterns[at] >> 8) & 0xFF, patterns[at] & 0xFF
        if s != NONE:
            n = _add_combo(lane, n, strength, 4 * r + suit, 4 * s + suit, ranges, flushes)
            continue
        for b in range(52):
            if b & 3 == suit or (drawn >> (16 * (b & 3) + (b >> 2))) & 1:
                continue
            for a in range(b if r == NONE else 1):
                if r != NONE:
                    a = 4 * r + suit
                elif a & 3 == suit or (drawn >> (16 * (a & 3) + (a >> 2))) & 1:
                    continue
                n = _add_combo(lane, n, strength, a, b, ranges, flushes)
    flushes.listed[lane] = n


@inline_early
def walk_flushes(lane, below, flushes, by_card, passed, beaten, times, categories, by_category):
    """Walk one board's flushes on, while their strengths are below that."""
    start, n = flushes.walked[lane], flushes.listed[lane]
    strengths, cards, held = flushes.strengths[lane], flushes.cards[lane], flushes.held[lane]
    if start < n and strengths[start] < below:
        column = flushes.column
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
                file_flushes(lane, start, end, flushes, passed0, passed1, times[lane], categories, by_category[:, 1])
            start = end
        for card in range(52):
            by_card[0, card, lane], by_card[1, card, lane] = column[2 * card], column[2 * card + 1]
        passed[0, lane], passed[1, lane] = passed0, passed1
        beaten[0, lane] += beaten0
        beaten[1, lane] += beaten1
        flushes.walked[lane] = start


@inline_early
def file_flushes(lane, start, end, flushes, passed0, passed1, times, categories, filed):
    """Add to ``filed[p, category]`` the pairs of each player's flushes with all that has been passed."""
    column = flushes.column
    for entry in range(start, end):
        category = categories[flushes.strengths[lane, entry]]
        a, b = flushes.cards[lane, entry, 0], flushes.cards[lane, entry, 1]
        weight0, weight1 = flushes.held[lane, entry, 0], flushes.held[lane, entry, 1]
        both = weight0 * weight1  # a combo shares both its cards with itself
        filed[0, category] += times * (weight0 * (passed1 - column[a + ONE] - column[b + ONE]) + both)
        filed[1, category] += times * (weight1 * (passed0 - column[a] - column[b]) + both)
