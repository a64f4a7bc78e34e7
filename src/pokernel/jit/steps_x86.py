"""Steps of the loops over hands: 32 hands to strengths, or 64 to keys, whatever the layout of their cards."""

from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

from .bits import array_data
from .columns_x86 import columns_at, from_steps, rows_at
from .look_up_x86 import look_up, put_keys
from .pack_x86 import digit_sums, flush_flags, invalid_bits, scaled, set_bits
from .vectors_x86 import HANDS, I16, I64, WIDE_HANDS, Builder, Value

__all__ = ["evaluate_step", "pack_step"]


def _step(hands: int, columns: Any, k: Any, tables: tuple[Any, ...], finish: Callable[..., None]) -> Any:
    """Typing and code generation of a step: what is common to both.

    ``finish(builder, k, sums, tables, out)`` makes something of the hands' sums. After the constants `columns` and `k`
    the arguments are two for ``columns_at`` or ``rows_at``, where it goes, whether to check, and tables.
    """
    if not isinstance(columns, types.BooleanLiteral) or not isinstance(k, types.IntegerLiteral):
        raise RequireLiteralValue("layout and hand size must be constants")
    size, at = int(k.literal_value), columns_at if columns.literal_value else rows_at

    def generate(context: Any, builder: Builder, signature: Any, arguments: Any) -> Value:
        cards, first, out, check = arguments[2:6]
        data = [array_data(context, builder, signature.args[i], arguments[i]) for i in range(6, len(arguments))]
        loaded = at(builder, hands, cards, first, size)
        sums = scaled(builder, digit_sums(builder, loaded, data[0]), builder.load(data[1]))
        flushes = set_bits(builder, from_steps(builder, flush_flags(builder, loaded)))
        before = builder.block
        with builder.if_then(check):
            found = invalid_bits(builder, loaded)
            checked = builder.block
        invalid = builder.phi(I64)
        invalid.add_incoming(ir.Constant(I64, 0), before)
        invalid.add_incoming(found, checked)
        finish(builder, size, sums, data[2:], out)
        return context.make_tuple(builder, signature.return_type, [flushes, invalid])

    machine = types.intp
    return types.UniTuple(types.int64, 2)(columns, k, machine, machine, machine, types.boolean, *tables), generate


@intrinsic(prefer_literal=True)
def evaluate_step(typingctx, columns, k, cards, first, out, check, digits, multiplier, displacements, strengths):
    """Unsuited strengths of 32 hands to the address `out`; one bit a hand with a flush, one of the invalid ones."""

    def finish(builder: Builder, size: int, sums: list[Value], tables: list[Value], out: Value) -> None:
        displacements, strengths = tables
        look_up(builder, size, sums, displacements, strengths, builder.inttoptr(out, I16.as_pointer()))

    return _step(HANDS, columns, k, (digits, multiplier, displacements, strengths), finish)


@intrinsic(prefer_literal=True)
def pack_step(typingctx, columns, k, cards, first, out, check, digits, multiplier):
    """Sums of 64 hands to the address `out`, for ``look_up_keys``; one bit a hand with a flush, any of invalid ones."""

    def finish(builder: Builder, size: int, sums: list[Value], tables: list[Value], out: Value) -> None:
        put_keys(builder, sums, out)

    return _step(WIDE_HANDS, columns, k, (digits, multiplier), finish)
