"""Monte Carlo: as far from the exact equities as it says, as often as it says; nothing preferred in the long run.

All seeds are fixed. Bounds are such that right code passes them with other seeds, too, but for once in a million.
"""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from naive_equity import Hand, Tally, count
from spots import cards, equity, holdings, told, weighted

import pokernel
from pokernel import DealError, Equity

RUNS = 1000
ONE_IN_A_MILLION = 4.9  # standard deviations, on either side
ONE_IN_A_BILLION = 6.1


def sampled(players: Sequence[Any], board: Any = "", dead: Any = "", **how: Any) -> Equity:
    result = pokernel.equity(players, board, dead, method="monte-carlo", **how)
    assert not result.exact
    assert (result.method, result.scale) == ("monte-carlo", 1)
    assert math.isclose(sum(result.equity), 1, abs_tol=1e-12)
    for player in range(len(players)):
        together = sum(n / len(who) for who, n in result.counts.items() if player in who) / result.total
        assert math.isclose(result.equity[player], together, abs_tol=1e-12)
    return result


HEADS_UP = [
    (["AsKs", "QhQd"], "", 1500, RUNS),
    (["AA", "KK"], "", 700, RUNS),
    (["20%, 76s:0.25", "15%:0.5"], "9s 6s 5d Kc", 8192, RUNS),
    (["20%", "15%:0.5"], "", 8192, 100),
]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "board", "trials", "runs"), HEADS_UP)
def test_errors_of_two_players(players: list[str], board: str, trials: int, runs: int) -> None:
    exact = pokernel.equity(players, board, method="exact").equity[0]
    off = []
    for seed in range(runs):
        result = sampled(players, board, trials=trials, seed=seed, threads=1)
        assert result.trials == trials
        assert is_in_clusters(result) == ("20%" in players[0])
        assert math.isclose(*result.standard_error)
        off.append((result.equity[0] - exact) / result.standard_error[0])
    assert_normal(off)


def is_in_clusters(result: Equity) -> bool:
    """Whether two ranges met on boards, all combos on each."""
    return type(result.total) is float


@pytest.mark.slow
def test_errors_of_three_weighted_ranges_that_overlap() -> None:
    players, board = ["AA:0.1, KK", "AA, KK:0.2, QJs", "AK:0.7, KK, JTs:0.05"], "Kc 9h 8h"
    exact = pokernel.equity(players, board, method="exact").equity
    results = [sampled(players, board, trials=1000, seed=seed, threads=1) for seed in range(RUNS)]
    for player in range(3):
        assert_normal([(result.equity[player] - exact[player]) / result.standard_error[player] for result in results])


def assert_normal(off: list[float]) -> None:
    """That so many standard errors are as often as small as normal ones, and neither too high nor too low on average."""
    n = len(off)
    assert abs(fmean(off)) < ONE_IN_A_MILLION / math.sqrt(n)
    for most in (0.5, 1, 2):
        share = math.erf(most / math.sqrt(2))
        found = sum(abs(z) < most for z in off) / n
        assert abs(found - share) < ONE_IN_A_MILLION * math.sqrt(share * (1 - share) / n) + 2 / n


# ---- many trials: every set of winners, every category ---------------------------------------------------------------


def assert_like(result: Equity, tally: Tally) -> None:
    """That independent deals came as often as the oracle says, by who won them and by category."""
    n, total = result.trials, tally.total
    assert result.total == n

    def likely(times: float, deals: int) -> bool:
        share = deals / total
        return abs(times - n * share) <= ONE_IN_A_BILLION * math.sqrt(n * share * (1 - share)) + (deals > 0)

    assert result.counts.keys() <= tally.counts.keys()
    assert all(likely(result.counts.get(who, 0), deals) for who, deals in tally.counts.items())
    if result.categories is None or result.winning_categories is None:
        return
    for player, (of_all, of_won) in enumerate(tally.categories):
        for category in range(10):
            assert likely(n * result.categories[player, category], of_all[category])
            assert likely(n * result.winning_categories[player, category], of_won[category])
    np.testing.assert_allclose(result.categories.sum(axis=1), 1)
    np.testing.assert_allclose(result.winning_categories.sum(axis=1), np.array(result.win) + result.tie)


