"""Cards straight from Arrow's buffers: what they say is what ``parse_cards`` says of every text."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pokernel.cards import RANKS, SUITS, format_card, parse_cards
from pokernel.cli import decode
from pokernel.cli.hands import read_hands
from pokernel.cli.header import is_data
from pokernel.cli.layouts import Layout
from pokernel.cli.words import LayoutKind
from pokernel.errors import PokernelError

CARDS = st.lists(st.sampled_from([r + s for r in RANKS for s in SUITS]), min_size=1, max_size=8)
HANDS = st.builds(lambda cards, separator: separator.join(cards), CARDS, st.sampled_from(["", " ", ",", ", ", "-"]))
SPELLINGS = {
    "c": ("c", "C", "♣", "♧", " ♣\ufe0f"),
    "d": ("d", "♦", " ♦", "♢\ufe0f"),
    "h": ("h", " h", "♥", "♡ ", "\u2009h"),
    "s": ("s", "S", "♠", "♤", "\ufe0fs"),
    "T": ("T", "10", "t", "1 0", "10 "),
}


@st.composite
def respelled(draw: st.DrawFn) -> str:
    """Hands as people write them, and nearly so."""
    return "".join(draw(st.sampled_from(SPELLINGS[char])) if char in SPELLINGS else char for char in draw(HANDS))


ALMOST = st.text(alphabet="AKQJT987654321akcdhsCDHS ,0x♠♡\ufe0f\u00a0\0é", max_size=22)
TEXTS = st.lists(
    st.one_of(HANDS, HANDS.map(str.lower), HANDS.map(str.swapcase), respelled(), ALMOST, st.none()), max_size=30
)


def parsed(text: str | None) -> tuple[int, ...] | None:
    try:
        cards = parse_cards(text or "")
    except PokernelError:
        return None
    return cards if len(cards) <= 7 else None


@settings(max_examples=400)
@given(TEXTS, st.integers(0, 3), st.booleans())
def test_decoded_is_parsed(texts: list[str | None], skip: int, large: bool) -> None:
    column = pa.array(["As", *texts], pa.large_string() if large else pa.string()).slice(1 + skip)
    texts = texts[skip:]
    cards, sizes, others = decode.decode_hands(column)
    assert others.tolist() == np.flatnonzero(sizes == 0).tolist()
    for row, text in enumerate(texts):
        if sizes[row]:
            found = cards[row, : sizes[row]].tolist()
            # Only a duplicate is left for later.
            assert parsed(text) == tuple(found) or len(set(found)) < len(found)
    table = pa.RecordBatch.from_arrays([column], ["hand"])
    hands = read_hands(table, Layout(LayoutKind.text, (0,)))
    for row, text in enumerate(texts):
        expected = parsed(text)
        if expected is not None:
            assert tuple(hands.cards[row, : hands.sizes[row]].tolist()) == expected
            assert row not in hands.faults
        else:
            found = hands.cards[row, : hands.sizes[row]].tolist()
            assert row in hands.faults or len(set(found)) < len(found)


def test_other_spellings_need_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        "A ♠K ♠Q ♠J ♠10♠",
        "Q ♥ J♥ 10♥9 ♥8♥",
        "10s9s8s7s6s",
        "A♠️ K♠️ Q♠️ J♠️ 10♠️",
        "5♦, 4♥, 3♠, 2♦, A♦",
        " As Ks Qs Js Ts ",
    ]
    expected = [parse_cards(text) for text in texts]
    monkeypatch.delattr("pokernel.cli.hands.parse_cards")
    hands = read_hands(pa.RecordBatch.from_arrays([pa.array(texts)], ["hand"]), Layout(LayoutKind.text, (0,)))
    assert [tuple(hand) for hand in hands.cards[:, :5].tolist()] == expected
    assert not hands.faults


def test_plain_texts_need_no_python() -> None:
    for separator in ("", " ", ","):
        texts = [separator.join(map(format_card, range(start, start + 7))) for start in range(46)]
        cards, sizes, others = decode.decode_hands(pa.array(texts))
        assert not len(others)
        assert (sizes == 7).all()
        assert (cards == np.arange(46)[:, None] + np.arange(7)).all()


@pytest.mark.parametrize("codes", [decode.CARD_CODES, decode.SUIT_CODES, decode.RANK_CODES])
@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int16(), pa.int64(), pa.uint64()])
def test_numbers_are_their_texts(codes: NDArray[np.uint8], kind: pa.DataType) -> None:
    numbers = [0, 1, 4, 5, 9, 10, 13, 14, 51, 52, 99, 100, 127, None]
    numbers += [-1, -128] if pa.types.is_signed_integer(kind) else []
    numbers += [300, 1 << 13] if kind.bit_width > 8 else []
    texts = [None if number is None else str(number) for number in numbers]
    by_number = decode.decode_cells(pa.array(numbers, kind), codes)
    by_text = decode.decode_cells(pa.array(texts, pa.string()), codes)
    assert by_number.tolist() == by_text.tolist()


@pytest.mark.parametrize("kind", [pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.large_string()])
def test_all_texts_of_arrow(kind: pa.DataType) -> None:
    column = pa.array(["AsKsQsJsTs", "7♣ 5♣ 4♣ 3♣ 10♦", "AsKx", None], kind)
    hands = read_hands(pa.RecordBatch.from_arrays([column], ["hand"]), Layout(LayoutKind.text, (0,)))
    assert hands.sizes.tolist() == [5, 5, 0, 0]
    assert hands.faults == {2: "no card at position 2 of 'AsKx': 'Kx'", 3: "no hand"}


def test_cells() -> None:
    texts = ["As", "as", "0", "51", "52", "", "A", "1", "10h", None, "2c"]
    found = decode.decode_cells(pa.array(texts), decode.CARD_CODES)
    assert found.tolist() == [51, 51, 0, 51, 255, 255, 255, 1, 255, 255, 0]
    assert decode.decode_cells(pa.array(texts).slice(10), decode.CARD_CODES).tolist() == [0]
    assert decode.decode_cells(pa.array([None, ""], pa.string()), decode.CARD_CODES).tolist() == [255, 255]
    assert decode.decode_cells(pa.array([], pa.string()), decode.CARD_CODES).tolist() == []


def test_uci_numbers() -> None:
    suits, ranks = "hsdc", "A23456789TJQK"
    cells = [(suit, rank) for suit in range(1, 5) for rank in range(1, 14)]
    table = pa.RecordBatch.from_arrays(
        [
            pa.array([str(cells[(row + step) % 52][part]) for row in range(52)])
            for step in range(5)
            for part in range(2)
        ],
        [f"{letter}{pair}" for pair in range(1, 6) for letter in "SC"],
    )
    hands = read_hands(table, Layout(LayoutKind.uci, tuple(range(10))))
    assert not hands.faults
    for row in range(52):
        suit, rank = cells[row]
        assert format_card(int(hands.cards[row, 0])) == ranks[rank - 1] + suits[suit - 1]


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (["hand"], False),
        (["id", "hand"], False),
        (["ts", "id"], False),
        (["S1", "C1", "S2", "C2", "S3", "C3", "S4", "C4", "S5", "C5", "CLASS"], False),
        (["", "hand"], False),
        (["AsKs"], True),
        (["bob", "AsKsQsJsTs"], True),
        (["bob", "As", "Ks", "Qs", "Js", "Ts"], True),
        (["1", "10", "1", "11"], True),
        (["51", "50", "49", "48", "47"], True),
        (["AsKsQsJsTx"], True),
        (["XxKsQsJsTs"], True),
        (["AxKxQxJxTx"], True),
        (["AsAsQsJsTs"], True),
        (["[As Ks Qs Js Ts]"], True),
        (["bob", "As Ks Qz"], True),
        (["As", "Ks", "Qs", "Js", "Tx"], True),
        (["Xx", "Ks", "Qs", "Js", "Ts"], True),
        (["As", "As", "Ks", "", "x"], True),
        (["AsKsQsJsTs;1"], True),
        (["Ace"], False),
        (["hole"], False),
        (["Cards"], False),
        (["hole", "Ad"], False),
        (["tasks"], False),
        (["c1", "c2", "c3", "c4", "c5"], False),
    ],
)
def test_first_lines(cells: list[str], answer: bool) -> None:
    assert is_data(cells) is answer


@pytest.mark.parametrize(
    ("cells", "below", "answer"),
    [
        (["Ad"], ["AsKsQsJsTs"], True),
        (["Ace"], ["AsKsQsJsTs"], False),
        (["??"], ["AsKsQsJsTs"], True),
        ([""], ["AsKsQsJsTs"], True),
        (["1", "hello"], ["2", "AsKsQsJsTs"], True),
        (["ts", "dealt"], ["17", "AsKsQsJsTs"], False),
        (["xx", "xx", "xx", "xx", "xx"], ["As", "Ks", "Qs", "Js", "Ts"], True),
        (["Ac", "no", "yes", "on", "off"], ["As", "Ks", "Qs", "Js", "Ts"], False),
        (["As", "??", "??", "??", "??"], ["As", "Ks", "Qs", "Js", "Ts"], True),
        (["0", "1", "2", "3", "4"], ["As", "Ks", "Qs", "Js", "Ts"], False),
        (["seat", "1", "2", "3", "4", "5"], ["x", "As", "Ks", "Qs", "Js", "Ts"], False),
        (["0", "1", "2", "3", "4"], ["51", "47", "43", "39", "35"], True),
        (["1", "x", "1", "2", "1", "3", "1", "4", "1", "5"], ["1", "1", "1", "2", "1", "3", "1", "4", "1", "5"], True),
        (["a", "b", "c", "d", "e"], ["51", "47", "43", "39", "35"], False),
    ],
)
def test_first_lines_above_others(cells: list[str], below: list[str], answer: bool) -> None:
    assert is_data(cells, [below]) is answer
