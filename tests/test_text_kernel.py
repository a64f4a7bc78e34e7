"""Card texts in Arrow memory: the kernel accepts what ``parse_cards`` accepts, as the same cards, and nothing else."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import RunPython
from hypothesis import example, given, settings
from hypothesis import strategies as st
from layouts import deal
from numpy.typing import NDArray

from pokernel.cards import RANKS, format_card, format_cards, parse_cards
from pokernel.errors import DuplicateCardError, PokernelError
from pokernel.frames.cells import Texts
from pokernel.jit import text
from pokernel.jit.ragged import NULL

SPACES = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()]
ALMOST_SPACES = (
    "\u200b\u200c\u2060\ufeff\u180e\x00\x08\x0e\x1b\x7f\x84\x86\u009f\u00a1\u2027\u202a\u205e\u2060\u3001\u167f"
)
SUIT_TEXTS = ["c", "C", "♣", "♧", "d", "D", "♦", "♢", "h", "H", "♥", "♡", "s", "S", "♠", "♤"]
RANK_TEXTS = [*RANKS, *RANKS.lower(), "10"]
DIRT = [
    "\ufe0f",
    "\ufe0e",
    ",",
    ",,",
    "x",
    "1",
    "0",
    "é",
    "\u212a",
    "\uff21",
    "\u2668",
    "\u265f",
    "\U0001f0a1",
    "Ⓐ",
    ";",
]
KINDS = [
    *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()),
    *(pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string())),
]


@st.composite
def hands_with_dirt(draw: st.DrawFn) -> str:
    """Hands in any mixture of spellings, some with something in them that does not belong there."""
    cards = draw(st.lists(st.tuples(st.sampled_from(RANK_TEXTS), st.sampled_from(SUIT_TEXTS)), max_size=9))
    often_nothing = st.sampled_from(["", "", "", " ", "  ", draw(st.sampled_from([*SPACES, *DIRT, *ALMOST_SPACES]))])
    separator = draw(st.sampled_from(["", " ", ",", ", ", " , ", "\u3000"]))
    pieces = [
        piece for rank, suit in cards for piece in (rank, draw(often_nothing), suit, separator, draw(often_nothing))
    ]
    return "".join(pieces[: draw(st.sampled_from([len(pieces), len(pieces) - 2, len(pieces) - 3]))])


TEXTS = st.one_of(
    hands_with_dirt(),
    st.text("AKQJT9876543210akqjtcdhsCDHS ,♠♡\ufe0f\u00a0", max_size=24),
    st.text(max_size=12),
    st.lists(st.integers(0, 51), min_size=1, max_size=9).map(format_cards),
)


def parsed(value: str | None) -> tuple[int, ...] | None:
    try:
        return parse_cards(value or "")
    except PokernelError:
        return None


def read(column: pa.Array, width: int = 7) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    cards, sizes = np.full((len(column), width), 99, np.uint8), np.empty(len(column), np.uint8)
    Texts(column).read(0, cards, sizes)
    return cards, sizes


def check(texts: Sequence[str | None], cards: NDArray[np.uint8], sizes: NDArray[np.uint8]) -> None:
    for row, value in enumerate(texts):
        expected = parsed(value)
        if value is None:
            assert sizes[row] == NULL
        elif expected is None:
            assert 52 < sizes[row] < NULL, value
        else:
            assert sizes[row] == len(expected), value
            assert tuple(cards[row, : sizes[row]].tolist()) == expected[: cards.shape[1]], value


@settings(max_examples=500)
@given(st.lists(st.one_of(TEXTS, st.none()), max_size=20), st.sampled_from(KINDS[:6]), st.integers(0, 9))
@example(
    ["As", "AsAs", None, "", " ", "10s", "1 0s", "A\ufe0fs", "A♠\ufe0f", "A♠\ufe0f\ufe0f", "As\ufe0f", "As,", "As ,Kd"],
    pa.string(),
    1,
)
@example(["".join(map(format_card, range(52))), "".join(map(format_card, range(51))) + "x"], pa.string_view(), 0)
def test_the_kernel_agrees_with_the_parser(texts: list[str | None], kind: pa.DataType, skip: int) -> None:
    as_stored = [value.encode() if value is not None and "binary" in str(kind) else value for value in ["AsKd", *texts]]
    column = pa.array(as_stored, kind).slice(1 + skip)
    check(texts[skip:], *read(column))
    check(texts[skip:], *read(column, 1))


def test_every_space_is_one_and_nothing_else_is() -> None:
    points = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
    for pattern in ("A{}s", "As{}Kd", "{}As"):
        texts = [pattern.format(point) for point in points]
        _, sizes = read(pa.array(texts))
        good = [point for point, size in zip(points, sizes, strict=True) if size <= 52]
        assert set(SPACES) <= set(good)
        assert set(good) - set(SPACES) == ({","} if pattern == "As{}Kd" else set())
    texts = ["A" + point for point in points]
    _, sizes = read(pa.array(texts))
    assert {point for point, size in zip(points, sizes, strict=True) if size <= 52} == set(SUIT_TEXTS)
    _, sizes = read(pa.array([point + "s" for point in points]))
    assert {point for point, size in zip(points, sizes, strict=True) if size <= 52} == set(RANK_TEXTS) - {"10"}


def test_every_two_bytes() -> None:
    pairs = [bytes([first, second]) for first in range(256) for second in range(256)]
    _, sizes = read(pa.array(pairs, pa.binary(2)))
    good = {pair.decode() for pair, size in zip(pairs, sizes, strict=True) if size == 1}
    assert good == {rank + suit for rank in RANK_TEXTS for suit in "cdhsCDHS" if len(rank) == 1}


def test_bytes_that_are_no_text() -> None:
    broken = [
        b"As\xff",
        b"A\xe2\x99",
        b"A\xe2",
        b"A\xe2\x99\xa0\xef\xb8",
        b"A\xc2",
        b"\xc2\xa0As\xc2",
        b"As\xe2\x80",
        b"A\x20\xe3\x80",
    ]
    for row in broken:
        with pytest.raises(UnicodeDecodeError):
            row.decode()
    _, sizes = read(pa.array(broken, pa.binary()))
    assert set(sizes.tolist()) == {text.NO_CARD}
    # Where the text ends the memory may go on: what comes after must not be taken for its end.
    whole = b"A\xe2\x99\xa0\xef\xb8\x8fK\xe2\x99\xa5"
    for end in range(1, len(whole)):
        _, sizes = read(pa.array([whole[:end], whole[end:]], pa.binary()))
        assert (sizes[0] <= 52) == (end in (4, 7)), end


def random_dirt(rng: np.random.Generator, rows: int) -> list[str]:
    """Hands put together from pieces at random, most of them nearly right."""
    pieces = np.array([*SPACES, *DIRT, *ALMOST_SPACES, *[" ", ",", "", ""] * 20], object)
    ranks, suits = np.array(RANK_TEXTS, object), np.array(SUIT_TEXTS, object)
    styles = [(rng.random() ** 4, rng.random() ** 4, separator) for separator in ("", "", " ", ",", ", ", " , ")]
    texts = []
    for start in range(0, rows, 1000):
        inner, outer, separator = styles[start // 1000 % len(styles)]
        size = rng.integers(1, 9)
        shape = (min(1000, rows - start), size)
        hands = ranks[rng.integers(0, len(ranks), shape)]
        within, after = (
            np.where(rng.random(shape) < share / 2, rng.choice(pieces, shape), "") for share in (inner, outer)
        )
        cards = hands + within + suits[rng.integers(0, len(suits), shape)] + after
        texts += [separator.join(row) for row in cards.tolist()]
    return texts


def test_a_million_rows_of_dirt(rng: np.random.Generator) -> None:
    texts = random_dirt(rng, 1_000_000)
    cards, sizes = read(pa.array(texts, pa.large_string()))
    expected = list(map(parsed, texts))
    counts = np.array([len(hand) if hand else 0 for hand in expected], np.uint8)
    np.testing.assert_array_equal(np.where(sizes <= 52, sizes, 0), counts)
    good = np.flatnonzero(counts)
    assert 200_000 < len(good) < 800_000
    assert [hand[:7] for row in good if (hand := expected[row])] == [
        tuple(cards[row, : counts[row]].tolist()) for row in good
    ]


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("separator", ["", " ", ",", ", "])
def test_plain_hands_in_all_layouts(k: int, separator: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 300, k)
    texts = [format_cards(hand, separator) for hand in hands]
    for kind in [*KINDS[:6], pa.binary(len(texts[0]))]:
        values = texts if "string" in str(kind) else [value.encode() for value in texts]
        for start, length in ((0, 300), (1, 299), (7, 100), (300, 0), (299, 1)):
            cards, sizes = read(pa.array(values, kind).slice(start, length))
            assert (sizes == k).all()
            np.testing.assert_array_equal(cards[:, :k], hands[start : start + length])


def test_a_card_twice_is_twice() -> None:
    texts = ["AsAs", "As As", "AsKd10s Ts", "A♠as", "AsKsQsJsTs9sAs", "As Ks Qs Js Ts 9s As"]
    cards, sizes = read(pa.array(texts))
    assert (sizes - text.TWICE).tolist() == [2, 2, 4, 2, 7, 7]
    assert [format_cards(row[:size]) for row, size in zip(cards, sizes - text.TWICE, strict=True)][2:5] == [
        "AsKdTsTs",
        "AsAs",
        texts[4],
    ]
    assert read(pa.array(["As" * 99, "As" * 150, "AsAsx", "AsAs,"]))[1].tolist() == [
        199,
        200,
        text.NO_CARD,
        text.NO_CARD,
    ]
    for value in texts:
        with pytest.raises(DuplicateCardError):
            parse_cards(value)


def decoded(layout: int, rows: Any, width: int, buffers: list[tuple[int, int]], count: int) -> list[int]:
    cards, sizes = np.empty((count, 7), np.uint8), np.empty(count, np.uint8)
    text.decode(layout, rows, width, np.array(buffers, np.int64).reshape(-1, 2), cards, sizes, text.tables())
    return [int(size) for size in sizes]


@pytest.mark.parametrize(("layout", "dtype"), [(text.OFFSETS32, np.int32), (text.OFFSETS64, np.int64)])
def test_offsets_that_lie(layout: int, dtype: type) -> None:
    data = np.frombuffer(b"AsKd", np.uint8)
    for offsets, good in (
        ([0, 4], True),
        ([0, 5], False),
        ([-1, 4], False),
        ([4, 0], False),
        ([2, 2**31 - 1], False),
        ([4, 4], None),
    ):
        rows: NDArray[Any] = np.array(offsets, dtype)
        size = decoded(layout, rows.ctypes.data, 0, [(data.ctypes.data, 4)], 1)[0]
        assert size == (2 if good else text.NO_CARD if good is None else text.OUTSIDE), offsets


def test_views_that_lie() -> None:
    data = np.frombuffer(b"AsKsQsJsTs9s8s", np.uint8)
    rows = np.array(
        [
            [14, 0, 0, 0],
            [14, 0, 1, 0],
            [14, 0, -1, 0],
            [14, 0, 0, 1],
            [14, 0, 0, -1],
            [-1, 0, 0, 0],
            [2**31 - 1, 0, 0, 14],
            [13, 0, 0, 14],
        ],
        np.int32,
    )
    sizes = decoded(text.VIEWS, rows.ctypes.data, 0, [(data.ctypes.data, 14)], len(rows))
    assert sizes == [7] + [text.OUTSIDE] * 7
    assert decoded(text.VIEWS, rows.ctypes.data, 0, [], 1) == [text.OUTSIDE]


def test_views_in_many_buffers(rng: np.random.Generator) -> None:
    texts = [format_cards(hand, separator) for hand in deal(rng, 60, 7) for separator in ("", " ")]
    short = [value[:5] for value in texts]
    chunks = [pa.array(part, pa.string_view()) for part in (texts, short, texts[::-1])]
    column = pa.concat_arrays(chunks)
    assert len(column.buffers()) > 3
    for start, length in ((0, 360), (100, 200), (250, 110)):
        check((texts + short + texts[::-1])[start : start + length], *read(column.slice(start, length)))


def test_it_runs_without_a_compiler(run_python: RunPython) -> None:
    ended = run_python(
        "import pyarrow as pa\n"
        "from pokernel.frames import arrow\n"
        "print(arrow.strengths(pa.array(['AsKsQsJs10s', '7♣5d 4h,3s 2c', None, 'AsKsQsJsTs9s8s'], pa.string_view())).to_pylist())\n"
        "print(arrow.valid(pa.array(['AsKsQsJsTx', 'AsAsQsJsTs', 'AsKsQsJsTs9s'], pa.binary())).to_pylist())",
        env={"NUMBA_DISABLE_JIT": "1"},
    )
    assert (ended.stdout, ended.stderr) == ("[7462, 1, None, 7462]\n[False, False, True]\n", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="maps a page that must not be touched")
def test_nothing_beyond_the_end_is_read(run_python: RunPython) -> None:
    """Texts, offsets and views that end where a page ends, and the next one cannot be read."""
    script = """
