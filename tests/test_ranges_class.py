"""``Range`` as an object: from combos, canonical text, algebra, membership, immutability."""

import copy
import math
import operator
import pickle
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from test_ranges import RANKS, every_hand, number, weights

import pokernel
from pokernel import Range
from pokernel.errors import CardError, DuplicateCardError, PokernelError, RangeError

WEIGHTS = st.sampled_from([1.0, 0.5, 0.25, 1 / 3, 0.1, 1e-5, 5e-324]) | st.floats(0, 1, exclude_min=True)
NUMBERS = st.integers(0, 1325)


@st.composite
def by_combo(draw: st.DrawFn) -> NDArray[np.float64]:
    """Weights of a range with runs of whole classes and lone combos, few weights or many."""
    made = np.zeros(1326)
    hands = every_hand().split()
    few = draw(st.lists(WEIGHTS, min_size=1, max_size=3))
    for _ in range(draw(st.integers(0, 6))):
        start, step, count = (
            draw(st.integers(0, 168)),
            draw(st.sampled_from([1, 2, 3, 25, 27])),
            draw(st.integers(1, 9)),
        )
        for hand in hands[start : start + step * count : step]:
            made = np.where(weights(hand) > 0, draw(st.sampled_from(few)), made)
    for combo, weight in draw(st.dictionaries(NUMBERS, st.sampled_from([0.0, *few]) | WEIGHTS, max_size=20)).items():
        made[combo] = weight
    return made


