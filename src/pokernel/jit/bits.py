"""Bit counting and raw loads, which numba does not offer."""

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ._compile import AVX2

__all__ = ["address", "array_data", "multiply", "nth_bit", "peek", "plain_loop", "poke", "popcount", "trailing_zeros"]

I8, I64 = ir.IntType(8), ir.IntType(64)


def array_data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """LLVM pointer to an array's first element."""
    return context.make_array(array_type)(context, builder, array).data


@intrinsic
def popcount(typingctx, bits):
    """Number of set bits of a ``int64``."""
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def trailing_zeros(typingctx, bits):
    """Index of the lowest set bit of a ``int64``, 64 if there is none."""
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.cttz(
        arguments[0], cgutils.false_bit
    )


@intrinsic
def multiply(typingctx, a, b):
    """High and low word of the product of two ``uint64``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, b = (builder.zext(argument, ir.IntType(128)) for argument in arguments)
        product = builder.mul(a, b)
        high = builder.trunc(builder.lshr(product, ir.Constant(product.type, 64)), I64)
        return context.make_tuple(builder, signature.return_type, [high, builder.trunc(product, I64)])

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), generate


@intrinsic
def nth_bit(typingctx, mask, n):
    """The set bit of a ``uint64`` that has n set bits below it, alone; n must be less than their number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        mask, n = arguments
        if AVX2:  # all such processors have bit deposits, too
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(I64, [I64, I64]), "llvm.x86.bmi.pdep.64"
            )
            return builder.call(function, [builder.shl(ir.Constant(I64, 1), n), mask])
        at = ir.Constant(I64, 0)
        for width in (32, 16, 8, 4, 2, 1):  # it lies in the upper half if the lower has too few
            low = builder.and_(builder.lshr(mask, at), ir.Constant(I64, (1 << width) - 1))
            below = builder.ctpop(low)
            up = builder.icmp_unsigned(">=", n, below)
            n = builder.select(up, builder.sub(n, below), n)
            at = builder.select(up, builder.add(at, ir.Constant(I64, width)), at)
        return builder.shl(ir.Constant(I64, 1), at)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def address(typingctx, array):
    """Machine address of an array's first element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(array_data(context, builder, signature.args[0], arguments[0]), I64)

    return types.intp(array), generate


@intrinsic
def peek(typingctx, dtype, address):
    """The integer of this type at a machine address, aligned or not; the caller sees to its validity."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = context.get_value_type(signature.return_type)
        value = builder.load(builder.inttoptr(arguments[1], kind.as_pointer()))
        value.align = 1
        return value

    return dtype.dtype(dtype, types.intp), generate


@intrinsic
def poke(typingctx, value, address):
    """Write an integer to a machine address, aligned or not; the caller sees to its validity."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value, address = arguments
        builder.store(value, builder.inttoptr(address, value.type.as_pointer())).align = 1
        return context.get_dummy_value()

    return types.void(value, types.intp), generate


@intrinsic
def plain_loop(typingctx):
    """Keep LLVM from vectorizing the loop around this: table look-ups come out several times slower, and larger."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], side_effect=True)
        return context.get_dummy_value()

    return types.void(), generate
