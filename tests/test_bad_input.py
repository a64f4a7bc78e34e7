"""Nothing is ever evaluated to garbage: every bad input is refused, by name and by place."""

import re
from collections import deque
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from layouts import DTYPES, LAYOUTS, deal
from numpy.typing import NDArray

import pokernel
from pokernel import CardError, DuplicateCardError, HandSizeError, OutputError, PokernelError, evaluate, single

ROYAL = (51, 47, 43, 39, 35)
NO_CARDS = [52, 53, 63, 64, 127, 128, 200, 255, 256, 300, 2**16, 2**16 + 5, 2**31 - 1, 2**32 + 7, 2**63 - 1, 2**63]
NO_CARDS += [2**64 - 1, -1, -52, -128, -205, -256, -(2**16), -(2**32) + 3, -(2**63)]
FITTING = [
    (dtype, number)
    for dtype in DTYPES
    for number in NO_CARDS
    if np.iinfo(np.dtype(dtype)).min <= number <= np.iinfo(np.dtype(dtype)).max
]
THREADS = pytest.mark.parametrize("threads", [1, 2, None])
EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def says(error: pytest.ExceptionInfo[BaseException], *words: object) -> None:
    """Each of the words stands in the message, as a word of its own."""
    for word in words:
        assert re.search(rf"(?<![\w-]){re.escape(str(word))}(?!\w)", str(error.value)), (
            f"{word!r} is not in {str(error.value)!r}"
        )


@cache
def good_hands(n: int, k: int) -> NDArray[np.uint8]:
    return deal(np.random.default_rng(n + k), n, k)


def hands_with(bad: dict[int, Any], n: int, k: int, dtype: str = "u1") -> NDArray[Any]:
    """Random hands of which some rows have their third card replaced (a number) or repeated (None)."""
    hands = good_hands(n, k).astype(dtype)
    for row, number in bad.items():
        hands[row, 2] = hands[row, k - 1] if number is None else number
    return hands


# ---- numbers that are no cards -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dtype", "number"), FITTING)
def test_no_card_in_an_array(dtype: str, number: int) -> None:
    for k in (5, 6, 7):
        with pytest.raises(CardError) as error:
            evaluate(hands_with({3: number}, 11, k, dtype))
        says(error, "row 3", number, 1)
        with pytest.raises(CardError) as error:
            evaluate(hands_with({0: number}, 1, k, dtype)[0])
        says(error, number)


@pytest.mark.parametrize("number", NO_CARDS)
def test_no_card_in_one_hand_of_ints(number: int) -> None:
    for place in range(5):
        hand = list(ROYAL)
        hand[place] = number
        for form in (hand, tuple(hand)):
            with pytest.raises(CardError) as error:
                evaluate(form)
            says(error, number)
        with pytest.raises(CardError) as error:
            evaluate([ROYAL, hand, ROYAL])
        says(error, number, "row 1")


class Whole(int):
    """An int that is not one of those that the interpreter keeps."""


@pytest.mark.parametrize("kind", [int, Whole, np.int16, np.int64])
@pytest.mark.parametrize("k", [5, 6, 7])
def test_one_hand_takes_cards_and_no_other_number_near_them(k: int, kind: Callable[[int], Any]) -> None:
    hand = [51, 46, 41, 36, 31, 30, 25][:k]
    for place in range(k):
        others = {*hand} - {hand[place]}
        for number in range(-300, 300):
            cards = [*hand[:place], kind(number), *hand[place + 1 :]]
            if number in others:
                with pytest.raises(DuplicateCardError):
                    evaluate(cards)
            elif 0 <= number < 52:
                assert evaluate(tuple(cards)) == evaluate(np.array(cards)) == evaluate(np.array([cards]))[0]
            else:
                with pytest.raises(CardError) as error:
                    evaluate(cards)
                says(error, number, f"position {place}")


@pytest.mark.parametrize("number", NO_CARDS)
def test_no_card_on_a_board_or_in_the_hole(number: int) -> None:
    dtype = np.uint64 if number > 2**63 - 1 else np.int64
    holes = np.array([[51, 47], [50, 46]], dtype)
    board = np.array([43, 39, 35, 0, 5], dtype)
    broken_board, broken_holes = board.copy(), holes.copy()
    broken_board[4] = broken_holes[1, 0] = number
    with pytest.raises(CardError) as error:
        evaluate(holes, broken_board)
    says(error, number)
    with pytest.raises(CardError) as error:
        evaluate(broken_holes, board)
    says(error, number, "row 1")
    with pytest.raises(CardError) as error:
        evaluate((51, 47), broken_board)
    says(error, number)


