"""Who wins: strengths, winners and shares of whole deals, and deals that are none."""

import copy
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import pokernel
from pokernel import CardError, DuplicateCardError, HandSizeError, PotError, Showdown, evaluate, showdown, winners

Cards = NDArray[Any]


def deal(rng: np.random.Generator, n: int, seats: int) -> tuple[Cards, Cards]:
    """Boards and holes of shuffled decks."""
    decks = np.argsort(rng.random((n, 52)), axis=1).astype(np.uint8)
    return decks[:, :5].copy(), decks[:, 5 : 5 + 2 * seats].reshape(n, seats, 2).copy()


def by_hand(board: list[int], holes: list[list[int]], live: list[bool]) -> tuple[list[int], list[bool], list[Fraction]]:
    keys = [naive.best_key([*board, *hole]) if in_play else None for hole, in_play in zip(holes, live, strict=True)]
    best = max(key for key in keys if key is not None)
    ways = keys.count(best)
    strengths = [naive.numbering()[key] if key is not None else 0 for key in keys]
    return strengths, [key == best for key in keys], [Fraction(key == best, ways) for key in keys]


@st.composite
def deals(draw: st.DrawFn) -> tuple[list[int], list[list[int]], list[bool]]:
    seats = draw(st.integers(1, 9))
    size = 5 + 2 * seats
    suits = draw(st.sampled_from([range(52), range(28), range(3, 52, 4)]))  # all; low cards, often tied; one suit first
    pool = [*suits, *(card for card in range(52) if card not in suits)]
    cards = draw(st.permutations(pool[: max(size, len(suits))]))[:size]
    live = draw(st.lists(st.booleans(), min_size=seats, max_size=seats).filter(any))
    return cards[:5], [cards[i : i + 2] for i in range(5, size, 2)], live


def test_one_deal() -> None:
    result = showdown("2c 7d 9h Js 3c", ["AsAh", "KsKh", "AdAc"])
    assert isinstance(result, Showdown)
    assert result.strengths.dtype == np.uint16
    assert result.strengths.tolist() == [4028, 3808, 4028]
    assert result.winners.dtype == np.bool_
    assert result.winners.tolist() == [True, False, True]
    assert isinstance(result.ways, int)
    assert result.ways == 2
    assert result.shares.tolist() == [0.5, 0, 0.5]
    assert result.exact_shares.tolist() == [Fraction(1, 2), 0, Fraction(1, 2)]


@pytest.mark.parametrize(
    ("board", "holes", "winning"),
    [
        ("As Ks Qs Js Ts", ["2c2d", "AhAd", "9s8s"], [0, 1, 2]),  # the royal flush lies on the board
        ("8s 4s 3s Kd 7c", ["Qs2s", "9sJs"], [0]),
        ("5c 6h 7s 8h Kd", ["9dAs", "4c4d", "9h9s"], [0, 2]),
        ("AsAcKhKd2c", ["QsJs", "Qd3h", "2d2h", "3s3d"], [2]),  # the third pair: a full house of twos is none
        ("AsAcKhKdQc", ["2s3s", "JsJd"], [0, 1]),
        ("2c3c4c5cAc", ["6c7d", "Kc Qd", "6d6h"], [0]),
    ],
)
def test_rules(board: str, holes: list[str], winning: list[int]) -> None:
    forms: list[tuple[Any, Any]] = [
        (board, holes),
        (pokernel.parse_cards(board), [pokernel.parse_cards(hole) for hole in holes]),
        (np.array(pokernel.parse_cards(board)), pokernel.parse_hands(holes)),
        (pokernel.format_cards(pokernel.parse_cards(board), ","), pokernel.parse_hands(holes).tolist()),
    ]
    for form in forms:
        assert np.flatnonzero(showdown(*form).winners).tolist() == winning
    many = showdown([board, board], [holes, holes])
    assert [np.flatnonzero(row).tolist() for row in many.winners] == [winning] * 2


