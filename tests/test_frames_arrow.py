"""Hands in Arrow memory: every layout gives what ``pokernel.evaluate`` gives of the same hands."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import RunPython
from layouts import deal
from numpy.typing import NDArray

import pokernel
from pokernel.errors import CardError, DuplicateCardError, HandSizeError, PokernelError
from pokernel.frames import arrow

Cards = NDArray[np.uint8]


def texts_of(hands: Cards, kind: pa.DataType | None = None) -> pa.Array:
    return pa.array(pokernel.format_hands(hands).tolist(), kind or pa.string())


def lists_of(hands: Cards, kind: pa.DataType) -> pa.Array:
    return pa.array(hands.tolist(), kind)


def columns_of(hands: Cards, kind: pa.DataType) -> pa.RecordBatch:
    return pa.record_batch([pa.array(column, kind) for column in hands.T], [f"c{i}" for i in range(hands.shape[1])])


def names_of(hands: Cards) -> list[list[str]]:
    return [[pokernel.format_card(card) for card in hand] for hand in hands]


LAYOUTS: dict[str, Callable[[Cards], Any]] = {
    "string": texts_of,
    "string_view": lambda hands: texts_of(hands, pa.string_view()),
    "dictionary": lambda hands: texts_of(hands).dictionary_encode(),
    "binary(2k)": lambda hands: pa.array(
        [t.encode() for t in texts_of(hands).to_pylist()], pa.binary(2 * hands.shape[1])
    ),
    "spaced": lambda hands: pa.array(pokernel.format_hands(hands, " ").tolist()),
    "list<uint8>": lambda hands: lists_of(hands, pa.list_(pa.uint8())),
    "list<int64>": lambda hands: lists_of(hands, pa.list_(pa.int64())),
    "large_list<uint64>": lambda hands: lists_of(hands, pa.large_list(pa.uint64())),
    "list_view<int8>": lambda hands: lists_of(hands, pa.list_view(pa.int8())),
    "fixed_size_list<uint8>": lambda hands: lists_of(hands, pa.list_(pa.uint8(), hands.shape[1])),
    "fixed_size_list<int16>": lambda hands: lists_of(hands, pa.list_(pa.int16(), hands.shape[1])),
    "list<string>": lambda hands: pa.array(names_of(hands)),
    "list<dictionary>": lambda hands: pa.array(names_of(hands), pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    "fixed_size_list<string>": lambda hands: pa.array(names_of(hands), pa.list_(pa.string(), hands.shape[1])),
    "columns of uint8": lambda hands: columns_of(hands, pa.uint8()),
    "columns of int64": lambda hands: columns_of(hands, pa.int64()),
    "columns of texts": lambda hands: pa.RecordBatch.from_arrays(
        [pa.array(column) for column in np.array(names_of(hands)).reshape(hands.shape).T.tolist()],
        list("abcdefg")[: hands.shape[1]],
    ),
    "struct": lambda hands: columns_of(hands, pa.uint8()).to_struct_array(),
}


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout: str, k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 500, k)
    expected = pokernel.evaluate(hands)
    data = LAYOUTS[layout](hands)
    for start, length in ((0, 500), (3, 490), (499, 1), (500, 0)):
        found = arrow.strengths(data.slice(start, length))
        assert found.type == pa.uint16()
        assert isinstance(found, pa.Array)
        found.validate(full=True)
        assert found.to_pylist() == expected[start : start + length].tolist()
    best = arrow.best_five(data)
    best.validate(full=True)
    assert best.to_pylist() == [pokernel.format_cards(hand) for hand in pokernel.best_five(hands)]
    assert arrow.valid(data).to_pylist() == [True] * 500


@pytest.mark.parametrize("layout", LAYOUTS)
def test_chunks_stay(layout: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 100, 7)
    data = LAYOUTS[layout](hands)
    cuts = [data.slice(0, 10), data.slice(10, 0), data.slice(10, 60), data.slice(70)]
    chunked = pa.Table.from_batches(cuts) if isinstance(data, pa.RecordBatch) else pa.chunked_array(cuts)
    expected = pokernel.evaluate(hands).tolist()
    for found in (arrow.strengths(chunked), arrow.strengths(chunked, threads=2)):
        assert isinstance(found, pa.ChunkedArray)
        assert [len(chunk) for chunk in found.chunks] == [10, 0, 60, 30]
        assert found.to_pylist() == expected
    assert arrow.strengths(chunked[:0]).to_pylist() == []
    assert arrow.strengths(data.slice(0, 0)).type == pa.uint16()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("column", [0, 4])
def test_nulls_stay(layout: str, column: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 64, 5)
    data = LAYOUTS[layout](hands)
    missing = rng.random(64) < 0.3
    take = pa.array(np.arange(64), mask=missing)
    if isinstance(data, pa.RecordBatch):
        columns = data.columns
        columns[column] = columns[column].take(take)
        data = pa.RecordBatch.from_arrays(columns, data.schema.names)
    else:
        data = pa.array(
            data.take(take).to_pylist()
            if "view" not in layout
            else [None if null else value for null, value in zip(missing, data.to_pylist(), strict=True)],
            data.type,
        )
    expected = [
        None if null else strength for null, strength in zip(missing, pokernel.evaluate(hands).tolist(), strict=True)
    ]
    for start in (0, 5, 16):
        found = arrow.strengths(data.slice(start))
        found.validate(full=True)
        assert found.to_pylist() == expected[start:]
        assert arrow.valid(data.slice(start)).to_pylist() == [
            None if strength is None else True for strength in expected[start:]
        ]
        assert [text is None for text in arrow.best_five(data.slice(start)).to_pylist()] == missing[start:].tolist()


def test_a_null_card_makes_a_null_hand() -> None:
    hands = [[51, 47, None, 39, 35], [51, 47, 43, 39, 35], None]
    for kind in (pa.list_(pa.int32()), pa.list_(pa.uint8(), 5)):
        assert arrow.strengths(pa.array(hands, kind)).to_pylist() == [None, 7462, None]
    assert arrow.strengths(pa.nulls(3)).to_pylist() == [None] * 3
    columns = [pa.nulls(2), *(pa.array([card, card]) for card in (1, 2, 3, 4))]
    assert arrow.strengths(pa.record_batch(columns, list("abcde"))).to_pylist() == [None] * 2
    struct = pa.StructArray.from_arrays(
        [pa.array([card, card]) for card in (51, 47, 43, 39, 35)], list("abcde"), mask=pa.array([False, True])
    )
    assert arrow.strengths(struct).to_pylist() == [7462, None]


def test_sizes_and_spellings_mix() -> None:
    texts = ["AsKsQsJsTs", "as ks qs js 10s 2c", None, "A♠,K♠, Q♠️ J ♠T♠ 2♣ 3♦", " 7c5d4h3s2c\t"]
    assert arrow.strengths(pa.array(texts)).to_pylist() == [7462, 7462, None, 7462, 1]
    assert arrow.best_five(pa.array(texts)).to_pylist() == [
        "AsKsQsJsTs",
        "AsKsQsJsTs",
        None,
        "AsKsQsJsTs",
        "7c5d4h3s2c",
    ]
    lists = pa.array([[51, 47, 43, 39, 35], [51, 47, 43, 39, 35, 0, 5], None])
    assert arrow.strengths(lists).to_pylist() == [7462, 7462, None]


BAD = [
    (pa.array(["AsKsQsJsTs", "AsKsQsJsTx", "x"]), CardError, "row 1: no card at position 8 of 'AsKsQsJsTx': 'Tx' (2 of 3 rows are bad)"),
    (pa.array(["AsKsQsJsTs", "AsKsQsJsAs"]), DuplicateCardError, "row 1: As twice in 'AsKsQsJsAs': at positions 0 and 8 (1 of 2 rows is bad)"),
    (pa.array(["AsKs", None]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 2 (1 of 2 rows is bad)"),
    (pa.array([""]), CardError, "row 0: no card in '' (1 of 1 row is bad)"),
    (pa.array([b"AsKs\xff"]), CardError, "row 0: no card at position 4 of 'AsKs\\\\xff': '\\\\xff' (1 of 1 row is bad)"),
    (pa.array(["22334455667788"]), CardError, "row 0: no card at position 0 of '22334455667788': '22334455667788' (1 of 1 row is bad)"),
    (pa.array([pokernel.format_cards(range(8))]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 8 (1 of 1 row is bad)"),
    (pa.array([pokernel.format_cards(range(52))]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 52 (1 of 1 row is bad)"),
    (pa.array([[51, 47, 43, 39, 35], [51, 52, 0, 1, 2]]), CardError, "row 1: 52 is no card: cards run from 0 to 51 (1 of 2 rows is bad)"),
    (pa.array([[51, -1, 0, 1, 2]], pa.list_(pa.int8(), 5)), CardError, "row 0: -1 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
    (pa.array([[51, 300, 0, 1, 2]], pa.list_(pa.int64(), 5)), CardError, "row 0: 300 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
    (pa.array([[51, 2**64 - 1, 0, 1, 2]], pa.list_(pa.uint64(), 5)), CardError, "row 0: 18446744073709551615 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
    (pa.array([[51, 255, 0, 1, 2]], pa.list_(pa.uint8(), 5)), CardError, "row 0: 255 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
    (pa.array([[1, 2, 3, 4, 1]]), DuplicateCardError, "row 0: 2d (1) is there twice (1 of 1 row is bad)"),
    (pa.array([[1, 2, 3, 4, 1]], pa.list_(pa.uint8(), 5)), DuplicateCardError, "row 0: 2d (1) is there twice (1 of 1 row is bad)"),
    (pa.array([[1, 2], [], [1, 2, 3, 4, 5]]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 2 (2 of 3 rows are bad)"),
    (pa.array([list(range(60))]), CardError, "row 0: 52 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
    (pa.array([["As", "Ks", "Qs", "Js", "Xs"]]), CardError, "row 0: no card at position 0 of 'Xs': 'Xs' (1 of 1 row is bad)"),
    (pa.array([["As", "Ks", "Qs", "Js Ts"]]), CardError, "row 0: one card expected, another at position 3 of 'Js Ts' (1 of 1 row is bad)"),
    (pa.table({"a": [0, 1], "b": [1, 2], "c": [2, 3], "d": [3, 4], "e": [4, 99]}), CardError, "row 1: column e: 99 is no card: cards run from 0 to 51 (1 of 2 rows is bad)"),
    (pa.table({"a": [0], "b": ["2d"], "c": [0], "d": [3], "e": [4]}), DuplicateCardError, "row 0: 2c (0) is there twice (1 of 1 row is bad)"),
    (pa.table({"a": [0], "b": [1]}), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 2 (1 of 1 row is bad)"),
    (pa.array([5]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 1 (1 of 1 row is bad)"),
    (pa.chunked_array([["AsKsQsJsTs", "x"], [], ["AsKsQsJsTs", "y"]]), CardError, "row 1: no card at position 0 of 'x': 'x' (2 of 4 rows are bad)"),
    (pa.chunked_array([["AsKsQsJsTs", None], ["AsKsQsJsTs", "y"]]), CardError, "row 3: no card at position 0 of 'y': 'y' (1 of 4 rows is bad)"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "error", "message"), BAD)
def test_rows_that_are_no_hands(data: Any, error: type[Exception], message: str) -> None:
    for ask in (arrow.strengths, arrow.best_five):
        with pytest.raises(error) as caught:
            ask(data)
        assert str(caught.value) == message
        assert type(caught.value) is error
    nulls = arrow.strengths(data, on_error="null").to_pylist()
    count = int(message.split("(")[-1].split()[0])
    flags = arrow.valid(data).to_pylist()
    assert flags.count(False) == count
    assert [strength is not None for strength in nulls] == [bool(flag) for flag in flags]
    assert [text is not None for text in arrow.best_five(data, on_error="null").to_pylist()] == [
        bool(flag) for flag in flags
    ]
    if not isinstance(data, pa.Table):
        assert arrow.strengths(data.take(pa.array([0, None])), on_error="null").to_pylist() == [nulls[0], None]


def test_boards(rng: np.random.Generator) -> None:
    hands = deal(rng, 200, 7)
    holes, boards, expected = hands[:, :2], hands[:, 2:], pokernel.evaluate(hands)
    for hole in (texts_of(holes), lists_of(holes, pa.list_(pa.uint8(), 2)), columns_of(holes, pa.uint8())):
        for board in (
            texts_of(boards, pa.string_view()),
            lists_of(boards, pa.list_(pa.int16())),
            columns_of(boards, pa.uint8()),
        ):
            assert arrow.strengths(hole, board).to_pylist() == expected.tolist()
            assert arrow.best_five(hole, board).to_pylist() == arrow.best_five(texts_of(hands)).to_pylist()
    chunks = pa.chunked_array([texts_of(boards[:50]), texts_of(boards[50:])])
    found = arrow.strengths(pa.chunked_array([texts_of(holes[:20]), texts_of(holes[20:])]), chunks)
    assert [len(chunk) for chunk in found.chunks] == [20, 180]
    assert found.to_pylist() == expected.tolist()
    assert isinstance(arrow.strengths(texts_of(holes), chunks), pa.Array)


@pytest.mark.parametrize(
    "board", ["2c 7d 9h Js 3c", [0, 21, 30, 39, 4], ("2c", "7d", "9h", "Js", "3c"), np.array([0, 21, 30, 39, 4])]
)
def test_one_board_for_all(board: Any) -> None:
    for holes in (pa.array(["AsAh", "KsKh", None]), pa.array([[51, 50], [47, 46], None])):
        assert arrow.strengths(holes, board).to_pylist() == [4028, 3808, None]
    for holes in (pa.array([[51, 50], [47, 46]], pa.list_(pa.uint8(), 2)), pa.table({"a": [51, 47], "b": [50, 46]})):
        assert arrow.strengths(holes, board).to_pylist() == [4028, 3808]


@pytest.mark.parametrize("nothing", [None, "", " ", [], (), np.array([], int)])
def test_no_board(nothing: Any) -> None:
    assert arrow.strengths(pa.array(["AsKsQsJsTs"]), nothing).to_pylist() == [7462]


def test_boards_that_do_not_go_with_the_hands() -> None:
    holes = pa.array(["AsAh", "KsKh"])
    for board, message in (
        ("AsKd", "row 0: a hand has 5, 6 or 7 cards, not 2 + 2 = 4 (2 of 2 rows are bad)"),
        ("As Kd 3c 2d 7h", "row 0: As (51) is there twice (1 of 2 rows is bad)"),
        (
            pa.array(["2c 7d 9h Js 3c", "2c 7d 9h Js 3x"]),
            "row 1: board: no card at position 12 of '2c 7d 9h Js 3x': '3x' (1 of 2 rows is bad)",
        ),
        (pa.array(["2c 7d 9h Js 3c", "2c 7d 9h Ks 3d"]), "row 1: Ks (47) is there twice (1 of 2 rows is bad)"),
        (pa.array(["2c 7d 9h Js 3c"]), "hands and board do not go together: they have 2 and 1 rows"),
        ("2c2c", "board: 2c twice in '2c2c': at positions 0 and 2"),
        ([0, 99], "board: 99 at position 1 is no card, cards are 0 to 51"),
    ):
        with pytest.raises(PokernelError) as caught:
            arrow.strengths(holes, board)
        assert str(caught.value) == message
    assert arrow.strengths(holes, pa.array([None, "2c 7d 9h Js 3c"])).to_pylist() == [None, 3808]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (["AsKsQsJsTs"], "hands must be Arrow data, such as a pyarrow.Array, not list"),
        ("AsKsQsJsTs", "hands must be Arrow data, such as a pyarrow.Array, not str"),
        (np.zeros((1, 5)), "hands must be Arrow data, such as a pyarrow.Array, not ndarray"),
        (pa.array([1.5]), "cards are integers or texts, not double"),
        (pa.array([True]), "cards are integers or texts, not bool"),
        (pa.array([[1.0] * 5]), "cards are integers or texts, not double"),
        (pa.array([[[1] * 5]]), "cards are integers or texts, not list<item: int64>"),
        (pa.table({"a": ["As"], "b": [2.0]}), "column b: cards are integers or texts, not double"),
        (pa.table({}), "hands have no columns"),
    ],
    ids=str,
)
def test_what_holds_no_cards(data: Any, message: str) -> None:
    for ask in (arrow.strengths, arrow.best_five, arrow.valid):
        with pytest.raises(TypeError) as caught:
            ask(data)
        assert str(caught.value) == message


def test_options_are_checked() -> None:
    hands = pa.array(["AsKsQsJsTs"])
    with pytest.raises(PokernelError, match="on_error must be 'raise' or 'null', not 'skip'"):
        arrow.strengths(hands, on_error="skip")  # type: ignore[arg-type]
    with pytest.raises(PokernelError, match="threads must be at least 1"):
        arrow.strengths(hands, threads=0)


class Capsule:
    """What has nothing but the capsules."""

    def __init__(self, data: Any) -> None:
        method = "__arrow_c_array__" if hasattr(data, "__arrow_c_array__") else "__arrow_c_stream__"
        setattr(type(self), method, lambda self, requested_schema=None: getattr(data, method)(requested_schema))


def test_capsules(rng: np.random.Generator) -> None:
    hands = deal(rng, 30, 7)
    expected = pokernel.evaluate(hands).tolist()
    for data, kind in (
        (texts_of(hands, pa.string_view()), pa.Array),
        (columns_of(hands, pa.uint8()), pa.Array),
        (pa.chunked_array([texts_of(hands)]), pa.ChunkedArray),
        (pa.Table.from_batches([columns_of(hands, pa.uint8())]), pa.ChunkedArray),
    ):
        capsule = type("Own", (Capsule,), {})(data)
        found = arrow.strengths(capsule)
        assert isinstance(found, kind)
        assert found.to_pylist() == expected
        assert arrow.categories(type("Own", (Capsule,), {})(found)).to_pylist() == arrow.categories(found).to_pylist()


def test_wrapped_columns(rng: np.random.Generator) -> None:
    hands = deal(rng, 40, 5)
    expected = pokernel.evaluate(hands).tolist()
    texts = texts_of(hands)
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([10, 40], pa.int32()), texts[:2])
    assert arrow.strengths(runs).to_pylist() == [expected[0]] * 10 + [expected[1]] * 30
    tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(hands)
    assert arrow.strengths(tensors).to_pylist() == expected
    dictionary = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 2]), pa.array(["AsKsQsJsTs", "x", None]))
    assert arrow.strengths(dictionary, on_error="null").to_pylist() == [None, None, 7462, None]
    assert arrow.valid(dictionary).to_pylist() == [False, None, True, None]
    with pytest.raises(CardError, match=r"row 0: no card at position 0 of 'x': 'x' \(1 of 4 rows is bad\)"):
        arrow.strengths(dictionary)


def test_columns_that_lie_about_themselves() -> None:
    """What a producer gets wrong is refused: it is not read, and it is no other row's hand."""
    entries = pa.array(["AsKsQsJsTs", "AsKsQsJs9s"])
    indices = pa.array([0, 5, -1, 1], pa.int8())
    liar = pa.DictionaryArray.from_arrays(indices, entries, safe=False)
    assert arrow.strengths(liar, on_error="null").is_null().to_pylist() == [False, True, True, False]
    with pytest.raises(CardError, match=r"row 1: the dictionary has no entry 5 \(2 of 4 rows are bad\)"):
        arrow.strengths(liar)
    cells = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 3, 9], pa.int8()), pa.array(["As", "Ks", "Qs", "Js"]), safe=False
    )
    with pytest.raises(CardError, match=r"row 0: the dictionary has no entry 9 \(1 of 1 row is bad\)"):
        arrow.strengths(pa.ListArray.from_arrays(pa.array([0, 5], pa.int32()), cells))
    cards = pa.array(range(10), pa.uint8())
    for kind, offsets in (
        (pa.list_(pa.uint8()), np.array([0, 5, 11, 10], np.int32)),
        (pa.large_list(pa.uint8()), np.array([0, 5, -1, 10], np.int64)),
    ):
        liar = pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(offsets)], children=[cards])
        assert arrow.valid(liar).to_pylist() == [True, False, False]
        with pytest.raises(
            CardError, match=r"row 1: the list lies outside the column's memory \(2 of 3 rows are bad\)"
        ):
            arrow.strengths(liar)
    texts = pa.Array.from_buffers(
        pa.string(), 3, [None, pa.py_buffer(np.array([0, 10, 21, 20], np.int32)), pa.py_buffer(b"AsKsQsJsTs" * 2)]
    )
    assert arrow.valid(texts).to_pylist() == [True, False, False]
    with pytest.raises(CardError, match=r"row 1: the text lies outside the column's memory \(2 of 3 rows are bad\)"):
        arrow.strengths(texts)


