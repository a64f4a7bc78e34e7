"""Arrow batch in, batch out: the columns that the other doors would add, and everything else as it was."""

import pickle
from collections.abc import Callable, Iterator
from itertools import pairwise
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
from pokernel.frames.add import AddStrengths

Cards = NDArray[np.uint8]
ROYAL, LOWEST = "As Ks Qs Js Ts", "7c 5d 4h 3s 2c"
SEVEN = [f"c{number}" for number in range(7)]


def texts_of(hands: Cards) -> pa.Array:
    return pa.array(pokernel.format_hands(hands).tolist())


def columns_of(hands: Cards, names: list[str], kind: pa.DataType) -> pa.RecordBatch:
    return pa.record_batch([pa.array(column, kind) for column in hands.T], names)


def names_of(hands: Cards, names: list[str]) -> pa.RecordBatch:
    cards = np.array([pokernel.format_card(card) for card in range(52)])
    return pa.record_batch([pa.array(column.tolist()) for column in cards[hands].T], names)


def one(column: pa.Array) -> pa.RecordBatch:
    return pa.record_batch([column], ["hand"])


LAYOUTS: dict[str, tuple[Callable[[Cards], pa.RecordBatch], str | list[str]]] = {
    "texts": (lambda hands: one(texts_of(hands)), "hand"),
    "a list of one name": (lambda hands: one(texts_of(hands)), ["hand"]),
    "dictionary": (lambda hands: one(texts_of(hands).dictionary_encode()), "hand"),
    "large_string": (lambda hands: one(texts_of(hands).cast(pa.large_string())), "hand"),
    "lists": (lambda hands: one(pa.array(hands.tolist())), "hand"),
    "lists of texts": (lambda hands: one(pa.array([[pokernel.format_card(c) for c in h] for h in hands])), "hand"),
    "fixed-size lists": (lambda hands: one(pa.array(hands.tolist(), pa.list_(pa.uint8(), 7))), "hand"),
    "a struct": (lambda hands: one(columns_of(hands, SEVEN, pa.uint8()).to_struct_array()), "hand"),
    "columns of uint8": (lambda hands: columns_of(hands, SEVEN, pa.uint8()), SEVEN),
    "columns of int64": (lambda hands: columns_of(hands, SEVEN, pa.int64()), SEVEN),
    "columns of texts": (lambda hands: names_of(hands, SEVEN), SEVEN),
}


