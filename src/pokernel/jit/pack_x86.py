"""Thirty-two or sixty-four hands at once in x86 registers: columns of cards to keys, and the hands that are no hands.

The unit is the *column*: one byte a hand, the hands' j-th cards, all in one register. With columns in hand

- ``pshufb`` looks 32 ranks up in a 16-entry table at once, ``vpermb`` 64 cards in one of 64. A rank's logarithm has
  four short digits (see ``scripts/README.md``), so the sum over a hand's cards is four byte sums that never carry; put
  together and scaled by the multiplier they are the very key that ``hand.py`` adds up. Suits are counted the same way,
  two to a byte.
- two cards are the same where two columns are equal; a card is no card where the largest of a hand is above 51.

Columns come from ``columns_x86.py``; ``look_up_x86.py`` finds strengths by keys.
"""

from collections.abc import Sequence

import llvmlite.ir as ir

from .vectors_x86 import (
    HALF,
    I8,
    I16,
    I32,
    I64,
    WIDE_HANDS,
    Builder,
    Value,
    binary,
    elements,
    interleave,
    like,
    load_vector,
    shuffle,
    table_lookup,
)

__all__ = ["FLUSH_BIAS", "digit_sums", "flagged", "flush_flags", "invalid_bits", "scaled", "set_bits", "suit_counts"]

SUIT_COUNTERS = [1, 4, 16, 64] * 4  # two bits a suit, by suit + 4 * (rank & 3)
FLUSH_BIAS, FLUSH_FLAG = 0x33, 0x88  # a 4-bit counter of five or more, plus three, sets its top bit
CHAINS = 3  # of comparisons under masks, each of which waits for the one before


def total(builder: Builder, table: Value, indices: Sequence[Value]) -> Value:
    """Sum over the columns of what the table says for each."""
    summed = table_lookup(builder, table, indices[0])
    for index in indices[1:]:
        summed = builder.add(summed, table_lookup(builder, table, index))
    return summed


def digit_sums(builder: Builder, columns: Sequence[Value], digits: Value) -> list[Value]:
    """Sums over the columns of the four digits of their ranks' logarithms."""
    if columns[0].type.count == WIDE_HANDS:
        indices, order = columns, [card >> 2 for card in range(64)]
    else:
        indices, order = [_ranks(builder, column) for column in columns], [*range(16), *range(16)]
    summed = []
    for digit in range(4):
        table = load_vector(builder, digits, 16 * digit, HALF)
        summed.append(total(builder, shuffle(builder, table, table, order), indices))
    return summed


def _ranks(builder: Builder, column: Value) -> Value:
    words = elements(builder, column, I16)
    return builder.and_(elements(builder, builder.lshr(words, like(words, 2)), I8), like(column, 15))


def scaled(builder: Builder, d: Sequence[Value], multiplier: Value) -> list[Value]:
    """The high halves of all keys of their digit sums.

    Four vectors of dwords, in the i-th the hands 4i … 4i+3 of each 128-bit lane.
    """
    kind = elements(builder, d[0], I32).type
    none = ir.Constant(kind, ir.Undefined)
    scale = shuffle(builder, builder.insert_element(none, multiplier, ir.Constant(I32, 0)), none, [0] * kind.count)
    found = []
    for half in (0, 1):
        low, high = interleave(builder, d[0], d[1], I8, half), interleave(builder, d[2], d[3], I8, half)
        for quarter in (0, 1):
            joined = interleave(builder, low, high, I16, quarter)
            found.append(builder.mul(elements(builder, joined, I32), scale))
    return found


def suit_counts(builder: Builder, columns: Sequence[Value], even: Value, odd: Value) -> tuple[Value, Value]:
    """Counters of four bits, of clubs and hearts and of diamonds and spades, after so many more cards."""
    kind = columns[0].type
    table = ir.Constant(kind, SUIT_COUNTERS * (kind.count // 16))
    for first in range(0, len(columns), 3):  # three cards fill a counter of two bits
        few = total(builder, table, columns[first : first + 3])
        words = elements(builder, few, I16)
        shifted = elements(builder, builder.lshr(words, like(words, 2)), I8)
        even = builder.add(even, builder.and_(few, like(few, 0x33)))
        odd = builder.add(odd, builder.and_(shifted, like(few, 0x33)))
    return even, odd


def flagged(builder: Builder, even: Value, odd: Value) -> Value:
    """No zero byte where a counter of the hand's suits has its top bit set."""
    return builder.and_(builder.or_(even, odd), like(even, FLUSH_FLAG))


def flush_flags(builder: Builder, columns: Sequence[Value]) -> Value:
    """No zero byte where the hand has a flush."""
    first = columns[0]
    if len(columns) > 5:
        bias = like(first, FLUSH_BIAS)
        return flagged(builder, *suit_counts(builder, columns, bias, bias))
    differing = like(first, 0)
    for column in columns[1:]:
        differing = builder.or_(differing, builder.xor(first, column))
    same = builder.icmp_unsigned("==", builder.and_(differing, like(first, 3)), like(first, 0))
    return builder.sext(same, first.type)


def set_bits(builder: Builder, flags: Value) -> Value:
    """One bit a hand, from the lowest: whether its byte is not zero."""
    return _bits(builder, builder.icmp_unsigned("!=", flags, like(flags, 0)))


def _bits(builder: Builder, truths: Value) -> Value:
    bits = builder.bitcast(truths, ir.IntType(truths.type.count))
    return bits if bits.type == I64 else builder.zext(bits, I64)


def invalid_bits(builder: Builder, columns: Sequence[Value]) -> Value:
    """One bit a hand: whether it holds a card above 51 or one card twice.

    Chains of "and not equal": with AVX-512 each link is one instruction, a comparison under a mask. Hidden from LLVM,
    which would make one chain of them all.
    """
    highest = columns[0]
    for column in columns[1:]:
        highest = binary(builder, f"llvm.umax.v{highest.type.count}i8", highest, column)
    links = [("<", highest, like(highest, 52))]
    links += [("!=", column, other) for j, column in enumerate(columns) for other in columns[:j]]
    valid = ir.Constant(I64, -1)
    for chain in range(CHAINS):
        holds = None
        for comparison, a, b in links[chain::CHAINS]:
            link = builder.icmp_unsigned(comparison, a, b)
            holds = link if holds is None else builder.and_(holds, link)
        hidden = builder.asm(ir.FunctionType(I64, [I64]), "", "=r,0", [_bits(builder, holds)], side_effect=False)
        valid = builder.and_(valid, hidden)
    return builder.xor(valid, ir.Constant(I64, (1 << highest.type.count) - 1))
