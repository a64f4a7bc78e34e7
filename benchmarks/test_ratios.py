"""Every promised ratio as a test, to be run on purpose; and, not timed, what a line makes of its contenders' times."""

from dataclasses import replace

import numpy as np
import pytest

from . import ratios
from .ratios import LINES, Line, outcome

PROMISES = [line for line in LINES if line.wanted is not None]


@pytest.mark.parametrize("line", PROMISES, ids=[f"issue {line.issue}: {line.what}" for line in PROMISES])
def test_ratio(line: Line) -> None:
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