def test_list_views_in_any_order(rng: np.random.Generator) -> None:
    hands = deal(rng, 40, 7)
    order = rng.permutation(40)
    starts, sizes = pa.array(7 * order, pa.int32()), pa.array([7] * 40, pa.int32())
    views = pa.ListViewArray.from_arrays(starts, sizes, pa.array(hands.reshape(-1)))
    expected = pokernel.evaluate(hands[order]).tolist()
    for start in (0, 11):
        assert arrow.strengths(views.slice(start)).to_pylist() == expected[start:]
    overlapping = pa.ListViewArray.from_arrays(
        pa.array([0, 1, 2], pa.int32()), pa.array([7, 6, 5], pa.int32()), pa.array(hands[0])
    )
    assert arrow.strengths(overlapping).to_pylist() == [pokernel.evaluate(hands[0, start:]) for start in range(3)]


def test_categories_and_words() -> None:
    every = pa.array(range(1, 7463), pa.uint16())
    strengths = np.arange(1, 7463)
    categories = arrow.categories(every)
    assert categories.type == pa.dictionary(pa.uint8(), pa.string(), ordered=True)
    assert (
        tuple(categories.dictionary.to_pylist()) == arrow.CATEGORIES == tuple(kind.label for kind in pokernel.Category)
    )
    assert arrow.category_codes(every).to_pylist() == pokernel.category(strengths).tolist()
    assert categories.indices.to_pylist() == pokernel.category(strengths).tolist()
    assert arrow.describe(every).to_pylist() == pokernel.describe(strengths).tolist()
    some = pa.chunked_array([[7462, None], [], [1]], pa.int64())
    assert [len(chunk) for chunk in arrow.categories(some).chunks] == [2, 0, 1]
    assert arrow.categories(some).to_pylist() == ["Royal flush", None, "High card"]
    assert arrow.describe(some).to_pylist() == ["Royal flush", None, "High card, seven-five-four-three-two"]
    assert arrow.category_codes(pa.nulls(2)).to_pylist() == [None, None]
    assert arrow.describe(pa.array([], pa.uint16())).to_pylist() == []
    for ask in (arrow.categories, arrow.category_codes, arrow.describe):
        with pytest.raises(
            PokernelError, match=r"index 1: 0 is no strength: strengths run from 1 to 7462 \(2 of 4 out of range\)"
        ):
            ask(pa.array([1, 0, None, 7463]))
        with pytest.raises(TypeError, match="a strength is an integer, not double"):
            ask(pa.array([1.0]))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 70_000, 7)
    texts = texts_of(hands).to_pylist()
    texts[40_000] = texts[40_000][:10]
    texts[60_000] = None
    texts[65_000] = "x"
    expected = pokernel.evaluate(hands).tolist()
    expected[40_000], expected[60_000], expected[65_000] = pokernel.evaluate(hands[40_000, :5]), None, None
    column = pa.array(texts)
    assert arrow.strengths(column, on_error="null", threads=threads).to_pylist() == expected
    with pytest.raises(CardError, match=r"row 65000: .* \(1 of 70000 rows is bad\)"):
        arrow.strengths(column, threads=threads)
    assert arrow.best_five(column, on_error="null", threads=threads)[39_000:41_000].to_pylist() == [
        pokernel.format_cards(pokernel.best_five(text)) for text in texts[39_000:41_000]
    ]


