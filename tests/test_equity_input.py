"""What equities are asked for: every form of a hand and a range; whatever is wrong is named, with the player."""

import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_equity import Hand, compatible_deals
from spots import equity as ask
from spots import holdings

import pokernel
from pokernel import CardError, DealError, DuplicateCardError, HandSizeError, PokernelError, Range, RangeError, equity

BOARD = "2c 7d 9h Js"

# ---- what is taken ---------------------------------------------------------------------------------------------------

HANDS: list[Any] = [
    "AsKs",
    "KsAs",
    "as ks",
    "A♠K♠",
    "A♠ K♠",
    "As,Ks",
    ["As", "Ks"],
    ("Ks", "As"),
    [51, 47],
    (47, 51),
    np.array([51, 47]),
    np.array([47, 51], np.uint8),
    np.array(["As", "Ks"]),
    [np.int8(51), np.uint64(47)],
    ["AsKs"],
    [[51, 47]],
    np.array([[51, 47]], np.int16),
    Range("AsKs"),
    {"AsKs": 1},
    {(51, 47): 1.0},
    (["AsKs"], [1]),
    ([(51, 47)], np.ones(1)),
    "AsKs, 2c2d",  # a deuce is on the board
]


@pytest.mark.parametrize("hand", HANDS, ids=repr)
def test_every_form_of_a_hand(hand: Any) -> None:
    expected = equity(["AsKs", "QQ"], BOARD)
    assert expected.players == ("AsKs", "QQ")
    assert equity([hand, "QQ"], BOARD).counts == expected.counts
    assert equity(("QQ", hand), BOARD).counts == equity(["QQ", "AsKs"], BOARD).counts


RANGES: list[Any] = [
    "AsKs:0.5, QhQd",
    Range("AsKs:0.5, QhQd"),
    {"AsKs": 0.5, "QdQh": 1},
    {(47, 51): 0.5, ("Qd", "Qh"): 1.0, "2c2d": 0},
    (["AsKs", "QhQd"], [0.5, 1]),
    ([(51, 47), (42, 41)], (0.5, 1)),
    (np.array([[51, 47], [42, 41]]), np.array([0.5, 1], np.float32)),
    (["QhQd", "AsKs"], np.array([1.0, 0.5])),
]


@pytest.mark.parametrize("held", RANGES, ids=repr)
def test_every_form_of_a_range_with_weights(held: Any) -> None:
    result = equity([held, "TT"], BOARD)
    assert result.scale == 2
    assert result.counts == equity(["AsKs:0.5, QhQd", "TT"], BOARD).counts
    assert result.players == (str(Range("QhQd, AsKs:0.5")), "TT")


@pytest.mark.parametrize(
    "held",
    [
        "AsKs, QhQd",
        ["AsKs", "QhQd"],
        ("AsKs", "QhQd"),
        ((51, 47), (42, 41)),
        [("As", "Ks"), ["Qd", "Qh"]],
        [(51, 47), "QhQd"],
        np.array([[51, 47], [42, 41]], np.uint8),
        np.array(["AsKs", "QhQd"]),
        {"AsKs": 1, "QhQd": 1},
    ],
    ids=repr,
)
def test_every_form_of_combos(held: Any) -> None:
    assert equity([held, "TT"], BOARD).counts == equity([Range("AsKs, QhQd"), "TT"], BOARD).counts


def test_an_array_of_players() -> None:
    hands: Any = np.array([[51, 47], [42, 41]])
    assert equity(hands, BOARD).counts == equity(["AsKs", "QhQd"], BOARD).counts
    assert equity(hands[:, np.newaxis], BOARD).counts == equity([["AsKs"], ["QhQd"]], BOARD).counts


