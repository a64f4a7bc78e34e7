"""Every promised ratio as a test. Run on purpose: nothing here is collected by default."""

import pytest

from .ratios import LINES, Line, outcome

PROMISES = [line for line in LINES if line.wanted is not None]


@pytest.mark.parametrize("line", PROMISES, ids=[f"issue {line.issue}: {line.what}" for line in PROMISES])
def test_ratio(line: Line) -> None:
    found = outcome(line)
    if found.ratio is None:
        pytest.skip(found.note)
    assert found.met, f"{found.ratio:.3g}, wanted {'at most' if line.at_most else 'at least'} {line.wanted}"
