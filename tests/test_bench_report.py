"""The report on benchmarks, from a small results file."""

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

Report = Callable[..., str]
MARKS = ("<!-- benchmarks:begin -->", "<!-- benchmarks:end -->")


def benchmark(group: str, median: float, **label: Any) -> dict[str, Any]:
    usual = {
        "what": "evaluate",
        "by": "pokernel",
        "hands": 1000,
        "cards": 7,
        "dtype": "uint8",
        "layout": "rows (n, k)",
        "validated": True,
        "threads": 1,
        "checksum": 0xBEEF,
    }
    return {"group": group, "stats": {"median": median}, "extra_info": usual | label}


RESULTS = {
    "machine_info": {
        "python_version": "3.11.7",
        "system": "Linux",
        "cpu": {"brand_raw": "Some CPU", "count": 4},
        "packages": {"pokernel": "1.2.3", "treys": "not installed"},
    },
    "datetime": "2025-05-04T03:02:01+00:00",
    "benchmarks": [
        benchmark("peers", 0.1, by="treys", what="Evaluator.evaluate(cards, [])", validated=False, times_scalar=4e-5),
        benchmark("arrays", 2e-6, times_scalar=1.96, of_roofline=0.5),
        benchmark("arrays", 1e-6, threads=4, times_scalar=4.0, of_roofline=0.9),
        benchmark("arrays", 1e-6, cards=5),
        benchmark("arrays", 4e-6, by="yardstick", what="scalar kernel in a loop", validated=False),
        benchmark("arrays", 1e-6, by="yardstick", what="roofline: read a row and a slot", validated=False),
        benchmark("odds", 2e-4, what="showdown", layout="boards, holes", unit="deals"),
        benchmark("odds", 0.25, what="equity, method='exact'", layout="AsKs v QhQd", unit="questions", hands=100),
        benchmark("odds", 2.5, what="equity, method='sweep'", layout="random v random", unit="questions", hands=1),
        {"group": "unlabeled", "stats": {"median": 1.0}, "extra_info": {}},
    ],
}
RATIOS = {
    "load": [0.25, 1.5],
    "lines": [
        {"line": "fast over slow", "ratio": 2.0, "quartiles": [1.5, 2.5], "wanted": 1.1, "at_most": False, "met": True},
        {"line": "fast over slow", "ratio": 2.0, "quartiles": [1.5, 2.5], "wanted": 1.8, "at_most": False, "met": True},
        {"line": "time a / b", "ratio": 1.25, "quartiles": [1, 2], "wanted": 1.15, "at_most": True, "met": False},
        {"line": "control", "ratio": 1.5, "quartiles": [1, 2], "wanted": None, "at_most": False, "met": None},
        {
            "line": "in all",
            "ratio": 7.25,
            "quartiles": [7, 8],
            "wanted": 5,
            "at_most": False,
            "met": True,
            "unit": "M/s",
        },
        {
            "line": "peak",
            "ratio": 344.4,
            "quartiles": [340, 350],
            "wanted": 400,
            "at_most": True,
            "met": True,
            "unit": "MB",
        },
        {"line": "over a peer", "ratio": None, "quartiles": None, "wanted": 9, "at_most": False, "note": "is missing"},
    ],
    "rates": {},
}


