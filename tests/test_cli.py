"""The command as a whole: help, version, eval, verify, bench, and how it ends."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import pytest
from asides import COMMAND_WITH_NAMES, asides, need_no_names
from conftest import RunPython

from pokernel import __version__, cli, invalid_rows
from pokernel.cli.measure import measure, random_hands
from pokernel.errors import TableError

COMMAND = [sys.executable, "-W", "error", "-m", "pokernel"]
SAMPLE = Path(__file__).parent / "data" / "sample_hands.csv"

# What `score` says though nothing is wrong: which columns it took, and at the end what it did.
GUESS = re.compile(
    r".*: (?:no line of names; )?(?:hands|cards|suits and ranks) in columns? .* \(else say --columns, --layout\)"
)
SUMMARY = re.compile(r"[\d,]+ rows, [\d,]+ bad, \d+\.\d\d s")


@dataclass
class Ended:
    """How the command ended: exit status, and what it wrote, as bytes."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def err(self) -> str:
        return self.stderr.decode()


def invoke(*words: object, stdin: bytes | None = None) -> Ended:
    """Run the command in this process, its standard streams being bytes in memory, as in a pipe."""
    source, out, err = io.BytesIO(stdin or b""), io.BytesIO(), io.BytesIO()
    with (
        patch.object(sys, "stdin", io.TextIOWrapper(source)),
        patch.object(sys, "stdout", io.TextIOWrapper(out, "utf-8", write_through=True)),
        patch.object(sys, "stderr", io.TextIOWrapper(err, "utf-8", write_through=True)),
    ):
        status = cli.main([str(word) for word in words])
        sys.stdout.flush()
        return Ended(status, out.getvalue(), err.getvalue())


def run(*words: str) -> tuple[int, str, str]:
    ended = invoke(*words)
    return ended.status, ended.out, ended.err


# -- eval


def test_one_hand() -> None:
    status, out, err = run("eval", "As Ks Qs Js Ts 2c 3d")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "hand         As Ks Qs Js Ts 2c 3d",
        "strength     7462",
        "category     Royal flush",
        "description  Royal flush",
        "best five    As Ks Qs Js Ts",
    ]


def test_several_hands_name_the_winner() -> None:
    status, out, err = run("eval", "JsJhJd3c3s", "4s4h4dAcAh")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "hand 1 wins"
    assert out.splitlines()[1].endswith("wins")
    assert "Full house, jacks full of threes" in out


def test_split_pot_on_a_board() -> None:
    status, out, _ = run("eval", "2c3d", "2d3h", "4c4d", "--board", "As Ks Qs Js Ts")
    assert status == 0
    assert out.splitlines()[-1] == "hands 1, 2 and 3 split the pot"
    assert run("eval", "Qs2s", "9sJs", "--board", "8s 4s 3s")[1].splitlines()[-1] == "hand 1 wins"


def test_eval_json() -> None:
    status, out, _ = run("eval", "AsKs", "AdKd", "--board", "QsJsTs2c3d", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["board"] == "Qs Js Ts 2c 3d"
    assert document["winners"] == [1]
    assert document["hands"][0] == {
        "hand": "As Ks",
        "strength": 7462,
        "category": "Royal flush",
        "description": "Royal flush",
        "best_five": "As Ks Qs Js Ts",
        "wins": True,
    }
    assert document["hands"][1]["category"] == "Straight"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Asx"], "hand: no card at position 2 of 'Asx': 'x'"),
        ([""], "hand: "),
        (["AsKsQsJs"], "hand: 4 cards; a hand has 5, 6 or 7"),
        (["AsKsQsJsTs2c3d4h"], "hand: 8 cards"),
        (["AsKsQsJsAs"], "hand: As twice"),
        (["AsKsQsJsTs", "As"], "hand 2: 1 card; a hand has 5, 6 or 7"),
        (["AsKs", "--board", "QsJsTs2c3d4h"], "hand: 8 cards with the board"),
        (["AsKs", "--board", "Qx"], "board: no card"),
        (["AsKs", "QdQs", "--board", "QsJsTs2c3d"], "Qs is on the board and in hand 2"),
        (["AsKs", "AsQd", "--board", "QsJsTs2c3d"], "As is in hand 1 and in hand 2"),
    ],
)
def test_eval_refuses(words: list[str], said: str) -> None:
    status, out, err = run("eval", *words)
    assert (status, out) == (1, "")
    assert err.startswith(said)


def test_hands_that_one_deck_cannot_deal() -> None:
    assert "note: As" in run("eval", "AsKsQsJsTs", "AsAdAcAh2c", "KdKhKc2s3s")[2]
    assert run("eval", "AsKsQsJsTs2c3d", "AsKsQsJsTs4c5d")[2] == ""


# -- verify and bench


def test_verify() -> None:
    status, out, _ = run("verify")
    assert status == 0
    for count in (
        "1,302,540",
        "1,098,240",
        "123,552",
        "54,912",
        "10,200",
        "5,108",
        "3,744",
        "624",
        "36",
        "4",
        "2,598,960",
        "7,462",
    ):
        assert count in out.replace("  ", " ").split()
    status, out, _ = run("verify", "--json")
    assert json.loads(out)["five_distinct"] == 7462


