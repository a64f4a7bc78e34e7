"""Arrays of hands to arrays of strengths, a block at a time: layouts, narrowing, threads.

Rows of ``uint8`` and columns of ``uint8`` go to the kernels as they lie. Everything else (wider dtypes, strides, hole
cards broadcast against boards) is gathered block by block, so that no temporary grows with the input.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import HandSizeError, PokernelError
from .invalid import Index, complaint
from .threads import cores, run

__all__ = ["Blocks", "at_once", "evaluate_parts", "gather_rows", "thread_count"]

CHUNK = 1 << 19  # hands to one call of a kernel at most: a millisecond or two
SHARE = 4  # calls for each of several threads at least, so that all end at about the same time,
FEWEST = 1 << 12  # unless that would be for less than this, which Python takes as long to hand out
GATHERED = 1 << 13  # hands gathered at once: they stay in the cache until they are looked up
ALONE = 1 << 18  # fewer hands than this are quicker on one thread

Strengths = NDArray[np.uint16]


def thread_count(threads: int | None, hands: int) -> int:
    """How many threads to use for so many hands."""
    if threads is None:
        return 1 if hands < ALONE else cores()
    if isinstance(threads, (bool, np.bool_)) or not isinstance(threads, (int, np.integer)):
        raise TypeError(f"threads must be a positive int or None, not {type(threads).__name__}")
    if threads < 1:
        raise PokernelError(f"threads must be at least 1, not {threads}")
    return int(threads)


def evaluate_parts(
    parts: Sequence[NDArray[Any]], shape: tuple[int, ...], out: Strengths, validate: bool, threads: int | None
) -> Strengths:
    """Strengths of hands put together from parts, say hole cards and boards.

    Parameters
    ----------
    parts : sequence of integer arrays
        Each of shape ``(..., m)``, its leading axes broadcastable to `shape`; the m add up to 5, 6 or 7.
    shape : tuple of int
        Shape of the result.
    out : numpy.ndarray
        Where it goes, ``uint16``.

    Raises
    ------
    HandSizeError, CardError, DuplicateCardError
    """
    hands = math.prod(shape)
    if not hands and any(part.shape[-1] == 0 for part in parts):
        return out  # no hands, of no particular size
    k = sum(part.shape[-1] for part in parts)
    if k not in (5, 6, 7):
        sizes = " + ".join(str(part.shape[-1]) for part in parts)
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {sizes}{f' = {k}' if len(parts) > 1 else ''}")
    threads = thread_count(threads, hands)
    if not isinstance(validate, (bool, np.bool_)):
        raise TypeError(f"validate must be True or False, not {type(validate).__name__}")
    if not hands:
        return out
    parts = [np.broadcast_to(part, (*shape, part.shape[-1])) for part in parts]
    direct = _rows(parts, out, k) or _columns(parts, out, k)
    if direct:
        work, blocks = direct, Blocks((hands,), at_once(hands, CHUNK, threads))
    else:
        work, blocks = _gathered(parts, out, k), Blocks(shape, GATHERED)
    wrong = []

    def piece(number: int) -> None:
        if work(blocks[number], bool(validate)):
            wrong.append(number)

    run(piece, len(blocks), threads, apart=True)
    if wrong:
        flat = [part.reshape(hands, -1) for part in parts] if direct else list(parts)
        raise complaint(flat, shape, [blocks[number] for number in sorted(wrong)])
    return out


def at_once(elements: int, most: int, threads: int) -> int:
    """How many of so many hands or seats go to a call: at most so many, a thread's share, or the fewest worth it."""
    if threads > 1:
        most = min(most, max(FEWEST, math.ceil(elements / (SHARE * threads))))
    return most


