"""Thirty-two hands at once in AVX2 registers: cards to keys, keys to strengths, and the hands that are no hands.

The unit is the *column*: one byte a hand, the hands' j-th cards, 32 bytes in a register. With columns in hand

- ``pshufb`` looks 32 ranks up in a 16-entry table at once. A rank's logarithm has four short digits (see
  ``scripts/README.md``), so the sum over a hand's cards is four byte sums that never carry; put together and scaled
  by the multiplier they are the very key that ``hand.py`` adds up. Suits are counted the same way, two to a byte.
- two cards are the same where two columns are equal; a card is no card where the largest of a hand is above 51.

Rows of five to seven bytes become columns by loads of two rows, one shuffle that pairs their bytes, and an 8 x 8
transposition of byte pairs. The table reads are gathers where the CPU is known to be good at them, else scalar, one
after the other in straight-line code: the loop vectorizer would make a loop of them four times slower.

No load or store touches a byte outside the 32 hands.
"""

from collections.abc import Sequence
from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

from ._compile import FAST_GATHER
from .bits import array_data
from .lookup import ROW_SHIFT, SLOT_MASK
from .vectors_x86 import (
    BYTES,
    DWORDS,
    HALF,
    HANDS,
    I8,
    I16,
    I32,
    I64,
    WORDS,
    ZERO,
    Builder,
    Value,
    binary,
    interleave,
    load_vector,
    opaque,
    shuffle,
    splat,
    table_lookup,
)

__all__ = [
    "FLUSH_BIAS",
    "columns_of_pairs",
    "digit_sums",
    "evaluate_step",
    "flagged_bits",
    "look_up",
    "scaled",
    "suit_counts",
]

SUIT_COUNTERS = [1, 4, 16, 64] * 4  # two bits a suit, by suit + 4 * (rank & 3)
FLUSH_BIAS, FLUSH_FLAG = 0x33, 0x88  # a 4-bit counter of five or more, plus three, sets its top bit


def columns_of_rows(builder: Builder, base: Value, k: int) -> list[Value]:
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


def columns_of_pairs(builder: Builder, pairs: Sequence[Value]) -> list[Value]:
    """Eight columns of 32 rows, of eight registers with two rows to a lane, their bytes in turn."""
    words = [interleave(builder, pairs[i], pairs[i + 1], I16, half) for i in (0, 2, 4, 6) for half in (0, 1)]
    columns = []
    for half in (0, 1):
        for quarter in (0, 1):
            upper, lower = (interleave(builder, words[i + half], words[i + 2 + half], I32, quarter) for i in (0, 4))
            columns += [interleave(builder, upper, lower, I64, side) for side in (0, 1)]
    return columns


def total(builder: Builder, table: Value, indices: Sequence[Value]) -> Value:
    """Sum over the columns of what the table says for each."""
    summed = table_lookup(builder, table, indices[0])
    for index in indices[1:]:
        summed = builder.add(summed, table_lookup(builder, table, index))
    return summed


def digit_sums(builder: Builder, columns: Sequence[Value], digits: Value) -> list[Value]:
    """Sums over the columns of the four digits of their ranks' logarithms."""
    ranks = []
    for column in columns:
        shifted = builder.lshr(builder.bitcast(column, WORDS), splat(I16, 2))
        ranks.append(builder.and_(builder.bitcast(shifted, BYTES), splat(I8, 15)))
    summed = []
    for digit in range(4):
        table = load_vector(builder, digits, 16 * digit, HALF)
        summed.append(total(builder, shuffle(builder, table, table, [*range(16), *range(16)]), ranks))
    return summed


def scaled(builder: Builder, d: Sequence[Value], multiplier: Value) -> list[Value]:
    """The high halves of 32 keys of their digit sums.

    Four vectors of eight dwords, hands 4i … 4i+3 and 16+4i … 16+4i+3 in the i-th.
    """
    scale = shuffle(
        builder,
        builder.insert_element(ir.Constant(DWORDS, ir.Undefined), multiplier, ir.Constant(I32, 0)),
        ir.Constant(DWORDS, ir.Undefined),
        [0] * 8,
    )
    found = []
    for half in (0, 1):
        low, high = interleave(builder, d[0], d[1], I8, half), interleave(builder, d[2], d[3], I8, half)
        for quarter in (0, 1):
            joined = interleave(builder, low, high, I16, quarter)
            found.append(builder.mul(builder.bitcast(joined, DWORDS), scale))
    return found


