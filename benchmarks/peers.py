"""Other evaluators from the ``[bench]`` extra, each through the fastest of its public calls.

A peer's ``prepare`` turns seven-card hands into whatever the peer wants, outside the timing, and gives the work that is
timed: a loop of calls driven from C (``map``), or one call for all. What several calls took here per hand: phevaluator
``evaluate_7cards`` 0.7 µs, ``evaluate_cards`` 0.9 µs; pkrbot ``evaluate_raw`` 0.12 µs, ``evaluate`` of ``Card`` lists
0.14 µs, of two lists 0.17 µs; treys all cards in one list 10 µs, hole and board apart 17 µs; pokerkit the best of 21
``StandardLookup.get_entry`` 60 µs, ``StandardHighHand.from_game`` 245 µs.
"""

import ctypes
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, repeat, starmap
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokernel import format_card

from .deal import Hands, output

__all__ = ["NAMES", "PEERS", "Peer", "Work", "phevaluator_ints", "phevaluator_texts", "single_ints"]

Work = Callable[[], Any]
NAMES = [format_card(card) for card in range(52)]


@dataclass(frozen=True)
class Peer:
    """An evaluator of seven-card hands."""

    name: str
    distribution: str
    call: str
    hands: int
    """As many as take a few hundredths of a second."""
    prepare: Callable[[Hands], Work]
    """Raises ImportError if the peer is not there."""
    higher_is_stronger: bool = True
    dtype: str = "objects"
    number: Callable[[Any], int] = int
    """What of a result compares as hands do."""

    def order(self, results: Sequence[Any]) -> NDArray[np.int64]:
        """Integers, higher for stronger hands, from what the work returned."""
        numbers = np.array(list(map(self.number, results)), np.int64)
        return numbers if self.higher_is_stronger else -numbers


def single_ints(hands: Hands) -> list[tuple[int, ...]]:
    """Hands as tuples of Python ints."""
    return list(map(tuple, hands.tolist()))


def _of_cards(hands: Hands, cards: Sequence[Any], collect: Callable[[Any], Any]) -> list[Any]:
    return [collect(map(cards.__getitem__, hand)) for hand in hands.tolist()]


def phevaluator_ints(hands: Hands, call: str = "evaluate_7cards") -> Work:
    """phevaluator from ints, the same as ours."""
    import phevaluator

    given, evaluate = single_ints(hands), getattr(phevaluator, call)
    return lambda: list(starmap(evaluate, given))


def phevaluator_texts(hands: Hands, call: str = "evaluate_7cards") -> Work:
    """phevaluator from texts: it takes one a card, cut outside the timing."""
    import phevaluator

    given, evaluate = _of_cards(hands, NAMES, tuple), getattr(phevaluator, call)
    return lambda: list(starmap(evaluate, given))


def _eval7(hands: Hands) -> Work:
    with warnings.catch_warnings():  # its parser of ranges uses names that pyparsing gives up
        warnings.simplefilter("ignore")
        import eval7

    given = _of_cards(hands, [eval7.Card(name) for name in NAMES], tuple)
    return lambda: list(map(eval7.evaluate, given))


def _treys(hands: Hands) -> Work:
    import treys

    given = _of_cards(hands, [treys.Card.new(name) for name in NAMES], list)
    evaluate = treys.Evaluator().evaluate
    return lambda: list(map(evaluate, given, repeat([])))


def _pkrbot(hands: Hands) -> Work:
    import pkrbot

    ranks, suits = (list(map(bytes, part.tolist())) for part in (hands >> 2, hands & 3))
    return lambda: list(map(pkrbot.evaluate_raw, ranks, suits, repeat(7)))


def _pokerkit(hands: Hands) -> Work:
    import pokerkit

    given = _of_cards(hands, [next(iter(pokerkit.Card.parse(name))) for name in NAMES], tuple)
    get_entry = pokerkit.StandardLookup().get_entry
    return lambda: [max(map(get_entry, combinations(hand, 5))) for hand in given]


def _pokerfast(hands: Hands) -> Work:
    import pokerfast

    given = _of_cards(hands, NAMES, tuple)
    return lambda: list(map(pokerfast.eval7, given))


def _ompeval(hands: Hands) -> Work:
    """The compiled batch call behind ``pokerfast.equity.evaluate``, without that function's Python loop over cards."""
    from pokerfast import equity

    if not equity.available():
        raise ImportError("pokerfast has no compiled OMPEval for this platform")
    evaluate = equity._load().pf_evaluate
    cards = (hands & 0xFC) | np.array([2, 3, 1, 0], np.uint8)[hands & 3]  # its suits are s h c d
    out = output(len(hands))
    arguments = (
        cards.ctypes.data_as(ctypes.c_char_p),
        *(len(hands), hands.shape[1]),
        out.ctypes.data_as(ctypes.POINTER(ctypes.c_uint16)),
    )

    def work() -> NDArray[np.uint16]:
        if evaluate(*arguments):
            raise RuntimeError("OMPEval refuses the hands")
        return out

    work.keep = cards  # type: ignore[attr-defined]  # the arguments are bare addresses
    return work


PEERS = {
    peer.name: peer
    for peer in (
        Peer("OMPEval", "pokerfast", "pf_evaluate(cards, n, 7, out)", 1 << 20, _ompeval, dtype="uint8"),
        Peer("pkrbot", "pkrbot", "evaluate_raw(ranks, suits, 7)", 1 << 17, _pkrbot, dtype="bytes"),
        Peer("eval7", "eval7", "evaluate(cards)", 1 << 15, _eval7),
        Peer("phevaluator", "phevaluator", "evaluate_7cards(*ints)", 1 << 15, phevaluator_ints, False, "int"),
        Peer("pokerfast", "pokerfast", "eval7(texts)", 1 << 13, _pokerfast, dtype="text"),
        Peer("treys", "treys", "Evaluator.evaluate(cards, [])", 1 << 12, _treys, False, "int"),
        Peer(
            "pokerkit",
            "pokerkit",
            "StandardLookup.get_entry, best of 21",
            1 << 9,
            _pokerkit,
            number=attrgetter("index"),
        ),
    )
}