def test_uci_training_set(shared_data: Path) -> None:
    lines = [line.split(",") for line in (shared_data / "uci_poker_training.csv").read_text().splitlines()]
    suits = dict(zip("1234", "hsdc", strict=True))
    ranks = {str(number): "A23456789TJQK"[number - 1] for number in range(1, 14)}
    texts = [
        " ".join(ranks.get(r, "?") + suits.get(s, "?") for s, r in zip(line[:10:2], line[1:10:2], strict=True))
        if len(line) == 11
        else "".join(line)
        for line in lines
    ]
    strengths = arrow.strengths(pa.array(texts), on_error="null")
    assert [number for number, strength in enumerate(strengths.to_pylist(), 1) if strength is None] == [38, 25010]
    labels = pa.array([line[-1] for line in lines]).cast(pa.uint8())
    same = [
        code == label
        for code, label in zip(arrow.category_codes(strengths).to_pylist(), labels.to_pylist(), strict=True)
        if code is not None
    ]
    assert (len(same), sum(same)) == (25_008, 24_998)
    with pytest.raises(CardError, match=r"row 37: .* \(2 of 25010 rows are bad\)"):
        arrow.strengths(pa.array(texts))


def test_importing_it_imports_no_compiler(run_python: RunPython) -> None:
    ended = run_python("import sys, pokernel.frames.arrow; print('numba' in sys.modules)")
    assert (ended.stdout, ended.stderr) == ("False\n", "")


