"""What strengths mean, against the oracle's numbering of all 7,462 classes."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st

from pokernel.cards import parse_cards
from pokernel.errors import PokernelError
from pokernel.strength import (
    STRONGEST,
    WEAKEST,
    Category,
    category,
    describe,
    from_kev_rank,
    ranks_of,
    to_kev_rank,
)

ALL = np.arange(1, 7463, dtype=np.uint16)
FUNCTIONS: list[Callable[[Any], Any]] = [category, describe, ranks_of, to_kev_rank, from_kev_rank]
EVERY_FUNCTION = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)

SEEDS = [
    ("A ♠K ♠Q ♠J ♠10♠", Category.ROYAL_FLUSH, "Royal flush"),
    ("Q ♥ J♥ 10♥9 ♥8♥", Category.STRAIGHT_FLUSH, "Straight flush, queen high"),
    ("K ♣K ♦K ♠K ♥9♥", Category.FOUR_OF_A_KIND, "Four of a kind, kings, nine kicker"),
    ("8♣ 8♦ 8♠ K ♣K♠", Category.FULL_HOUSE, "Full house, eights full of kings"),
    ("K ♠J ♠8 ♠4 ♠3♠", Category.FLUSH, "Flush, king-jack-eight-four-three"),
    ("5♦ 4♥ 3♠ 2♦ A♦", Category.STRAIGHT, "Straight, five high"),
    ("7♣ 7♥ 7♠ K ♦2♠", Category.THREE_OF_A_KIND, "Three of a kind, sevens, king-two kickers"),
    ("A ♣A ♦8 ♥8 ♠Q♠", Category.TWO_PAIR, "Two pair, aces and eights, queen kicker"),
    ("9♦ 9♠ A ♣J ♠4♥", Category.ONE_PAIR, "One pair, nines, ace-jack-four kickers"),
    ("A ♦10 ♦9 ♠5 ♣4♣", Category.HIGH_CARD, "High card, ace-ten-nine-five-four"),
    ("A♠ T♠ 8♠ 7♠ 2♠", Category.FLUSH, "Flush, ace-ten-eight-seven-two"),
    ("5♣ 6♥ 7♠ 8♥ 9♦", Category.STRAIGHT, "Straight, nine high"),
    ("5♠ 4♠ 3♠ 2♠ A♠", Category.STRAIGHT_FLUSH, "Straight flush, five high"),
    ("6♠ 6♥ 6♣ 6♦ 2♠", Category.FOUR_OF_A_KIND, "Four of a kind, sixes, two kicker"),
    ("J♠ J♥ J♣ 3♦ 3♠", Category.FULL_HOUSE, "Full house, jacks full of threes"),
]


# ---- categories ------------------------------------------------------------------------------------------------------


def test_the_ten_categories() -> None:
    assert [kind.label for kind in Category] == [
        "High card",
        "One pair",
        "Two pair",
        "Three of a kind",
        "Straight",
        "Flush",
        "Full house",
        "Four of a kind",
        "Straight flush",
        "Royal flush",
    ]
    assert list(Category) == list(range(10))


def test_classes_by_category() -> None:
    counts = np.bincount(category(ALL))
    assert counts.tolist() == [1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1]
    assert (np.diff(category(ALL).astype(int)) >= 0).all(), "a stronger hand has a lower category"


def test_the_oracle_numbers_the_same_classes() -> None:
    categories = category(ALL).tolist()
    ranks = ranks_of(ALL).tolist()
    for (kind, deciding), strength in naive.numbering().items():
        assert categories[strength - 1] == kind
        played = ranks[strength - 1]
        if kind == naive.ROYAL_FLUSH:
            assert played == [12, 11, 10, 9, 8]
        elif kind in (naive.STRAIGHT, naive.STRAIGHT_FLUSH):
            top = deciding[0]
            assert played == ([3, 2, 1, 0, 12] if top == naive.FIVE else list(range(top, top - 5, -1)))
        else:
            times = Counter(played)
            assert tuple(times) == deciding, "each rank once, in order of importance"
            assert played == sorted(played, key=lambda rank: (times[rank], rank), reverse=True)


@pytest.mark.parametrize(("text", "kind", "words"), SEEDS)
def test_examples_of_the_documents(text: str, kind: Category, words: str) -> None:
    cards = parse_cards(text)
    strength = naive.strength(cards)
    assert category(strength) is kind
    assert describe(strength) == words
    assert ranks_of(strength) == tuple(card // 4 for card in naive.in_order(cards))


def test_the_ends() -> None:
    assert (WEAKEST, STRONGEST) == (1, 7462)
    assert (category(WEAKEST), category(STRONGEST)) == (Category.HIGH_CARD, Category.ROYAL_FLUSH)
    assert describe(WEAKEST) == "High card, seven-five-four-three-two"


# ---- words -----------------------------------------------------------------------------------------------------------


def test_descriptions_are_distinct_and_start_with_the_category() -> None:
    words = describe(ALL).tolist()
    assert len(set(words)) == 7462
    for text, kind in zip(words, category(ALL), strict=True):
        assert text.split(",")[0] == Category(kind).label
        assert re.fullmatch(r"[A-Z][a-z]+( [a-z]+)*(, [a-z]+(-[a-z]+)*( [a-z]+)*)*", text)


# ---- the Cactus Kev order --------------------------------------------------------------------------------------------


def test_kev_ranks_run_the_other_way() -> None:
    assert to_kev_rank(STRONGEST) == 1
    assert from_kev_rank(1) == STRONGEST
    assert to_kev_rank(ALL).tolist() == list(range(7462, 0, -1))
    np.testing.assert_array_equal(from_kev_rank(to_kev_rank(ALL)), ALL)
    assert all(from_kev_rank(to_kev_rank(strength)) == strength for strength in range(1, 7463))


# ---- scalars and arrays ----------------------------------------------------------------------------------------------


@given(st.integers(1, 7462))
def test_arrays_say_what_scalars_say(strength: int) -> None:
    for function in FUNCTIONS:
        one = function(strength)
        assert type(one) in (int, str, tuple, Category)
        for scalar in (np.uint16(strength), np.int64(strength), np.uint64(strength)):
            assert function(scalar) == one
            assert type(function(scalar)) is type(one)
        for array in (np.array(strength), np.array([strength]), [strength]):
            assert np.ravel(function(array)).tolist() == np.ravel(one).tolist()


@EVERY_FUNCTION
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "<u2", ">u2", ">i4", "u4", "i8", "u8", ">u8"])
def test_every_integer_dtype_and_shape(function: Callable[[Any], Any], dtype: str) -> None:
    values = ALL[:120] if dtype in ("i1", "u1") else ALL[-120:]
    expected = function(values)
    assert expected.dtype == {describe: np.dtype("U44"), category: "u1", ranks_of: "u1"}.get(function, "u2")
    last = expected.shape[1:]
    cube = values.astype(dtype).reshape(4, 5, 6)
    cube.flags.writeable = False
    for array, shaped in [
        (cube, expected.reshape(4, 5, 6, *last)),
        (cube.T, expected.reshape(4, 5, 6, *last).transpose(2, 1, 0, *range(3, 3 + len(last)))),
        (cube[::-2, :, 1], expected.reshape(4, 5, 6, *last)[::-2, :, 1]),
        (cube[:0], expected.reshape(4, 5, 6, *last)[:0]),
        (cube[1, 2, 3], expected.reshape(4, 5, 6, *last)[1, 2, 3]),
        (cube[1, 2, 3, ...], expected.reshape(4, 5, 6, *last)[1, 2, 3]),
    ]:
        given = function(array)
        np.testing.assert_array_equal(given, shaped)
        if isinstance(array, np.ndarray):
            assert given.shape == array.shape + last
            assert given.dtype == expected.dtype
            assert given.flags.writeable, "the answer belongs to the caller"


@EVERY_FUNCTION
def test_answers_do_not_share_memory(function: Callable[[Any], Any]) -> None:
    strengths = np.array([1, 7462], np.uint16)
    function(strengths)[...] = 0
    assert strengths.tolist() == [1, 7462]
    np.testing.assert_array_equal(function(strengths)[0], function(1))


# ---- refusals --------------------------------------------------------------------------------------------------------


@EVERY_FUNCTION
@pytest.mark.parametrize("value", [0, -1, 7463, 65535, 2**70, np.uint16(0), np.int64(-7462), np.uint64(2**64 - 1)])
def test_numbers_out_of_range(function: Callable[[Any], Any], value: Any) -> None:
    noun = "Kev rank" if function is from_kev_rank else "strength"
    with pytest.raises(PokernelError) as error:
        function(value)
    assert str(error.value) == f"{value} is no {noun}: {noun}s run from 1 to 7462"


@EVERY_FUNCTION
@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([1, 2, 7463, 0]), r"^index 2: 7463 is no .* \(2 of 4 out of range\)$"),
        (np.array([1, 0], np.uint8), r"^index 1: 0 is no .* \(1 of 2 out of range\)$"),
        (np.array([[1, 2], [3, -4]], ">i2"), r"^index \(1, 1\): -4 is no .* \(1 of 4 out of range\)$"),
        (np.array([2**64 - 1], np.uint64), r"^index 0: 18446744073709551615 is no .* \(1 of 1 out of range\)$"),
        (np.array([5, -1], np.int8), r"^index 1: -1 is no .* \(1 of 2 out of range\)$"),
        (np.array(7463), r"^7463 is no [\w ]+: [\w ]+ run from 1 to 7462$"),
    ],
)
def test_arrays_out_of_range(function: Callable[[Any], Any], array: Any, message: str) -> None:
    with pytest.raises(PokernelError, match=message):
        function(array)


@EVERY_FUNCTION
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (True, "bool"),
        (np.True_, "bool"),
        (1.0, "float"),
        (np.float32(1), "float32"),
        (float("nan"), "float"),
        ("1", "str"),
        (None, "NoneType"),
        (np.array([1.0]), "array of float64"),
        (np.array([True]), "array of bool"),
        (np.array([1], object), "array of object"),
        (np.array(1.0), "array of float64"),
        (np.array(["1"]), "array of <U1"),
        ([1.0], "array of float64"),
        ([1, None], "array of object"),
    ],
    ids=repr,
)
def test_wrong_types(function: Callable[[Any], Any], wrong: Any, named: str) -> None:
    with pytest.raises(TypeError, match=rf"is an integer, not (an )?{re.escape(named)}"):
        function(wrong)


# ---- laziness --------------------------------------------------------------------------------------------------------


def test_tables_are_read_when_first_needed(run_python: RunPython) -> None:
    ended = run_python(
        "import sys, pokernel.strength as s, pokernel.tables as t\n"
        "assert not t.load.cache_info().currsize\n"
        "assert s.from_kev_rank(1) == 7462 and not t.load.cache_info().currsize\n"
        "assert s.category(7462) is s.Category.ROYAL_FLUSH and t.load.cache_info().currsize == 1\n"
        "assert 'numba' not in sys.modules\n"
    )
    assert (ended.returncode, ended.stderr) == (0, "")
