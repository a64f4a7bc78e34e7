"""Thirty-two deals at once in AVX2 registers, a seat at a time: what ``showdowns.py`` is made of.

A buffer has a column of 32 bytes for each card of a deal, board first. The board's digit sums and suit counters are
made once; each seat adds those of its two cards and has the keys of 32 hands, as in ``pack_x86.py``. Addresses are
machine integers, as numba's variables hold no vectors; LLVM sees through them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ._compile import WIDE
from .bits import array_data
from .columns_x86 import columns_of_pairs
from .look_up_x86 import look_up, put_keys
from .pack_x86 import FLUSH_BIAS, digit_sums, flagged, scaled, set_bits, suit_counts
from .vectors_x86 import (
    BYTES,
    HANDS,
    I8,
    I16,
    I32,
    I64,
    ZERO,
    Builder,
    Value,
    binary,
    interleave,
    load_vector,
    opaque,
    shuffle,
    splat,
)

__all__ = [
    "above_bits",
    "board_step",
    "clear",
    "columns_of_eight",
    "equal_bits",
    "fold",
    "highest",
    "rows_of_bytes",
    "rows_of_words",
    "seat_step",
    "set_bits_of",
    "who_has",
]

STRENGTHS = ir.VectorType(I16, HANDS)
BOARD_CARDS, SEAT_CARDS = 5, 2


def _pointer(builder: Builder, address: Value, kind: Any = I8) -> Value:
    return builder.inttoptr(address, kind.as_pointer())


def _columns(builder: Builder, address: Value, count: int) -> list[Value]:
    return [load_vector(builder, _pointer(builder, address), HANDS * i, BYTES) for i in range(count)]


def _load(builder: Builder, address: Value, kind: Any) -> Value:
    return load_vector(builder, _pointer(builder, address), 0, kind)


def _store(builder: Builder, value: Value, address: Value, offset: int = 0) -> None:
    at = builder.add(address, ir.Constant(I64, offset))
    builder.store(value, builder.inttoptr(at, value.type.as_pointer())).align = 1


def _of_addresses(count: int, result: Any, generate: Callable[..., Any]) -> Any:
    """Typing and code generation of an operation on so many machine integers."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = generate(builder, *arguments)
        return context.get_dummy_value() if made is None else made

    return result(*[types.intp] * count), codegen


@intrinsic
def columns_of_eight(typingctx, start, stride, out):
    """Eight bytes of each of 32 rows, which start so many bytes apart, to eight columns."""

    def generate(builder: Builder, start: Value, stride: Value, out: Value) -> None:
        pairs = []
        for first in range(0, 16, 2):
            words = ir.Constant(ir.VectorType(I64, 4), ir.Undefined)
            for place, row in enumerate((first, first + 1, 16 + first, 17 + first)):
                at = builder.add(start, builder.mul(stride, ir.Constant(I64, row)))
                word = builder.load(_pointer(builder, at, I64))
                word.align = 1
                words = builder.insert_element(words, word, ir.Constant(I32, place))
            order = [lane + row + j for lane in (0, 16) for j in range(8) for row in (0, 8)]
            pairs.append(opaque(builder, shuffle(builder, builder.bitcast(words, BYTES), ZERO, order)))
        for j, column in enumerate(columns_of_pairs(builder, pairs)):
            _store(builder, column, out, HANDS * j)

    return _of_addresses(3, types.void, generate)


