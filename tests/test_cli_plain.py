"""Delimited text by the quick way: cut, read and written by kernels, compared with readers that owe them nothing."""

import csv
import io
import json
import re
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from conftest import RunPython
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokernel.cli import blocks, delimited
from pokernel.cli.plain import plain_columns
from pokernel.cli.rows import InputError
from pokernel.cli.sinks import DelimitedSink
from pokernel.cli.sources import open_source
from pokernel.cli.words import InputFormat
from pokernel.jit.delimited import MISUSED, record_ends

# -- reading a block

TAME = [b"", b"a", b"As Ks", b"51", "♠é".encode(), b" ", b"'", b"\x1f", "\u2028\ufeff".encode(), b"x" * 40]
QUOTED = [b'""', b'"a"', b'"As,Ks"', b'"a;b\tc"', '" ♠"'.encode()]
ODD = [b'"a""b"', b'""""', b'5" card', b'"a" ', b' "a"', b'"open', b'"', b'a"', b'"a\nb"', b'"a\r\nb"']
WRONG = [
    b"\r",
    b"a\rb",
    b'"a\rb"',
    b"\0",
    b'"\0"',
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\n",
    b"\r\n",
    b",",
    b";",
    b"\t",
]
DELIMITERS = st.sampled_from([",", "\t", ";", None])
CELLS = [
    st.sampled_from(kinds)
    for kinds in (TAME, TAME + QUOTED, 9 * TAME + 3 * QUOTED + ODD, 5 * TAME + QUOTED + ODD + WRONG)
]
ENDS = [[b"\n"], [b"\n", b"\r\n"], [b"\n"] * 20 + [b"\n\n", b"\r\n\r\n", b"\r", b"\r\r\n", b" \n"]]


@st.composite
def documents(draw: st.DrawFn) -> tuple[bytes, str | None, int]:
    """Text, mostly of whole lines; how it is delimited; how many cells most of its records have."""
    delimiter, width = draw(DELIMITERS), draw(st.sampled_from([1, 1, 2, 3, 5]))
    cells, ends = draw(st.sampled_from(CELLS)), st.sampled_from(draw(st.sampled_from(ENDS)))
    widths = st.sampled_from(draw(st.sampled_from([[width], [width] * 20 + [width + 1, max(width - 1, 1)]])))
    sizes = draw(st.lists(widths, min_size=1, max_size=12))
    mark = (delimiter or " ").encode()
    lines = [mark.join(draw(st.lists(cells, min_size=size, max_size=size))) + draw(ends) for size in sizes]
    return b"".join(lines), delimiter, 1 if delimiter is None else width


def strictly_read(data: bytes, delimiter: str | None, width: int) -> list[list[str]] | None:
    """Return the columns of text of which every line is a record by itself, as Python's reader sees it."""
    records = []
    for line in data.decode().split("\n")[:-1]:
        if delimiter is None:
            records.append([line.removesuffix("\r")])
            continue
        try:
            (cells,) = csv.reader([line + "\n"], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError):
            return None
        if len(cells) != width:
            return None
        records.append(cells)
    return [list(column) for column in zip(*records, strict=True)]


