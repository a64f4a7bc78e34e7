"""What holds for every spot: random ones of a dozen cards, so that hands clash, with boards, dead cards and weights."""

import itertools
from collections.abc import Sequence
from math import comb
from random import Random

import naive
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive_equity import Hand, compatible_deals, count
from spots import assert_is, cards, dealt, equity, hand, holdings, merged, methods, rename, renamed, weighted

import pokernel
from pokernel import Equity, PokernelError, Range

Spot = tuple[list[dict[Hand, int]], list[int], list[int]]
Counts = dict[tuple[int, ...], int | float]
SCALE = 4
RENAMINGS = list(itertools.permutations(range(4)))


def counted(players: Sequence[dict[Hand, int]], board: Sequence[int], dead: Sequence[int] = (), **how: str) -> Counts:
    """Counts, of weights as they are told; none where there is no deal."""
    try:
        result = equity(players, SCALE, board, dead, **how)
    except PokernelError:
        return {}
    factor = SCALE ** len(players) // result.scale
    return {who: deals * factor for who, deals in result.counts.items()}


def possible(spot: Spot) -> Equity:
    players, board, dead = spot
    assume(compatible_deals(players, board, dead) > 0)
    return equity(players, SCALE, board, dead, categories=True)


@settings(max_examples=100)
@given(dealt())
def test_all_deals_are_counted_as_the_oracle_counts_them(spot: Spot) -> None:
    """What cannot be dealt is an error, and nothing else is."""
    players, board, dead = spot
    tally = count(players, board, dead)
    assert tally.total == compatible_deals(players, board, dead)
    for method in methods(players, board, dead):
        if tally.total:
            result = equity(players, SCALE, board, dead, method=method, categories=True)
            assert_is(result, tally, SCALE ** len(players))
            assert sum(result.shares) == 1
        else:
            with pytest.raises(PokernelError):
                equity(players, SCALE, board, dead, method=method)


@settings(max_examples=25)
@given(dealt(players=(2, 3), board=(3, 3), most=4))
def test_flops_are_counted_as_the_oracle_counts_them(spot: Spot) -> None:
    players, board, dead = spot
    tally = count(players, board, dead)
    assume(tally.total)
    for method in methods(players, board, dead):
        result = equity(players, SCALE, board, dead, method=method, categories=True)
        assert_is(result, tally, SCALE ** len(players))


@settings(max_examples=40)
@given(dealt(), st.randoms(use_true_random=False))
def test_players_can_be_exchanged(spot: Spot, random: Random) -> None:
    players, board, dead = spot
    result = possible(spot)
    order = random.sample(range(len(players)), len(players))
    other = equity([players[player] for player in order], SCALE, board, dead, categories=True)
    back = {tuple(sorted(order[seat] for seat in who)): deals for who, deals in other.counts.items()}
    assert back == result.counts
    assert result.categories is not None
    assert other.categories is not None
    for seat, player in enumerate(order):
        assert other.shares[seat] == result.shares[player]
        assert (other.win[seat], other.tie[seat]) == (result.win[player], result.tie[player])
        assert other.categories[seat].tolist() == result.categories[player].tolist()


@settings(max_examples=8)
@given(dealt(players=(2, 3)))
def test_suits_can_be_renamed(spot: Spot) -> None:
    players, board, dead = spot
    for method in {*methods(players, board, dead)} - {"auto", "exact"}:
        counts = counted(players, board, dead, method=method)
        assume(counts)
        for names in RENAMINGS:
            there, gone = [rename(card, names) for card in board], [rename(card, names) for card in dead]
            assert counted(renamed(players, names), there, gone, method=method) == counts


@pytest.mark.parametrize("method", ["table", "match-ups", "sweep"])
def test_suits_can_be_renamed_before_the_flop_and_on_it(method: str) -> None:
    """Both players' suits alike, in spots where none, some and all suits could be exchanged to begin with."""
    spots: list[tuple[list[dict[Hand, int]], str]] = [
        ([{hand("AsKs"): 1, hand("QdQh"): 2}, {hand("Ac7d"): 1, hand("TsTh"): 3}], ""),
        ([holdings("QQ"), {hand("AsKs"): 1, hand("AhKh"): 1}], ""),
        ([holdings("AK"), {hand("JsTs"): 4, hand("9h9d"): 1}], "As Ts 4h"),
        ([holdings("AK"), holdings("99, JTs")], "Jh 8h 2h"),
    ]
    for players, board in spots:
        if method == "table" and board:
            continue
        counts = counted(players, cards(board), method=method)
        names_at_a_time = RENAMINGS[1:] if method == "table" or board else RENAMINGS[5::17]
        for names in names_at_a_time:
            there = [rename(card, names) for card in cards(board)]
            assert counted(renamed(players, names), there, method=method) == counts


@settings(max_examples=12)
@given(dealt(players=(2, 3), board=(3, 4), most=4))
def test_streets_add_up(spot: Spot) -> None:
    """The deals of a board are those of the boards of one card more, each found once for each card still to come."""
    players, board, dead = spot
    counts = counted(players, board, dead)
    assume(counts)
    longer = [counted(players, [*board, card], dead) for card in range(52) if card not in board + dead]
    assert merged(*longer) == {who: (5 - len(board)) * deals for who, deals in counts.items()}


