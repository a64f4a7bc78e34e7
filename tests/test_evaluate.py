"""The friendly door: what it takes, the shape of what it gives, and what must not change the answer."""

import itertools
import os
import sys
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st
from layouts import DTYPES, LAYOUTS, deal
from modes import GUARD_PAGES, IS_IN_THIS_MODE, MODES
from numpy.typing import NDArray

import pokernel
from pokernel import evaluate
from pokernel.jit._compile import AVX2, _said

ROYAL = (51, 47, 43, 39, 35)
ONE_ROYAL_HAND = [
    "AsKsQsJsTs",
    "As Ks Qs Js Ts",
    "As,Ks,Qs,Js,Ts",
    "as ks qs js 10s",
    "A ♠K ♠Q ♠J ♠10♠",
    ["As", "Ks", "Qs", "Js", "Ts"],
    ("As", "Ks", "Qs", "Js", "Ts"),
    ROYAL,
    list(ROYAL),
    range(35, 52, 4),
    [np.uint8(card) for card in ROYAL],
    np.array(ROYAL, np.uint8),
    np.array(ROYAL),
    np.array(ROYAL, ">i4"),
]
cards = st.integers(0, 51)


def hands_of(*sizes: int) -> st.SearchStrategy[list[int]]:
    return st.sampled_from(sizes).flatmap(lambda k: st.lists(cards, min_size=k, max_size=k, unique=True))


def text(hand: Any) -> str:
    return "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in hand)


# ---- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ONE_ROYAL_HAND, ids=repr)
def test_one_hand_gives_an_int(hand: Any) -> None:
    strength = evaluate(hand)
    assert type(strength) is int
    assert strength == 7462


@given(hands_of(5, 6, 7))
def test_every_form_of_a_hand_has_the_oracles_strength(hand: list[int]) -> None:
    expected = naive.strength(hand)
    texts = [text([card]) for card in hand]
    one = [hand, tuple(hand), text(hand), " ".join(texts), texts, np.array(hand), np.array(hand, np.uint8)]
    assert [evaluate(form) for form in one] == [expected] * len(one)
    many = [[hand], [tuple(hand)], [text(hand)], [texts], [np.array(hand)], np.array([hand], np.int8), (hand,)]
    assert [evaluate(form).tolist() for form in many] == [[expected]] * len(many)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_a_sequence_of_hands_gives_uint16_of_its_length(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 50, k)
    expected = naive.strengths(hands)
    forms: list[Any] = [
        hands.tolist(),
        tuple(map(tuple, hands.tolist())),
        list(hands),
        [text(hand) for hand in hands],
        tuple(text(hand) for hand in hands),
        [[text([card]) for card in hand] for hand in hands],
    ]
    for form in forms:
        strengths = evaluate(form)
        assert isinstance(strengths, np.ndarray)
        assert strengths.dtype == np.uint16
        assert strengths.dtype.isnative
        np.testing.assert_array_equal(strengths, expected)


@pytest.mark.parametrize(
    "between",
    [
        ["As", "KsQsJsTs9s"],
        ["AsKs", "QsJs", "Ts"],
        ["AsKsQsJsTs", ["As", "Ks", "Qs", "Js", "Ts"]],
        ["AsKsQsJsTs", ROYAL],
        ["As", 47, 43, 39, 35],
        [51, 47, 43, 39, "Ts"],
        [51, [47, 43, 39, 35, 31]],
        [[ROYAL], ROYAL],
    ],
    ids=repr,
)
def test_anything_between_one_hand_and_many_is_refused(between: Any) -> None:
    with pytest.raises((pokernel.PokernelError, TypeError), match=r"card|hand"):
        evaluate(between)


TEXT_DTYPES: list[Any] = ["U", object]
if hasattr(np.dtypes, "StringDType"):
    TEXT_DTYPES.append(np.dtypes.StringDType())