def with_id(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Another column, and notes on the schema and on a field."""
    fields = [pa.field("id", pa.int64(), nullable=False, metadata={"note": "a number"}), *batch.schema]
    schema = pa.schema(fields, metadata={"from": "a test"})
    return pa.RecordBatch.from_arrays([pa.array(range(batch.num_rows)), *batch.columns], schema=schema)


def in_chunks(batch: pa.RecordBatch, *cuts: int) -> pa.Table:
    ends = [0, *cuts, batch.num_rows]
    return pa.Table.from_batches([batch.slice(start, stop - start) for start, stop in pairwise(ends)])


def check(added: Any, given: Any, expected: dict[str, list[Any]]) -> None:
    """What came out is what went in, and these columns."""
    assert type(added) is type(given)
    added.validate(full=True)
    width = given.num_columns
    assert added.schema.names == [*given.schema.names, *expected]
    assert added.select(list(range(width))).equals(given)
    assert pa.schema(list(added.schema)[:width], metadata=added.schema.metadata).equals(given.schema, True)
    for name, values in expected.items():
        assert added.column(name).to_pylist() == values
    if isinstance(given, pa.Table):
        chunks = [len(chunk) for chunk in given.column(0).chunks]
        assert all([len(chunk) for chunk in column.chunks] == chunks for column in added.columns[width:])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 300, 7)
    build, names = LAYOUTS[layout]
    batch = with_id(build(hands))
    strengths = pokernel.evaluate(hands)
    expected = {
        "strength": strengths.tolist(),
        "category": [pokernel.category(strength).label for strength in strengths.tolist()],
        "description": pokernel.describe(strengths).tolist(),
        "best_five": [pokernel.format_cards(five) for five in pokernel.best_five(hands)],
    }
    add = AddStrengths(names, describe=True, best_five=True)
    for given in (batch, in_chunks(batch), in_chunks(batch, 10, 10, 250, 300)):
        found = add(given)
        check(found, given, expected)
        assert found.schema.equals(add.schema(given.schema), check_metadata=True)
    part = batch.slice(7, 100)
    check(add(part), part, {name: values[7:107] for name, values in expected.items()})


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("options", [{}, {"describe": True, "best_five": True, "strength_type": pa.int32()}])
def test_no_rows(layout: str, options: dict[str, Any], rng: np.random.Generator) -> None:
    build, names = LAYOUTS[layout]
    add = AddStrengths(names, **options)
    batch = with_id(build(deal(rng, 3, 7)))
    for given in (
        batch.slice(0, 0),
        in_chunks(batch).slice(0, 0),
        pa.Table.from_batches([], batch.schema),
        batch.schema.empty_table(),
    ):
        found = add(given)
        check(found, given, {field.name: [] for field in list(add.schema(batch.schema))[batch.num_columns :]})
        assert found.schema.equals(add(batch).schema, check_metadata=True)


def test_nulls_and_chunks() -> None:
    batch = one(pa.array([ROYAL, None, "AsKsQsJsTs2c3d", LOWEST]))
    add = AddStrengths("hand", describe=True, best_five=True)
    expected: dict[str, list[Any]] = {
        "strength": [7462, None, 7462, 1],
        "category": ["Royal flush", None, "Royal flush", "High card"],
        "description": ["Royal flush", None, "Royal flush", "High card, seven-five-four-three-two"],
        "best_five": ["AsKsQsJsTs", None, "AsKsQsJsTs", "7c5d4h3s2c"],
    }
    for given in (batch, in_chunks(batch, 1, 1, 2), in_chunks(batch, 0, 2, 4, 4)):
        check(add(given), given, expected)
    nothing = one(pa.nulls(2))
    check(add(nothing), nothing, {name: [None, None] for name in expected})
    for names, row in (("abcde", [51, 47, None, 39, 35]), ("abcde", ["As", "Ks", "Qs", None, "Ts"])):
        cards = pa.record_batch([pa.array([card]) for card in row], list(names))
        check(AddStrengths(list(names))(cards), cards, {"strength": [None], "category": [None]})


@pytest.mark.parametrize("holes", ["one column", "two columns"])
@pytest.mark.parametrize("boards", ["texts", "lists", "five columns", "columns of texts"])
def test_boards(holes: str, boards: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 100, 7)
    hole = one(texts_of(hands[:, :2])) if holes == "one column" else columns_of(hands[:, :2], ["x", "y"], pa.int32())
    five = {
        "texts": lambda cards: pa.record_batch([texts_of(cards)], ["board"]),
        "lists": lambda cards: pa.record_batch([pa.array(cards.tolist())], ["board"]),
        "five columns": lambda cards: columns_of(cards, list("abcde"), pa.uint8()),
        "columns of texts": lambda cards: names_of(cards, list("abcde")),
    }[boards](hands[:, 2:])
    batch = pa.record_batch([*five.columns, *hole.columns], [*five.schema.names, *hole.schema.names])
    add = AddStrengths(hole.schema.names, five.schema.names, category=False, best_five=True)
    expected = {
        "strength": pokernel.evaluate(hands).tolist(),
        "best_five": [pokernel.format_cards(cards) for cards in pokernel.best_five(hands)],
    }
    for given in (batch, in_chunks(batch, 1, 99)):
        check(add(given), given, expected)


def test_no_board_may_be_said_in_two_ways() -> None:
    batch = one(pa.array([ROYAL]))
    assert AddStrengths("hand", [])(batch) == AddStrengths("hand", None)(batch) == AddStrengths("hand")(batch)


@pytest.mark.parametrize(
    ("options", "names", "types"),
    [
        ({}, ["strength", "category"], [pa.uint16(), pa.string()]),
        ({"category": False}, ["strength"], [pa.uint16()]),
        ({"category": False, "describe": True}, ["strength", "description"], [pa.uint16(), pa.string()]),
        ({"category": False, "best_five": True}, ["strength", "best_five"], [pa.uint16(), pa.string()]),
        ({"prefix": "hero "}, ["hero strength", "hero category"], [pa.uint16(), pa.string()]),
        ({"strength_type": pa.int32()}, ["strength", "category"], [pa.int32(), pa.string()]),
        ({"strength_type": pa.int16(), "category": False}, ["strength"], [pa.int16()]),
        ({"strength_type": pa.float64(), "category": False}, ["strength"], [pa.float64()]),
    ],
    ids=str,
)
def test_what_is_added(options: dict[str, Any], names: list[str], types: list[pa.DataType]) -> None:
    batch = one(pa.array([ROYAL, None]))
    add = AddStrengths("hand", **options)
    for given in (batch, in_chunks(batch, 1)):
        schema = add(given).schema
        assert schema.names == ["hand", *names]
        assert [schema.field(name).type for name in names] == types
        assert schema == add.schema(batch.schema)
        assert add(given).column(names[0]).to_pylist() == [7462, None]


@pytest.mark.parametrize("many", [iter, list, tuple], ids=lambda many: many.__name__)
def test_many_batches(many: Callable[[list[Any]], Any], rng: np.random.Generator) -> None:
    hands = deal(rng, 90, 5)
    batches = [with_id(one(texts_of(hands[start : start + 30]))) for start in (0, 30, 60)]
    batches.insert(1, batches[0].slice(0, 0))
    add = AddStrengths("hand")
    found = add(many(batches))
    assert isinstance(found, Iterator if many is iter else list | tuple)
    for added, given in zip(found, batches, strict=True):
        assert added == add(given)
    assert list(add(many([]))) == []
    mixed = [batches[0], pa.Table.from_batches(batches)]
    assert [type(added) for added in add(many(mixed))] == [pa.RecordBatch, pa.Table]


def test_a_reader_of_batches_is_an_iterator_of_them() -> None:
    batch = one(pa.array([ROYAL, LOWEST]))
    add = AddStrengths("hand")
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch.slice(1)])
    found = pa.RecordBatchReader.from_batches(add.schema(reader.schema), add(reader)).read_all()
    assert found.column("strength").to_pylist() == [7462, 1, 1]


def test_nothing_is_asked_for_before_its_time() -> None:
    """As Spark's mapInArrow calls it: the first result comes before the second batch is there."""
    asked: list[str] = []

    def batches() -> Iterator[pa.RecordBatch]:
        for hand in (ROYAL, LOWEST, "no hand"):
            asked.append(hand)
            yield one(pa.array([hand]))

    found = AddStrengths("hand")(batches())
    assert asked == []
    assert next(found).column("strength").to_pylist() == [7462]
    assert asked == [ROYAL]
    assert next(found).column("strength").to_pylist() == [1]
    assert asked == [ROYAL, LOWEST]
    with pytest.raises(CardError, match="row 0: no card at position 0 of 'no hand'"):
        next(found)
    assert list(found) == []


BAD = [
    (pa.array([ROYAL, "AsKsQsJsTx", None, "x"]), CardError, "row 1: no card at position 8 of 'AsKsQsJsTx': 'Tx' (2 of 4 rows are bad)"),
    (pa.array([ROYAL, "AsKsQsJsAs"]), DuplicateCardError, "row 1: As twice in 'AsKsQsJsAs': at positions 0 and 8 (1 of 2 rows is bad)"),
    (pa.array([[51, 47], [51, 47, 43, 39, 35]]), HandSizeError, "row 0: a hand has 5, 6 or 7 cards, not 2 (1 of 2 rows is bad)"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "error", "message"), BAD)
def test_rows_that_are_no_hands(column: pa.Array, error: type[Exception], message: str) -> None:
    batch = with_id(one(column))
    for given in (batch, in_chunks(batch, 1)):
        with pytest.raises(error) as caught:
            AddStrengths("hand", best_five=True)(given)
        assert str(caught.value) == message
        strengths = arrow.strengths(column, on_error="null").to_pylist()
        check(
            AddStrengths("hand", describe=True, best_five=True, on_error="null")(given),
            given,
            {
                "strength": strengths,
                "category": [s if s is None else pokernel.category(s).label for s in strengths],
                "description": [s if s is None else pokernel.describe(s) for s in strengths],
                "best_five": arrow.best_five(column, on_error="null").to_pylist(),
            },
        )


def test_errors_name_the_column_of_a_card_and_the_board() -> None:
    cards = pa.record_batch([pa.array([card, card]) for card in range(4)] + [pa.array([4, 99])], list("abcde"))
    with pytest.raises(CardError, match=r"^row 1: column e: 99 is no card"):
        AddStrengths(list("abcde"))(cards)
    deals = pa.table({"hole": ["AsKs"], "board": ["QsJsTx"]})
    with pytest.raises(CardError, match=r"^row 0: board: no card at position 4 of 'QsJsTx'"):
        AddStrengths("hole", "board")(deals)
    assert AddStrengths("hole", "board", on_error="null")(deals).column("strength").to_pylist() == [None]


@pytest.mark.parametrize("kind", [pa.RecordBatch, pa.Table])
def test_names_that_are_not_there_or_not_alone(kind: Any) -> None:
    hands, board = pa.array([ROYAL]), pa.array([""])

    def data(*names: str) -> Any:
        return kind.from_arrays([hands] + [board] * (len(names) - 1), names=list(names))

    for add, given, message in (
        (AddStrengths("hole"), data("hand", "board"), "there is no column 'hole'; there are: hand, board"),
        (AddStrengths(["hand", "x"]), data("hand", "board"), "there is no column 'x'; there are: hand, board"),
        (AddStrengths("hand", "x"), data("hand", "board"), "there is no column 'x'; there are: hand, board"),
        (AddStrengths("hand"), data("hand", "hand", "hand"), "there are 3 columns 'hand'"),
        (AddStrengths("hand", "b"), data("hand", "b", "b"), "there are 2 columns 'b'"),
        (AddStrengths("hand"), kind.from_arrays([], names=[]), "there is no column 'hand'; there are: none"),
        (AddStrengths("hand"), data("hand", "strength"), "there is a column 'strength' already: give a prefix"),
        (AddStrengths("hand"), data("hand", "category"), "there is a column 'category' already: give a prefix"),
        (AddStrengths("hand", prefix="x"), data("hand", "xcategory"), "there is a column 'xcategory' already: give a prefix"),
        (AddStrengths("strength"), data("strength"), "there is a column 'strength' already: give a prefix"),
    ):  # fmt: skip
        with pytest.raises(PokernelError) as caught:
            add(given)
        assert str(caught.value) == message
        if "already" in message:
            with pytest.raises(PokernelError, match="already: give a prefix"):
                add.schema(given.schema)
    others = data("hand", "x", "x")
    assert AddStrengths("hand")(others).schema.names == ["hand", "x", "x", "strength", "category"]
    scored = data("hand", "category", "description", "xstrength")
    assert AddStrengths("hand", category=False)(scored).column("strength").to_pylist() == [7462]
    assert AddStrengths("strength", prefix="x")(data("strength")).column("xstrength").to_pylist() == [7462]


@pytest.mark.parametrize(
    "data",
    [None, 5, "hand", b"hand", {"hand": [ROYAL]}, [1, 2], [None], [{"hand": ROYAL}], pa.array([ROYAL]), iter(["x"])],
    ids=lambda data: type(data).__name__,
)
def test_what_is_no_batch(data: Any) -> None:
    with pytest.raises(TypeError, match="batches are record batches or tables of pyarrow, not "):
        list(AddStrengths("hand")(data))


def test_columns_that_hold_no_cards(rng: np.random.Generator) -> None:
    for column in (pa.array([1.5]), pa.array([], pa.float64()), pa.array([True])):
        for given in (one(column), pa.Table.from_batches([one(column)])):
            with pytest.raises(TypeError, match="cards are integers or texts, not "):
                AddStrengths("hand")(given)


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (([],), PokernelError, "no column is named for the hand"),
        ((None,), PokernelError, "no column is named for the hand"),
        (([0, 1, 2, 3, 4],), TypeError, "columns have texts for names, not 0"),
        ((["a", "b", "a"],), PokernelError, "column 'a' is named twice, and no card can be in a hand twice"),
        (("a", ["b", "a"]), PokernelError, "column 'a' is named twice, and no card can be in a hand twice"),
    ],
    ids=str,
)
def test_names_are_checked_at_once(names: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        AddStrengths(*names, on_error="null")
    assert str(caught.value) == message


def test_options_are_checked_at_once() -> None:
    with pytest.raises(PokernelError, match="on_error must be 'raise' or 'null', not 'skip'"):
        AddStrengths("hand", on_error="skip")  # type: ignore[arg-type]
    for kind in (pa.int8(), pa.uint8(), pa.bool_(), pa.float16(), pa.list_(pa.uint16()), pa.null()):
        with pytest.raises(TypeError, match=f"strengths, 1 to 7462, do not fit into {kind}"):
            AddStrengths("hand", strength_type=kind)


def test_what_was_named_stays_named() -> None:
    names = list("abcde")
    add = AddStrengths(names)
    names.clear()
    cards = pa.record_batch([pa.array([card]) for card in (51, 47, 43, 39, 35)], list("abcde"))
    assert add(cards).column("strength").to_pylist() == [7462]


@pytest.mark.parametrize("module", ["pickle", "cloudpickle"])
def test_it_can_be_sent_to_where_it_is_needed(module: str) -> None:
    pickler = pickle if module == "pickle" else pytest.importorskip(module)
    batch = with_id(pa.record_batch([pa.array(["AsKs", None, "2c2d"]), pa.array(["QsJsTs"] * 3)], ["hole", "board"]))
    add = AddStrengths(
        "hole", ["board"], describe=True, best_five=True, prefix="x_", strength_type=pa.int32(), on_error="null"
    )
    again = pickler.loads(pickler.dumps(add))
    assert again(batch).equals(add(batch), check_metadata=True)
    assert again.schema(batch.schema).equals(add.schema(batch.schema), check_metadata=True)
    used = pickler.loads(pickler.dumps(again))
    assert used(batch).column("x_strength").type == pa.int32()


def test_it_works_in_a_process_of_its_own(run_python: RunPython) -> None:
    """What is unpickled there has not imported anything before."""
    sent = pickle.dumps(AddStrengths("hand", best_five=True))
    done = run_python(
        f"import pickle; add = pickle.loads({sent!r}); import pyarrow as pa; "
        f"print(add(pa.table({{'hand': [{ROYAL!r}, None]}})).to_pylist())"
    )
    assert done.returncode == 0, done.stderr
    royal = {"hand": ROYAL, "strength": 7462, "category": "Royal flush", "best_five": "AsKsQsJsTs"}
    assert eval(done.stdout) == [royal, dict.fromkeys(royal)]


def test_a_list_of_batches_is_a_list_again() -> None:
    """What is made in one go can be pickled, which a generator cannot."""
    batches = [one(pa.array([ROYAL])), one(pa.array([LOWEST, None]))]
    add = AddStrengths("hand")
    assert add(batches) == [add(batch) for batch in batches]
    assert add(tuple(batches)) == tuple(map(add, batches))
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    assert list(add(reader)) == add(batches)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_are_refused_at_once(kind: str) -> None:
    frame = pytest.importorskip(kind).DataFrame({"hand": [ROYAL]})
    with pytest.raises(TypeError, match="not DataFrame"):
        AddStrengths("hand")(frame)
    with pytest.raises(TypeError, match="not StringArray"):
        AddStrengths("hand")(pa.array([ROYAL]))


def test_it_says_what_it_is() -> None:
    assert repr(AddStrengths("hand")) == "<AddStrengths to hand: strength, category>"
    told = repr(AddStrengths(["a", "b"], "c", category=False, prefix="x_"))
    assert told == "<AddStrengths to a, b, c: x_strength>"
