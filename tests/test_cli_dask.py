"""``pokernel score`` on Dask: the same parts, whoever is killed whenever."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import Client, LocalCluster
from layouts import deal
from test_cli import COMMAND, invoke

from pokernel import evaluate

pytestmark = pytest.mark.slow

GROUPS, ROWS = 24, 10_000


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, memory_limit=0, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of twelve row groups each; the rows are numbered throughout."""
    data = tmp_path_factory.mktemp("data")
    cards = deal(np.random.default_rng(5), GROUPS * ROWS, 7)
    table = pa.table(
        {
            "id": np.arange(len(cards)),
            "hand": pa.FixedSizeListArray.from_arrays(pa.array(cards.reshape(-1)), 7),
        }
    )
    half = len(table) // 2
    for name, start in (("a", 0), ("b", half)):
        pq.write_table(table.slice(start, half), data / f"{name}.parquet", row_group_size=ROWS)
    return data


def check(out: Path, data: Path) -> None:
    """Every row once, in its place, with its strength; nothing but parts and the manifest."""
    names = [f"part-{number:05d}.parquet" for number in range(GROUPS)]
    assert sorted(os.listdir(out)) == ["_manifest.json", *names]
    found = pa.concat_tables(pq.read_table(out / name) for name in names)
    asked = pa.concat_tables(pq.read_table(data / name) for name in ("a.parquet", "b.parquet"))
    assert found.select(["id", "hand"]).equals(asked)
    cards = asked["hand"].combine_chunks().values.to_numpy().reshape(-1, 7)
    assert np.array_equal(found["strength"].to_numpy(), evaluate(cards))


def test_processes_of_this_machine(hands: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [*COMMAND, "score", f"{hands}/*.parquet", "-o", "out/", "--workers", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.splitlines()[-1].startswith(f"{GROUPS * ROWS:,} rows, 0 bad, ")
    assert len(ended.stderr.splitlines()) == 2
    check(tmp_path / "out", hands)


def test_the_command_is_killed_at_twenty_moments(cluster: LocalCluster, hands: Path, tmp_path: Path) -> None:
    """Whatever is there under its final name is whole, what was done is not done again, and the last run ends it."""
    words = [*COMMAND, "score", f"{hands}/*.parquet", "-o", str(tmp_path / "out"), "--dask", cluster.scheduler_address]
    begun = time.monotonic()
    subprocess.run([*words[:-3], str(tmp_path / "first"), *words[-2:]], check=True, capture_output=True)
    seconds = time.monotonic() - begun
    check(tmp_path / "first", hands)
    moments = random.Random(20)
    done: dict[str, int] = {}
    for kill in range(20):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as command:
            time.sleep(moments.uniform(0.5, 1.05) * seconds)
            command.send_signal(signal.SIGKILL)
        parts = sorted((tmp_path / "out").glob("part-*"))
        for path in parts:
            assert pq.read_metadata(path).num_rows == ROWS
        if kill % 5 == 4 and len(parts) == GROUPS:  # done before it was killed: once more, from the start
            check(tmp_path / "out", hands)
            (tmp_path / "out").rename(tmp_path / f"out{kill}")
            done = {}
            continue
        reported = {path.stem for path in (tmp_path / "out" / "_reports").glob("*.json")}
        for path in parts:
            if path.name in done:
                assert path.stat().st_mtime_ns == done[path.name]
            if path.stem.removeprefix("part-") in reported:
                done[path.name] = path.stat().st_mtime_ns
    subprocess.run(words, check=True, capture_output=True)
    check(tmp_path / "out", hands)


@pytest.mark.parametrize("after", [1, 7, 15])
def test_a_worker_is_killed(after: int, cluster: LocalCluster, hands: Path, tmp_path: Path) -> None:
    """Its part is done again by another."""
    with Client(cluster) as client:
        client.wait_for_workers(2)
        pids = list(client.run(os.getpid).values())
    words = [*COMMAND, "score", f"{hands}/*.parquet", "-o", str(tmp_path / "out"), "--dask", cluster.scheduler_address]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as command:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("out/part-*"))) < after and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(pids[0], signal.SIGKILL)
        _, said = command.communicate(timeout=120)
    assert command.returncode == 0, said
    assert "Traceback" not in said
    check(tmp_path / "out", hands)


