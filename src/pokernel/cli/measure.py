"""``pokernel bench``: an honest table for this machine, in about twenty seconds."""

import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, TypeAlias

import numpy as np
import typer
from numpy.typing import NDArray

from .. import __version__
from ..cards import format_cards
from ..threads import cores as available
from .terminal import print_table, progress_bar

__all__ = ["Measurement", "measure", "random_hands"]

HANDS = 2_000_000  # 14 MB of seven-card hands and 4 MB of strengths: more than most second-level caches hold
SINGLES = 20_000
ROUNDS = 5

Label: TypeAlias = tuple[str, str, bool, int]  # the first four attributes of a Measurement


@dataclass(frozen=True, slots=True)
class Measurement:
    """
    One row of the table.

    Attributes
    ----------
    work : str
        What is measured.
    input : str
        Type and shape.
    validated : bool
        Whether the cards were checked.
    threads : int
    rate : float
        Hands a second, median of the rounds.
    checksum : int
        Sum of the answers of all rounds, so that no work can be left undone.
    """

    work: str
    input: str
    validated: bool
    threads: int
    rate: float
    checksum: int


def random_hands(rng: np.random.Generator, hands: int, cards: int) -> NDArray[np.uint8]:
    """
    Deal hands, each uniform among all of its size, each card order equally likely.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of randomness.
    hands, cards : int
        The shape.

    Returns
    -------
    uint8 (hands, cards)
        Cards 0 … 51, distinct in each row.
    """
    # Rows with a repeated card are thrown away, which leaves the others uniform.
    parts: list[NDArray[np.uint8]] = []
    missing = hands
    while missing > 0:
        drawn = rng.integers(0, 52, (missing * 2 + 64, cards), np.uint8)
        masks = np.zeros(len(drawn), np.uint64)
        for column in drawn.T:
            masks |= np.uint64(1) << column.astype(np.uint64)
        good = drawn[np.bitwise_count(masks) == cards][:missing]
        parts.append(good)
        missing -= len(good)
    return np.concatenate(parts)


def measure(as_json: bool = False, hands: int = HANDS, singles: int = SINGLES, rounds: int = ROUNDS) -> None:
    """
    Measure and print.

    Parameters
    ----------
    as_json : bool
        Whether to print a JSON object.
    hands : int
        Hands in an array.
    singles : int
        Hands scored one by one.
    rounds : int
        Rounds, each with fresh hands; medians are printed.
    """
    cores = available()
    with progress_bar("bench") as advance:
        rows = _measured(hands, singles, rounds, cores, advance)
    about = {
        "pokernel": __version__,
        "numpy": np.__version__,
        "numba": version("numba"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {cores} core{'s' * (cores != 1)}",
    }
    if as_json:
        document = {**about, "rounds": rounds, "statistic": "median", "rows": list(map(asdict, rows))}
        typer.echo(json.dumps(document, indent=2))
        return
    typer.echo(" · ".join(f"{name} {value}" if name != "machine" else value for name, value in about.items()))
    heads = ["work", "input", "validated", "threads", "hands/s", "checksum"]
    cells = [
        [row.work, row.input, ("no", "yes")[row.validated], str(row.threads), _rate(row.rate), f"{row.checksum:x}"]
        for row in rows
    ]
    print_table(heads, cells, right=["threads", "hands/s", "checksum"])
    typer.echo(f"Median of {rounds} rounds, each with fresh, uniformly random hands.")


def _measured(
    hands: int, singles: int, rounds: int, cores: int, advance: Callable[[float | None, str], None]
) -> list[Measurement]:
    from .. import best_five, evaluate

    rng = np.random.default_rng()
    rates: dict[Label, list[float]] = {}
    sums: dict[Label, int] = {}

    def once(row: Label, count: int, work: Callable[[], Any]) -> None:
        started = time.perf_counter()
        answer = work()
        elapsed = time.perf_counter() - started
        rates.setdefault(row, []).append(count / elapsed)
        sums[row] = sums.get(row, 0) + int(np.sum(answer, dtype=np.int64))

    for turn in range(-1, rounds):
        # The turn before the first compiles the kernels and wakes the threads.
        if turn == 0:
            rates.clear()
            sums.clear()
        few = 10_000 if turn < 0 else hands
        for size in (5, 6, 7):
            cards = random_hands(rng, few, size)
            shape = f"uint8 (n, {size})"
            for validate in (True, False):
                for threads in dict.fromkeys((1, cores)):
                    row = (f"evaluate, {size} cards", shape, validate, threads)
                    once(row, few, lambda c=cards, v=validate, t=threads: evaluate(c, validate=v, threads=t))  # type: ignore[misc]
        once(("best_five, 7 cards", "uint8 (n, 7)", True, 1), few, lambda c=cards: best_five(c))  # type: ignore[misc]
        ones = random_hands(rng, singles, 7).tolist()
        texts = [format_cards(hand) for hand in ones]
        tuples = [tuple(hand) for hand in ones]
        once(("one hand a call", "text", True, 1), singles, lambda t=texts: [evaluate(hand) for hand in t])  # type: ignore[misc]
        once(("one hand a call", "tuple of ints", True, 1), singles, lambda t=tuples: [evaluate(hand) for hand in t])  # type: ignore[misc]
        advance((turn + 2) / (rounds + 1), f"round {max(turn + 1, 0)} of {rounds}")
    return [Measurement(*row, statistics.median(taken), sums[row]) for row, taken in rates.items()]


def _rate(rate: float) -> str:
    """Return a rate with three digits."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= unit:
            scaled = rate / unit
            return f"{scaled:.{2 - (scaled >= 10) - (scaled >= 100)}f} {name}"
    return f"{rate:.0f}"