@given(deals())
def test_as_by_hand(given_deal: tuple[list[int], list[list[int]], list[bool]]) -> None:
    board, holes, live = given_deal
    strengths, winning, shares = by_hand(board, holes, live)
    one = showdown(board, holes, live=live)
    many = showdown(np.array([board], np.uint8), np.array([holes], np.uint8), live=live)
    for result in (one, showdown(board, [hole if kept else None for hole, kept in zip(holes, live, strict=True)])):
        assert result.strengths.tolist() == strengths
        assert result.winners.tolist() == winning
        assert result.exact_shares.tolist() == shares
        assert result.exact_shares.sum() == 1
        assert result.shares.tolist() == [float(share) for share in shares]
    for name in ("strengths", "winners", "ways", "shares", "exact_shares"):
        assert np.array_equal(getattr(many, name), [getattr(one, name)])


@pytest.mark.parametrize("seats", [1, 2, 6, 10, 23])
def test_arrays(seats: int, rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 2000, seats)
    result = showdown(boards, holes)
    strengths = evaluate(holes, boards[:, np.newaxis])
    np.testing.assert_array_equal(result.strengths, strengths)
    np.testing.assert_array_equal(result.winners, strengths == strengths.max(axis=1, keepdims=True))
    np.testing.assert_array_equal(result.ways, result.winners.sum(axis=1))
    live = rng.random((2000, seats)) < 0.5
    live[:, 0] |= ~live.any(axis=1)
    folded = showdown(boards, np.where(live[..., np.newaxis], holes, 255), live=live)
    np.testing.assert_array_equal(folded.strengths, np.where(live, strengths, 0))
    np.testing.assert_array_equal(folded.winners, folded.strengths == folded.strengths.max(axis=1, keepdims=True))
    for row in range(25):
        expected = by_hand(boards[row].tolist(), holes[row].tolist(), live[row].tolist())
        assert folded.strengths[row].tolist() == expected[0]
        assert folded.winners[row].tolist() == expected[1]
        assert folded.exact_shares[row].tolist() == expected[2]


def test_every_kind_of_hand_by_deals(rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 50_000, 3)
    expected = naive.strengths(np.concatenate([np.repeat(boards, 3, axis=0), holes.reshape(-1, 2)], axis=1))
    np.testing.assert_array_equal(showdown(boards, holes).strengths.reshape(-1), expected)


def test_shares_are_exact_over_deals(rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 500, 3)
    boards[:, :] = pokernel.parse_cards("AsKsQsJsTs")
    holes[:] = pokernel.parse_hands(["2c2d", "3c3d", "4c4d"])
    shares = showdown(boards, holes).exact_shares
    assert shares.sum(axis=0).tolist() == [Fraction(500, 3)] * 3
    assert (shares.sum(axis=1) == 1).all()