def test_a_bad_line_on_a_worker(cluster: LocalCluster, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("id,hand\n1,AsKsQsJsTs2c3d\n2,AsAsKsQsJs\n")
    words = [str(tmp_path / "h.csv"), "-o", f"{tmp_path}/out", "--dask", cluster.scheduler_address]
    stopped = invoke("score", *words, "-q")
    assert stopped.status == 1
    assert stopped.err.startswith(f"{tmp_path}/h.csv:3: As twice in As As Ks Qs Js")
    assert invoke("score", *words, "--on-error", "null").status == 3
    assert (tmp_path / "out" / "part-00000.csv").read_text().splitlines()[1:] == [
        "1,AsKsQsJsTs2c3d,7462,Royal flush",
        "2,AsAsKsQsJs,,",
    ]


@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
@pytest.mark.parametrize("parts", [0, 3])
def test_signals_from_a_terminal(number: signal.Signals, parts: int, hands: Path, tmp_path: Path) -> None:
    """A terminal sends them to the workers, too, who have nothing to say; nothing is left aside."""
    words = [*COMMAND, "score", f"{hands}/*.parquet", "-o", str(tmp_path / "out/"), "--workers", "2", "-q"]
    words[words.index("-o") + 1] += "/"
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True) as command:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("out/part-*"))) < parts and time.monotonic() < deadline:
            time.sleep(0.005)
        if not parts:
            time.sleep(1.2)
        else:  # as workers leave it that end between naming a file and moving it into place
            (tmp_path / "out" / ".part-00020.parquet.d4717464.part").touch()
            (tmp_path / "out" / "_reports" / ".00020.json.d4717464.part").touch()
        os.killpg(command.pid, number)
        _, said = command.communicate(timeout=60)
    assert command.returncode == 128 + number
    assert said == ""
    assert not list(tmp_path.glob("out/**/.*"))


@pytest.mark.parametrize("address", ["foo", "tcp://", "nonsense://x", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"])
def test_what_is_no_address(address: str, hands: Path, tmp_path: Path) -> None:
    ended = invoke("score", f"{hands}/a.parquet", "-o", f"{tmp_path}/out/", "--dask", address)
    assert ended.status == 1
    assert f"{address}: " in ended.err


def test_no_scheduler_there(hands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokernel.cli.cluster.SECONDS", 0.5)
    ended = invoke("score", f"{hands}/a.parquet", "-o", f"{tmp_path}/out/", "--dask", "tcp://127.0.0.1:9")
    assert ended.status == 1
    assert "tcp://127.0.0.1:9: no scheduler answers" in ended.err


def test_the_training_set_of_the_field(cluster: LocalCluster, shared_data: Path, tmp_path: Path) -> None:
    """25,008 good lines, two bad ones, and 24,998 categories as the file itself has them."""
    source = shared_data / "uci_poker_training.csv"
    words = [str(source), "-o", f"{tmp_path}/out/", "--dask", cluster.scheduler_address, "--on-error", "null"]
    ended = invoke("score", *words)
    assert ended.status == 3
    assert "25,010 rows, 2 bad" in ended.err
    labels = ["High card", "One pair", "Two pair", "Three of a kind", "Straight", "Flush", "Full house"]
    labels += ["Four of a kind", "Straight flush", "Royal flush"]
    rows = [line.split(",") for line in (tmp_path / "out" / "part-00000.csv").read_text().splitlines()[1:]]
    scored = [row for row in rows if row[-1]]
    assert len(scored) == 25_008
    assert sum(labels.index(row[-1]) == int(row[10]) for row in scored) == 24_998
