"""Cards as text: what is read, what is refused and how, and that every parse has a format."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pokernel import cards as cards_module
from pokernel import notation
from pokernel.cards import RANKS, SUITS, format_card, format_cards, parse_card, parse_cards
from pokernel.errors import CardError, DuplicateCardError, HandSizeError, PokernelError
from pokernel.notation import format_hands, parse_hands

ALL_CARDS = range(52)
NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SPELLINGS_OF_SUITS = [
    ["c", "C", "♣", "♧", "♣\ufe0f", "♧\ufe0f"],
    ["d", "D", "♦", "♢", "♦\ufe0f", "♢\ufe0f"],
    ["h", "H", "♥", "♡", "♥\ufe0f", "♡\ufe0f"],
    ["s", "S", "♠", "♤", "♠\ufe0f", "♤\ufe0f"],
]
SPELLINGS_OF_RANKS = [[rank, rank.lower()] if rank != "T" else ["T", "t", "10"] for rank in "23456789TJQKA"]
LOOKALIKES = [
    "\u212as",  # Kelvin sign, whose lower() is k
    "A\u017f",  # long s, whose upper() is S
    "\uff21s",  # full-width A
    "A\uff53",  # full-width s
    "\u0391s",  # Greek Alpha
    "A\u0455",  # Cyrillic dze
    "\u0661\u0660h",  # Arabic-Indic 10
    "\uff11\uff10h",  # full-width 10
    "\u00b2s",  # superscript 2
    "A\u2764",  # heavy black heart, no suit
    "\U0001f0a1",  # playing card ace of spades, a card in one character
]

hands = st.lists(st.sampled_from(ALL_CARDS), min_size=1, max_size=52, unique=True)


def hands_of(k: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(ALL_CARDS), min_size=k, max_size=k, unique=True)


@st.composite
def spelled(draw: st.DrawFn, cards: st.SearchStrategy[list[int]]) -> tuple[str, tuple[int, ...]]:
    """A text in any mixture of the accepted notations, and the cards that it means."""
    spaces = st.text(" \t\n\u00a0\u3000", max_size=2)
    meant = draw(cards)
    pieces = [draw(spaces)]
    for place, card in enumerate(meant):
        if place:
            pieces += [draw(spaces), draw(st.sampled_from(["", ","])), draw(spaces)]
        pieces += [
            draw(st.sampled_from(SPELLINGS_OF_RANKS[card // 4])),
            draw(spaces),
            draw(st.sampled_from(SPELLINGS_OF_SUITS[card % 4])),
        ]
    return "".join([*pieces, draw(spaces)]), tuple(meant)


def read_one_by_one(texts: list[str]) -> list[tuple[int, ...]]:
    return [tuple(cards_module._scan(text)) for text in texts]


# ---- one card --------------------------------------------------------------------------------------------------------


def test_numbers_and_names_of_all_cards() -> None:
    assert (RANKS, SUITS) == ("23456789TJQKA", "cdhs")
    assert [parse_card(name) for name in NAMES] == list(ALL_CARDS)
    assert [format_card(card) for card in ALL_CARDS] == NAMES
    assert [format_card(card) for card in np.arange(52, dtype=np.uint8)] == NAMES


@pytest.mark.parametrize("card", ALL_CARDS)
def test_every_spelling_of_every_card(card: int) -> None:
    for rank in SPELLINGS_OF_RANKS[card // 4]:
        for suit in SPELLINGS_OF_SUITS[card % 4]:
            for text in (rank + suit, f"{rank} {suit}", f" {rank}{suit}\n", f"{rank}\t {suit}"):
                assert parse_card(text) == card
                assert parse_cards(text) == (card,)


@pytest.mark.parametrize(
    ("text", "position", "token"),
    [
        ("A", 0, "A"),
        ("Asx", 2, "x"),
        ("1h", 0, "1h"),
        ("0h", 0, "0h"),
        ("1 0h", 0, "1"),
        ("01h", 0, "01h"),
        ("Zs", 0, "Zs"),
        ("sA", 0, "sA"),
        ("A,s", 0, "A"),
        ("11h", 0, "11h"),
        ("10", 0, "10"),
        ("A\ufe0fs", 0, "A\ufe0fs"),
        ("As\ufe0f", 2, "\ufe0f"),
        ("A♠\ufe0f\ufe0f", 3, "\ufe0f"),
        (",As", 0, ","),
        ("  ?", 2, "?"),
        ("A♠\ufe0e", 2, "\ufe0e"),
        *((text, 0, text) for text in LOOKALIKES),
    ],
)
def test_no_card_is_quoted_with_its_position(text: str, position: int, token: str) -> None:
    for parse in (parse_card, parse_cards):
        with pytest.raises(CardError) as error:
            parse(text)
        says = f"no card at position {position} of {text!r}: {token!r}"
        lookalikes = [f"U+{ord(c):04X}" for c in token[:3] if c.isalnum() and not c.isascii()]
        assert str(error.value) == says + (f" ({' '.join(lookalikes)}, no ASCII letter)" if lookalikes else "")


@pytest.mark.parametrize(("text", "end"), [("As,", 3), ("As, ", 3), ("As Kd ,\n", 7)])
def test_a_comma_wants_a_card(text: str, end: int) -> None:
    with pytest.raises(CardError, match=re.escape(f"no card at position {end} of {text!r}: it ends")):
        parse_cards(text)


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000"])
def test_blank_text_is_no_card(blank: str) -> None:
    for parse in (parse_card, parse_cards):
        with pytest.raises(CardError, match=re.escape(f"no card in {blank!r}")):
            parse(blank)


def test_two_cards_are_not_one() -> None:
    with pytest.raises(CardError, match=r"one card expected, another at position 3 of 'As Kd'"):
        parse_card("As Kd")


@pytest.mark.parametrize("wrong", [None, 51, 5.0, b"As", ["As"], np.str_])
def test_a_card_is_read_from_str(wrong: Any) -> None:
    with pytest.raises(TypeError, match=type(wrong).__name__):
        parse_card(wrong)


@pytest.mark.parametrize("card", [-1, 52, 255, 300, np.int64(-1), np.uint8(52), 2**70])
def test_a_number_out_of_range_has_no_name(card: Any) -> None:
    with pytest.raises(CardError, match=f"^{card} is no card: cards run from 0 to 51$"):
        format_card(card)


@pytest.mark.parametrize("card", [True, np.True_, 5.0, np.float64(5), "As", None, np.array(5)])
def test_names_are_for_integers(card: Any) -> None:
    with pytest.raises(TypeError, match=type(card).__name__):
        format_card(card)


# ---- several cards ---------------------------------------------------------------------------------------------------


@given(hands, st.sampled_from(["", " ", ",", ", ", " , ", "\n", "\t,"]))
def test_every_format_is_read_back(cards: list[int], separator: str) -> None:
    assert parse_cards(format_cards(cards, separator)) == tuple(cards)
    assert parse_cards([format_card(card) for card in cards]) == tuple(cards)


@given(spelled(hands))
def test_every_parse_has_a_format(text_and_cards: tuple[str, tuple[int, ...]]) -> None:
    text, cards = text_and_cards
    assert parse_cards(text) == cards
    assert parse_cards(format_cards(parse_cards(text))) == cards


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AsKd", "AsKd"),
        ("As Kd", "AsKd"),
        ("As,Kd", "AsKd"),
        ("As, Kd", "AsKd"),
        ("as kd", "AsKd"),
        ("10h", "Th"),
        ("Th", "Th"),
        ("10h10s", "ThTs"),
        ("A♠", "As"),
        ("A ♠K ♠", "AsKs"),
        ("♥", None),
        ("9♡9♥", None),
        ("A ♠K ♠Q ♠J ♠10♠", "AsKsQsJsTs"),
        ("Q ♥ J♥ 10♥9 ♥8♥", "QhJhTh9h8h"),
        ("K ♣K ♦K ♠K ♠9♥", None),
        ("8♣ 8♦ 8♠ K ♣K♠", "8c8d8sKcKs"),
        ("A ♦10 ♦9 ♠5 ♣4♣", "AdTd9s5c4c"),
        ("3♠4♠5♠6♠7♠", "3s4s5s6s7s"),
        ("2♥10♥", "2hTh"),
        ("As;Kd", None),
        ("As|Kd", None),
        ("As,,Kd", None),
        ("As-Kd", None),
        ("[As Kd]", None),
    ],
)
def test_notations_that_people_write(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(CardError):
            parse_cards(text)
    else:
        assert format_cards(parse_cards(text)) == canonical


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("AsAs", "As twice in 'AsAs': at positions 0 and 2"),
        ("As Kd as", "As twice in 'As Kd as': at positions 0 and 6"),
        ("K ♣K ♦K ♠K ♠9♥", "Ks twice in 'K ♣K ♦K ♠K ♠9♥': at positions 6 and 9"),
        ("10h Th", "Th twice in '10h Th': at positions 0 and 4"),
        (["As", "Kd", "A♠"], "As twice: items 0 and 2"),
    ],
)
def test_duplicates_are_named_with_both_places(wrong: Any, message: str) -> None:
    with pytest.raises(DuplicateCardError) as error:
        parse_cards(wrong)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (["As", "Kx"], CardError, "item 1: no card at position 0 of 'Kx': 'Kx'"),
        (["As", ""], CardError, "item 1: no card in ''"),
        (["As", "KdQc"], CardError, "item 1: one card expected, another at position 2 of 'KdQc'"),
        ([], CardError, "no card in an empty sequence"),
        ((), CardError, "no card in an empty sequence"),
        (["As", None], TypeError, "item 1: a card is read from str, not from NoneType"),
        ([51, 47], TypeError, "item 0: a card is read from str, not from int"),
        ([["As"]], TypeError, "item 0: a card is read from str, not from list"),
        (b"As", TypeError, "cards are read from texts, not from bytes"),
        (51, TypeError, "cards are read from texts, not from int"),
        (None, TypeError, "cards are read from texts, not from NoneType"),
        (np.array([51]), TypeError, "cards are read from texts, not from ndarray of int64"),
        (np.array("As"), TypeError, "cards are read from texts, not from ndarray of <U2"),
    ],
)
def test_faults_of_sequences_are_named(wrong: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        parse_cards(wrong)
    assert str(caught.value) == message
    assert type(caught.value) is error


@pytest.mark.parametrize("form", [list, tuple, iter, np.array], ids=lambda form: form.__name__)
def test_sequences_of_texts(form: Callable[[list[str]], Any]) -> None:
    assert parse_cards(form(["As", "10 ♥", " 2c"])) == (51, 34, 0)


@given(st.one_of(st.text(), st.text(" ,0123456789TJQKAtjqkacdhsCDHS♠♡♦♧\ufe0fſK10", max_size=20)))
@example("10" * 3)
@example("\x1c")
@example("As\x00")
def test_any_text_is_cards_or_a_card_error(text: str) -> None:
    for parse in (parse_cards, lambda text: (parse_card(text),)):
        try:
            cards = parse(text)
        except CardError as error:
            message = str(error)
        else:
            message = ""
            assert len(set(cards)) == len(cards) > 0
            assert all(type(card) is int and 0 <= card < 52 for card in cards)
        assert message.isprintable()  # texts are quoted by repr, so that no message breaks a line


def test_a_long_text_is_quoted_in_part() -> None:
    text = "As" + "?" * 1_000_000
    with pytest.raises(CardError, match=r"^no card at position 2 of 'As\?+…': '\?+…'$") as error:
        parse_cards(text)
    assert len(str(error.value)) < 250


def test_numpy_strings_are_quoted_as_text() -> None:
    with pytest.raises(CardError, match=r"^no card at position 2 of 'Asx': 'x'$"):
        parse_cards(np.str_("Asx"))


def test_faults_in_long_texts_are_found_in_linear_time() -> None:
    for text in (" " * 1_000_000 + "x", "A" + " " * 1_000_000, "As" + " " * 1_000_000 + ",", "10" * 500_000):
        with pytest.raises(CardError):
            parse_cards(text)


# ---- many hands ------------------------------------------------------------------------------------------------------


def deal(rng: np.random.Generator, n: int, k: int) -> NDArray[np.uint8]:
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)[:, :k]


@pytest.mark.parametrize("separator", ["", " ", ",", ", ", "\t"])
@pytest.mark.parametrize("k", [1, 2, 5, 6, 7, 52])
def test_formatted_hands_are_read_back(k: int, separator: str, rng: np.random.Generator) -> None:
    dealt = deal(rng, 100, k)
    texts = format_hands(dealt, separator)
    assert texts.shape == (100,)
    assert texts.tolist() == [format_cards(hand, separator) for hand in dealt]
    for form in (texts, texts.tolist(), tuple(texts), texts.astype(object), [text.lower() for text in texts]):
        read = parse_hands(form)
        assert read.dtype == np.uint8
        assert read.flags.c_contiguous
        np.testing.assert_array_equal(read, dealt)


def test_every_card_at_every_place_of_plain_texts() -> None:
    dealt = (np.arange(52)[:, None] + np.arange(7)) % 52
    for separator in ("", " ", ","):
        for case in (str, str.lower, str.upper, str.swapcase):
            texts = [case(text) for text in format_hands(dealt, separator).tolist()]
            read = notation._parse_alike(texts)
            assert read is not None, "not taken by the fast path"
            np.testing.assert_array_equal(read, dealt)


@given(
    st.lists(
        st.one_of(
            hands_of(2).map(format_cards),
            hands_of(2).map(lambda cards: format_cards(cards, " ")),
            st.text(" ,23TAcdhs", min_size=3, max_size=5),
            st.text("23TAcdhs\u00e9", min_size=4, max_size=4),
            spelled(hands_of(2)).map(lambda pair: pair[0]),
        ),
        min_size=1,
        max_size=3,
    )
)
@example(["AsAs"])
@example(["AsKd", "As Kd"])
@example(["As Kd", "As,Kd"])
@example(["AsKdQc", "AsKd", "AsKdQcJh"])
@example(["As 2c", "2c As 3d 4"])
@example(["", ""])
@example([" As", "As "])
@example(["As "])
def test_the_fast_path_agrees_with_the_scanner(texts: list[str]) -> None:
    fast = notation._parse_alike(texts)
    try:
        expected = np.array(read_one_by_one(texts), np.uint8)
    except ValueError:  # no cards, or hands of different sizes
        assert fast is None
        with pytest.raises(PokernelError, match=r"row \d+: .* \(\d of \d rows? (is|are) bad\)"):
            parse_hands(texts)
    else:
        assert fast is None or np.array_equal(fast, expected)
        np.testing.assert_array_equal(parse_hands(texts), expected)


def test_rows_may_differ_in_notation() -> None:
    rows: list[Any] = ["AsKd", "as kd", "A ♠, K♢", ["As", "K d"], ("as", "KD"), np.array(["As", "Kd"])]
    assert parse_hands(rows).tolist() == [[51, 45]] * 6
    assert parse_hands(np.array([["As", "Kd"], ["2c", "3c"]])).tolist() == [[51, 45], [0, 4]]
    assert parse_hands(iter(rows)).tolist() == [[51, 45]] * 6


@pytest.mark.parametrize("nothing", [[], (), iter([]), np.array([], "U14")], ids=["list", "tuple", "iterator", "array"])
def test_no_hands(nothing: Any) -> None:
    read = parse_hands(nothing)
    assert read.shape == (0, 7)
    assert read.dtype == np.uint8


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (["AsKd", "Asx"], CardError, "row 1: no card at position 2 of 'Asx': 'x' (1 of 2 rows is bad)"),
        (["", "AsKd", ""], CardError, "row 0: no card in '' (2 of 3 rows are bad)"),
        (["AsAs"], DuplicateCardError, "row 0: As twice in 'AsAs': at positions 0 and 2 (1 of 1 row is bad)"),
        (["AsKd", "2cAs2c", "x"], DuplicateCardError, "row 1: 2c twice in '2cAs2c': at positions 0 and 4 (2 of 3 rows are bad)"),
        (["AsKd", "As", "AsKdQc"], HandSizeError, "row 1: 1 card, where row 0 has 2 (2 of 3 rows are bad)"),
        (["x", "AsKd", "AsKdQc"], CardError, "row 0: no card at position 0 of 'x': 'x' (2 of 3 rows are bad)"),
        ([["As", "Kd"], ["As", "Kx"]], CardError, "row 1: item 1: no card at position 0 of 'Kx': 'Kx' (1 of 2 rows is bad)"),
        (["AsKd", []], CardError, "row 1: no card in an empty sequence (1 of 2 rows is bad)"),
        (["AsKd", None], TypeError, "row 1: cards are read from texts, not from NoneType"),
        (["AsKd", b"AsKd"], TypeError, "row 1: cards are read from texts, not from bytes"),
        ([51, 45], TypeError, "row 0: cards are read from texts, not from int"),
        ([[51, 45]], TypeError, "row 0: item 0: a card is read from str, not from int"),
        (["AsKd", float("nan")], TypeError, "row 1: cards are read from texts, not from float"),
        (np.array([51, 45]), TypeError, "hands are read from texts, not from ndarray of int64"),
        ("AsKd", TypeError, "hands are read from a sequence of texts, not from one str: parse_cards reads one hand"),
        (b"AsKd", TypeError, "hands are read from texts, not from bytes"),
        (None, TypeError, "hands are read from texts, not from NoneType"),
    ],
)  # fmt: skip
def test_faults_of_hands_are_named(rows: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        parse_hands(rows)
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_rows_are_counted_across_blocks(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    monkeypatch.setattr(notation, "_BLOCK", 8)
    dealt = deal(rng, 45, 7)
    texts = format_hands(dealt).tolist()
    texts[11] = format_cards(dealt[11], ", ")
    np.testing.assert_array_equal(parse_hands(texts), dealt)

    texts[20] = texts[20][:-1] + "x"
    with pytest.raises(CardError, match=r"^row 20: no card at position 12 .* \(1 of 45 rows is bad\)$"):
        parse_hands(texts)

    six = format_hands(dealt[:, :6]).tolist()
    with pytest.raises(HandSizeError, match=r"^row 16: 6 cards, where row 0 has 7 \(8 of 24 rows are bad\)$"):
        parse_hands(format_hands(dealt[:16]).tolist() + six[:8])
    with pytest.raises(CardError, match=r"^row 0: .* \(24 of 48 rows are bad\)$"):
        parse_hands(["x"] * 8 + six[:24] + format_hands(dealt[:16]).tolist())


@pytest.mark.parametrize("dtype", ["i1", "u1", ">i2", "<u4", "i8", "u8"])
def test_hands_of_every_integer_dtype_and_shape_are_named(dtype: str, rng: np.random.Generator) -> None:
    dealt = deal(rng, 24, 5)
    names = np.array([format_cards(hand, " ") for hand in dealt])
    hands = dealt.astype(dtype).reshape(2, 3, 4, 5)
    np.testing.assert_array_equal(format_hands(hands, " "), names.reshape(2, 3, 4))
    np.testing.assert_array_equal(format_hands(np.asfortranarray(hands)[:, ::-1], " "), names.reshape(2, 3, 4)[:, ::-1])
    one = format_hands(hands[0, 0, 0], " ")
    assert (one.shape, one.item()) == ((), names[0])
    assert format_hands(hands[:0]).shape == (0, 3, 4)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ([[0, 1], [2, 52], [-1, 3]], CardError, "row 1: 52 is no card: cards run from 0 to 51 (2 of 3 rows are bad)"),
        ([[[0, 1]], [[2, 300]]], CardError, "row (1, 0): 300 is no card: cards run from 0 to 51 (1 of 2 rows is bad)"),
        ([-1, 2], CardError, "row 0: -1 is no card: cards run from 0 to 51 (1 of 1 row is bad)"),
        ([[0, 1], [2]], HandSizeError, "hands of different sizes make no array"),
        (np.empty((3, 0), np.uint8), HandSizeError, "an array of shape (3, 0) holds no hands"),
        (5, HandSizeError, "an array of shape () holds no hands"),
        ([[0.0, 1.0]], TypeError, "cards are integers, not float64"),
        ([[True, False]], TypeError, "cards are integers, not bool"),
        (np.array([[0, None]]), TypeError, "cards are integers, not object"),
        (["AsKd"], TypeError, "cards are integers, not <U4"),
    ],
)
def test_hands_that_have_no_names(wrong: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        format_hands(wrong)
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_reading_cards_imports_no_compiler(run_python: RunPython) -> None:
    ended = run_python("import sys, pokernel.notation as n; n.parse_hands(['AsKd']); print('numba' in sys.modules)")
    assert (ended.stdout, ended.stderr) == ("False\n", "")
