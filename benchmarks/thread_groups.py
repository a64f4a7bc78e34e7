"""What two threads are worth: 2**25 hands, all else that takes longer than 0.1 s on one, and arithmetic.

One group, so that all of it is measured in the same rounds: what processors do apart from this changes within minutes.
"""

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import pokernel
from pokernel.threads import cores, run

from .controls import arithmetic, scalar_in_cache
from .deal import Dealer, Hands, output
from .equity_groups import AA, ANY, DEALT, FLOPPED, SIX, chips_of, flopped, seated
from .equity_peers import Question, by_pokernel
from .interleaved import Contender, Group
from .peers import Work

__all__ = ["ALONE", "CONTROLS", "ROUNDS", "THREADS", "TOGETHER", "WORKS", "thread_groups"]

THREADS = "threads"
ALONE, TOGETHER = "{}, one thread", "{}, two threads"
"""Names of contenders."""
ROUNDS = {THREADS: 61}


def _evaluate(threads: int) -> Contender:
    def prepare(hands: Hands) -> Work:
        out = output(len(hands))
        return lambda: pokernel.evaluate(hands, out=out, threads=threads)

    return Contender(prepare)


def _asked(question: Question, method: str, trials: int | None = None) -> Callable[[int], Contender]:
    def contender(threads: int) -> Contender:
        return Contender(lambda _: by_pokernel(question, method, trials, threads), counted=lambda _: 1)

    return contender


def _dealt(deals: int, prepared: Callable[[Hands, int], Work], cards: int = SIX) -> Callable[[int], Contender]:
    """Of so many deals of its own, the same for one thread and for two."""

    def contender(threads: int) -> Contender:
        deal = Dealer(deals, cards)
        return Contender(lambda _: prepared(deal(), threads), counted=lambda _: deals)

    return contender


def _equities(deals: Hands, threads: int) -> Work:
    given = flopped(deals)
    return lambda: pokernel.equities(*given, threads=threads)


def _showdown(deals: Hands, threads: int) -> Work:
    given = seated(deals)
    return lambda: pokernel.showdown(*given, threads=threads)


def _settle(deals: Hands, threads: int) -> Work:
    given = chips_of(deals)
    return lambda: pokernel.settle(*given, threads=threads)


def _settle_by_pot(deals: Hands, threads: int) -> Work:
    given = chips_of(deals)
    return lambda: pokernel.settle(*given, by_pot=True, threads=threads)


WORKS: dict[str, Callable[[int], Contender]] = {
    "hands": _evaluate,
    "AsAh v random": _asked(AA, "match-ups"),
    "random v random": _asked(ANY, "sweep"),
    "trials, two hands": _asked(DEALT["two hands"], "monte-carlo", 12_000_000),
    "trials, two ranges and random": _asked(DEALT["two ranges and random"], "monte-carlo", 6_000_000),
    "equities of flops": _dealt(1 << 17, _equities, FLOPPED),
    "showdown": _dealt(1 << 23, _showdown),
    "settle": _dealt(1 << 22, _settle),
    "settle, by_pot=True": _dealt(1 << 20, _settle_by_pot),
}
"""By name, on so many threads; results of showdowns and pots are new memory."""
CONTROLS: dict[str, Callable[[int], Contender]] = {"arithmetic": arithmetic, "in cache": scalar_in_cache}


def _touch_memory() -> None:
    """Have the system own memory for a call's results, which it hands out in the timed work.

    The host of a virtual machine may take back what lay free for two seconds; to get it again takes ten times as long
    as to get what the system still has. Two threads touch some: where one did, the other got what the host had taken.
    """
    together = threading.Barrier(2)

    def touch(_: int) -> None:
        together.wait(10)
        memory = np.ones(1 << 29, np.uint8)
        together.wait(10)
        del memory

    run(touch, 2, 2)


def thread_groups() -> dict[str, Group]:
    """Everything on one thread and on two; nothing where there is one processor."""
    contenders: dict[str, Contender] = {}
    for what, work in (WORKS | CONTROLS).items() if cores() > 1 else ():
        for threads, name in ((1, ALONE), (2, TOGETHER)):
            contenders[name.format(what)] = replace(work(threads), before=_touch_memory)
    return {THREADS: (Dealer(1 << 25), contenders)}
