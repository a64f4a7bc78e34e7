"""What ``pokernel score`` leaves behind when it is killed, when the disk is full, when it may not write there."""

import os
import random
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from asides import asides, need_no_names
from layouts import deal
from test_cli import COMMAND, invoke

from pokernel import category, evaluate, format_hands
from pokernel.cli.destination import is_aside
from pokernel.strength import Category

HANDS, FEW = 600_000, 60_000
OLD = b"an older output\n"
FORMS = ["csv", "parquet", "arrow", "csv.gz", "ndjson"]
KILLED = -9
POSIX = pytest.mark.skipif(os.name != "posix", reason="neither signals nor limits here")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@dataclass(frozen=True)
class Hands:
    """Files of many hands, one of fewer, and what the output is to have of the many."""

    folder: Path
    expected: pa.Table

    def are_scored(self, path: Path) -> bool:
        """Return whether a file is the whole right output: each row once, in order."""
        if path.suffix == ".parquet":
            found = pq.read_table(path)
        else:
            kinds = {field.name: field.type for field in self.expected.schema}
            found = pacsv.read_csv(path, convert_options=pacsv.ConvertOptions(column_types=kinds))
        return bool(found.equals(self.expected))


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Hands:
    folder = tmp_path_factory.mktemp("hands")
    dealt = deal(np.random.default_rng(9), HANDS, 7)
    ids = pa.array(np.arange(HANDS)).cast(pa.string())
    table = pa.table({"id": ids, "hand": pa.array(format_hands(dealt), pa.string())})
    plain = pacsv.WriteOptions(quoting_style="none")
    pacsv.write_csv(table, folder / "big.csv", plain)
    pacsv.write_csv(table.slice(0, FEW), folder / "few.csv", plain)
    pq.write_table(table, folder / "big.parquet", row_group_size=1 << 17)
    strengths = evaluate(dealt)
    labels = np.array([kind.label for kind in Category])[category(strengths)]
    added = {"strength": pa.array(strengths), "category": pa.array(labels, pa.string())}
    # What is compiled now need not be written to numba's cache by a process that may not write.
    assert invoke("score", folder / "few.csv", "-o", folder / "warm.csv", "-q").status == 0
    return Hands(folder, pa.table({**{name: table[name] for name in table.column_names}, **added}))


# -- killed


@POSIX
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_killed_at_any_moment(form: str, hands: Hands, tmp_path: Path) -> None:
    """The old output or the whole new one, nothing else; and the next run is none the worse for it."""
    target = tmp_path / f"out.{form}"
    words = [*COMMAND, "score", str(hands.folder / f"big.{form}"), "-o", str(target), "-q"]
    seconds = 0.0
    for _ in range(2):  # the second time everything is as warm as it will be
        started = time.perf_counter()
        subprocess.run(words, check=True)
        seconds = time.perf_counter() - started
    assert hands.are_scored(target)
    clean = need_no_names(tmp_path)
    chance = random.Random(form)
    killed = halfway = 0
    moments = 10
    for moment in range(moments):
        older = moment % 2 == 1
        target.unlink(missing_ok=True)
        if older:
            target.write_bytes(OLD)
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
            started = time.perf_counter()
            try:
                command.wait(1.1 * seconds * (moment + chance.random()) / moments)
                seconds = min(seconds, time.perf_counter() - started)  # the machine has become quicker
            except subprocess.TimeoutExpired:
                if set(asides(tmp_path, command.pid)) & {"unnamed", ".part"}:
                    halfway += 1
                command.kill()
            assert command.communicate(timeout=60) == (b"", b"")
        killed += command.returncode == KILLED
        assert command.returncode in (0, KILLED)
        before = target.read_bytes() == OLD if older else not target.exists()
        assert hands.are_scored(target) if not before else command.returncode == KILLED
        left = [path for path in tmp_path.iterdir() if path != target]
        assert left == [] or not clean
        assert all(is_aside(path.name) for path in left)
    assert killed >= 3
    assert halfway >= 1
    for older in (False, True):
        target.unlink(missing_ok=True)
        if older:
            target.write_bytes(OLD)
        subprocess.run(words, check=True)
        assert hands.are_scored(target)


COMMIT = """
import os, signal, sys
aside, step, moment, target = sys.argv[1:]
if aside == "named":
    vars(os).pop("O_TMPFILE", None)
from pokernel.cli.destination import Destination
plain = getattr(os, step)
def deadly(*rest, **options):
    if moment == "after":
        plain(*rest, **options)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, step, deadly)
destination = Destination(target)
destination.write(b"new")
destination.commit()
"""


