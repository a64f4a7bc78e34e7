"""The oracle of dealing: its values of hands against every five cards and the published counts, its loops by hand."""

import re
from collections import Counter
from itertools import combinations, pairwise, product
from pathlib import Path

import naive
import naive_equity
import numpy as np
import pytest
from layouts import deal
from naive_equity import CATEGORY, compatible_deals, count, values
from spots import cards, hand

FIVE_CARD_COUNTS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]


def test_published_counts() -> None:
    counts = np.zeros(10, np.int64)
    for first, n in naive.all_hands(5):
        counts += np.bincount(values(naive.hands_at(5, first, n).astype(np.int64)) // CATEGORY, minlength=10)
    assert counts.tolist() == FIVE_CARD_COUNTS


def test_values_order_every_class_of_five_cards_as_its_key_does() -> None:
    keys = sorted(naive.numbering())
    hands = []
    for category, ranks in keys:
        suited = category in (naive.FLUSH, naive.STRAIGHT_FLUSH, naive.ROYAL_FLUSH)
        if category == naive.ROYAL_FLUSH:
            ranks = (12,)
        if len(ranks) == 1:
            ranks = naive.WHEEL if ranks[0] == naive.FIVE else tuple(range(ranks[0], ranks[0] - 5, -1))
        if category in (naive.ONE_PAIR, naive.TRIPS, naive.QUADS, naive.FULL_HOUSE, naive.TWO_PAIR):
            more = {naive.ONE_PAIR: (1,), naive.TRIPS: (2,), naive.QUADS: (3,), naive.FULL_HOUSE: (2, 1)}.get(
                category, (1, 1)
            )
            ranks = tuple(rank for rank, n in zip(ranks, more, strict=False) for _ in range(n + 1)) + ranks[len(more) :]
        hands.append([4 * rank for rank in ranks] if suited else naive.offsuit(ranks))
    assert [naive.key(five) for five in hands] == keys
    found = values(np.array(hands)).tolist()
    assert found == sorted(set(found))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_values_order_random_hands_as_their_best_five_do(k: int, rng: np.random.Generator) -> None:
    high = rng.permuted(np.tile(np.arange(28, 52), (6000, 1)), axis=1)[:, :k]  # they make strong hands
    suited = rng.permuted(np.tile(np.arange(3, 52, 4), (200, 1)), axis=1)[:, :k]  # they make stronger ones
    hands = np.concatenate([deal(rng, 1500, k), high, suited]).astype(np.int64)
    found = values(hands).tolist()
    keys = [naive.best_key(cards) for cards in hands.tolist()]
    assert [value // CATEGORY for value in found] == [category for category, _ in keys]
    assert {category for category, _ in keys} >= set(range(9))
    in_order = sorted(zip(keys, found, strict=True))
    for (key, value), (next_key, next_value) in pairwise(in_order):
        assert (key < next_key, value < next_value) in ((True, True), (False, False))


def test_tallies_by_hand(rng: np.random.Generator) -> None:
    """Three players on a turn, in plain loops over rivers and holdings, with the best of all five-card subsets."""
    board = cards("Jh Td 4c 9h")
    players = [
        {hand("QsKs"): 3, hand("8h7h"): 1, hand("JsJd"): 2},
        {hand("Qc8c"): 1, hand("AhKh"): 2, hand("JsTs"): 1, hand("4s4d"): 5},
        {hand("Qd8d"): 2, hand("KdQh"): 1, hand("JsJc"): 1},
    ]
    dead = cards("2c")
    counts: Counter[tuple[int, ...]] = Counter()
    of = np.zeros((3, 2, 10), int)
    deals = 0
    for river in range(52):
        for holding in product(*players):
            dealt = [*board, *dead, river, *(card for two in holding for card in two)]
            if len(set(dealt)) < len(dealt):
                continue
            keys = [naive.best_key([*board, river, *two]) for two in holding]
            winners = tuple(player for player in range(3) if keys[player] == max(keys))
            weight = players[0][holding[0]] * players[1][holding[1]] * players[2][holding[2]]
            counts[winners] += weight
            deals += weight
            for player in range(3):
                of[player, 0, keys[player][0]] += weight
                of[player, 1, keys[player][0]] += weight * (player in winners)
    tally = count(players, board, dead)
    assert tally.counts == counts
    assert tally.categories == of.tolist()
    assert tally.total == deals == compatible_deals(players, board, dead)


def test_every_board_is_dealt_once() -> None:
    """Before the flop; the values of the match-up that everybody knows."""
    tally = count([{hand("AsKs"): 1}, {hand("QhQd"): 1}])
    assert tally.counts == {(0,): 787_966, (1,): 917_606, (0, 1): 6_732}
    assert tally.total == compatible_deals([{hand("AsKs"): 1}, {hand("QhQd"): 1}]) == 1_712_304


@pytest.mark.parametrize("n", range(6))
def test_boards_of_every_length(n: int) -> None:
    """Those of one length are those of the next for every card that may come, each counted for each order."""
    players = [{hand("AsKs"): 1, hand("8d7d"): 2}, {hand("AsQd"): 3, hand("8c8h"): 1}]
    board = cards("2c 7s 8s Td Jc")[:n]
    tally = count(players, board)
    assert tally.total == compatible_deals(players, board)
    if n == 5:
        return
    more: Counter[tuple[int, ...]] = Counter()
    for card in range(52):
        if card not in board and n > 1:
            more.update(count(players, [*board, card]).counts)
    if n > 1:
        assert {who: (5 - n) * deals for who, deals in tally.counts.items()} == more


def test_the_oracle_knows_nothing_of_pokernel() -> None:
    for module in (naive, naive_equity):
        assert module.__file__ is not None
        source = Path(module.__file__).read_text()
        assert not re.search(r"^\s*(import|from) pokernel", source, re.MULTILINE)


def test_holdings_that_cannot_be_dealt_count_nothing() -> None:
    aces = dict.fromkeys(combinations(cards("AsAhAdAc"), 2), 1)
    assert count([aces, aces, aces], cards("2c 3c 4c 5h 9d")).counts == {}
    assert compatible_deals([aces, aces, aces], cards("2c 3c 4c 5h 9d")) == 0
    assert count([aces, aces], cards("2c 3c 4c 5h As")).counts == {}
