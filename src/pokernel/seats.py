"""What the seats of a table hold, as arrays of one row a deal; work over such rows, and how errors name them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bulk import Blocks
from .errors import PotError
from .inputs import require_integers
from .invalid import Index
from .threads import run

__all__ = ["Bad", "as_flags", "as_numbers", "frozen", "name_row", "over_deals"]

Bad = tuple[tuple[int, ...], int]
"""Where the first bad deal is, and how many are."""


def as_numbers(given: Any, what: str) -> NDArray[Any]:
    """An integer array of anything like one; booleans among ints are refused, and so is what no dtype holds."""
    array = _as_array(given, what)
    if array.dtype == object:
        for number in array.flat:
            if isinstance(number, (list, tuple, np.ndarray)):
                raise PotError(f"{what} are ragged: all deals have as many seats")
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
                raise TypeError(f"{what} must be integers, not {type(number).__name__}")
            if not -(2**63) <= number < 2**63:
                raise PotError(f"{what}: {number} needs more than 64 bits")
        return array.astype(np.int64)
    require_integers(array, what)
    return array


def as_flags(given: Any, what: str) -> NDArray[np.bool_]:
    """A boolean array of anything like one; ints are refused: they might be the numbers of seats."""
    array = _as_array(given, what)
    if array.dtype == object and all(isinstance(item, (bool, np.bool_)) for item in array.flat):
        array = array.astype(np.bool_)
    if isinstance(array, np.ma.MaskedArray) or array.dtype != np.bool_:
        raise TypeError(f"{what} must be a boolean array, one flag a seat, not {type(array).__name__} of {array.dtype}")
    return array


def _as_array(given: Any, what: str) -> NDArray[Any]:
    """Sequences become arrays of objects, so that nothing in them is converted before it is looked at."""
    if not isinstance(given, (list, tuple)):
        return np.asanyarray(given)
    try:
        return np.asarray(given, object)
    except ValueError:  # arrays of different shapes
        raise PotError(f"{what} are ragged: all deals have as many seats") from None


def frozen(array: NDArray[Any], dtype: Any, *shape: int) -> NDArray[Any]:
    """An aligned, contiguous, read-only view or copy, in this shape: kernels are compiled for one kind of array."""
    view = np.require(array, dtype, ["C", "A"]).reshape(shape).view()
    view.flags.writeable = False
    return view


def over_deals(deals: tuple[int, ...], most: int, threads: int, work: Callable[[Index], tuple[int, int]]) -> Bad | None:
    """Do blocks of at most so many deals on so many threads; `work` says how many are bad, and which one first."""
    blocks = Blocks(deals, max(1, most))
    found: dict[int, tuple[int, int]] = {}

    def piece(number: int) -> None:
        bad, first = work(blocks[number])
        if bad:
            found[number] = bad, first

    run(piece, len(blocks), threads)
    if not found:
        return None
    *outer, block = blocks[min(found)]
    inside = np.unravel_index(found[min(found)][1], (block.stop - block.start, *deals[len(outer) + 1 :]))
    position = (*outer, block.start + int(inside[0]), *map(int, inside[1:]))
    return position, sum(bad for bad, _ in found.values())


def name_row(bad: Bad, deals: tuple[int, ...]) -> tuple[str, str]:
    """What stands before and after an error's words: which row, and how many more; nothing for a single deal."""
    position, count = bad
    if not deals:
        return "", ""
    row = f"row {position[0] if len(position) == 1 else position}: "
    return row, f" ({count} of {math.prod(deals)} rows {'is' if count == 1 else 'are'} bad)"