def test_streets_add_up_from_the_start() -> None:
    """Boards of no card, of one card and of two; for hands and for ranges."""
    for players in (
        [{hand("AsKs"): 1}, {hand("QhQd"): 1}, {hand("8d7d"): 1}],
        [{hand("AsKs"): 1, hand("2h2d"): 3}, {hand("QhQd"): 2, hand("AsTs"): 1}],
    ):
        for board in ([], cards("9d"), cards("9d 8s")):
            counts = counted(players, board)
            longer = [counted(players, [*board, card]) for card in range(52) if card not in board]
            assert merged(*longer) == {who: (5 - len(board)) * deals for who, deals in counts.items()}


@settings(max_examples=12)
@given(dealt(players=(2, 3), board=(3, 5), most=4))
def test_dead_cards_add_up(spot: Spot) -> None:
    """Every deal stays possible for each dead card that is neither in a hand nor on the board."""
    players, board, dead = spot
    counts = counted(players, board, dead)
    assume(counts)
    gone = {*board, *dead}
    fewer = [counted(players, board, [*dead, card]) for card in range(52) if card not in gone]
    left = 52 - len(dead) - 5 - 2 * len(players)
    assert merged(*fewer) == {who: left * deals for who, deals in counts.items()}


@settings(max_examples=30)
@given(dealt(board=(3, 4), most=3), st.data())
def test_a_dead_card_that_nobody_can_hold(spot: Spot, data: st.DataObject) -> None:
    players, board, dead = spot
    possible(spot)
    held = set(itertools.chain(*itertools.chain(*players)))
    free = sorted(set(range(52)) - held - {*board, *dead})
    gone = [*dead, data.draw(st.sampled_from(free))]
    result = equity(players, SCALE, board, gone)
    assert_is(result, count(players, board, gone), SCALE ** len(players))
    holding = compatible_deals(players, board, gone) // comb(52 - len(board + gone) - 2 * len(players), 5 - len(board))
    assert result.total * SCALE ** len(players) == result.scale * holding * comb(
        51 - len(board + dead) - 2 * len(players), 5 - len(board)
    )


@settings(max_examples=40)
@given(dealt())
def test_ranges_add_up(spot: Spot) -> None:
    """A range's deals are those of its combos, each with its weight."""
    players, board, dead = spot
    counts = counted(players, board, dead)
    assume(counts)
    for player, held in enumerate(players):
        alone = [
            counted([*players[:player], {two: weight}, *players[player + 1 :]], board, dead)
            for two, weight in held.items()
        ]
        assert merged(*alone) == counts


@settings(max_examples=40)
@given(dealt(), st.sampled_from([0.5, 0.25, 0.2]))
def test_weights_count_only_beside_each_other(spot: Spot, factor: float) -> None:
    """A range all of whose weights are multiplied by the same has the same equity."""
    players, board, dead = spot
    result = possible(spot)
    less = [{two: weight * factor for two, weight in weighted(held, SCALE).items()} for held in players]
    other = pokernel.equity([less[0], *(weighted(held, SCALE) for held in players[1:])], board, dead)
    assert other.shares == result.shares


@settings(max_examples=40)
@given(dealt(players=(1, 3), board=(5, 5)), st.data())
def test_a_stronger_hand_has_more_equity(spot: Spot, data: st.DataObject) -> None:
    """On a river, against the same ranges without either hand's cards; equal hands have equal equities."""
    others, board, dead = spot
    free = sorted(set(range(52)) - {*board, *dead})
    four = data.draw(st.lists(st.sampled_from(free), min_size=4, max_size=4, unique=True))
    one, other = tuple(four[:2]), tuple(four[2:])
    if compatible_deals([{(one[0], one[1]): 1}, *others], board, [*dead, *other]) == 0:
        return
    ranges = [weighted(held, SCALE) for held in others]
    shares = [
        pokernel.equity([[*mine], *ranges], board, [*dead, *theirs]).shares[0]
        for mine, theirs in ((one, other), (other, one))
    ]
    keys = [naive.best_key([*board, *mine]) for mine in (one, other)]
    if keys[0] == keys[1]:
        assert shares[0] == shares[1]
    elif keys[0] > keys[1]:
        assert shares[0] >= shares[1]
    else:
        assert shares[0] <= shares[1]


def test_who_leads_may_only_lose_by_more_opponents() -> None:
    shares = [
        pokernel.equity(["AsAh", *["KsKd", "8d7d", "QcJc", "5s5h"][:n]], "2c 9h Td").shares[0] for n in range(1, 5)
    ]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 4


def test_better_classes_have_more_equity_against_any_two_cards() -> None:
    classes = ["AA", "KK", "QQ", "JJ", "AKs", "AKo", "72o", "32o"]
    shares = [pokernel.equity([text, Range.random()]).shares[0] for text in classes]
    assert shares == sorted(shares, reverse=True)
