"""``pokernel score`` into a folder: parts that make up what one file would be, and what a crash leaves to be done."""

import csv
import gzip
import io
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from layouts import deal
from test_cli import Ended, invoke

from pokernel.cards import format_cards
from pokernel.cli import blocks, cluster, folder, parts, plan
from pokernel.cli.save import save
from pokernel.cli.score import Report

HANDS = 500
Make = Callable[[Path], Path]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is cut about every hundred rows, read in still smaller blocks."""
    monkeypatch.setattr(plan, "PART_BYTES", 2000)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 700)


def texts(count: int = HANDS, seed: int = 1) -> list[str]:
    return [format_cards(hand) for hand in deal(np.random.default_rng(seed), count, 7).tolist()]


def lines(end: str = "\n", header: str = "id,hand", cell: str = "{row},{hand}", bom: str = "") -> bytes:
    body = [cell.format(row=row, hand=hand) for row, hand in enumerate(texts())]
    return (bom + end.join([header] * bool(header) + body) + end).encode()


def parquet(path: Path, rows_a_group: int = 64, count: int = HANDS) -> Path:
    hands = texts(count)
    table = pa.table({"id": pa.array(range(count), pa.int64()), "hand": pa.array(hands)})
    pq.write_table(table, path, row_group_size=rows_a_group)
    return path


INPUTS: dict[str, tuple[str, bytes]] = {
    "csv": ("h.csv", lines()),
    "no header": ("h.csv", lines(header="")),
    "carriage returns": ("h.csv", lines("\r\n")),
    "byte order mark": ("h.csv", lines(bom="\ufeff")),
    "no last line end": ("h.csv", lines().rstrip()),
    "blank lines": ("h.csv", b"\n\n" + lines("\n\n")),
    "line ends in quotes": ("h.csv", lines(cell='"{row}\nof, ""{row}""\n",{hand}')),
    "quotes that are none": ("h.csv", lines(cell='{row}" wide,{hand}')),
    "semicolons": ("h.csv", lines(header="id;hand", cell="{row};{hand}")),
    "tabs": ("h.tsv", lines(header="id\thand", cell="{row}\t{hand}")),
    "text": ("h.txt", lines(header="", cell="{hand}")),
    "objects": ("h.ndjson", lines(header="", cell='{{"id": {row}, "hand": "{hand}"}}')),
    "gzip": ("h.csv.gz", gzip.compress(lines())),
}
ASKED = {"semicolons": ["--delimiter", ";"]}


def together(where: Path) -> list[list[str]]:
    """All rows of the parts, in order, as texts."""
    found: list[list[str]] = []
    for path in sorted(where.glob("part-*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            found += [[str(value) for value in row.values()] for row in table.to_pylist()]
        elif path.suffix == ".ndjson":
            found += [[str(value) for value in json.loads(line).values()] for line in path.read_text().splitlines()]
        else:
            with path.open(newline="") as file:
                found += list(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))[1:]
    return found


def score(*words: Any, status: int = 0) -> Ended:
    ended = invoke("score", *map(str, words))
    assert ended.status == status, ended.err
    return ended


def alone(*words: Any, status: int = 0) -> list[list[str]]:
    """What one output file has."""
    return list(csv.reader(io.StringIO(score(*words, "--output-format", "csv", "-q", status=status).out)))[1:]


def manifest(where: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((where / "_manifest.json").read_text())
    return found


@pytest.mark.parametrize("name", INPUTS)
def test_parts_make_up_what_one_file_would_be(name: str, tmp_path: Path) -> None:
    source = tmp_path / INPUTS[name][0]
    source.write_bytes(INPUTS[name][1])
    out = tmp_path / "out"
    said = score(source, "-o", f"{out}/", *ASKED.get(name, []))
    assert together(out) == alone(source, *ASKED.get(name, []))
    made = manifest(out)
    names = [part["name"] for part in made["parts"]]
    assert sorted(os.listdir(out)) == ["_manifest.json", *names]
    assert len(names) == 1 if name in ("gzip", "objects") else len(names) > 3
    assert sum(part["rows"] for part in made["parts"]) == made["report"]["rows"] == HANDS
    assert f"{HANDS} rows, 0 bad, " in said.err


@pytest.mark.parametrize("rows_a_group", [1, 64, HANDS, 2 * HANDS])
def test_a_part_for_each_row_group(rows_a_group: int, tmp_path: Path) -> None:
    source = parquet(tmp_path / "h.parquet", rows_a_group)
    score(source, "-o", f"{tmp_path}/out/")
    groups = -(-HANDS // rows_a_group)
    found = [pq.read_table(tmp_path / "out" / f"part-{number:05d}.parquet") for number in range(groups)]
    assert [len(table) for table in found] == [min(rows_a_group, HANDS - n * rows_a_group) for n in range(groups)]
    score(source, "-o", tmp_path / "whole.parquet")
    assert pa.concat_tables(found).equals(pq.read_table(tmp_path / "whole.parquet"))
    assert [part["from"] for part in manifest(tmp_path / "out")["parts"]] == [
        1 + n * rows_a_group for n in range(groups)
    ]


@pytest.mark.parametrize("name", [name for name in INPUTS if name not in ("quotes that are none", "objects")])
@pytest.mark.parametrize("on_error", ["skip", "null"])
def test_bad_lines_are_named_as_for_one_file(name: str, on_error: str, tmp_path: Path) -> None:
    file, data = INPUTS[name]
    data = gzip.decompress(data) if file.endswith(".gz") else data
    bad = data.replace(texts()[123].encode(), b"AsAs").replace(texts()[400].encode(), b"nothing")
    source = tmp_path / file
    source.write_bytes(gzip.compress(bad) if file.endswith(".gz") else bad)
    words = [source, "--on-error", on_error, *ASKED.get(name, [])]
    there = score(*words, "-o", f"{tmp_path}/out/", "-q", status=3).err.splitlines()
    here = score(*words, "-o", tmp_path / "one.csv", "-q", status=3).err.splitlines()
    assert there == here
    assert len(here) == 3
    assert together(tmp_path / "out") == alone(*words, status=3)
    assert manifest(tmp_path / "out")["report"] == {"rows": HANDS, "lost": 2, "first": here[:2]}


def test_a_bad_line_stops_the_job_and_a_rerun_goes_on_past_it(tmp_path: Path) -> None:
    source, out = tmp_path / "h.csv", tmp_path / "out"
    source.write_bytes(lines().replace(texts()[300].encode(), b"AsAs"))
    stopped = score(source, "-o", f"{out}/", "-q", status=1).err
    assert stopped.startswith(f"{source}:302: ")
    done = sorted(path.name for path in out.glob("part-*"))
    assert len(done) > 1
    assert not (out / "_manifest.json").exists()
    times = {name: (out / name).stat().st_mtime_ns for name in done}
    said = score(source, "-o", f"{out}/", "--on-error", "skip", status=3).err
    assert f"{len(done)} of " in said
    assert {name: (out / name).stat().st_mtime_ns for name in done} == times
    assert together(out) == alone(source, "--on-error", "skip", status=3)


@pytest.mark.parametrize("lost", [(0,), (2, 5), (7,), tuple(range(8))])
@pytest.mark.parametrize("what", ["part", "report", "both"])
def test_a_rerun_does_what_is_missing(lost: tuple[int, ...], what: str, tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:  # as if the crash came just before the manifest
        patch.setattr(folder, "_finish", lambda *arguments: pytest.fail("crash"))
        with pytest.raises(pytest.fail.Exception):
            invoke("score", str(source), "-o", f"{out}/")
    assert not (out / "_manifest.json").exists()
    for number in lost:
        if what != "report":
            (out / f"part-{number:05d}.parquet").unlink()
        if what != "part":
            (out / "_reports" / f"{number:05d}.json").unlink()
    (out / ".part-00003.parquet.0123abcd.part").write_bytes(b"left by a worker that was killed")
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*")}
    score(source, "-o", f"{out}/")
    after = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*")}
    anew = {f"part-{number:05d}.parquet" for number in lost}
    assert {name for name in after if after[name] != before.get(name)} == anew
    assert together(out) == alone(source)
    assert sorted(os.listdir(out)) == ["_manifest.json", *sorted(after)]


def test_a_finished_job_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    first = score(source, "-o", f"{out}/").err
    (out / "_plan.json").write_text("a crash came between the manifest and this")
    monkeypatch.setattr(parts, "score_part", lambda *arguments: pytest.fail("done again"))
    said = score(source, "-o", out).err
    assert "all was done before" in said
    assert said.splitlines()[-1].split(",")[:2] == first.splitlines()[-1].split(",")[:2]
    assert not (out / "_plan.json").exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (["--describe"], "describe"),
        (["--prefix", "x_"], "prefix"),
        (["--output-format", "csv"], "output format"),
        (["--columns", "hand"], "columns"),
        (["--on-error", "null"], "on error"),
        ("another input", "inputs (/"),
        ("the input changed", "h.parquet has changed)"),
    ],
)
@pytest.mark.parametrize("finished", [True, False])
def test_two_jobs_do_not_mix(change: Any, named: str, finished: bool, tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    score(source, "-o", f"{out}/", "--on-error", "skip")
    if not finished:
        (out / "_manifest.json").rename(tmp_path / "aside.json")
        request = json.loads((tmp_path / "aside.json").read_text())["request"]
        (out / "_plan.json").write_bytes(plan.Plan(request, b"", []).to_json())
    before = {path.name: path.read_bytes() for path in out.glob("*.*")}
    words: list[Any] = [source, "--on-error", "skip"]
    if change == "another input":
        words[0] = parquet(tmp_path / "other.parquet")
    elif change == "the input changed":
        parquet(source, count=HANDS - 1)
    else:
        words += change
    assert re.search(f"differs in .*{re.escape(named)}", score(*words, "-o", f"{out}/", status=1).err)
    assert {path.name: path.read_bytes() for path in out.glob("*.*")} == before


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("precious")
    assert "something else in it (thesis.txt)" in score(source, "-o", out, status=1).err
    assert os.listdir(out) == ["thesis.txt"]


@pytest.mark.parametrize("name", [".DS_Store", "_SUCCESS", ".nfs000000001"])
def test_what_readers_skip_may_lie_there(name: str, tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    with patch.object(folder, "_done", side_effect=KeyboardInterrupt):
        score(source, "-o", f"{out}/", status=130)
    (out / name).write_bytes(b"")
    for _ in range(2):
        score(source, "-o", out)
        assert (out / name).exists()
    assert together(out) == alone(source)


@pytest.mark.parametrize("stranger", ["thesis.txt", "part-99999.parquet", "deep"])
@pytest.mark.parametrize("finished", [True, False])
def test_strangers_are_refused_later_too(finished: bool, stranger: str, tmp_path: Path) -> None:
    """Between a crash and the next run, or after the end: whoever reads the folder would take them for parts."""
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    score(source, "-o", f"{out}/")
    if not finished:
        text = (out / "_manifest.json").read_text()
        (out / "_manifest.json").unlink()
        asked = json.loads(text)["request"]
        shutil.rmtree(out)
        with patch.object(folder, "_done", side_effect=KeyboardInterrupt):
            score(source, "-o", f"{out}/", status=130)
        assert json.loads((out / "_plan.json").read_text())["request"] == asked
    (out / stranger).mkdir() if stranger == "deep" else (out / stranger).write_bytes(b"precious")
    before = sorted(os.listdir(out))
    assert f"something else in it ({stranger})" in score(source, "-o", out, status=1).err
    assert sorted(os.listdir(out)) == before
    (out / stranger).rmdir() if stranger == "deep" else (out / stranger).unlink()
    score(source, "-o", out)
    assert together(out) == alone(source)


def test_without_dask_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    ended = score(source, "-o", f"{out}/", "--workers", 2, status=1)
    assert ended.err == "--workers and --dask need Dask: pip install 'pokernel[cli,dask]'\n"
    assert not out.exists()


def test_patterns_and_folders(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "deep").mkdir(parents=True)
    for name in ("b.parquet", "a.parquet", "deep/c.parquet", "_d.parquet", ".e.parquet"):
        parquet(data / name, HANDS)
    (data / "notes.md").write_text("no hands")
    for word, names in {
        str(data): ["a", "b"],
        f"{data}/*.parquet": ["a", "b"],
        f"{data}/**/*.parquet": ["a", "b", "deep/c"],
        f"{data}/[b-z].parquet": ["b"],
    }.items():
        out = tmp_path / f"out{len(word)}{len(names)}"
        score(word, "-o", f"{out}/", "-q")
        assert [part["input"] for part in manifest(out)["parts"]] == [str(data / f"{name}.parquet") for name in names]
        assert alone(word) == [row for _ in names for row in alone(data / "a.parquet")]
    inside = data / "scored"
    for _ in range(2):  # what lies in the output is no input, also when it is there already
        score(f"{data}/**/*.parquet", "-o", f"{inside}/", "-q")
    assert len(manifest(inside)["parts"]) == 3
    assert "no file in this folder has a name that tells its format" in score(data / "deep/..", tmp_path, status=1).err
    assert "no such file" in score(f"{data}/*.csv", status=1).err


def test_a_file_whose_name_is_a_pattern(tmp_path: Path) -> None:
    source = parquet(tmp_path / "h[1].parquet")
    assert len(alone(source)) == HANDS


def test_inputs_that_do_not_go_together(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet")
    pq.write_table(pa.table({"hand": texts(3)}), tmp_path / "b.parquet")
    said = score(f"{tmp_path}/*.parquet", "-o", f"{tmp_path}/out/", status=1).err
    assert "b.parquet: the columns are not those of the first file: hand" in said
    assert os.listdir(tmp_path / "out") == []
    assert "standard input" in score("-", "-o", f"{tmp_path}/out/", status=2).err


def test_parts_have_the_types_of_the_first_input(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    pq.write_table(table.set_column(0, "id", table["id"].cast(pa.int16())), tmp_path / "b.parquet")
    score(f"{tmp_path}/*.parquet", "-o", f"{tmp_path}/out/")
    schemas = {str(pq.read_schema(path)) for path in (tmp_path / "out").glob("part-*")}
    assert len(schemas) == 1
    assert "id: int64" in schemas.pop()


def test_nothing_to_score(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_bytes(b"")
    pq.write_table(pa.table({"hand": pa.array([], pa.string())}), tmp_path / "h.parquet")
    for name in ("h.csv", "h.parquet"):
        out = tmp_path / f"out-{name}"
        assert "0 rows, 0 bad" in score(tmp_path / name, "-o", f"{out}/").err
        assert manifest(out)["report"]["rows"] == 0


def test_wishes_of_the_user_hold_in_every_part(tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    words = ["--describe", "--best-five", "--prefix", "x_", "--output-format", "csv"]
    score(source, "-o", f"{out}/", *words, "--no-output-header")
    whole = [row for path in sorted(out.glob("part-*.csv")) for row in csv.reader(io.StringIO(path.read_text()))]
    assert whole == alone(source, *words[:4])
    assert len(whole[0]) == 6


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--workers", "2"], "say which"),
        (["--dask", "tcp://127.0.0.1:1", "-o", "-"], "say which"),
        (["--workers", "2", "-o", "out.csv"], "names a file; for a folder of parts say out.csv/"),
        (["--workers", "0", "-o", "out/"], "greater than or equal to 1"),
        (["--workers", "2", "--dask", "tcp://127.0.0.1:1", "-o", "out/"], "one of the two"),
    ],
)
def test_wrong_usage(words: list[str], reason: str, tmp_path: Path) -> None:
    said = score(parquet(tmp_path / "h.parquet"), *words, status=2).err
    assert reason in " ".join(said.replace("│", "").split())


def test_what_can_be_read_once_only_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    said = score(pipe, "-o", f"{tmp_path}/out/", status=2).err
    assert f"{pipe} cannot be read in parts" in said
    assert not (tmp_path / "out").exists()


def test_bad_lines_are_treated_alike_in_all_parts(tmp_path: Path) -> None:
    """From stopping at bad lines one may go over to another way; then not to a third."""
    source, out = tmp_path / "h.csv", tmp_path / "out"
    source.write_bytes(lines().replace(texts()[100].encode(), b"AsAs").replace(texts()[400].encode(), b"AsAs"))
    score(source, "-o", f"{out}/", status=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "_finish", lambda *arguments: pytest.fail("crash"))
        with pytest.raises(pytest.fail.Exception):
            invoke("score", str(source), "-o", f"{out}/", "--on-error", "skip")
    (out / "_reports" / "00003.json").unlink()
    for other in ("null", "stop"):
        assert "differs in on error" in score(source, "-o", f"{out}/", "--on-error", other, status=1).err
    score(source, "-o", f"{out}/", "--on-error", "skip", status=3)
    assert together(out) == alone(source, "--on-error", "skip", status=3)
    assert manifest(out)["request"]["on_error"] == "skip"


def test_two_jobs_at_a_time_are_one_too_many(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    out.mkdir()
    number = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        assert "another job is at work there" in score(source, "-o", out, status=1).err
    finally:
        os.close(number)
    score(source, "-o", out)


def test_a_part_that_is_gone_from_a_finished_folder(tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    score(source, "-o", f"{out}/")
    os.truncate(out / "part-00002.parquet", 100)
    assert "was complete, but part-00002.parquet has changed since" in score(source, "-o", out, status=1).err
    (out / "part-00002.parquet").unlink()
    assert "was complete, but part-00002.parquet has changed since" in score(source, "-o", out, status=1).err


def test_a_worker_that_writes_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of the same name on another machine, say: reports without parts."""
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    monkeypatch.setattr(folder, "score_part", lambda *arguments: Report(64))
    assert "part-00000.parquet is not there: do all workers" in score(source, "-o", f"{out}/", status=1).err
    assert not (out / "_manifest.json").exists()


