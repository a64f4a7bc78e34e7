"""What the project promises: who is how many times as fast as whom. `benchmarks.ratios` measures it."""

from dataclasses import dataclass
from typing import Literal

from .file_groups import COMMAND, CSV, FOLDER, PARQUET, PARQUET_100M, REWRITE
from .frame_groups import FRAMES, TEXTS
from .processes import BARE, COLD, IMPORT, ROWS, TEXT, TRIVIAL, WARM
from .thread_groups import ALONE, THREADS, TOGETHER, WORKS

__all__ = ["LINES", "Line"]


@dataclass(frozen=True)
class Line:
    """A promise: how many times faster `ours` is than `other`, or, at most, how many times as long it takes.

    Or a number with a unit: seconds (``s``) that it takes longer than `other`; and, of `ours` alone, its peak memory in
    megabytes (``MB``), or the hands that it does in a second, in millions (``M/s``).
    """

    what: str
    issue: int
    group: str
    ours: str
    other: str = ""
    wanted: float | None = None
    """None for what is only there to read the others by."""
    at_most: bool = False
    unit: Literal["", "s", "MB", "M/s"] = ""


LINES = (
    Line("7 cards, validated, over pkrbot", 2, "7 cards", "pokernel", "pkrbot", 25),
    Line("7 cards, validated, over a loop of 21 subsets", 2, "7 cards", "pokernel", "best of 21", 10),
    Line("time validated / unvalidated", 2, "7 cards", "pokernel", "unvalidated", 1.5, at_most=True),
    Line("7 cards, validated, over the scalar kernel", 3, "7 cards", "pokernel", "scalar kernel, unvalidated", 1.5),
    Line("7 cards, validated, over pkrbot", 3, "7 cards", "pokernel", "pkrbot", 60),
    Line("7 cards, validated, over OMPEval", 3, "7 cards", "pokernel", "OMPEval", 2.5),
    Line("time validated / unvalidated", 3, "7 cards", "pokernel", "unvalidated", 1.15, at_most=True),
    Line("6 cards, validated, over the scalar kernel", 3, "6 cards", "pokernel", "scalar kernel, unvalidated", 1.4),
    Line("5 cards, validated, over the scalar kernel", 3, "5 cards", "pokernel", "scalar kernel, unvalidated", 1.3),
    Line("two threads over one", 3, THREADS, TOGETHER.format("hands"), ALONE.format("hands"), 1.8),
    *(
        Line(f"({what}: two threads over one)", 3, THREADS, TOGETHER.format(work), ALONE.format(work))
        for what, work in (("arithmetic", "arithmetic"), ("the scalar kernel in first-level caches", "in cache"))
    ),
    Line("C(52,7) histogram over nested loops", 3, "enumeration", "pokernel", "nested loops", 2),
    Line("7 cards, validated, over the roofline", 3, "7 cards", "pokernel", "roofline", 0.35),
    Line("transposed columns over rows", 3, "7 cards", "transposed", "pokernel", 0.7),
    Line("evaluate_columns over rows", 3, "7 cards", "columns", "pokernel", 0.7),
    Line("one text hand over phevaluator.evaluate_cards", 3, "texts", "pokernel", "evaluate_cards", 1),
    Line("one text hand over phevaluator.evaluate_7cards", 3, "texts", "pokernel", "evaluate_7cards", 1),
    Line("one int hand over phevaluator.evaluate_cards", 3, "ints", "pokernel", "evaluate_cards", 1),
    Line("(one int hand over phevaluator.evaluate_7cards)", 3, "ints", "pokernel", "evaluate_7cards"),
    Line("time import pokernel / import numpy", 2, "processes", IMPORT, BARE, 1.3, at_most=True),
    Line("time first text hand / import numpy", 3, "processes", TEXT, BARE, 1.5, at_most=True),
    Line("time first array, warm cache / trivial numba", 3, "processes", ROWS, TRIVIAL, 1.3, at_most=True),
    Line("seconds to compile for the first seven-card array", 3, "compilation", COLD, WARM, 4, True, "s"),
    *(
        Line(f"AsKs v QhQd, exact, {how}, over {other}", 4, "AsKs v QhQd", ours, other + dead, wanted)
        for how, ours, other, dead, wanted in (
            ("no table", "pokernel", "OMPEval", "", 1),
            ("no table", "pokernel", "xiapl", "", 10),
            ("2c dead", "pokernel, 2c dead", "OMPEval", ", 2c dead", 1),
        )
    ),
    Line("(AsKs v QhQd, from the table, over OMPEval)", 4, "AsKs v QhQd", "pokernel, table", "OMPEval"),
    Line("AsAh v random, exact, no table, over OMPEval", 4, "AsAh v random", "pokernel", "OMPEval", 3),
    Line("AsAh v random, exact, 2c dead, over OMPEval", 4, "AsAh v random, 2c dead", "pokernel", "OMPEval", 3),
    Line("random v random, exact, no table, over OMPEval", 4, "random v random", "pokernel", "OMPEval", 50),
    Line("20 % v 15 % on Ah7d2s, exact, over OMPEval", 4, "ranges on a flop", "pokernel", "OMPEval", 20),
    Line("(20 % v 15 % on Ah7d2s, exact, over xiapl)", 4, "ranges on a flop", "pokernel", "xiapl"),
    Line("50 % v 42 % on Ah7d2s, exact, over OMPEval", 4, "wide ranges on a flop", "pokernel", "OMPEval", 20),
    Line("(50 % v 42 % on Ah7d2s, exact, over xiapl)", 4, "wide ranges on a flop", "pokernel", "xiapl"),
    *(
        Line(f"trials a second, {who}, over {other}", 4, f"trials, {who}", "pokernel", other, 1.5)
        for who, other in (
            ("two hands", "OMPEval"),
            ("two hands", "xiapl"),
            ("three hands", "OMPEval"),
            ("a hand, a range and random", "OMPEval"),
            ("two ranges and random", "OMPEval"),
        )
    ),
    *(
        Line(f"(trials a second, {who}, over {other})", 4, f"trials, {who}", "pokernel", other)
        for who, other in (("two ranges", "OMPEval"), ("two ranges", "xiapl"), ("three hands", "xiapl"))
    ),
    *(
        Line(f"{work}: two threads over one", 4, THREADS, TOGETHER.format(work), ALONE.format(work), 1.8)
        for work in WORKS
        if work != "hands"
    ),
    *(
        Line(what.format(other), 4, group, "pokernel", other)
        for what, group in (
            ("(exact equities of two hands, an array of flops, over {})", "flops"),
            ("(the same, a flop a question, over {})", "one flop"),
        )
        for other in ("OMPEval", "xiapl")
    ),
    Line("(showdown of six seats over evaluate and numpy)", 4, "showdown", "pokernel", "evaluate and numpy"),
    Line("(showdown of six seats over xiapl.eval.judge)", 4, "showdown", "pokernel", "xiapl.eval.judge"),
    *(
        Line(what, 5, group, COMMAND, REWRITE, wanted, at_most=True)
        for what, group, wanted in (
            ("(time pokernel score / pyarrow, Parquet, 10 M rows: a third of it is start-up)", PARQUET, None),
            ("time pokernel score / pyarrow, Parquet, 100 M rows", PARQUET_100M, 1.5),
            ("time pokernel score / pyarrow, CSV, 10 M rows", CSV, 1.3),
        )
    ),
    Line("(pokernel score, Parquet, a folder by two workers over one file)", 5, PARQUET, FOLDER, COMMAND),
    Line("peak memory of pokernel score, Parquet, 100 M rows", 5, PARQUET_100M, COMMAND, "", 400, True, "MB"),
    Line(
        "time polars, a struct of 7 columns / evaluate, default threads",
        5,
        FRAMES,
        "polars, a struct",
        "evaluate",
        1.3,
        True,
    ),
    *(
        Line(
            f"{begin}{who}, texts, default threads, over {call} of phevaluator{end}",
            5,
            TEXTS,
            who,
            f"{who}, {call} of phevaluator",
            wanted,
        )
        for who, call, wanted, begin, end in (
            ("polars", "map_elements", 100, "", ""),
            ("pandas", "apply", None, "(", ")"),
        )
    ),
    Line("DuckDB, sum(poker_strength(hand)), texts, one thread", 5, TEXTS, "DuckDB", "", 5, unit="M/s"),
    Line("(DuckDB, the same on two threads)", 5, TEXTS, "DuckDB, two threads", "", unit="M/s"),
    Line("frames.arrow.strengths, 7-card texts, one thread", 5, TEXTS, "Arrow", "", 20, unit="M/s"),
    Line("(frames.arrow.strengths over pyarrow's utf8_lower of the same texts)", 5, TEXTS, "Arrow", "utf8_lower"),
)