import ctypes, mmap
import numpy as np
from pokernel.jit import text

libc = ctypes.CDLL(None, use_errno=True)

def at_end(data):
    memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    assert libc.mprotect(start + mmap.PAGESIZE, mmap.PAGESIZE, 0) == 0
    ctypes.memmove(start + mmap.PAGESIZE - len(data), data, len(data))
    return start + mmap.PAGESIZE - len(data), memory

for value in ("AsKsQsJsTs9s8s", "As Ks Qs Js Ts 9s 8s", "A", "1", "10", "A♠", "A♠\\ufe0f", "As,", "As\\u3000", "A\\u2009", "As\\u00a0", "AsK", ""):
    whole = value.encode()
    for end in range(len(whole) + 1):
        data = whole[:end]
        address, keep = at_end(data)
        rows, keep_rows = at_end(np.array([0, end], np.int32).tobytes())
        long, keep_long = at_end(np.array([0, end], np.int64).tobytes())
        view = np.array([end, 0, 0, 0], np.int32)
        if end <= 12:
            view[1:].view(np.uint8)[:end] = np.frombuffer(data, np.uint8)
        views, keep_views = at_end(view.tobytes())
        found = []
        for layout, place, width in ((0, 0, end), (1, rows, 0), (2, long, 0), (3, views, 0)):
            cards, sizes = np.empty((1, 7), np.uint8), np.empty(1, np.uint8)
            text.decode(layout, place, width, np.array([[address, end]], np.int64), cards, sizes, text.tables())
            found.append(int(sizes[0]))
        assert len(set(found)) == 1, (data, found)
print("done")
"""
    ended = run_python(script)
    assert (ended.stdout, ended.stderr) == ("done\n", "")