@pytest.mark.parametrize("during", [False, True])
def test_an_input_that_changes_while_it_is_scored(
    during: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "h.csv", tmp_path / "out"
    source.write_bytes(lines())

    def change(*arguments: Any) -> None:
        source.write_bytes(lines() + b"500,AsKsQsJsTs\n")
        save(*arguments)

    monkeypatch.setattr("pokernel.cli.parts.save", change)
    said = score(source, "-o", f"{out}/", status=1).err
    assert "is not the file that it was when the job began" in said
    assert not list(out.glob("_reports/*.json"))


@pytest.mark.parametrize("name", ["_manifest.json", "_plan.json"])
@pytest.mark.parametrize("text", ["", "hello", "{}", "[]", "7", '{"request": {}}', '{"request": 7, "report": {}}'])
def test_files_that_are_called_as_ours(name: str, text: str, tmp_path: Path) -> None:
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    out.mkdir()
    (out / name).write_text(text)
    assert f"something else in it ({name})" in score(source, "-o", out, status=1).err
    assert (out / name).read_text() == text


def test_the_output_is_no_input_of_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_bytes(lines())
    for _ in range(2):
        score(f"{tmp_path}/*.csv", "-o", tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == HANDS + 1


def test_a_header_alone_makes_an_empty_part(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("id,hand\n")
    score(tmp_path / "h.csv", "-o", f"{tmp_path}/out/")
    assert (tmp_path / "out" / "part-00000.csv").read_text() == "id,hand,strength,category\n"
    pq.write_table(pa.table({"hand": pa.array([], pa.string())}), tmp_path / "h.parquet")
    score(tmp_path / "h.parquet", "-o", f"{tmp_path}/out2/")
    assert pq.read_table(tmp_path / "out2" / "part-00000.parquet").column_names == ["hand", "strength", "category"]


def test_a_carriage_return_and_a_blank_line_are_no_two_lines() -> None:
    ended = invoke("score", "-", "--on-error", "null", "-q", stdin=b"AsKsQsJsTs\rAdKdQdJdTd\n\nAsKsQsJsTs\n")
    assert ended.status == 3
    assert ended.err.startswith("<stdin>:1: ")
    assert [line[-3:] for line in ended.out.split("\n")] == ["ory", '",,', "ush", ""]


def test_a_wide_header_above_blank_lines() -> None:
    header = ",".join(f"c{number}" for number in range(2_000))
    ended = invoke(
        "score", "-", "--input-format", "csv", "--columns", "1-5", stdin=f"{header}\n{chr(10) * 5_000}".encode()
    )
    assert ended.status == 0
    assert len(ended.out.splitlines()) == 1


def test_a_crash_before_the_first_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of plan and reports is there: the next run takes it from there."""
    source, out = parquet(tmp_path / "h.parquet"), tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(folder, "_done", lambda *arguments: pytest.fail("crash"))
        with pytest.raises(pytest.fail.Exception):
            invoke("score", str(source), "-o", f"{out}/")
    (out / "_reports").rmdir()
    score(source, "-o", out)
    assert together(out) == alone(source)