@pytest.fixture
def report(tmp_path: Path) -> Report:
    (tmp_path / "results.json").write_text(json.dumps(RESULTS))
    (tmp_path / "ratios.json").write_text(json.dumps(RATIOS))

    def run(*arguments: str) -> str:
        command = [sys.executable, str(ROOT / "scripts" / "bench_report.py"), "results.json", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def cells(page: str, start: str) -> list[list[str]]:
    lines = [line for line in page.splitlines() if line.startswith(f"| {start} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_rates(report: Report) -> None:
    page = report()
    assert "Some CPU · 4 cores · Linux · Python 3.11.7 · 2025-05-04" in page
    assert "pokernel 1.2.3, treys not installed" in page
    assert "## Ratios" not in page
    one, four, five = cells(page, "evaluate")
    label = ["evaluate", "pokernel", "7", "uint8", "rows (n, k)", "yes", "1", "1,000"]
    assert one == [*label, "500 M", "2", "50%", "beef"]
    assert four[6:] == ["4", "1,000", "1 G", "4", "", "beef"]
    assert five[2] == "5"
    assert five[8:] == ["1 G", "", "", "beef"]
    ((*_, rate, scalar, part, _),) = cells(page, "Evaluator.evaluate(cards, [])")
    assert (rate, scalar, part) == ("10 k", "4e-05", "")
    assert "unlabeled" not in page


def test_odds_have_units_of_their_own(report: Report, tmp_path: Path) -> None:
    page = report()
    assert cells(page, "showdown") == [["showdown", "boards, holes", "1", "1,000 deals", "5 M deals/s", "beef"]]
    assert cells(page, "equity, method='exact'")[0][3:5] == ["100 questions", "2.5 ms each"]
    assert cells(page, "equity, method='sweep'")[0][3:5] == ["1 question", "2.5 s each"]
    readme = tmp_path / "README.md"
    readme.write_text("\n".join([*MARKS, ""]), "utf-8")
    report("--readme", "README.md")
    assert cells(readme.read_text("utf-8"), "showdown") == [["showdown", "boards, holes", "1", "5 M deals/s"]]


def test_ratios(report: Report) -> None:
    page = report("--ratios", "ratios.json")
    assert "Load average before and after: 0.2 and 1.5" in page
    assert cells(page, "fast over slow") == [["fast over slow", "2", "1.5 … 2.5", "≥ 1.8", "yes"]]
    assert cells(page, "time a / b") == [["time a / b", "1.25", "1 … 2", "≤ 1.15", "no"]]
    assert cells(page, "control") == [["control", "1.5", "1 … 2", "", ""]]
    assert cells(page, "in all") == [["in all", "7.25 M/s", "7 … 8", "≥ 5 M/s", "yes"]]
    assert cells(page, "peak") == [["peak", "344 MB", "340 … 350", "≤ 400 MB", "yes"]]
    assert cells(page, "over a peer") == [["over a peer", "", "", "≥ 9", "is missing"]]


def test_readme_block(report: Report, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{MARKS[0]}\nolder\n{MARKS[1]}\nafter\n", "utf-8")
    for _ in range(2):
        assert report("--ratios", "ratios.json", "--readme", "README.md") == ""
    text = readme.read_text("utf-8")
    assert text.startswith(f"before\n{MARKS[0]}\n")
    assert text.endswith(f"\n{MARKS[1]}\nafter\n")
    assert "older" not in text
    assert text.count("Some CPU · 4 cores · Linux") == 1
    one, four, five = cells(text, "evaluate")
    assert one == ["evaluate", "pokernel", "7 cards, uint8, rows (n, k)", "yes", "1", "500 M", "2", "50%"]
    assert four[4:] == ["4", "1 G", "4", ""]
    assert five[2] == "5 cards, uint8, rows (n, k)"
    assert cells(text, "Evaluator.evaluate(cards, [])")[0][5:] == ["10 k", "4e-05", ""]
    assert cells(text, "fast over slow") == [["fast over slow", "2", "≥ 1.8"]]
    assert cells(text, "time a / b") == [["time a / b", "1.25", "≤ 1.15"]]
    assert cells(text, "in all") == [["in all", "7.25 M/s", "≥ 5 M/s"]]
    assert cells(text, "over a peer") == [["over a peer", "is missing", "≥ 9"]]


def test_readme_without_marks_is_left_alone(report: Report, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("no marks\n")
    with pytest.raises(AssertionError, match="benchmarks:begin"):
        report("--readme", "README.md")
    assert (tmp_path / "README.md").read_text() == "no marks\n"


def test_the_readme_has_the_latest_results(tmp_path: Path) -> None:
    results, ratios = (ROOT / "benchmarks" / "results" / name for name in ("results.json", "ratios.json"))
    readme = ROOT / "README.md"
    if not (results.is_file() and ratios.is_file() and readme.is_file()):
        pytest.skip("no README, or no results of benchmarks, beside these tests")
    again = tmp_path / "README.md"
    again.write_bytes(readme.read_bytes())
    words = [ROOT / "scripts" / "bench_report.py", results, "--ratios", ratios, "--readme", again]
    subprocess.run([sys.executable, *map(str, words)], check=True, timeout=120)
    assert again.read_text("utf-8") == readme.read_text("utf-8"), "scripts/bench_report.py --readme was not run"


def test_files(report: Report, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert report("--markdown", "page.md", "--chart", "chart.png") == ""
    assert (tmp_path / "page.md").read_text(encoding="utf-8").startswith("# Benchmark results\n")
    chart = (tmp_path / "chart.png").read_bytes()
    assert chart.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", chart[16:24])
    assert width == 1500
    assert 200 < height < 800