def flush_bits(builder: Builder, columns: Sequence[Value]) -> Value:
    """One bit a hand: whether it has a flush."""
    if len(columns) == 5:
        differing = ZERO
        for column in columns[1:]:
            differing = builder.or_(differing, builder.xor(columns[0], column))
        return builder.bitcast(builder.icmp_unsigned("==", builder.and_(differing, splat(I8, 3)), ZERO), I32)
    bias = splat(I8, FLUSH_BIAS)
    return flagged_bits(builder, *suit_counts(builder, columns, bias, bias))


def suit_counts(builder: Builder, columns: Sequence[Value], even: Value, odd: Value) -> tuple[Value, Value]:
    """Counters of four bits, of clubs and hearts and of diamonds and spades, after so many more cards."""
    for first in range(0, len(columns), 3):  # three cards fill a counter of two bits
        few = total(builder, ir.Constant(BYTES, 2 * SUIT_COUNTERS), columns[first : first + 3])
        shifted = builder.bitcast(builder.lshr(builder.bitcast(few, WORDS), splat(I16, 2)), BYTES)
        even = builder.add(even, builder.and_(few, splat(I8, 0x33)))
        odd = builder.add(odd, builder.and_(shifted, splat(I8, 0x33)))
    return even, odd


def flagged_bits(builder: Builder, even: Value, odd: Value) -> Value:
    """One bit a hand: whether a counter of its suits has its top bit set."""
    flagged = builder.and_(builder.or_(even, odd), splat(I8, FLUSH_FLAG))
    return builder.bitcast(builder.icmp_unsigned("!=", flagged, ZERO), I32)


def invalid_bits(builder: Builder, columns: Sequence[Value]) -> Value:
    """One bit a hand: whether it holds a card above 51 or one card twice.

    A chain of "and not equal": with AVX-512 each link is one instruction, a comparison under a mask.
    """
    highest = columns[0]
    for column in columns[1:]:
        highest = binary(builder, "llvm.umax.v32i8", highest, column)
    valid = builder.icmp_unsigned("<", highest, splat(I8, 52))
    for j, column in enumerate(columns):
        for other in columns[:j]:
            valid = builder.and_(valid, builder.icmp_unsigned("!=", column, other))
    return builder.not_(builder.bitcast(valid, I32))


