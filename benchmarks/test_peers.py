"""The peers, and that each of them answers what it is asked: the order of hands is everybody's."""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import pokernel

from .deal import Dealer
from .harness import run
from .peers import PEERS, Peer, phevaluator_texts
from .yardsticks import SCALAR, best_of_21, count_nested


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest) -> Peer:
    peer = PEERS[request.param]
    try:
        peer.prepare(Dealer(1)())
    except ImportError as missing:
        pytest.skip(str(missing))
    return peer


@pytest.mark.benchmark(group="peers")
def test_peer(benchmark: BenchmarkFixture, peer: Peer) -> None:
    deal = Dealer(peer.hands)
    run(
        benchmark,
        lambda work: work(),
        lambda: peer.prepare(deal()),
        hands=peer.hands,
        what=peer.call,
        by=peer.name,
        dtype=peer.dtype,
        validated=False,
        layout="rows (n, 7)" if peer.dtype == "uint8" else "one hand a call",
        paced=True,
        checksum=lambda results: abs(int(peer.order(results).sum())),
    )


def test_order_is_the_same(peer: Peer) -> None:
    hands = Dealer(10_000)()
    _, ours = np.unique(pokernel.evaluate(hands), return_inverse=True)
    _, theirs = np.unique(peer.order(peer.prepare(hands)()), return_inverse=True)
    assert (ours == theirs).all()


def test_phevaluator_reads_texts() -> None:
    pytest.importorskip("phevaluator")
    hands = Dealer(10_000)()
    assert (pokernel.to_kev_rank(pokernel.evaluate(hands)) == phevaluator_texts(hands)()).all()


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_yardsticks_agree(cards: int) -> None:
    hands = Dealer(10_000, cards)()
    strengths = pokernel.evaluate(hands)
    out = np.zeros_like(strengths)
    SCALAR[cards](hands, out)
    assert (out == strengths).all()
    if cards == 7:
        best_of_21(hands, out)
        assert (out == strengths).all()
        counts = np.zeros(7463, np.int64)
        count_nested(counts)
        assert (counts == pokernel.enumerate_strengths()).all()