@pytest.mark.parametrize(
    "board",
    [
        "2c7d9h",
        "2c 7d 9h",
        "2c,7d,9h",
        "2♣7♦9♥",
        ["2c", "7d", "9h"],
        (0, 21, 30),
        [0, 21, 30],
        np.array([0, 21, 30]),
        ["9h", "2c", "7d"],
    ],
    ids=repr,
)
def test_every_form_of_a_board_and_of_dead_cards(board: Any) -> None:
    expected = equity(["AsKs", "QQ"], "2c 7d 9h", "Qd")
    assert equity(["AsKs", "QQ"], board, "Qd").counts == expected.counts
    as_dead = equity(["AsKs", "QQ"], "Qd Js Ts", board)
    assert as_dead.counts == equity(["AsKs", "QQ"], "Qd Js Ts", "2c 7d 9h").counts
    assert sorted(pokernel.parse_cards(as_dead.dead)) == [0, 21, 30]


@pytest.mark.parametrize("none", ["", "  ", None, [], (), np.array([], np.uint8)], ids=repr)
def test_no_board_and_no_dead_cards(none: Any) -> None:
    result = equity(["AsKs", "QQ"], none, none)
    assert (result.board, result.dead, result.total) == ("", "", 6 * 1_712_304)


def test_what_is_given_stays_as_it_is() -> None:
    held = {"AsKs": 0.5, "QhQd": 1.0}
    cards, weights = np.array([[51, 47], [42, 41]]), np.array([0.5, 1])
    board = [0, 21, 30]
    equity([held, (cards, weights), "TT"], board)
    assert held == {"AsKs": 0.5, "QhQd": 1.0}
    assert cards.tolist() == [[51, 47], [42, 41]]
    assert weights.tolist() == [0.5, 1]
    assert board == [0, 21, 30]


# ---- what is refused -------------------------------------------------------------------------------------------------