Work = Callable[[Index, bool], int]


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view: kernels are compiled for one kind of array, not for two."""
    view = array.view()
    view.flags.writeable = False
    return view


def _contiguous(array: NDArray[Any]) -> bool:
    return array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative


def _rows(parts: Sequence[NDArray[Any]], out: Strengths, k: int) -> Work | None:
    """Work on rows of ``uint8`` where they lie."""
    hands = parts[0]
    if len(parts) > 1 or hands.dtype != np.uint8 or not (_contiguous(hands) and _contiguous(out)):
        return None
    from .jit.batch import ROWS, tables

    kernel, lookup = ROWS[k], tables(k)
    cards, strengths = _frozen(hands.reshape(-1)), out.reshape(-1)

    def work(index: Index, check: bool) -> int:
        (block,) = index
        return int(kernel(cards[block.start * k : block.stop * k], strengths[block], check, lookup))

    return work


def _columns(parts: Sequence[NDArray[Any]], out: Strengths, k: int) -> Work | None:
    """Work on columns of ``uint8`` where they lie, each contiguous: a transposed array, or parts of one card each."""
    if not _contiguous(out) or any(part.ndim != 2 or part.dtype != np.uint8 for part in parts):
        return None
    columns = [part[:, j] for part in parts for j in range(part.shape[1])]
    if not all(column.strides == (1,) for column in columns):
        return None
    from .jit.batch import COLUMNS, tables

    if not COLUMNS:
        return None
    kernel, lookup = COLUMNS[k], tables(k)

    def work(index: Index, check: bool) -> int:
        (block,) = index
        pieces = [column[block] for column in columns]  # alive until the kernel is done with their addresses
        addresses = np.array([piece.ctypes.data for piece in pieces], np.int64)
        return int(kernel(addresses, out[block], check, lookup))

    return work


def _gathered(parts: Sequence[NDArray[Any]], out: Strengths, k: int) -> Work:
    """Work on anything: a block's cards are narrowed and put side by side first.

    Into columns, which numpy fills three times faster than rows, unless the block is one piece of rows already.
    """
    from .jit.batch import COLUMNS, ROWS, tables

    lookup = tables(k)
    by_column = COLUMNS and not (len(parts) == 1 and parts[0].flags.c_contiguous)

    def work(index: Index, check: bool) -> int:
        taken = [part[index] for part in parts]
        if any(block.dtype != np.uint8 and block.size and _largest(block) > 51 for block in taken):
            return 1
        strengths = np.empty(taken[0].shape[:-1], np.uint16)
        flat = strengths.reshape(-1)
        if by_column:
            columns = gather_columns(taken, k)
            addresses = columns.ctypes.data + np.arange(k) * len(flat)
            invalid = COLUMNS[k](addresses, flat, check, lookup)
        else:
            invalid = ROWS[k](_frozen(gather_rows(taken, k).reshape(-1)), flat, check, lookup)
        out[index] = strengths
        return int(invalid)

    return work


def _largest(cards: NDArray[Any]) -> int:
    """The largest of them read as unsigned: a negative one is larger than any card."""
    return int(cards.view(cards.dtype.str.replace("i", "u")).max())


def gather_rows(blocks: Sequence[NDArray[Any]], k: int) -> NDArray[np.uint8]:
    """The cards of blocks of hands side by side, narrowed: ``(..., k)``."""
    cards = np.empty((*blocks[0].shape[:-1], k), np.uint8)
    at = 0
    for block in blocks:
        np.copyto(cards[..., at : at + block.shape[-1]], block, casting="unsafe")
        at += block.shape[-1]
    return cards


def gather_columns(blocks: Sequence[NDArray[Any]], k: int) -> NDArray[np.uint8]:
    """The same, a column a card: ``(k, ...)``."""
    columns = np.empty((k, *blocks[0].shape[:-1]), np.uint8)
    each = (block[..., j] for block in blocks for j in range(block.shape[-1]))
    for column, cards in zip(columns, each, strict=True):
        np.copyto(column, cards, casting="unsafe")
    return columns


class Blocks:
    """An array's indices cut, in order, into the fewest blocks of at most so many elements; the last is the shortest.

    Blocks are made when asked for: their number may be as large as the array is.
    """

    def __init__(self, shape: tuple[int, ...], most: int) -> None:
        axis = next(axis for axis in range(len(shape)) if math.prod(shape[axis + 1 :]) <= most)
        self.outer, self.extent = shape[:axis], shape[axis]
        parts = -(-self.extent // max(1, most // math.prod(shape[axis + 1 :])))
        self.step = -(-self.extent // parts)
        self.parts = -(-self.extent // self.step)

    def __len__(self) -> int:
        return math.prod(self.outer) * self.parts

    def __getitem__(self, number: int) -> Index:
        outer, part = divmod(number, self.parts)
        start = part * self.step
        block = slice(start, min(start + self.step, self.extent))
        return (*(int(i) for i in np.unravel_index(outer, self.outer)), block) if self.outer else (block,)