@intrinsic
def board_step(typingctx, columns, out, digits):
    """Digit sums and suit counters of boards in five columns: six registers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cards = _columns(builder, arguments[0], BOARD_CARDS)
        table = array_data(context, builder, signature.args[2], arguments[2])
        bias = splat(I8, FLUSH_BIAS)
        board = [*digit_sums(builder, cards, table), *suit_counts(builder, cards, bias, bias)]
        for i, register in enumerate(board):
            _store(builder, register, arguments[1], HANDS * i)
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, digits), generate


@intrinsic
def seat_step(typingctx, columns, board, out, digits, multiplier, displacements, strengths):
    """Strengths of a seat's 32 hands as if there were no flushes, and one bit a hand: whether it has one.

    `columns` are the seat's two, `board` is what ``board_step`` made. Where keys are written down (``WIDE``) `out` gets
    these, for ``look_up_keys``, and no table is read but `digits`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        columns, board, out = arguments[:3]
        digits, multiplier, displacements, strengths = (
            array_data(context, builder, signature.args[i], arguments[i]) for i in range(3, 7)
        )
        cards, shared = _columns(builder, columns, SEAT_CARDS), _columns(builder, board, 6)
        summed = [builder.add(a, b) for a, b in zip(shared, digit_sums(builder, cards, digits), strict=False)]
        found = scaled(builder, summed, builder.load(multiplier))
        if WIDE:
            put_keys(builder, found, out)
        else:
            look_up(builder, BOARD_CARDS + SEAT_CARDS, found, displacements, strengths, _pointer(builder, out, I16))
        return set_bits(builder, flagged(builder, *suit_counts(builder, cards, *shared[4:])))

    machine = types.intp
    return types.int64(machine, machine, machine, digits, multiplier, displacements, strengths), generate


def _bits(builder: Builder, flags: Value) -> Value:
    return builder.zext(builder.bitcast(flags, I32), I64)


def _lanes(builder: Builder, bits: Value) -> Value:
    """The low 32 bits, one a lane."""
    return builder.bitcast(builder.trunc(bits, I32), ir.VectorType(ir.IntType(1), HANDS))


def _column(builder: Builder, columns: Value, number: Value) -> Value:
    return _load(builder, builder.add(columns, builder.mul(number, ir.Constant(I64, HANDS))), BYTES)


@intrinsic
def equal_bits(typingctx, columns, count):
    """One bit a deal: whether two of so many columns are equal there."""

    def generate(builder: Builder, columns: Value, count: Value) -> Value:
        found = cgutils.alloca_once_value(builder, ZERO)
        with cgutils.for_range(builder, count) as outer:
            column = _column(builder, columns, outer.index)
            with cgutils.for_range(builder, outer.index) as inner:
                equal = builder.icmp_unsigned("==", column, _column(builder, columns, inner.index))
                builder.store(builder.or_(builder.load(found), builder.sext(equal, BYTES)), found)
        return _bits(builder, builder.icmp_unsigned("!=", builder.load(found), ZERO))

    return _of_addresses(2, types.int64, generate)


@intrinsic
def above_bits(typingctx, columns, count):
    """One bit a deal: whether one of so many columns has something above 51 there."""

    def generate(builder: Builder, columns: Value, count: Value) -> Value:
        largest = cgutils.alloca_once_value(builder, ZERO)
        with cgutils.for_range(builder, count) as loop:
            column = _column(builder, columns, loop.index)
            builder.store(binary(builder, "llvm.umax.v32i8", builder.load(largest), column), largest)
        return _bits(builder, builder.icmp_unsigned(">", builder.load(largest), splat(I8, 51)))

    return _of_addresses(2, types.int64, generate)


@intrinsic
def set_bits_of(typingctx, flags):
    """One bit a deal: whether its byte of a column is not 0."""

    def generate(builder: Builder, flags: Value) -> Value:
        return _bits(builder, builder.icmp_unsigned("!=", _load(builder, flags, BYTES), ZERO))

    return _of_addresses(1, types.int64, generate)


@intrinsic
def fold(typingctx, columns, live, first):
    """Put what nobody else holds, from `first` on, for a folded seat's two cards; its deals are 0 bits of `live`."""

    def generate(builder: Builder, columns: Value, live: Value, first: Value) -> None:
        single = builder.trunc(first, I8)
        for i, column in enumerate(_columns(builder, columns, SEAT_CARDS)):
            other = builder.add(single, ir.Constant(I8, i))
            vector = builder.insert_element(ir.Constant(BYTES, ir.Undefined), other, ir.Constant(I32, 0))
            others = shuffle(builder, vector, vector, [0] * HANDS)
            _store(builder, builder.select(_lanes(builder, live), column, others), columns, HANDS * i)

    return _of_addresses(3, types.void, generate)