def is_plain(data: bytes, delimiter: str | None, width: int) -> bool:
    """Return what ``plain_columns`` promises to read: no less, no more."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    if delimiter is None:
        return re.fullmatch(rb"([^\r\n]+\r?\n)*", data) is not None
    cell = rb'(?:"[^"\r\n]*"|[^"\r\n%b]*)' % delimiter.encode()
    record = delimiter.encode().join([cell] * width)
    return re.fullmatch(rb"(?:(?!\r?\n)%b\r?\n)*" % record, data) is not None


@settings(max_examples=800)
@given(documents(), st.sampled_from([0, 0, 0, 0, 1, -1]))
@example((b'""\n', ",", 1), 0)
@example((b'"a\xc3","\xa9"\n', ",", 2), 0)
def test_plain_columns_are_what_a_strict_reader_reads(document: tuple[bytes, str | None, int], more: int) -> None:
    data, delimiter, width = document
    width = max(1, width + (more if delimiter else 0))
    data = data[: data.rfind(b"\n") + 1] or b"a\n"
    columns = plain_columns(data, delimiter, width)
    assert (columns is not None) == is_plain(data, delimiter, width)
    if columns is not None:
        for column in columns:
            column.validate(full=True)
            assert (column.type, column.null_count) == (pa.string(), 0)
        assert [column.to_pylist() for column in columns] == strictly_read(data, delimiter, width)


@settings(max_examples=200)
@given(st.data(), DELIMITERS, st.integers(1, 4), st.booleans(), st.integers(1, 12))
def test_what_is_certainly_plain_is_read(
    data: st.DataObject, delimiter: str | None, width: int, quoted: bool, rows: int
) -> None:
    """Cells known beforehand, of any letters, some in quotes."""
    width = width if delimiter else 1
    letters = st.characters(codec="utf-8", exclude_characters="\r\n" + ('"' if delimiter else ""))
    texts = data.draw(
        st.lists(st.lists(st.text(letters, max_size=8), min_size=width, max_size=width), min_size=rows, max_size=rows)
    )
    lines = []
    for cells in texts:
        marked = [cell if delimiter else cell + "." * (cell == "") for cell in cells]
        cells[:] = marked
        if delimiter is not None:
            needed = quoted or width == 1
            marked = [f'"{cell}"' if needed or delimiter in cell else cell for cell in marked]
        lines.append((delimiter or "").join(marked) + data.draw(st.sampled_from(["\n", "\r\n"])))
    columns = plain_columns("".join(lines).encode(), delimiter, width)
    assert columns is not None
    assert [column.to_pylist() for column in columns] == [list(column) for column in zip(*texts, strict=True)]


def test_a_block_of_many_lines() -> None:
    """More than a few bytes of everything."""
    texts = [f'"{n}",As Ks,{"x" * (n % 50)}{",;" * (n % 2)}' for n in range(0, 20_000, 2)]
    columns = plain_columns("\r\n".join([*texts, ""]).encode(), ",", 3)
    assert columns is not None
    assert columns[0].to_pylist() == [str(n) for n in range(0, 20_000, 2)]
    assert columns[1].unique().to_pylist() == ["As Ks"]
    assert columns[2].to_pylist() == ["x" * (n % 50) for n in range(0, 20_000, 2)]


# -- reading a source


def all_rows(path: Path, delimiter: str | None, header: bool) -> list[tuple[int, list[str | None], str | None]] | str:
    """Return line, cells and fault of every row, or why there are none."""
    form = InputFormat.text if delimiter is None else InputFormat.csv
    found = []
    try:
        with closing(open_source(str(path), form, None if delimiter is None else header, delimiter)) as source:
            for rows in source:
                assert rows.table.schema == source.schema
                assert len(rows.lines) == rows.table.num_rows
                columns = [column.to_pylist() for column in rows.table.columns]
                for row, line in enumerate(rows.lines.tolist()):
                    found.append((line, [column[row] for column in columns], rows.faults.get(row)))
    except InputError as error:
        return str(error)
    return found


@settings(max_examples=400)
@given(data=st.data())
def test_sources_read_the_same_with_and_without(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Rows, lines and faults, wherever blocks end, and however short the longest line may be."""
    text, delimiter, width = data.draw(documents())
    plain = (delimiter or " ").encode().join([b"x"] * width) + b"\n"
    text = b"".join([plain] * data.draw(st.integers(0, 3)) + [text] + [plain] * data.draw(st.integers(0, 3)))
    text += data.draw(st.sampled_from([b"", b"a", b'"']))
    block, limit = data.draw(st.sampled_from([1, 3, 16, 64, 1 << 21])), data.draw(st.sampled_from([30, 1 << 24]))
    header = data.draw(st.booleans())
    path = tmp_path_factory.getbasetemp() / "differential.csv"
    path.write_bytes(text)
    found = []
    for ways in range(3):
        with ExitStack() as changed:
            changed.enter_context(patch.object(blocks, "BLOCK_BYTES", block))
            changed.enter_context(patch.object(blocks, "LIMIT_BYTES", limit))
            if ways < 2:
                changed.enter_context(patch.object(delimited, "plain_columns", lambda *rest: None))
            if ways < 1:
                changed.enter_context(patch.object(delimited.DelimitedSource, "_fast", lambda self, block: None))
            found.append(all_rows(path, delimiter, header))
    assert found[2] == found[1]
    assert found[1] == found[0]


def test_the_quick_way_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By every block but the first, from which the names come; otherwise all this would test nothing."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 64)
    path = tmp_path / "in.csv"
    path.write_text("id,hand\n" + "".join(f'{n},"As Ks"\r\n' for n in range(100)))
    slow: list[int] = []

    def counted(self: Any, block: blocks.Block) -> None:
        slow.append(block.line)

    monkeypatch.setattr(delimited.DelimitedSource, "_fast", counted)
    found = all_rows(path, ",", True)
    assert not isinstance(found, str)
    assert [cells for _, cells, _ in found] == [[str(n), "As Ks"] for n in range(100)]
    assert slow == [2]


# -- where records end