@pytest.mark.parametrize("dtype", TEXT_DTYPES, ids=repr)
def test_arrays_of_texts_are_read_as_lists_are(dtype: Any, rng: np.random.Generator) -> None:
    one = np.array(["As", "Ks", "Qs", "Js", "10s"], dtype)
    assert type(evaluate(one)) is int
    assert evaluate(one) == evaluate(one.tolist()) == 7462
    assert evaluate(one[:2], one[2:]) == evaluate(np.array("AsKs", dtype), one[2:]) == 7462
    hands = deal(rng, 12, 7)
    expected = naive.strengths(hands)
    cards = np.array([[text([card]) for card in hand] for hand in hands], dtype)
    assert cards.shape == (12, 7)
    whole = np.array([text(hand) for hand in hands], dtype)
    for array in (cards, whole, cards[::-1][::-1], np.asfortranarray(cards)):
        np.testing.assert_array_equal(evaluate(array), expected)
    for array in (cards.reshape(3, 4, 7), whole.reshape(3, 4)):
        np.testing.assert_array_equal(evaluate(array), expected.reshape(3, 4))
    np.testing.assert_array_equal(evaluate(cards[:, :2], cards[:, 2:]), expected)
    np.testing.assert_array_equal(evaluate(cards[:, :2], hands[:, 2:]), expected)
    with pytest.raises(pokernel.CardError, match="row 3"):
        evaluate(np.array(["AsKsQsJsTs"] * 3 + ["AsKsQsJsTx"], dtype))
    with pytest.raises(pokernel.DuplicateCardError, match="As"):
        evaluate(np.array(["As", "Ks", "Qs", "Js", "As"], dtype))


@pytest.mark.parametrize("board", ["2c3c4c5c6c", range(5), None], ids=repr)
def test_an_array_of_no_texts_is_no_hands(board: Any) -> None:
    for dtype in TEXT_DTYPES[::2] if board is None else ["U4", "U1"]:
        strengths = evaluate(np.array([], dtype), board)
        assert (strengths.shape, strengths.dtype) == ((0,), np.uint16)


def test_lists_of_arrays(rng: np.random.Generator) -> None:
    hands = deal(rng, 6, 7)
    expected = naive.strengths(hands)
    for dtype in DTYPES:
        typed = hands.astype(dtype)
        for rows in (typed, np.asfortranarray(typed), typed[:, ::-1]):
            np.testing.assert_array_equal(evaluate(list(rows)), expected)
        np.testing.assert_array_equal(evaluate([typed[:3], typed[3:]]), expected.reshape(2, 3))
        np.testing.assert_array_equal(evaluate([list(typed[:3]), list(typed[3:])]), expected.reshape(2, 3))
        np.testing.assert_array_equal(evaluate(list(typed[:, :2]), list(typed[:, 2:])), expected)
    mixed: list[Any] = [hand.astype(dtype) for hand, dtype in zip(hands, ("u1", "<i8", "<u8", ">i4"), strict=False)]
    mixed += [tuple(hands[4].tolist()), text(hands[5])]
    np.testing.assert_array_equal(evaluate(mixed), expected)
    for ragged in (
        [hands[0], hands[1][:6]],
        [hands[0][:5], *hands[1:]],
        [hands[:2], hands[2:5]],
        [hands[0], hands[:1]],
    ):
        with pytest.raises(pokernel.HandSizeError):
            evaluate(ragged)


