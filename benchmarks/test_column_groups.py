"""Contenders of files and frames: they do what they are timed for. Small ones, not timed."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokernel

from . import file_groups
from .deal import Dealer
from .file_groups import COMMAND, CSV, FOLDER, PARQUET, REWRITE, Process, file_contenders
from .frame_groups import frame_groups
from .interleaved import Contender, measure

ASKED = {
    f"{group}, {name}": contender
    for group, (_, contenders) in frame_groups().items()
    for name, contender in contenders.items()
    if name != "utf8_lower"
}


@pytest.mark.parametrize("name", ASKED)
def test_frames_have_the_strengths(name: str) -> None:
    hands = Dealer(2000)()
    strengths = pokernel.evaluate(hands)
    try:
        found: Any = ASKED[name].prepare(hands)()
    except ImportError as missing:
        pytest.skip(str(missing))
    if "DuckDB" in name:
        assert found == strengths.sum()
    elif name.endswith("phevaluator"):
        assert (np.asarray(found) == pokernel.to_kev_rank(strengths)).all()
    else:
        assert (np.asarray(found) == strengths).all()


@pytest.mark.parametrize("group", [PARQUET, CSV])
def test_files_have_all_rows_and_go(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(file_groups.ROWS, group, 20_000)
    monkeypatch.setattr(file_groups, "WARM_ROWS", 1000)
    cleared: list[tuple[str, int]] = []

    def clear(out: Path, rows: int) -> bool:
        assert out.exists()
        cleared.append((out.name, rows))
        return really(out, rows) and not out.exists()

    really: Callable[[Path, int], bool] = file_groups._clear
    monkeypatch.setattr(file_groups, "_clear", clear)
    with file_contenders(group) as contenders:
        found = measure(contenders, Dealer(1), 1, warm_up=False)
    if found.missing:
        pytest.skip(str(found.missing))
    names = {COMMAND, REWRITE} | ({FOLDER} if group == PARQUET else set())
    assert set(found.seconds) == set(found.peaks) == names
    assert all(10 < peak < 2000 for (peak,) in found.peaks.values())
    assert sorted({rows for _, rows in cleared}) == [1000, 20_000]
    assert len(cleared) == 2 * len(names)


def contender(script: str, folder: Path, needs: tuple[str, ...] = ()) -> tuple[Process, Contender]:
    """A process that is said to write as many rows as it reads."""
    process = Process(lambda given, out: ("-c", script, str(given), str(out)), "out", needs)
    process.is_warm = True
    return process, process.contender(folder, ".csv", 10)


def test_a_command_that_loses_rows_or_fails_is_found_out(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    _, short = contender("import sys; open(sys.argv[2], 'w').write('id\\n' * 10)", tmp_path)
    with pytest.raises(RuntimeError, match=r"out\.csv has 9 rows, not 10"):
        measure({"short": short}, Dealer(1), 1)
    _, failing = contender("import sys; sys.exit(3)", tmp_path)
    with pytest.raises(subprocess.CalledProcessError, match="exit status 3"):
        measure({"failing": failing}, Dealer(1), 1)


def test_a_command_that_is_not_there_is_missing(tmp_path: Path) -> None:
    _, lost = contender("", tmp_path, ("no_such_package",))
    found = measure({"lost": lost}, Dealer(1), 1)
    assert found.missing == {"lost": "No module named 'no_such_package'"}
    assert not found.seconds


def test_the_memory_is_the_commands_own(tmp_path: Path) -> None:
    ours = np.ones(50_000_000)
    for size, least, most in ((1, 1, 100), (300_000_000, 300, 400)):
        process, _ = contender(f"memory = b'x' * {size}", tmp_path)
        process.run(tmp_path / "given", tmp_path / "out")
        assert least < process.peak < most
    assert ours.nbytes == 400_000_000