def cards_of(numbers: Any) -> list[tuple[int, int]]:
    cards = {high * (high - 1) // 2 + low: (high, low) for high in range(52) for low in range(high)}
    return [cards[number] for number in numbers]


def range_of(by_combo: NDArray[np.float64]) -> Range:
    numbers = np.flatnonzero(by_combo).tolist()
    return Range.from_combos(cards_of(numbers), by_combo[numbers])


# ---- canonical text --------------------------------------------------------------------------------------------------

CANONICAL = {
    "random": "random",
    "*:0.5": "random:0.5",
    "0%": "0%",
    "AA": "AA",
    "AA,KK": "KK+",
    "QQ TT KK AA": "QQ+, TT",
    "55 22 33 TT 99 88": "TT-88, 55, 33-22",
    "22+": "22+",
    "AKo AKs": "AK",
    "AKs AQs AJs": "AJs+",
    "A2s A3s A5s": "A5s, A3s-A2s",
    "AQ, AKo": "AQs, AQo+",
    "AKs, AQs, AKo, AQo, ATs": "AQ+, ATs",
    "A2s+, ATo+": "A2s+, ATo+",
    "76s 65s 54s": "76s-54s",
    "AKs KQs QJs JTs": "AKs-JTs",
    "76s 65s": "76s, 65s",
    "J9s T8s 97s QJs T9s 98s 87s": "QJs, J9s, T8s+, 97s+, 87s",
    "86s T8s 97s": "T8s-86s",
    "KQ QJ JT T9": "KQ-T9",
    "AK:0.5, QQ": "QQ, AK:0.5",
    "QQ+:0.5, KQs:0.5, AKs": "AKs, QQ+:0.5, KQs:0.5",
    "AsKs, AhKh": "AsKs, AhKh",
    "AsKs, AhKh, AdKd, AcKc": "AKs",
    "AsKs:0.5, AhKh, AdKd, AcKc": "AhKh, AdKd, AcKc, AsKs:0.5",
    "AA:0.1, KK:0.30000000000000004": "KK:0.30000000000000004, AA:0.1",
    "AA:1e-05": "AA:1e-05",
}


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_text(text: str) -> None:
    made = Range(text)
    assert str(made) == CANONICAL[text]
    assert repr(made) == f"Range({CANONICAL[text]!r})"
    assert Range(CANONICAL[text]) == made


@given(by_combo())
@example(np.full(1326, 5e-324))
@example(np.linspace(0, 1, 1326))
@example(np.arange(1326) % 2 / 2)
def test_canonical_text_reads_back(held: NDArray[np.float64]) -> None:
    made = range_of(held)
    assert np.array_equal(made.by_combo, held)
    again = Range(str(made))
    assert again == made
    assert hash(again) == hash(made)
    assert str(again) == str(made)
    assert eval(repr(made), {"Range": Range}) == made


@given(by_combo())
def test_canonical_text_names_nothing_twice(held: NDArray[np.float64]) -> None:
    made = range_of(held)
    terms = str(made).split(", ")
    assert sum(len(Range(term)) for term in terms) == len(made)


def test_canonical_text_is_short() -> None:
    for percent in range(101):
        made = Range(f"{percent}%")
        assert len(str(made)) < 130, made


# ---- what a range holds ----------------------------------------------------------------------------------------------


def test_combos_and_weights() -> None:
    made = Range("KcAs:0.5, AhAs, 3c2d")
    assert made.combos.dtype == np.uint8
    assert made.combos.tolist() == [[4, 1], [51, 44], [51, 50]]
    assert made.weights.dtype == np.float64
    assert made.weights.tolist() == [1, 0.5, 1]
    assert made.by_combo.dtype == np.float64
    assert made.by_combo.shape == (1326,)
    assert np.flatnonzero(made.by_combo).tolist() == [number("3c", "2d"), number("Kc", "As"), number("Ah", "As")]
    assert len(made) == 3


@given(by_combo())
def test_combos_are_in_order_the_higher_card_first(held: NDArray[np.float64]) -> None:
    made = range_of(held)
    assert made.combos.shape == (len(made), 2)
    assert made.weights.shape == (len(made),)
    assert made.combos.tolist() == [list(cards) for cards in cards_of(np.flatnonzero(held))]
    assert made.weights.tolist() == held[held > 0].tolist()
    assert Range.from_combos(made.combos, made.weights) == made


def test_evaluate_takes_the_combos() -> None:
    strengths = pokernel.evaluate(Range("AA, AKs").without("2c 7d 9h Js 3c").combos, "2c 7d 9h Js 3c")
    assert strengths.shape == (10,)


def test_grid() -> None:
    grid = Range("AA, AKs:0.5, AsKh, 32o").grid()
    assert grid.shape == (13, 13)
    assert grid.dtype == np.float64
    assert (grid[0, 0], grid[0, 1], grid[1, 0], grid[12, 11]) == (1, 0.5, 1 / 12, 1)
    assert np.count_nonzero(grid) == 4
    assert (Range.random().grid() == 1).all()
    assert (Range("0%").grid() == 0).all()


@pytest.mark.parametrize("hand", every_hand().split())
def test_each_class_has_its_place_in_the_grid(hand: str) -> None:
    row, column = (12 - RANKS.index(rank) for rank in hand[:2])
    place = (column, row) if hand.endswith("o") else (row, column)
    assert np.argwhere(Range(hand).grid()).tolist() == [list(place)]


def test_immutable() -> None:
    made = Range("AA")
    for array in (made.by_combo, made.combos, made.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        made.by_combo.flags.writeable = True
    for name in ("by_combo", "combos", "weights", "anything"):
        with pytest.raises(AttributeError):
            setattr(made, name, None)
    made.grid()[:] = 7  # a fresh array, to do with as one likes
    assert made == Range("AA")


def test_equality_and_hash() -> None:
    assert Range("AK") == Range("AKs, AKo")
    assert len({Range("AK"), Range("AKs, AKo"), Range("AK:0.5"), Range("AKs")}) == 3
    assert Range("AK") != Range("AK:0.5")
    assert Range("AK") != "AK"
    assert Range.from_combos([(51, 47)], [-0.0]) == Range("0%")
    assert hash(Range.from_combos([(51, 47)], [-0.0])) == hash(Range("0%"))


@pytest.mark.parametrize("text", ["random", "0%", "AA, AKs:0.3"])
def test_pickles_and_copies(text: str) -> None:
    made = Range(text)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(made, protocol))
        assert again == made
        assert not again.by_combo.flags.writeable
    assert copy.copy(made) == copy.deepcopy(made) == made


@pytest.mark.slow
def test_travels_to_other_processes() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(str, Range("AA, AKs:0.3")).result() == "AA, AKs:0.3"


def test_is_true_unless_empty() -> None:
    assert Range("AA")
    assert not Range("AA") - Range("QQ+")


# ---- from combos -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "combos",
    [
        ["AsKs", "AhKd"],
        ("KsAs", "kd ah"),
        ["A♠K♠", "AhKd"],
        np.array(["AsKs", "AhKd"]),
        np.array(["AsKs", "AhKd"], object),
        [("As", "Ks"), ["Kd", "Ah"]],
        np.array([["As", "Ks"], ["Kd", "Ah"]]),
        [(51, 47), (45, 50)],
        [[47, 51], np.array([50, 45], np.uint8)],
        [(np.uint8(51), np.int64(47)), "AhKd"],
        np.array([[51, 47], [50, 45]], np.uint8),
        np.array([[45, 50], [51, 47]], np.int64),
        np.array([[45, 51], [50, 47]], ">i2").T[:, ::1],
        iter(["AsKs", "AhKd"]),
        {"AsKs", "AhKd"},
    ],
)
def test_combos_in_many_forms(combos: Any) -> None:
    assert Range.from_combos(combos) == Range("AsKs, AhKd")


