"""Loops over arrays of deals, 32 at a time: cards become columns, these strengths, seat by seat, and those rows again.

Rows are read and written eight bytes at a time, up to seven past their end. So the last deals, a row's width and more,
go one by one, by ``showdown.py``: what is past a row lies in rows of the same arrays, and these are written again.
Without AVX2 all do, with identical results.
"""

import numpy as np
from numba import int32, int64, uint8

from . import showdown
from ._compile import AVX2, WIDE, inline_early, kernel
from .bits import address, peek, plain_loop, poke, popcount, trailing_zeros
from .blocks import look_up_all, queue_flushes
from .lookup import best_flush
from .seats_x86 import (
    above_bits,
    board_step,
    clear,
    columns_of_eight,
    equal_bits,
    fold,
    highest,
    rows_of_bytes,
    rows_of_words,
    seat_step,
    set_bits_of,
    who_has,
)

__all__ = ["show_all", "show_live"]

DEALS = 32
USUAL = 3  # of 32 hands have a flush, or fewer
AHEAD = 7  # rows, of a byte at least, to lie where eight bytes of a block's last row end
ALL = 0xFFFFFFFF
NONE = 64  # no card, nor is any above
SEATS = 24  # 23, and one to fill the last eight
WORDS = 6 * DEALS
WINS = WORDS + 2 * DEALS * SEATS
LIVE = WINS + DEALS * SEATS
CARDS = LIVE + DEALS * SEATS
QUEUE = CARDS + DEALS * (5 + 2 * SEATS + 3)
KEYS = QUEUE + 4 * (DEALS * SEATS + 1)
MEMORY = KEYS + (4 * DEALS * SEATS if WIDE else 0)
"""A kernel's memory: the board's registers; of each seat strengths, who wins, who is live; cards; flushes; keys."""


@inline_early
def _take_columns(start, width, out):
    """32 rows of so many bytes to as many columns, in eights."""
    for j in range(0, width, 8):
        plain_loop()
        columns_of_eight(start + j, width, out + DEALS * j)


@inline_early
def _give_rows(words, columns, width, start):
    """Columns, of words or bytes, to 32 rows of so many bytes; the last eight first: they reach into the next row."""
    last = (width - 1) // 8 * 8
    for i in range(-1, last // 8):
        plain_loop()
        j = last if i < 0 else 8 * i
        if words:
            rows_of_words(columns + DEALS * j, start + j, width)
        else:
            rows_of_bytes(columns + DEALS * j, start + j, width)


@inline_early
def _mend(hand, cards, words, masks, flush):
    """Write the strength of a hand with a flush, by its number: of its seat's 32, and in these the deal's."""
    seats_hands, at = hand & -DEALS, hand & (DEALS - 1)
    deal, pair = cards + at, cards + DEALS * 5 + 2 * seats_hands + at
    mask = int64(0)
    for j in range(5):
        mask |= masks[2 * int64(peek(uint8, deal + DEALS * j)) + 1]
    for j in range(2):
        mask |= masks[2 * int64(peek(uint8, pair + DEALS * j)) + 1]
    poke(best_flush(mask, flush), words + 2 * hand)


@inline_early
def _show(folds, boards, holes, live, tables, strengths, winners):
    masks, displacements, unsuited, flush, digits, multiplier = tables
    deals, seats = strengths.shape
    memory, best = np.empty(MEMORY, np.uint8), np.empty(DEALS, np.uint16)
    bad, first, done = 0, -1, 0
    while done + DEALS + AHEAD <= deals:
        start = address(memory)
        words, wins, lives, cards = start + WORDS, start + WINS, start + LIVE, start + CARDS
        holding = cards + 5 * DEALS
        _take_columns(address(boards) + 5 * done, 5, cards)
        _take_columns(address(holes) + 2 * seats * done, 2 * seats, holding)
        if folds:
            _take_columns(address(live) + seats * done, seats, lives)
        board_step(cards, start, digits)
        end = start + QUEUE
        for p in range(seats):
            plain_loop()
            to = start + KEYS + 4 * DEALS * p if WIDE else words + 2 * DEALS * p
            flushes = seat_step(holding + 2 * DEALS * p, start, to, digits, multiplier, displacements, unsuited)
            end = queue_flushes(USUAL, flushes, DEALS * p, end)
        if WIDE:
            look_up_all(7, start + KEYS, DEALS * seats, words, displacements, unsuited)
        for queued in range(start + QUEUE, end, 4):
            plain_loop()
            _mend(int64(peek(int32, queued)), cards, words, masks, flush)
        if folds:
            wrong, anybody = above_bits(cards, 5), int64(0)
            for p in range(seats):
                plain_loop()
                pair, kept = holding + 2 * DEALS * p, set_bits_of(lives + DEALS * p)
                wrong |= above_bits(pair, 2) & kept
                anybody |= kept
                fold(pair, kept, NONE + 2 * p)
                clear(words + 2 * DEALS * p, kept)
            wrong |= ALL & ~anybody
        else:
            wrong = above_bits(cards, 5 + 2 * seats)
        wrong |= equal_bits(cards, 5 + 2 * seats)
        highest(words, seats, address(best))
        for p in range(seats):
            plain_loop()
            who_has(words + 2 * DEALS * p, address(best), wins + DEALS * p)
        _give_rows(True, words, 2 * seats, address(strengths) + 2 * seats * done)
        _give_rows(False, wins, seats, address(winners) + seats * done)
        if wrong != 0:
            bad += popcount(wrong)
            first = done + trailing_zeros(wrong) if first < 0 else first
        done += DEALS
    more, at = showdown.show(folds, boards[done:], holes[done:], live[done:], tables, strengths[done:], winners[done:])
    return bad + more, done + at if first < 0 and more > 0 else first


@kernel
def _show_all(boards, holes, tables, strengths, winners):
    return _show(False, boards, holes, winners, tables, strengths, winners)


@kernel
def _show_live(boards, holes, live, tables, strengths, winners):
    return _show(True, boards, holes, live, tables, strengths, winners)


show_all = _show_all if AVX2 else showdown.show_all
show_live = _show_live if AVX2 else showdown.show_live