NOBODY = Range("AA") - Range("AA")
REFUSED: list[tuple[Any, Any, Any, type[Exception], str]] = [
    # no card
    (["AsKx", "QQ"], "", "", RangeError, r"player 0: .*'AsKx'"),
    (["QQ", ["As", "Kx"]], "", "", CardError, r"player 1: .*'Kx'"),
    (["QQ", [51, 52]], "", "", CardError, r"player 1: .*52 is no card"),
    (["QQ", np.array([-1, 3])], "", "", CardError, r"player 1: .*-1 is no card"),
    (["QQ", "TT", [(51, 50), (51, 99)]], "", "", CardError, r"player 2: combo 1: 99"),
    (["AsKs", "QQ"], "2c 7x", "", CardError, r"board: .*position 3 of '2c 7x'"),
    (["AsKs", "QQ"], "", "7x", CardError, r"dead: .*'7x'"),
    (["AsKs", "QQ"], [0, 52, 3], "", CardError, r"board: 52 is no card"),
    (["AsKs", "QQ"], [0, -1, 3], "", CardError, r"board: -1 is no card"),
    (["AsKs", "QQ"], "", np.array([300]), CardError, r"dead: 300 is no card"),
    # a card twice
    (["AsAs", "QQ"], "", "", PokernelError, r"player 0: .*As twice"),
    (["QQ", [51, 51]], "", "", DuplicateCardError, r"player 1: .*As twice"),
    (["QQ", ("As", "As")], "", "", DuplicateCardError, r"player 1: As twice"),
    (["AsKs", "QQ"], "2c 2c 3d", "", DuplicateCardError, r"board: 2c twice"),
    (["AsKs", "QQ"], [0, 0, 5], "", DuplicateCardError, r"2c is twice on the board"),
    (["AsKs", "QQ"], "", "2c 3d 2c", DuplicateCardError, r"dead: 2c twice"),
    (["AsKs", "QQ"], "2c 3d", "2c", DuplicateCardError, r"2c is on the board and dead"),
    (["AsKs", "AsQs"], "", "", DuplicateCardError, r"players 0 and 1 both hold As"),
    (["QQ", "AsKs", "AKs", "QsKs"], "", "", DuplicateCardError, r"players 1 and 3 both hold Ks"),
    (["AsKs", "QQ"], "3d As", "", DuplicateCardError, r"player 0: As is on the board"),
    (["QQ", "AsKs"], "", "Ks", DuplicateCardError, r"player 1: Ks is dead"),
    # sizes
    ([], "", "", HandSizeError, r"2 to 10 players, not 0"),
    (["AA"], "", "", HandSizeError, r"2 to 10 players, not 1"),
    (["AA"] * 11, "", "", HandSizeError, r"2 to 10 players, not 11"),
    (["AsKs", "QQ"], "2c3c4c5c6c7c", "", HandSizeError, r"a board has 5 cards at most, not 6"),
    (["AsKs", "QQ"], list(range(6)), "", HandSizeError, r"a board has 5 cards at most, not 6"),
    (["AsKs", "AhKh"], "", list(range(45)), DealError, r"45 dead cards are more than the deck"),
    (["AA", "AsKsQs"], "", "", RangeError, r"player 1: .*'AsKsQs'"),
    (["AA", "As"], "", "", RangeError, r"player 1: .*'As'"),
    (["AA", np.array([51, 50, 49])], "", "", RangeError, r"player 1: .*\(n, 2\)"),
    (["AA", ["As"]], "", "", RangeError, r"player 1: .*two cards, not 1"),
    # ranges
    (["AA", "foo"], "", "", RangeError, r"player 1: .*'foo'"),
    (["AA", "random", "QQ++"], "", "", RangeError, r"player 2: .*'QQ\+\+'"),
    (["", "AA"], "", "", RangeError, r"player 0: "),
    (["AA", "QQ:2"], "", "", RangeError, r"player 1: .*weight"),
    (["AA", (["QsQh"], [2.0])], "", "", RangeError, r"player 1: weight 0: 2.0"),
    (["AA", {"QsQh": float("nan")}], "", "", RangeError, r"player 1: weight 0: nan"),
    (["AA", {"QsQh": 0.5, "JsJh": -0.5}], "", "", RangeError, r"player 1: weight 1: -0.5"),
    (["AA", {"QsQh": "x"}], "", "", TypeError, r"player 1: weights"),
    (["AA", (["QsQh"], [1, 1])], "", "", RangeError, r"player 1: .*weights"),
    (["AA", ["QsQh", "QhQs"]], "", "", RangeError, r"player 1: QsQh twice: combos 0 and 1"),
    # nothing to hold
    (["AA", NOBODY], "", "", DealError, r"player 1: an empty range"),
    (["AA", "0%"], "", "", DealError, r"player 1: an empty range"),
    ([[], "AA"], "", "", DealError, r"player 0: an empty range"),
    (["AA", {"QsQh": 0}], "", "", DealError, r"player 1: an empty range"),
    (["AA", "KK"], "AsAhAd", "", DealError, r"player 0: no hand of 'AA' is left beside the board and dead cards"),
    (["KK", "AA"], "As", "AhAd", DealError, r"player 1: no hand of 'AA' is left beside the board"),
    (["AsAh", "AA"], "", "Ad", DealError, r"player 1: no hand of 'AA' is left beside the other players"),
    (["AA"] * 3, "", "", DealError, r"cannot be dealt together"),
    (["AA", "AA", "AK"], "", "", DealError, r"cannot be dealt together"),
    (["AA", "AA", "AsKs"], "", "", DealError, r"cannot be dealt together"),
    (["AK"] * 5, "", "", DealError, r"cannot be dealt together"),
    (["AA", "KK", "AK"], "As Ks", "Ah Kh", DealError, r".*"),
    (["QQ+"] * 7, "", "", DealError, r"cannot be dealt together"),
    (["22-55"] * 9, "", "", DealError, r"cannot be dealt together"),
    # wrong types
    *(
        (players, "", "", TypeError, rf"players must be .*not {type(players).__name__}")
        for players in ("AA KK", b"AA", None, 5, {"AA": 1}, {"AA", "KK"}, Range("AA"), iter(["AA", "KK"]))
    ),
    *(
        (["AA", other], "", "", TypeError, r"player 1: ")
        for other in (5, 5.5, None, True, object(), b"AsKs", [True, False])
    ),
    *(
        (["AA", other], "", "", TypeError, r"player 1: ")
        for other in ([51.0, 50.0], np.array([51.0, 50.0]), [51], {51, 50})
    ),
    (["AA", ("QhQd", 0.5)], "", "", TypeError, r"player 1: combo 1: .* not float; weights come after all combos"),
    *((["AA", "KK"], other, "", TypeError, "board") for other in (5, 2.5, True, [2.0, 3.0], [True], {"2c"}, b"2c")),
    *((["AA", "KK"], "", other, TypeError, "dead") for other in (5, 2.5, False, [2.0], [Decimal(3)], {"2c"})),
    (["AA", "KK"], np.array([1.0]), "", TypeError, "board"),
    (["AA", "KK"], [[1, 2, 3]], "", TypeError, "board"),
    (["AA", "KK"], "", np.array([[1, 2, 3]]), TypeError, "dead"),
]


