"""Every ratio that the project promises, measured in turns: ``python -m benchmarks.ratios [--slow] [--json FILE]``."""

import argparse
import functools
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pokernel

from .deal import Dealer, Hands, output
from .equity_groups import ROUNDS as EQUITY_ROUNDS
from .equity_groups import SLOW as EQUITY_SLOW
from .equity_groups import equity_groups
from .file_groups import ROUNDS as FILE_ROUNDS
from .file_groups import SLOW as FILE_SLOW
from .file_groups import file_contenders
from .frame_groups import ROUNDS as FRAME_ROUNDS
from .frame_groups import frame_groups
from .interleaved import Contender, Group, Measured, measure
from .lines import LINES, Line
from .peers import PEERS, Work, phevaluator_ints, phevaluator_texts, single_ints
from .processes import compile_contenders, process_contenders
from .thread_groups import ROUNDS as THREAD_ROUNDS
from .thread_groups import thread_groups
from .yardsticks import SCALAR, best_of_21, count_nested, roofline, slot_table

__all__ = ["LINES", "SLOW", "Line", "Outcome", "main", "measure_group", "outcome"]

MANY, SINGLE = 1 << 21, 1 << 13
ROUNDS = {"processes": 15, "enumeration": 9, "compilation": 3, "6 cards": 101, "5 cards": 101}
ROUNDS |= THREAD_ROUNDS | EQUITY_ROUNDS | FILE_ROUNDS | FRAME_ROUNDS
USUAL_ROUNDS = 31
SLOW = (*EQUITY_SLOW, *FILE_SLOW)
"""To be asked for, and done without a round for warming up."""
WHOLE = {"processes": process_contenders, "compilation": compile_contenders}
WHOLE |= {group: functools.partial(file_contenders, group) for group in FILE_ROUNDS}
"""Groups of whole processes, which need a folder."""


def _evaluate(validate: bool = True) -> Contender:
    def prepare(hands: Hands) -> Work:
        out = output(len(hands))
        return lambda: pokernel.evaluate(hands, out=out, validate=validate, threads=1)

    return Contender(prepare)


def _transposed(hands: Hands) -> Work:
    given, out = np.ascontiguousarray(hands.T).T, output(len(hands))
    return lambda: pokernel.evaluate(given, out=out, threads=1)


def _columns(hands: Hands) -> Work:
    given, out = list(map(np.ascontiguousarray, hands.T)), output(len(hands))
    return lambda: pokernel.evaluate_columns(*given, out=out, threads=1)


def _loop(fill: Callable[..., None], *tables: Any, hands: int | None = None) -> Contender:
    def prepare(hands: Hands) -> Work:
        out = output(len(hands))
        return lambda: fill(hands, *tables, out)

    return Contender(prepare, hands)


def _one_by_one(form: Callable[[Hands], list[Any]]) -> Contender:
    def prepare(hands: Hands) -> Work:
        given, evaluate = form(hands), pokernel.evaluate
        return lambda: list(map(evaluate, given))

    return Contender(prepare)


def _peer(name: str) -> Contender:
    return Contender(PEERS[name].prepare, PEERS[name].hands)


def _texts(hands: Hands) -> list[str]:
    texts: list[str] = pokernel.format_hands(hands).tolist()
    return texts


def _groups() -> dict[str, Group]:
    """By name: what deals a round's hands, and who evaluates them."""
    checked, scalar = "pokernel", "scalar kernel, unvalidated"
    groups: dict[str, Group] = {
        f"{k} cards": (Dealer(MANY, k), {checked: _evaluate(), scalar: _loop(SCALAR[k])}) for k in (5, 6, 7)
    }
    groups["7 cards"][1].update(
        {
            "unvalidated": _evaluate(validate=False),
            "transposed": Contender(_transposed),
            "columns": Contender(_columns),
            "roofline": _loop(roofline, slot_table()),
            "best of 21": _loop(best_of_21, hands=1 << 18),
            "pkrbot": _peer("pkrbot"),
            "OMPEval": _peer("OMPEval"),
        }
    )
    for form, ours, theirs in (("ints", single_ints, phevaluator_ints), ("texts", _texts, phevaluator_texts)):
        calls = ("evaluate_cards", "evaluate_7cards")
        peers = {call: Contender(functools.partial(theirs, call=call)) for call in calls}
        groups[form] = Dealer(SINGLE), {checked: _one_by_one(ours), **peers}
    groups["enumeration"] = (
        Dealer(1),
        {
            checked: Contender(lambda _: pokernel.enumerate_strengths),
            "nested loops": Contender(lambda _: functools.partial(count_nested, np.zeros(7463, np.int64))),
        },
    )
    return groups | thread_groups() | equity_groups() | frame_groups()