@pytest.mark.parametrize("kind", [pa.string(), pa.string_view(), pa.list_(pa.int8())], ids=str)
@pytest.mark.parametrize("index", [pa.int8(), pa.int32(), pa.uint64()], ids=str)
def test_dictionaries_that_lack_entries(index: pa.DataType, kind: pa.DataType) -> None:
    some = pa.array([[51]] if pa.types.is_list(kind) else ["AsKsQsJsTs"], kind)
    for entries in (some, some[:0]):
        column = pa.DictionaryArray.from_arrays(pa.array([7, None], index), entries, safe=False)
        assert arrow.strengths(column, on_error="null").to_pylist() == [None, None]
        assert arrow.valid(column).to_pylist() == [False, None]
        with pytest.raises(CardError, match="row 0: the dictionary has no entry 7"):
            arrow.strengths(column)


@pytest.mark.parametrize("count", [8, 255, 256, 300])
def test_more_cards_than_any_hand_has(count: int) -> None:
    table = pa.RecordBatch.from_arrays([pa.array([0])] * count, [f"c{index}" for index in range(count)])
    with pytest.raises(HandSizeError, match=f"a hand has 5, 6 or 7 cards, not {count}"):
        arrow.strengths(table)
    for board in ([0] * count, [index % 52 for index in range(count)]):
        with pytest.raises(HandSizeError, match=f"board: a hand has 5, 6 or 7 cards, not {count}"):
            arrow.strengths(pa.array(["AsKs"]), board, on_error="null")


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.binary_view(), pa.binary(3)], ids=str
)
def test_texts_that_are_not_utf8(kind: pa.DataType) -> None:
    made = pa.array([b"\xffAs"], kind if "binary" in str(kind) else str(kind).replace("string", "binary"))
    column = pa.Array.from_buffers(kind, 1, made.buffers())
    assert arrow.valid(column).to_pylist() == [False]
    with pytest.raises(CardError, match=r"row 0: .*xff"):
        arrow.strengths(column)