# ---- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [5, 6, 7])
@pytest.mark.parametrize("shape", [(0,), (1,), (3, 0), (0, 3), (2, 3), (3, 1, 5), (2, 3, 4, 5), (1, 1, 1, 1)])
def test_shape_is_the_inputs_without_its_last_axis(k: int, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    hands = deal(rng, int(np.prod(shape)), k)
    strengths = evaluate(hands.reshape(*shape, k))
    assert strengths.shape == shape
    assert strengths.dtype == np.uint16
    np.testing.assert_array_equal(strengths.ravel(), naive.strengths(hands))


@pytest.mark.parametrize("axes", list(itertools.permutations(range(4))))
def test_four_dimensions_in_every_memory_order(axes: tuple[int, ...], rng: np.random.Generator) -> None:
    hands = deal(rng, 2 * 3 * 5, 7).reshape(2, 3, 5, 7)
    laid_out = hands.transpose(axes).copy().transpose(np.argsort(axes))
    np.testing.assert_array_equal(evaluate(laid_out), naive.strengths(hands.reshape(-1, 7)).reshape(2, 3, 5))


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("dtype", ["u1", "<i8"])
def test_views_without_strides(dtype: str, threads: int | None, rng: np.random.Generator) -> None:
    hand = deal(rng, 1, 7)[0]
    one_hand_often = np.broadcast_to(hand.astype(dtype), (100_003, 7))
    np.testing.assert_array_equal(
        evaluate(one_hand_often, threads=threads), np.full(100_003, naive.strength(hand.tolist()))
    )
    column = np.broadcast_to(deal(rng, 40, 7).astype(dtype)[:, None], (40, 300, 7))
    np.testing.assert_array_equal(
        evaluate(column, threads=threads),
        np.broadcast_to(naive.strengths(column[:, 0].astype(np.uint8))[:, None], (40, 300)),
    )


def test_memory_mapped_hands(tmp_path: Any, rng: np.random.Generator) -> None:
    hands = deal(rng, 5000, 7)
    np.save(tmp_path / "hands.npy", hands)
    strengths = evaluate(np.load(tmp_path / "hands.npy", mmap_mode="r"))
    assert type(strengths) is np.ndarray
    np.testing.assert_array_equal(strengths, naive.strengths(hands))


# ---- hole cards and boards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holes", "board", "expected"),
    [
        ("AsKs", "QsJsTs2c3d", 7462),
        (["As", "Ks"], ["Qs", "Js", "Ts"], 7462),
        ((51, 47), (43, 39, 35, 0), 7462),
        ((51, 47), "QsJsTs2c3d", 7462),
        ("As", "KsQsJsTs2c", 7462),
        ("AsKsQsJs", "Ts2c3d", 7462),
        (np.array([51, 47]), [43, 39, 35, 0, 5], 7462),
    ],
    ids=repr,
)
def test_one_hole_and_one_board_give_an_int(holes: Any, board: Any, expected: int) -> None:
    strength = evaluate(holes, board)
    assert type(strength) is int
    assert strength == expected


@pytest.mark.parametrize(("k", "m"), [(2, 3), (2, 4), (2, 5), (1, 4), (1, 6), (4, 3), (3, 2), (5, 2), (6, 1), (5, 1)])
@pytest.mark.parametrize("dtypes", [("u1", "u1"), ("u1", "<i8"), (">u2", "i1"), ("<u8", "<i8")])
@pytest.mark.parametrize("threads", [1, 2])
def test_row_by_row(k: int, m: int, dtypes: tuple[str, str], threads: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 2500, k + m)
    strengths = evaluate(hands[:, :k].astype(dtypes[0]), hands[:, k:].astype(dtypes[1]), threads=threads)
    assert strengths.dtype == np.uint16
    np.testing.assert_array_equal(strengths, naive.strengths(hands))