def ends_by_the_book(data: bytes, delimiter: int) -> list[int] | None:
    """Return the line ends that end records by RFC 4180, or None if it has no quotes where one of these stands."""
    ends, state = [], "start"
    for at, byte in enumerate(data):
        if state == "quoted":
            state = "closed?" if byte == ord('"') else state
        elif byte == ord('"'):
            if state == "inside":
                return None
            state = "quoted"
        elif byte == ord("\n"):
            ends.append(at)
            state = "start"
        elif byte == delimiter:
            state = "start"
        elif state == "closed?" and byte != ord("\r"):
            return None
        else:
            state = "inside"
    return ends


@settings(max_examples=600)
@given(
    st.one_of(
        documents().map(lambda document: document[0]),
        st.lists(st.sampled_from([b"a", b",", b";", b'"', b'"', b"\n", b"\r\n", b"\r", b"\xff"]), max_size=30).map(
            b"".join
        ),
    ),
    st.sampled_from(",\t;"),
)
def test_record_ends(data: bytes, delimiter: str) -> None:
    ends = np.full(data.count(b"\n") + 1, -7, np.int64)
    found = record_ends(np.frombuffer(data, np.uint8), ord(delimiter), ends[:-1])
    expected = ends_by_the_book(data, ord(delimiter))
    if expected is None:
        assert found == MISUSED
    else:
        assert ends[:found].tolist() == expected
    assert ends[-1] == -7


# -- writing

LETTERS = st.text(alphabet='ab,\t"\r\n é♠\0', max_size=6)


class Taken(io.BytesIO):
    """What a sink wrote."""

    @property
    def text(self) -> str:
        return self.getvalue().decode()


def written(batches: list[pa.RecordBatch], delimiter: str, header: bool = False) -> Taken:
    file = Taken()
    sink = DelimitedSink(file, batches[0].schema, delimiter, header)
    for batch in batches:
        sink.write(batch)
    sink.close()
    return file


def as_cell(value: object, delimiter: str) -> str:
    """Return a cell with quotes where, and only where, it needs them."""
    text = "" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if re.search(rf'[{delimiter}"\r\n]', text) else text


@st.composite
def batches(draw: st.DrawFn) -> list[pa.RecordBatch]:
    """Batches of one schema, pieces of larger arrays, of texts and of strengths, some of them null."""
    kinds = draw(st.lists(st.sampled_from(["text", "full", "uint16", "large"]), min_size=1, max_size=4))
    made = []
    for rows in draw(st.lists(st.integers(0, 9), min_size=1, max_size=3)):
        columns = []
        for kind in kinds:
            before, after = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            size = before + rows + after
            values = {
                "text": st.one_of(LETTERS, st.none()),
                "full": LETTERS,
                "large": LETTERS,
                "uint16": st.one_of(st.integers(0, 65535), st.none()),
            }[kind]
            cells = draw(st.lists(values, min_size=size, max_size=size))
            type_ = {"uint16": pa.uint16(), "large": pa.large_string()}.get(kind, pa.string())
            columns.append(pa.array(cells, type_).slice(before, rows))
        names = [str(index) for index in range(len(kinds))]
        made.append(pa.RecordBatch.from_arrays(columns, names))
    return made


@settings(max_examples=250)
@given(batches(), st.sampled_from([",", "\t"]))
def test_what_is_written_is_read_back(made: list[pa.RecordBatch], delimiter: str) -> None:
    records = [list(row.values()) for batch in made for row in batch.to_pylist()]
    file = written(made, delimiter)
    lines = [delimiter.join(as_cell(value, delimiter) for value in record) + "\n" for record in records]
    assert file.text == "".join(lines)
    if len(made[0].schema) > 1:  # an empty line is no record; score writes two columns at least
        reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=delimiter, strict=True)
        assert list(reader) == [["" if value is None else str(value) for value in record] for record in records]


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_names_of_columns_are_cells(delimiter: str) -> None:
    names = ["plain", "", "a,b", "tab\tbed", 'say "so"', "two\nlines", "two\nlines", "é♠"]
    batch = pa.RecordBatch.from_arrays([pa.array(["x"])] * len(names), names)
    file = written([batch], delimiter, header=True)
    assert file.text.startswith(delimiter.join(as_cell(name, delimiter) for name in names) + "\n")
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=delimiter, strict=True)
    assert list(reader) == [names, ["x"] * len(names)]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("signed", [True, False])
def test_integers(bits: int, signed: bool) -> None:
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    kind = getattr(pa, f"{'' if signed else 'u'}int{bits}")()
    values = [7, least, most, 0, None, 1, least + 1, most - 1, 9]
    column = pa.array(values, kind).slice(1, 7)
    file = written([pa.RecordBatch.from_arrays([column, column], ["a", "b"])], ",")
    assert file.text == "".join(f"{cell},{cell}\n" for cell in ["" if v is None else v for v in values[1:8]])


