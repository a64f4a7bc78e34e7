"""What the seats of a table hold, as arrays of one row a deal; work over such rows, and how errors name them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bulk import Blocks, at_once
from .errors import PotError
from .inputs import require_integers
from .invalid import Index
from .threads import run

__all__ = ["Bad", "OfArrays", "as_flags", "as_numbers", "frozen", "in_shape", "kind_of", "name_row", "over_deals"]

Bad = tuple[tuple[int, ...], int]
"""Where the first bad deal is, and how many are."""


def as_numbers(given: Any, what: str) -> NDArray[Any]:
    """An integer array of anything like one; booleans among ints are refused, and so is what no dtype holds."""
    array = _as_array(given, what)
    if array.dtype == object:
        for number in array.flat:
            if isinstance(number, (list, tuple, np.ndarray)):
                raise PotError(f"{what} are ragged: all deals have as many seats")
            if not _is_integer(number):
                raise TypeError(f"{what} must be integers, not {type(number).__name__}")
            if not -(2**63) <= number < 2**63:
                raise PotError(f"{what}: {number} is beyond int64")
        return array.astype(np.int64)
    if not array.ndim and array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be an integer array, not {kind_of(given)}")
    require_integers(array, what, "int64")
    return array


def as_flags(given: Any, what: str) -> NDArray[np.bool_]:
    """A boolean array of anything like one; ints are refused: they might be the numbers of seats."""
    array = _as_array(given, what)
    if array.dtype == object and all(isinstance(item, (bool, np.bool_)) for item in array.flat):
        array = array.astype(np.bool_)
    if isinstance(array, np.ma.MaskedArray) or array.dtype != np.bool_:
        hint = ""
        if array.dtype.kind in "iuO" and array.size and all(_is_integer(item) for item in array.flat):
            hint = "; numbers of seats are not read"
            if all(item in (0, 1) for item in array.flat):
                flags = f"{what}.astype(bool)" if isinstance(given, np.ndarray) else f"numpy.array({what}, bool)"
                flags = f"[bool(x) for x in {what}]" if isinstance(given, list) and array.ndim == 1 else flags
                hint = f"; if 0 and 1 are flags, say {flags}"
        raise TypeError(f"{what} must be a boolean array, one flag a seat, not {kind_of(given)}{hint}")
    return array


def _is_integer(item: Any) -> bool:
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def kind_of(given: Any) -> str:
    """What a caller handed in, in words."""
    name = type(given).__name__
    if isinstance(given, (list, tuple)):
        array = np.asarray(given, object)
        kinds = sorted({f"{type(item).__name__}s" for item in array.flat})
        of = f" of {' and '.join(kinds)}" if kinds else ""
    elif isinstance(given, np.ndarray):
        name, of = name.removeprefix("nd"), f" of dtype {given.dtype}"
    else:
        of = ""
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}{of}"


def _as_array(given: Any, what: str) -> NDArray[Any]:
    """Sequences become arrays of objects, so that nothing in them is converted before it is looked at."""
    if not isinstance(given, (list, tuple)):
        return np.asanyarray(given)
    try:
        return np.asarray(given, object)
    except ValueError:  # arrays of different shapes
        raise PotError(f"{what} are ragged: all deals have as many seats") from None


class OfArrays:
    """Base of results that hold arrays alone: equal by what is in them, and so not hashable, for arrays can change."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        theirs = vars(other)
        return all(np.array_equal(array, theirs[name]) for name, array in vars(self).items())

    __hash__ = None  # type: ignore[assignment]


def frozen(array: NDArray[Any], dtype: Any, *shape: int) -> NDArray[Any]:
    """An aligned, contiguous, read-only view or copy, in this shape: kernels are compiled for one kind of array."""
    if array.dtype != dtype or not (array.flags.c_contiguous and array.flags.aligned):
        array = np.require(array, dtype, ["C", "A"])
    view = np.asarray(array).reshape(shape).view()
    view.flags.writeable = False
    return view


def in_shape(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Broadcast, which takes its time, where the array has not all elements already."""
    array = np.asarray(array)
    return array.reshape(shape) if array.size == math.prod(shape) else np.broadcast_to(array, shape)


def over_deals(
    deals: tuple[int, ...], seats: int, most: int, threads: int, work: Callable[[Index], tuple[int, int]]
) -> Bad | None:
    """Do blocks of deals of so many seats each, at most so many seats a block, on so many threads.

    `work` says how many of a block's deals are bad, and which one first.
    """
    count = math.prod(deals)
    block = max(1, at_once(count * seats, most, threads) // seats)
    if deals == (count,) and count <= block:
        bad, first = work((slice(0, count),))
        return ((first,), bad) if bad else None
    blocks = Blocks(deals, block)
    found: dict[int, tuple[int, int]] = {}

    def piece(number: int) -> None:
        bad, first = work(blocks[number])
        if bad:
            found[number] = bad, first

    run(piece, len(blocks), threads, apart=True)
    if not found:
        return None
    *outer, part = blocks[min(found)]
    inside = np.unravel_index(found[min(found)][1], (part.stop - part.start, *deals[len(outer) + 1 :]))
    position = (*outer, part.start + int(inside[0]), *map(int, inside[1:]))
    return position, sum(bad for bad, _ in found.values())


def name_row(bad: Bad, deals: tuple[int, ...]) -> tuple[str, str]:
    """What stands before and after an error's words: which row, and how many more; nothing for a single deal."""
    position, count = bad
    if not deals:
        return "", ""
    row = f"row {position[0] if len(position) == 1 else position}: "
    return row, f" ({count} of {math.prod(deals)} rows {'is' if count == 1 else 'are'} bad)"
