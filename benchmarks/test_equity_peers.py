"""That everybody asked for equities in `equity_peers` gives the same ones, and deals about as many as he says."""

from collections.abc import Callable

import numpy as np
import pytest

import pokernel

from . import equity_groups
from .deal import Dealer
from .equity_groups import AA, AK, AK_DEAD, DEALT, FLOP, SIX, WIDE_FLOP, chips_of, seated
from .equity_peers import Ask, Question, by_ompeval, by_pokernel, by_xiapl

PEERS: dict[str, Callable[..., Ask]] = {"OMPEval": by_ompeval, "xiapl": by_xiapl}
EXACT = [(AK, "match-ups"), (AK, "table"), (AK_DEAD, "exact"), (FLOP, "exact"), (FLOP, "sweep"), (WIDE_FLOP, "exact")]


def can_answer(name: str, question: Question) -> bool:
    """xiapl knows no dead cards, and no ranges of three."""
    return name != "xiapl" or (not question.dead and (question.is_of_hands or len(question.players) == 2))


def peer(name: str, question: Question, *arguments: int) -> Ask:
    try:
        return PEERS[name](question, *arguments)
    except ImportError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    ("question", "method", "name"), [(*asked, name) for asked in EXACT for name in PEERS if can_answer(name, asked[0])]
)
def test_exact_answers_are_the_same(question: Question, method: str, name: str) -> None:
    theirs = peer(name, question)()
    assert theirs.trials == 0
    assert by_pokernel(question, method)().equity == pytest.approx(theirs.equity, rel=0, abs=1e-9)


def test_a_hand_against_any_is_the_same() -> None:  # seconds of OMPEval, minutes of xiapl
    theirs = peer("OMPEval", AA)()
    assert by_pokernel(AA, "match-ups")().equity == pytest.approx(theirs.equity, rel=0, abs=1e-9)


@pytest.mark.parametrize(
    ("dealt", "name"), [(dealt, name) for dealt in DEALT for name in PEERS if can_answer(name, DEALT[dealt])]
)
def test_sampled_answers_are_alike(dealt: str, name: str) -> None:
    question = DEALT[dealt]
    trials = 1 << 20
    theirs, ours = peer(name, question, trials)(), by_pokernel(question, "monte-carlo", trials, seed=1)()
    assert theirs.trials == trials or name == "OMPEval"
    assert ours.trials > trials / 2
    error = np.hypot(*(0.5 / np.sqrt(answer.trials) for answer in (ours, theirs)))
    assert ours.equity == pytest.approx(theirs.equity, rel=0, abs=6 * error)


def test_xiapl_deals_where_it_is_to_deal() -> None:
    ask = peer("xiapl", AK, 1 << 21)
    with pytest.raises(RuntimeError, match="counts instead of dealing"):
        ask()


@pytest.mark.parametrize("shown", [equity_groups._by_evaluate, equity_groups._by_judge])
def test_showdowns_are_the_same(shown: Callable[..., Callable[[], object]]) -> None:
    deals = Dealer(2_000, SIX)()
    try:
        winners = shown(deals)()
    except ImportError as missing:
        pytest.skip(str(missing))
    ours = pokernel.showdown(*seated(deals)).winners
    if isinstance(winners, list):
        assert winners == [np.flatnonzero(row).tolist() for row in ours]
    else:
        assert (winners == ours).all()


@pytest.mark.parametrize("who", [by_ompeval, by_xiapl])
def test_equities_are_the_same(who: Callable[..., Ask]) -> None:
    deals = Dealer(200, equity_groups.FLOPPED)()
    try:
        answers = equity_groups._one_by_one(who)(deals)()
    except ImportError as missing:
        pytest.skip(str(missing))
    ours = pokernel.equities(*equity_groups.flopped(deals))[:, 0]
    np.testing.assert_allclose([answer.equity for answer in answers], ours, rtol=0, atol=1e-9)


def test_chips_are_all_paid_out() -> None:
    contributions, strengths, live = chips_of(Dealer(2_000, SIX)())
    assert live.any(axis=1).all()
    assert not live.all()
    assert (pokernel.settle(contributions, strengths, live).sum(axis=1) == contributions.sum(axis=1)).all()
