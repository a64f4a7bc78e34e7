"""Weights as the decimals that people write: products and differences of these, each rounded to a float once."""

from decimal import Context, Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["difference", "product"]

_EXACT: Final = Context(prec=1000)
"""Exact for all that people write, and no text can ask for numbers that fill the memory."""


def product(one: Decimal, two: Decimal) -> Decimal:
    return _EXACT.multiply(one, two)


def difference(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract weights, item by item, where something is left; what is not is 0."""
    made = np.where(one > two, one, 0.0)
    both = (one > two) & (two > 0)
    pairs = list(zip(one[both].tolist(), two[both].tolist(), strict=True))
    known = {pair: _minus(*pair) for pair in set(pairs)}
    made[both] = [known[pair] for pair in pairs]
    return made


def _minus(more: float, less: float) -> float:
    """Subtract the shortest decimals that are read as these floats: 1 - 0.9 is 0.1."""
    exact = _EXACT.subtract(Decimal(repr(more)), Decimal(repr(less)))
    return float(exact) or more - less  # decimals of neighbors near 1e-308 can be too close for a float
