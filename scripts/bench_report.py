"""Turn the results of ``benchmarks/`` into a Markdown page, a bar chart and the tables of the README.

python scripts/bench_report.py RESULTS.json [--ratios RATIOS.json] [--markdown FILE] [--chart FILE] [--readme FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLORS = {"pokernel": "#1b7f5c", "yardstick": "#9aa3ad", "peer": "#d08c3f"}
ODDS = "odds"
GROUPS = ("arrays", "one hand a call", "peers", "other work", ODDS)
HEADS = (
    *("work", "by", "cards", "dtype", "layout", "validated", "threads", "hands a round"),
    *("hands/s", "× scalar", "of roofline", "checksum"),
)
README_HEADS = ("work", "by", "input", "validated", "threads", "hands/s", "× scalar", "of roofline")
ODDS_HEADS = ("work", "input", "threads", "a round", "median", "checksum")
README_ODDS_HEADS = ("work", "input", "threads", "median")
RIGHT = {"cards", "threads", "hands a round", "a round", "hands/s", "median", "× scalar", "of roofline", "checksum"}
BEGIN, END = "<!-- benchmarks:begin -->\n", "<!-- benchmarks:end -->"


@dataclass(frozen=True)
class Row:
    """A benchmark's label and its median rate."""

    group: str
    what: str
    by: str
    cards: int
    dtype: str
    layout: str
    validated: bool
    threads: int
    hands: int
    checksum: int
    rate: float
    """Hands a second, or whatever is counted."""
    times_scalar: float | None = None
    """Multiple of the scalar kernel's rate in the same rounds."""
    of_roofline: float | None = None
    unit: str = "hands"
    """What ``hands`` counts."""

    @property
    def speed(self) -> str:
        """With its unit: so long a question, so many of anything else a second."""
        if self.unit == "questions":
            return f"{1 / self.rate:.3g} s each" if self.rate <= 1 else f"{1e3 / self.rate:.3g} ms each"
        return f"{short_number(self.rate)} {self.unit}/s"

    @property
    def kind(self) -> str:
        """Who did it: a key of ``COLORS``."""
        return self.by if self.by in COLORS else "peer"

    @property
    def multiples(self) -> tuple[str, str]:
        """Times the scalar kernel, and the fraction of the roofline of what one thread does."""
        times = f"{self.times_scalar:.2g}" if self.times_scalar is not None else ""
        part = f"{self.of_roofline:.0%}" if self.threads == 1 and (self.of_roofline or 0) >= 0.01 else ""
        return times, part


def read_rows(results: dict[str, Any]) -> list[Row]:
    """Rows of a pytest-benchmark JSON, in the order of ``GROUPS``; benchmarks without a label are left out."""
    rows = []
    for benchmark in results["benchmarks"]:
        label = benchmark["extra_info"]
        if "hands" in label:
            rows.append(Row(benchmark["group"], rate=label["hands"] / benchmark["stats"]["median"], **label))
    order = {group: place for place, group in enumerate(GROUPS)}
    return sorted(rows, key=lambda row: order.get(row.group, len(order)))


def short_number(number: float) -> str:
    """Three digits and a prefix: ``365 M``."""
    for unit, prefix in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= unit:
            return f"{number / unit:.3g}{prefix}"
    return f"{number:.3g}"


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str]) -> str:
    """Return a Markdown table, the named columns right-aligned."""
    ruler = ["---:" if head in right else "---" for head in heads]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ruler, *rows))


def rates_table(rows: Sequence[Row]) -> str:
    """All rows; times scalar and fraction of the roofline where the rows' own rounds measured them."""
    cells = [
        [
            *(row.what, row.by, str(row.cards), row.dtype, row.layout, ("no", "yes")[row.validated]),
            *(str(row.threads), f"{row.hands:,}", short_number(row.rate), *row.multiples, f"{row.checksum:x}"),
        ]
        for row in rows
        if row.group != ODDS
    ]
    return markdown_table(HEADS, cells, RIGHT)