# ---- duplicates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [5, 6, 7])
def test_duplicate_in_every_pair_of_places(k: int, dtype: str) -> None:
    hands = deal(np.random.default_rng(k), 9, k).astype(dtype)
    for first in range(k):
        for second in range(first + 1, k):
            twice = hands.copy()
            twice[6, second] = twice[6, first]
            with pytest.raises(DuplicateCardError) as error:
                evaluate(twice)
            says(error, "row 6", 1, pokernel.format_card(int(twice[6, first])))


@pytest.mark.parametrize("card", range(52))
def test_every_card_twice(card: int) -> None:
    others = [other for other in range(0, 52, 7) if other != card][:5]
    hand = [others[0], card, *others[1:], card]
    with pytest.raises(DuplicateCardError) as error:
        evaluate(hand)
    says(error, pokernel.format_card(card))
    with pytest.raises(DuplicateCardError) as error:
        evaluate(np.array([hand, hand, hand], np.uint8))
    says(error, pokernel.format_card(card), "row 0", 3)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_cards_as_often_as_they_please(k: int) -> None:
    """Carries from a card held twice or more may reach its neighbors in a sum, in any order of cards."""
    for cards in product((0, 4, 51), repeat=k):
        with pytest.raises(DuplicateCardError):
            evaluate(cards)
    for cards in product((0, 1, 2), repeat=k):
        with pytest.raises(DuplicateCardError):
            evaluate(cards)


@THREADS
@pytest.mark.parametrize("dtype", ["u1", "<i8", ">u2"])
def test_duplicate_between_hole_and_board(dtype: str, threads: int | None) -> None:
    holes = np.array([[51, 47], [50, 46], [49, 35]], dtype)
    board = np.array([43, 39, 35, 0, 5], dtype)
    for boards in (board, np.tile(board, (3, 1))):
        with pytest.raises(DuplicateCardError) as error:
            evaluate(holes, boards, threads=threads)
        says(error, "row 2", 1, "Ts")
    with pytest.raises(DuplicateCardError) as error:
        evaluate((49, 35), board)
    says(error, "Ts")
    with pytest.raises(DuplicateCardError, match="Ts"):
        evaluate("AdTs", "QsJsTs2c3d")
    with pytest.raises(DuplicateCardError) as error:
        evaluate(["AsKs", "AdTs"], "QsJsTs2c3d")
    says(error, "row 1", "Ts")


@THREADS
def test_duplicate_between_players_holes_and_boards_names_an_index_tuple(threads: int | None) -> None:
    decks = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (40, 1)), axis=1)
    boards, holes = decks[:, None, :5], decks[:, 5:17].reshape(40, 6, 2).copy()
    holes[7, 4, 1] = boards[7, 0, 2]
    holes[30, 0, 0] = boards[30, 0, 4]
    with pytest.raises(DuplicateCardError) as error:
        evaluate(holes, boards, threads=threads)
    says(error, "row (7, 4)", 2, pokernel.format_card(int(boards[7, 0, 2])))


def test_duplicate_within_the_board_alone() -> None:
    with pytest.raises(DuplicateCardError, match="Qs"):
        evaluate("AsKs", "QsQsTs2c3d")
    with pytest.raises(DuplicateCardError) as error:
        evaluate(np.array([[51, 47], [50, 46]]), np.array([43, 43, 35, 0, 5]))
    says(error, "Qs", "row 0", 2)


# ---- which row, how many -------------------------------------------------------------------------------------------


