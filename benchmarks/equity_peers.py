"""Who answers questions of equity: pokernel in each of its ways, OMPEval and xiapl through their fastest public calls.

OMPEval comes compiled inside pokerfast. ``pokerfast.equity.equity`` answers exactly; ``equity_vs_random`` is no faster.
For trials the C call behind it is asked, because only that says how many there were; it looks at its error every fifth
of a second, and here it is content at the first look. It takes texts only; our ranges, and xiapl's masks, ranges and
options are built outside the timing. All are told to work on one thread.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pokernel

__all__ = ["Answer", "Ask", "Question", "by_ompeval", "by_pokernel", "by_xiapl"]


class Answer(NamedTuple):
    """What the first player can expect, and from how many trials; 0 if it is exact."""

    equity: float
    trials: float = 0


Ask = Callable[[], Answer]


@dataclass(frozen=True)
class Question:
    """Hands and ranges in a notation that all read."""

    players: tuple[str, ...]
    board: str = ""
    dead: str = ""

    @property
    def is_of_hands(self) -> bool:
        """Whether everybody's cards are known: ``AsKs``, not ``AKs``."""
        return all(len(player) == 4 and player[1] in "shdc" and player[3] in "shdc" for player in self.players)


def by_pokernel(
    question: Question, method: str, trials: int | None = None, threads: int = 1, seed: int | None = None
) -> Ask:
    """``pokernel.equity``."""
    players = list(map(pokernel.Range, question.players))

    def ask() -> Answer:
        result = pokernel.equity(
            players,
            question.board,
            question.dead,
            method=method,
            trials=trials,
            threads=threads,
            seed=seed,
        )
        return Answer(result.equity[0], _worth(result) if trials else 0)

    return ask


def _worth(result: pokernel.Equity) -> float:
    """Trials; where they are boards on which two whole ranges meet, the deals that would have the same error."""
    if all(isinstance(count, int) for count in result.counts.values()):
        return result.trials
    variance = result.win[0] + result.tie[0] / 4 - result.equity[0] ** 2
    return float(variance / result.standard_error[0] ** 2)


def by_ompeval(question: Question, sampled: bool = False) -> Ask:
    """``pokerfast.equity.equity``, or ``pf_equity``."""
    from pokerfast import equity

    if not equity.available():
        raise ImportError("pokerfast has no compiled OMPEval for this platform")
    if not sampled:
        return lambda: Answer(equity.equity(question.players, question.board, question.dead, exact=True, threads=1)[0])
    pf_equity, count = equity._load().pf_equity, len(question.players)
    texts = (ctypes.c_char_p * count)(*map(str.encode, question.players))
    cards = question.board.encode(), question.dead.encode()

    def ask() -> Answer:
        shares, hands = (ctypes.c_double * count)(), ctypes.c_uint64()
        exactly, error, threads, seconds = 0, 1e-3, 1, 0.0
        if pf_equity(texts, count, *cards, exactly, error, threads, seconds, shares, ctypes.byref(hands)):
            raise RuntimeError("OMPEval refuses the question")
        return Answer(shares[0], hands.value)

    return ask


def by_xiapl(question: Question, trials: int = 0) -> Ask:
    """``calculate_equity`` of hands; of two ranges ``calculate_range_equity``, of all their combos together.

    Asked for as many trials as hands have boards, it deals each board once instead, which is quicker: ask for fewer.
    """
    from xiapl.range import Range
    from xiapl.simulation import RangeEquityMode, SimulationOptions, calculate_equity, calculate_range_equity

    options = SimulationOptions.mc_random(trials) if trials else SimulationOptions.exact()
    options.threads = 1
    board = _mask(question.board)
    if question.is_of_hands:
        masks = list(map(_mask, question.players))

        def ask() -> Answer:
            result = calculate_equity(masks, board, options)
            if trials and result.exact:
                raise RuntimeError(f"xiapl counts instead of dealing {trials} times")
            return Answer(result.players[0].equity, trials and result.trials)

        return ask
    hero, villain = (Range.all() if player == "random" else Range.from_string(player) for player in question.players)

    def ask_ranges() -> Answer:
        result = calculate_range_equity(hero, villain, board, options, RangeEquityMode.AggregateOnly)
        return Answer(result.hero_aggregate_equity, trials and result.trials)

    return ask_ranges


def _mask(cards: str) -> int:
    from xiapl.card import Card
    from xiapl.utils import cards_to_mask

    mask: int = cards_to_mask([Card.from_string(cards[i : i + 2]) for i in range(0, len(cards), 2)])
    return mask