LAYOUTS: dict[str, Callable[[Cards], Cards]] = {
    "as it is": lambda cards: cards,
    "columns": np.asfortranarray,
    "backwards": lambda cards: cards[::-1, ..., ::-1].copy()[::-1, ..., ::-1],
    "part of more": lambda cards: np.concatenate([cards, cards + 60], axis=-1)[..., : cards.shape[-1]],
    "every second": lambda cards: np.repeat(cards, 2, axis=0)[::2],
    "big end first": lambda cards: cards.astype(">i4"),
    "unaligned": lambda cards: np.frombuffer(b"!" + cards.astype("<i8").tobytes(), "<i8", offset=1).reshape(
        cards.shape
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", "<i8", ">u8"])
def test_layouts_and_dtypes(layout: Callable[[Cards], Cards], dtype: str, rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 300, 4)
    live = rng.random((300, 4)) < 0.8
    live[:, 2] = True
    expected = showdown(boards, holes, live=live)
    given = layout(boards.astype(dtype)), layout(holes.astype(dtype))
    found = showdown(*given, live=np.asfortranarray(live))
    np.testing.assert_array_equal(found.strengths, expected.strengths)
    np.testing.assert_array_equal(found.winners, expected.winners)
    np.testing.assert_array_equal(showdown(*given).strengths, evaluate(holes, boards[:, np.newaxis]))


def test_arguments_broadcast(rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 60, 3)
    result = showdown(boards.reshape(3, 4, 5, 5), holes.reshape(3, 4, 5, 3, 2))
    np.testing.assert_array_equal(result.strengths.reshape(60, 3), showdown(boards, holes).strengths)
    assert result.ways.shape == (3, 4, 5)
    hole = pokernel.parse_hands(["AsKs", "2c2d"])
    clear = boards[~np.isin(boards, hole).any(axis=1)]
    one_hole = showdown(clear, hole)
    np.testing.assert_array_equal(one_hole.strengths, evaluate(hole, clear[:, np.newaxis]))
    np.testing.assert_array_equal(showdown(clear, ["AsKs", "2c2d"]).winners, one_hole.winners)
    np.testing.assert_array_equal(showdown(clear, ["AsKs", None]).strengths[:, 0], one_hole.strengths[:, 0])
    others = holes[~np.isin(holes, boards[0]).any(axis=(1, 2))]
    one_board = showdown(boards[0], others, live=[True, False, True])
    np.testing.assert_array_equal(one_board.strengths[:, [0, 2]], evaluate(others[:, [0, 2]], boards[0]))
    masks = showdown(boards[0], holes[0], live=[[True, True, True], [False, True, False]])
    assert (masks.strengths > 0).tolist() == [[True, True, True], [False, True, False]]


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 4)])
def test_no_deals(shape: tuple[int, ...]) -> None:
    result = showdown(np.empty((*shape, 5), np.uint8), np.empty((*shape, 6, 2), np.uint8))
    assert result.strengths.shape == result.winners.shape == result.shares.shape == (*shape, 6)
    assert result.ways.shape == shape
    assert showdown("2c 7d 9h Js 3c", np.empty((0, 2, 2), int), live=np.empty((0, 2), bool)).winners.shape == (0, 2)


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_blocks_and_threads(threads: int | None, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    boards, holes = deal(rng, 1000, 3)
    expected = showdown(boards, holes).strengths
    monkeypatch.setattr(winners, "AT_ONCE", 50)
    np.testing.assert_array_equal(showdown(boards, holes, threads=threads).strengths, expected)
    wide = holes.astype(np.int64)
    np.testing.assert_array_equal(showdown(boards, wide, threads=threads).strengths, expected)
    wide[[421, 700], 1] = wide[[421, 700], 0]
    card = pokernel.format_card(wide[421, 0, 0])
    words = rf"^row 421: {card} \({wide[421, 0, 0]}\) is both in seat 0 and in seat 1 \(2 of 1000 rows are bad\)$"
    with pytest.raises(DuplicateCardError, match=words):
        showdown(boards, wide, threads=threads)
    with pytest.raises(DuplicateCardError, match=r"^row \(4, 21\): "):
        showdown(boards.reshape(10, 100, 5), wide.reshape(10, 100, 3, 2), threads=threads)
    wide[[421, 700], 1] = -1
    live = np.ones((1000, 3), bool)
    live[[421, 700], 1] = False
    masked = showdown(boards, wide, live=live, threads=threads).strengths
    np.testing.assert_array_equal(masked, np.where(live, expected, 0))


BOARD = "2c 7d 9h Js 3c"


@pytest.mark.parametrize(
    ("board", "holes", "live", "kind", "words"),
    [
        (BOARD, ["AsAh", "KsAs"], None, DuplicateCardError, r"^As \(51\) is both in seat 0 and in seat 1$"),
        (BOARD, ["AsAh", "Ks2c"], None, DuplicateCardError, r"^2c \(0\) is both on the board and in seat 1$"),
        (BOARD, [(51, 51), (1, 2)], None, DuplicateCardError, r"^As \(51\) is twice in seat 0$"),
        ((0, 1, 2, 3, 0), ["AsAh"], None, DuplicateCardError, r"^2c \(0\) is twice on the board$"),
        (BOARD, ["AsAs"], None, DuplicateCardError, "As"),
        (BOARD, [(51, 52)], None, CardError, "^52 in seat 0 is no card, cards are 0 to 51$"),
        (BOARD, [(51, -1)], None, CardError, "-1 in seat 0"),
        (np.array([0, 1, 2, 3, 300]), ["AsAh"], None, CardError, "300 at position 4"),
        (BOARD, ["AsAh", None], [True, True], CardError, "^seat 1 is live, but its cards are None$"),
        (BOARD, ["AsAh", "KsKh"], [False, False], PotError, "^nobody is live$"),
        (BOARD, [None, None], None, PotError, "nobody is live"),
        ("2c 7d 9h Js", ["AsAh"], None, HandSizeError, "a board has 5 cards at a showdown, not 4"),
        (BOARD, ["AsAhAd"], None, HandSizeError, "^seat 0: two cards expected, not 3$"),
        (BOARD, ["As", "Ah"], None, HandSizeError, r"shape \(..., players, 2\), not \(2,\)"),
        (BOARD, "AsAh", None, HandSizeError, r"not \(2,\)"),
        (BOARD, ["As", None], None, HandSizeError, "^seat 0: two cards expected, not 1$"),
        (BOARD, [], None, HandSizeError, r"not \(0, 0\)"),
        (BOARD, np.zeros((3, 0, 2), int), None, HandSizeError, "1 to 23 seats, not 0"),
        (BOARD, np.zeros((24, 2), int), None, HandSizeError, "1 to 23 seats, not 24"),
        (BOARD, ["AsAh", "KsKh"], [True], HandSizeError, r"live has shape \(1,\) for 2 seats"),
        (BOARD, ["AsAh", "KsKh"], True, HandSizeError, r"live has shape \(\)"),
        (
            [BOARD] * 3,
            [["AsAh"]] * 2,
            None,
            HandSizeError,
            r"do not go together: leading shapes \(\(3,\), \(2,\), \(\)\)",
        ),
        (BOARD, [[1.0, 2.0]], None, TypeError, "float"),
        (BOARD, np.zeros((1, 2)), None, TypeError, "holes must be an integer array"),
        (np.zeros(5), ["AsAh"], None, TypeError, "board must be an integer array"),
        (None, ["AsAh"], None, TypeError, "board"),
        (BOARD, None, None, TypeError, "holes"),
    ],
)
def test_what_is_no_deal(board: Any, holes: Any, live: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        showdown(board, holes, live=live)


PAIRS = [(51, 50), (47, 46)]


@pytest.mark.parametrize(
    ("holes", "kind", "words"),
    [
        (["AsAh", "KK"], CardError, "seat 1: no card at position 0 of 'KK': 'KK'"),
        (["AsAh", None, "KK", "xx"], CardError, "seat 2: no card at position 0 of 'KK': 'KK'"),
        (["QQ+", "AsAh"], CardError, "seat 0: no card at position 0 of 'QQ+': 'QQ+'"),
        (["AsAh", ""], CardError, "seat 1: no card in ''"),
        (["xx"], CardError, "seat 0: no card at position 0 of 'xx': 'xx'"),
        (["AsAx"], CardError, "seat 0: no card at position 2 of 'AsAx': 'Ax'"),
        (["KsKh", "AsAs"], DuplicateCardError, "seat 1: As twice in 'AsAs': at positions 0 and 2"),
        (["AsAh", "KsKhQs"], HandSizeError, "seat 1: two cards expected, not 3"),
        (["As", "KsKh"], HandSizeError, "seat 0: two cards expected, not 1"),
        ("AsAh", HandSizeError, "holes have two cards for each seat, .*, not (2,); those of one seat are a list of one hand"),
        (["As", "Ah"], HandSizeError, "holes have two cards for each seat, .*, not (2,); those of one seat are"),
        ([["As", "Ah"], ["Ks", "xx"]], CardError, "seat 1: item 1: no card at position 0 of 'xx': 'xx'"),
        ([*PAIRS, (5,)], HandSizeError, "seat 2: two cards expected, not 1"),
        ([*PAIRS, ()], HandSizeError, "seat 2: two cards expected, not 0"),
        ([*PAIRS, (5, 2**70)], CardError, f"seat 2: {2**70} is no card, cards are 0 to 51"),
        ([None, 5], TypeError, "seat 1: its cards must be a text"),
        ([None, (5, True)], TypeError, "seat 1: item 1 of its cards must be an int, not a bool"),
        ([None, (5.0, 1.0)], TypeError, "seat 1: item 0 of its cards must be"),
        (np.array(["AsAh", "KK"]), CardError, "seat 1: no card at position 0 of 'KK': 'KK'"),
        ([["AsAh", "KsKh"], ["AdAc", "KK"]], CardError, "row 1, seat 1: no card at .* of 'KK': 'KK' (1 of 2 rows is bad)"),
        ([["AsAh", None], ["x", "y"], ["", None]], CardError, "row 1, seat 0: .* 'x': 'x' (2 of 3 rows are bad)"),
        ([[["AsAh"], [None]], [["KsKh"], ["KK"]]], CardError, "row (1, 1), seat 0: .* (1 of 4 rows is bad)"),
        ([PAIRS, [(51, 50), (47,)]], HandSizeError, "row 1, seat 1: two cards expected, not 1 (1 of 2 rows is bad)"),
        ([PAIRS, ["AsAh", {}]], TypeError, "row 1, seat 1: its cards must be .*, not dict (1 of 2 rows is bad)"),
        ([["AsAh", "KsKh"], ["AdAc"]], HandSizeError, "row 1 of holes has length 1, row 0 has length 2: they must be alike"),
        ([["AsAh", "KsKh"], "AdAc"], HandSizeError, "row 1 of holes is no sequence of seats as the first is, but a seat, 'AdAc'"),
        ([["AsAh", "KsKh"], None], HandSizeError, "row 1 of holes .* None: it stands for the cards of a seat"),
        ([PAIRS, None], HandSizeError, "row 1 of holes .* None: it stands for the cards of a seat"),
        ([np.zeros((2, 2)), None], TypeError, "row 0 of holes must be an integer array, .* dtype float64; convert"),
        ([None, np.ma.masked_array([1, 2])], TypeError, "seat 1: its cards must not be a masked array"),
        (np.array(PAIRS, object), TypeError, "holes must be an integer array, .* dtype object; convert it, say with .astype(numpy.uint8)"),
        (np.array(PAIRS, float), TypeError, "holes must be an integer array, .* float64; convert it, say with .astype(numpy.uint8)"),
    ],
)  # fmt: skip
def test_holes_are_refused_by_deal_and_seat(holes: Any, kind: type[Exception], words: str) -> None:
    pattern = re.escape(words).replace(r"\.\*", ".*")
    with pytest.raises(kind, match=f"^{pattern}"):
        showdown(BOARD, holes)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("xx", "^board: no card at position 0 of 'xx'"),
        (["2c 7d 9h Js 3c", "xx"], r"^board: row 1: no card at .* \(1 of 2 rows is bad\)$"),
        ((0, 1, 2, 3, 52), "^board: 52 at position 4 is no card"),
    ],
)
def test_boards_are_refused_by_name(board: Any, words: str) -> None:
    with pytest.raises(CardError, match=words):
        showdown(board, ["AsAh", "KK"])