@THREADS
@EVERY_LAYOUT
@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", ">i4", "<i8"])
@pytest.mark.parametrize("k", [5, 7])
def test_first_bad_row_and_how_many(k: int, dtype: str, layout: Any, threads: int | None) -> None:
    n = 5003
    for rows in ([0], [n - 1], [17], [1023], [1024], [1025, 3000], [2047, 2048, 2049, n - 1], [n - 2, n - 1]):
        for mixed in ([99], [None], [99, None], [None, 99]):
            bad = {row: mixed[i % len(mixed)] for i, row in enumerate(rows)}
            hands = hands_with(bad, n, k, dtype)
            with pytest.raises(DuplicateCardError if mixed[0] is None else CardError) as error:
                evaluate(layout(hands), threads=threads)
            duplicate = pokernel.format_card(int(hands[rows[0], 2])) if mixed[0] is None else 99
            says(error, f"row {rows[0]}", len(rows), duplicate)
            assert isinstance(error.value, DuplicateCardError) == (mixed[0] is None)


@THREADS
@pytest.mark.parametrize("row", [0, 65_535, 65_536, 131_071, 131_072, 262_144, 400_000, 600_000])
def test_bad_row_of_a_large_array(row: int, threads: int | None) -> None:
    n = 600_001
    bad = {row: 52, n - 1: None} if row < n - 1 else {row: 52}
    with pytest.raises(CardError) as error:
        evaluate(hands_with(bad, n, 7), threads=threads)
    says(error, f"row {row}", len(bad), 52)


@THREADS
def test_all_rows_bad(threads: int | None) -> None:
    with pytest.raises(CardError) as error:
        evaluate(np.full((100_003, 6), 77, np.uint8), threads=threads)
    says(error, "row 0", 100_003, 77)
    with pytest.raises(DuplicateCardError) as error:
        evaluate(np.zeros((100_003, 6), np.int32), threads=threads)
    says(error, "row 0", 100_003, "2c")


@THREADS
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["u1", ">i8"])
def test_row_of_an_array_of_more_dimensions_is_an_index_tuple(dtype: str, order: Any, threads: int | None) -> None:
    hands = hands_with({0: 60, 59: 61}, 60, 7, dtype).reshape(3, 4, 5, 7)[::-1].copy(order=order)
    with pytest.raises(CardError) as error:
        evaluate(hands, threads=threads)
    says(error, "row (0, 3, 4)", 2, 61)


@THREADS
@pytest.mark.parametrize("dtype", ["u1", "<i8"])
def test_bad_row_of_separate_columns(dtype: str, threads: int | None) -> None:
    for bad in ({0: 52}, {4999: None}, {33: None, 4998: 52, 4999: 52}):
        hands = hands_with(bad, 5000, 7, dtype)
        with pytest.raises(CardError) as error:
            pokernel.evaluate_columns(*(column.copy() for column in hands.T), threads=threads)
        says(error, f"row {min(bad)}", len(bad))


@pytest.mark.parametrize("dtype", [float, bool, object])
def test_arrays_of_numbers_that_are_no_integers_say_how_to_convert_them(dtype: Any) -> None:
    hint = r"must be an integer array, not one of dtype \w+; convert it, say with \.astype\(numpy\.uint8\)$"
    hands: NDArray[Any] = good_hands(10, 5).astype(dtype)
    for call in (evaluate, pokernel.invalid_rows, lambda array: pokernel.evaluate_columns(*array.T)):
        with pytest.raises(TypeError, match=hint):
            call(hands)
    for items in ([[1, None]], [[b"As", 2]], [[True, 2]]):
        with pytest.raises(TypeError, match=r"not one of dtype object$"):
            evaluate(np.array(items, object))


def test_wrong_columns() -> None:
    column = np.zeros(10, np.uint8)
    for count in (0, 1, 4, 8):
        with pytest.raises(HandSizeError):
            pokernel.evaluate_columns(*[column] * count)
    with pytest.raises(HandSizeError):
        pokernel.evaluate_columns(*[column] * 6, column[:9])
    with pytest.raises(HandSizeError):
        pokernel.evaluate_columns(*[column[:, None]] * 7)
    with pytest.raises(TypeError):
        pokernel.evaluate_columns(*[column] * 6, column.astype(float))
    with pytest.raises(TypeError):
        pokernel.evaluate_columns(*[column] * 6, column.astype(bool))
    with pytest.raises(OutputError):
        pokernel.evaluate_columns(*good_hands(10, 7).T, out=np.zeros(9, np.uint16))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [2, 5, 7])
