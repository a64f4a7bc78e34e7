"""Hands that other people wrote down, dirt included: the UCI training set and Project Euler's problem 54."""

from pathlib import Path

import numpy as np

import pokernel

DAMAGED = [38, 25010]
MISLABELLED = [5, 6, 8467, 9332, 9583, 9872, 9924, 9927, 9930, 9932]
UCI_SUITS = np.array([2, 3, 1, 0])  # hearts, spades, diamonds, clubs as our suits


def test_uci_training_set(shared_data: Path) -> None:
    lines = [line.split(",") for line in (shared_data / "uci_poker_training.csv").read_text().splitlines()]
    assert [number for number, fields in enumerate(lines, 1) if len(fields) != 11] == DAMAGED
    numbers = np.array([number for number, fields in enumerate(lines, 1) if len(fields) == 11])
    table = np.array([fields for fields in lines if len(fields) == 11], dtype=np.int64)
    hands = 4 * ((table[:, 1:10:2] + 11) % 13) + UCI_SUITS[table[:, 0:10:2] - 1]
    categories = pokernel.category(pokernel.evaluate(hands))
    assert len(categories) == 25_008
    assert np.count_nonzero(categories == table[:, 10]) == 24_998
    assert numbers[categories != table[:, 10]].tolist() == MISLABELLED
    assert categories[numbers == 5].tolist() == [pokernel.Category.ROYAL_FLUSH]


def test_euler_54(shared_data: Path) -> None:
    deals = (shared_data / "euler54_deals.txt").read_text().split("\n")
    first, second = (pokernel.evaluate([deal[part] for deal in deals if deal]) for part in (slice(15), slice(15, None)))
    assert len(first) == len(second) == 1000
    assert np.count_nonzero(first > second) == 376
    assert not (first == second).any()
    as_arrays = pokernel.evaluate(pokernel.parse_hands([deal for deal in deals if deal]).reshape(1000, 2, 5))
    np.testing.assert_array_equal(as_arrays, np.stack([first, second], axis=1))
