"""Groups of `benchmarks.ratios` that ask for equities and show hands down."""

from collections.abc import Callable
from typing import Any

import numpy as np

import pokernel

from .deal import Dealer, Hands
from .equity_peers import Answer, Ask, Question, by_ompeval, by_pokernel, by_xiapl
from .interleaved import Contender, Group
from .peers import Work

__all__ = [
    "AA",
    "AK",
    "ANY",
    "DEALT",
    "FLOP",
    "ROUNDS",
    "SIX",
    "SLOW",
    "WIDE_FLOP",
    "chips_of",
    "equity_groups",
    "seated",
]

AK, AA = Question(("AsKs", "QhQd")), Question(("AsAh", "random"))
AK_DEAD, AA_DEAD = Question(AK.players, dead="2c"), Question(AA.players, dead="2c")
ANY = Question(("random", "random"))
FIFTH = "22+,A2s+,K9s+,Q9s+,J9s+,T9s,98s,87s,76s,65s,ATo+,KJo+,QJo"
"""20 % of all combos."""
SEVENTH = "22+,A7s+,A5s,KTs+,QTs+,JTs,T9s,98s,87s,76s,AJo+,KQo"
"""15 %."""
HALF = "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K5o+,Q8o+,J8o+,T8o+,98o"
TWO_FIFTHS = "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,A2o+,K7o+,Q9o+,J9o+,T9o"
FLOP, WIDE_FLOP = Question((FIFTH, SEVENTH), "Ah7d2s"), Question((HALF, TWO_FIFTHS), "Ah7d2s")
DEALT = {
    "two hands": AK,
    "two ranges": Question((FIFTH, SEVENTH)),
    "three hands": Question((*AK.players, "JcTc")),
    "a hand, a range and random": Question(("AsKs", "QQ+,AKs", "random")),
    "two ranges and random": Question((FIFTH, SEVENTH, "random")),
}
"""For trials."""
SIX = 17
"""Cards of a board and six seats."""
FLOPPED = 7
"""Cards of a flop and two hands."""
ONE_FLOP = Question(AK.players, "2c7d9h")

ROUNDS = {
    "AsKs v QhQd": 21,
    "AsAh v random": 5,
    "AsAh v random, 2c dead": 3,
    "random v random": 1,
    "ranges on a flop": 11,
    "wide ranges on a flop": 5,
    "showdown": 11,
    "flops": 11,
    "one flop": 21,
} | {f"trials, {name}": 7 for name in DEALT}
SLOW = ("AsAh v random, 2c dead", "random v random")
"""Minutes of pokerfast: to be asked for, and done without a round for warming up."""


def _exact(who: Callable[..., Ask], *arguments: Any, times: int = 1, warm: bool = False) -> Contender:
    """Asks the same so many times in a round; `warm`: once before it, too."""

    def prepare(_: Hands) -> Work:
        ask = who(*arguments)
        if warm:
            ask()

        def work() -> Answer:
            for _ in range(times - 1):
                ask()
            return ask()

        return work

    return Contender(prepare, counted=lambda _: times)


def _trials(who: Callable[..., Ask], *arguments: Any) -> Contender:
    return Contender(lambda _: who(*arguments), counted=lambda answer: answer.trials)


def seated(deals: Hands) -> tuple[Hands, Hands]:
    """Boards, and two cards for each seat, of dealt rows."""
    return deals[:, :5].copy(), deals[:, 5:].reshape(len(deals), -1, 2).copy()


def chips_of(deals: Hands) -> tuple[Any, Any, Any]:
    """What `settle` takes: up to 200 chips a seat, strengths, and some two seats in three live."""
    rng = np.random.default_rng(deals[0])
    holes = seated(deals)[1]
    shape = holes.shape[:-1]
    live = rng.random(shape) < 2 / 3
    live[:, 0] |= ~live.any(axis=1)
    return rng.integers(1, 201, shape), pokernel.showdown(*seated(deals)).strengths, live


def _showdown(deals: Hands) -> Work:
    given = seated(deals)
    return lambda: pokernel.showdown(*given, threads=1)


def _by_evaluate(deals: Hands) -> Work:
    """The same in numpy around the evaluator."""
    boards, holes = seated(deals)

    def work() -> Any:
        strengths = pokernel.evaluate(holes, boards[:, np.newaxis], threads=1)
        return strengths == strengths.max(axis=1, keepdims=True)

    return work