def test_errors_of_boards_say_so() -> None:
    for board in ("2c 7d 9x", [52], [[1, 2, 3], [4, 5, 99]]):
        with pytest.raises((CardError, TypeError)) as caught:
            arrow.strengths(pa.array(["AsKs"] * 2), board)
        assert str(caught.value).startswith("board")


@pytest.mark.parametrize("kind", [pa.float64(), pa.bool_(), pa.date32(), pa.list_(pa.float32()), pa.uuid()], ids=str)
@pytest.mark.parametrize("chunks", [0, 1])
def test_types_are_refused_without_rows(kind: pa.DataType, chunks: int) -> None:
    nothing = pa.chunked_array([pa.nulls(0, kind)] * chunks, kind)
    texts = pa.chunked_array([pa.array([], pa.string())])
    for hands, board in ((nothing, None), (texts, nothing)):
        with pytest.raises(TypeError, match="cards are integers or texts"):
            arrow.strengths(hands, board)


@pytest.mark.parametrize("hands", LAYOUTS)
def test_no_rows_of_any_layout(hands: str) -> None:
    some = LAYOUTS[hands](np.arange(5, dtype=np.uint8).reshape(1, 5))
    assert arrow.strengths(some.slice(0, 0)).to_pylist() == []
    if isinstance(some, pa.Array):
        assert arrow.strengths(pa.chunked_array([], some.type)).to_pylist() == []