def test_every_number_of_16_bits() -> None:
    numbers = np.arange(1 << 16, dtype=np.uint16)
    assert written([pa.record_batch({"n": pa.array(numbers)})], ",").text == "".join(f"{n}\n" for n in range(1 << 16))
    small = written([pa.record_batch({"n": pa.array(numbers[:256].astype(np.uint8))})], ",")
    assert small.text == "".join(f"{n}\n" for n in range(256))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (pa.array([True, False, None]), ["true", "false", ""]),
        (pa.array([0.5, -1e300, None]), ["0.5", "-1e+300", ""]),
        (pa.array(["a,b", 'q"', None], pa.string_view()), ['"a,b"', '"q"""', ""]),
        (pa.array(["a,b", None, "a,b"]).dictionary_encode(), ['"a,b"', "", '"a,b"']),
        (pa.nulls(3), ["", "", ""]),
        (pa.nulls(3, pa.string()), ["", "", ""]),
        (pa.array([[1, 2], [], None]), ['"[1, 2]"', "[]", ""]),
        (pa.array([b"x", b"", None]), ["x", "", ""]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_other_types(column: pa.Array, cells: list[str]) -> None:
    for start in range(3):
        piece = column.slice(start)
        batch = pa.RecordBatch.from_arrays([piece, piece], ["a", "b"])
        assert written([batch], ",").text == "".join(f"{cell},{cell}\n" for cell in cells[start:])


def test_cells_of_nothing_but_quotes() -> None:
    """They need the most room; batches after a small one need more."""
    sizes = [0, 1, 1000, 3, 100_000]
    made = [pa.record_batch({"a": pa.array(['"' * size] * 3), "b": pa.array([""] * 3)}) for size in sizes]
    assert written(made, ",").text == "".join([as_cell('"' * size, ",") + ",\n" for size in sizes for _ in range(3)])


def test_a_batch_of_no_rows() -> None:
    empty = pa.RecordBatch.from_pylist([], pa.schema([("a", pa.string()), ("b", pa.uint16())]))
    assert written([empty, empty], ",", header=True).text == "a,b\n"


# -- without a compiler

KERNELS = """
import io, json
import numpy as np
import pyarrow as pa
from pokernel.cli.plain import plain_columns
from pokernel.cli.sinks import DelimitedSink
from pokernel.jit.delimited import record_ends
from numba.core import config

def results():
    text = 'id,"a,b"\\r\\n"",♠ é\\n,\\n'.encode()
    columns = [column.to_pylist() for column in plain_columns(text, ",", 2)]
    refused = [plain_columns(data, ",", 2) for data in (b'a,b"\\n', b"a\\n", b"a,b,c\\n", b"\\n", b"a,\\rb\\n")]
    lines = [plain_columns(data, None, 1) for data in (b'"a",\\r\\nb\\n', b"\\r\\n")]
    lines = [found and found[0].to_pylist() for found in lines]
    ends, found = np.zeros(4, np.int64), []
    for data in (b'a,"b\\n""c\\n"\\nd\\n', b'a"\\n', b'"a"b\\n', b'"a"\\r\\n'):
        count = record_ends(np.frombuffer(data, np.uint8), ord(","), ends)
        found.append([int(count), *ends[:max(count, 0)].tolist()])
    file = io.BytesIO()
    batch = pa.record_batch({"x, y": pa.array(["-", "é", None, 'q"', "a\\nb"]).slice(1), "n": pa.array([0, 65535, None, 7], pa.uint16())})
    DelimitedSink(file, batch.schema, ",", True).write(batch)
    return [columns, refused, lines, found, file.getvalue().decode()]
"""


def test_kernels_without_a_compiler(run_python: RunPython) -> None:
    ended = run_python(
        f"{KERNELS}\nassert config.DISABLE_JIT\nprint(json.dumps(results()))", env={"NUMBA_DISABLE_JIT": "1"}
    )
    assert ended.returncode == 0, ended.stderr
    names: dict[str, Any] = {}
    exec(KERNELS, names)
    compiled = names["results"]()
    assert json.loads(ended.stdout) == compiled
    assert compiled == [
        [["id", "", ""], ["a,b", "♠ é", ""]],
        [None] * 5,
        [['"a",', "b"], None],
        [[2, 10, 12], [-1], [-1], [1, 4]],
        '"x, y",n\né,0\n,65535\n"q""",\n"a\nb",7\n',
    ]