@functools.cache
def measure_group(group: str) -> Measured:
    """Measure a group's contenders, once a process."""
    rounds = ROUNDS.get(group, USUAL_ROUNDS)
    if group in WHOLE:
        with WHOLE[group]() as contenders:
            return measure(contenders, Dealer(1), rounds, warm_up=group not in FILE_ROUNDS)
    fresh, contenders = _groups()[group]
    return measure(contenders, fresh, rounds, warm_up=group not in SLOW)


@dataclass(frozen=True)
class Outcome:
    """A line as measured: the median over rounds of the rounds' ratios, and the quartiles."""

    line: str
    issue: int
    ratio: float | None
    quartiles: tuple[float, float] | None
    wanted: float | None
    at_most: bool
    met: bool | None
    """None where nothing is wanted, or nothing could be measured."""
    rounds: int
    note: str = ""
    unit: str = ""


def outcome(line: Line) -> Outcome:
    """Measure a line, with its group."""
    found = measure_group(line.group)
    absent = [name for name in (line.ours, line.other) if name and name not in found.seconds]
    if absent:
        note = f"{absent[0]} is missing: {found.missing.get(absent[0], 'not on this machine')}"
        return Outcome(line.what, line.issue, None, None, line.wanted, line.at_most, None, 0, note, line.unit)
    values = _values(line, found)
    low, ratio, high = map(float, np.quantile(values, (0.25, 0.5, 0.75)))
    met = None
    if line.wanted is not None:
        met = ratio <= line.wanted if line.at_most else ratio >= line.wanted
    quartiles = low, high
    return Outcome(line.what, line.issue, ratio, quartiles, line.wanted, line.at_most, met, len(values), unit=line.unit)


def _values(line: Line, found: Measured) -> NDArray[np.float64]:
    """What counts, round by round, in the line's unit."""
    ours = found.seconds[line.ours]
    if line.unit == "MB":
        return found.peaks[line.ours]
    if line.unit == "M/s":
        return 1e-6 / ours
    other = found.seconds[line.other]
    if line.unit == "s":
        return ours - other
    return ours / other if line.at_most else other / ours


def _table(outcomes: Sequence[Outcome]) -> str:
    rows = ["| issue | line | ratio | quartiles | wanted | met |", "| ---: | --- | ---: | ---: | ---: | --- |"]
    for o in outcomes:
        unit = f" {o.unit}" if o.unit else ""
        ratio = f"{o.ratio:.3g}{unit}" if o.ratio is not None else "–"
        quartiles = f"{o.quartiles[0]:.3g} … {o.quartiles[1]:.3g}" if o.quartiles else "–"
        met = {True: "yes", False: "NO", None: o.note}[o.met]
        wanted = f"{'≤' if o.at_most else '≥'} {o.wanted:g}{unit}" if o.wanted is not None else "–"
        rows.append(f"| {o.issue} | {o.line} | {ratio} | {quartiles} | {wanted} | {met} |")
    return "\n".join(rows)


def _medians(by_name: dict[str, NDArray[np.float64]]) -> list[tuple[str, float]]:
    return [(name, float(np.median(values))) for name, values in by_name.items()]


def _load() -> float:
    """Processes that want a processor, of late; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit status tells whether every promise that could be measured is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratios", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there, too")
    known = list(dict.fromkeys(line.group for line in LINES))
    parser.add_argument("--only", nargs="+", metavar="GROUP", choices=known, help="; ".join(known))
    parser.add_argument("--slow", action="store_true", help="what takes minutes, too, in one round")
    options = parser.parse_args(arguments)
    lines = [line for line in LINES if line.group in (options.only or known)]
    if not (options.slow or options.only):
        lines = [line for line in lines if line.group not in SLOW]
    load = [_load()]
    outcomes = list(map(outcome, lines))
    load.append(_load())
    print(_table(outcomes))
    print(f"\nload average before and after: {load[0]:.2f}, {load[1]:.2f}")
    measured = {group: measure_group(group) for group in dict.fromkeys(line.group for line in lines)}
    rates = {group: {name: 1 / rate for name, rate in _medians(of.seconds)} for group, of in measured.items()}
    peaks = {group: dict(_medians(of.peaks)) for group, of in measured.items() if of.peaks}
    for what, by_group in (("per second", rates), ("MB", peaks)):
        for group, by_name in by_group.items():
            print(f"\n{group}, {what}: " + ", ".join(f"{name} {number:.3g}" for name, number in by_name.items()))
    if options.json:
        found = {"load": load, "lines": list(map(asdict, outcomes)), "rates": rates, "peaks": peaks}
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return int(any(o.met is False for o in outcomes))


if __name__ == "__main__":
    sys.exit(main())
