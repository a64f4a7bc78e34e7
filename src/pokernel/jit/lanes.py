"""Eight boards side by side: one vector operation on eight ``float64`` lanes where a scalar loop has one board.

The operations work on machine addresses of rows of eight, in plain LLVM vectors, which every target has in some width.
"""

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.extending import intrinsic

__all__ = ["LANES", "add_weights", "count_beaten", "count_pairs", "fill_lanes", "sum_lanes"]

LANES = 8
F64, I64 = ir.DoubleType(), ir.IntType(64)
VECTOR = ir.VectorType(F64, LANES)

Value = Any  # llvmlite values carry no useful static type
Builder = Any


def _pointer(builder: Builder, address: Value, row: int, kind: Any) -> Value:
    size = 8 * (LANES if kind is VECTOR else 1)
    return builder.inttoptr(builder.add(address, ir.Constant(I64, size * row)), kind.as_pointer())


def _load(builder: Builder, address: Value, row: int) -> Value:
    value = builder.load(_pointer(builder, address, row, VECTOR))
    value.align = 8
    return value


def _store(builder: Builder, value: Value, address: Value, row: int) -> None:
    builder.store(value, _pointer(builder, address, row, VECTOR)).align = 8


def _splat(builder: Builder, address: Value, index: int) -> Value:
    """One number, in all lanes."""
    value = builder.load(_pointer(builder, address, index, F64))
    single = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        single, ir.Constant(VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


def _sum(builder: Builder, values: list[Value]) -> Value:
    """A tree of additions: shorter chains than one after the other."""
    while len(values) > 1:
        values = [
            builder.fadd(*values[i : i + 2]) if i + 1 < len(values) else values[i] for i in range(0, len(values), 2)
        ]
    return values[0]


def _operation(count: int, generate: Any) -> Any:
    """Typing and code generation of an operation on so many addresses that gives nothing back."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        generate(builder, *arguments)
        return context.get_dummy_value()

    return types.void(*[types.intp] * count), codegen


@intrinsic
def fill_lanes(typingctx, numbers, out):
    """Nine numbers to nine rows of eight equal lanes."""

    def generate(builder: Builder, numbers: Value, out: Value) -> None:
        for row in range(9):
            _store(builder, _splat(builder, numbers, row), out, row)

    return _operation(2, generate)


@intrinsic
def sum_lanes(typingctx, weights, first, second, suited, out):
    """Sums of a rank pair's 16 weights, lane by lane, over the combos whose cards are alive.

    `first` and `second` are four rows, 1 where the rank's card in that suit is alive, else 0; `suited` four rows, 1
    where the combo of both ranks in that suit does not count either. Nine rows come out: by suit of the first rank, by
    suit of the second, in all.
    """

    def generate(builder: Builder, weights: Value, first: Value, second: Value, suited: Value, out: Value) -> None:
        a = [_load(builder, first, i) for i in range(4)]
        b = [_load(builder, second, j) for j in range(4)]
        w = [[_splat(builder, weights, 4 * i + j) for j in range(4)] for i in range(4)]
        by_first = [
            builder.fmul(a[i], _sum(builder, [builder.fmul(w[i][j], b[j]) for j in range(4)])) for i in range(4)
        ]
        by_second = [
            builder.fmul(b[j], _sum(builder, [builder.fmul(w[i][j], a[i]) for i in range(4)])) for j in range(4)
        ]
        for i in range(4):
            out_of_it = builder.fmul(builder.fmul(w[i][i], _load(builder, suited, i)), builder.fmul(a[i], b[i]))
            by_first[i] = builder.fsub(by_first[i], out_of_it)
            by_second[i] = builder.fsub(by_second[i], out_of_it)
        for row, value in enumerate([*by_first, *by_second, _sum(builder, list(by_first))]):
            _store(builder, value, out, row)

    return _operation(5, generate)


@intrinsic
def count_beaten(typingctx, sums, first, second, passed, out):
    """Add to `out` what the combos of a rank pair beat: all that has been passed but what shares a card with them.

    `sums` are the pair's nine rows, `first` and `second` the four rows of each rank in the other player's weights
    passed by card, `passed` those in all.
    """

    def generate(builder: Builder, sums: Value, first: Value, second: Value, passed: Value, out: Value) -> None:
        shared = [
            builder.fmul(_load(builder, sums, 4 * side + i), _load(builder, rows, i))
            for side, rows in enumerate((first, second))
            for i in range(4)
        ]
        beaten = builder.fmul(_load(builder, sums, 8), _load(builder, passed, 0))
        _store(builder, builder.fadd(_load(builder, out, 0), builder.fsub(beaten, _sum(builder, shared))), out, 0)

    return _operation(5, generate)


@intrinsic
def add_weights(typingctx, sums, first, second, passed):
    """Pass a rank pair: add its nine rows to the weights passed by card of either rank, and in all."""

    def generate(builder: Builder, sums: Value, first: Value, second: Value, passed: Value) -> None:
        for side, rows in enumerate((first, second)):  # of a pair of equal ranks both sides are the same rows
            for i in range(4):
                value = builder.fadd(_load(builder, rows, i), _load(builder, sums, 4 * side + i))
                _store(builder, value, rows, i)
        _store(builder, builder.fadd(_load(builder, passed, 0), _load(builder, sums, 8)), passed, 0)

    return _operation(4, generate)


@intrinsic
def count_pairs(typingctx, by_card, passed, out):
    """All pairs of two players' combos: their totals multiplied, less what shares a card.

    `by_card` are 52 rows of one player and then of the other, `passed` one row each. A combo shares two cards with
    itself and is taken off twice.
    """

    def generate(builder: Builder, by_card: Value, passed: Value, out: Value) -> None:
        shared = [builder.fmul(_load(builder, by_card, card), _load(builder, by_card, 52 + card)) for card in range(52)]
        pairs = builder.fmul(_load(builder, passed, 0), _load(builder, passed, 1))
        _store(builder, builder.fsub(pairs, _sum(builder, shared)), out, 0)

    return _operation(3, generate)