def _by_judge(deals: Hands) -> Work:
    """One deal a call, of masks."""
    from xiapl.card import Card
    from xiapl.eval import judge
    from xiapl.utils import cards_to_mask

    masks = np.array([cards_to_mask([Card.from_string(pokernel.format_card(card))]) for card in range(52)], np.uint64)
    boards, holes = (masks[cards].sum(axis=-1, dtype=np.uint64).tolist() for cards in seated(deals))
    return lambda: list(map(judge, holes, boards))


def flopped(deals: Hands) -> tuple[Hands, Hands]:
    """Flops, and two hands each, of dealt rows."""
    return deals[:, :3].copy(), deals[:, 3:].reshape(len(deals), 2, 2).copy()


def _equities(deals: Hands) -> Work:
    given = flopped(deals)
    return lambda: pokernel.equities(*given, threads=1)


def _one_by_one(who: Callable[[Question], Ask]) -> Callable[[Hands], Work]:
    """One flop a question; what it is put in is not timed."""

    def prepare(deals: Hands) -> Work:
        texts = [list(map(pokernel.format_cards, (row[:3], row[3:5], row[5:]))) for row in deals]
        asks = [who(Question((first, second), board)) for board, first, second in texts]
        return lambda: [ask() for ask in asks]

    return prepare


def equity_groups() -> dict[str, Group]:
    """By name: what deals a round's hands, and who evaluates them; nobody looks at the one hand of a question."""
    one = Dealer(1)
    ours, omp, xiapl = "pokernel", "OMPEval", "xiapl"
    groups: dict[str, Group] = {
        "AsKs v QhQd": (
            one,
            {
                ours: _exact(by_pokernel, AK, "match-ups", times=8),
                omp: _exact(by_ompeval, AK, times=4),
                xiapl: _exact(by_xiapl, AK),
                "pokernel, table": _exact(by_pokernel, AK, "table", times=16),
                "pokernel, 2c dead": _exact(by_pokernel, AK_DEAD, "exact", times=8),
                "OMPEval, 2c dead": _exact(by_ompeval, AK_DEAD, times=4),
            },
        ),
        "AsAh v random": (one, {ours: _exact(by_pokernel, AA, "match-ups"), omp: _exact(by_ompeval, AA)}),
        "AsAh v random, 2c dead": (
            one,
            {ours: _exact(by_pokernel, AA_DEAD, "exact", warm=True), omp: _exact(by_ompeval, AA_DEAD)},
        ),
        "random v random": (
            one,
            {ours: _exact(by_pokernel, ANY, "sweep", warm=True), omp: _exact(by_ompeval, ANY)},
        ),
        "showdown": (
            Dealer(1 << 18, SIX),
            {
                ours: Contender(_showdown),
                "evaluate and numpy": Contender(_by_evaluate),
                "xiapl.eval.judge": Contender(_by_judge, 1 << 13),
            },
        ),
    }
    groups["flops"] = (
        Dealer(1 << 15, FLOPPED),
        {
            ours: Contender(_equities),
            omp: Contender(_one_by_one(by_ompeval), 1 << 10),
            xiapl: Contender(_one_by_one(by_xiapl), 1 << 10),
        },
    )
    groups["one flop"] = (
        one,
        {
            ours: _exact(by_pokernel, ONE_FLOP, "exact", times=256),
            omp: _exact(by_ompeval, ONE_FLOP, times=256),
            xiapl: _exact(by_xiapl, ONE_FLOP, times=256),
        },
    )
    for name, question in (("ranges on a flop", FLOP), ("wide ranges on a flop", WIDE_FLOP)):
        groups[name] = (
            one,
            {
                ours: _exact(by_pokernel, question, "exact", times=8),
                omp: _exact(by_ompeval, question),
                xiapl: _exact(by_xiapl, question),
            },
        )
    for name, question in DEALT.items():
        contenders = {
            ours: _trials(by_pokernel, question, "monte-carlo", 1 << (18 if name == "two ranges" else 21)),
            omp: _trials(by_ompeval, question, True),
        }
        if question.is_of_hands or len(question.players) == 2:
            contenders[xiapl] = _trials(by_xiapl, question, 1 << 20)
        groups[f"trials, {name}"] = one, contenders
    return groups
