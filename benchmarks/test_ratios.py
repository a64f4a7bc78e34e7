"""Every promised ratio as a test, to be run on purpose; and, not timed, what a line makes of its contenders' times.

What takes minutes is left out unless it is asked for: ``-m slow``, or ``-m "slow or not slow"`` for all.
"""

import time
from dataclasses import replace

import numpy as np
import pytest

from . import ratios
from .deal import Dealer
from .interleaved import Contender, Measured, measure
from .lines import LINES, Line
from .ratios import SLOW, WHOLE, outcome

PROMISES = [
    pytest.param(line, id=f"issue {line.issue}: {line.what}", marks=[pytest.mark.slow] * (line.group in SLOW))
    for line in LINES
    if line.wanted is not None
]


@pytest.mark.parametrize("line", PROMISES)
def test_ratio(line: Line, request: pytest.FixtureRequest) -> None:
    if line.group in SLOW and "slow" not in request.config.getoption("-m"):
        pytest.skip("minutes: -m slow")
    found = outcome(line)
    if found.ratio is None:
        pytest.skip(found.note)
    assert found.met, f"{found.ratio:.3g} {line.unit}, wanted {'at most' if line.at_most else 'at least'} {line.wanted}"


def test_lines_compare_times(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"ours": np.array([1.0, 2.0, 3.0]), "other": np.array([4.0, 4.0, 4.0])}
    measured = Measured(seconds, {"third": "is not installed"}, {"ours": np.array([300.0, 500.0, 200.0])})
    monkeypatch.setattr(ratios, "measure_group", lambda group: measured)
    faster = Line("ours over other", 1, "group", "ours", "other", wanted=2)
    assert (outcome(faster).ratio, outcome(faster).met) == (2.0, True)
    longer = replace(faster, at_most=True, wanted=0.4)
    assert (outcome(longer).ratio, outcome(longer).met) == (0.5, False)
    later = replace(faster, ours="other", other="ours", at_most=True, unit="s")
    assert (outcome(later).ratio, outcome(later).quartiles, outcome(later).met) == (2.0, (1.5, 2.5), True)
    least = Line("ours a second", 1, "group", "ours", wanted=4e-7, unit="M/s")
    assert (outcome(least).ratio, outcome(least).met, outcome(least).unit) == (5e-7, True, "M/s")
    most = replace(least, unit="MB", wanted=299, at_most=True)
    assert (outcome(most).ratio, outcome(most).met, outcome(most).rounds) == (300.0, False, 3)
    table = ratios._table([outcome(faster), outcome(most)]).splitlines()
    assert table[2:] == [
        "| 1 | ours over other | 2 | 1.67 … 3 | ≥ 2 | yes |",
        "| 1 | ours a second | 300 MB | 250 … 400 | ≤ 299 MB | NO |",
    ]
    nobody = outcome(replace(faster, other="third"))
    assert (nobody.ratio, nobody.met, nobody.note) == (None, None, "third is missing: is not installed")


def test_lines_are_of_contenders_that_exist() -> None:
    contenders = {group: set(of) for group, (_, of) in ratios._groups().items()}
    for group, whole in WHOLE.items():
        with whole() as of:
            contenders[group] = set(of)
    for line in LINES:
        if contenders[line.group]:
            assert {line.ours, line.other} - {""} <= contenders[line.group]
            assert bool(line.other) == (line.unit not in ("MB", "M/s"))


def test_whoever_tells_how_much_was_done_is_believed() -> None:
    def nap(done: float | None = None) -> Contender:
        return Contender(lambda hands: lambda: time.sleep(1e-3), 10, counted=(lambda _: done) if done else None)

    found = measure({"by hands": nap(), "by result": nap(1e9)}, Dealer(100), 3)
    assert not found.missing
    assert found.seconds["by hands"].shape == found.seconds["by result"].shape == (3,)
    assert (found.seconds["by hands"] >= 1e-4).all()
    assert (found.seconds["by result"] < 1e-6).all()


def test_nobody_always_has_the_same_turn_or_the_same_one_before_him() -> None:
    turns: list[str] = []
    names = "abcd"
    measure({name: Contender(lambda _, name=name: lambda: turns.append(name)) for name in names}, Dealer(1), 8)  # type: ignore[misc]
    rounds = ["".join(turns[start : start + 4]) for start in range(0, len(turns), 4)]
    assert len(rounds) == 9
    assert not measure({}, Dealer(1), 2).seconds
    assert all(sorted(taken) == list(names) for taken in rounds)
    for name in names:
        assert {taken.index(name) for taken in rounds} == {0, 1, 2, 3}
        before = [taken[taken.index(name) - 1] for taken in rounds if not taken.startswith(name)]
        assert max(map(before.count, before)) <= 4


def test_what_comes_before_and_after_a_turn_is_not_timed_and_may_tell_the_memory() -> None:
    done: list[str] = []

    def note(name: str, peak: float | None) -> float | None:
        time.sleep(0.02)
        done.append(name)
        return peak

    contenders = {
        name: Contender(
            lambda hands, name=name: lambda: done.append(f"{name} worked"),  # type: ignore[misc]
            before=lambda name=name: note(f"{name} soon", None),  # type: ignore[misc]
            after=lambda name=name, peak=peak: note(name, peak),  # type: ignore[misc]
        )
        for name, peak in (("large", 300.0), ("silent", None))
    }
    found = measure(contenders, Dealer(1), 2, warm_up=True)
    turns = [tuple(done[start : start + 3]) for start in range(0, len(done), 3)]
    assert sorted(turns) == [(f"{name} soon", f"{name} worked", name) for name in ["large"] * 3 + ["silent"] * 3]
    assert {name: peaks.tolist() for name, peaks in found.peaks.items()} == {"large": [300.0, 300.0]}
    assert all(taken.min() < 0.02 for taken in found.seconds.values())


def test_a_round_for_warming_up_is_not_counted_and_can_be_left_out() -> None:
    done: list[int] = []
    contender = {"one": Contender(lambda hands: lambda: done.append(len(hands)))}
    for warm_up, times in ((True, 3), (False, 2)):
        done.clear()
        found = measure(contender, Dealer(5), 2, warm_up=warm_up)
        assert (len(found.seconds["one"]), done) == (2, [5] * times)
