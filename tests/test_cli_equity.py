"""``pokernel equity``: known results, options, errors, and how it ends."""

import json
import math
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest
from test_cli import COMMAND, NEEDS_BASH, run, shell

import pokernel
from pokernel import Category
from pokernel.cli import odds as cli_odds
from pokernel.cli import words
from pokernel.odds.equity import LEAST_ERROR, METHODS

NEEDS_TERMINALS = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
ENDLESS = ["equity", "AA, AK, KK", "QQ, QJ, JJ", "TT, T9, 99", "88, 87, 77", "66, 65, 55", "--method", "exact"]


def document(*words: str) -> dict[str, Any]:
    status, out, err = run("equity", *words, "--json")
    assert (status, err) == (0, "")
    read: dict[str, Any] = json.loads(out, parse_constant=pytest.fail)
    return read


# -- what it prints


def test_two_hands() -> None:
    status, out, err = run("equity", "AsKs", "QhQd")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "player   equity      win     tie",
        "AsKs    46.214%  46.018%  0.393%",
        "QhQd    53.786%  53.589%  0.393%",
        "board none; exact: 1,712,304 deals (table)",
    ]


@pytest.mark.parametrize("method", ["auto", "exact", "table", "match-ups", "sweep"])
def test_every_way_to_count_is_there(method: str) -> None:
    told = document("AsKs", "QhQd", "--method", method)
    assert told["counts"] == {"0": 787966, "1": 917606, "0,1": 6732}
    assert told["method"] == {"auto": "table", "exact": "table"}.get(method, method)
    assert (told["exact"], told["total"]) == (True, 1712304)


def test_methods_and_bounds_are_those_of_the_function() -> None:
    assert tuple(words.Method) == METHODS
    assert words.LEAST_ERROR == LEAST_ERROR


def test_all_that_is_known() -> None:
    told = document("As Ks", "QQ+,AKs", "random", "--board", "Ah 7d 2s Kc", "--dead", "Qs Qh", "--categories")
    expected = pokernel.equity(["AsKs", "QQ+, AKs", "random"], "Ah7d2sKc", "QsQh", categories=True).as_dict()
    assert told == json.loads(json.dumps(expected))
    assert list(told) == [
        *("players", "board", "dead", "method", "exact", "equity", "win", "tie", "standard_error"),
        *("counts", "total", "scale", "trials", "seed", "categories", "winning_categories"),
    ]
    assert told["players"] == ["AsKs", "QQ+, AKs", "random"]
    assert (told["board"], told["dead"], told["seed"], told["scale"]) == ("Ah7d2sKc", "QsQh", None, 1)
    assert all(type(count) is int for count in told["counts"].values())
    assert sum(told["counts"].values()) == told["total"]
    assert math.isclose(sum(told["equity"]), 1)
    for by_category in told["categories"]:
        assert list(by_category) == [category.label for category in Category]
        assert math.isclose(sum(by_category.values()), 1)


def test_categories_in_tables() -> None:
    status, out, _ = run("equity", "7h2d", "KsKc", "--board", "Kd 7d 7s 2c", "--categories")
    first, ends, wins = out.split("\n\n")
    assert status == 0
    assert first == str(pokernel.equity(["7h2d", "KsKc"], "Kd7d7s2c", categories=True))
    rows = [re.split(r"\s{2,}", line) for line in ends.splitlines()]
    assert rows[0] == ["ends with", "7h2d", "KsKc"]
    assert [row[0] for row in rows[1:]] == [category.label for category in reversed(Category)]
    assert rows[3] == ["Four of a kind", "2.273%", "2.273%"]  # one card of 44 each
    assert rows[4] == ["Full house", "97.727%", "97.727%"]
    assert [re.split(r"\s{2,}", line) for line in wins.splitlines()][3:5] == [
        ["Four of a kind", "2.273%", "2.273%"],
        ["Full house", "0.000%", "95.455%"],
    ]


def test_long_names_do_not_widen_the_tables() -> None:
    out = run("equity", "40%", "AsAh", "--board", "2c 7d 9h Js 3c", "--categories")[1]
    assert max(map(len, out.splitlines())) < 100
    assert "33+, A2+, K2s+, Q5s…" in out


# -- estimates


def test_a_seed_repeats() -> None:
    words = ["22+", "AT+", "random", "--method", "monte-carlo", "--trials", "20000", "--seed", "7"]
    told = document(*words)
    assert told == document(*words, "--threads", "1") == document(*words, "--threads", "2")
    assert (told["exact"], told["method"], told["trials"], told["seed"]) == (False, "monte-carlo", 20000, 7)
    assert told["counts"] != document(*words[:-1], "8")["counts"]
    status, out, err = run("equity", *words)
    assert (status, err) == (0, "")
    assert out.splitlines()[0].split() == ["player", "equity", "win", "tie", "±"]
    assert out.splitlines()[-1] == "board none; estimated: 20,000 boards, seed 7, ± one standard error"


def test_a_wanted_error() -> None:
    told = document("AsKs", "QhQd", "--method", "monte-carlo", "--error", "0.002", "--seed", "7")
    assert max(told["standard_error"]) <= 0.002
    assert abs(told["equity"][0] - 0.46214) < 5 * 0.002
    few = document("AsKs", "QhQd", "--method", "monte-carlo", "--error", "1e-7", "--trials", "1000")
    assert (few["trials"], isinstance(few["seed"], int)) == (1000, True)


def test_json_has_no_infinity() -> None:
    """One trial has no spread."""
    told = document("15%", "40%", "--method", "monte-carlo", "--trials", "1", "--seed", "3")
    assert told["standard_error"] == [None, None]


