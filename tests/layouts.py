"""Random hands, and every way an array of them can lie in memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cards = NDArray[Any]

DTYPES = ["u1", "<u2", "<u4", "<u8", "i1", "<i2", "<i4", "<i8", ">u2", ">u4", ">u8", ">i2", ">i4", ">i8"]


def deal(rng: np.random.Generator, n: int, k: int) -> NDArray[np.uint8]:
    """``(n, k)`` uint8, uniformly random hands in random card order: draws with a duplicate are thrown away."""
    kept, parts = 0, [np.empty((0, k), np.uint8)]
    while kept < n:
        drawn = rng.integers(0, 52, (2 * (n - kept) + 16, k), np.uint8)
        ascending = np.sort(drawn, axis=1)
        parts.append(drawn[(ascending[:, 1:] != ascending[:, :-1]).all(1)])
        kept += len(parts[-1])
    return np.concatenate(parts)[:n]


def read_only(hands: Cards) -> Cards:
    hands = hands.copy()
    hands.flags.writeable = False
    return hands


def columns_of_a_wider_array(hands: Cards) -> Cards:
    wide = np.full((len(hands), hands.shape[1] + 4), 99, hands.dtype)
    wide[:, 1:-3] = hands
    return wide[:, 1:-3]


def every_third_row(hands: Cards) -> Cards:
    tall = np.full((3 * len(hands), hands.shape[1]), 99, hands.dtype)
    tall[1::3] = hands
    return tall[1::3]


def every_second_column(hands: Cards) -> Cards:
    wide = np.full((len(hands), 2 * hands.shape[1]), 99, hands.dtype)
    wide[:, ::2] = hands
    return wide[:, ::2]


def backwards(hands: Cards) -> Cards:
    return hands[::-1, ::-1].copy()[::-1, ::-1]


def unaligned(hands: Cards) -> Cards:
    memory = np.zeros(hands.nbytes + 1, np.uint8)
    view = memory[1:].view(hands.dtype).reshape(hands.shape)
    view[:] = hands
    return view


def field_of_records(hands: Cards) -> Cards:
    records = np.zeros(len(hands), [("id", "u1"), ("cards", hands.dtype, (hands.shape[1],))])
    records["cards"] = hands
    return records["cards"]


LAYOUTS: dict[str, Callable[[Cards], Cards]] = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "read-only": read_only,
    "columns of a wider array": columns_of_a_wider_array,
    "every third row": every_third_row,
    "every second column": every_second_column,
    "backwards": backwards,
    "unaligned": unaligned,
    "field of records": field_of_records,
}
