"""The friendly door: what it takes, the shape of what it gives, and what must not change the answer."""

import itertools
import sys
from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st
from layouts import DTYPES, LAYOUTS, deal
from numpy.typing import NDArray

import pokernel
from pokernel import evaluate

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
import ctypes, mmap
import numpy as np
import pokernel

PAGE, PAGES = mmap.PAGESIZE, 4
memory = mmap.mmap(-1, (PAGES + 2) * PAGE)
array = np.frombuffer(memory, np.uint8)
libc = ctypes.CDLL(None, use_errno=True)
for guard in (0, PAGES + 1):
    assert libc.mprotect(ctypes.c_void_p(array.ctypes.data + guard * PAGE), PAGE, 0) == 0
readable = array[PAGE:-PAGE]
for k in (5, 6, 7):
    kinds = np.array([[51, 46, 41, 36, 30, 25, 20], [51, 47, 43, 39, 31, 2, 5], [50, 34, 22, 10, 6, 2, 18]], np.uint8)[:, :k]
    strengths = [pokernel.evaluate(kind) for kind in kinds.tolist()]
    for n in range(1, 2001):
        for place in (slice(n * k), slice(len(readable) - n * k, None)):
            for hands in (readable[place].reshape(n, k), readable[place].reshape(k, n).T):
                for i in range(3):
                    hands[i::3] = kinds[i]
                for validate in (True, False):
                    found = pokernel.evaluate(hands, validate=validate)
                    assert all((found[i::3] == strengths[i]).all() for i in range(3))
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect through ctypes is Linux's")
@pytest.mark.parametrize("portable", ["0", "1"])
def test_nothing_is_read_outside_the_array(portable: str, run_python: RunPython) -> None:
    ended = run_python(BETWEEN_GUARD_PAGES, env={"POKERNEL_PORTABLE": portable})
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
        try:
            pokernel.evaluate(broken)
        except pokernel.CardError as error:
            digest.update(str(error).encode())
print(digest.hexdigest())
"""


def test_portable_kernels_give_identical_results(run_python: RunPython) -> None:
    vector, portable = (run_python(PRINTS_A_DIGEST, env={"POKERNEL_PORTABLE": switch}) for switch in ("0", "1"))
    assert len(vector.stdout) == 65, vector.stderr
    assert vector.stdout == portable.stdout, portable.stderr
