"""Rows of cards, or columns in memory, to the columns of ``pack_x86.py``, 32 or 64 hands at a time.

Rows of five to seven bytes become columns by shuffles that pair the bytes of two rows, and an 8 x 8 transposition of
byte pairs. No load touches a byte outside the hands. Either way columns of 64 hands are in *steps order*: a byte's
place is 16 lane + 2 step + side, its hand 8 step + 2 lane + side; see ``STEPS_ORDER`` and ``from_steps``. That
is how the transposition leaves the rows of eight loads; to put keys and flags right takes less than to put columns.
"""

from collections.abc import Sequence

import llvmlite.ir as ir
from numba.core import cgutils

from .vectors_x86 import (
    BYTES,
    HALF,
    HANDS,
    I8,
    I16,
    I32,
    I64,
    WIDE_HANDS,
    ZERO,
    Builder,
    Value,
    interleave,
    like,
    load_vector,
    of_bytes,
    opaque,
    shuffle,
)

__all__ = ["columns_at", "columns_of_pairs", "from_steps", "rows_at"]

AHEAD, LINE = 4096, 64  # bytes, of a cache
STEPS_ORDER = [8 * (place // 2 % 8) + 2 * (place // 16) + place % 2 for place in range(64)]


def _prefetch(builder: Builder, start: Value, size: int) -> None:
    """Have so many bytes brought closer that are wanted soon; nothing happens where there is no memory.

    Processors do so by themselves, but stop while a block is looked up.
    """
    kind = ir.FunctionType(ir.VoidType(), [I8.as_pointer(), I32, I32, I32])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    to_read, to_keep, data = (ir.Constant(I32, number) for number in (0, 3, 1))
    for line in range(AHEAD, AHEAD + size, LINE):
        builder.call(function, [builder.gep(start, [ir.Constant(I64, line)]), to_read, to_keep, data])


def rows_at(builder: Builder, hands: int, cards: Value, first: Value, k: int) -> list[Value]:
    """Columns of so many hands from the first on, `cards` the address of an array of rows."""
    start = builder.inttoptr(builder.add(cards, builder.mul(first, ir.Constant(I64, k))), I8.as_pointer())
    if hands == WIDE_HANDS:
        _prefetch(builder, start, hands * k)
        return _columns_of_64(builder, start, k)
    return _columns_of_32(builder, start, k)


def columns_at(builder: Builder, hands: int, cards: Value, first: Value, k: int) -> list[Value]:
    """Columns of so many hands from the first on, `cards` the address of the k columns' addresses."""
    addresses = builder.inttoptr(cards, I64.as_pointer())
    columns = []
    for j in range(k):
        address = builder.load(builder.gep(addresses, [ir.Constant(I64, j)]))
        start = builder.inttoptr(builder.add(address, first), I8.as_pointer())
        column = load_vector(builder, start, 0, of_bytes(hands))
        if hands == WIDE_HANDS:
            _prefetch(builder, start, hands)
            column = shuffle(builder, column, column, STEPS_ORDER)
        columns.append(column)
    return columns


def _columns_of_32(builder: Builder, base: Value, k: int) -> list[Value]:
    """The k columns of 32 rows of k bytes.

    Lane 0 of every register is hands 0 to 15, lane 1 hands 16 to 31, so all shuffles stay within their lanes.
    """
    pairs = []
    for first in range(0, 16, 2):  # two rows to a lane, in 16-byte loads; the very last one reads back from the end
        ahead = 16 - 2 * k if first == 14 else 0
        low, high = (
            load_vector(builder, base, k * first, HALF),
            load_vector(builder, base, k * (16 + first) - ahead, HALF),
        )
        order = []
        for lane, skip in ((0, 0), (16, ahead)):
            for j in range(8):
                order += [lane + skip + j, lane + skip + k + j] if j < k else [HANDS, HANDS]
        both = shuffle(builder, low, high, range(HANDS))
        pairs.append(opaque(builder, shuffle(builder, both, ZERO, order)))
    return columns_of_pairs(builder, pairs)[:k]


def _columns_of_64(builder: Builder, base: Value, k: int) -> list[Value]:
    """The k columns of 64 rows of k bytes, in steps order: a load of eight rows is a step, two rows to a lane."""
    pairs = []
    for step in range(8):
        ahead = 64 - 8 * k if step == 7 else 0  # the last load reads back from the end
        rows = load_vector(builder, base, 8 * k * step - ahead, of_bytes(64))
        order = []
        for lane in range(4):
            for j in range(8):
                order += [ahead + (2 * lane + side) * k + j if j < k else 64 for side in (0, 1)]
        pairs.append(opaque(builder, shuffle(builder, rows, like(rows, 0), order)))
    return columns_of_pairs(builder, pairs)[:k]


def columns_of_pairs(builder: Builder, pairs: Sequence[Value]) -> list[Value]:
    """Eight columns of eight registers with two rows to a lane, their bytes in turn."""
    words = [interleave(builder, pairs[i], pairs[i + 1], I16, half) for i in (0, 2, 4, 6) for half in (0, 1)]
    columns = []
    for half in (0, 1):
        for quarter in (0, 1):
            upper, lower = (interleave(builder, words[i + half], words[i + 2 + half], I32, quarter) for i in (0, 4))
            columns += [interleave(builder, upper, lower, I64, side) for side in (0, 1)]
    return columns


def from_steps(builder: Builder, column: Value) -> Value:
    """A column of 64 in the order of its hands; one of 32 is already."""
    if column.type == BYTES:
        return column
    return shuffle(builder, column, column, [STEPS_ORDER.index(hand) for hand in range(64)])
