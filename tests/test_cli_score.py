"""``pokernel score``: every format, every layout, every way in which a line can be bad."""

import bz2
import csv
import datetime
import gzip
import io
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from test_cli import GUESS, SUMMARY, Ended, invoke

from pokernel import best_five, evaluate
from pokernel.cards import format_cards, parse_cards
from pokernel.cli import blocks, rows
from pokernel.cli.sources import SUFFIXES
from pokernel.cli.words import InputFormat, OutputFormat
from pokernel.strength import category, describe

SAMPLE = Path(__file__).parent / "data" / "sample_hands.csv"
ROYAL, KINGS, WHEEL = "AsKsQsJsTs2c3d", "KhKdKcKs3d", "5d4h3s2dAd9c"


class Scored(Ended):
    """How ``pokernel score`` ended."""

    @property
    def said(self) -> list[str]:
        """All lines on standard error."""
        *lines, end = self.stderr.decode().split("\n")
        assert end == ""
        return lines

    @property
    def notes(self) -> list[str]:
        """What was said besides errors: guesses, and at the very end the summary."""
        return [line for line in self.said if GUESS.fullmatch(line)] + self.said[self._closing :]

    @property
    def err(self) -> str:
        """What was said about errors, notes left out."""
        return "".join(f"{line}\n" for line in self.said[: self._closing] if not GUESS.fullmatch(line))

    @property
    def _closing(self) -> int:
        return len(self.said) - bool(self.said and SUMMARY.fullmatch(self.said[-1]))

    @property
    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))

    @property
    def raw(self) -> bytes:
        return self.stdout


Score = Callable[..., Scored]


@pytest.fixture
def score() -> Score:
    def run(*words: object, stdin: bytes | None = None) -> Scored:
        ended = invoke("score", *words, stdin=stdin)
        return Scored(ended.status, ended.stdout, ended.stderr)

    return run


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def folder(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir())


def as_table(path: Path) -> pa.Table:
    if path.suffix == ".parquet":
        return pq.read_table(path)
    if path.suffix == ".arrow":
        return pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all()
    if path.suffix == ".arrows":
        return pa.ipc.open_stream(pa.BufferReader(path.read_bytes())).read_all()
    if path.suffix in (".ndjson", ".jsonl"):
        return pa.Table.from_pylist([json.loads(line) for line in path.read_text().splitlines()])
    delimiter = "\t" if path.suffix == ".tsv" else ","
    with path.open(newline="") as file:
        return pa.Table.from_pylist(list(csv.DictReader(file, delimiter=delimiter)))


def sample_table() -> pa.Table:
    with SAMPLE.open(newline="") as file:
        return pa.Table.from_pylist(list(csv.DictReader(file)))


def sample_hands(size: int, hands: int = 40) -> list[list[int]]:
    rng = np.random.default_rng(size)
    return [rng.permutation(52)[:size].tolist() for _ in range(hands)]


