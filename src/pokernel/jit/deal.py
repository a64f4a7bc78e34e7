"""Random deals, a block at a time: cards into columns, then the bulk kernel, then who won.

Known cards cost nothing. Ranges come in *units*, each a list of joint holdings of one player or more, drawn by weight;
where two units' cards clash all are drawn again, which leaves every deal its share: the product of its weights. Then
the board, and the hole cards of players without a range, come from the deck.
"""

import numpy as np
from numba import int64, uint8, uint16, uint64

from . import batch
from ._compile import inline, kernel
from .bits import address, multiply, peek
from .hand import card_mask
from .lookup import best_flush, has_flush, unsuited
from .random import draw_cards, step

__all__ = ["BLOCK", "deal"]

BLOCK = 1024
"""Deals at a time: their cards stay in the first-level cache."""


@kernel
def _evaluate_columns(addresses, out, check, tables):
    """The portable stand-in for ``batch.COLUMNS[7]``."""
    for i in range(len(out)):
        key = mask = int64(0)
        for j in range(7):
            card = peek(uint8, addresses[j] + i)
            key += tables[0][card]
            mask |= card_mask(card)
        out[i] = best_flush(mask, tables[5]) if has_flush(key) else unsuited(7, key, tables[3], tables[4])


evaluate_columns = batch.COLUMNS.get(7, _evaluate_columns)


@inline
def _choose(state, units, n, chosen, used, most_clashes):
    """Draw a holding of every unit, for n deals, and the mask of their cards; the clashes, or -1 for too many in a row.

    Whether a draw clashes cannot be foretold: a draw that does is overwritten by the next one, without a branch. So is
    one that Lemire's method passes over (all items alike: the few words that would favour some). Weighted items are
    picked by Walker's and Vose's alias tables.
    """
    starts, sizes, plain, thresholds, aliases, masks, _, _, _ = units
    deals = draws = before = 0
    look = most_clashes
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    while deals < n:
        if draws == look:  # once in a long while
            if deals == before:
                return -1
            before, look = deals, draws + most_clashes
        together = clash = int64(0)
        for u in range(len(sizes)):
            size = uint64(sizes[u])
            word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
            high, low = multiply(word, size)
            item = starts[u] + int64(high)
            if plain[u]:
                if low < size:
                    clash |= low < -size % size
            else:
                alias, threshold = aliases[uint64(item)], thresholds[uint64(item)]
                item = item if low <= threshold else starts[u] + alias
            mask = masks[uint64(item)]
            clash |= together & mask
            together |= mask
            chosen[uint64(u), uint64(deals)] = item
        used[uint64(deals)] = together
        draws += 1
        deals += clash == 0
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return draws - n


@inline
def _hand_out(columns, n, units, chosen):
    _, _, _, _, _, _, cards, held, members = units
    for u in range(len(members)):
        for m in range(held[u]):
            for i in range(n):
                item, first = uint64(chosen[u, i]), uint64(2 * m)
                columns[5 + 2 * members[u, m], i] = cards[item, first]
                columns[6 + 2 * members[u, m], i] = cards[item, first + uint64(1)]


@inline
def _tally(strengths, n, best, winners, tally):
    players = len(strengths)
    for i in range(BLOCK):
        best[i] = strengths[0, i]
    for p in range(1, players):
        for i in range(BLOCK):
            best[i] = max(best[i], strengths[p, i])
    winners[:] = 0
    for p in range(players):
        for i in range(BLOCK):
            winners[i] |= uint16(strengths[p, i] == best[i]) << p
    for i in range(n):
        tally[i & 3, winners[i]] += 1  # four counters of each: the next deal does not wait for the last one's


@kernel
def deal(trials, state, columns, units, deck, from_deck, tables, categories, most_clashes, tally, by_category):
    """Deal so many times; count by set of winners and by category; gives the clashes, or -1 for too
    many in a row.

    Parameters
    ----------
    state : of the generator, see ``random.py``.
    columns : ``(5 + 2 * players, BLOCK)``: the board's cards, then each player's; what is known is filled in.
    units : ``(starts, sizes, plain, thresholds, aliases, masks, cards, held, members)``: unit u has the holdings
        numbered from ``starts[u]``, all alike if it is plain, their cards a bit each, and in rows ``(n, 2 * most)``; it
        holds for the ``held[u]`` players ``members[u]``.
    deck : the cards not known to be elsewhere, a bit each.
    from_deck : which columns the deck fills.
    tables : as for the bulk kernels of seven cards.
    tally : ``(4, 2 ** players)``, by set of winners, a bit a player; the four add up.
    by_category : ``(players, 2, 10)``, all and those won or shared; or empty.
    """
    players = (len(columns) - 5) // 2
    strengths = np.zeros((players, BLOCK), np.uint16)
    best, winners = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    addresses = np.empty((players, 7), np.int64)
    for p in range(players):
        for j in range(7):
            addresses[p, j] = address(columns) + BLOCK * (j if j < 5 else 2 * p + j)
    chosen, used = np.empty((len(units[0]), BLOCK), np.int64), np.zeros(BLOCK, np.int64)
    flat, places, needed = columns.reshape(-1), from_deck * uint64(BLOCK), len(from_deck)
    clashes = 0
    for first in range(0, trials, BLOCK):
        n = min(BLOCK, trials - first)
        if len(chosen):
            more = _choose(state, units, n, chosen, used, most_clashes)
            if more < 0:
                return -1
            clashes += more
            _hand_out(columns, n, units, chosen)
        for i in range(n):
            draw_cards(state, deck & ~used[i], needed, flat, places, i)
        for p in range(players):
            evaluate_columns(addresses[p], strengths[p], False, tables)
        _tally(strengths, n, best, winners, tally)
        if len(by_category):
            for p in range(players):
                for i in range(n):
                    category = categories[strengths[p, i]]
                    by_category[p, 0, category] += 1
                    by_category[p, 1, category] += (winners[i] >> p) & 1
    return clashes