def look_up(
    builder: Builder, k: int, found: Sequence[Value], displacements: Value, strengths: Value, out: Value
) -> None:
    """Write the 32 unsuited strengths of these sums to `out`."""
    if FAST_GATHER:
        gathered_look_up(builder, k, found, displacements, strengths, out)
        return
    for i, vector in enumerate(found):
        for element in range(8):
            hand = 4 * i + element % 4 + 16 * (element // 4)
            x = builder.extract_element(vector, ir.Constant(I32, element))
            row = builder.zext(builder.lshr(x, ir.Constant(I32, ROW_SHIFT[k])), I64)
            displacement = builder.zext(builder.load(builder.gep(displacements, [row])), I32)
            slot = builder.and_(builder.add(x, displacement), ir.Constant(I32, SLOT_MASK[k]))
            strength = builder.load(builder.gep(strengths, [builder.zext(slot, I64)]))
            builder.store(strength, builder.gep(out, [ir.Constant(I64, hand)]))


def gathered_look_up(
    builder: Builder, k: int, found: Sequence[Value], displacements: Value, strengths: Value, out: Value
) -> None:
    """The same with gathers, which read two bytes too many: tables have an entry to spare (``batch.tables``)."""
    low, read = splat(I32, 0xFFFF), []
    for x in found:
        row = builder.lshr(x, splat(I32, ROW_SHIFT[k]))
        slot = builder.and_(builder.add(x, gather(builder, displacements, row)), splat(I32, SLOT_MASK[k]))
        read.append(builder.and_(gather(builder, strengths, slot), low))
    for i in (0, 1):
        name = "llvm.x86.avx2.packusdw"
        function = ir.FunctionType(WORDS, [DWORDS, DWORDS])
        packusdw = cgutils.get_or_insert_function(builder.module, function, name)
        packed = builder.call(packusdw, [read[2 * i], read[2 * i + 1]])
        for lane in (0, 1):
            at = builder.gep(out, [ir.Constant(I64, 16 * lane + 8 * i)])
            half = shuffle(builder, packed, packed, range(8 * lane, 8 * lane + 8))
            builder.store(half, builder.bitcast(at, half.type.as_pointer())).align = 2


def gather(builder: Builder, table: Value, index: Value) -> Value:
    """The dwords at eight entries of a table of words: each is the entry and the one after it."""
    name, bytes_ = "llvm.x86.avx2.gather.d.d.256", I8.as_pointer()
    function = ir.FunctionType(DWORDS, [DWORDS, bytes_, DWORDS, DWORDS, I8])
    instruction = cgutils.get_or_insert_function(builder.module, function, name)
    start, everywhere = builder.bitcast(table, bytes_), splat(I32, 0xFFFFFFFF)
    return builder.call(instruction, [splat(I32, 0), start, index, everywhere, ir.Constant(I8, 2)])


def step(
    builder: Builder, k: int, columns: Sequence[Value], tables: Sequence[Value], out: Value, check: Value
) -> Value:
    """Strengths of 32 hands as if unsuited; bits of those with a flush in the low half, of the invalid in the high."""
    digits, multiplier, displacements, strengths = tables
    found = scaled(builder, digit_sums(builder, columns, digits), builder.load(multiplier))
    masks = builder.zext(flush_bits(builder, columns), I64)
    before = builder.block
    with builder.if_then(check):
        invalid = builder.shl(builder.zext(invalid_bits(builder, columns), I64), ir.Constant(I64, 32))
        checked = builder.block
    high = builder.phi(I64)
    high.add_incoming(ir.Constant(I64, 0), before)
    high.add_incoming(invalid, checked)
    look_up(builder, k, found, displacements, strengths, out)
    return builder.or_(masks, high)


def rows_at(builder: Builder, cards: Value, first: Value, k: int) -> list[Value]:
    """Columns of the 32 hands from the first on, `cards` the address of an array of rows."""
    start = builder.add(cards, builder.mul(first, ir.Constant(I64, k)))
    return columns_of_rows(builder, builder.inttoptr(start, I8.as_pointer()), k)


def columns_at(builder: Builder, cards: Value, first: Value, k: int) -> list[Value]:
    """Columns of the 32 hands from the first on, `cards` the address of the k columns' addresses."""
    addresses = builder.inttoptr(cards, I64.as_pointer())
    starts = [builder.load(builder.gep(addresses, [ir.Constant(I64, j)])) for j in range(k)]
    return [
        load_vector(builder, builder.inttoptr(builder.add(start, first), I8.as_pointer()), 0, BYTES) for start in starts
    ]


@intrinsic(prefer_literal=True)
def evaluate_step(typingctx, columns, k, cards, first, out, check, digits, multiplier, displacements, strengths):
    """Strengths, unsuited, of 32 hands of k cards to the address `out`; see ``step`` for the result.

    `columns` and `k` are constants; `cards` and `first` are for ``columns_at`` or ``rows_at``.
    """
    if not isinstance(columns, types.BooleanLiteral) or not isinstance(k, types.IntegerLiteral):
        raise RequireLiteralValue("layout and hand size must be constants")
    size, at = int(k.literal_value), columns_at if columns.literal_value else rows_at

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cards, first, out, check = arguments[2:6]
        tables = [array_data(context, builder, signature.args[i], arguments[i]) for i in range(6, 10)]
        return step(
            builder, size, at(builder, cards, first, size), tables, builder.inttoptr(out, I16.as_pointer()), check
        )

    machine = types.intp
    tables = (digits, multiplier, displacements, strengths)
    return types.int64(columns, k, machine, machine, machine, types.boolean, *tables), generate
