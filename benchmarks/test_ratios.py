"""Every promised ratio as a test, to be run on purpose; and, not timed, what a line makes of its contenders' times.

What takes a peer minutes is left out unless it is asked for: ``-m slow``, or ``-m "slow or not slow"`` for all.
"""

import time
from dataclasses import replace

import numpy as np
import pytest

from . import ratios
from .deal import Dealer
from .equity_groups import SLOW
from .interleaved import Contender, measure
from .lines import LINES, Line
from .ratios import outcome

PROMISES = [
    pytest.param(line, id=f"issue {line.issue}: {line.what}", marks=[pytest.mark.slow] * (line.group in SLOW))
    for line in LINES
    if line.wanted is not None
]


@pytest.mark.parametrize("line", PROMISES)
def test_ratio(line: Line, request: pytest.FixtureRequest) -> None:
    if line.group in SLOW and "slow" not in request.config.getoption("-m"):
        pytest.skip("minutes of a peer: -m slow")
    found = outcome(line)
    if found.ratio is None:
        pytest.skip(found.note)
    assert found.met, f"{found.ratio:.3g}, wanted {'at most' if line.at_most else 'at least'} {line.wanted}"


def test_lines_compare_times(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"ours": np.array([1.0, 2.0, 3.0]), "other": np.array([4.0, 4.0, 4.0])}
    monkeypatch.setattr(ratios, "measure_group", lambda group: (seconds, {"third": "is not installed"}))
    faster = Line("ours over other", 1, "group", "ours", "other", wanted=2)
    assert (outcome(faster).ratio, outcome(faster).met) == (2.0, True)
    longer = replace(faster, at_most=True, wanted=0.4)
    assert (outcome(longer).ratio, outcome(longer).met) == (0.5, False)
    later = replace(faster, ours="other", other="ours", at_most=True, in_seconds=True)
    assert (outcome(later).ratio, outcome(later).quartiles, outcome(later).met) == (2.0, (1.5, 2.5), True)
    nobody = outcome(replace(faster, other="third"))
    assert (nobody.ratio, nobody.met, nobody.note) == (None, None, "third is missing: is not installed")


def test_lines_are_of_contenders_that_exist() -> None:
    groups = ratios._groups()
    for line in LINES:
        if line.group in groups and groups[line.group][1]:
            assert {line.ours, line.other} <= set(groups[line.group][1])


def test_whoever_tells_how_much_was_done_is_believed() -> None:
    def nap(done: float | None = None) -> Contender:
        return Contender(lambda hands: lambda: time.sleep(1e-3), 10, counted=(lambda _: done) if done else None)

    seconds, missing = measure({"by hands": nap(), "by result": nap(1e9)}, Dealer(100), 3)
    assert not missing
    assert seconds["by hands"].shape == seconds["by result"].shape == (3,)
    assert (seconds["by hands"] >= 1e-4).all()
    assert (seconds["by result"] < 1e-6).all()


def test_a_round_for_warming_up_is_not_counted_and_can_be_left_out() -> None:
    done: list[int] = []
    contender = {"one": Contender(lambda hands: lambda: done.append(len(hands)))}
    for warm_up, times in ((True, 3), (False, 2)):
        done.clear()
        seconds, _ = measure(contender, Dealer(5), 2, warm_up=warm_up)
        assert (len(seconds["one"]), done) == (2, [5] * times)
