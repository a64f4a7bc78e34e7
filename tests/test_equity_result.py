"""The result: what it says, how it looks, that nobody can change it."""

import copy
import dataclasses
import functools
import io
import json
import math
import pickle
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from naive_equity import count
from rich.console import Console
from spots import cards, hand

import pokernel
from pokernel import Category, Equity


@functools.cache
def counted() -> Equity:
    return pokernel.equity(["AsKs", "QQ+:0.5, AcJc", "22"], "2c 7d Kd", "Kh", categories=True)


@functools.cache
def sampled() -> Equity:
    return pokernel.equity(["AsKs", "QQ"], method="monte-carlo", trials=10_000, seed=7)


@pytest.fixture(params=[counted, sampled])
def result(request: pytest.FixtureRequest) -> Equity:
    made: Equity = request.param()
    return made


def test_what_it_says() -> None:
    result = pokernel.equity(["AsKs", "QhQd", "8h7h"], "2c 7d Kd Qc", "Kh")
    tally = count([{hand(text): 1} for text in ("AsKs", "QhQd", "8h7h")], cards("2c 7d Kd Qc"), cards("Kh"))
    assert result.counts == tally.counts
    assert result.players == ("AsKs", "QhQd", "8h7h")
    assert (result.board, result.dead) == ("2c7dKdQc", "Kh")
    assert (result.exact, result.method, result.trials, result.seed, result.scale) == (True, "match-ups", 0, None, 1)
    assert result.categories is None
    assert result.winning_categories is None
    assert result.shares == tuple(Fraction(tally.counts.get((player,), 0), 41) for player in range(3))
    assert result.tie == (0.0, 0.0, 0.0)
    for values in (result.equity, result.win, result.tie, result.standard_error):
        assert all(type(value) is float for value in values)
    assert type(result.total) is int


def test_splits_are_shared_equally() -> None:
    result = pokernel.equity(["AsKs", "AhKh", "QQ, AdKd"], "2c 7d 9h Js 3c")
    assert result.counts == {(2,): 6, (0, 1, 2): 1}
    assert result.shares == (Fraction(1, 21), Fraction(1, 21), Fraction(19, 21))
    assert result.equity == (1 / 21, 1 / 21, 19 / 21)
    assert result.win == (0, 0, 6 / 7)
    assert result.tie == (1 / 7, 1 / 7, 1 / 7)


def test_categories_are_probabilities() -> None:
    made, won = counted().categories, counted().winning_categories
    assert made is not None
    assert won is not None
    for table in (made, won):
        assert table.shape == (3, len(Category))
        assert table.dtype == np.float64
    np.testing.assert_allclose(made.sum(axis=1), 1)
    np.testing.assert_allclose(won.sum(axis=1), np.add(counted().win, counted().tie))
    assert (won <= made).all()
    assert made[2, Category.ONE_PAIR] == 0  # deuces have made a set
    assert made[2, Category.THREE_OF_A_KIND] > 0.5


def test_nobody_can_change_it(result: Equity) -> None:
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
    counts: Any = result.counts
    with pytest.raises(TypeError):
        counts[0,] = 0
    for table in (result.categories, result.winning_categories):
        if table is not None:
            with pytest.raises(ValueError, match="read-only"):
                table[0, 0] = 1
    plain = result.as_dict()
    told: Any = plain["counts"]
    told.clear()
    assert result.as_dict()["counts"]


def test_copies_and_pickles_are_equal(result: Equity) -> None:
    for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert other == result
        assert hash(other) == hash(result)
        assert other.counts == result.counts
        assert other.shares == result.shares
        assert other.as_dict() == result.as_dict()
    assert result != dataclasses.replace(result, trials=result.trials + 1)
    assert result != "AsKs"


def test_as_plain_values(result: Equity) -> None:
    plain = result.as_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    counts: Any = plain["counts"]
    assert {tuple(map(int, key.split(","))): n for key, n in counts.items()} == result.counts
    for name in ("board", "dead", "exact", "method", "total", "scale", "trials", "seed"):
        assert plain[name] == getattr(result, name)
    for name in ("players", "equity", "win", "tie", "standard_error"):
        assert plain[name] == list(getattr(result, name))
    if result.categories is None:
        assert "categories" not in plain
        assert "winning_categories" not in plain
    else:
        categories: Any = plain["categories"]
        assert [list(by_label) for by_label in categories] == [[c.label for c in Category]] * len(result.players)
        assert [list(by_label.values()) for by_label in categories] == result.categories.tolist()


def test_it_prints_as_a_table() -> None:
    lines = str(pokernel.equity(["AsKs", "QhQd"])).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["player", "equity", "win", "tie"],
        ["AsKs", "46.214%", "46.018%", "0.393%"],
        ["QhQd", "53.786%", "53.589%", "0.393%"],
    ]
    assert lines[3] == "board none; exact: 1,712,304 deals (table)"
    assert len({len(line) for line in lines[:3]}) == 1
    estimated = str(sampled()).splitlines()
    assert estimated[0].split() == ["player", "equity", "win", "tie", "±"]
    assert estimated[1].split()[-1] == f"{100 * sampled().standard_error[0]:.3f}%"
    assert "10,000" in estimated[3]
    assert "seed 7" in estimated[3]
    assert "dead Kh" in str(counted())
    assert "2" in str(counted()).splitlines()[-1]  # the scale


def test_a_long_range_does_not_make_a_wide_table() -> None:
    wide = "AsKs, QhJd, Tc8s, 7h5d, 4c2s, AhQd, KcJs, Th9d, 8c6s, 5h3d, AdJc, KhTs, QdTc"
    result = pokernel.equity([wide, "22"], "9c 9s 2d")
    assert all(len(line) < 100 for line in str(result).splitlines())
    assert len(result.players[0]) > 60


def test_it_draws_itself_with_rich(result: Equity) -> None:
    console = Console(file=io.StringIO(), width=120, force_terminal=False)
    console.print(result)
    assert isinstance(console.file, io.StringIO)
    drawn = console.file.getvalue()
    for player, share in zip(result.players, result.equity, strict=True):
        assert player in drawn
        assert f"{100 * share:.3f}%" in drawn


def test_it_draws_itself_in_notebooks(result: Equity) -> None:
    class Cells(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.texts: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

        def handle_data(self, data: str) -> None:
            self.texts.append(data)

    cells = Cells()
    cells.feed(result._repr_html_())
    assert cells.open == []
    assert set(result.players) < set(cells.texts)


def test_html_is_escaped() -> None:
    html = dataclasses.replace(sampled(), players=("<b>&", "QQ"), board="<i>")._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;&amp;" in html


def test_an_unknown_error_is_none_in_json() -> None:
    alone = pokernel.equity(["AsKs", "QQ"], method="monte-carlo", trials=1, seed=1)
    assert alone.standard_error == (math.inf, math.inf)
    assert alone.as_dict()["standard_error"] == [None, None]
    assert str(alone)
