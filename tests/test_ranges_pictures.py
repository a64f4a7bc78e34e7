"""Pictures of ranges, in characters, colors, HTML and plots; and ``pokernel range``."""

import io
import json
import re
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from test_cli import run
from test_ranges import every_hand

from pokernel import Range
from pokernel.ranges.picture import NAMES, plain, shade

GRID = """\
  AA   AKs   AQs    ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
(AKo)   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·    (QQ)   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·
  ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     22"""
PICTURED = Range("AA, AQs+, AsKh, QQ:0.5, 22")


def test_plain_picture() -> None:
    assert plain(PICTURED.grid()) == GRID


def test_every_class_has_its_name_in_the_picture() -> None:
    assert sorted(name for row in NAMES for name in row) == sorted(every_hand().split())
    assert plain(Range.random().grid()).split() == [name for row in NAMES for name in row]


def test_shades_differ_from_none_to_all() -> None:
    shades = [shade(share) for share in (0, 1e-9, 0.5, 1)]
    assert len(set(shades)) == len(shades)


def test_rich_prints_the_picture() -> None:
    from rich.console import Console

    for color_system in ("truecolor", "256", "standard", None):
        file = io.StringIO()
        Console(file=file, force_terminal=True, width=80, color_system=color_system).print(PICTURED)
        printed = file.getvalue()
        assert ("\x1b[" in printed) == (color_system is not None)
        plain_text = re.sub(r"\x1b\[[\d;]*m", "", printed)
        assert [line.rstrip() for line in plain_text.splitlines()] == GRID.splitlines()


def test_notebooks_show_a_table() -> None:
    html = PICTURED._repr_html_()
    assert html.count("<td") == 169
    assert 'title="QQ: 0.5"' in html
    assert f"<caption>{PICTURED}</caption>" in html


def test_plot() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert PICTURED.plot(ax) is ax
    texts = [text.get_text() for text in ax.texts]
    assert texts[:3] == ["AA", "AKs", "AQs"]
    assert "QQ\n50%" in texts
    assert len(texts) == 169
    (image,) = ax.images
    assert np.asarray(image.get_array()).shape == (13, 13, 3)
    made = PICTURED.plot()
    made.figure.canvas.draw()
    pyplot.close("all")


def test_plots_say_what_they_need() -> None:
    with (
        patch.dict(sys.modules, {"matplotlib": None, "matplotlib.figure": None}),
        pytest.raises(ImportError, match=r'pip install "pokernel\[plot\]"'),
    ):
        PICTURED.plot()


# ---- the command -----------------------------------------------------------------------------------------------------


def test_range() -> None:
    status, out, err = run("range", "AA,", "AQs+ AsKh QQ:0.5 22")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        *GRID.splitlines(),
        "",
        "range   AA, 22, AQs+, AsKh, QQ:0.5",
        "combos  27 of 1,326 (2.04%)",
        "weight  24 (1.81%)",
    ]


def test_range_share() -> None:
    status, out, _ = run("range", "15%")
    assert status == 0
    assert out.splitlines()[-2:] == [f"range   {Range('15%')}", "combos  200 of 1,326 (15.08%)"]


def test_range_with_dead_cards() -> None:
    status, out, _ = run("range", "AA, AK", "--dead", "As 7d 2c")
    assert status == 0
    left = Range("AA, AK").without("As 7d 2c")
    assert out.splitlines() == [
        *plain(left.grid()).splitlines(),
        "",
        "given   AA, AK without As 7d 2c",
        f"range   {left}",
        "combos  15 of 1,176 (1.28%)",
    ]
    assert out.splitlines()[0].split()[:2] == ["(AA)", "(AKs)"]


