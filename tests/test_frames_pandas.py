"""The functions for pandas: the same strengths as `evaluate`, the index kept, nullable types, what is missing missing."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pokernel
from pokernel.frames import pandas as poker

ROYAL, STEEL, NOTHING = "As Ks Qs Js Ts", "9h8h7h6h5h 2c", "7c 5d 4h 3s 2c"
BAD = "As Ks Qs Js Tx"
TYPES = {
    "strength": "UInt16",
    "category": poker.CATEGORY,
    "describe": pd.StringDtype("pyarrow"),
    "best_five": pd.StringDtype("pyarrow"),
    "valid": "boolean",
}


@pytest.fixture
def dealt(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (1000, 1))
    return np.ascontiguousarray(rng.permuted(deck, axis=1)[:, :7])


@pytest.fixture
def index(dealt: np.ndarray[Any, Any]) -> pd.Index:
    return pd.MultiIndex.from_arrays([np.arange(len(dealt)) % 3, np.arange(len(dealt))[::-1]], names=["a", "b"])


def missing(dealt: np.ndarray[Any, Any]) -> Any:
    return np.arange(len(dealt)) % 50 == 7


def expected(dealt: np.ndarray[Any, Any], index: pd.Index, name: Any = None) -> pd.Series:
    return pd.Series(pd.array(pokernel.evaluate(dealt), "UInt16"), index, name=name).mask(missing(dealt))


@pytest.mark.parametrize(
    "dtype",
    [pd.StringDtype(na_value=np.nan), object, "string", "string[python]", "category", pd.ArrowDtype(pa.string())],
    ids=str,
)
def test_texts(dealt: np.ndarray[Any, Any], index: pd.Index, dtype: Any) -> None:
    texts = pd.Series(pokernel.format_hands(dealt, " ").tolist(), index, object, name="hand").mask(missing(dealt))
    hands = texts.astype(dtype)
    pd.testing.assert_series_equal(poker.strength(hands), expected(dealt, index, "hand"))
    pd.testing.assert_series_equal(poker.strength(hands[5:700][::-2]), expected(dealt, index, "hand")[5:700][::-2])


@pytest.mark.parametrize(
    "dtype", [object, pd.ArrowDtype(pa.list_(pa.uint8())), pd.ArrowDtype(pa.list_(pa.int64(), 7))], ids=str
)
def test_lists(dealt: np.ndarray[Any, Any], index: pd.Index, dtype: Any) -> None:
    hands = pd.Series(dealt.tolist(), index, object).mask(missing(dealt), None).astype(dtype)
    pd.testing.assert_series_equal(poker.strength(hands), expected(dealt, index))


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float64", "UInt8", "Int64", "uint8[pyarrow]", object, str])
def test_columns(dealt: np.ndarray[Any, Any], index: pd.Index, dtype: Any) -> None:
    cards = pokernel.format_hands(dealt[..., np.newaxis]) if dtype is str else dealt
    for order in ("C", "F"):
        frame = pd.DataFrame(np.array(cards, order=order), index)
        if dtype in ("uint8", "int64"):
            everything = pd.Series(pd.array(pokernel.evaluate(dealt), "UInt16"), index)
            pd.testing.assert_series_equal(poker.strength(frame.astype(dtype)), everything)
        else:
            frame = frame.astype(object)
            frame.loc[missing(dealt), :] = None
            frame = frame.astype("string" if dtype is str else dtype)
            pd.testing.assert_series_equal(poker.strength(frame), expected(dealt, index))


def test_one_missing_card(dealt: np.ndarray[Any, Any]) -> None:
    frame = pd.DataFrame(dealt).astype(float)
    frame.iloc[3, 2] = np.nan
    assert poker.strength(frame).isna().to_list() == [row == 3 for row in range(len(dealt))]


def test_every_function(dealt: np.ndarray[Any, Any], index: pd.Index) -> None:
    hands = pd.Series(pokernel.format_hands(dealt), index, name="hand").mask(missing(dealt))
    strengths = expected(dealt, index, "hand")
    for name, dtype in TYPES.items():
        found = getattr(poker, name)(hands)
        assert found.dtype == dtype
        assert found.name == "hand"
        pd.testing.assert_index_equal(found.index, index)
        assert (found.isna() == missing(dealt)).all()
    known = ~missing(dealt)
    kinds = [pokernel.Category(kind).label for kind in pokernel.category(pokernel.evaluate(dealt))]
    assert poker.category(hands)[known].to_list() == np.array(kinds)[known].tolist()
    assert poker.describe(hands)[known].to_list() == pokernel.describe(pokernel.evaluate(dealt))[known].tolist()
    fives = pokernel.format_hands(pokernel.best_five(dealt))
    assert poker.best_five(hands)[known].to_list() == fives[known].tolist()
    assert poker.valid(hands)[known].all()
    pd.testing.assert_series_equal(poker.category(strengths), poker.category(hands))
    pd.testing.assert_series_equal(poker.describe(strengths), poker.describe(hands))
    pd.testing.assert_series_equal(poker.describe(strengths[known].astype("int32")), poker.describe(hands[known]))


def test_categories_sort_by_strength() -> None:
    kinds = poker.category(pd.Series([STEEL, NOTHING, None, ROYAL]))
    assert kinds.sort_values().to_list()[:3] == ["High card", "Straight flush", "Royal flush"]
    assert (kinds > "Flush").to_list() == [True, False, False, True]
    assert kinds.cat.categories.to_list() == [kind.label for kind in pokernel.Category]
    assert kinds.max() == "Royal flush"


def test_groups(dealt: np.ndarray[Any, Any], index: pd.Index) -> None:
    frame = pd.DataFrame({"hand": pokernel.format_hands(dealt), "seat": np.arange(len(dealt)) % 6}, index)
    frame["strength"] = poker.strength(frame["hand"])
    best = frame.groupby("seat")["strength"].max()
    assert best.to_list() == [pokernel.evaluate(dealt[seat::6]).max() for seat in range(6)]
    by_kind = frame.groupby(poker.category(frame["hand"]), observed=False).size()
    assert by_kind.index.to_list() == [kind.label for kind in pokernel.Category]
    assert by_kind.sum() == len(dealt)


@pytest.mark.parametrize(
    "hands", [pd.Series([], dtype="str"), pd.Series([], dtype=object), pd.DataFrame({"a": [], "b": []})]
)
def test_nothing(hands: Any) -> None:
    for name, dtype in TYPES.items():
        found = getattr(poker, name)(hands)
        assert (found.dtype, len(found)) == (dtype, 0)


@pytest.mark.parametrize(
    "hands", [pd.Series([None, None]), pd.Series([np.nan, np.nan]), pd.Series([None, None], dtype="string")]
)
def test_nothing_but_what_is_missing(hands: Any) -> None:
    for name, dtype in TYPES.items():
        found = getattr(poker, name)(hands)
        assert (found.dtype, found.isna().to_list()) == (dtype, [True, True])


def test_boards(dealt: np.ndarray[Any, Any], index: pd.Index) -> None:
    holes, boards = (pd.Series(pokernel.format_hands(part, " "), index) for part in (dealt[:, :2], dealt[:, 2:]))
    all_known = pd.Series(pd.array(pokernel.evaluate(dealt), "UInt16"), index)
    pd.testing.assert_series_equal(poker.strength(holes, boards), all_known)
    pd.testing.assert_series_equal(poker.strength(holes, pd.DataFrame(dealt[:, 2:], index)), all_known)
    pd.testing.assert_series_equal(poker.strength(pd.DataFrame(dealt[:, :2], index), boards), all_known)
    for board in ("2c 7d 9h Js 3c", pokernel.parse_cards("2c 7d 9h Js 3c")):
        assert poker.strength(pd.Series(["AsAh", None, "KsKh"]), board).to_list() == [4028, pd.NA, 3808]
    with pytest.raises(pokernel.PokernelError, match="another index"):
        poker.strength(holes, boards[::-1])


def test_errors_name_the_row() -> None:
    hands = pd.Series([ROYAL, None, BAD, "AsKs"], index=list("wxyz"))
    with pytest.raises(pokernel.CardError, match=r"^row 2: no card at position 12 of .* \(2 of 4 rows are bad\)$"):
        poker.strength(hands)
    for function in (poker.category, poker.describe, poker.best_five):
        with pytest.raises(pokernel.CardError, match=r"^row 2: "):
            function(hands)
        assert function(hands, on_error="null").isna().to_list() == [False, True, True, True]
    assert poker.valid(hands).to_list() == [True, pd.NA, False, False]
    with pytest.raises(pokernel.PokernelError, match="7463 is no strength"):
        poker.category(pd.Series([1, 7463]))
    with pytest.raises(ValueError, match="on_error"):
        poker.strength(hands, on_error="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "hands",
    [
        pd.Series(["AsKs", 5]),
        pd.Series([True]),
        pd.Series([1 + 2j]),
        pd.Series([pd.Timestamp("2026-01-01")]),
        pd.DataFrame([[True, 2, 3, 4, 5]]),
        [ROYAL],
        np.arange(5),
        None,
    ],
    ids=str,
)
def test_what_cannot_hold_cards(hands: Any) -> None:
    with pytest.raises(TypeError) as caught:
        poker.strength(hands)
    assert "\n" not in str(caught.value)


def test_uci(shared_data: Path) -> None:
    lines = pd.Series((shared_data / "uci_poker_training.csv").read_text().splitlines())
    fields = lines.str.split(",")
    whole = fields.str.len() == 11
    numbers = pd.DataFrame(fields[whole].to_list(), lines.index[whole]).astype(int)
    suits = {number: suit for suit, number in enumerate((4, 3, 1, 2))}
    cards = {i: (numbers[2 * i + 1] + 11) % 13 * 4 + numbers[2 * i].map(suits) for i in range(5)}
    # A line with a field too many or too few says not which cards it is about: no card is right there.
    frame = pd.DataFrame(cards).reindex(lines.index, fill_value=99)
    assert (lines.index[~poker.valid(frame)] + 1).to_list() == [38, 25010]
    kinds = poker.category(frame, on_error="null")
    assert kinds.count() == 25_008
    assert (kinds[whole].cat.codes == numbers[10]).sum() == 24_998


def test_on_error_is_looked_at_first() -> None:
    for hands in (pd.DataFrame([[51, 47, 43, 39, 35]]), pd.Series([ROYAL]), pd.Series([7462])):
        for ask in (poker.strength, poker.category, poker.describe, poker.best_five):
            with pytest.raises(pokernel.PokernelError, match="on_error must be 'raise' or 'null', not 'oops'"):
                ask(hands, on_error="oops")  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", [35.5, np.inf, -np.inf, 1e300], ids=str)
def test_numbers_that_are_not_whole_are_bad_rows(cell: float) -> None:
    frame = pd.DataFrame([[51, 47, 43, 39, 35], [51, 47, 43, 39, cell], [51, 47, 43, 39, np.nan]])
    assert poker.valid(frame).to_list() == [True, False, pd.NA]
    assert poker.strength(frame, on_error="null").to_list() == [7462, pd.NA, pd.NA]
    with pytest.raises(pokernel.CardError, match=r"^row 1: .*-1.* \(1 of 3 rows is bad\)"):
        poker.strength(frame)


@pytest.mark.parametrize("hand", [10**30, "As\ud800", [10**30, 1, 2, 3, 4], ["As\ud800"]], ids=ascii)
def test_what_arrow_has_no_room_for_is_a_bad_row(hand: Any) -> None:
    hands = pd.Series([None, hand], dtype=object)
    assert poker.valid(hands).to_list() == [pd.NA, False]
    with pytest.raises(pokernel.CardError, match=r"^row 1: "):
        poker.strength(hands)


@pytest.mark.parametrize("dtype", ["float64", "Float32", "category", "Int64", pd.ArrowDtype(pa.float64())], ids=str)
def test_strengths_with_gaps(dtype: Any) -> None:
    strengths = pd.Series([7462, None, 1]).astype(dtype)
    assert poker.category(strengths).astype(object).fillna("").to_list() == ["Royal flush", "", "High card"]
    assert poker.describe(strengths).to_list()[:2] == ["Royal flush", pd.NA]
    assert poker.category(pd.Series([7462, 1]).astype("category")).to_list() == ["Royal flush", "High card"]
    with pytest.raises(pokernel.PokernelError, match="-1 is no strength"):
        poker.category(pd.Series([1.5]))


@pytest.mark.parametrize("name", ["strength", "category", "describe", "best_five", "valid"])
def test_methods_of_the_accessor_are_the_functions(name: str, dealt: np.ndarray[Any, Any]) -> None:
    function: Any = getattr(poker, name)
    options: dict[str, Any] = {"threads": 1} | ({"on_error": "null"} if name != "valid" else {})
    texts = pd.Series([*pokernel.format_hands(dealt[:, :2]).tolist(), "x", None], name="hand")
    boards = pd.Series([*pokernel.format_hands(dealt[:, 2:]).tolist(), "2c3c4c", "2c3c4c"])
    for hands, board in ((pd.DataFrame(dealt), None), (texts, boards)):
        found = getattr(hands.poker, name)(board, **options)
        pd.testing.assert_series_equal(found, function(hands, board, **options))