@pytest.mark.parametrize(
    "made",
    [
        pa.array(["AsKsQsJsTs"] * 23),
        pa.array(["AsKsQsJsTs"] * 23, pa.large_string()),
        pa.array(["AsKsQsJsTs"] * 23, pa.string_view()),
        pa.array([b"AsKsQsJsTs"] * 23, pa.binary(10)),
        pa.array([51] * 23, pa.int64()),
        pa.array([[51, 47, 43, 39, 35]] * 23, pa.list_(pa.uint8())),
        pa.array([[51, 47, 43, 39, 35]] * 23, pa.large_list(pa.uint8())),
        pa.array([[51, 47, 43, 39, 35]] * 23, pa.list_view(pa.uint8())),
    ],
    ids=lambda made: str(made.type),
)
def test_buffers_that_are_too_short(made: pa.Array) -> None:
    whole = pa.record_batch([made], ["hand"])
    message = whole.serialize().to_pybytes().replace(struct.pack("<q", 23), struct.pack("<q", 9000))
    broken = pa.ipc.read_record_batch(pa.py_buffer(message), whole.schema)
    assert len(broken) == 9000
    for ask in (arrow.strengths, arrow.valid):
        with pytest.raises(PokernelError, match="the Arrow memory is broken"):
            ask(broken)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([b"AsKsQsJsTs2c7dXx"], pa.binary(16)).cast(pa.uuid()),
        pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1], pa.int8())),
    ],
    ids=lambda column: str(column.type),
)
def test_extension_types_that_mean_no_cards(column: pa.Array) -> None:
    for hands in (column, pa.RecordBatch.from_arrays([column] * 5, list("abcde"))):
        with pytest.raises(TypeError, match="cards are integers or texts, not extension"):
            arrow.strengths(hands)