def test_weights_in_many_forms() -> None:
    expected = Range("AsKs, AhKd:0.5")
    for numbers in (
        [1, 0.5],
        (1.0, np.float32(0.5)),
        np.array([1, 0.5], np.float16),
        np.array([9, 1, 9, 0.5, 9])[1::2],
    ):
        assert Range.from_combos(["AsKs", "AhKd"], numbers) == expected
    assert Range.from_combos(["AsKs", "AhKd"], np.array([1, 0], np.int8)) == Range("AsKs")


@pytest.mark.parametrize("combos", [[], (), np.empty((0, 2), np.uint8), np.array([], object)])
def test_no_combos(combos: Any) -> None:
    made = Range.from_combos(combos, [])
    assert len(made) == 0
    assert made.combos.shape == (0, 2)
    assert str(made) == "0%"


@pytest.mark.parametrize(
    ("combos", "error", "told"),
    [
        (["AsKs", "AhKx"], CardError, "combo 1: no card at position 2 of 'AhKx': 'Kx'"),
        (["AsKs", "AhAh"], DuplicateCardError, "combo 1: Ah twice"),
        ([(51, 47), (3, 3)], DuplicateCardError, "combo 1: 2s twice"),
        ([(51, 47), (52, 3)], CardError, "combo 1: 52 is no card"),
        ([(51, -1)], CardError, "combo 0: -1 is no card"),
        (np.array([[51, 47], [300, 3]]), CardError, "combo 1: 300 is no card"),
        (np.array([[51, 307]], np.int64), CardError, "combo 0: 307 is no card"),
        (np.array([[2**64 - 1, 3]], np.uint64), CardError, "combo 0: 18446744073709551615 is no card"),
        (["AsKs", "Ah"], RangeError, "combo 1: a combo has two cards, not 1"),
        (["AsKsQs"], RangeError, "combo 0: a combo has two cards, not 3"),
        ([(1, 2, 3)], RangeError, "combo 0: a combo has two cards, not 3"),
        ([()], RangeError, "combo 0: a combo has two cards, not 0"),
        (["AsKs", "AhKh", "KsAs"], RangeError, "AsKs twice: combos 0 and 2"),
        (np.array([[51, 47], [47, 51]]), RangeError, "AsKs twice: combos 0 and 1"),
        (np.zeros((4, 3), np.uint8), RangeError, r"shape \(n, 2\), not \(4, 3\)"),
        (np.zeros(2, np.uint8), RangeError, r"shape \(n, 2\), not \(2,\)"),
        (np.array(5), RangeError, r"shape \(n, 2\), not \(\)"),
    ],
)
def test_bad_combos(combos: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told) as caught:
        Range.from_combos(combos)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    "combos",
    [
        *("AsKs", None, 5, b"AsKs", {"AsKs": 1.0}, Range("AA"), np.array([[51.0, 47.0]]), np.array([[True, False]])),
        *([51, 47], [(51.0, 47)], [(True, 2)], [None], [b"3/"], [(51, None)], [("As", 47)], np.array("AsKs")),
        np.ma.masked_array([[51, 47]], [[False, True]]),
    ],
)
def test_combos_of_wrong_types(combos: Any) -> None:
    with pytest.raises(TypeError):
        Range.from_combos(combos)


