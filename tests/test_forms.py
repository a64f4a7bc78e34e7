"""Forms of input, right and wrong, that people have tried."""

from typing import Any

import numpy as np
import pytest

import pokernel
from pokernel import (
    Category,
    HandSizeError,
    OutputError,
    PokernelError,
    best_five,
    category,
    describe,
    evaluate,
    format_hands,
    from_kev_rank,
    ranks_of,
    to_kev_rank,
)

ROYAL = "AsKsQsJsTs"


@pytest.mark.parametrize("none", [None, "", "  ", [], (), np.empty(0, np.uint8)], ids=repr)
def test_no_board(none: Any) -> None:
    assert evaluate(ROYAL, none) == 7462
    assert best_five(ROYAL, none) == (51, 47, 43, 39, 35)
    np.testing.assert_array_equal(evaluate([ROYAL, "2c3c4c5c6c"], none), [7462, 7454])


def test_parts_without_cards() -> None:
    hands = np.arange(10).reshape(2, 5)
    np.testing.assert_array_equal(evaluate(hands, np.empty((1, 0), int)), evaluate(hands))
    np.testing.assert_array_equal(evaluate(np.empty((2, 0), int), hands[0]), [evaluate(hands[0])] * 2)


def test_a_list_that_holds_itself() -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: Any = [1, 2, 3, 4, 5]
    for _ in range(900):
        deep = [deep]
    for nested in (endless, deep):
        with pytest.raises(HandSizeError, match="nested more than"):
            evaluate(nested)


def test_object_arrays_of_texts_are_read_and_others_refused() -> None:
    np.testing.assert_array_equal(evaluate(np.array([ROYAL, "2c3c4c5c6c"], object)), [7462, 7454])
    with pytest.raises(TypeError, match="dtype object"):
        evaluate(np.array([1, 2, 3, 4, 5], object))
    with pytest.raises(TypeError, match="item 1"):
        evaluate(np.array([ROYAL, None], object))


def test_a_lookalike_is_named_by_its_code_point() -> None:
    with pytest.raises(PokernelError, match=r"position 0 .*U\+0410"):
        evaluate("\u0410sKsQsJsTs")


@pytest.mark.parametrize("function", [category, describe, ranks_of, to_kev_rank, from_kev_rank])
def test_strengths_that_are_none(function: Any) -> None:
    assert function([]).shape[0] == 0
    with pytest.raises(TypeError, match="masked"):
        function(np.ma.array([1, 2], mask=[True, False]))
    with pytest.raises(TypeError, match="category 'Flush'"):
        function(Category.FLUSH)
    with pytest.raises(PokernelError, match="different lengths"):
        function([[1], [2, 3]])


def test_masked_cards_are_not_formatted() -> None:
    with pytest.raises(TypeError, match="masked"):
        format_hands(np.ma.array([[1, 2]], mask=[[True, False]]))


def test_out_that_cannot_hold_the_answer() -> None:
    hands = np.tile(np.arange(5, dtype=np.uint8), (4, 1))
    folded = np.lib.stride_tricks.as_strided(np.zeros(4, np.uint16), (4,), (0,))
    sliding = np.lib.stride_tricks.as_strided(np.zeros(5, np.uint16), (2, 2), (2, 2))
    askew = np.lib.stride_tricks.as_strided(np.zeros(50, np.uint16), (2, 2), (6, 1))
    for out, given in ((folded, hands), (sliding, hands.reshape(2, 2, 5)), (askew, hands.reshape(2, 2, 5))):
        with pytest.raises(OutputError, match="repeats its memory"):
            evaluate(given, out=out)
    space = np.zeros((4, 6), np.uint16)
    for out in (space[:, 1:3], space[::-2, ::3], space[:2, :2].T, space[1:3, ::-4]):
        assert (evaluate(hands.reshape(2, 2, 5)[: len(out)], out=out[:2]) == evaluate(hands[0])).all()
    with pytest.raises(TypeError, match="MaskedArray"):
        evaluate(hands, out=np.ma.zeros(4, np.uint16))
    with pytest.raises(TypeError, match="native byte order"):
        evaluate(hands, out=np.zeros(4, ">u2"))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 4), (2, 0, 4)])
def test_out_of_no_hands(shape: tuple[int, ...]) -> None:
    """An empty array has any strides."""
    out = np.empty(shape, np.uint16)
    assert evaluate(np.empty((*shape, 7), np.uint8), out=out) is out


def test_rooms_are_reachable_without_an_import() -> None:
    assert callable(pokernel.verify.verify)
    assert pokernel.jit.strength7(51, 47, 43, 39, 35, 0, 1) == 7462