@pytest.mark.parametrize(("players", "board", "dead", "kind", "message"), REFUSED)
def test_what_is_refused(players: Any, board: Any, dead: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        equity(players, board, dead)
    assert re.search(message, str(error.value)), str(error.value)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, PokernelError) or kind is TypeError


@pytest.mark.parametrize(
    ("option", "kind"),
    [
        *(({"method": method}, PokernelError) for method in ("foo", "", None, 5, "EXACT", ["exact"])),
        *(({"trials": trials}, PokernelError) for trials in (0, -1, np.int64(-3))),
        *(({"trials": trials}, TypeError) for trials in (1.5, True, "5", Decimal(5))),
        *(
            ({"target_error": error}, PokernelError)
            for error in (0, 1, -0.1, float("nan"), float("inf"), np.float64(2))
        ),
        *(({"target_error": error}, TypeError) for error in ("0.1", True, [0.1])),
        *(({"seed": seed}, PokernelError) for seed in (-1, np.int64(-1))),
        *(({"seed": seed}, TypeError) for seed in (1.0, True, "1", [1])),
        *(({"threads": threads}, PokernelError) for threads in (0, -1)),
        *(({"threads": threads}, TypeError) for threads in (1.0, True, "2")),
    ],
    ids=repr,
)
def test_options_that_are_refused(option: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind) as error:
        equity(["AA", "KK"], BOARD, **option)
    assert str(error.value).startswith(next(iter(option)))
    assert "\n" not in str(error.value)


def test_options_of_numpy() -> None:
    options: dict[str, Any] = {"trials": np.int16(500), "seed": np.uint64(2**63), "threads": np.int8(2)}
    options["target_error"] = np.float32(0.5)
    result = equity(["AA", "KK"], method="monte-carlo", **options)
    assert (result.trials, result.seed) == (500, 2**63)
    assert type(result.seed) is int


# ---- whether it can be dealt -----------------------------------------------------------------------------------------


@settings(max_examples=120)
@given(
    st.lists(
        st.sets(st.sampled_from(sorted(holdings("AA, AsKs, AhKh, KK"))), min_size=1, max_size=5), min_size=2, max_size=6
    )
)
def test_whether_ranges_of_a_few_cards_can_be_dealt(ranges: list[set[Hand]]) -> None:
    players = [dict.fromkeys(held, 1) for held in ranges]
    deals = compatible_deals(players, [0, 1, 2, 4, 5])
    if deals:
        assert ask(players, 1, [0, 1, 2, 4, 5]).total == deals
    else:
        with pytest.raises(PokernelError):
            ask(players, 1, [0, 1, 2, 4, 5])