def test_verify_fails_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**options: object) -> None:
        raise TableError("strengths5 is damaged")

    monkeypatch.setattr(import_module("pokernel.verify"), "verify", broken)
    assert run("verify") == (1, "", "strengths5 is damaged\n")


@pytest.mark.parametrize("mistake", [ValueError("?"), TypeError("?"), UnicodeDecodeError("utf-8", b"x", 0, 1, "?")])
def test_mistakes_of_ours_show_where(mistake: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is known to go wrong is one line; the rest must come out as it is, with its traceback."""

    def broken(**options: object) -> None:
        raise mistake

    monkeypatch.setattr(import_module("pokernel.verify"), "verify", broken)
    with pytest.raises(type(mistake)):
        run("verify")


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    measure(hands=2000, singles=10, rounds=2)
    out = capsys.readouterr().out
    for word in (
        "numpy",
        "numba",
        "hands/s",
        "checksum",
        "threads",
        "best_five, 7 cards",
        "tuple of ints",
        "uint8 (n, 5)",
    ):
        assert word in out
    measure(as_json=True, hands=2000, singles=10, rounds=1)
    document = json.loads(capsys.readouterr().out)
    assert all(row["rate"] > 0 and row["checksum"] > 0 for row in document["rows"])


def test_random_hands_are_hands() -> None:
    import numpy as np

    for size in (5, 6, 7):
        hands = random_hands(np.random.default_rng(1), 20_000, size)
        assert hands.shape == (20_000, size)
        assert not invalid_rows(hands).any()
        counts = np.bincount(hands.ravel(), minlength=52)
        expected = 20_000 * size / 52
        assert np.abs(counts - expected).max() < 6 * expected**0.5


# -- the whole command


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"pokernel {__version__}\n"
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("score", "eval", "verify", "bench"):
        assert command in out
    assert cli.main(["score", "--nonsense"]) == 2
    assert cli.main(["score", "--on-error", "maybe"]) == 2


def test_one_door() -> None:
    ended = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout == f"pokernel {__version__}\n"
    assert find_spec("pokernel.cli.__main__") is None


@pytest.mark.parametrize("missing", ["typer", "rich", "pyarrow"])
def test_missing_extra(missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == missing else find_spec(name))
    assert cli.main(["--version"]) == 1
    assert capsys.readouterr().err == 'pokernel\'s command needs its extra: pip install "pokernel[cli]"\n'


def test_the_module_is_the_command() -> None:
    assert import_module("pokernel.__main__").command is cli.command


@pytest.mark.parametrize(("words", "status"), [("--version", 0), ("score --nonsense", 2)])
def test_the_process_ends_without_a_search_for_cycles(words: str, status: int, run_python: RunPython) -> None:
    """A quick end is for a process of its own: who calls `main` keeps the collector."""
    ended = run_python(
        "import gc, sys\n"
        "from pokernel import cli\n"
        f"sys.argv = ['pokernel', *{words.split()}]\n"
        f"assert cli.main() == {status}\n"
        "before = gc.get_freeze_count()\n"
        "assert gc.isenabled()\n"
        f"assert cli.command() == {status}\n"
        "assert not gc.isenabled() and gc.get_freeze_count() > before\n"
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["score", "--help"]])
def test_help_is_light(words: list[str]) -> None:
    script = f"import sys; from pokernel.cli import main; main({words!r}); print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = {name.split(".")[0] for name in ended.stderr.split()}
    assert not modules & {"numba", "pyarrow", "llvmlite"}


def test_eval_needs_no_compiler() -> None:
    script = "import sys; from pokernel.cli import main; main(['eval', 'AsKs', 'AdKd', '--board', 'QsJsTs2c3d']); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {name.split(".")[0] for name in ended.stdout.splitlines()[-1].split()} & {"numba", "pyarrow"}


def endless() -> bytes:
    return b"AsKsQsJsTs2c3d\n" * 40_000


def test_closed_pipe_is_quiet() -> None:
    """``yes | pokernel score | head -1``: one line, nothing said, no traceback."""
    feeder = "import sys\nwhile True: sys.stdout.buffer.write(b'AsKsQsJsTs2c3d\\n' * 40000)"
    with subprocess.Popen([sys.executable, "-c", feeder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        with subprocess.Popen(
            [*COMMAND, "score"], stdin=source.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as command:
            assert command.stdout is not None
            assert command.stderr is not None
            assert command.stdout.readline() == b"hand,strength,category\n"
            command.stdout.close()
            assert command.wait(60) == 141
            assert command.stderr.read() == b""
        source.kill()


def shell(words: str, redirected: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a shell that redirects its streams, or closes them."""
    script = f"set -o pipefail 2>/dev/null; {sys.executable} -W error -m pokernel {words} {redirected}"
    return subprocess.run(["bash", "-c", script], capture_output=True, check=False, stdin=subprocess.DEVNULL)


NEEDS_BASH = pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="no bash here")
COMMANDS = [
    "--help",
    "--version",
    "score --help",
    "eval AsKsQsJsTs",
    "eval AsKsQsJsTs --json",
    "verify",
    f"score {SAMPLE} --quiet",
]