MULTIWAY: dict[str, tuple[list[tuple[str, int]], str, str]] = {
    "known hands": ([("AsKs", 1), ("QhQd", 1), ("8d7d", 1)], "", ""),
    "overlapping": ([("AA:0.1, KK", 10), ("AA, KK:0.2", 5), ("AK:0.7, KK", 10)], "Kc 9h 8h 2d", ""),
    "one hand, ranges, any two": ([("AhKh", 1), ("22+, AK:0.5", 2), ("random", 1)], "Kc 9h 8h 2d", "Ad"),
    "two any two": ([("random", 1), ("QQ, AKs", 1), ("random", 1)], "Qc 9h 8h 2d 2s", "Ad Qd"),
    "wide, drawn apart": ([("40%", 1), ("35%:0.5, 76s", 2), ("QQ+, 30%", 1)], "Qc 9h 8h 2d 2s", "Ad"),
}


@pytest.mark.parametrize("name", MULTIWAY)
def test_joint_deals(name: str) -> None:
    """Ranges are weighed as they are dealt together, hands and boards at once."""
    ranges, board, dead = MULTIWAY[name]
    tally = count([holdings(text, scale) for text, scale in ranges], cards(board), cards(dead))
    result = sampled([text for text, _ in ranges], board, dead, trials=3_000_000, seed=7462, categories=True)
    assert result.trials == 3_000_000
    assert_like(result, tally)


def test_clusters_of_boards() -> None:
    """Two ranges on a turn, where clusters are chosen; with categories."""
    ranges, board = ["20%, 76s:0.25", "15%:0.5"], "9s 6s 5d Kc"
    exact = pokernel.equity(ranges, board, method="exact", categories=True)
    result = sampled(ranges, board, trials=200_000, seed=1, categories=True)
    assert is_in_clusters(result)
    assert abs(result.equity[0] - exact.equity[0]) < ONE_IN_A_MILLION * result.standard_error[0] < 0.005
    for sampled_table, table in (
        (result.categories, exact.categories),
        (result.winning_categories, exact.winning_categories),
    ):
        assert sampled_table is not None
        assert table is not None
        np.testing.assert_allclose(sampled_table, table, atol=0.005)
        assert ((table > 0) | (sampled_table == 0)).all()
    assert result.categories is not None
    assert result.winning_categories is not None
    np.testing.assert_allclose(result.categories.sum(axis=1), 1)
    np.testing.assert_allclose(result.winning_categories.sum(axis=1), np.add(result.win, result.tie))


def test_weights_without_a_scale() -> None:
    odd: dict[Hand, float] = {
        hand: math.sqrt(weight) / 3 for hand, weight in weighted(holdings("QQ+, AKs, 76s"), 1).items()
    }
    odd |= dict.fromkeys(holdings("AA"), math.pi / 4)
    players = [odd, "KK+, AK", "99, AQs:0.5"]
    exact = pokernel.equity(players, "Ac 9h 2h", method="exact")
    result = sampled(players, "Ac 9h 2h", trials=2_000_000, seed=4)
    for player in range(3):
        error = result.standard_error[player]
        assert abs(result.equity[player] - exact.equity[player]) < ONE_IN_A_MILLION * error < 0.003


@pytest.mark.parametrize("n", [2, 3, 6, 10])
def test_players_who_hold_any_two_cards_have_equal_equities(n: int) -> None:
    result = sampled(["random"] * n, trials=400_000, seed=n, categories=True)
    for share, error in zip(result.equity, result.standard_error, strict=True):
        assert abs(share - 1 / n) <= ONE_IN_A_MILLION * error < 0.01


