"""Vectors of 32 bytes as LLVM knows them: their types, and the few operations that the AVX2 kernels are made of."""

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
    "WORDS",
    "ZERO",
    "Builder",
    "Value",
    "binary",
    "interleave",
    "load_vector",
    "opaque",
    "shuffle",
    "splat",
    "table_lookup",
]

I8, I16, I32, I64 = (ir.IntType(width) for width in (8, 16, 32, 64))
HANDS = 32
BYTES = ir.VectorType(I8, HANDS)
HALF = ir.VectorType(I8, 16)
WORDS, DWORDS = ir.VectorType(I16, 16), ir.VectorType(I32, 8)
ZERO = ir.Constant(BYTES, [0] * HANDS)

Value = Any  # llvmlite values carry no useful static type
Builder = Any


def splat(element: Any, value: int) -> ir.Constant:
    """A 256-bit constant of equal elements."""
    count = 256 // element.width
    return ir.Constant(ir.VectorType(element, count), [value] * count)


def shuffle(builder: Builder, a: Value, b: Value, order: Sequence[int]) -> Value:
    """Elements of a and b, numbered through, in this order."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, len(order)), list(order)))


def interleave(builder: Builder, a: Value, b: Value, element: Any, half: int) -> Value:
    """Elements of a and b in turn, from the lower (0) or upper (1) half of each 128-bit lane: AVX2's unpack."""
    count, lane = 256 // element.width, 128 // element.width
    picked = [base + half * lane // 2 + i for base in range(0, count, lane) for i in range(lane // 2)]
    vector = ir.VectorType(element, count)
    a, b = builder.bitcast(a, vector), builder.bitcast(b, vector)
    return builder.bitcast(shuffle(builder, a, b, [i + side for i in picked for side in (0, count)]), BYTES)


def load_vector(builder: Builder, base: Value, offset: int, vector: ir.VectorType) -> Value:
    """An unaligned vector `offset` bytes after a byte pointer."""
    start = builder.gep(base, [ir.Constant(I64, offset)])
    value = builder.load(builder.bitcast(start, vector.as_pointer()))
    value.align = 1
    return value


def table_lookup(builder: Builder, table: Value, index: Value) -> Value:
    """``table[index & 15]`` by byte, 0 where the index has its top bit set; the table holds its 16 bytes twice."""
    return binary(builder, "llvm.x86.avx2.pshuf.b", table, index)


def opaque(builder: Builder, value: Value) -> Value:
    """The same value, hidden from LLVM: it would merge shuffles into rarer ones that cost more ports."""
    return builder.asm(ir.FunctionType(BYTES, [BYTES]), "", "=x,0", [value], side_effect=False)


def binary(builder: Builder, name: str, a: Value, b: Value) -> Value:
    """An LLVM intrinsic of two vectors and a result of one type."""
    function = ir.FunctionType(a.type, [a.type, a.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), [a, b])
