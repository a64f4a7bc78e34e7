"""Fresh, uniformly random hands, dealt faster than they are evaluated by most."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

__all__ = ["Dealer", "Hands", "compiled", "output"]

Hands = NDArray[np.uint8]
AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])


def compiled(function: AnyFunction) -> AnyFunction:
    """Compile as a user would, ``@njit(nogil=True)``, and keep the function's type."""
    return cast(AnyFunction, njit(nogil=True)(function))


@compiled
def _fill(seed: Any, deck: Any, hands: Any) -> None:
    """Cards from the high bits of splitmix64; a card that the hand holds already is drawn again."""
    state = uint64(seed)
    for i in range(hands.shape[0]):
        held = int64(0)
        for j in range(hands.shape[1]):
            while True:
                state += uint64(0x9E3779B97F4A7C15)
                z = (state ^ (state >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
                z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
                card = int64(((z >> uint64(32)) * uint64(deck)) >> uint64(32))
                if not (held >> card) & 1:
                    break
            held |= int64(1) << card
            hands[i, j] = card


def output(hands: int) -> NDArray[np.uint16]:
    """Memory for strengths, its pages already there: those of zeros would come in the timed work, and cost a tenth."""
    return np.ones(hands, np.uint16)


class Dealer:
    """Deals so many hands of so many cards, new ones at every call, the same ones again from the same seed."""

    def __init__(self, hands: int, cards: int = 7, deck: int = 52, seed: int = 7462) -> None:
        self.shape = hands, cards
        self.deck = deck
        self._seeds = np.random.default_rng(seed)

    def __call__(self) -> Hands:
        """Return a new ``uint8`` array (hands, cards)."""
        hands = np.empty(self.shape, np.uint8)
        _fill(self._seeds.integers(1 << 63, dtype=np.uint64), self.deck, hands)
        return hands
