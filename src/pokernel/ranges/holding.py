"""What a player may hold, ready to be dealt: combos by number, their weights, and their cards as bits."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ..cards import format_cards
from ..combos import COMBOS

if TYPE_CHECKING:
    from .hand_range import Range

__all__ = ["CARD_BITS", "Holding", "hand_holding", "holding_of"]

CARD_BITS: Final[NDArray[np.int64]] = (np.int64(1) << COMBOS.astype(np.int64)).sum(axis=1)
"""``(1326,)``: the cards of each combo, a bit each."""
CARD_BITS.flags.writeable = False


@dataclass(frozen=True, eq=False, slots=True)
class Holding:
    """Combos with weights above 0; arrays are shared, and read-only."""

    name: str
    """As :class:`Range` writes it, or a hand's two cards."""
    numbers: NDArray[np.int64]
    """The combos by number, ascending."""
    weights: NDArray[np.float64]
    is_plain: bool
    """Whether all weights are 1."""
    cards: NDArray[np.int64]
    """Bits of each combo's cards."""
    all_cards: int
    """Bits of all cards in it."""

    def __post_init__(self) -> None:
        for array in (self.numbers, self.weights, self.cards):
            array.flags.writeable = False

    def without(self, gone: int) -> Holding:
        """Return what is left beside cards, a bit each, that are elsewhere."""
        if not self.all_cards & gone:
            return self
        left = self.cards & gone == 0
        cards = self.cards[left]
        return Holding(
            self.name,
            self.numbers[left],
            self.weights[left],
            self.is_plain,
            cards,
            int(np.bitwise_or.reduce(cards)),
        )


def holding_of(held: Range) -> Holding:
    """Return the holding of a range, which it keeps."""
    if held._holding is None:
        numbers = np.flatnonzero(held.by_combo).astype(np.int64)
        weights, cards = held.by_combo[numbers], CARD_BITS[numbers]
        is_plain = bool((weights == 1).all())
        is_hand = len(numbers) == 1 and is_plain
        name = format_cards(COMBOS[numbers[0]].tolist()) if is_hand else str(held)
        held._holding = Holding(name, numbers, weights, is_plain, cards, int(np.bitwise_or.reduce(cards)))
    return held._holding


@functools.cache
def hand_holding(number: int) -> Holding:
    """Return the holding of one hand, by the number of its combo."""
    cards = CARD_BITS[number : number + 1]
    return Holding(format_cards(COMBOS[number].tolist()), np.array([number]), np.ones(1), True, cards, int(cards[0]))