# -- errors


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["AsKs"], "2 to 10 players, not 1"),
        (["random"] * 11, "2 to 10 players, not 11"),
        (["AsKs", "QQx"], "player 1: no range at position 0 of 'QQx': 'QQx'"),
        (["AsKs", ""], "player 1: "),
        (["AsKs", "AsQd"], "players 0 and 1 both hold As"),
        (["AsAh", "AdAc", "AA"], "player 2: no hand of 'AA' is left"),
        (["AsKs", "QQ", "--board", "2c 3c x"], "board: no card at position 6 of '2c 3c x': 'x'"),
        (["AsKs", "QQ", "--board", "2c 3c 4c 5c 6c 7c"], "a board has 5 cards at most, not 6"),
        (["AsKs", "QQ", "--board", "Qs Qh Qd"], "player 1: no hand of 'QQ' is left"),
        (["AsKs", "QQ", "--board", "2c 3c As"], "player 0: As is on the board"),
        (["AsKs", "QQ", "--dead", "2c 2c"], "dead: 2c twice"),
        (["AsKs", "QQ", "--dead", "As"], "player 0: As is dead"),
        (["AsKs", "QQ", "--board", "2c 3c 4c", "--dead", "4c"], "4c is on the board and dead"),
        (["AsKs", "QQ", "JJ", "--method", "sweep"], "a sweep is for two players, not 3"),
        (["AsKs", "QQ", "JJ", "--method", "table"], "the table has two players"),
    ],
)
def test_what_cannot_be_dealt_is_one_line(given: list[str], said: str) -> None:
    status, out, err = run("equity", *given)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(said)


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["AsKs", "QQ", "--method", "fast"],
        *(["AsKs", "QQ", "--trials", trials] for trials in ("0", "-1", "many", "1.5")),
        *(["AsKs", "QQ", "--error", error] for error in ("0", "9e-8", "1", "-0.1", "nan", "inf", "little")),
        ["AsKs", "QQ", "--seed", "-1"],
        ["AsKs", "QQ", "--threads", "0"],
    ],
)
def test_wrong_usage(given: list[str]) -> None:
    status, out, _ = run("equity", *given)
    assert (status, out) == (2, "")


# -- how it ends


@NEEDS_BASH
@pytest.mark.parametrize("words", ["equity AsKs QhQd", "equity AsKs QhQd --json", "equity --help"])
def test_output_that_goes_nowhere(words: str) -> None:
    ended = shell(words, ">&-")
    assert (ended.returncode, ended.stderr.count(b"\n")) == (1, 1)
    assert b"standard output is closed" in ended.stderr
    ended = shell(words, "| true")
    assert (ended.returncode, ended.stderr) == (141, b"")


def on_a_terminal(words: list[str], number: signal.Signals | None = None) -> tuple[int, bytes, str]:
    """Exit status, standard output in a pipe, and what a terminal gets as standard error; a signal once it counts."""
    main, other = os.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=other, env=environment) as command:
        os.close(other)
        said = b""
        with suppress(OSError):  # Linux ends a terminal that nobody holds with an error, other systems with nothing
            while piece := os.read(main, 1 << 16):
                said += piece
                if number is not None and re.search(rb"\d\.\d\d%", said):
                    command.send_signal(number)
                    number = None
        os.close(main)
        assert command.stdout is not None
        out = command.stdout.read()
    return command.returncode, out, said.decode()


@NEEDS_TERMINALS
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(number: signal.Signals, status: int) -> None:
    """In the middle of a count of hours, on a terminal with its bar."""
    ended, out, said = on_a_terminal(ENDLESS, number)
    assert (ended, out) == (status, b"")
    assert "equity" in said
    assert "Traceback" not in said


@NEEDS_TERMINALS
def test_quiet() -> None:
    words = ["equity", "22+", "random", "random", "--method", "monte-carlo", "--trials", "3000000", "--quiet"]
    status, out, said = on_a_terminal(words)
    assert (status, said) == (0, "")
    assert out.startswith(b"player ")


def test_nothing_but_the_result_in_a_pipe() -> None:
    words = ["equity", "22+", "random", "random", "--method", "monte-carlo", "--trials", "3000000"]
    ended = subprocess.run([*COMMAND, *words], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"estimated: 3,000,000 boards" in ended.stdout


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(
    "words",
    [["AA", "KK", "QQ"], ["AsKs", "QhQd", "--board", "2c 3c 4c"], ["AsKs", "QhQd", "--method", "monte-carlo"]],
)
def test_what_needs_the_compiler_says_so_in_a_line(words: list[str], options: list[str]) -> None:
    ended = without_compiler(*words, *options)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert "unset NUMBA_DISABLE_JIT" in ended.stderr


def test_the_table_answers_while_nothing_is_compiled() -> None:
    ended = without_compiler("AsKs", "QhQd")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, run("equity", "AsKs", "QhQd")[1], "")


def without_compiler(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run([*COMMAND, "equity", *words], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_any_other_runtime_error_is_a_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise RuntimeError("something broke")

    monkeypatch.setattr("pokernel.cli.odds.equity", fail)
    with pytest.raises(RuntimeError, match="something broke"):
        cli_odds.show(["AA", "KK"])


def test_the_table_needs_no_compiler() -> None:
    script = "import sys; from pokernel.cli import main; main(['equity', 'AsKs', 'QhQd']); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {name.split(".")[0] for name in ended.stdout.splitlines()[-1].split()} & {"numba", "pyarrow"}