@POSIX
@pytest.mark.parametrize("step", ["fsync", "link", "replace"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_while_the_file_comes_into_place(step: str, moment: str, aside: str, tmp_path: Path) -> None:
    """Between its having a name and its having the right one a file lies there that the next run does not mind."""
    if (step, aside) == ("link", "named"):
        step = "replace"
    target = tmp_path / "out.csv"
    target.write_bytes(OLD)
    ended = subprocess.run([sys.executable, "-c", COMMIT, aside, step, moment, str(target)], check=False)
    assert ended.returncode == KILLED
    done = (step, moment) == ("replace", "after")
    assert target.read_bytes() == (b"new" if done else OLD)
    left = [name for name in names(tmp_path) if name != "out.csv"]
    has_name = aside == "named" or step == "replace" or (step, moment) == ("link", "after")
    assert len(left) == (has_name and not done)
    assert all(map(is_aside, left))
    assert invoke("score", "-", "-o", target, stdin=b"AsKsQsJsTs\n").status == 0
    assert target.read_bytes() == b"hand,strength,category\nAsKsQsJsTs,7462,Royal flush\n"
    assert [name for name in names(tmp_path) if name != "out.csv"] == left


# -- no room

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, 1 << 17))
from pokernel.cli import main
sys.exit(main())
"""


@POSIX
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("older", [False, True])
def test_files_that_may_not_grow(form: str, older: bool, hands: Hands, tmp_path: Path) -> None:
    target = tmp_path / f"out.{form}"
    if older:
        target.write_bytes(OLD)
    words = ["score", str(hands.folder / "few.csv"), "-o", str(target), "-q"]
    ended = subprocess.run([sys.executable, "-W", "error", "-c", LIMITED, *words], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.decode() == f"{target}: cannot be written: File too large\n"
    assert names(tmp_path) == ([target.name] if older else [])
    assert not older or target.read_bytes() == OLD


@cache
def may_mount() -> bool:
    """Return whether a process can have mounts of its own."""
    script = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/"]
    return shutil.which("unshare") is not None and subprocess.run(script, capture_output=True).returncode == 0


def mounted(mount: str, folder: Path, *words: str) -> tuple[int, list[str], str]:
    """Mount something at ``$folder`` and run the command; return its status, what is there then, and what it said."""
    then = """cd "$folder"; for file in $(ls -A); do echo "$file $(wc -c < "$file")"; done; exit ${status:-0}"""
    script = f'folder=$1; shift; {{ {mount}; }} || exit 77; "$@" || status=$?; {then}'
    shell = ["unshare", "-rm", "sh", "-c", script, "sh", str(folder), *COMMAND, *words]
    ended = subprocess.run(shell, capture_output=True, check=False, text=True)
    if ended.returncode == 77:
        pytest.skip(f"cannot be mounted here: {ended.stderr}")
    return ended.returncode, ended.stdout.splitlines(), ended.stderr


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("older", [False, True])
def test_a_full_disk(form: str, older: bool, hands: Hands, tmp_path: Path) -> None:
    if not may_mount():
        pytest.skip("no small file system can be mounted here")
    words = ("score", str(hands.folder / "few.csv"), "-o", f"{tmp_path}/out.{form}", "-q")
    mount = 'mount -t tmpfs -o size=256k tmpfs "$folder"' + f' && echo precious > "$folder/out.{form}"' * older
    status, left, said = mounted(mount, tmp_path, *words)
    assert (status, said) == (1, f"{tmp_path}/out.{form}: cannot be written: No space left on device\n")
    assert left == [f"out.{form} 9"] * older


def test_a_disk_with_room(hands: Hands, tmp_path: Path) -> None:
    """The same, to see that it is the room that was missing."""
    if not may_mount():
        pytest.skip("no small file system can be mounted here")
    words = ("score", str(hands.folder / "few.csv"), "-o", f"{tmp_path}/out.csv", "-q")
    status, left, said = mounted('mount -t tmpfs -o size=64m tmpfs "$folder"', tmp_path, *words)
    assert (status, said) == (0, "")
    assert left == [f"out.csv {(hands.folder / 'warm.csv').stat().st_size}"]


# -- no leave


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_folder_that_may_only_be_read(form: str, hands: Hands, tmp_path: Path) -> None:
    words = ("score", str(hands.folder / "few.csv"), "-o", f"{tmp_path}/out.{form}", "-q")
    if os.name == "posix" and os.geteuid() != 0:
        tmp_path.chmod(0o555)
        ended = subprocess.run([*COMMAND, *words], capture_output=True, check=False, text=True)
        tmp_path.chmod(0o755)
        status, left, said, why = ended.returncode, names(tmp_path), ended.stderr, "Permission denied"
    elif may_mount():
        mount = 'mount --bind "$folder" "$folder" && mount -o remount,ro,bind "$folder"'
        (status, left, said), why = mounted(mount, tmp_path, *words), "Read-only file system"
    else:
        pytest.skip("root may write anywhere, and nothing can be mounted here")
    assert (status, said) == (1, f"{tmp_path}/out.{form}: cannot be written: {why}\n")
    assert left == []


def test_a_target_that_is_a_folder_of_other_things(hands: Hands, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.mkdir()
    (target / "thesis.txt").write_bytes(OLD)
    ended = invoke("score", hands.folder / "few.csv", "-o", target, "-q")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"{target}: ")
    assert ended.err.count("\n") == 1
    assert (names(tmp_path), names(target)) == (["out.csv"], ["thesis.txt"])
    assert (target / "thesis.txt").read_bytes() == OLD


def test_a_target_below_a_file(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(OLD)
    ended = invoke("score", hands.folder / "few.csv", "-o", tmp_path / "file" / "out.csv", "-q")
    assert (ended.status, ended.err) == (1, f"{tmp_path}/file/out.csv: cannot be written: Not a directory\n")
    assert names(tmp_path) == ["file"]


# -- standard output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
@pytest.mark.parametrize("form", ["csv", "tsv", "ndjson", "parquet", "arrow", "arrows"])
def test_standard_output_that_is_full(form: str, hands: Hands) -> None:
    words = [*COMMAND, "score", str(hands.folder / "few.csv"), "--output-format", form, "-q"]
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"<stdout>: cannot be written: No space left on device\n")
