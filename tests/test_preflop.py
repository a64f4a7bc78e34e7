"""Match-ups before the flop: the table against every board, and every way to read it against the table."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from numpy.typing import NDArray

import pokernel
from pokernel import CardError, DuplicateCardError, HandSizeError, tables
from pokernel.combos import CLASS_OF, CLASS_SIZES, COMBOS, class_name, combo_indices
from pokernel.odds.preflop import MatchUp, match_up
from pokernel.odds.preflop_layout import BOARDS

Counts = NDArray[np.int64]
SUIT_NAMES = list(itertools.permutations(range(4)))
NUMBER = {class_name(number): number for number in range(169)}


def renamed(names: tuple[int, ...]) -> NDArray[np.intp]:
    """The combo that each combo becomes when suits exchange their names."""
    return combo_indices((COMBOS & ~np.uint8(3)) + np.array(names)[COMBOS & 3])


@pytest.fixture(scope="module")
def keys() -> Counts:
    """``(1326, 1326)``: the key of each ordered pair as ``scripts/README.md`` has it, but for its exchange."""
    key = np.full((1326, 1326), 1326**2)
    for names in SUIT_NAMES:
        combos = renamed(names)
        np.minimum(key, 1326 * combos[:, None] + combos, out=key)
    return key


@pytest.fixture(scope="module")
def disjoint() -> NDArray[np.bool_]:
    free: NDArray[np.bool_] = (COMBOS[:, None, :, None] != COMBOS[None, :, None, :]).all(axis=(2, 3))
    return free


@pytest.fixture(scope="module")
def everything(keys: Counts, disjoint: NDArray[np.bool_]) -> Counts:
    """``(3, 1326, 1326)``: wins, losses and ties of every ordered pair, from the tables as they are described."""
    least = np.minimum(keys, keys.T)
    number = np.searchsorted(np.unique(least[disjoint]), least * disjoint)
    wins, ties = (tables.load(f"preflop_{name}").astype(np.int64)[number] for name in ("wins", "ties"))
    losses = BOARDS - wins - ties
    exchanged = keys > keys.T
    return np.stack([np.where(exchanged, losses, wins), np.where(exchanged, wins, losses), ties]) * disjoint


def weights_of(*classes: str) -> Counts:
    return np.isin(CLASS_OF, [NUMBER[name] for name in classes]).astype(np.int64)


# ---- the table -------------------------------------------------------------------------------------------------------


def test_every_match_up_is_in_the_table_once_and_is_read_from_there(keys: Counts, disjoint: NDArray[np.bool_]) -> None:
    wins, ties = tables.load("preflop_wins").tolist(), tables.load("preflop_ties").tolist()
    match_ups = np.unique(np.minimum(keys, keys.T)[disjoint]).tolist()
    assert len(match_ups) == len(wins) == len(ties) == 47_008
    combos = list(map(tuple, COMBOS.tolist()))
    for key, won, tied in zip(match_ups, wins, ties, strict=True):
        a, b = divmod(key, 1326)
        assert pokernel.hand_vs_hand(combos[a], combos[b]) == (won, BOARDS - won - tied, tied)


def deal_everything(a: str, b: str) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint16]]:
    """All boards of a match-up, and the strengths of both hands on them."""
    hands = np.array([pokernel.parse_cards(hand) for hand in (a, b)], np.uint8)
    deck = np.setdiff1d(np.arange(52, dtype=np.uint8), hands)
    first = naive.hands_at(5, 0, BOARDS)  # the last of these boards has the cards 43 … 47
    boards = deck[first]
    return boards, pokernel.evaluate(hands[:1], boards), pokernel.evaluate(hands[1:], boards)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("AsKs", "QhQd"),
        ("AsKh", "AhKs"),  # exchanging spades and hearts exchanges the hands
        ("AsKs", "AhKh"),
        ("AsAh", "AdAc"),
        ("AsAh", "KsKh"),
        ("AsAh", "KsKd"),
        ("AsAh", "KdKc"),
        ("AhKs", "AsQs"),
        ("AsKh", "QhJs"),
        ("7c6c", "7d5c"),
        ("3c2d", "Ts9s"),
        ("JdTh", "Jh9d"),
        ("2c2d", "3s2h"),
    ],
)
def test_all_boards_agree(a: str, b: str) -> None:
    boards, first, second = deal_everything(a, b)
    won, lost, tied = (int(np.count_nonzero(which)) for which in (first > second, first < second, first == second))
    assert len(np.unique(boards[:: len(boards) - 1])) == 10
    assert won + lost + tied == BOARDS
    assert pokernel.hand_vs_hand(a, b) == (won, lost, tied)
    for row in range(7462, BOARDS, BOARDS // 23):
        board = boards[row].tolist()
        one, other = (naive.best_key([*pokernel.parse_cards(hand), *board]) for hand in (a, b))
        assert (one > other, one == other) == (first[row] > second[row], first[row] == second[row])


def test_renaming_suits_changes_nothing(everything: Counts, rng: np.random.Generator) -> None:
    for names in SUIT_NAMES:
        combos, some = renamed(names), rng.choice(1326, 200)
        np.testing.assert_array_equal(everything[:, combos[some, None], combos], everything[:, some])


def test_exchanging_the_hands_exchanges_wins_and_losses(everything: Counts) -> None:
    np.testing.assert_array_equal(everything.swapaxes(1, 2), everything[[1, 0, 2]])


def test_totals(everything: Counts, disjoint: NDArray[np.bool_]) -> None:
    np.testing.assert_array_equal(everything.sum(axis=0), np.where(disjoint, BOARDS, 0))
    assert everything.sum() == 2_781_381_002_400


def test_any_two_hands_are_read_alike(
    everything: Counts, disjoint: NDArray[np.bool_], rng: np.random.Generator
) -> None:
    pairs = np.argwhere(disjoint)
    for a, b in rng.choice(pairs, 5000).tolist():
        hands = [rng.permutation(COMBOS[combo]).tolist() for combo in (a, b)]
        assert list(pokernel.hand_vs_hand(*hands)) == everything[:, a, b].tolist()


def test_order_is_that_of_equity(everything: Counts) -> None:
    shares = (2 * everything[0] + everything[2]).sum(axis=1)
    best = np.argsort(-shares, kind="stable")
    classes = list(dict.fromkeys(CLASS_OF[best].tolist()))
    assert classes == tables.load("preflop_order").tolist()
    assert (np.diff(CLASS_OF[best]) != 0).sum() == 168  # a class stands together: all its combos are alike


# ---- two hands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hands",
    [
        ("As Ks", "Qd Qh"),
        ("ksas", ["Qh", "Qd"]),
        ((51, 47), [42, 41]),
        (np.array([51, 47]), np.array([41, 42], np.uint8)),
        ((np.int8(51), 47), "Q♥Q♦"),
    ],
)
def test_hands_are_read_in_every_form(hands: tuple[Any, Any]) -> None:
    found = pokernel.hand_vs_hand(*hands)
    assert found == MatchUp(787_966, 917_606, 6_732) == (787_966, 917_606, 6_732)
    assert [type(count) for count in found] == [int] * 3
    assert found.equity == (787_966 + 6_732 / 2) / 1_712_304


@pytest.mark.parametrize(
    ("a", "b", "error", "says"),
    [
        ("AsKs", "AsQs", DuplicateCardError, "As in both hands"),
        ("AsKs", (47, 51), DuplicateCardError, "As in both hands"),
        ("AsAs", "KsKd", DuplicateCardError, "As twice"),
        ((51, 51), "KsKd", DuplicateCardError, "a: As twice"),
        ("KsKd", "As", HandSizeError, "b must have two cards, not 1"),
        ("AsKsQs", "JsJd", HandSizeError, "a must have two cards, not 3"),
        ([], "JsJd", HandSizeError, "a must have two cards, not 0"),
        ("", "JsJd", CardError, "no card"),
        ("AA", "KsKd", CardError, "no card at position 0"),
        ((51, 52), "KsKd", CardError, "a: 52 at position 1 is no card"),
        ("KsKd", (-1, 3), CardError, "b: -1 at position 0 is no card"),
        ((52, 52), "KsKd", CardError, "52"),
        (["AsKs", "QsJs"], "KhKd", TypeError, "one hand of two cards"),
        (np.array([[51, 47]]), "KhKd", TypeError, "one hand of two cards"),
        ((51, True), "KhKd", TypeError, "bool"),
        (None, "KhKd", TypeError, "NoneType"),
        (51, "KhKd", TypeError, "int"),
        (np.array([51.0, 47.0]), "KhKd", TypeError, "float"),
    ],
)
def test_what_is_no_hand_is_refused(a: Any, b: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        pokernel.hand_vs_hand(a, b)
    assert caught.type is error


# ---- two ranges ------------------------------------------------------------------------------------------------------


def test_ranges_with_published_results() -> None:
    assert match_up(weights_of("AA"), weights_of("KK")) == (50_371_344, 10_986_372, 285_228)
    everyone = np.ones(1326, np.int64)
    wins, losses, ties = match_up(weights_of("AA"), everyone)
    assert round((wins + ties / 2) / (wins + losses + ties), 6) == 0.852037
    wins, losses, ties = match_up(everyone, everyone)
    assert wins == losses
    assert wins + losses + ties == 2_781_381_002_400


def test_cards_of_one_hand_are_not_in_the_other() -> None:
    wins, losses, ties = match_up(weights_of("AA"), weights_of("AA"))
    assert wins == losses
    assert wins + losses + ties == 6 * BOARDS
    spades = (combo_indices(np.array([51, 47])) == np.arange(1326)).astype(np.int64)
    assert match_up(spades, spades) == (0, 0, 0)
    assert sum(match_up(spades, weights_of("AKs", "AA"))) == (3 + 3) * BOARDS


def integers(high: int) -> Callable[[np.random.Generator], Any]:
    return lambda rng: rng.integers(0, high, 1326)


WEIGHTS: dict[str, Callable[[np.random.Generator], Any]] = {
    "none": lambda _: np.zeros(1326, np.int64),
    "random": lambda _: np.ones(1326, np.uint8),
    "one combo": lambda _: np.arange(1326) == 700,
    "two classes": lambda _: weights_of("AA", "72o"),
    "some combos": lambda rng: rng.random(1326) < 0.5,
    "few combos": lambda rng: (rng.random(1326) < 0.01).astype(np.int32),
    "counts of classes": lambda rng: rng.integers(0, 1000, 169)[CLASS_OF],
    "counts": integers(1000),
    "21 bits": integers(1 << 21),
    "22 bits": lambda rng: rng.integers(0, 1 << 21, 1326) + (1 << 21),
    "63 bits": integers((1 << 63) - 1),
    "the largest": lambda _: np.full(1326, (1 << 64) - 1, np.uint64),
    "nearly all the largest": lambda _: np.where(np.arange(1326) == 3, 0, (1 << 63) - 1),
}


@pytest.mark.parametrize(("a", "b"), [*itertools.combinations_with_replacement(WEIGHTS, 2)])
def test_integers_sum_exactly(a: str, b: str, everything: Counts, rng: np.random.Generator) -> None:
    first, second = (WEIGHTS[name](rng) for name in (a, b))
    found = match_up(first, second)
    against = [sums_of_products(counts, second) for counts in everything]
    assert list(found) == [sum(map(int.__mul__, map(int, first.tolist()), sums)) for sums in against]
    assert [type(count) for count in found] == [int] * 3
    wins, losses, ties = match_up(second, first)
    assert (losses, wins, ties) == found


def sums_of_products(counts: Counts, weights: NDArray[Any]) -> list[int]:
    """Rows of counts below 2**21 times weights of any size, as Python integers."""
    low, high = (
        (weights.astype(np.uint64) >> np.uint64(place) & np.uint64(0xFFFFFFFF)).astype(np.int64) for place in (0, 32)
    )
    return [
        below + (above << 32) for below, above in zip((counts @ low).tolist(), (counts @ high).tolist(), strict=True)
    ]


@pytest.mark.parametrize("scale", [1.0, 0.125, 1e-250, 1e250, 3.0])
def test_fractions_are_rounded_once(scale: float, everything: Counts, rng: np.random.Generator) -> None:
    """Weights of 32 bits: their sums, as fractions of integers, have one nearest float."""
    numerators = rng.integers(0, 1 << 32, (2, 1326))
    unit = math.ldexp(1.0, math.frexp(scale)[1])
    first, second = numerators[0] * unit, numerators[1] / 2**40
    exact = [
        sum(map(int.__mul__, numerators[0].tolist(), sums_of_products(counts, numerators[1]))) for counts in everything
    ]
    found = match_up(first, second)
    assert list(found) == [float(Fraction(count) * Fraction(unit) / 2**40) for count in exact]
    assert [type(count) for count in found] == [float] * 3


def test_any_floats_sum_to_the_last_digits(everything: Counts, rng: np.random.Generator) -> None:
    for first, second in (
        (rng.random(1326), rng.random(1326)),
        (rng.random(169)[CLASS_OF], rng.random(1326) ** 20),
        (rng.random(169)[CLASS_OF].astype(np.float32), np.full(1326, 0.1)),
        (np.arange(1326), rng.random(1326)),
        (np.zeros(1326), rng.random(1326)),
    ):
        found = match_up(first, second)
        np.testing.assert_allclose(found, np.einsum("rab,a,b->r", everything, first, second), rtol=1e-12)
        wins, losses, ties = match_up(second, first)
        assert (losses, wins, ties) == found


def test_ranges_are_read_alike() -> None:
    aces, broadway = pokernel.Range("AA:0.5, AsKs").by_combo, pokernel.Range("20%").by_combo
    wins, losses, ties = match_up(aces, broadway)
    assert wins + losses + ties == BOARDS * sum(
        weight * broadway[~np.isin(COMBOS, cards).any(axis=1)].sum()
        for weight, cards in zip(aces[aces > 0].tolist(), COMBOS[aces > 0], strict=True)
    )


# ---- 169 hands -------------------------------------------------------------------------------------------------------


def test_preflop_table(everything: Counts) -> None:
    table = pokernel.preflop_table()
    assert table.shape == (169,)
    assert table.dtype.names == ("hand", "combos", "equity", "win", "tie", "wins", "losses", "ties")
    assert (np.diff(table["equity"]) < 0).all()
    for row in table:
        number = NUMBER[str(row["hand"])]
        assert row["combos"] == CLASS_SIZES[number]
        counts = everything[:, number == CLASS_OF].sum(axis=2)
        assert (counts == counts[:, :1]).all()
        assert [row["wins"], row["losses"], row["ties"]] == counts[:, 0].tolist()
        total = int(counts[:, 0].sum())
        assert total == 2_097_572_400
        assert row["win"] == row["wins"] / total
        assert row["tie"] == row["ties"] / total
        assert row["equity"] == pytest.approx(row["win"] + row["tie"] / 2, rel=1e-15)
    assert (table["combos"] * (2 * table["wins"] + table["ties"])).sum() == 1326 * 2_097_572_400
    assert round(float(table["equity"][0]), 6) == 0.852037
    assert table["hand"][-1] == "32o"


def test_preflop_table_is_the_caller_s_own() -> None:
    pokernel.preflop_table()["equity"][0] = 0
    assert pokernel.preflop_table()["equity"][0] > 0.85


def test_no_compiler_is_needed(run_python: RunPython) -> None:
    ended = run_python(
        "import pokernel, sys\n"
        "pokernel.hand_vs_hand('AsKs', 'QhQd'), pokernel.preflop_table()\n"
        "assert not {'numba', 'llvmlite'} & set(sys.modules)\n"
    )
    assert ended.returncode == 0, ended.stderr
