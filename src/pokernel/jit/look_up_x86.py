"""Keys in registers to unsuited strengths, two table reads a hand: at once, or written down and looked up later.

The reads are gathers where the processor is known to be good at them, else scalar, one after the other in straight-line
code: the loop vectorizer would make a loop of them four times slower.
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
from .vectors_x86 import DWORDS, I8, I16, I32, I64, WORDS, Builder, Value, shuffle, splat

__all__ = ["look_up", "look_up_keys", "put_keys"]


def look_up(
    builder: Builder, k: int, found: Sequence[Value], displacements: Value, strengths: Value, out: Value
) -> None:
    """Write the 32 unsuited strengths of these sums to `out`."""
    if FAST_GATHER:
        _gathered_look_up(builder, k, found, displacements, strengths, out)
        return
    for i, vector in enumerate(found):
        for element in range(8):
            hand = ir.Constant(I64, 4 * i + element % 4 + 16 * (element // 4))
            x = builder.extract_element(vector, ir.Constant(I32, element))
            _look_one_up(builder, k, x, displacements, strengths, builder.gep(out, [hand]))


def _look_one_up(builder: Builder, k: int, x: Value, displacements: Value, strengths: Value, out: Value) -> None:
    row = builder.zext(builder.lshr(x, ir.Constant(I32, ROW_SHIFT[k])), I64)
    displacement = builder.zext(builder.load(builder.gep(displacements, [row])), I32)
    slot = builder.and_(builder.add(x, displacement), ir.Constant(I32, SLOT_MASK[k]))
    builder.store(builder.load(builder.gep(strengths, [builder.zext(slot, I64)])), out)


def _gathered_look_up(
    builder: Builder, k: int, found: Sequence[Value], displacements: Value, strengths: Value, out: Value
) -> None:
    """The same with gathers, which read two bytes too many: tables have an entry to spare (``batch.tables``)."""
    low, read = splat(I32, 0xFFFF), []
    for x in found:
        row = builder.lshr(x, splat(I32, ROW_SHIFT[k]))
        slot = builder.and_(builder.add(x, _gather(builder, displacements, row)), splat(I32, SLOT_MASK[k]))
        read.append(builder.and_(_gather(builder, strengths, slot), low))
    for i in (0, 1):
        name = "llvm.x86.avx2.packusdw"
        function = ir.FunctionType(WORDS, [DWORDS, DWORDS])
        packusdw = cgutils.get_or_insert_function(builder.module, function, name)
        packed = builder.call(packusdw, [read[2 * i], read[2 * i + 1]])
        for lane in (0, 1):
            at = builder.gep(out, [ir.Constant(I64, 16 * lane + 8 * i)])
            half = shuffle(builder, packed, packed, range(8 * lane, 8 * lane + 8))
            builder.store(half, builder.bitcast(at, half.type.as_pointer())).align = 2


def _gather(builder: Builder, table: Value, index: Value) -> Value:
    """The dwords at eight entries of a table of words: each is the entry and the one after it."""
    name, bytes_ = "llvm.x86.avx2.gather.d.d.256", I8.as_pointer()
    function = ir.FunctionType(DWORDS, [DWORDS, bytes_, DWORDS, DWORDS, I8])
    instruction = cgutils.get_or_insert_function(builder.module, function, name)
    start, everywhere = builder.bitcast(table, bytes_), splat(I32, 0xFFFFFFFF)
    return builder.call(instruction, [splat(I32, 0), start, index, everywhere, ir.Constant(I8, 2)])


def put_keys(builder: Builder, found: Sequence[Value], out: Value) -> None:
    """Write the sums of 32 hands, or of 64 in steps order, to the address `out`: dwords in the order of the hands."""
    for i, vector in enumerate(found):
        if vector.type == DWORDS:
            parts = [(4 * i + 16 * lane, [4 * lane + j for j in range(4)]) for lane in (0, 1)]
        else:  # pairs of hands by lane and step, of two steps
            parts = [(16 * i, [4 * lane + 2 * step + side for step in (0, 1) for lane in range(4) for side in (0, 1)])]
        for hand, order in parts:
            part = shuffle(builder, vector, vector, order)
            at = builder.add(out, ir.Constant(I64, 4 * hand))
            builder.store(part, builder.inttoptr(at, part.type.as_pointer())).align = 4


@intrinsic(prefer_literal=True)
def look_up_keys(typingctx, k, count, keys, out, displacements, strengths):
    """Write the unsuited strengths of so many hands of k cards, both constants, to the address `out`, by their sums."""
    if not isinstance(k, types.IntegerLiteral) or not isinstance(count, types.IntegerLiteral):
        raise RequireLiteralValue("hand size and count must be constants")
    size, many = int(k.literal_value), int(count.literal_value)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keys, out = (builder.inttoptr(arguments[i], kind.as_pointer()) for i, kind in ((2, I32), (3, I16)))
        displacements, strengths = (array_data(context, builder, signature.args[i], arguments[i]) for i in (4, 5))
        for hand in range(many):
            at = [ir.Constant(I64, hand)]
            x = builder.load(builder.gep(keys, at))
            _look_one_up(builder, size, x, displacements, strengths, builder.gep(out, at))
        return context.get_dummy_value()

    return types.void(k, count, types.intp, types.intp, displacements, strengths), generate