@pytest.mark.parametrize(
    ("numbers", "error", "told"),
    [
        ([1, 2], RangeError, "weight 1: 2 is no weight: weights run from 0 to 1"),
        ([1, float("nan")], RangeError, "weight 1: nan is no weight"),
        ([-0.5, 1], RangeError, "weight 0: -0.5 is no weight"),
        ([1, float("inf")], RangeError, "weight 1: inf is no weight"),
        ([1], RangeError, r"2 combos need weights of the shape \(2,\), not \(1,\)"),
        ([[1, 1]], RangeError, r"not \(1, 2\)"),
        (0.5, RangeError, r"not \(\)"),
        ([1, [1, 2]], RangeError, "different lengths"),
        (["1", "0.5"], TypeError, "weights are numbers"),
        ([True, False], TypeError, "weights are numbers"),
        ([1j, 0], TypeError, "weights are numbers"),
        ([None, 1], TypeError, "weights are numbers"),
        ("1", TypeError, "weights are numbers from 0 to 1, not str"),
        (np.ma.masked_array([1.0, 0.5], [True, False]), TypeError, "masked"),
    ],
)
def test_bad_weights(numbers: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        Range.from_combos(["AsKs", "AhKd"], numbers)


# ---- algebra ---------------------------------------------------------------------------------------------------------


def test_algebra_of_whole_ranges_is_that_of_sets() -> None:
    assert Range("AK") | Range("QQ+") == Range("QQ+, AK")
    assert Range("TT+") & Range("77-QQ") == Range("TT-QQ")
    assert Range("TT+") - Range("QQ") == Range("KK+, TT-JJ")
    assert Range("AK") - Range("AKs") == Range("AKo")
    assert Range("AK") & Range("QQ") == Range("0%")


def test_algebra_of_weights() -> None:
    assert Range("AA:0.5, KK") | Range("AA:0.75, QQ:0.5") == Range("AA:0.75, KK, QQ:0.5")
    assert Range("AA:0.5, KK") & Range("AA:0.75, KK:0.25, QQ") == Range("AA:0.5, KK:0.25")
    assert Range("AA, KK:0.5, QQ:0.25") - Range("AA:0.25, KK:0.5, QQ") == Range("AA:0.75")
    assert str(Range("AA, KK:0.3") - Range("AA:0.9, KK:0.1")) == "KK:0.2, AA:0.1"


@given(by_combo(), by_combo())
def test_algebra_is_that_of_counters(one: NDArray[np.float64], two: NDArray[np.float64]) -> None:
    counters: list[Counter[int]] = [Counter(dict(enumerate(held.tolist()))) for held in (one, two)]
    as_written = [Counter({combo: Fraction(repr(weight)) for combo, weight in held.items()}) for held in counters]
    ranges = range_of(one), range_of(two)
    for made, expected in (
        (ranges[0] | ranges[1], counters[0] | counters[1]),
        (ranges[0] & ranges[1], counters[0] & counters[1]),
        (ranges[0] - ranges[1], as_written[0] - as_written[1]),
    ):
        assert made.by_combo.tolist() == [float(expected[combo]) for combo in range(1326)]
        assert not made.by_combo.flags.writeable
        assert Range(str(made)) == made


@pytest.mark.parametrize("digits", [1, 2, 3, 6, 9, 15])
def test_differences_of_decimals_are_the_decimals_that_people_expect(digits: int, rng: np.random.Generator) -> None:
    unit = 10**digits
    two, one = np.sort(rng.integers(1, unit, (2, 1326), endpoint=True), axis=0)
    made = range_of(one / unit) - range_of(two / unit)
    assert made.by_combo.tolist() == [(a - b) / unit for a, b in zip(one.tolist(), two.tolist(), strict=True)]
    assert max(len(f"{Decimal(repr(weight)):f}") for weight in made.weights.tolist()) <= digits + 2
    assert Range(str(made)) == made


def test_what_is_taken_away_bit_by_bit_is_gone_at_the_end() -> None:
    for parts in (5, 10, 20, 100, 1000):
        left = Range("AA")
        for part in range(parts):
            assert left == Range(f"AA:{(parts - part) / parts}")
            left -= Range(f"AA:{1 / parts}")
        assert left == Range("0%")


@given(WEIGHTS, st.integers(1, 3))
@example(2.858063394919403e-308, 1)  # its decimal and that of its neighbor are too close for a float
@example(5e-324, 1)
def test_a_difference_is_nothing_only_between_equals(weight: float, steps: int) -> None:
    more = weight
    for _ in range(steps):
        more = min(math.nextafter(more, 1), 1.0)
    assert len(Range(f"AA:{more!r}") - Range(f"AA:{weight!r}")) == 6 * (more > weight)
    assert not Range(f"AA:{weight!r}") - Range(f"AA:{more!r}")


@pytest.mark.parametrize("other", ["AA", {51}, None, 1])
def test_algebra_with_anything_else(other: Any) -> None:
    made = Range("AA")
    for operate in (operator.or_, operator.and_, operator.sub):
        for one, two in ((made, other), (other, made)):
            with pytest.raises(TypeError):
                operate(one, two)


def test_membership() -> None:
    made = Range("TT+, AKs:0.5")
    for there in ("AsKs", "KsAs", "AKs", "QQ+", "AKs:0.1, JJ", (51, 47), (47, 51), [51, 47], np.array([51, 47])):
        assert there in made
    for absent in ("AsKh", "AK", "99+", "random", (51, 46), ("As", "Kh"), np.array([51, 46], np.uint8)):
        assert absent not in made
    assert ("As", "Ks") in made
    assert Range("AKs") in made
    assert Range("AK") not in made
    assert Range("0%") in made
    assert made in Range.random()


@pytest.mark.parametrize(
    ("hand", "error"),
    [
        ("AKx", RangeError),
        ("", RangeError),
        ((1, 1), DuplicateCardError),
        ((1, 52), CardError),
        ((1,), RangeError),
        (51, TypeError),
        (None, TypeError),
        ((1.0, 2.0), TypeError),
        (b"AA", TypeError),
    ],
)
def test_what_can_be_in_no_range(hand: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        assert hand in Range("AA")


def test_without_dead_cards() -> None:
    made = Range("AA, KK:0.5, AKs")
    expected = Range("AhAd, AhAc, AdAc, KsKh:0.5, KsKc:0.5, KhKc:0.5, AhKh, AcKc")
    for dead in ("As Kd", "AsKd7c", ["As", "Kd"], (51, 45), np.array([51, 45], np.uint8), ["As", np.int64(45)]):
        assert made.without(dead) == expected
    nothing: list[Any] = ["", "  ", [], (), np.array([], np.uint8)]
    for none in nothing:
        assert made.without(none) == made
    assert len(Range.random().without("As Kd")) == 50 * 49 // 2
    for bad, error in (("Asx", CardError), ("AsAs", DuplicateCardError), ([52], CardError), ([51, 51], CardError)):
        with pytest.raises(error):
            made.without(bad)
    wrongs: list[Any] = [None, 51, [1.5], np.array([51.0])]
    for wrong in wrongs:
        with pytest.raises(TypeError):
            made.without(wrong)


def test_random_is_every_combo() -> None:
    assert Range.random() == Range("random")
    assert str(Range.random()) == "random"


# ---- surroundings ----------------------------------------------------------------------------------------------------


def test_needs_no_compiler_and_no_picture_library(run_python: RunPython) -> None:
    ended = run_python(
        "import sys, pokernel\n"
        "assert 'pokernel.ranges' not in sys.modules\n"
        "made = pokernel.Range('15%, AsKs, 50%(72o)') - pokernel.Range('AA') | pokernel.Range.random()\n"
        "str(made), made._repr_html_(), made.grid(), made.without('As'), hash(made)\n"
        "print(*(name for name in ('numba', 'llvmlite', 'matplotlib', 'rich', 'typer') if name in sys.modules))\n"
    )
    assert (ended.returncode, ended.stdout.strip()) == (0, ""), ended.stderr


def test_range_errors_are_value_errors() -> None:
    assert issubclass(RangeError, PokernelError)
    assert pokernel.RangeError is RangeError