@pytest.mark.parametrize("text", ["15%", "AsKs", "AA:0.5, 72o", "0%", "random", "AhKh, QJs:0.1"])
@pytest.mark.parametrize("dead", ["", " ", "As", "As Ks 7c 2d", "2c 2d 2h 2s"])
def test_range_shows_what_is_left_everywhere(text: str, dead: str) -> None:
    left = Range(text).without(dead)
    words = ["range", text, "--dead", dead]
    grid, told = run(*words)[1].split("\n\n")
    assert grid == plain(left.grid())
    pairs = dict(line.split(maxsplit=1) for line in told.splitlines())
    assert Range(pairs["range"]) == left
    assert pairs.get("given", "") == (f"{Range(text)} without {dead}" if dead.strip() else "")
    assert pairs["combos"].startswith(f"{len(left):,} of ")
    assert pairs.keys() <= {"given", "range", "combos", "weight"}
    assert Range(run(*words, "--combos")[1] or "0%") == left
    document = json.loads(run(*words, "--json", "--combos")[1])
    assert (document["given"], document["dead"], document["range"]) == (str(Range(text)), dead.strip(), str(left))
    assert document["combos"] == len(left) == len(document["weights"])
    assert document["classes"].keys() == {NAMES[row][column] for row, column in np.argwhere(left.grid()).tolist()}


def test_range_plots_what_is_left(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures = []
    for words in (["AA, AK", "--dead", "As"], [str(Range("AA, AK").without("As"))], ["AA, AK"]):
        path = tmp_path / "range.png"
        assert run("range", *words, "--plot", str(path))[0] == 0
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]


def test_range_of_which_nothing_is_left() -> None:
    status, out, _ = run("range", "AsKs, AsAh", "--dead", "As")
    assert (status, out.splitlines()[-3:]) == (
        0,
        ["given   AsAh, AsKs without As", "range   0%", "combos  0 of 1,275 (0.00%)"],
    )


def test_range_combos_read_back() -> None:
    status, out, _ = run("range", "QQ:0.25, AKs", "--combos", "--dead", "As")
    assert status == 0
    assert out.splitlines()[:4] == ["AhKh", "AdKd", "AcKc", "QsQh:0.25"]
    assert Range(out) == Range("QQ:0.25, AKs").without("As")


def test_range_json() -> None:
    status, out, _ = run("range", "QQ:0.25, AKs", "--json", "--dead", "As")
    assert status == 0
    assert json.loads(out) == {
        "given": "AKs, QQ:0.25",
        "dead": "As",
        "range": "AhKh, AdKd, AcKc, QQ:0.25",
        "combos": 9,
        "possible": 1275,
        "weight": 4.5,
        "share": 4.5 / 1275,
        "classes": {"AKs": 3, "QQ": 1.5},
    }
    document = json.loads(run("range", "AhAs:0.5", "--json", "--combos")[1])
    assert document["weights"] == {"AsAh": 0.5}


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_range_plot(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"range.{suffix}"
    status, out, err = run("range", "15%, AhAs:1", "--plot", str(path))
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("combos  200")
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def test_range_plot_of_many_combos(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "range.svg"
    assert run("range", *map(str, str(Range.random().without("As")).split()), "--plot", str(path))[0] == 0
    assert "1,275 combos" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["TT++"], "no range at position 0 of 'TT++': 'TT++' (one + is enough)"),
        (["AA,", "XX"], "no range at position 4 of 'AA, XX'"),
        ([""], "no range at position 0 of ''"),
        (["AA", "--dead", "Asx"], "dead: no card at position 2 of 'Asx'"),
        (["AA", "--dead", "AsAs"], "dead: As twice"),
        (["AA", "--plot", "range.xyz"], "range.xyz: no format for a plot by its suffix; there are "),
        (["AA", "--plot", "png"], "png: no format"),
        (["AA", "--plot", "/no/such/folder/range.png"], "/no/such/folder/range.png: "),
    ],
)
def test_range_refuses(words: list[str], said: str) -> None:
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    status, out, err = run("range", *words)
    assert (status, out) == (1, "")
    assert err.startswith(said)


def test_range_says_what_plots_need() -> None:
    with patch.dict(sys.modules, {"matplotlib": None, "matplotlib.figure": None}):
        status, out, err = run("range", "AA", "--plot", "range.png")
    assert (status, out) == (1, "")
    assert 'pip install "pokernel[plot]"' in err