def test_invalid_rows(k: int, dtype: str) -> None:
    fitting = [
        number for number in NO_CARDS if np.iinfo(np.dtype(dtype)).min <= number <= np.iinfo(np.dtype(dtype)).max
    ]
    hands = good_hands(len(fitting) + 30, k).astype(dtype)
    hands[: len(fitting), k - 1] = fitting
    hands[-10:, 0] = hands[-10:, k - 1]
    expected = [True] * len(fitting) + [False] * 20 + [True] * 10
    for layout in LAYOUTS.values():
        assert pokernel.invalid_rows(layout(hands)).tolist() == expected


# ---- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 8, 9, 52])
def test_wrong_number_of_cards(k: int) -> None:
    for hand in (tuple(range(k)), list(range(k)), np.arange(k, dtype=np.uint8), np.zeros((3, k), np.uint8)):
        if k == 0 and not isinstance(hand, np.ndarray):
            continue
        with pytest.raises(HandSizeError) as error:
            evaluate(hand)
        says(error, k)
    if k:  # (0, 0) is how an empty list looks as an array: no hands
        with pytest.raises(HandSizeError) as error:
            evaluate(np.zeros((0, k), np.uint8))
        says(error, k)
        with pytest.raises(HandSizeError) as error:
            evaluate("".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in range(k)))
        says(error, k)


@pytest.mark.parametrize(("k", "m"), [(2, 2), (2, 6), (5, 5), (0, 4), (1, 3), (7, 1)])
def test_wrong_number_of_cards_with_a_board(k: int, m: int) -> None:
    cards = np.arange(k + m, dtype=np.uint8)
    with pytest.raises(HandSizeError) as error:
        evaluate(cards[None, :k], cards[None, k:])
    says(error, k + m)


@pytest.mark.parametrize("empty", ["", "  ", [""], [[]], [[], []], [()]], ids=repr)
def test_a_hand_of_nothing(empty: Any) -> None:
    with pytest.raises(PokernelError):
        evaluate(empty)


@pytest.mark.parametrize("empty", [[], ()], ids=repr)
def test_no_hands_at_all(empty: Any) -> None:
    assert evaluate(empty).shape == (0,)
    assert evaluate(empty, "2c3c4c5c6c").shape == (0,)
    for columns in (5, 6, 7):
        strengths = pokernel.evaluate_columns(*[empty] * columns)
        assert strengths.shape == (0,)
        assert strengths.dtype == np.uint16


@pytest.mark.parametrize(
    "ragged",
    [
        [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]],
        [(0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4)],
        [[0, 1, 2, 3, 4], []],
        ["2c3c4c5c6c", "2c3c4c5c6c7c"],
        [["2c", "3c", "4c", "5c", "6c"], ["2c", "3c", "4c", "5c", "6c", "7c"]],
        [np.arange(5), np.arange(6)],
    ],
    ids=repr,
)
def test_ragged_hands(ragged: Any) -> None:
    with pytest.raises(HandSizeError):
        evaluate(ragged)


def test_a_single_number_is_no_hand() -> None:
    for number in (5, np.uint8(5), np.array(5)):
        with pytest.raises((HandSizeError, TypeError)):
            evaluate(number)


# ---- types -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex128, np.bool_, object, "M8[s]", "V1"])
@pytest.mark.parametrize("shape", [(7,), (1, 7), (0, 7), (2, 3, 7)])
def test_arrays_that_hold_no_integers(dtype: Any, shape: tuple[int, ...]) -> None:
    with pytest.raises(TypeError) as error:
        evaluate(np.zeros(shape, dtype))
    says(error, str(np.dtype(dtype)))


@pytest.mark.parametrize("dtype", [np.float64, np.bool_, object])
def test_boards_that_hold_no_integers(dtype: Any) -> None:
    with pytest.raises(TypeError):
        evaluate(np.array([[51, 47]]), np.array([[3, 7, 11, 15, 19]]).astype(dtype))
    with pytest.raises(TypeError):
        evaluate(np.array([[51, 47]]).astype(dtype), np.array([[3, 7, 11, 15, 19]]))


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        1.0,
        True,
        b"AsKsQsJsTs",
        [51.0, 47.0, 43.0, 39.0, 35.0],
        [51, 47, 43, 39, 35.0],
        [51, 47, 43, 39, float("nan")],
        [[51, 47, 43, 39, float("nan")]],
        np.array([51, 47, 43, 39, np.nan]),
        [True, False, True, False, True],
        [0, 5, 9, 13, True],
        [51, 47, 43, 39, None],
        [[51, 47, 43, 39, None]],
        [None] * 5,
        {"hand": "AsKsQsJsTs"},
        object(),
    ],
    ids=lambda wrong: re.sub(r" at 0x\w+", "", repr(wrong)),
)
def test_wrong_types(wrong: Any) -> None:
    with pytest.raises(TypeError):
        evaluate(wrong)