def test_a_known_hand_is_known_on_any_board() -> None:
    """Two aces that three of a kind can beat; a dead card; a board that is complete."""
    result = sampled(["AsAh", "random"], trials=1_000_000, seed=3)
    assert abs(result.equity[0] - 0.852037) < ONE_IN_A_MILLION * result.standard_error[0] < 0.003
    done = sampled(["AsAh", "KsKh", "QsQh"], "2c 7d 9h Js 3c", trials=1000, seed=3)
    assert done.counts == {(0,): 1000}
    assert max(done.standard_error) <= 0.001  # a thousand alike do not say that there are no others


# ---- how many trials -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trials", [1, 2, 1023, 1024, 1025, 131_071, 131_072, 131_073, 300_001])
def test_as_many_trials_as_asked_for(trials: int) -> None:
    result = sampled(["AsKs", "QQ, JTs", "55"], trials=trials, seed=9, categories=True)
    assert result.trials == result.total == sum(result.counts.values()) == trials
    assert all(type(n) is int for n in result.counts.values())
    assert result.categories is not None
    np.testing.assert_allclose(result.categories.sum(axis=1), 1)
    heads_up = sampled(["20%", "15%"], trials=min(trials, 20_003), seed=9)
    assert heads_up.trials == (20_008 if is_in_clusters(heads_up) else trials)  # whole clusters of eight
    assert is_in_clusters(heads_up) == (trials > 100_000)


def test_a_million_by_default() -> None:
    assert sampled(["AsKs", "QQ"], seed=0).trials == 1_000_000


def test_one_trial_tells_no_error() -> None:
    for players in (["AsKs", "QQ"], ["20%", "15%"]):
        result = sampled(players, trials=1, seed=0)
        assert result.standard_error == (math.inf, math.inf)
        assert told(result)["standard_error"] == [None, None]


@pytest.mark.parametrize(
    ("players", "board"), [(["AsKs", "QQ"], ""), (["AsKs", "QQ", "random"], ""), (["20%", "15%"], "")]
)
def test_until_the_error_is_small_enough(players: list[str], board: str) -> None:
    exact = pokernel.equity(players, board, method="exact").equity if len(players) == 2 else None
    last = 0
    for target in (0.01, 0.0015, 0.0006):
        result = sampled(players, board, target_error=target, seed=5)
        assert max(result.standard_error) <= target
        assert result.trials >= last
        assert result.trials < 40_000_000
        last = result.trials
        if exact is not None:
            assert abs(result.equity[0] - exact[0]) < ONE_IN_A_MILLION * result.standard_error[0]
    few = sampled(players, board, target_error=1e-5, trials=1000, seed=5)
    assert few.trials == 1000
    assert max(few.standard_error) > 1e-5


def test_auto_samples_where_counting_takes_too_long() -> None:
    result = pokernel.equity(["30%"] * 4, seed=1, trials=100_000)
    assert (result.method, result.trials, result.seed) == ("monte-carlo", 100_000, 1)
    assert pokernel.equity(["30%"] * 2, "2c", trials=100_000, seed=1).exact  # seconds at most


def test_ranges_that_hardly_ever_go_together() -> None:
    """Two ranges too wide to be drawn together, both nearly always the same hand."""
    rare = dict.fromkeys(holdings("40%"), 1e-12) | {(51, 50): 1.0}
    with pytest.raises(DealError, match="too few to sample"):
        sampled([rare, rare, "22+"], trials=1000, seed=1)
    assert equity([holdings("AA")] * 2, 1, cards("2c 7d 9h"), method="monte-carlo", trials=10, seed=1).trials >= 10


def test_clusters_have_a_board_for_each_lane() -> None:
    """Said twice, because the one who plans must not import the compiler."""
    from pokernel.jit import lanes
    from pokernel.odds import sampling

    assert sampling.LANES == lanes.LANES
