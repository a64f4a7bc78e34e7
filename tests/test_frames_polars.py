"""The namespace of polars: the same strengths as `evaluate` in every engine and context, exact types, nulls kept."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from polars.testing import assert_series_equal

import pokernel
from pokernel.frames.polars import CATEGORY

pl: Any = polars  # of whose expressions mypy does not know the namespace
ROYAL, STEEL, NOTHING = "As Ks Qs Js Ts", "9h8h7h6h5h 2c", "7c 5d 4h 3s 2c"
HAND = pl.col("hand").poker


@pytest.fixture
def dealt(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (3000, 1))
    return np.ascontiguousarray(rng.permuted(deck, axis=1)[:, :7])


@pytest.fixture
def frame(dealt: np.ndarray[Any, Any]) -> Any:
    """Each hand as text, as a list, as an array and in columns, every 50th missing; its true strength."""
    strength = pokernel.evaluate(dealt)
    missing = np.arange(len(dealt)) % 50 == 7
    text = [
        None if gone else hand for gone, hand in zip(missing, pokernel.format_hands(dealt, " ").tolist(), strict=True)
    ]
    cards = [None if gone else hand for gone, hand in zip(missing, dealt.tolist(), strict=True)]
    return pl.DataFrame(
        {
            "group": np.arange(len(dealt)) % 11,
            "text": text,
            "list": pl.Series(cards, dtype=pl.List(pl.UInt8)),
            "array": pl.Series(cards, dtype=pl.Array(pl.Int64, 7)),
            "names": pl.Series([hand and hand.split() for hand in text], dtype=pl.List(pl.String)),
            "true": pl.Series(
                [None if gone else s for gone, s in zip(missing, strength.tolist(), strict=True)], dtype=pl.UInt16
            ),
        }
    ).hstack([pl.Series(f"c{i}", [hand and hand[i] for hand in cards], dtype=pl.UInt8) for i in range(7)])


HANDS: dict[str, Callable[[], Any]] = {
    "text": lambda: pl.col("text"),
    "list": lambda: pl.col("list"),
    "array": lambda: pl.col("array"),
    "names": lambda: pl.col("names"),
    "struct": lambda: pl.struct("^c[0-6]$"),
    "struct of int64": lambda: pl.struct(pl.col("^c[0-6]$").cast(pl.Int64)),
}


@pytest.fixture(params=list(HANDS))
def hands(request: pytest.FixtureRequest) -> Any:
    return HANDS[request.param]().alias("hand")


def series_equal(found: Any, expected: Any) -> None:
    assert_series_equal(found, expected, check_names=False)


def test_every_layout_in_every_engine(frame: Any, hands: Any) -> None:
    query = frame.lazy().select("true", strength=hands.poker.strength())
    for table in (
        query.collect(engine="in-memory"),
        query.collect(engine="streaming"),
        frame.select("true", strength=hands.poker.strength()),
        pl.collect_all([query])[0],
    ):
        assert table.schema["strength"] == pl.UInt16
        series_equal(table["strength"], table["true"])
    assert query.collect_schema()["strength"] == pl.UInt16


def test_categories_and_words(frame: Any, hands: Any) -> None:
    table = frame.select("true", category=hands.poker.category(), words=hands.poker.describe())
    assert table.schema == {"true": pl.UInt16, "category": CATEGORY, "words": pl.String}
    for true, category, words in table.iter_rows():
        assert category == (None if true is None else pokernel.category(true).label)
        assert words == (None if true is None else pokernel.describe(true))


def test_of_strengths(frame: Any) -> None:
    table = frame.select(a=pl.col("true").poker.category(), b=pl.col("text").poker.category())
    series_equal(table["a"], table["b"])
    table = frame.select(a=pl.col("true").cast(pl.Int32).poker.describe(), b=pl.col("text").poker.describe())
    series_equal(table["a"], table["b"])
    for wrong in (0, 7463, -1):
        for method in ("category", "describe"):
            with pytest.raises(pokernel.PokernelError, match=rf"{wrong} is no strength"):
                pl.select(getattr(pl.lit(wrong, pl.Int32).poker, method)())


def test_best_five(frame: Any, hands: Any, dealt: np.ndarray[Any, Any]) -> None:
    best = frame.select(hands.poker.best_five()).to_series()
    assert best.dtype == pl.String
    expected = pokernel.format_hands(pokernel.best_five(dealt)).tolist()
    assert best.to_list() == [None if row % 50 == 7 else text for row, text in enumerate(expected)]


def test_categories_sort_by_strength() -> None:
    assert CATEGORY.categories.to_list() == [kind.label for kind in pokernel.Category]
    shuffled = pl.DataFrame({"hand": [STEEL, NOTHING, None, ROYAL]}).select(HAND.category())
    assert shuffled.sort("hand").to_series().to_list() == [None, "High card", "Straight flush", "Royal flush"]
    assert shuffled.filter(pl.col("hand") > "Flush").height == 2


def test_groups_and_windows(frame: Any, hands: Any) -> None:
    strength = hands.poker.strength()
    for engine in ("in-memory", "streaming"):
        best = (
            frame.lazy().group_by("group").agg(found=strength.max(), true=pl.col("true").max()).collect(engine=engine)
        )
        series_equal(best["found"], best["true"])
    lists = frame.group_by("group", maintain_order=True).agg(found=strength, true=pl.col("true"))
    series_equal(lists["found"], lists["true"])
    windows = frame.select(found=strength.max().over("group"), true=pl.col("true").max().over("group"))
    series_equal(windows["found"], windows["true"])
    ranked = frame.select(found=strength.rank("dense").over("group"), true=pl.col("true").rank("dense").over("group"))
    series_equal(ranked["found"], ranked["true"])
    by_name = frame.group_by(hands.poker.category().alias("category")).agg(pl.len())
    assert by_name["len"].sum() == frame.height
    by_true = frame.group_by(pl.col("true").poker.category().alias("category")).agg(pl.len())
    assert dict(by_name.iter_rows()) == dict(by_true.iter_rows())


def test_dynamic_groups() -> None:
    start = datetime.datetime(2026, 1, 1)
    played = pl.DataFrame({"at": [start, start, start + datetime.timedelta(hours=30)], "hand": [ROYAL, NOTHING, STEEL]})
    best = played.group_by_dynamic("at", every="1d").agg(HAND.strength().max())
    assert best["hand"].to_list() == [7462, pokernel.evaluate(STEEL)]


def test_chunks_slices_and_filters(frame: Any, hands: Any) -> None:
    strength = hands.poker.strength()
    pieces = [frame[:1], frame[1:1], frame[1:700], frame[700:]]
    chunked = pl.concat(pieces, rechunk=False)
    assert chunked["text"].n_chunks() > 1
    series_equal(chunked.select(strength).to_series(), frame["true"])
    for part in (
        frame[13:1999],
        frame[13:1999][100:101],
        frame[::3],
        frame.tail(5),
        frame.filter(pl.col("group") == 3),
    ):
        series_equal(part.select(strength).to_series(), part["true"])
    strong = frame.lazy().filter(strength > 5000).select("true").collect()
    series_equal(strong["true"], frame.filter(pl.col("true") > 5000)["true"])


def test_nothing_and_nothing_but_nulls(frame: Any, hands: Any) -> None:
    types = {
        "strength": pl.UInt16,
        "category": CATEGORY,
        "describe": pl.String,
        "best_five": pl.String,
        "valid": pl.Boolean,
    }
    everything = [getattr(hands.poker, method)().alias(method) for method in types]
    for engine in ("in-memory", "streaming"):
        empty = frame.clear().lazy().select(everything).collect(engine=engine)
        assert (empty.schema, empty.height) == (types, 0)
        nulls = frame.filter(pl.col("true").is_null())
        table = nulls.lazy().select(everything).collect(engine=engine)
        assert (table.schema, table.null_count().row(0)) == (types, (nulls.height,) * 5)


def test_a_column_of_type_null() -> None:
    nulls = pl.DataFrame({"hand": [None, None]})
    table = nulls.select(HAND.strength(), b=HAND.category(), c=HAND.describe(), d=HAND.best_five(), e=HAND.valid())
    assert list(table.schema.values()) == [pl.UInt16, CATEGORY, pl.String, pl.String, pl.Boolean]
    assert table.null_count().row(0) == (2,) * 5


def test_a_hand_that_lacks_a_card_is_missing() -> None:
    table = pl.DataFrame({"c0": [51, 51], "c1": [47, None], "c2": [43, 43], "c3": [39, 39], "c4": [35, 35]})
    assert table.select(pl.struct("^c.$").poker.strength()).to_series().to_list() == [7462, None]


def test_categorical_texts() -> None:
    for dtype in (pl.Categorical, pl.Enum([NOTHING, ROYAL])):
        hands = pl.Series("hand", [ROYAL, None, NOTHING, ROYAL], dtype=dtype)
        assert hands.poker.strength().to_list() == [7462, None, 1, 7462]


def test_boards(frame: Any, dealt: np.ndarray[Any, Any]) -> None:
    board = "2c 7d 9h Js 3c"
    holes = pl.DataFrame({"hole": ["AsAh", None, "KsKh"], "c0": [51, None, 47], "c1": [50, 1, 46]})
    for hole in (pl.col("hole"), pl.struct("c0", "c1")):
        for given in (board, pokernel.parse_cards(board), pl.lit(board)):
            assert holes.select(hole.poker.strength(given)).to_series().to_list() == [4028, None, 3808]
            assert holes.select(hole.poker.category(given)).to_series().to_list() == ["One pair", None, "One pair"]
            assert holes.select(hole.poker.valid(given)).to_series().to_list() == [True, None, True]
    texts = pl.DataFrame(
        {"hole": pokernel.format_hands(dealt[:, :2]), "board": pokernel.format_hands(dealt[:, 2:], " ")}
    ).with_columns(flop=pl.Series(dealt[:, 2:5].tolist(), dtype=pl.List(pl.UInt8)))
    for engine in ("in-memory", "streaming"):
        table = texts.lazy().select(pl.col("hole").poker.strength(pl.col("board"))).collect(engine=engine)
        np.testing.assert_array_equal(table["hole"].to_numpy(), pokernel.evaluate(dealt))
    on_flop = texts["hole"].poker.strength(texts["flop"])
    np.testing.assert_array_equal(on_flop.to_numpy(), pokernel.evaluate(dealt[:, :5]))
    fives = texts.select(pl.col("hole").poker.best_five(pl.col("board"))).to_series().to_list()
    assert fives == pokernel.format_hands(pokernel.best_five(dealt)).tolist()


def test_errors_name_the_row() -> None:
    broken = pl.DataFrame({"hand": [ROYAL, None, "As Ks Qs Js Tx", NOTHING]})
    reason = "'As Ks Qs Js Tx': no card at position 12 of 'As Ks Qs Js Tx': 'Tx'"
    with pytest.raises(pokernel.CardError, match=f"^row 2, {reason} .1 of 4 rows is bad."):
        broken.select(HAND.strength())
    with pytest.raises(pokernel.CardError, match=f"^row 2, {reason} .1 of 4 rows is bad.$"):
        broken["hand"].poker.describe()
    for engine in ("in-memory", "streaming"):  # which batch it is in is up to polars
        with pytest.raises(pokernel.CardError, match=rf"^row \d, {reason}"):
            broken.lazy().select(HAND.category()).collect(engine=engine)
    with pytest.raises(pokernel.HandSizeError, match=r"^row 1, 'AsKs': a hand has 5, 6 or 7 cards, not 2"):
        pl.Series([ROYAL, "AsKs"]).poker.strength()
    with pytest.raises(pokernel.DuplicateCardError, match=r"^row 1, \[1, 1, 2, 3, 4\]: 2d"):
        pl.Series([[0, 1, 2, 3, 4], [1, 1, 2, 3, 4]]).poker.strength()
    with pytest.raises(pokernel.CardError, match=r"^row 0, \[51, 47, 43, 39, 99\]: .*99"):
        pl.select(pl.struct(a=51, b=47, c=43, d=39, e=99).poker.strength())
    with pytest.raises(pokernel.DuplicateCardError, match=r"^row 0, 'AsKs', 'QsJsAs': As"):
        pl.select(pl.lit("AsKs").poker.strength(pl.lit("QsJsAs")))
    chunked = pl.concat([broken["hand"].head(2), broken["hand"].tail(2)], rechunk=False)
    assert chunked.n_chunks() == 2
    with pytest.raises(pokernel.CardError, match=r"^row 2, "):
        chunked.poker.best_five()


def test_bad_hands_to_null() -> None:
    broken = pl.DataFrame({"hand": [ROYAL, None, "As Ks Qs Js Tx", "AsKs", "As Ks Qs Js As", "", NOTHING]})
    assert broken.select(HAND.strength(on_error="null")).to_series().to_list() == [
        7462,
        None,
        None,
        None,
        None,
        None,
        1,
    ]
    assert broken.select(HAND.category(on_error="null")).to_series().null_count() == 5
    assert broken.select(HAND.describe(on_error="null")).to_series().null_count() == 5
    assert broken.select(HAND.best_five(on_error="null")).to_series().null_count() == 5
    assert broken.select(HAND.valid()).to_series().to_list() == [True, None, False, False, False, False, True]


@pytest.mark.parametrize("values", [[1.5], [True], [datetime.date(2026, 1, 1)]], ids=str)
def test_what_cannot_hold_cards(values: list[Any]) -> None:
    for on_error in ("raise", "null"):
        with pytest.raises(TypeError):
            pl.Series(values).poker.strength(on_error=on_error)


def test_wrong_option() -> None:
    with pytest.raises(ValueError, match="on_error"):
        pl.Series([ROYAL]).poker.strength(on_error="ignore")


def test_names_are_kept() -> None:
    table = pl.DataFrame({"hand": [ROYAL], "board": ["2c"]})
    for method in ("strength", "category", "describe", "best_five", "valid"):
        assert table.select(getattr(HAND, method)()).columns == ["hand"]
        assert table.select(getattr(HAND, method)(pl.col("board"))).columns == ["hand"]
        assert getattr(table["hand"].poker, method)().name == "hand"
    with_all = table.with_columns(pl.all().poker.valid().name.suffix("_ok"))
    assert with_all.columns == ["hand", "board", "hand_ok", "board_ok"]


def test_uci(shared_data: Path) -> None:
    lines = pl.read_csv(shared_data / "uci_poker_training.csv", has_header=False, separator="\n", new_columns=["line"])
    suits, ranks = "cdhs", "23456789TJQKA"
    fields = lines.with_row_index("number", 1).with_columns(pl.col("line").str.split(",").alias("fields"))

    def card(index: int) -> Any:
        suit, rank = (pl.col("fields").list.get(2 * index + part, null_on_oob=True).cast(pl.Int64) for part in (0, 1))
        suit_text = suit.replace_strict({1: "h", 2: "s", 3: "d", 4: "c"}, default="?", return_dtype=pl.String)
        rank_text = rank.replace_strict(
            {number: ranks[(number + 11) % 13] for number in range(1, 14)}, default="?", return_dtype=pl.String
        )
        return rank_text + suit_text

    # A line with a field too many or too few holds no hand: what the cards would be is as unknown.
    whole = pl.col("fields").list.len() == 11
    hand = pl.when(whole).then(pl.concat_str([card(i) for i in range(5)], separator=" ")).otherwise(pl.col("line"))
    scored = fields.with_columns(hand=hand).with_columns(
        category=HAND.category(on_error="null"), valid=HAND.valid(), label=pl.col("fields").list.last().cast(pl.Int64)
    )
    assert set(suits) == {"c", "d", "h", "s"}
    assert scored.filter(~pl.col("valid"))["number"].to_list() == [38, 25010]
    good = scored.filter("valid")
    assert good.height == 25_008
    assert (good["category"].to_physical() == good["label"]).sum() == 24_998


def test_dictionaries_may_be_longer_than_batches() -> None:
    names = pl.Enum([pokernel.format_card(card) for card in range(52)])
    rows = [ROYAL.split(), ["7c", "5d", "4h", "3s", "2c"]]
    frame = pl.DataFrame({f"c{i}": pl.Series([row[i] for row in rows], dtype=names) for i in range(5)})
    assert frame.select(pl.struct(pl.all()).poker.strength()).to_series().to_list() == [7462, 1]
    assert frame.select(pl.struct(pl.all()).poker.valid()).to_series().to_list() == [True, True]
    assert pl.Series(rows, dtype=pl.List(names)).poker.strength().to_list() == [7462, 1]
    hands = pl.Enum([ROYAL, NOTHING, "x"])
    assert pl.Series([NOTHING], dtype=hands).poker.strength().to_list() == [1]
    assert pl.Series([None], dtype=pl.Enum([])).poker.strength().to_list() == [None]


def test_on_error_is_looked_at_first() -> None:
    for hands in (pl.DataFrame([[51], [47], [43], [39], [35]]).to_struct("hand"), pl.Series([ROYAL]), pl.Series([7])):
        for ask in ("strength", "category", "describe", "best_five"):
            with pytest.raises(pokernel.PokernelError, match="on_error must be 'raise' or 'null', not 'oops'"):
                getattr(hands.poker, ask)(on_error="oops")


def test_wide_integers_and_objects_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="cards are integers or texts, not Int128"):
        pl.Series([1], dtype=pl.Int128).poker.strength()
    wide = pl.DataFrame({f"c{i}": pl.Series([i], dtype=pl.Int128) for i in range(5)})
    with pytest.raises(TypeError, match="cards are integers or texts, not Struct"):
        wide.to_struct("hand").poker.strength()
    with pytest.raises(TypeError, match="cards are integers or texts, not Object"):
        pl.Series([object()]).poker.valid()
