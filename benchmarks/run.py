"""Everything that the results and the README's tables come from, in order: ``python -m benchmarks.run [--slow]``."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the ratios, then the rates; write the page, the chart and the README's tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--slow", action="store_true", help="ratios that take minutes, too")
    slow = ["--slow"] * parser.parse_args(arguments).slow
    ratios, rates = RESULTS / "ratios.json", RESULTS / "results.json"
    report = {
        "--ratios": ratios,
        "--markdown": RESULTS / "results.md",
        "--chart": RESULTS / "results.png",
        "--readme": ROOT / "README.md",
    }
    commands: list[list[object]] = [
        ["-m", "benchmarks.ratios", "--json", ratios, *slow],
        ["-m", "pytest", "-q", "benchmarks", "--benchmark-only", f"--benchmark-json={rates}"],
        ["scripts/bench_report.py", rates, *chain.from_iterable(report.items())],
    ]
    kept = True
    for command in commands:
        status = subprocess.run([sys.executable, *map(str, command)], cwd=ROOT).returncode
        if command is commands[0] and status == 1:
            kept = False  # a promise that is not kept is a result, too
        elif status:
            return status
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