def odds_part(rows: Sequence[Row], heads: Sequence[str]) -> list[str]:
    """Equities, showdowns and pots, of which rows do not count hands; nothing if there are none."""
    cells = []
    for row in (row for row in rows if row.group == ODDS):
        amount = f"{row.hands:,} {row.unit if row.hands > 1 else row.unit[:-1]}"
        label = row.what, row.layout, str(row.threads), amount, row.speed, f"{row.checksum:x}"
        cells.append([label[ODDS_HEADS.index(head)] for head in heads])
    about = "Equities (the same question in every round), showdowns and pots (new deals); medians of five rounds:"
    return [about, markdown_table(heads, cells, RIGHT)] if cells else []


def ratios_table(lines: Sequence[dict[str, Any]]) -> str:
    """Promised ratios as ``benchmarks/ratios.py`` measured them; where one was raised, the last promise counts."""
    cells = []
    for line in _last_promises(lines):
        if line["ratio"] is None:
            cells.append([line["line"], "", "", _wanted(line), line["note"]])
            continue
        low, high = line["quartiles"]
        met = {True: "yes", False: "no", None: ""}[line["met"]]
        cells.append([line["line"], _found(line), f"{low:.3g} … {high:.3g}", _wanted(line), met])
    heads = ("ratio of", "median", "quartiles", "wanted", "met")
    return markdown_table(heads, cells, heads[1:4])