def test_a_list_that_holds_itself() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(HandSizeError, match="nested more than 32 deep"):
        showdown(BOARD, endless)


@given(st.lists(deals(), min_size=1, max_size=4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_none_in_lists_of_deals(given_deals: list[Any], more: int, random: Any) -> None:
    """Folded seats as None, in every form that a seat may have, alike deal by deal and all at once."""
    most = max(len(holes) for _, holes, _ in given_deals)
    boards, holes = [board for board, _, _ in given_deals], []
    for _, cards, live in given_deals:
        forms: list[Callable[[list[int]], Any]] = [
            *(tuple, list, np.array, lambda seat: np.array(seat, np.uint8)),
            *(pokernel.format_cards, lambda seat: [pokernel.format_card(card) for card in seat]),
        ]
        seats = [random.choice(forms)(seat) if kept else None for seat, kept in zip(cards, live, strict=True)]
        holes.append(seats + [None] * (most + more - len(seats)))
    ones = [showdown(board, seats) for board, seats in zip(boards, holes, strict=True)]
    for form in (holes, tuple(map(tuple, holes)), [holes]):
        many = showdown(boards, form)
        assert many.strengths.tolist() in (
            [one.strengths.tolist() for one in ones],
            [[one.strengths.tolist() for one in ones]],
        )
    for (board, cards, live), one in zip(given_deals, ones, strict=True):
        none = [False] * (most + more - len(live))
        assert one.strengths.tolist() == by_hand(board, cards + [[]] * len(none), live + none)[0]


def test_none_in_arrays_of_objects_and_of_deals() -> None:
    texts = np.array([["AsAh", None, "KsKh"], [None, "AdAc", None]], object)
    expected = [[4028, 0, 3808], [0, 4028, 0]]
    pairs = [[pokernel.parse_cards(text) if text else None for text in row] for row in texts]
    for holes in (texts, list(texts), texts.tolist(), pairs, [pairs[0], texts[1]]):
        assert showdown(BOARD, holes).strengths.tolist() == expected
        assert showdown([BOARD, BOARD], holes, live=[[True, False, False], [False, True, False]]).ways.tolist() == [
            1,
            1,
        ]
    array = np.array([[51, 50], [47, 46]])
    assert showdown(BOARD, [array, ["AdAc", None]]).strengths.tolist() == [[4028, 3808], [4028, 0]]
    assert showdown(BOARD, [["AdAc", None], array]).strengths.tolist() == [[4028, 0], [4028, 3808]]
    with pytest.raises(PotError, match=r"^row 1: nobody is live \(1 of 2 rows is bad\)$"):
        showdown(BOARD, [["AsAh", None], [None, None]])
    with pytest.raises(CardError, match=r"^row 0: seat 1 is live, but its cards are None \(2 of 2 rows are bad\)$"):
        showdown(BOARD, texts, live=[True, True, True])
    with pytest.raises(CardError, match=r"^row 2: seat 0 is live, but its cards are None \(1 of 3 rows is bad\)$"):
        showdown([BOARD] * 3, [None, "AsAh"], live=[[False, True], [False, True], [True, True]])
    with pytest.raises(HandSizeError, match=r"do not go together: leading shapes \(\(\), \(2,\), \(3,\)\)"):
        showdown(BOARD, texts, live=np.ones((3, 3), bool))


def test_numbers_of_folded_seats_are_not_looked_at_in_lists() -> None:
    for folded in ((51, 300), (-1, -1), (51, 51)):
        for more in ([], [None]):
            result = showdown(BOARD, [folded, "AsAh", *more], live=[False, True, *(False for _ in more)])
            assert result.strengths.tolist() == [0, 4028, *(0 for _ in more)]
    with pytest.raises(CardError, match=r"^300 in seat 0 is no card"):
        showdown(BOARD, [(51, 300), None])


NO_FLAGS: list[tuple[Any, str]] = [
    ([1, 0], r"a list of ints; if 0 and 1 are flags, say [bool(x) for x in live]"),
    ([np.int8(1), np.int8(0)], r"a list of int8s; if 0 and 1 are flags, say [bool(x) for x in live]"),
    ([[1, 0]], "a list of ints; if 0 and 1 are flags, say numpy.array(live, bool)"),
    ((1, 0), "a tuple of ints; if 0 and 1 are flags, say numpy.array(live, bool)"),
    (np.array([1, 0]), "an array of dtype int64; if 0 and 1 are flags, say live.astype(bool)"),
    (np.array([1, 0], object), "an array of dtype object; if 0 and 1 are flags, say live.astype(bool)"),
    ([0, 2], "a list of ints; numbers of seats are not read"),
    (np.array([0, 2]), "an array of dtype int64; numbers of seats are not read"),
    ([True, 1], "a list of bools and ints"),
    ([True, None], "a list of NoneTypes and bools"),
    (["1", "0"], "a list of strs"),
    ([1.0, 0.0], "a list of floats"),
    (np.array([1.0, 0.0]), "an array of dtype float64"),
    ("10", "a str"),
    (1, "an int; if 0 and 1 are flags, say numpy.array(live, bool)"),
    ({0, 1}, "a set"),
    (np.ma.masked_array([True, False]), "a MaskedArray of dtype bool"),
]


@pytest.mark.parametrize(("live", "found"), NO_FLAGS)
def test_flags_are_booleans(live: Any, found: str) -> None:
    pattern = f"^{re.escape(f'live must be a boolean array, one flag a seat, not {found}')}$"
    with pytest.raises(TypeError, match=pattern):
        showdown(BOARD, ["AsAh", "KsKh"], live=live)
    with pytest.raises(TypeError, match=pattern):
        pokernel.settle([1, 1], [1, 1], live)


def test_equal_by_value(rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 20, 3)
    many, one = showdown(boards, holes), showdown(boards[0], holes[0])
    for result, again in ((many, showdown(boards.astype(int), holes.tolist())), (one, showdown(boards[0], holes[0]))):
        for same in (again, pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert result == same
            assert (result != same) is False
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)
    assert one != many
    assert many != showdown(boards[::-1], holes[::-1])
    assert showdown(BOARD, ["AsAh", "KsKh"]) != showdown(BOARD, ["AsAh", "QsQh"])  # the same winners
    changed = copy.deepcopy(many)
    changed.winners[3, 1] ^= True
    assert many != changed
    assert one != (one.strengths, one.winners)
    assert one != pokernel.settle([1, 1], [1, 1], by_pot=True)


def test_rows_that_are_no_deals(rng: np.random.Generator) -> None:
    boards, holes = deal(rng, 50, 2)
    for dtype in (np.uint8, np.int64):
        for wrong in (52, 64, 128, 255, -1, 256, 300, 2**40):
            if not np.iinfo(dtype).min <= wrong <= np.iinfo(dtype).max:
                continue
            bad = holes.astype(dtype)
            bad[17, 1, 0] = wrong
            with pytest.raises(CardError, match=rf"^row 17: {wrong} in seat 1 is no card.* \(1 of 50 rows is bad\)$"):
                showdown(boards, bad)
            bad_boards = boards.astype(dtype)
            bad_boards[17, 4] = wrong
            with pytest.raises(CardError, match=rf"^row 17: {wrong} on the board is no card"):
                showdown(bad_boards, holes)
    for seat, place in ((0, 1), (1, 0)):
        for at in range(5):
            bad = holes.copy()
            bad[3, seat, place] = boards[3, at]
            with pytest.raises(DuplicateCardError, match=rf"^row 3: .* is both on the board and in seat {seat} "):
                showdown(boards, bad)
            live = np.ones((50, 2), bool)
            live[3, seat] = False
            assert showdown(boards, bad, live=live).strengths[3, seat] == 0
    live = np.ones((50, 2), bool)
    live[[8, 9]] = False
    with pytest.raises(PotError, match=r"^row 8: nobody is live \(2 of 50 rows are bad\)$"):
        showdown(boards, holes, live=live)


@given(st.integers(1, 23), st.integers(0, 2**32), st.data())
def test_no_duplicate_passes(seats: int, seed: int, data: st.DataObject) -> None:
    boards, holes = deal(np.random.default_rng(seed), 1, seats)
    cards = np.concatenate([boards, holes.reshape(1, -1)], axis=1)
    one, other = data.draw(st.lists(st.integers(0, 4 + 2 * seats), min_size=2, max_size=2, unique=True))
    cards[0, one] = cards[0, other]
    for form in (cards, cards[0]):
        with pytest.raises(DuplicateCardError, match=pokernel.format_card(int(cards[0, one]))):
            showdown(form[..., :5], form[..., 5:].reshape(*form.shape[:-1], seats, 2))


def test_threads_are_checked() -> None:
    for wrong in (0, -1):
        with pytest.raises(pokernel.PokernelError, match="threads must be at least 1"):
            showdown(BOARD, ["AsAh"], threads=wrong)
    with pytest.raises(TypeError, match="threads"):
        showdown(BOARD, ["AsAh"], threads=True)


def test_one_deal_needs_no_compiler(run_python: RunPython) -> None:
    ended = run_python(
        "import sys, pokernel\n"
        "result = pokernel.showdown('2c 7d 9h Js 3c', ['AsAh', None, 'AdAc'])\n"
        "assert result.exact_shares.sum() == 1\n"
        "assert 'numba' not in sys.modules\n"
    )
    assert ended.returncode == 0, ended.stderr


def test_the_function_stays_in_its_place(run_python: RunPython) -> None:
    """Importing a room must not put a module where the function was."""
    ended = run_python(
        "import pokernel.winners, pokernel.pots, pokernel.jit.showdown; assert callable(pokernel.showdown)"
    )
    assert ended.returncode == 0, ended.stderr