@pytest.mark.parametrize("board", [1.0, True, b"AsKsQs", [51.0, 47.0, 43.0], [None] * 3, [True, False, True]], ids=repr)
def test_board_of_wrong_type(board: Any) -> None:
    with pytest.raises(TypeError):
        evaluate("2c3d", board)


CONTAINERS: list[Callable[[Any], Any]] = [list, tuple, deque]


@pytest.mark.parametrize("boolean", [True, False, np.True_, np.False_], ids=repr)
@pytest.mark.parametrize("inner", CONTAINERS)
@pytest.mark.parametrize("outer", CONTAINERS)
def test_a_boolean_among_the_numbers_is_found(outer: Any, inner: Any, boolean: Any) -> None:
    """numpy takes it for 0 or 1 where all else is a number."""
    for place in range(5):
        hand: list[Any] = list(ROYAL)
        hand[place] = boolean
        with pytest.raises(TypeError, match="bool") as error:
            evaluate(inner(hand))
        says(error, f"item {place} of hands")
        for row in range(3):
            hands = [inner(ROYAL), range(5), inner(range(2, 7))]
            hands[row] = inner(hand)
            with pytest.raises(TypeError, match="bool") as error:
                evaluate(outer(hands))
            says(error, f"item {place} of row {row}")
            with pytest.raises(TypeError, match="bool") as error:
                evaluate(outer([outer(hands), outer(hands)]))
            says(error, f"item {place}", f"row {row}")
    with pytest.raises(TypeError, match="bool"):
        evaluate("2c3d", inner([4, 5, boolean]))
    with pytest.raises(TypeError, match="bool"):
        evaluate(outer([inner(ROYAL), np.array([boolean] * 5)]))


def hides_nothing(array: Any) -> Any:
    return np.ma.masked_array(array)


def hides_some(array: Any) -> Any:
    return np.ma.masked_equal(array, np.asarray(array).flat[0])


@pytest.mark.parametrize("masked", [hides_nothing, hides_some])
def test_masked_arrays(masked: Any) -> None:
    hands = good_hands(4, 7)
    calls: list[Callable[[], Any]] = [
        lambda: evaluate(masked(hands)),
        lambda: evaluate(masked(hands[0])),
        lambda: evaluate([masked(hand) for hand in hands]),
        lambda: evaluate([hands[0], masked(hands[1])]),
        lambda: evaluate([[masked(hand) for hand in hands]]),
        lambda: evaluate(hands[:, :2], masked(hands[:, 2:])),
        lambda: evaluate((51, 47), masked(hands[0, 2:])),
        lambda: evaluate(masked(hands[:, :2]), hands[:, 2:]),
        lambda: pokernel.best_five(masked(hands)),
        lambda: pokernel.invalid_rows(masked(hands)),
        lambda: pokernel.evaluate_columns(*hands.T[:6], masked(hands.T[6])),
        lambda: pokernel.evaluate_columns(*masked(hands.T)),
        lambda: pokernel.evaluate_columns(*masked(hands.T), validate=False),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="masked"):
            call()


@pytest.mark.parametrize(
    "hand",
    [
        pytest.param([0, 1, 2, 3, np.ma.masked], id="last"),
        pytest.param([np.ma.masked, 1, 2, 3, 4], id="first"),
    ],
)
@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")  # numpy's own
def test_masked_elements(hand: Any) -> None:
    for form in (hand, [hand], [[0, 1, 2, 3, 4], hand]):
        with pytest.raises((TypeError, HandSizeError), match=r"[Mm]asked"):
            evaluate(form)