@intrinsic
def clear(typingctx, strengths, live):
    """Make a seat's 32 strengths 0 where its bit of `live` is 0: it has folded."""

    def generate(builder: Builder, strengths: Value, live: Value) -> None:
        none = ir.Constant(STRENGTHS, [0] * HANDS)
        _store(builder, builder.select(_lanes(builder, live), _load(builder, strengths, STRENGTHS), none), strengths)

    return _of_addresses(2, types.void, generate)


@intrinsic
def highest(typingctx, strengths, seats, out):
    """Each deal's highest of so many seats' strengths."""

    def generate(builder: Builder, strengths: Value, seats: Value, out: Value) -> None:
        best = cgutils.alloca_once_value(builder, ir.Constant(STRENGTHS, [0] * HANDS))
        with cgutils.for_range(builder, seats) as loop:
            at = builder.add(strengths, builder.mul(loop.index, ir.Constant(I64, 2 * HANDS)))
            one = _load(builder, at, STRENGTHS)
            builder.store(binary(builder, "llvm.umax.v32i16", one, builder.load(best)), best)
        _store(builder, builder.load(best), out)

    return _of_addresses(3, types.void, generate)


@intrinsic
def who_has(typingctx, strengths, best, out):
    """A column of ones where a seat's strength is the best, of zeros elsewhere."""

    def generate(builder: Builder, strengths: Value, best: Value, out: Value) -> None:
        equal = builder.icmp_unsigned("==", _load(builder, strengths, STRENGTHS), _load(builder, best, STRENGTHS))
        _store(builder, builder.zext(equal, BYTES), out)

    return _of_addresses(3, types.void, generate)


def _store_words(builder: Builder, registers: Sequence[Value], start: Value, stride: Value, first: int) -> None:
    """Eight bytes of each of so many rows, two to a lane: those of the lower lanes, then those of the upper.

    In ascending order, because a row shorter than eight bytes is written across those that follow.
    """
    for lane in (0, 1):
        for i, register in enumerate(registers):
            words = builder.bitcast(register, ir.VectorType(I64, 4))
            for side in (0, 1):
                row = ir.Constant(I64, first + 2 * (lane * len(registers) + i) + side)
                word = builder.extract_element(words, ir.Constant(I32, 2 * lane + side))
                at = builder.add(start, builder.mul(stride, row))
                builder.store(word, _pointer(builder, at, I64)).align = 1


@intrinsic
def rows_of_bytes(typingctx, columns, start, stride):
    """Eight columns to eight bytes of each of 32 rows, which start so many bytes apart."""

    def generate(builder: Builder, columns: Value, start: Value, stride: Value) -> None:
        c = _columns(builder, columns, 8)
        registers = []
        for half in (0, 1):
            pairs = [interleave(builder, c[j], c[j + 1], I8, half) for j in (0, 2, 4, 6)]
            for quarter in (0, 1):
                low, high = (interleave(builder, pairs[i], pairs[i + 1], I16, quarter) for i in (0, 2))
                registers += [interleave(builder, low, high, I32, side) for side in (0, 1)]
        _store_words(builder, registers, start, stride, 0)

    return _of_addresses(3, types.void, generate)


@intrinsic
def rows_of_words(typingctx, columns, start, stride):
    """Four columns of words, 64 bytes each, to eight bytes of each of 32 rows, which start so many bytes apart."""

    def generate(builder: Builder, columns: Value, start: Value, stride: Value) -> None:
        c = _columns(builder, columns, 8)
        for part in (0, 1):  # of 16 rows
            registers = []
            for half in (0, 1):
                low, high = (interleave(builder, c[j + part], c[j + 2 + part], I16, half) for j in (0, 4))
                registers += [interleave(builder, low, high, I32, side) for side in (0, 1)]
            _store_words(builder, registers, start, stride, 16 * part)

    return _of_addresses(3, types.void, generate)