def _last_promises(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({line["line"]: line for line in lines}.values())


def _found(line: dict[str, Any]) -> str:
    return f"{line['ratio']:.3g} {line.get('unit', '')}".strip() if line["ratio"] is not None else line["note"]


def _wanted(line: dict[str, Any]) -> str:
    if line["wanted"] is None:
        return ""
    return f"{'≤' if line['at_most'] else '≥'} {line['wanted']:g} {line.get('unit', '')}".strip()


def page(results: dict[str, Any], ratios: dict[str, Any] | None) -> str:
    """Return the whole Markdown page."""
    rows = read_rows(results)
    parts = [
        "# Benchmark results",
        "Generated by `scripts/bench_report.py`; `benchmarks/README.md` says what is measured and how.",
        *_about(results),
    ]
    if ratios:
        load = " and ".join(f"{load:.1f}" for load in ratios["load"])
        parts += [
            "## Ratios",
            "Contenders in turns, round by round, on the same new hands; the median of the rounds' ratios. One"
            " thread unless the line says otherwise; whole processes have as many as they start.",
            f"Load average before and after: {load}. Medians mislead where others use the processors.",
            ratios_table(ratios["lines"]),
        ]
    parts += [
        "## Rates",
        "Medians, new hands in every round. Rounds of arrays and peers also timed the scalar kernel and the"
        " roofline: the multiples are medians over a row's own rounds. Rates of different rows were measured at"
        " different moments.",
        rates_table(rows),
        *odds_part(rows, ODDS_HEADS),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _about(results: dict[str, Any]) -> tuple[str, str]:
    """The machine and the day; the packages."""
    machine = results["machine_info"]
    cpu = machine.get("cpu", {})
    about = [cpu.get("brand_raw"), f"{cpu['count']} cores" if cpu.get("count") else None, machine.get("system")]
    packages = ", ".join(f"{name} {version}" for name, version in machine.get("packages", {}).items())
    return " · ".join([*filter(None, about), f"Python {machine['python_version']}", results["datetime"][:10]]), packages


def _is_main(row: Row) -> bool:
    """Whether a row is for the README: the usual ways to call us, the yardsticks of seven cards, the peers."""
    if row.by == "yardstick":
        return row.group == "arrays" and row.cards == 7
    if row.group == "arrays":
        return row.dtype == "uint8" and row.layout in ("rows (n, k)", "k columns (n,)")
    return row.cards == 7 and row.group != ODDS


def readme_block(results: dict[str, Any], ratios: dict[str, Any] | None) -> str:
    """Return what stands between the README's marks: the main rates, and the promised ratios."""
    cells, rows = [], read_rows(results)
    for row in filter(_is_main, rows):
        given = "" if row.dtype == "none" else f"{row.cards} cards, {row.dtype}, {row.layout}"
        label = [row.what, row.by, given, ("no", "yes")[row.validated], str(row.threads)]
        cells.append([*label, short_number(row.rate), *row.multiples])
    machine, packages = _about(results)
    parts = [
        "Fresh random hands in every round; medians. [benchmarks/README.md](benchmarks/README.md) says how,\n"
        "[results.md](benchmarks/results/results.md) has all rows and checksums, and there is a\n"
        "[chart](benchmarks/results/results.png). Multiples of the scalar kernel in a plain loop, and of a loop that\n"
        "only reads a row and a table entry (the roofline), come from a row's own rounds; rates of different rows\n"
        "come from different moments of a shared machine.",
        f"{machine} ·\n{packages}",
        markdown_table(README_HEADS, cells, RIGHT),
        *odds_part(rows, README_ODDS_HEADS),
    ]
    if ratios:
        lines = [[line["line"], _found(line), _wanted(line)] for line in _last_promises(ratios["lines"])]
        parts += [
            "Ratios of contenders that took turns on the same hands, round by round, medians:",
            markdown_table(("line", "ratio", "wanted"), lines, ("ratio", "wanted")),
        ]
    return "\n\n".join(parts) + "\n"


def with_block(text: str, block: str) -> str:
    """Return the text with the block between its marks; refuse one without them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"no {BEGIN.strip()} … {END} in this text")
    return before + begin + block + end + after


def _bar_label(row: Row) -> str:
    if row.kind == "peer":
        return f"{row.by} · {row.what}"
    if row.kind == "yardstick":
        return row.what
    layout = row.layout if row.group == "arrays" else f"one hand a call, {row.layout}"
    extras = [row.dtype] if row.group == "arrays" else []
    extras += [] if row.validated else ["unchecked"]
    extras += [f"{row.threads} threads"] if row.threads > 1 else []
    return " · ".join(["pokernel", layout, *extras])


def draw(rows: Sequence[Row], path: Path) -> None:
    """One bar for every way to evaluate seven cards, the fastest on top, on a logarithmic axis."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.patches import Patch

    shown = sorted((row for row in rows if row.cards == 7 and row.group in GROUPS[:3]), key=lambda row: row.rate)
    height = 0.27 * len(shown) + 1.3
    figure, axes = plt.subplots(figsize=(10, height), layout="constrained")
    rates = [row.rate for row in shown]
    bars = axes.barh(range(len(shown)), rates, color=[COLORS[row.kind] for row in shown], height=0.72)
    axes.bar_label(bars, [short_number(rate) for rate in rates], padding=4, fontsize=8.5, color="#333333")
    axes.set_yticks(range(len(shown)), [_bar_label(row) for row in shown], fontsize=8.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda rate, _: short_number(rate))
    axes.set_xlim(min(rates) / 3, max(rates) * 3)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlabel("seven-card hands a second (logarithmic)")
    axes.set_title("Random seven-card hands, new ones in every round", loc="left", fontsize=11)
    axes.grid(axis="x", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    legend = [Patch(color=color, label=kind) for kind, color in COLORS.items()]
    axes.legend(handles=legend, loc="lower right", framealpha=1, edgecolor="none", fontsize=9)
    figure.savefig(path, dpi=150, metadata={"Software": ""})
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, help="JSON of pytest-benchmark")
    parser.add_argument("--ratios", type=Path, metavar="FILE", help="JSON of benchmarks.ratios")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="where the page goes; standard output by default")
    parser.add_argument("--readme", type=Path, metavar="FILE", help=f"put the main tables between its {BEGIN.strip()}")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="where the bar chart goes, by default nowhere")
    options = parser.parse_args(arguments)
    results = json.loads(options.results.read_text(encoding="utf-8"))
    ratios = json.loads(options.ratios.read_text(encoding="utf-8")) if options.ratios else None
    text = page(results, ratios)
    if options.readme:
        there = options.readme.read_text(encoding="utf-8")
        options.readme.write_text(with_block(there, readme_block(results, ratios)), encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    elif not options.readme:
        print(text, end="")
    if options.chart:
        draw(read_rows(results), options.chart)
    return 0


if __name__ == "__main__":
    sys.exit(main())