class Index:
    """An integer as other libraries make them: nothing but ``__index__``."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def scalar_array(number: int) -> Any:
    return np.array(number)


def outcome(hand: Any) -> Any:
    try:
        return evaluate(hand)
    except (PokernelError, TypeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "number",
    [
        Index,
        np.uint8,
        np.uint64,
        scalar_array,
        float,
        str,
        "{:d}s".format,
        bool,
        np.bool_,
        lambda card: None,
        lambda card: [card],
    ],
    ids=["index", "uint8", "uint64", "0-d", "float", "str", "text", "bool", "numpy bool", "None", "list"],
)
def test_no_answer_depends_on_what_was_asked_before(number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way for one hand opens once its size was evaluated: it must take, and refuse, what the first did."""
    for cards in (ROYAL, (0, 1, 2, 7, 11), (51, 47, 43, 39, 51), (51, 47, 43, 39, 52), (35, 39, 43, 47, 99)):
        for odd in (*((place,) for place in range(5)), range(5)):
            hand = [number(card) if place in odd else card for place, card in enumerate(cards)]
            for form in (hand, tuple(hand)):
                with monkeypatch.context() as fresh:
                    fresh.setitem(single.STRENGTH_OF, 5, None)
                    fresh.delitem(single.STRENGTH_OF, 5)
                    fresh.setitem(single.STRENGTH_OF_TEXTS, 5, None)
                    fresh.delitem(single.STRENGTH_OF_TEXTS, 5)
                    before = outcome(form)
                single.prepare(5)
                assert outcome(form) == before
                assert outcome(deque(form)) == before


def test_numbers_that_are_indices_are_cards() -> None:
    hand = [Index(card) for card in ROYAL]
    assert evaluate(hand) == evaluate(tuple(hand)) == evaluate(deque(hand)) == 7462
    assert evaluate([hand, tuple(hand), deque(hand), ROYAL]).tolist() == [7462] * 4
    assert evaluate(hand[:2], tuple(hand[2:])) == 7462
    with pytest.raises(CardError, match="52"):
        evaluate([ROYAL, [*hand[:4], Index(52)]])


@pytest.mark.parametrize("cards", [7.0, "7", True, None, [7], np.array([7, 6])], ids=repr)
def test_number_of_cards_to_enumerate(cards: Any) -> None:
    with pytest.raises(TypeError, match="cards"):
        pokernel.enumerate_strengths("AsKsQsJsTs", cards=cards)


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((3, 5)),
        np.zeros((3, 5), np.float32),
        np.zeros((3, 5), bool),
        np.zeros((3, 5), object),
        np.zeros((3, 5), "U2"),
        np.zeros((0, 5)),
        np.ma.masked_array(np.zeros((3, 5), np.uint8)),
        [[0.0, 1.0, 2.0, 3.0, 4.0]],
        [[True, False]],
        "AsKsQsJsTs",
        None,
    ],
    ids=lambda wrong: f"{type(wrong).__name__} {getattr(wrong, 'dtype', wrong)}",
)
def test_invalid_rows_takes_integers_alone(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"integer|masked"):
        pokernel.invalid_rows(wrong)


def test_invalid_rows_of_every_shape() -> None:
    for dtype in ("<u8", "<i8", ">i4", "u1", "i1"):
        hands = good_hands(24, 6).astype(dtype)
        hands[5, 0], hands[7, 5], hands[11, 2] = 52, np.iinfo(hands.dtype).max, hands[11, 1]
        expected = np.isin(np.arange(24), (5, 7, 11))
        for shape in ((24,), (2, 12), (2, 3, 4), (1, 24, 1)):
            array = hands.reshape(*shape, 6)
            for form in (array, np.asfortranarray(array), array[..., ::-1]):
                found = pokernel.invalid_rows(form)
                assert found.dtype == np.bool_
                np.testing.assert_array_equal(found, expected.reshape(shape))
            np.testing.assert_array_equal(pokernel.invalid_rows(array[::-1]), expected.reshape(shape)[::-1])
            assert pokernel.invalid_rows(array[:0]).shape == (0, *shape[1:])
        assert not pokernel.invalid_rows(hands[0])
        assert pokernel.invalid_rows(hands[5])
    with pytest.raises(HandSizeError):
        pokernel.invalid_rows(np.array(5))


# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "quoted"),
    [
        ("AsKsQsJsTx", "AsKsQsJsTx"),
        ("AsKsQsJs1s", "AsKsQsJs1s"),
        ("AsKsQsJsT", "AsKsQsJsT"),
        ("ZsKsQsJsTs", "ZsKsQsJsTs"),
        ("AsKsQsJsTs!", "AsKsQsJsTs!"),
        (["As", "Ks", "Qs", "Js", "Zs"], "Zs"),
        (["As", "Ks", "Qs", "Js", ""], "''"),
        (["AsKsQsJsTs", "AsKsQsJsTx"], "AsKsQsJsTx"),
    ],
    ids=repr,
)
def test_text_that_is_no_hand_is_quoted(wrong: Any, quoted: str) -> None:
    with pytest.raises(CardError) as error:
        evaluate(wrong)
    assert quoted in str(error.value)


def test_bad_text_among_many_names_the_row() -> None:
    with pytest.raises(CardError) as error:
        evaluate(["AsKsQsJsTs"] * 4 + ["AsKsQsJsTx"] + ["AsKsQsJsTs"])
    says(error, "row 4", "AsKsQsJsTx")
    with pytest.raises(DuplicateCardError) as error:
        evaluate(["AsKsQsJsTs"] * 2 + ["AsKsQsJsAs"])
    says(error, "row 2", "As")


# ---- out -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (1,), (9,), (11,), (10, 1), (1, 10), (0,)])
def test_out_of_the_wrong_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(OutputError) as error:
        evaluate(hands_with({}, 10, 7), out=np.zeros(shape, np.uint16))
    says(error, str(shape), "(10,)")


@pytest.mark.parametrize("dtype", ["u1", "<u4", "<i2", ">u2", "<f8", "?", object])
def test_out_of_the_wrong_dtype(dtype: Any) -> None:
    with pytest.raises(TypeError) as error:
        evaluate(hands_with({}, 10, 7), out=np.zeros(10, dtype))
    says(error, "uint16")


@pytest.mark.parametrize("out", [[0] * 10, 5, "out", bytearray(20)], ids=repr)
def test_out_that_is_no_array(out: Any) -> None:
    with pytest.raises(TypeError, match="out"):
        evaluate(hands_with({}, 10, 7), out=out)


def test_out_that_is_read_only() -> None:
    out = np.zeros(10, np.uint16)
    out.flags.writeable = False
    with pytest.raises(OutputError, match=r"read-only|writ"):
        evaluate(hands_with({}, 10, 7), out=out)
    assert not out.any()


@THREADS
def test_bad_rows_are_found_with_out_too(threads: int | None) -> None:
    with pytest.raises(CardError) as error:
        evaluate(hands_with({1500: 52, 2500: None}, 3000, 7), out=np.zeros(3000, np.uint16), threads=threads)
    says(error, "row 1500", 2, 52)


# ---- validate=False ----------------------------------------------------------------------------------------------


def test_unchecked_hands_are_still_checked_for_size_and_type() -> None:
    with pytest.raises(HandSizeError):
        evaluate(np.zeros((3, 8), np.uint8), validate=False)
    with pytest.raises(TypeError):
        evaluate(np.zeros((3, 7)), validate=False)


def test_unchecked_bytes_read_no_foreign_memory(run_python: RunPython) -> None:
    """``validate=False`` promises nothing about the strength, yet any bytes must leave the process standing."""
    ended = run_python(
        "import numpy as np, pokernel\n"
        "rng = np.random.default_rng(1)\n"
        "for k in (5, 6, 7):\n"
        "    for order in 'CF':\n"
        "        wild = rng.integers(0, 256, (200_000, k), np.uint8).copy(order=order)\n"
        "        assert pokernel.evaluate(wild, validate=False).shape == (200_000,)\n"
        "print('done')\n",
        env={"NUMBA_BOUNDSCHECK": "1"},
    )
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr


@pytest.mark.parametrize("number", [-1, 300, 2**40 + 7])
def test_unchecked_numbers_are_not_wrapped_into_bytes(number: int) -> None:
    with pytest.raises(CardError) as error:
        evaluate(hands_with({3: number}, 10, 7, "<i8"), validate=False)
    says(error, "row 3", number)


def test_errors_are_value_errors() -> None:
    for kind in (CardError, DuplicateCardError, HandSizeError, OutputError, pokernel.TableError):
        assert issubclass(kind, PokernelError)
        assert issubclass(kind, ValueError)
    assert issubclass(DuplicateCardError, CardError)