def table_of(rng: np.random.Generator, tables: int, players: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Holes ``(tables, players, 2)`` and boards ``(tables, 5)`` without a common card on any table."""
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (tables, 1)), axis=1)
    return decks[:, 5 : 5 + 2 * players].reshape(tables, players, 2), decks[:, :5]


def joined(holes: Any, boards: Any) -> NDArray[np.uint16]:
    shape = np.broadcast_shapes(holes.shape[:-1], boards.shape[:-1])
    hands = np.concatenate([np.broadcast_to(part, (*shape, part.shape[-1])) for part in (holes, boards)], axis=-1)
    return naive.strengths(hands.reshape(-1, hands.shape[-1])).reshape(shape)


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("streets", [3, 4, 5])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_holes_and_boards_broadcast(layout: Any, streets: int, threads: int | None, rng: np.random.Generator) -> None:
    holes, boards = table_of(rng, 1200, 6)
    boards = layout(boards[:, :streets])
    players = layout(holes.reshape(-1, 2)).reshape(1200, 6, 2)
    expected = joined(holes, boards[:, None])
    np.testing.assert_array_equal(evaluate(players, boards[:, None], threads=threads), expected)
    np.testing.assert_array_equal(evaluate(players.swapaxes(0, 1), boards, threads=threads), expected.T)
    np.testing.assert_array_equal(evaluate(players[0], boards[0], threads=threads), expected[0])
    np.testing.assert_array_equal(evaluate(players[0, 0], boards[:1], threads=threads), expected[0, :1])
    np.testing.assert_array_equal(evaluate(players[:1, 0], boards[0], threads=threads), expected[0, :1])


def test_one_hole_against_many_boards(rng: np.random.Generator) -> None:
    hands = np.sort(deal(rng, 9000, 5), axis=1)
    boards = hands[(hands[:, -1] < 50)]
    expected = joined(np.array([50, 51]), boards)
    for hole in ("AhAs", (50, 51), ["Ah", "As"], np.array([[50, 51]], np.int16)):
        np.testing.assert_array_equal(evaluate(hole, boards), expected)


def test_texts_of_holes_and_boards_broadcast() -> None:
    board = "QsJsTs2c3d"
    expected = joined(np.array([[51, 47], [50, 49]]), np.array([43, 39, 35, 0, 5]))
    np.testing.assert_array_equal(evaluate(["AsKs", "AhAd"], board), expected)
    np.testing.assert_array_equal(evaluate(["AsKs", "AhAd"], [board, board]), expected)
    np.testing.assert_array_equal(evaluate([(51, 47), (50, 49)], board), expected)
    np.testing.assert_array_equal(evaluate("AsKs", [board]), expected[:1])


def test_no_holes_against_a_board() -> None:
    empty = evaluate(np.empty((0, 2), np.uint8), np.array([0, 1, 2, 3, 4], np.uint8))
    assert (empty.shape, empty.dtype) == ((0,), np.uint16)
    empty = evaluate(np.empty((4, 0, 2), np.uint8), np.empty((4, 1, 5), np.uint8))
    assert empty.shape == (4, 0)


def test_shapes_that_do_not_broadcast_are_refused(rng: np.random.Generator) -> None:
    hands = deal(rng, 12, 7)
    with pytest.raises(ValueError, match=r"\(4|4, 2|shape|broadcast"):
        evaluate(hands[:4, :2], hands[:3, 2:])


# ---- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 1025, 70_001])
@pytest.mark.parametrize("k", [5, 6, 7])
def test_separate_columns(k: int, n: int, threads: int | None, rng: np.random.Generator) -> None:
    hands = deal(rng, n, k)
    expected = naive.strengths(hands)
    columns = [column.copy() for column in hands.T]
    mixed = [column.astype(dtype) for column, dtype in zip(columns, DTYPES[::-1], strict=False)]
    strided = list(hands.T)
    frozen = [column.copy() for column in hands.T]
    for column in frozen:
        column.flags.writeable = False
    for form in (columns, mixed, strided, frozen, list(hands[::-1].copy()[::-1].T)):
        for validate in (True, False):
            strengths = pokernel.evaluate_columns(*form, validate=validate, threads=threads)
            assert strengths.shape == (n,)
            assert strengths.dtype == np.uint16
            np.testing.assert_array_equal(strengths, expected)
    out = np.zeros((n, 2), np.uint16)
    assert pokernel.evaluate_columns(*columns, out=out[:, 1], threads=threads).base is out
    np.testing.assert_array_equal(out[:, 1], expected)
    assert not out[:, 0].any()


# ---- out -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("n", [0, 1, 700, 100_003])
def test_out_is_filled_and_returned(n: int, threads: int | None, rng: np.random.Generator) -> None:
    hands = deal(rng, n, 7)
    out = np.full(n, 9999, np.uint16)
    assert evaluate(hands, out=out, threads=threads) is out
    np.testing.assert_array_equal(out, naive.strengths(hands))


@pytest.mark.parametrize("n", [3, 1024, 70_001])
@pytest.mark.parametrize("threads", [1, 2])
def test_out_with_strides_touches_nothing_between(n: int, threads: int, rng: np.random.Generator) -> None:
    hands = deal(rng, n, 6)
    memory = np.full((n, 3), 9999, np.uint16)
    evaluate(hands, out=memory[::-1, 1], threads=threads)
    np.testing.assert_array_equal(memory[::-1, 1], naive.strengths(hands))
    assert (memory[:, ::2] == 9999).all()


def test_out_of_more_dimensions(rng: np.random.Generator) -> None:
    hands = deal(rng, 600, 5).reshape(20, 30, 5)
    out = np.zeros((30, 20), np.uint16)
    assert evaluate(hands, out=out.T).shape == (20, 30)
    np.testing.assert_array_equal(out.T.ravel(), naive.strengths(hands.reshape(-1, 5)))


def test_out_with_a_board(rng: np.random.Generator) -> None:
    holes, boards = table_of(rng, 500, 4)
    out = np.zeros((500, 4), np.uint16)
    assert evaluate(holes, boards[:, None], out=out) is out
    np.testing.assert_array_equal(out, joined(holes, boards[:, None]))


@pytest.mark.parametrize("hand", ONE_ROYAL_HAND, ids=repr)
def test_out_of_one_hand_has_no_axes(hand: Any) -> None:
    out = np.zeros((), np.uint16)
    for validate, threads in ((True, None), (False, 1), (True, 2)):
        out[...] = 0
        assert evaluate(hand, out=out, validate=validate, threads=threads) is out
        assert out == 7462
    element = np.zeros(3, np.uint16)[1:2].reshape(())
    assert evaluate("AsKs", "QsJsTs2c3d", out=element) is element
    assert element == 7462
    for shape in ((1,), (5,), (1, 1), (0,)):
        with pytest.raises(pokernel.OutputError, match="shape"):
            evaluate(hand, out=np.zeros(shape, np.uint16))
    with pytest.raises(TypeError, match="uint16"):
        evaluate(hand, out=np.zeros((), np.uint8))
    with pytest.raises(TypeError, match="out"):
        evaluate(hand, out=np.uint16(0))  # type: ignore[call-overload]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("place", ["first column", "last column", "head", "middle", "tail", "tail backwards"])
def test_out_that_shares_the_inputs_memory_never_gives_garbage(
    place: str, threads: int, rng: np.random.Generator
) -> None:
    n = 20_000
    hands = deal(rng, n, 7).astype(np.uint16)
    flat = hands.reshape(-1)
    expected = naive.strengths(hands.astype(np.uint8))
    out = {
        "first column": hands[:, 0],
        "last column": hands[:, 6],
        "head": flat[:n],
        "middle": flat[3 * n : 4 * n],
        "tail": flat[-n:],
        "tail backwards": flat[::-1][:n],
    }[place]
    try:
        strengths = evaluate(hands, out=out, threads=threads)
    except pokernel.OutputError:
        return
    np.testing.assert_array_equal(strengths, expected)


# ---- sizes, threads, validation -----------------------------------------------------------------------------------

SIZES = sorted({*range(2001)} | {2**power + step for power in range(11, 18) for step in (-1, 0, 1)} | {100_003})


@pytest.mark.parametrize("k", [5, 6, 7])
def test_every_size_around_the_blocks(k: int, rng: np.random.Generator) -> None:
    """Each array ends where its memory ends, and guards around the output stay as they were."""
    pool = deal(rng, max(SIZES), k)
    expected = naive.strengths(pool)
    guarded = np.empty(max(SIZES) + 8, np.uint16)
    for n in SIZES:
        hands = pool[-n or len(pool) :].copy()
        for validate, threads in ((True, 1), (False, 1), (True, 2)):
            guarded[: n + 8] = 9999
            evaluate(hands, out=guarded[4 : n + 4], validate=validate, threads=threads)
            np.testing.assert_array_equal(guarded[4 : n + 4], expected[len(pool) - n :], f"{n} hands")
            assert (guarded[:4] == 9999).all()
            assert (guarded[n + 4 : n + 8] == 9999).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [5, 6, 7])
def test_threads_and_validation_do_not_change_the_answer(k: int, dtype: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 300_001, k)
    expected = naive.strengths(hands)
    for threads in (1, 2, 3, 7, None):
        for validate in (True, False):
            np.testing.assert_array_equal(
                evaluate(hands.astype(dtype), validate=validate, threads=threads), expected, f"{threads=}, {validate=}"
            )


@pytest.mark.parametrize("threads", [0, -1])
def test_fewer_than_one_thread_is_refused(threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        evaluate(np.array([ROYAL], np.uint8), threads=threads)


@pytest.mark.parametrize("threads", [1.5, "2"])
def test_threads_must_be_an_integer(threads: Any) -> None:
    with pytest.raises(TypeError, match=r"threads|int"):
        evaluate(np.array([ROYAL], np.uint8), threads=threads)


def test_inputs_are_left_alone(rng: np.random.Generator) -> None:
    for dtype in DTYPES:
        hands = deal(rng, 3000, 7).astype(dtype)
        before = hands.copy()
        evaluate(hands)
        np.testing.assert_array_equal(hands, before)
        hand = list(map(int, hands[0]))
        evaluate(hand)
        assert hand == before[0].tolist()


# ---- what the rules say must hold --------------------------------------------------------------------------------


@given(hands_of(5, 6, 7).flatmap(st.permutations), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_card_order_and_suit_names_do_not_matter(hand: list[int], suits: list[int], random: Any) -> None:
    strength = evaluate(hand)
    shuffled = list(hand)
    random.shuffle(shuffled)
    renamed = [4 * (card // 4) + suits[card % 4] for card in hand]
    assert evaluate(shuffled) == strength
    assert evaluate(renamed) == strength
    assert evaluate(np.array([shuffled, renamed])).tolist() == [strength] * 2


@given(hands_of(6, 7))
def test_another_card_never_weakens(hand: list[int]) -> None:
    assert evaluate(hand) >= evaluate(hand[:-1])
    assert evaluate(hand) == max(evaluate(hand[:i] + hand[i + 1 :]) for i in range(len(hand)))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_every_card_order_of_a_hand(k: int, rng: np.random.Generator) -> None:
    for hand in deal(rng, 20, k):
        orders = np.array(list(itertools.permutations(hand)), np.uint8)
        assert np.unique(evaluate(orders)).tolist() == [naive.strength(hand.tolist())]


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("6c5d4h3s2dAc9h", "5d4h3s2dAcKhQh"),
        ("6c5c4c3c2cAcKd", "AcAdAhAsKcKdKh"),
        ("2s3s4s5s7s8d9c", "AcKdQhJsTc9d8h"),
        ("QcQdQhJcJdJh2s", "QcQdQhTcTdTh9s"),
        ("QcQdJcJdTcTd2s", "QcQdJcJd9c8d2s"),
        ("2c2d2h2sAcAdAh", "2c2d2h2sKcKdKh"),
        ("AsKsQsJs9s8s7s", "AsKsQsJs8s7s6s"),
        ("3c3d2h2s2c4d5h", "3c3d2h2sAcKdQh"),
        ("AcKdQhJsTc2c3c", "KdQhJsTc9s2c3c"),
        ("5c4c3c2cAc9d8d", "AsAdAhAc5d4h3s"),
    ],
)
def test_hands_that_caught_other_evaluators(stronger: str, weaker: str) -> None:
    assert evaluate(stronger) > evaluate(weaker)
    assert (evaluate([stronger, weaker]) == [evaluate(stronger), evaluate(weaker)]).all()


# ---- memory ----------------------------------------------------------------------------------------------------------

BETWEEN_GUARD_PAGES = """
def at_both_ends(array, size):
    return array[:size], array[len(array) - size :]

cards, strengths = between_guards(), between_guards()
for k in (5, 6, 7):
    kinds = np.array([[51, 47, 43, 39, 31, 2, 5], [51, 46, 41, 36, 30, 25, 20], [50, 34, 22, 10, 6, 2, 18]], np.uint8)[:, :k]
    expected = np.array([pokernel.evaluate(kind) for kind in kinds.tolist()], np.uint16)
    for n in (*range(1, 200), *range(1000, 1090), *range(1980, 2060)):
        right = np.resize(expected, n)
        for given, taken in zip(at_both_ends(cards, n * k), at_both_ends(strengths, n * 2)):
            out = taken.view(np.uint16)
            for hands in (given.reshape(n, k), given.reshape(k, n).T):
                hands[:] = np.resize(kinds, (n, k))
                for validate in (True, False):
                    out[:] = 0
                    pokernel.evaluate(hands, out=out, validate=validate)
                    assert (out == right).all(), (k, n)
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect through ctypes is Linux's")
@MODES
def test_nothing_outside_the_arrays_is_read_or_written(mode: dict[str, str], run_python: RunPython) -> None:
    ended = run_python(IS_IN_THIS_MODE + GUARD_PAGES + BETWEEN_GUARD_PAGES, env=mode)
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr


PRINTS_A_DIGEST = """
import hashlib
import numpy as np
import pokernel

decks = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (50_001, 1)), axis=1)
digest = hashlib.sha256()
for k in (5, 6, 7):
    for hands in (decks[:, :k], decks[:, :k].copy(), decks[:, :k].copy(order="F"), decks[:, :k].astype(">i4")):
        for validate in (True, False):
            digest.update(pokernel.evaluate(hands, validate=validate).tobytes())
        broken = hands.copy()
        broken[777, 1], broken[40_000, 4] = broken[777, 3], 52
        for rows in (slice(None), *(slice(777 - i, 778 + i * i % 150) for i in range(150))):
            try:
                pokernel.evaluate(broken[rows])
            except pokernel.CardError as error:
                digest.update(str(error).encode())
print(digest.hexdigest())
"""


@MODES
def test_every_kernel_gives_identical_results(mode: dict[str, str], run_python: RunPython) -> None:
    ended, usual = run_python(IS_IN_THIS_MODE + PRINTS_A_DIGEST, env=mode), run_python(PRINTS_A_DIGEST)
    assert len(usual.stdout) == 65, usual.stderr
    assert ended.stdout == usual.stdout, ended.stderr


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("", None),
        (" ", None),
        *((off, False) for off in ("0", "no", "False", "OFF ")),
        ("1", True),
        ("yes", True),
        ("on", True),
    ],
)
def test_switches_are_on_or_off_in_any_words(word: str, meant: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POKERNEL_WIDE", word)
    assert _said("POKERNEL_WIDE") is meant


# ---- compiled variants -----------------------------------------------------------------------------------------------

USES_EVERYTHING = """
import sys
sys.path.insert(0, TESTS)
import numpy as np
import pokernel
from layouts import DTYPES, LAYOUTS, deal
from pokernel.jit import batch

rng = np.random.default_rng(1)

def outs(n):
    yield None
    yield np.empty(n, np.uint16)
    yield np.empty((n, 2), np.uint16)[:, 1]
    yield np.empty(2 * n + 1, np.uint8)[1:].view(np.uint16)

for k in (5, 6, 7):
    for n in (1, 2, 33, 3000):
        hands = deal(rng, n, k)
        strengths = pokernel.evaluate(hands)
        for dtype in DTYPES:
            for layout in LAYOUTS.values():
                laid_out = layout(hands.astype(dtype))
                for validate in (True, False, np.True_):
                    assert (pokernel.evaluate(laid_out, validate=validate) == strengths).all()
                    assert (pokernel.evaluate_columns(*laid_out.T, validate=validate) == strengths).all()
            for out in outs(n):
                assert (pokernel.evaluate(hands.astype(dtype), out=out) == strengths).all()
                assert (pokernel.evaluate(hands[:, :2].astype(dtype), hands[:, 2:], out=out) == strengths).all()
                columns = np.asfortranarray(hands.astype(dtype)).T
                assert (pokernel.evaluate(columns.T, out=out) == strengths).all()
                assert (pokernel.evaluate_columns(*columns, out=out) == strengths).all()
    hands = deal(rng, 300_000, k)
    for threads in (1, 2, None):
        for array in (hands, np.asfortranarray(hands), hands.astype(np.int64), hands.reshape(300, 1000, k)):
            pokernel.evaluate(array, threads=threads)
print(*(len(kernel.signatures) for kernels in (batch.ROWS, batch.COLUMNS) for kernel in kernels.values()))
"""


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="nothing is compiled")
def test_no_kernel_is_compiled_twice(run_python: RunPython) -> None:
    """Whatever the dtype, the layout, the output: a second or two of waiting for each size and layout is all."""
    ended = run_python(USES_EVERYTHING.replace("TESTS", repr(str(Path(__file__).parent))))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["1"] * (6 if AVX2 else 3)


@pytest.mark.parametrize("validate", [1, 0, None, "x", "", 1.0, np.int64(1), np.array([True])], ids=repr)
def test_validate_is_true_or_false(validate: Any, rng: np.random.Generator) -> None:
    hands = deal(rng, 3, 7)
    for call in (
        lambda: evaluate(hands, validate=validate),
        lambda: evaluate(hands[:0], validate=validate),
        lambda: evaluate(hands[:, :2], hands[0, 2:], validate=validate),
        lambda: pokernel.evaluate_columns(*hands.T, validate=validate),
    ):
        with pytest.raises(TypeError, match="validate"):
            call()
    accepted: list[Any] = [True, False, np.True_, np.False_]
    for right in accepted:
        np.testing.assert_array_equal(evaluate(hands, validate=right), naive.strengths(hands))