MILLION = 1_000_000
DIRTY: dict[str, Callable[[Any, Any, Any], Any]] = {
    "lists": lambda cards, sizes, nulls: pa.ListArray.from_arrays(
        pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int32()),
        pa.array(cards[np.arange(8) < sizes[:, np.newaxis]]),
        mask=pa.array(nulls),
    ),
    "fixed-size lists": lambda cards, sizes, nulls: pa.FixedSizeListArray.from_arrays(
        pa.array(cards[:, :7].reshape(-1)), 7, mask=pa.array(nulls)
    ),
    "columns": lambda cards, sizes, nulls: pa.RecordBatch.from_arrays(
        [pa.array(column, mask=nulls) for column in cards[:, :6].T], list("abcdef")
    ),
    "dictionaries": lambda cards, sizes, nulls: pa.RecordBatch.from_arrays(
        [pa.array(column, mask=nulls).dictionary_encode() for column in cards[:, :5].T], list("abcde")
    ),
}


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
@pytest.mark.parametrize("layout", DIRTY)
def test_a_million_rows_of_dirty_numbers(layout: str, dtype: type, rng: np.random.Generator) -> None:
    """Which rows are hands is asked of numpy; what those are worth, of plain arrays of them."""
    cards = np.argpartition(rng.random((MILLION, 12), np.float32), 8)[:, :8] * 4 + rng.integers(0, 4, (MILLION, 8))
    wild = rng.random((MILLION, 8), np.float32) < 0.02
    cards = np.where(wild, rng.integers(-128, 128, cards.shape), cards).astype(dtype)
    if dtype is np.int64:
        cards[rng.random(cards.shape, np.float32) < 0.01] += 256  # would be a card again in a byte
    sizes = {"lists": rng.integers(0, 9, MILLION), "columns": 6, "dictionaries": 5}.get(layout, 7)
    sizes = np.broadcast_to(np.asarray(sizes), MILLION)
    nulls = rng.random(MILLION) < 0.01
    found = arrow.strengths(DIRTY[layout](cards, sizes, nulls), on_error="null")
    assert len(found) == MILLION
    is_valid = found.is_valid().to_numpy(zero_copy_only=False)
    strengths = found.fill_null(0).to_numpy()
    accepted = 0
    for size in range(9):
        rows = np.flatnonzero((sizes == size) & ~nulls)
        ascending = np.sort(cards[rows, :size], axis=1)
        good = np.full(len(rows), 5 <= size <= 7)
        if size:
            good &= (ascending[:, 0] >= 0) & (ascending[:, -1] <= 51) & (np.diff(ascending) > 0).all(axis=1)
        np.testing.assert_array_equal(is_valid[rows], good)
        if good.any():
            np.testing.assert_array_equal(strengths[rows[good]], pokernel.evaluate(cards[rows[good], :size]))
        accepted += int(good.sum())
    assert not is_valid[nulls].any()
    assert MILLION // 10 < accepted < MILLION