@NEEDS_BASH
@pytest.mark.parametrize("words", COMMANDS)
def test_output_that_goes_nowhere(words: str) -> None:
    """A closed standard output or a full disk is one line and status 1, a reader that left is status 141, quietly."""
    ended = shell(words, ">&-")
    assert (ended.returncode, ended.stderr.count(b"\n")) == (1, 1)
    assert b"standard output is closed" in ended.stderr
    if os.path.exists("/dev/full"):
        ended = shell(words, ">/dev/full")
        assert (ended.returncode, ended.stderr.count(b"\n")) == (1, 1)
        assert ended.stderr.startswith(b"<stdout>: ")
        assert b"No space left on device" in ended.stderr
    ended = shell(words, "| true")
    assert (ended.returncode, ended.stderr) == (141, b"")


@NEEDS_BASH
@pytest.mark.parametrize(
    ("words", "redirected", "status", "said"),
    [
        ("score", "<&-", 1, b"<stdin>: standard input is closed\n"),
        ("score - --input-format ndjson", "<&-", 1, b"<stdin>: standard input is closed\n"),
        ("score - --input-format arrow", "<&-", 1, b"<stdin>: standard input is closed\n"),
        ("score nowhere.csv", "2>&-", 1, b""),
        ("score --nonsense", "2>&-", 2, b""),
        ("eval As", "2>&-", 1, b""),
        ("eval AsKsQsJsTs", "<&- 2>&-", 0, b""),
        ("eval AsKsQsJsTs", "<&- >&- 2>&-", 1, b""),
        ("score", "<&- >&- 2>&-", 1, b""),
        ("eval As", "2>/dev/full", 1, b""),
    ],
)
def test_closed_streams(words: str, redirected: str, status: int, said: bytes) -> None:
    ended = shell(words, redirected)
    assert (ended.returncode, ended.stderr) == (status, said)


@NEEDS_BASH
def test_closed_streams_do_not_mix_with_files(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert shell(f"score {SAMPLE} -o {target}", "<&- >&- 2>&-").returncode == 0
    assert target.read_bytes().count(b"\n") == 1001


@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        *([(signal.SIGHUP, 129)] if hasattr(signal, "SIGHUP") else []),
    ],
)
@pytest.mark.parametrize(
    ("form", "aside"), [("csv", "unnamed"), ("parquet", "unnamed"), ("csv", "named"), ("parquet", "named")]
)
def test_signals_leave_nothing(number: signal.Signals, status: int, form: str, aside: str, tmp_path: Path) -> None:
    if aside == "unnamed" and not need_no_names(tmp_path):
        pytest.skip("no files without names here")
    program = COMMAND if aside == "unnamed" else COMMAND_WITH_NAMES
    words = [*program, "score", "-", "-o", str(tmp_path / f"out.{form}")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        assert command.stdin is not None
        assert command.stderr is not None
        deadline = time.monotonic() + 60
        # Halfway: the file aside exists, blocks have been taken from the pipe, and nothing is in place.
        while not asides(tmp_path, command.pid) and time.monotonic() < deadline:
            command.stdin.write(endless())
        command.stdin.write(endless() * 8)
        command.stdin.flush()
        assert asides(tmp_path, command.pid) == [".part" if aside == "named" else "unnamed"]
        command.send_signal(number)
        assert command.wait(60) == status
        assert command.stderr.read() == b""
        command.stdin.close()
    assert list(tmp_path.iterdir()) == []


def test_no_progress_bar_in_a_pipe(tmp_path: Path) -> None:
    """Two lines, or with --quiet none."""
    words = [*COMMAND, "score", str(SAMPLE), "-o", str(tmp_path / "out.csv")]
    ended = subprocess.run(words, capture_output=True, check=False)
    guess, summary, end = ended.stderr.decode().split("\n")
    assert (ended.returncode, ended.stdout, end) == (0, b"", "")
    assert guess == f"{SAMPLE}: hands in column hand (else say --columns, --layout)"
    assert GUESS.fullmatch(guess)
    assert SUMMARY.fullmatch(summary)
    assert summary.startswith("1,000 rows, 0 bad, ")
    ended = subprocess.run([*words, "--quiet"], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_progress_bar_on_a_terminal(tmp_path: Path) -> None:
    main, other = os.openpty()
    words = [*COMMAND, "score", str(SAMPLE), "-o", str(tmp_path / "out.csv")]
    with subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=other, env=os.environ | {"TERM": "xterm"}
    ) as command:
        os.close(other)
        pieces = []
        # Linux ends a terminal that nobody holds with an error, other systems with nothing.
        with suppress(OSError):
            while piece := os.read(main, 1 << 16):
                pieces.append(piece)
        os.close(main)
    assert command.returncode == 0
    said = b"".join(pieces).decode()
    assert "score" in said
    assert "hands in column hand" in said
    assert SUMMARY.fullmatch(said.splitlines()[-1].rpartition("\x1b[2K")[2])
    assert (tmp_path / "out.csv").read_bytes().count(b"\n") == 1001