def save_as(table: pa.Table, path: Path) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=300)
    elif path.suffix in (".arrow", ".ipc", ".feather"):
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=300)
    elif path.suffix == ".arrows":
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
    elif path.suffix in (".ndjson", ".jsonl"):
        write(path, "".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    else:
        options = pa.csv.WriteOptions(delimiter="\t" if path.suffix == ".tsv" else ",")
        pa.csv.write_csv(table, path, options)
    return path


FORMATS = [".csv", ".tsv", ".ndjson", ".jsonl", ".parquet", ".arrow", ".arrows"]


# -- formats


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_in_and_out(form: str, tmp_path: Path, score: Score) -> None:
    source = save_as(sample_table(), tmp_path / f"in{form}")
    target = tmp_path / f"out{form}"
    assert score(source, "-o", target, "--describe", "--best-five").status == 0
    found = as_table(target).to_pydict()
    assert list(found) == ["id", "hand", "strength", "category", "description", "best_five"]
    assert found["id"][:2] == ["0001", "0002"]
    hands = [parse_cards(hand) for hand in sample_table()["hand"].to_pylist()]
    strengths = [evaluate(hand) for hand in hands]
    assert [int(strength) for strength in found["strength"]] == strengths
    assert found["category"] == [category(strength).label for strength in strengths]
    assert found["description"] == [describe(strength) for strength in strengths]
    assert found["best_five"] == [format_cards(best_five(hand)) for hand in hands]
    assert folder(tmp_path) == sorted([source.name, target.name])


def test_every_word_for_a_format_is_one(tmp_path: Path, score: Score) -> None:
    """What an error advises is what the option takes, and every format has a suffix."""
    assert set(SUFFIXES.values()) == set(InputFormat)
    assert set(map(str, OutputFormat)) <= set(map(str, InputFormat))
    nameless = write(tmp_path / "nameless", "")
    advised = score(nameless).err.partition("--input-format (")[2].partition(")")[0].split(", ")
    assert advised == list(InputFormat)
    for form in advised:
        assert score(nameless, "--input-format", form).status in (0, 1)
    advised = score(SAMPLE, "-o", nameless).err.partition("--output-format (")[2].partition(")")[0].split(", ")
    assert advised == list(OutputFormat)
    for form in advised:
        assert score(SAMPLE, "--output-format", form, "-o", nameless).status == 0


def test_arrow_stream_by_option(tmp_path: Path, score: Score) -> None:
    stream = save_as(sample_table(), tmp_path / "in.arrows").read_bytes()
    ended = score("--input-format", "arrows", stdin=stream)
    assert (ended.status, ended.raw) == (0, score(SAMPLE).raw)


@pytest.mark.parametrize("form", ["parquet", "arrow", "arrows"])
def test_typed_text_that_is_not_utf8(form: str, tmp_path: Path, score: Score) -> None:
    damaged = pa.StringArray.from_buffers(1, pa.py_buffer(np.array([0, 2], np.int32)), pa.py_buffer(b"\xff\xfe"))
    table = pa.table({"hand": [ROYAL], "note": damaged})
    ended = score(save_as(table, tmp_path / f"in.{form}"), "--on-error", "skip")
    assert (ended.status, ended.out) == (1, "")
    assert f"in.{form}: not a readable" in ended.err
    assert "UTF8" in ended.err


def test_types_that_cannot_be_read_or_written(tmp_path: Path, score: Score) -> None:
    """pyarrow's refusals name the file."""
    strange = pa.array([pa.MonthDayNano([1, 2, 3])])
    source = save_as(pa.table({"hand": [ROYAL], "since": strange}), tmp_path / "in.arrow")
    ended = score(source, "-o", tmp_path / "out.parquet")
    assert ended.status == 1
    assert ended.err.startswith(f"{tmp_path}/out.parquet: cannot be written as parquet: ")
    assert folder(tmp_path) == ["in.arrow"]
    ended = score(save_as(pa.table({"hand": [[{"rank": 1}]]}), tmp_path / "structs.arrow"))
    assert ended.status == 1
    assert f"{tmp_path}/structs.arrow: " in ended.err


def test_views(tmp_path: Path, score: Score) -> None:
    table = pa.table(
        {"hand": pa.array([ROYAL, "?"], pa.string_view()), "raw": pa.array([b"1", b"2"], pa.binary_view())}
    )
    ended = score(save_as(table, tmp_path / "in.arrow"), "--on-error", "skip")
    assert (ended.status, ended.rows[0]["raw"], len(ended.rows)) == (3, "1", 1)


def test_types_of_typed_output(tmp_path: Path, score: Score) -> None:
    source = save_as(sample_table().append_column("n", pa.array(range(1000), pa.int16())), tmp_path / "in.parquet")
    assert score(source, "-o", tmp_path / "out.parquet").status == 0
    types = pq.read_schema(tmp_path / "out.parquet")
    assert [types.field(name).type for name in ("n", "strength", "category")] == [pa.int16(), pa.uint16(), pa.string()]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed(suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / f"in.csv{suffix}", pack(SAMPLE.read_bytes()))
    plain = score(SAMPLE).raw
    assert score(source).raw == plain
    assert score(SAMPLE, "-o", tmp_path / f"out.csv{suffix}").status == 0
    unpack = gzip.decompress if suffix == ".gz" else bz2.decompress
    assert unpack((tmp_path / f"out.csv{suffix}").read_bytes()) == plain


def test_truncated_gzip(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv.gz", gzip.compress(SAMPLE.read_bytes())[:-3000])
    ended = score(source, "-o", tmp_path / "out.csv")
    assert ended.status == 1
    assert "in.csv.gz: " in ended.err
    assert folder(tmp_path) == ["in.csv.gz"]


@pytest.mark.parametrize("dtype", ["u1", "<i8", ">i4", "<u4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(dtype: str, order: Literal["C", "F"], tmp_path: Path, score: Score) -> None:
    hands = np.array([parse_cards(hand) for hand in sample_table()["hand"].to_pylist()], dtype, order=order)
    np.save(tmp_path / "hands.npy", hands)
    ended = score(tmp_path / "hands.npy")
    assert ended.status == 0
    assert list(ended.rows[0]) == [*(f"c{n}" for n in range(1, 8)), "strength", "category"]
    assert [row["strength"] for row in ended.rows] == [row["strength"] for row in score(SAMPLE).rows]
    assert [int(row["c7"]) for row in ended.rows] == hands[:, 6].tolist()


@pytest.mark.parametrize("array", [np.zeros((3, 7)), np.zeros(7, np.uint8), np.zeros((2, 2, 5), np.uint8)])
def test_npy_refused(array: NDArray[Any], tmp_path: Path, score: Score) -> None:
    np.save(tmp_path / "hands.npy", array)
    ended = score(tmp_path / "hands.npy")
    assert ended.status == 1
    assert "hands.npy: " in ended.err
    assert "(n, k)" in ended.err


@pytest.mark.parametrize(
    ("bad", "said"), [(52, "column c2: '52' is not a card, 0 to 51"), (-1, "'-1'"), (300, "'300'"), (1 << 63, "'92")]
)
def test_npy_bad_card(bad: int, said: str, tmp_path: Path, score: Score) -> None:
    kind = np.uint64 if bad > 300 else np.int64
    np.save(tmp_path / "hands.npy", np.array([[0, 1, 2, 3, 4], [0, bad, 2, 3, 4]], kind))
    ended = score(tmp_path / "hands.npy")
    assert ended.status == 1
    assert "hands.npy: row 2: column c2" in ended.err
    assert said in ended.err


def test_plain_text_and_standard_input(tmp_path: Path, score: Score) -> None:
    text = "As Ks Qs Js Ts\n\n5♦ 4♥ 3♠ 2♦ A♦\r\nKhKd10cTs3d"
    expected = ["7462", str(evaluate("5d4h3s2dAd")), str(evaluate("KhKdTcTs3d"))]
    for ended in (score(write(tmp_path / "h.txt", text)), score("-", stdin=text.encode()), score(stdin=text.encode())):
        assert ended.status == 0
        assert [row["strength"] for row in ended.rows] == expected
        assert list(ended.rows[0]) == ["hand", "strength", "category"]
        assert ended.rows[1]["hand"] == "5♦ 4♥ 3♠ 2♦ A♦"


def test_standard_input_of_other_formats(tmp_path: Path, score: Score) -> None:
    plain = score(SAMPLE).raw
    assert score("-", "--input-format", "csv", stdin=SAMPLE.read_bytes()).raw == plain
    stream = save_as(sample_table(), tmp_path / "in.arrows").read_bytes()
    assert score("-", "--input-format", "arrow", stdin=stream).raw == plain
    lines = save_as(sample_table(), tmp_path / "in.ndjson").read_bytes()
    assert score("-", "--input-format", "ndjson", stdin=lines).raw == plain
    ended = score("-", "--input-format", "parquet", stdin=b"PAR1")
    assert ended.status == 1
    assert "<stdin>: parquet needs a file" in ended.err


def test_output_formats_on_standard_output(score: Score) -> None:
    lines = score(SAMPLE, "--output-format", "ndjson").out.splitlines()
    assert json.loads(lines[0]) == {
        "id": "0001",
        "hand": "5c 5h 3s 5d Jd 7s 8d",
        "strength": 5158,
        "category": "Three of a kind",
    } | {"strength": evaluate("5c 5h 3s 5d Jd 7s 8d")}
    assert pq.read_table(pa.BufferReader(score(SAMPLE, "--output-format", "parquet").raw)).num_rows == 1000
    assert pa.ipc.open_stream(score(SAMPLE, "--output-format", "arrow").raw).read_all().num_rows == 1000


@pytest.mark.parametrize("name", ["hands", "hands.xlsx"])
def test_unknown_format(name: str, tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / name, "hand\n" + ROYAL)
    ended = score(source)
    assert (ended.status, ended.out) == (1, "")
    assert "--input-format" in ended.err
    assert score(source, "--input-format", "csv").status == 0
    ended = score(SAMPLE, "-o", tmp_path / "out.xlsx")
    assert ended.status == 2
    assert "--output-format" in ended.err


@pytest.mark.parametrize("name", ["bad.parquet", "bad.arrow", "bad.npy", "bad.feather"])
@pytest.mark.parametrize(
    "content", [b"", b"not at all", b"ARROW1\0\0garbage", b"PAR1garbagePAR1", b"\x93NUMPY\x01\x00"]
)
def test_broken_binary_files(name: str, content: bytes, tmp_path: Path, score: Score) -> None:
    ended = score(write(tmp_path / name, content), "-o", tmp_path / "out.csv")
    assert ended.status == 1
    assert name in ended.err
    assert len(ended.err.splitlines()) == 1
    assert folder(tmp_path) == [name]


def test_missing_file_and_folder(tmp_path: Path, score: Score) -> None:
    ended = score(tmp_path / "nowhere.csv")
    assert (ended.status, ended.err) == (1, f"{tmp_path / 'nowhere.csv'}: no such file\n")
    ended = score(tmp_path, "--input-format", "csv")
    assert (ended.status, ended.err) == (1, f"{tmp_path}: no file in this folder has a name that tells its format\n")


def test_several_files(tmp_path: Path, score: Score) -> None:
    first = write(tmp_path / "a.csv", f"id,hand\n1,{ROYAL}\n")
    second = save_as(pa.table({"id": [2], "hand": [KINGS]}), tmp_path / "b.parquet")
    empty = write(tmp_path / "c.csv", "")
    ended = score(empty, first, second, empty)
    assert [(row["id"], row["category"]) for row in ended.rows] == [("1", "Royal flush"), ("2", "Four of a kind")]
    assert score(first, second, "-o", tmp_path / "out.parquet").status == 0
    assert pq.read_table(tmp_path / "out.parquet")["id"].to_pylist() == ["1", "2"]
    other = write(tmp_path / "d.csv", f"name,hand\n1,{ROYAL}\n")
    ended = score(first, other, "-o", tmp_path / "new.csv")
    assert ended.status == 1
    assert "d.csv: the columns are not those of the first file" in ended.err
    assert "new.csv" not in folder(tmp_path)


# -- layouts


def test_numbers_as_plain_text_are_told_how_to_be_read(score: Score) -> None:
    ended = score(stdin=b"0,1,2,3,4\n5,6,7,8,9\n")
    assert ended.status == 1
    assert "(if these are the numbers of cards, say --input-format csv)" in ended.err
    read = score("--input-format", "csv", "--no-header", stdin=b"0,1,2,3,4\n5,6,7,8,9\n")
    assert [int(row["strength"]) for row in read.rows] == [evaluate(range(5)), evaluate(range(5, 10))]


def test_sizes_may_differ_in_one_column(score: Score) -> None:
    text = "\n".join(["AsKsQsJsTs", "As Ks Qs Js Ts 2c", "As,Ks,Qs,Js,Ts,2c,3d", "askdqdjdtd2h3h", "10s9s8s7s6s"])
    assert [row["category"] for row in score(stdin=text.encode()).rows] == ["Royal flush"] * 3 + [
        "Straight",
        "Straight flush",
    ]


def test_packed_and_spaced_texts_of_the_same_length(score: Score) -> None:
    ended = score(stdin=b"As Ks Qs Js Ts\nAsKsQsJsTs2c3d\n")
    assert [row["strength"] for row in ended.rows] == ["7462", "7462"]


def by_columns(hands: list[str], convert: Callable[[int], object]) -> pa.Table:
    cards = [parse_cards(hand) for hand in hands]
    return pa.table({f"c{n + 1}": [convert(hand[n]) for hand in cards] for n in range(len(cards[0]))})


@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
@pytest.mark.parametrize("convert", [int, lambda card: format_cards([card])])
def test_columns_of_cards(form: str, convert: Callable[[int], object], tmp_path: Path, score: Score) -> None:
    hands = sample_table()["hand"].to_pylist()
    source = save_as(by_columns(hands, convert), tmp_path / f"in{form}")
    assert [int(row["strength"]) for row in score(source).rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", ["c{}", "card{}", "Card_{}", "C {}", "f{}"])
@pytest.mark.parametrize("convert", [int, lambda card: format_cards([card])])
def test_numbered_columns_are_all_read(
    name: str, size: int, first: int, form: str, convert: Callable[[int], object], tmp_path: Path, score: Score
) -> None:
    hands = sample_hands(size)
    columns = {name.format(place + first): [convert(hand[place]) for hand in hands] for place in range(size)}
    source = save_as(pa.table(columns), tmp_path / f"in{form}")
    assert [int(row["strength"]) for row in score(source, "--quiet").rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize("convert", [int, lambda card: format_cards([card])])
@pytest.mark.parametrize(
    ("names", "others"),
    [
        ("hole1,hole2,c1,c2,c3,c4,c5", "hole1, hole2"),
        ("c1,c2,c3,c4,c5,turn,river", "turn, river"),
        ("card1,Flop 1,card2,card3,card4,card5", "Flop 1"),
    ],
)
def test_numbered_columns_beside_other_cards_are_refused(
    names: str, others: str, convert: Callable[[int], object], tmp_path: Path, score: Score
) -> None:
    columns = names.split(",")
    hands = sample_hands(len(columns))
    table = pa.table({name: [convert(hand[place]) for hand in hands] for place, name in enumerate(columns)})
    source = save_as(table, tmp_path / "in.parquet")
    ended = score(source, "-o", tmp_path / "out.csv")
    assert ended.status == 1
    assert f"but in {others}, too? Say --columns, and --board if that is the board" in ended.err
    assert not (tmp_path / "out.csv").exists()
    every = score(source, "--columns", f"1-{len(columns)}")
    assert [int(row["strength"]) for row in every.rows] == [evaluate(hand) for hand in hands]
    fives = [name for name in columns if name[0] == "c"]
    apart = score(source, "--columns", ",".join(fives), "--quiet")
    places = [columns.index(name) for name in fives]
    assert [int(row["strength"]) for row in apart.rows] == [evaluate([hand[i] for i in places]) for hand in hands]


@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
@pytest.mark.parametrize("unknown", [None, "", "Xx", "?", "-----", "n/a", "fold", "mucked", "-1"])
@pytest.mark.parametrize("first", [0, 1, 19, 20, 39])
@pytest.mark.parametrize("others", ["hole1,hole2", "turn,river", "mine,yours"])
def test_unknown_cards_hide_no_column_of_cards(
    others: str, first: int, unknown: str | None, form: str, tmp_path: Path, score: Score
) -> None:
    """A card that nobody knows, in one of the first rows: the other cards of its column are looked at all the same."""
    names = [*others.split(","), "c1", "c2", "c3", "c4", "c5"]
    hands = sample_hands(7, 40)
    columns: dict[str, list[str | None]] = {
        name: [format_cards([hand[place]]) for hand in hands] for place, name in enumerate(names)
    }
    for name in names[:2]:
        columns[name][first] = unknown
    ended = score(save_as(pa.table(columns), tmp_path / f"in{form}"))
    assert ended.status == 1
    assert f"cards in c1, c2, c3, c4, c5, but in {', '.join(names[:2])}, too?" in ended.err


@pytest.mark.parametrize("cell", [None, "Xx"])
def test_a_name_tells_where_no_card_is_known(cell: str | None, tmp_path: Path, score: Score) -> None:
    """Hole cards that come after all of the first rows; seven cards need no eighth."""
    hands = sample_hands(7, 100)
    cards = {f"c{n + 1}": [format_cards([hand[n]]) for hand in hands] for n in range(7)}
    unknown = pa.array([cell] * 100, pa.string())
    five = pa.table({"hole1": unknown, **dict(list(cards.items())[:5])})
    assert "but in hole1, too?" in score(save_as(five, tmp_path / "five.parquet")).err
    seven = score(save_as(pa.table({"hole1": unknown, **cards}), tmp_path / "seven.parquet"), "--quiet")
    assert [int(row["strength"]) for row in seven.rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize("missing", [-1, None, -1.0])
def test_numbers_that_are_missing_hide_no_column_of_cards(missing: object, tmp_path: Path, score: Score) -> None:
    hands = sample_hands(7, 40)
    names = ["c1", "c2", "c3", "c4", "c5", "turn", "river"]
    columns: dict[str, list[Any]] = {name: [hand[place] for hand in hands] for place, name in enumerate(names)}
    for name in names[5:]:
        columns[name] = [type(missing)(card) if isinstance(missing, float) else card for card in columns[name]]
        columns[name][3] = missing
    assert "but in turn, river, too?" in score(save_as(pa.table(columns), tmp_path / "in.parquet")).err


@pytest.mark.parametrize("cell", [None, "Xx"])
def test_columns_that_their_cards_tell_are_not_all(cell: str | None, tmp_path: Path, score: Score) -> None:
    hands = sample_hands(5, 40)
    cards = {name: [format_cards([hand[place]]) for hand in hands] for place, name in enumerate("abxde")}
    holes = {name: pa.array([cell] * 40, pa.string()) for name in ("hole1", "hole2")}
    assert "but in hole1, hole2, too?" in score(save_as(pa.table({**holes, **cards}), tmp_path / "in.parquet")).err


@pytest.mark.parametrize(
    ("size", "name", "values"),
    [
        (7, "board", [None, None]),
        (7, "board", ["", ""]),
        (7, "turn", [1, 2]),
        (7, "c", [3, 40]),
        (7, "age", ["2d", "3d"]),
        (5, "flop", [0, 1]),
        (5, "river", [1, 1]),
        (5, "river", [True, False]),
        (5, "board", [None, None]),
    ],
)
@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
def test_what_is_no_card_beside_texts_of_hands(
    form: str, size: int, name: str, values: list[object], tmp_path: Path, score: Score
) -> None:
    """Hands that their cards tell, not their column's name."""
    hands = sample_hands(size, 2)
    table = pa.table({"holding": [format_cards(hand) for hand in hands], name: values})
    ended = score(save_as(table, tmp_path / f"in{form}"), "--quiet")
    assert (ended.status, ended.err) == (0, "")
    assert [int(row["strength"]) for row in ended.rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize("numbers", [4, 5, 6])
@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
def test_hands_in_words_outweigh_numbers(form: str, numbers: int, tmp_path: Path, score: Score) -> None:
    """Counts, bets and seats may all be numbers below 52."""
    hands, others = sample_hands(7), sample_hands(numbers)
    table: dict[str, list[Any]] = {"zz": [format_cards(hand) for hand in hands]}
    table |= {name: [other[place] for other in others] for place, name in enumerate("abcdef"[:numbers])}
    ended = score(save_as(pa.table(table), tmp_path / f"in{form}"), "--quiet")
    assert [int(row["strength"]) for row in ended.rows] == [evaluate(hand) for hand in hands]


def test_no_rows_no_questions(tmp_path: Path, score: Score) -> None:
    empty: Any = pa.array([], pa.string())
    for names in (["c1", "c2", "c3", "c4", "c5", "board"], ["holding", "river"]):
        ended = score(save_as(pa.table(dict.fromkeys(names, empty)), tmp_path / "in.parquet"), "--quiet")
        assert (ended.status, ended.err) == (0, "")


@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
@pytest.mark.parametrize("names", ["hole1,hole2,board", "board,c1,c2", "id,board,c1,c2"])
def test_a_board_is_no_hand_beside_columns_of_cards(names: str, form: str, tmp_path: Path, score: Score) -> None:
    hands = sample_hands(7, 30)
    singles = [name for name in names.split(",") if name not in ("board", "id")]
    columns: dict[str, list[object]] = {name: [] for name in names.split(",")}
    for number, hand in enumerate(hands):
        cells = {"id": number, "board": format_cards(hand[2:]), singles[0]: format_cards(hand[:1])}
        cells[singles[1]] = format_cards(hand[1:2])
        for name, column in columns.items():
            column.append(cells[name])
    source = save_as(pa.table(columns), tmp_path / f"in{form}")
    assert f"cards in board, but in {', '.join(singles)}, too?" in score(source).err
    told = score(source, "--columns", ",".join(singles), "--board", "board", "--quiet")
    assert [int(row["strength"]) for row in told.rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize("convert", [int, lambda card: format_cards([card])])
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("seat", [3, 5]),
        ("bet", [100.0, 7.0]),
        ("bet", ["100.0", "7."]),
        ("river", [52, 3]),
        ("player", ["Ad", "Kc"]),
        ("ID", ["2c", "2d"]),
        ("kept", [True, False]),
        ("note", ["As", "won"]),
        ("note", [None, None]),
        ("river", ["dry", None]),
    ],
)
@pytest.mark.parametrize("form", [".csv", ".parquet", ".ndjson"])
def test_what_is_no_card_beside_numbered_columns(
    form: str, name: str, values: list[object], convert: Callable[[int], object], tmp_path: Path, score: Score
) -> None:
    hands = sample_hands(5, 2)
    cards = {f"c{place}": [convert(hand[place]) for hand in hands] for place in range(5)}
    ended = score(save_as(pa.table({name: values, **cards}), tmp_path / f"in{form}"))
    assert (ended.status, ended.err) == (0, "")
    assert [int(row["strength"]) for row in ended.rows] == [evaluate(hand) for hand in hands]


@pytest.mark.parametrize(
    ("first", "options", "said"), [(0, [], True), (1, [], True), (2, [], False), (0, ["--no-header"], False)]
)
def test_a_first_line_that_counts_columns_is_told(first: int, options: list[str], said: bool, score: Score) -> None:
    names = ",".join(str(first + place) for place in range(7))
    ended = score("--input-format", "csv", *options, stdin=f"{names}\n51,50,44,40,30,20,1\n".encode())
    hint = "<stdin>: no line of names (if line 1 names the columns, say --header)"
    assert (ended.status, len(ended.rows), ended.said[:-1]) == (0, 2, [hint] if said else [])


def test_columns_by_name_number_and_range(tmp_path: Path, score: Score) -> None:
    text = "player,a,b,c,d,e\nann,As,Ks,Qs,Js,Ts\nbob,2c,10d,4♥,5s,ah\n"
    source = write(tmp_path / "in.csv", text)
    expected = ["7462", str(evaluate("2cTd4h5sAh"))]
    for columns in ("a,b,c,d,e", "2-6", "2,3,4-6", "a,3-6"):
        assert [row["strength"] for row in score(source, "--columns", columns).rows] == expected
    assert [row["strength"] for row in score(source).rows] == expected
    for columns, said in (
        ("a,x", "no column 'x'"),
        ("2-7", "no column 2-7"),
        ("a,a,b,c,d", "twice"),
        ("1-4", "4 columns of cards"),
    ):
        ended = score(source, "--columns", columns)
        assert ended.status == 1
        assert said in ended.err


def test_columns_without_header(score: Score) -> None:
    ended = score("--input-format", "csv", stdin=b"ann,As,Ks,Qs,Js,Ts\nbob,2c,10d,4h,5s,ah\n")
    assert list(ended.rows[0]) == [*(f"column_{n}" for n in range(1, 7)), "strength", "category"]
    assert [row["column_1"] for row in ended.rows] == ["ann", "bob"]
    ended = score("--input-format", "csv", stdin=b"51,47,43,39,35\n0,1,2,3,4\n")
    assert [row["category"] for row in ended.rows] == ["Royal flush", "Four of a kind"]


def test_lists(tmp_path: Path, score: Score) -> None:
    hands = [list(parse_cards(hand)) for hand in (ROYAL, KINGS, WHEEL)]
    expected = [str(evaluate(hand)) for hand in (ROYAL, KINGS, WHEEL)]
    pq.write_table(pa.table({"hand": hands}), tmp_path / "in.parquet")
    assert [row["strength"] for row in score(tmp_path / "in.parquet").rows] == expected
    fixed = pa.FixedSizeListArray.from_arrays(pa.array([*hands[1], 0, 1, 2, 3, 4], pa.uint8()), 5)
    pq.write_table(pa.table({"hand": fixed}), tmp_path / "fixed.parquet")
    assert [row["strength"] for row in score(tmp_path / "fixed.parquet").rows] == [
        expected[1],
        str(evaluate("2c2d2h2s3c")),
    ]
    lines = "".join(json.dumps({"hand": [format_cards([card]) for card in hand]}) + "\n" for hand in hands)
    assert [row["strength"] for row in score("--input-format", "ndjson", stdin=lines.encode()).rows] == expected
    pq.write_table(pa.table({"hand": [[51, 52, 3, 4, 5], [1, None, 2, 3, 4], None]}), tmp_path / "bad.parquet")
    ended = score(tmp_path / "bad.parquet", "--on-error", "null")
    assert ended.status == 3
    assert [row["strength"] for row in ended.rows] == [""] * 3
    assert "row 1: '52' is not a card" in ended.err


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
def test_other_string_types(kind: pa.DataType, tmp_path: Path, score: Score) -> None:
    texts = (
        pa.array([ROYAL, None, KINGS]).cast(kind)
        if not pa.types.is_dictionary(kind)
        else pa.array([ROYAL, None, KINGS]).dictionary_encode()
    )
    with pa.ipc.new_file(tmp_path / "in.arrow", pa.schema([("hand", texts.type)])) as writer:
        writer.write_batch(pa.record_batch([texts], ["hand"]))
    ended = score(tmp_path / "in.arrow", "--on-error", "skip")
    assert [row["hand"] for row in ended.rows] == [ROYAL, KINGS]
    assert "row 2: no hand" in ended.err


def test_sliced_arrays(tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokernel.cli.binary.BATCH_ROWS", 7)
    hands = sample_table()["hand"].to_pylist()[:100]
    hands[50] = None
    source = save_as(pa.table({"hand": hands}), tmp_path / "in.arrow")
    ended = score(source, "--on-error", "skip")
    assert ended.status == 3
    assert "row 51: no hand" in ended.err
    assert [int(row["strength"]) for row in ended.rows] == [evaluate(hand) for hand in hands if hand]


def test_uci_with_header_and_other_columns(tmp_path: Path, score: Score) -> None:
    text = "id,S1,C1,S2,C2,S3,C3,S4,C4,S5,C5,CLASS\nx,1,10,1,11,1,13,1,12,1,1,9\ny,4,2,3,2,2,2,1,2,1,13,7\n"
    ended = score(write(tmp_path / "in.csv", text))
    assert [row["category"] for row in ended.rows] == ["Royal flush", "Four of a kind"]
    assert [row["CLASS"] for row in ended.rows] == ["9", "7"]
    ended = score(tmp_path / "in.csv", "--layout", "uci", "--columns", "2-11", "--best-five")
    assert ended.rows[0]["best_five"] == "AhKhQhJhTh"
    assert ended.rows[1]["best_five"] == "2s2h2d2cKh"


@pytest.mark.parametrize("pairs", [5, 6, 7])
@pytest.mark.parametrize("extra", ["", ",0"])
def test_uci_sizes_without_header(pairs: int, extra: str, score: Score) -> None:
    cells = ["1,10", "1,11", "1,13", "1,12", "1,1", "2,3", "3,4"][:pairs]
    ended = score("--input-format", "csv", "--layout", "uci", stdin=(",".join(cells) + extra + "\n").encode())
    assert ended.rows[0]["category"] == "Royal flush"
    names = [name for pair in range(1, pairs + 1) for name in (f"S{pair}", f"C{pair}")] + ["CLASS"] * bool(extra)
    assert list(ended.rows[0]) == [*names, "strength", "category"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("5,1,1,2,1,3,1,4,1,5", "column S1: '5' is not a suit, 1 to 4"),
        ("1,1,1,14,1,3,1,4,1,5", "column C2: '14' is not a rank, 1 to 13"),
        ("1,0,1,2,1,3,1,4,1,5", "column C1: '0' is not a rank"),
        ("1,,1,2,1,3,1,4,1,5", "column C1: no rank"),
        ("1,x,1,2,1,3,1,4,1,5", "column C1: 'x' is not a rank"),
        ("1,1,1,1,1,3,1,4,1,5", "Ah twice in Ah Ah 3h 4h 5h"),
        ("1,1,1,2,1,3,1,4", "8 of 10 fields"),
    ],
)
def test_uci_bad_lines(cells: str, said: str, score: Score) -> None:
    text = f"1,10,1,11,1,13,1,12,1,1\r\n{cells}\r\n"
    ended = score("--input-format", "csv", stdin=text.encode())
    assert ended.status == 1
    assert ended.err.startswith(f"<stdin>:2: {said}")


def test_uci_spaces_around_numbers(score: Score) -> None:
    assert (
        score("--input-format", "csv", "--layout", "uci", stdin=b"1, 10,1, 11,1, 13,1, 12,1, 1\n").rows[0]["strength"]
        == "7462"
    )


def test_board(tmp_path: Path, score: Score) -> None:
    text = "hole,board\nAsKs,QsJsTs2c3d\nAh Kh,Qs Js Ts\nAsKs,KsQsJsTs2c\nAsKs,QsJsTs2c3d4d\n2c2d,\n"
    ended = score(write(tmp_path / "in.csv", text), "--board", "board", "--on-error", "null")
    assert ended.status == 3
    assert [row["category"] for row in ended.rows] == ["Royal flush", "Straight", "", "", ""]
    reasons = [line.split(": ", 1)[1] for line in ended.err.splitlines()[:3]]
    assert reasons == [
        "Ks twice in As Ks Ks Qs Js Ts 2c",
        "8 cards with the board; a hand has 5, 6 or 7",
        "board: no hand",
    ]


def test_board_with_hole_columns(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", "a,b,flop\nAs,Ks,QsJsTs\n")
    assert score(source, "--columns", "a,b", "--board", "flop").rows[0]["strength"] == "7462"


def test_board_of_several_columns(tmp_path: Path, score: Score) -> None:
    text = "hand,b1,b2,b3,b4,b5\nAsKs,Qs,Js,Ts,2c,3d\nAhKh,48,47,x,0,1\n"
    source = write(tmp_path / "in.csv", text)
    for board in ("b1,b2,b3,b4,b5", "2-6"):
        ended = score(source, "--board", board, "--on-error", "null")
        assert [row["strength"] for row in ended.rows] == ["7462", ""]
        assert ended.err.startswith(f"{source}:3: board: column b3: no card")
    assert "a board has at most 5" in score(source, "--columns", "1", "--board", "1-6").err
    assert "both hand and board" in score(source, "--columns", "1", "--board", "1-3").err


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_whole_numbers_as_floats(form: str, tmp_path: Path, score: Score) -> None:
    """Tables that had gaps once have 51.0 for 51."""
    cards = [[51.0, 51.0], [47.0, 47.5], [43.0, 43.0], [39.0, 39.0], [0.0, 0.0]]
    table = pa.table({f"c{n}": column for n, column in enumerate(cards, 1)})
    if form == "csv":
        table = table.cast(pa.schema([(name, pa.string()) for name in table.column_names]))
        table = pa.table({name: [f"{float(cell.as_py())}" for cell in table[name]] for name in table.column_names})
    source = save_as(table, tmp_path / f"in.{form}")
    ended = score(source, "--on-error", "skip")
    assert [row["strength"] for row in ended.rows] == [str(evaluate([51, 47, 43, 39, 0]))]
    assert "column c2: '47.5' is not a card, 0 to 51" in ended.err
    pq.write_table(pa.table({"hand": [[51.0, 47.0, 43.0, 39.0, 35.0]]}), tmp_path / "lists.parquet")
    assert score(tmp_path / "lists.parquet").rows[0]["strength"] == "7462"


def test_unclear_layout_lists_the_columns(tmp_path: Path, score: Score) -> None:
    ended = score(write(tmp_path / "in.csv", f"first,second\n{ROYAL},{KINGS}\n"))
    assert ended.status == 1
    assert "which columns hold the cards? Say --columns; there are: first, second" in ended.err
    assert score(tmp_path / "in.csv", "--columns", "second").rows[0]["category"] == "Four of a kind"


@pytest.mark.parametrize("columns", [1, 4])
def test_too_few_columns_of_numbers(columns: int, tmp_path: Path, score: Score) -> None:
    np.save(tmp_path / "few.npy", np.zeros((3, columns), np.uint8))
    ended = score(tmp_path / "few.npy")
    assert ended.status == 1
    assert f"no texts, and {columns} column{'s' * (columns > 1)}: a hand has 5, 6 or 7 cards" in ended.err


def rows_of(ended: Scored, form: str) -> list[dict[str, Any]]:
    return list(map(json.loads, ended.out.splitlines())) if form == "ndjson" else ended.rows


BYTES = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(14), pa.dictionary(pa.int8(), pa.binary())]


@pytest.mark.parametrize("kind", BYTES, ids=str)
@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_bytes_are_texts(form: str, kind: pa.DataType, tmp_path: Path, score: Score) -> None:
    """Old writers do not mark their texts as UTF-8."""
    hands = [ROYAL, "KhKdKcKs3d2h2c", None, "AsKsQsJsTsxxxx"]
    table = pa.table({"player": list("abcd"), "hand": pa.array([hand and hand.encode() for hand in hands], kind)})
    ended = score(save_as(table, tmp_path / "in.feather"), "--output-format", form, "--on-error", "null")
    rows = rows_of(ended, form)
    assert [row["hand"] or None for row in rows] == hands
    assert [row["strength"] and int(row["strength"]) for row in rows][:2] == [7462, evaluate("KhKdKcKs3d2h2c")]
    assert [row["strength"] or None for row in rows][2:] == [None, None]


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_bytes_that_are_no_texts(form: str, tmp_path: Path, score: Score) -> None:
    """The same bytes are the same text whatever else there is; inside of lists and structs, too."""
    notes = [b"plain", None, b"", b"\xffz", "ü".encode(), b'"']
    nested = pa.array([{"x": [note]} for note in notes])
    named = pa.DictionaryArray.from_arrays(pa.array(range(6), pa.int8()), pa.array(notes))  # one of its entries is null
    table = pa.table({"hand": [ROYAL] * 6, "note": pa.array(notes), "named": named, "nested": nested})
    ended = score(save_as(table, tmp_path / "in.feather"), "--columns", "hand", "--output-format", form)
    texts, rows = ["plain", None, "", "\\xffz", "ü", '"'], rows_of(ended, form)
    for name in ("note", "named"):
        assert [row[name] for row in rows] == [text if form == "ndjson" else text or "" for text in texts]
    found = [row["nested"] if form == "ndjson" else json.loads(row["nested"]) for row in rows]
    assert found == [{"x": [text]} for text in texts]


def test_the_one_column_that_holds_hands(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"player,dealt\nann,{ROYAL}\nAs,{KINGS}\n")
    assert [row["category"] for row in score(source).rows] == ["Royal flush", "Four of a kind"]


@pytest.mark.parametrize("text", [f"007,{ROYAL}\n", f"ann,{ROYAL}\n", f"{ROYAL}\n", "As,Ks,Qs,Js,Ts\n"])
def test_first_line_of_data_is_not_lost(text: str, score: Score) -> None:
    assert [row["strength"] for row in score("--input-format", "csv", stdin=text.encode()).rows] == ["7462"]


@pytest.mark.parametrize(
    "first",
    ["AsKsQsJsTx", "AsAsQsJsTs", "As,Ks,Qs,Js,Tx", "Xx,Ks,Qs,Js,Ts", "[As Ks Qs Js Ts]", "As Ks Qs Js", "As", "1,oops"],
)
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_bad_first_line_is_no_header(first: str, form: str, score: Score) -> None:
    good = {"1": "2,AhKhQhJhTh", "A": "Ah,Kh,Qh,Jh,Th", "X": "Ah,Kh,Qh,Jh,Th"}
    text = f"{first}\n{good[first[0]] if ',' in first else 'AhKhQhJhTh'}\n"
    text = text.replace(",", "\t") if form == "tsv" else text
    stopped = score("--input-format", form, stdin=text.encode())
    assert stopped.status == 1
    assert stopped.err.startswith("<stdin>:1: ")
    assert stopped.err.splitlines()[0].endswith(" (if this line names the columns, say --header)")
    assert score("--input-format", form, "--on-error", "skip", stdin=text.encode()).rows[0]["strength"] == "7462"
    assert len(score("--input-format", form, "--header", stdin=text.encode()).rows) == 1


def test_header_can_be_said(score: Score) -> None:
    text = f"{ROYAL}\n{KINGS}\n".encode()
    assert len(score("--input-format", "csv", "--header", stdin=text).rows) == 1
    ended = score("--input-format", "csv", "--no-header", "--on-error", "skip", stdin=b"hand\n" + text)
    assert (ended.status, len(ended.rows)) == (3, 2)
    assert "<stdin>:1: " in ended.err


@pytest.mark.parametrize("name", ["ts", "ac", "as"])
def test_column_names_that_look_like_cards(name: str, score: Score) -> None:
    ended = score("--input-format", "csv", stdin=f"id,{name},hand\n1,2,{ROYAL}\n".encode())
    assert ended.rows == [{"id": "1", name: "2", "hand": ROYAL, "strength": "7462", "category": "Royal flush"}]


def test_delimiter(score: Score) -> None:
    text = b"8C TS KC 9H 4S 7D 2S 5D 3S AC\n"
    ended = score("--input-format", "csv", "--delimiter", " ", "--columns", "1-5", stdin=text)
    assert ended.rows[0]["strength"] == str(evaluate("8C TS KC 9H 4S"))
    assert score("--delimiter", "::", stdin=b"").status == 2


def test_added_names_must_be_free(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"hand,strength\n{ROYAL},strong\n")
    ended = score(source)
    assert ended.status == 1
    assert "there is a column 'strength' already; use --prefix" in ended.err
    ended = score(source, "--prefix", "our_")
    assert list(ended.rows[0].values()) == [ROYAL, "strong", "7462", "Royal flush"]
    assert list(ended.rows[0])[2:] == ["our_strength", "our_category"]


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_two_columns_of_one_name(form: str, tmp_path: Path, score: Score) -> None:
    """They pass through, and are chosen by number, not by name."""
    source = tmp_path / f"in.{form}"
    if form == "csv":
        write(source, f"id,x,x\n1,{ROYAL},{KINGS}\n")
    else:
        save_as(pa.table([pa.array(["1"]), pa.array([ROYAL]), pa.array([KINGS])], ["id", "x", "x"]), source)
    for number, strength in ((2, "7462"), (3, str(evaluate(KINGS)))):
        ended = score(source, "--columns", number)
        assert ended.raw.decode().splitlines()[0] == "id,x,x,strength,category"
        assert ended.rows[0]["strength"] == strength
    ended = score(source, "--columns", "x")
    assert (ended.status, ended.out) == (1, "")
    assert "2 columns are called 'x'; say their numbers" in ended.err
    ended = score(source, "--columns", "2", "--output-format", "ndjson")
    assert ended.status == 1
    assert "two columns are called 'x'" in ended.err
    twice = write(tmp_path / "twice.csv", f"hand,hand\n{ROYAL},{KINGS}\n")
    assert "2 columns are called 'hand'; say --columns by numbers" in score(twice).err


# -- text as it is


def test_cells_are_kept_byte_for_byte(tmp_path: Path, score: Score) -> None:
    text = (
        "id,hand,note,n\n"
        f'007,{ROYAL},"a, ""b""",1.50\n'
        f"NA,As Ks Qs Js Ts,null,1e3\n"
        f',"As,Ks,Qs,Js,Ts",,+1\n'
        f"NaN,{KINGS},x\ty,2020-01-01\n"
    )
    ended = score(write(tmp_path / "in.csv", text))
    assert ended.status == 0
    before, after = csv.reader(io.StringIO(text)), csv.reader(io.StringIO(ended.out))
    assert [row[:4] for row in after] == list(before)
    assert ended.out.splitlines()[1] == f'007,{ROYAL},"a, ""b""",1.50,7462,Royal flush'
    assert ended.out.splitlines()[2] == "NA,As Ks Qs Js Ts,null,1e3,7462,Royal flush"


def test_json_texts_survive(tmp_path: Path, score: Score) -> None:
    notes = ['"', "\\", "a\nb", "\u2028", "é", "", "\x7f", None]
    lines = [{"note": note, "hand": ROYAL, "x": 1.5, "ok": True, "n": None, "deep": {"a": [1]}} for note in notes]
    source = write(tmp_path / "in.ndjson", "".join(json.dumps(line) + "\n" for line in lines))
    ended = score(source, "--output-format", "ndjson")
    assert [json.loads(line) for line in ended.out.split("\n")[:-1]] == [
        line | {"strength": 7462, "category": "Royal flush"} for line in lines
    ]


def test_nested_columns_as_csv(score: Score) -> None:
    line = json.dumps({"hand": ROYAL, "deep": {"a": [1, "x"]}}).encode()
    assert json.loads(score("--input-format", "ndjson", stdin=line).rows[0]["deep"]) == {"a": [1, "x"]}


def test_quotes_and_newlines_and_line_numbers(tmp_path: Path, score: Score) -> None:
    text = f'note,hand\n"one\ntwo\n\nfive",{ROYAL}\n\n"x",{KINGS}\r\n"y""",nonsense\n'
    ended = score(write(tmp_path / "in.csv", text), "--on-error", "skip")
    assert ended.status == 3
    assert ended.err.startswith(f"{tmp_path}/in.csv:8: no card")
    assert ended.rows[0]["note"] == "one\ntwo\n\nfive"


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 21])
@pytest.mark.parametrize("quoted", [False, True, None])
def test_blocks_of_any_size_give_the_same(
    block: int, quoted: bool | None, tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line numbers and rows do not depend on where blocks end; quoted=None: a stray quote, read the slow way."""
    hands = [*sample_table()["hand"].to_pylist()[:60], "As", "2c2c3d4d5d"]
    note = {True: '"a\n""b"","', False: "plain", None: 'st"ray'}[quoted]
    lines, number, bad = ["note,hand\r\n"], 2, []
    for index, hand in enumerate(hands):
        if index % 9 == 0:
            lines.append("\r\n" if index % 2 else "\n")
            number += 1
        if index >= 60:
            bad.append(number)
        lines.append(f"{note},{hand}\r\n")
        number += 2 if quoted else 1
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block)
    ended = score(write(tmp_path / "in.csv", "".join(lines)), "--on-error", "skip")
    assert [int(line.split("in.csv:")[1].split(":")[0]) for line in ended.err.splitlines()[:-1]] == bad
    assert [int(row["strength"]) for row in ended.rows] == [evaluate(hand) for hand in hands[:60]]
    assert {row["note"] for row in ended.rows} == {
        next(csv.reader([note.replace("\n", "\\n")]))[0].replace("\\n", "\n")
    }


def test_byte_order_marks(score: Score) -> None:
    text = f"hand,x\n{ROYAL},1\n"
    ended = score("--input-format", "csv", stdin=b"\xef\xbb\xbf" + text.encode())
    assert next(iter(ended.rows[0])) == "hand"
    assert score(stdin=b"\xef\xbb\xbf" + ROYAL.encode()).rows[0]["strength"] == "7462"
    ended = score("--input-format", "csv", stdin=text.encode("utf-16"))
    assert ended.status == 1
    assert "UTF-16" in ended.err


@pytest.mark.parametrize("form", ["csv", "tsv", "ndjson", "text"])
def test_empty_input(form: str, tmp_path: Path, score: Score) -> None:
    for content in (b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf"):
        target = tmp_path / "out.csv"
        ended = score("--input-format", form, "-o", target, stdin=content)
        assert (ended.status, ended.out, ended.err) == (0, "", "")
        assert target.read_bytes() == b"strength,category\n" if form != "text" else b"hand,strength,category\n"


@pytest.mark.parametrize("out", FORMATS)
def test_header_only(out: str, tmp_path: Path, score: Score) -> None:
    target = tmp_path / f"out{out}"
    assert score("--input-format", "csv", "-o", target, "--describe", stdin=b"id,hand\n").status == 0
    if out in (".parquet", ".arrow", ".arrows"):
        table = as_table(target)
        assert (table.column_names, table.num_rows) == (["id", "hand", "strength", "category", "description"], 0)
        assert table.schema.field("strength").type == pa.uint16()
    elif "json" in out:
        assert target.read_bytes() == b""
    else:
        assert (
            target.read_text().split()
            == ["\t".join if out == ".tsv" else ",".join][0](
                ["id", "hand", "strength", "category", "description"]
            ).split()
        )


@pytest.mark.parametrize("form", [".parquet", ".arrow", ".arrows"])
def test_no_rows_in_binary_formats(form: str, tmp_path: Path, score: Score) -> None:
    ended = score(save_as(sample_table().slice(0, 0), tmp_path / f"in{form}"))
    assert (ended.status, ended.out) == (0, "id,hand,strength,category\n")
    np.save(tmp_path / "in.npy", np.zeros((0, 7), np.uint8))
    assert score(tmp_path / "in.npy").out == "c1,c2,c3,c4,c5,c6,c7,strength,category\n"


def test_columns_are_checked_without_rows(score: Score) -> None:
    ended = score("--input-format", "csv", "--columns", "cards", stdin=b"id,hand\n")
    assert ended.status == 1
    assert "no column 'cards'" in ended.err


def test_no_output_header(score: Score) -> None:
    assert score(SAMPLE, "--no-output-header").out.splitlines()[0].startswith("0001,")


# -- bad lines

BAD_TEXTS = {
    "As": "1 card; a hand has 5, 6 or 7",
    "AsKsQsJs": "4 cards; a hand has 5, 6 or 7",
    "AsKsQsJsTs2c3d4h": "8 cards; a hand has 5, 6 or 7",
    "AsAsQsJsTs": "As twice in As As Qs Js Ts",
    "As Ks Qs Js 10s As": "As twice in As Ks Qs Js Ts As",
    "AsKsQsJsTx": "no card at position 8 of 'AsKsQsJsTx': 'Tx'",
    "1hKsQsJsTs": "no card at position 0",
    "   ": "no hand",
    "hello": "no card at position 0 of 'hello'",
}


@pytest.mark.parametrize(("bad", "said"), BAD_TEXTS.items())
@pytest.mark.parametrize("form", [".csv", ".txt", ".ndjson", ".parquet"])
def test_bad_hands(bad: str, said: str, form: str, tmp_path: Path, score: Score) -> None:
    table = pa.table({"hand": [KINGS, bad, ROYAL]})
    source = tmp_path / f"in{form}"
    if form == ".txt":
        write(source, f"{KINGS}\n{bad}\n{ROYAL}\n")
    else:
        save_as(table, source)
    line = {".csv": "in.csv:3", ".parquet": "in.parquet: row 2"}.get(form, f"in{form}:2")
    target = tmp_path / "out.csv"
    stopped = score(source, "-o", target)
    assert (stopped.status, stopped.out, folder(tmp_path)) == (1, "", [source.name])
    assert stopped.err.splitlines()[0].startswith(f"{tmp_path}/{line}: {said}")
    skipped = score(source, "--on-error", "skip")
    assert skipped.status == 3
    assert [row["hand"] for row in skipped.rows] == [KINGS, ROYAL]
    assert skipped.err.splitlines()[0].startswith(f"{tmp_path}/{line}: {said}")
    assert skipped.err.splitlines()[-1] == "1 of 3 lines lost (left out)"
    kept = score(source, "--on-error", "null", "--describe", "--best-five")
    assert kept.status == 3
    assert [row["hand"] for row in kept.rows] == [KINGS, bad, ROYAL]
    assert [kept.rows[1][name] for name in ("strength", "category", "description", "best_five")] == [""] * 4
    assert [kept.rows[2][name] for name in ("strength", "best_five")] == ["7462", "AsKsQsJsTs"]
    assert kept.err.splitlines()[-1] == "1 of 3 lines lost (kept without strength)"


def test_nulls_in_typed_output(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"hand\n{KINGS}\nx\n")
    assert score(source, "--on-error", "null", "--best-five", "-o", tmp_path / "out.parquet").status == 3
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["strength"].to_pylist()[1] is None
    assert table["category"].to_pylist() == ["Four of a kind", None]
    assert table["best_five"].to_pylist()[1] is None
    assert score(source, "--on-error", "null", "-o", tmp_path / "out.ndjson").status == 3
    assert json.loads((tmp_path / "out.ndjson").read_text().splitlines()[1]) == {
        "hand": "x",
        "strength": None,
        "category": None,
    }


def test_ragged_lines(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"id,hand,x\r\n1,{ROYAL},a\r\n2,{KINGS}\r\n3,{KINGS},b,c\r\n4,{WHEEL},d")
    stopped = score(source, "-o", tmp_path / "out.csv")
    assert stopped.err.splitlines()[0] == f"{source}:3: 2 of 3 fields"
    kept = score(source, "--on-error", "null")
    assert kept.err.splitlines()[:2] == [f"{source}:3: 2 of 3 fields", f"{source}:4: 4 fields, not 3"]
    assert [list(row.values()) for row in kept.rows] == [
        ["1", ROYAL, "a", "7462", "Royal flush"],
        ["2", KINGS, "", "", ""],
        ["3", KINGS, "b", "", ""],
        ["4", WHEEL, "d", str(evaluate(WHEEL)), "Straight"],
    ]
    assert [row["id"] for row in score(source, "--on-error", "skip").rows] == ["1", "4"]


def test_the_first_ten_of_many(score: Score) -> None:
    ended = score("--on-error", "skip", stdin=(f"{ROYAL}\nbad\n" * 1500).encode())
    lines = ended.err.splitlines()
    assert [line.split(":")[1] for line in lines[:10]] == [str(2 * n) for n in range(1, 11)]
    assert lines[10:] == ["… and 1,490 more", "1,500 of 3,000 lines lost (left out)"]
    assert len(ended.rows) == 1500


def test_faults_come_in_the_order_of_lines(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"id,hand\n1,bad\n2\n3,AsAsQsJsTs\n4,As\n5,{ROYAL}\n")
    ended = score(source, "--on-error", "skip")
    assert [line.split(":")[1] for line in ended.err.splitlines()[:4]] == ["2", "3", "4", "5"]
    assert score(source).err.startswith(f"{source}:2: no card")


def test_bytes_that_are_not_utf8(tmp_path: Path, score: Score) -> None:
    latin = f"name,hand\nann,{ROYAL}\n".encode() + f"José,{KINGS}\n".encode("latin-1") + f"bob,{WHEEL}\n".encode()
    source = write(tmp_path / "in.csv", latin)
    assert score(source).err.splitlines()[0] == f"{source}:3: not UTF-8: byte 0xe9"
    kept = score(source, "--on-error", "null")
    assert [row["name"] for row in kept.rows] == ["ann", "Jos�", "bob"]
    for form, text in (
        ("text", b"\xff\n" + ROYAL.encode()),
        ("ndjson", b'{"hand":"\xff"}\n{"hand":"' + ROYAL.encode() + b'"}'),
    ):
        ended = score("--input-format", form, "--on-error", "skip", stdin=text)
        assert ended.err.splitlines()[0] == "<stdin>:1: not UTF-8: byte 0xff"
        assert [row["hand"] for row in ended.rows] == [ROYAL]


def test_carriage_returns_inside_lines(score: Score) -> None:
    ended = score(
        "--input-format", "csv", "--on-error", "skip", stdin=f"id,hand\n1,{ROYAL}\r2,{KINGS}\n3,{WHEEL}\n".encode()
    )
    assert ended.err.splitlines()[0] == "<stdin>:2: carriage return inside the line"
    assert [row["id"] for row in ended.rows] == ["3"]


@pytest.mark.parametrize("size", [100, 10_000])
@pytest.mark.parametrize("form", ["csv", "text", "ndjson"])
def test_lines_that_are_too_long(size: int, form: str, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 64)
    monkeypatch.setattr(blocks, "LIMIT_BYTES", 1000)
    hand = {"csv": "1,{}", "text": "{}", "ndjson": '{{"hand":"{}"}}'}[form].format
    text = "\n".join([*(["id,hand"] if form == "csv" else []), hand(ROYAL), hand("x" * size), hand(KINGS)])
    ended = score("--input-format", form, "--on-error", "skip", stdin=text.encode())
    line = 3 if form == "csv" else 2
    said = "line longer than" if size > 1000 else "no card at position 0"
    assert ended.err.splitlines()[0].startswith(f"<stdin>:{line}: {said}")
    assert [row["hand"] for row in ended.rows] == [ROYAL, KINGS]


def test_long_reasons_are_cut(score: Score) -> None:
    ended = score(stdin=b"x" * 100_000)
    assert len(ended.err) < 500


@pytest.mark.parametrize("limit", [300, 1 << 24])
def test_quoted_field_that_never_closes(limit: int, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line is lost, not the rest of the file."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 64)
    monkeypatch.setattr(blocks, "LIMIT_BYTES", limit)
    text = f'id,hand\n1,{ROYAL}\n"2,{KINGS}\n' + "".join(f"{n},{KINGS}\n" for n in range(3, 40))
    ended = score("--input-format", "csv", "--on-error", "skip", stdin=text.encode())
    assert ended.err.splitlines() == [
        "<stdin>:3: a quoted field opens here and does not close",
        "1 of 39 lines lost (left out)",
    ]
    assert [row["id"] for row in ended.rows] == ["1", *map(str, range(3, 40))]


def test_stray_quotes_and_an_open_one(score: Score) -> None:
    text = f'id,hand\n5" card,{ROYAL}\n"2,{KINGS}\n3,{WHEEL}\n'
    ended = score("--input-format", "csv", "--on-error", "skip", stdin=text.encode())
    assert ended.err.splitlines()[0] == "<stdin>:3: a quoted field opens here and does not close"
    assert [row["id"] for row in ended.rows] == ['5" card', "3"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "JSON: "),
        ("not json", "not JSON from character 1 on"),
        ("[1, 2]", "not a JSON object"),
        ('"AsKsQsJsTs"', "not a JSON object"),
        ('{"hand": "x"} {"hand": "y"}', "JSON: more after the value, at character 14"),
        ('{"id": 2, "hand": NaN}', "NaN is not JSON"),
        ('{"id": 2}', "no hand"),
        ('{"id": 2, "hand": null}', "no hand"),
        ('{"id": 2, "hand": ""}', "no hand"),
        ("[" * 100_000, "maximum recursion"),
    ],
)
@pytest.mark.parametrize("block", [40, 1 << 21])
def test_bad_json_lines(line: str, said: str, block: int, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block)
    good = [json.dumps({"id": n, "hand": ROYAL}) for n in range(4)]
    ended = score(
        "--input-format", "ndjson", "--on-error", "null", stdin="\n".join([*good[:3], line, "", good[3]]).encode()
    )
    assert ended.status == 3
    assert ended.err.splitlines()[0].startswith(f"<stdin>:4: {said}")
    assert [row["strength"] for row in ended.rows] == ["7462"] * 3 + ["", "7462"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "two", "hand": "AsKsQsJsTs"}', "'id': \"two\" is not int64"),
        ('{"id": 2, "hand": "AsKsQsJsTs", "new": 1}', "new key 'new'"),
        ('{"id": 2, "hand": "\\ud800"}', "'hand': \"\\ud800\" is not string"),
    ],
)
def test_json_lines_unlike_the_first_block(line: str, said: str, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    test_bad_json_lines(line, said, 40, score, monkeypatch)


MIXED: list[list[object]] = [
    [1, "a", [1], None],
    [1, 2.5, None],
    [2**53 + 1, 0.5],
    [2**63, 1],
    [2**64, -(2**64)],
    [2**70, "x"],
    [True, 1],
    [True, 0.5],
    [1.5, True],
    [[1], [0.5]],
    [[2**53 + 1, 0.5]],
    [[1], ["a"], "a"],
    [{"a": 1}, {"b": [None]}],
    [{"a": 1}, {"a": 2}],
    [{"a": 2**63}],
    [{}, []],
    ["1", 1],
    ["null", None, 1],
    [1e300, 5e-324, 0.1],
]


@pytest.mark.parametrize("values", MIXED, ids=repr)
@pytest.mark.parametrize("block", [1, 1 << 21])
def test_json_values_come_out_as_they_went_in(
    values: list[object], block: int, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same values, whatever the types; where later lines do not fit the first ones they are bad lines."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block)
    lines = [json.dumps({"x": value, "hand": ROYAL}).encode() for value in values]
    words = ("--input-format", "ndjson", "--output-format", "ndjson", "--on-error", "skip")
    ended = score(*words, stdin=b"\n".join(lines))
    found = [json.loads(line)["x"] for line in ended.out.splitlines()]
    lost = {int(line.split(":")[1]) for line in ended.err.splitlines()[:-1]}
    kept = [value for line, value in enumerate(values, 1) if line not in lost]
    assert ended.status == (3 if lost else 0)
    assert not lost or block == 1
    numbers = {type(value) for value in values if value is not None} == {int, float}
    assert found == kept
    assert numbers or list(map(repr, found)) == list(map(repr, kept)) or all(isinstance(v, float) for v in values)


@pytest.mark.parametrize("first", [None, [], [None], {"a": None}])
@pytest.mark.parametrize("later", [1, "a", [1], {"a": 2}])
def test_json_values_after_nulls(first: object, later: object, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1)
    text = "".join(json.dumps({"x": value, "hand": ROYAL}) + "\n" for value in (first, later))
    ended = score("--input-format", "ndjson", "--output-format", "ndjson", stdin=text.encode())
    assert [json.loads(line)["x"] for line in ended.out.splitlines()] == [first, later]


def test_json_values_of_mixed_types_elsewhere(tmp_path: Path, score: Score) -> None:
    """Other formats have them as texts."""
    values = [1, "a", 'q"', [1, "b"], {"k": None}, None, 2**64]
    source = write(tmp_path / "in.ndjson", "".join(json.dumps({"x": v, "hand": ROYAL}) + "\n" for v in values))
    texts = ["1", "a", 'q"', '[1, "b"]', '{"k": null}', None, "18446744073709551616"]
    assert [row["x"] for row in score(source).rows] == [text or "" for text in texts]
    assert score(source, "-o", tmp_path / "out.parquet").status == 0
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["x"].to_pylist() == texts
    assert table.schema.field("x").metadata is None
    # Files of several types, the first one's type being that of all.
    plain = write(tmp_path / "plain.csv", f"x,hand\n007,{ROYAL}\n")
    lines = score(source, plain, "--output-format", "ndjson").out.splitlines()
    assert [json.loads(line)["x"] for line in lines] == [*values, "007"]
    assert [row["x"] for row in score(plain, source).rows] == ["007", *(text or "" for text in texts)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"x": 1, "x": 2, "hand": "%s"}', "key 'x' twice"),
        ('{"x": {"a": 1, "a": 1}, "hand": "%s"}', "key 'a' twice"),
        ('{"x": 1e999, "hand": "%s"}', "1e999 is larger than any number of 64 bits"),
    ],
)
@pytest.mark.parametrize("block", [40, 1 << 21])
def test_json_that_cannot_be_kept(
    line: str, said: str, block: int, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block)
    good = [json.dumps({"x": 0.5, "hand": ROYAL})] * 2
    text = "\n".join([*good, line % ROYAL, *good])
    ended = score("--input-format", "ndjson", "--on-error", "skip", stdin=text.encode())
    assert (ended.status, len(ended.rows)) == (3, 4)
    assert ended.err.splitlines()[0] == f"<stdin>:3: {said}"


def test_json_hands_of_every_form(score: Score) -> None:
    """What is valid on its own line is scored, whatever the other lines have."""
    ints, texts = list(parse_cards(ROYAL)), ["As", "Ks", "Qs", "Js", "Ts"]
    good: list[object] = [
        ints,
        texts,
        ROYAL,
        "A\u2660 K\u2660 Q\u2660 J\u2660 10\u2660",
        [51, "Ks", 43, 39, 35.0],
        ["AsKs", "QsJsTs"],
    ]
    bad: dict[str, object] = {
        "'51.5' is not a card, 0 to 51": [51.5, 47, 43, 39, 35],
        "no card at position 0 of 'Xx'": ["As", "Xx"],
        "no card": ["As", None, "Ks"],
        "'true' is not a card, 0 to 51": [True, 1, 2, 3, 4],
        "7 is no hand": 7,
        '{"a": 1} is no hand': {"a": 1},
        "no hand": None,
        "As twice in As As As As As": [51] * 5,
    }
    for mixture in ([*good, *bad.values()], *([value, odd] for value in good for odd in bad.values())):
        text = "\n".join(json.dumps({"hand": value}) for value in mixture)
        ended = score(
            "--input-format", "ndjson", "--output-format", "ndjson", "--on-error", "null", stdin=text.encode()
        )
        lines = [json.loads(line) for line in ended.out.splitlines()]
        assert [line["hand"] for line in lines] == mixture
        assert [line["strength"] for line in lines] == [7462 if value in good else None for value in mixture]
    ended = score(
        "--input-format",
        "ndjson",
        "--on-error",
        "skip",
        stdin="\n".join(json.dumps({"hand": value}) for value in [*good, *bad.values()]).encode(),
    )
    reasons = [line.split(":", 2)[2].strip() for line in ended.err.splitlines()[:-1]]
    assert len(reasons) == len(bad)
    assert all(reason.startswith(said) for reason, said in zip(reasons, bad, strict=True))


def test_json_cards_of_every_form(score: Score) -> None:
    lines = [[51, "Ks", 43, "39", 35.0], ["As", "Ks", "Qs", "Js", True]]
    text = "\n".join(json.dumps({f"c{n}": card for n, card in enumerate(line, 1)}) for line in lines)
    ended = score("--input-format", "ndjson", "--on-error", "skip", stdin=text.encode())
    assert [row["strength"] for row in ended.rows] == ["7462"]
    assert ended.err.startswith("<stdin>:2: column c5: no card at position 0 of 'true'")


def test_fast_and_slow_json_agree(tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    source = save_as(sample_table(), tmp_path / "in.ndjson")
    fast = score(source, "--output-format", "ndjson").raw
    monkeypatch.setattr("pokernel.cli.ndjson.NdjsonSource._fast", lambda self, block: None)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1000)
    assert score(source, "--output-format", "ndjson").raw == fast


def test_fast_and_slow_csv_agree(score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = score(SAMPLE).raw
    monkeypatch.setattr("pokernel.cli.delimited.DelimitedSource._fast", lambda self, block: None)
    assert score(SAMPLE).raw == fast


# -- what is said besides

TEN = "S1, C1, S2, C2, S3, C3, S4, C4, S5, C5"
GUESSES = {
    f"id,hand\n1,{ROYAL}\n": "hands in column hand",
    f"hand,board\n{ROYAL},\n": "hands in column hand",
    f"player,dealt\nann,{ROYAL}\n": "hands in column dealt",
    "id,c1,c2,c3,c4,c5\n1,As,Ks,Qs,Js,Ts\n": "cards in columns c1, c2, c3, c4, c5",
    "who,a,b,c,d,e,f\nann,As,Ks,Qs,Js,Ts,9s\n": "cards in columns a, b, c, d, e, f",
    f"{TEN.replace(' ', '')},CLASS\n1,10,1,11,1,13,1,12,1,1,9\n": f"suits and ranks in columns {TEN}",
    f"1,{ROYAL}\n2,{KINGS}\n": "no line of names; hands in column column_2",
    "ann,As,Ks,Qs,Js,Ts\nbob,2c,3c,4c,5c,6c\n": "no line of names; cards in columns "
    + ", ".join(f"column_{n}" for n in range(2, 7)),
    "1,10,1,11,1,13,1,12,1,1,9\n": f"no line of names; suits and ranks in columns {TEN}",
}


@pytest.mark.parametrize(("text", "guess"), GUESSES.items(), ids=GUESSES.values())
def test_a_guess_is_said(text: str, guess: str, tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", text)
    ended = score(source)
    assert (ended.status, ended.err) == (0, "")
    assert ended.said[0] == f"{source}: {guess} (else say --columns, --layout)"
    assert len(ended.said) == 2
    ended = score("--input-format", "csv", stdin=text.encode())
    assert ended.said[0] == f"<stdin>: {guess} (else say --columns, --layout)"
    assert score(source, "--quiet").said == []


@pytest.mark.parametrize("form", [".ndjson", ".parquet", ".arrow"])
def test_a_guess_about_named_columns(form: str, tmp_path: Path, score: Score) -> None:
    source = save_as(pa.table({"id": [1], "hand": [list(parse_cards(ROYAL))]}), tmp_path / f"in{form}")
    assert score(source).notes[0] == f"{source}: hands in column hand (else say --columns, --layout)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"hand\n{ROYAL}\n", []),
        (f"{ROYAL}\n{KINGS}\n", []),
        ("hand,board\nAsKs,QsJsTs\n", ["--board", "board"]),
        ("hand,b1,b2,b3\nAsKs,Qs,Js,Ts\n", ["--board", "2-4"]),
        (f"id,hand\n1,{ROYAL}\n", ["--columns", "hand"]),
        (f"id,hand\n1,{ROYAL}\n", ["--columns", "2", "--layout", "text"]),
        ("id,c1,c2,c3,c4,c5\n1,As,Ks,Qs,Js,Ts\n", ["--columns", "2-6"]),
    ],
)
def test_what_is_no_guess_is_not_said(text: str, words: list[str], score: Score) -> None:
    ended = score("--input-format", "csv", *words, stdin=text.encode())
    assert (ended.status, ended.err, len(ended.said)) == (0, "", 1)
    assert SUMMARY.fullmatch(ended.said[0])


def test_no_guess_about_plain_text(score: Score) -> None:
    assert len(score(stdin=ROYAL.encode()).said) == 1


def test_a_guess_about_several_files_is_said_once(tmp_path: Path, score: Score) -> None:
    second = f"a,b\nann,{ROYAL}\n"
    texts = {"one": second, "two": second, "three": f"a,b\n{ROYAL},ann\n", "four": second, "five": second}
    sources = {name: write(tmp_path / f"{name}.csv", text) for name, text in texts.items()}
    ended = score(*sources.values())
    assert (ended.status, ended.err, len(ended.rows)) == (0, "", 5)
    assert [line.partition(" (")[0] for line in ended.said[:-1]] == [
        f"{sources['one']}: hands in column b",
        f"{sources['three']}: hands in column a",
        f"{sources['four']}: hands in column b",
    ]
    assert ended.said[-1].startswith("5 rows, 0 bad, ")
    assert len(score(sources["one"], sources["two"]).said) == 2
    assert score(*sources.values(), "--quiet").said == []


def test_a_guess_is_said_before_what_goes_wrong(tmp_path: Path, score: Score) -> None:
    """And a run that stopped has no summary."""
    source = write(tmp_path / "in.csv", "id,hand\n1,As\n")
    assert score(source).said == [
        f"{source}: hands in column hand (else say --columns, --layout)",
        f"{source}:2: 1 card; a hand has 5, 6 or 7",
        "stopped there; --on-error skip or null goes on",
    ]
    assert score(source, "--quiet").said == score(source).said[1:]


@pytest.mark.parametrize(
    ("good", "bad", "said"), [(1, 0, "1 rows, 0 bad"), (0, 1, "1 rows, 1 bad"), (1500, 1200, "2,700 rows, 1,200 bad")]
)
@pytest.mark.parametrize("on_error", ["skip", "null"])
@pytest.mark.parametrize("target", [[], ["-o", "out.csv"]])
def test_the_summary(
    good: int,
    bad: int,
    said: str,
    on_error: str,
    target: list[str],
    score: Score,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It comes last, after what was lost, and counts the lines of the input, be they in the output or not."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 4096)
    text = f"{ROYAL}\n" * good + "bad\n" * bad
    words = ("--on-error", on_error, *target)
    ended = score(*words, stdin=text.encode())
    assert ended.status == (3 if bad else 0)
    assert SUMMARY.fullmatch(ended.said[-1])
    assert ended.said[-1].rpartition(", ")[0] == said
    if bad:
        assert " lines lost (" in ended.said[-2]
    quiet = score(*words, "--quiet", stdin=text.encode())
    assert (quiet.status, quiet.said) == (ended.status, ended.said[:-1])


def test_the_summary_of_nothing_and_of_several(tmp_path: Path, score: Score) -> None:
    assert score(stdin=b"").said[0].startswith("0 rows, 0 bad, ")
    sources = [write(tmp_path / f"{n}.txt", f"{ROYAL}\n" * n + "x\n") for n in (1, 2)]
    assert score(*sources, "--on-error", "skip").said[-1].startswith("5 rows, 2 bad, ")


# -- output files


@pytest.mark.usefixtures("aside")
def test_output_over_the_input(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "hands.csv", f"hand\n{ROYAL}\n")
    source.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(source)
    assert score(source, "-o", link).status == 0
    assert source.read_text() == f"hand,strength,category\n{ROYAL},7462,Royal flush\n"
    assert source.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert folder(tmp_path) == ["hands.csv", "link.csv"]


@pytest.mark.usefixtures("aside")
@pytest.mark.parametrize("form", FORMATS)
def test_a_failure_leaves_the_old_output(
    form: str, tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 4096)
    source = write(tmp_path / "in.csv", SAMPLE.read_bytes() + b"1001,bad\n")
    target = write(tmp_path / f"out{form}", "precious")
    assert score(source, "-o", target).status == 1
    assert target.read_text() == "precious"
    assert folder(tmp_path) == sorted(["in.csv", target.name])


def test_output_that_cannot_be_written(tmp_path: Path, score: Score) -> None:
    ended = score(SAMPLE, "-o", tmp_path / "no" / "where.csv")
    assert ended.status == 1
    assert "No such file or directory" in ended.err
    (tmp_path / "folder.csv").mkdir()
    mine = write(tmp_path / "folder.csv" / "mine", "precious")
    ended = score(SAMPLE, "-o", tmp_path / "folder.csv")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"{tmp_path}/folder.csv: has something else in it (mine)")
    assert (folder(tmp_path), folder(tmp_path / "folder.csv")) == (["folder.csv"], ["mine"])
    assert mine.read_text() == "precious"


@pytest.mark.parametrize("form", ["parquet", "arrow", "arrows"])
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_binary_formats_are_not_compressed(form: str, suffix: str, tmp_path: Path, score: Score) -> None:
    """What we could not read back is not written."""
    target = tmp_path / f"out.{form}{suffix}"
    for words in ((), ("--output-format", form)):
        ended = score(SAMPLE, "-o", target, *words)
        assert (ended.status, folder(tmp_path)) == (2, [])
        assert ended.err.startswith(f"{target}: ")
    ended = score(write(target, gzip.compress(b"PAR1")))
    assert ended.status == 1
    assert ended.err.endswith(": unpack it first\n")


def test_messages_name_the_output(tmp_path: Path, score: Score) -> None:
    """As the user does, not the file aside."""
    ended = score(SAMPLE, "-o", tmp_path / "no" / "where.csv")
    assert ended.err == f"{tmp_path}/no/where.csv: cannot be written: No such file or directory\n"
    ended = score(SAMPLE, "-o", SAMPLE / "out.csv")
    assert ended.err == f"{SAMPLE}/out.csv: cannot be written: Not a directory\n"
    for form in OutputFormat if Path("/dev/full").exists() else ():
        ended = score(SAMPLE, "-o", "/dev/full", "--output-format", form)
        assert (ended.status, ended.err) == (1, "/dev/full: cannot be written: No space left on device\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["", SAMPLE], "FILE"),
        ([SAMPLE, "-o", ""], "--output"),
        ([SAMPLE, "-o", "out"], "which format?"),
        ([SAMPLE, "--no-output-header", "--output-format", "ndjson"], "--no-output-header is for CSV and TSV"),
        (["-", "--delimiter", ";"], "--delimiter is for CSV and TSV"),
        (["-", "--header"], "--header and --no-header are for CSV and TSV"),
        (["-", "--input-format", "ndjson", "--no-header"], "--header and --no-header are for CSV and TSV"),
        (["-", "--input-format", "arrow", "--delimiter", ";"], "--delimiter is for CSV and TSV"),
    ],
)
def test_wrong_usage(words: list[object], said: str, score: Score) -> None:
    ended = score(*words)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


@pytest.mark.parametrize("word", ["tab", "\\t", "\t"])
def test_tab_as_a_delimiter(word: str, score: Score) -> None:
    ended = score("--input-format", "csv", "--delimiter", word, stdin=f"id\thand\n1\t{ROYAL}\n".encode())
    assert (ended.rows[0]["id"], ended.rows[0]["strength"]) == ("1", "7462")


@pytest.mark.parametrize(
    ("mark", "told"), [(";", "--delimiter ';'"), ("|", "--delimiter '|'"), ("\t", "--delimiter tab")]
)
@pytest.mark.parametrize("form", ["csv", "text"])
def test_hint_at_the_delimiter(mark: str, told: str, form: str, score: Score) -> None:
    for head in ("", f"hand{mark}id\n"):
        ended = score("--input-format", form, stdin=f"{head}AsKsQsJsTs{mark}1\n".encode())
        assert ended.status == 1
        assert told in ended.err


def test_hint_at_the_board(score: Score) -> None:
    ended = score("--input-format", "csv", stdin=b"hand,Board\nAsKs,QsJsTs\n")
    assert ended.err.startswith("<stdin>:2: 2 cards; a hand has 5, 6 or 7 (if the others are in the column Board, say")
    assert "--board" not in score("--input-format", "csv", stdin=b"hand,x\nAsKs,QsJsTs\n").err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(b"hand\n", mtime=0), "looks gzipped"),
        (bz2.compress(b"hand\n"), "looks packed by bzip2"),
        (pa.compress(b"hand\n", "zstd", asbytes=True), "looks packed by zstd"),
        (b"PAR1....", "looks like Parquet"),
        (b"ARROW1..", "looks like Arrow IPC"),
        (b"\x93NUMPY..", "looks like a NumPy array"),
    ],
)
def test_other_files_given_as_text(content: bytes, said: str, tmp_path: Path, score: Score) -> None:
    for form in ("csv", "text", "ndjson"):
        ended = score("--input-format", form, stdin=content)
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.startswith(f"<stdin>: {said}")


def test_text_given_as_other_files(tmp_path: Path, score: Score) -> None:
    source = write(tmp_path / "in.csv", f"hand\n{ROYAL}\n")
    assert score(source, "--input-format", "npy").err == (
        f"{source}: not a readable NumPy file: it does not start like one\n"
    )
    np.save(tmp_path / "objects.npy", np.array([[1, "a"]], object), allow_pickle=True)
    assert "Python objects in dtype" in score(tmp_path / "objects.npy").err
    ended = score(write(tmp_path / "archive.npy", b"PK and no more"))
    assert "an archive; an integer array of shape (n, k) is needed" in ended.err
    ended = score(write(tmp_path / "old.feather", b"FEA1" + bytes(100)))
    assert ended.err == f"{tmp_path}/old.feather: Feather version 1 is not read; save it as version 2\n"
    content = save_as(sample_table(), tmp_path / "in.arrow").read_bytes()
    ended = score("--input-format", "arrow", stdin=content)
    assert ended.err == "<stdin>: the Arrow IPC file format needs a file; in a pipe use the stream format\n"


def test_columns_are_compared_before_anything_is_written(tmp_path: Path, score: Score) -> None:
    first = write(tmp_path / "a.csv", f"id,hand\n1,{ROYAL}\n")
    for other in (write(tmp_path / "b.csv", f"name,hand\n1,{ROYAL}\n"), write(tmp_path / "c.parquet", "?")):
        ended = score(first, "-", other, "--input-format", "csv", stdin=first.read_bytes())
        assert (ended.status, ended.out) == (1, "")
        assert ended.err.startswith(f"{other}: ")


def test_devices_are_written_not_replaced(score: Score) -> None:
    assert score(SAMPLE, "-o", "/dev/null", "--output-format", "csv").status == 0
    assert Path("/dev/null").is_char_device()


def test_memory_is_not_asked_for_more_than_a_batch(
    tmp_path: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the input, a batch is what is held of it."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2048)
    largest = 0
    plain = rows.Rows.__init__

    def watched(self: rows.Rows, table: pa.RecordBatch, *rest: object) -> None:
        nonlocal largest
        largest = max(largest, table.num_rows)
        plain(self, table, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(rows.Rows, "__init__", watched)
    assert score(SAMPLE, "-o", tmp_path / "out.csv").status == 0
    assert 0 < largest < 100


# -- real data


def test_uci_training_set(tmp_path: Path, shared_data: Path, score: Score) -> None:
    source = shared_data / "uci_poker_training.csv"
    stopped = score(source, "--layout", "uci", "-o", tmp_path / "out.csv")
    assert stopped.status == 1
    assert stopped.err.splitlines()[0] == f"{source}:38: 10 of 11 fields"
    assert folder(tmp_path) == []
    ended = score(source, "--layout", "uci", "--on-error", "skip", "-o", tmp_path / "out.parquet")
    assert ended.status == 3
    assert ended.err.splitlines() == [
        f"{source}:38: 10 of 11 fields",
        f"{source}:25010: 10 of 11 fields",
        "2 of 25,010 lines lost (left out)",
    ]
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names == [*(f"{x}{n}" for n in range(1, 6) for x in "SC"), "CLASS", "strength", "category"]
    categories = category(table["strength"].to_numpy())
    labels = np.array([int(label) for label in table["CLASS"].to_pylist()])
    assert len(labels) == 25_008
    # Line 38 is missing, so lines after it stand one row earlier.
    wrong = [row + 1 + (row >= 37) for row in np.flatnonzero(categories != labels).tolist()]
    assert wrong == [5, 6, 8467, 9332, 9583, 9872, 9924, 9927, 9930, 9932]


def test_euler_54(shared_data: Path, score: Score) -> None:
    source = shared_data / "euler54_deals.txt"
    wins = []
    for columns in ("1-5", "6-10"):
        ended = score(source, "--input-format", "csv", "--delimiter", " ", "--columns", columns)
        assert ended.status == 0
        wins.append(np.array([int(row["strength"]) for row in ended.rows]))
    assert len(wins[0]) == 1000
    assert np.count_nonzero(wins[0] > wins[1]) == 376
    assert not (wins[0] == wins[1]).any()


@pytest.mark.parametrize("other", [2.5, datetime.date(2020, 1, 2), True, Decimal("2.5")], ids=str)
def test_columns_of_other_types_are_explained_by_row(score: Score, tmp_path: Path, other: Any) -> None:
    pq.write_table(pa.table({"hand": [None, other], "hole": [ROYAL, "AsKs"]}), tmp_path / "f.parquet")
    ended = score(tmp_path / "f.parquet", "--columns", "hand", "--on-error", "null")
    assert ended.status == 3
    assert "row 1: no hand\n" in ended.err
    assert f"row 2: {json.dumps(other, default=str)} is no hand\n" in ended.err
    ended = score(tmp_path / "f.parquet", "--columns", "hole", "--board", "hand", "--on-error", "null")
    assert ended.status == 3
    assert "row 2: board: " in ended.err


def test_columns_of_structs_are_refused(score: Score, tmp_path: Path) -> None:
    pq.write_table(pa.table({"hand": [{"a": 1}], "hole": [ROYAL]}), tmp_path / "f.parquet")
    for words in (["hand"], ["hole", "--board", "hand"]):
        ended = score(tmp_path / "f.parquet", "--columns", *words, "--on-error", "null")
        assert ended.status == 1
        assert "no hands in these columns: cards are integers or texts, not struct<a: int64>" in ended.err
