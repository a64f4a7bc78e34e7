"""Vectors of 32 or 64 bytes as LLVM knows them: their types, and the few operations that x86 kernels are made of."""

from collections.abc import Sequence
from typing import Any

import llvmlite.ir as ir
from numba.core import cgutils

__all__ = [
    "BYTES",
    "DWORDS",
    "HALF",
    "HANDS",
    "I8",
    "I16",
    "I32",
    "I64",
    "WIDE_HANDS",
    "WORDS",
    "ZERO",
    "Builder",
    "Value",
    "binary",
    "elements",
    "interleave",
    "like",
    "load_vector",
    "of_bytes",
    "opaque",
    "shuffle",
    "splat",
    "table_lookup",
]

I8, I16, I32, I64 = (ir.IntType(width) for width in (8, 16, 32, 64))
HANDS, WIDE_HANDS = 32, 64
BYTES = ir.VectorType(I8, HANDS)
HALF = ir.VectorType(I8, 16)
WORDS, DWORDS = ir.VectorType(I16, 16), ir.VectorType(I32, 8)
ZERO = ir.Constant(BYTES, [0] * HANDS)

Value = Any  # llvmlite values carry no useful static type
Builder = Any


def of_bytes(hands: int) -> ir.VectorType:
    """As many bytes."""
    return ir.VectorType(I8, hands)


def elements(builder: Builder, value: Value, element: Any) -> Value:
    """The same bits as a vector of such elements."""
    return builder.bitcast(value, ir.VectorType(element, value.type.count * value.type.element.width // element.width))


def splat(element: Any, value: int, bits: int = 256) -> ir.Constant:
    """A constant of equal elements."""
    count = bits // element.width
    return ir.Constant(ir.VectorType(element, count), [value] * count)


def like(value: Value, number: int) -> ir.Constant:
    """As many such elements, all this number."""
    return ir.Constant(value.type, [number] * value.type.count)


def shuffle(builder: Builder, a: Value, b: Value, order: Sequence[int]) -> Value:
    """Elements of a and b, numbered through, in this order."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, len(order)), list(order)))


def interleave(builder: Builder, a: Value, b: Value, element: Any, half: int) -> Value:
    """Elements of bytes a and b in turn, from the lower (0) or upper (1) half of each 128-bit lane: unpack."""
    kind, lane = a.type, 128 // element.width
    a, b = elements(builder, a, element), elements(builder, b, element)
    count = a.type.count
    picked = [base + half * lane // 2 + i for base in range(0, count, lane) for i in range(lane // 2)]
    return builder.bitcast(shuffle(builder, a, b, [i + side for i in picked for side in (0, count)]), kind)


def load_vector(builder: Builder, base: Value, offset: int, vector: ir.VectorType) -> Value:
    """An unaligned vector `offset` bytes after a byte pointer."""
    start = builder.gep(base, [ir.Constant(I64, offset)])
    value = builder.load(builder.bitcast(start, vector.as_pointer()))
    value.align = 1
    return value


def table_lookup(builder: Builder, table: Value, index: Value) -> Value:
    """An entry of the table for each byte: of 32, ``index & 15``, or 0 where the top bit is set; of 64, ``index & 63``.

    A table of 32 bytes holds its 16 entries twice.
    """
    name = {HANDS: "llvm.x86.avx2.pshuf.b", WIDE_HANDS: "llvm.x86.avx512.permvar.qi.512"}[table.type.count]
    return binary(builder, name, table, index)


def opaque(builder: Builder, value: Value) -> Value:
    """The same value, hidden from LLVM: it would merge shuffles into rarer ones that cost more ports."""
    return builder.asm(ir.FunctionType(value.type, [value.type]), "", "=v,0", [value], side_effect=False)


def binary(builder: Builder, name: str, a: Value, b: Value) -> Value:
    """An LLVM intrinsic of two vectors and a result of one type."""
    function = ir.FunctionType(a.type, [a.type, a.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), [a, b])
