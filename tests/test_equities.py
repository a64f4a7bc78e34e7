"""Exact equities of many deals: as by dealing every board, as one by one, and as showdowns on whole boards."""

from fractions import Fraction
from typing import Any

import naive_equity
import numpy as np
import pytest
from conftest import RunPython
from numpy.typing import NDArray
from test_showdown import LAYOUTS

import pokernel
from pokernel import CardError, DuplicateCardError, HandSizeError, OutputError, PotError, equities, equity, showdown

Cards = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def deals(rng: np.random.Generator, n: int, on_board: int, players: int) -> tuple[Cards, Cards]:
    deck = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)
    return deck[:, :on_board].copy(), deck[:, 5 : 5 + 2 * players].reshape(n, players, 2).copy()


def some_live(rng: np.random.Generator, n: int, players: int) -> Flags:
    live = rng.random((n, players)) < 0.7
    live[np.arange(n), rng.integers(0, players, n)] = True
    return live


def by_dealing(board: Cards, holes: Cards, live: Flags) -> list[float]:
    """Fractions, rounded once."""
    seats = np.flatnonzero(live).tolist()
    hands = [{(int(max(holes[seat])), int(min(holes[seat]))): 1} for seat in seats]
    tally = naive_equity.count(hands, board.tolist())
    shares = [Fraction(0)] * len(holes)
    for winners, count in tally.counts.items():
        for winner in winners:
            shares[seats[winner]] += Fraction(count, len(winners))
    return [float(share / tally.total) for share in shares]


@pytest.mark.parametrize("on_board", [3, 4, 5])
@pytest.mark.parametrize("players", [1, 2, 3, 6, 10])
def test_as_by_dealing_every_board(on_board: int, players: int, rng: np.random.Generator) -> None:
    """To the last bit; folded seats' cards may come."""
    boards, holes = deals(rng, 40, on_board, players)
    live = some_live(rng, 40, players)
    everybody = np.ones(players, bool)
    expected = [by_dealing(board, hands, everybody) for board, hands in zip(boards, holes, strict=True)]
    assert equities(boards, holes).tolist() == expected
    expected = [by_dealing(*deal) for deal in zip(boards, holes, live, strict=True)]
    assert equities(boards, holes, live=live).tolist() == expected
    holes[~live] = 255  # nobody looks at them
    assert equities(boards, holes, live=live).tolist() == expected


@pytest.mark.parametrize("on_board", range(6))
def test_as_one_by_one(on_board: int, rng: np.random.Generator) -> None:
    for players in (2, 3):
        boards, holes = deals(rng, 4 if on_board < 3 else 60, on_board, players)
        found = equities(boards, holes)
        for board, hands, row in zip(boards, holes, found, strict=True):
            assert row.tolist() == list(equity(hands.tolist(), board.tolist(), method="match-ups").equity)
            assert row.tolist() == equities(board, hands).tolist()


@pytest.mark.parametrize("players", [1, 2, 9, 12, 23])
def test_a_whole_board_is_a_showdown(players: int, rng: np.random.Generator) -> None:
    boards, holes = deals(rng, 3000, 5, players)
    exactly = 0 if players <= 10 else 1e-15
    boards[:50] = [51, 47, 43, 39, 35]  # a royal flush, which all share
    holes[:50] = np.setdiff1d(np.arange(52), boards[0])[: 2 * players].reshape(-1, 2)
    live = some_live(rng, 3000, players)
    for flags in (None, live):
        shares = showdown(boards, holes, live=flags).shares
        np.testing.assert_allclose(equities(boards, holes, live=flags), shares, rtol=0, atol=exactly)


@pytest.mark.parametrize(("on_board", "players"), [(4, 12), (3, 23), (4, 23)])
def test_more_seats_than_ten(on_board: int, players: int, rng: np.random.Generator) -> None:
    """On every board that can come, a showdown."""
    boards, holes = deals(rng, 3, on_board, players)
    boards[0], holes[0] = (
        [51, 47, 43, 39][:on_board],
        np.setdiff1d(np.arange(52), [51, 47, 43, 39])[: 2 * players].reshape(-1, 2),
    )
    for board, hands, found in zip(boards, holes, equities(boards, holes), strict=True):
        left = np.setdiff1d(np.arange(52), [*board, *hands.ravel()])
        more = left[:, np.newaxis] if on_board == 4 else left[np.array(np.triu_indices(len(left), 1)).T]
        whole = np.concatenate([np.broadcast_to(board, (len(more), on_board)), more], axis=1)
        np.testing.assert_allclose(found, showdown(whole, hands).shares.mean(axis=0), rtol=0, atol=1e-14)


def test_before_the_flop_two_hands_are_looked_up(rng: np.random.Generator) -> None:
    _, holes = deals(rng, 2000, 0, 2)
    nothing = np.empty((2000, 0), np.uint8)
    found = equities("", holes)
    expected = []
    for a, b in holes.tolist():
        wins, losses, ties = pokernel.hand_vs_hand(a, b)
        expected.append([float(Fraction(2 * part + ties, 2 * 1_712_304)) for part in (wins, losses)])
    assert found.tolist() == expected
    nobodys: list[Any] = [None, "  ", [], (), nothing, np.empty(0, np.int64)]
    for board in nobodys:
        np.testing.assert_array_equal(equities(board, holes), found)
    np.testing.assert_array_equal(equities("", holes, live=np.ones((2000, 2), bool)), found)
    live = np.ones((3, 2), bool)
    live[2, 0] = False
    np.testing.assert_array_equal(equities("", holes[:3], live=live), [*found[:2], [0, 1]])  # by the kernel
    _, holes = deals(rng, 200, 0, 4)
    live = np.zeros((200, 4), bool)
    np.put_along_axis(live, rng.permuted(np.tile(np.arange(4), (200, 1)), axis=1)[:, :2], True, axis=1)
    two = holes[live].reshape(200, 2, 2)
    among = equities("", holes, live=live)
    assert among[live].reshape(200, 2).tolist() == equities("", two).tolist()
    assert not among[~live].any()
    assert equities("", ["AsKs", "QhQd"]).tolist() == list(equity(["AsKs", "QhQd"]).equity)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("dtype", ["u1", "i1", ">i2", "<u4", "<i8", ">u8"])
def test_layouts_and_dtypes(layout: Any, dtype: str, rng: np.random.Generator) -> None:
    for on_board in (0, 4):
        boards, holes = deals(rng, 30, on_board, 2)
        given = layout(boards.astype(dtype)) if on_board else "", layout(holes.astype(dtype))
        np.testing.assert_array_equal(equities(*given), equities(boards, holes))


def test_shapes(rng: np.random.Generator) -> None:
    boards, holes = deals(rng, 24, 4, 3)
    expected = equities(boards, holes)
    assert (
        equities(boards.reshape(2, 3, 4, 4), holes.reshape(2, 3, 4, 3, 2)).tolist()
        == expected.reshape(2, 3, 4, 3).tolist()
    )
    for on_board, players in ((0, 2), (3, 2), (5, 1)):
        boards, holes = deals(rng, 24, on_board, players)
        expected = equities(boards, holes)
        for shape in ((2, 12), (2, 3, 4), (24, 1), (1, 1, 24)):
            found = equities(boards.reshape(*shape, on_board), holes.reshape(*shape, players, 2))
            np.testing.assert_array_equal(found, expected.reshape(*shape, players))
        assert equities(boards[0], np.broadcast_to(holes[0], (40, 3, players, 2))).shape == (40, 3, players)
    many = equities("2c 7d 9h", [["AsKs", "QhQd"], ["AcKc", None], ["3s3h", "9d8d"]])
    assert many.shape == (3, 2)
    assert many[1].tolist() == [1, 0]
    assert equities("2c 7d 9h", ["3s3h", "9d8d"]).tolist() == many[2].tolist()
    assert equities([0, 21, 30], [[51, 47], [42, 41]], live=[[True, True], [False, True]]).shape == (2, 2)
    for on_board in (0, 3):
        assert equities(np.empty((0, on_board), np.uint8), np.empty((0, 2, 2), np.uint8)).shape == (0, 2)


@pytest.mark.parametrize("on_board", [0, 3])
@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_threads_and_memory_given(on_board: int, threads: int | None, rng: np.random.Generator) -> None:
    boards, holes = deals(rng, 70_000 if on_board == 0 else 30_000, on_board, 2)
    out = np.full(holes.shape[:2], np.nan)
    assert equities(boards, holes, out=out, threads=threads) is out
    np.testing.assert_array_equal(out, equities(boards, holes, threads=1))
    np.testing.assert_allclose(out.sum(axis=1), 1, rtol=0, atol=1e-15)
    with pytest.raises(OutputError, match=r"^out has shape \(3, 2\), the equities have "):
        equities(boards, holes, out=out[:3])
    with pytest.raises(TypeError, match="float64"):
        equities(boards, holes, out=out.astype(np.float32))


@pytest.mark.parametrize("on_board", [0, 3, 5])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        ("no card", CardError, "52 in seat 1 is no card, cards are 0 to 51"),
        ("negative", CardError, "-1 in seat 1 is no card, cards are 0 to 51"),
        ("large", CardError, "256 in seat 1 is no card, cards are 0 to 51"),
        ("64 more", CardError, "6[4-9] in seat 1 is no card, cards are 0 to 51|[7-9][0-9] in .*|1[01][0-9] in .*"),
        ("twice", DuplicateCardError, r"\w\w \(\d+\) is twice in seat 1"),
        ("both", DuplicateCardError, r"\w\w \(\d+\) is both in seat 0 and in seat 1"),
        ("board", DuplicateCardError, r"\w\w \(\d+\) is both on the board and in seat 1"),
    ],
)
def test_bad_deals(
    on_board: int, players: int, wrong: str, kind: type[Exception], words: str, rng: np.random.Generator
) -> None:
    if wrong == "board" and not on_board:
        wrong, kind, words = "both", DuplicateCardError, r"\w\w \(\d+\) is both in seat 0 and in seat 1"
    boards, holes = (array.astype(np.int64) for array in deals(rng, 400, on_board, players))
    for row in (77, 300):
        holes[row, 1, 0] = {
            "no card": 52,
            "negative": -1,
            "large": 256,
            "64 more": holes[row, 1, 0] + 64,
            "twice": holes[row, 1, 1],
            "both": holes[row, 0, 1],
            "board": boards[row, -1] if on_board else 0,
        }[wrong]
    for threads in (1, 2):
        with pytest.raises(kind, match=rf"^row 77: (?:{words}) \(2 of 400 rows are bad\)$"):
            equities(boards, holes, threads=threads)
    with pytest.raises(kind, match=rf"^(?:{words})$"):
        equities(boards[77], holes[77])


def test_what_else_is_wrong(rng: np.random.Generator) -> None:
    boards, holes = deals(rng, 20, 3, 2)
    live = np.ones((20, 2), bool)
    live[3] = False
    with pytest.raises(PotError, match=r"^row 3: nobody is live \(1 of 20 rows is bad\)$"):
        equities(boards, holes, live=live)
    with pytest.raises(HandSizeError, match=r"^a board has 0 to 5 cards, not 6$"):
        equities(np.zeros((20, 6), np.uint8), holes)
    with pytest.raises(HandSizeError, match="do not go together"):
        equities(boards[:7], holes)
    with pytest.raises(CardError, match="is live, but its cards are None"):
        equities("2c7d9h", ["AsKs", None], live=[True, True])
    with pytest.raises(DuplicateCardError, match="twice on the board"):
        equities([0, 0, 1], holes[0])
    with pytest.raises(HandSizeError, match=r"^board: row 1 is empty: all rows have as many cards$"):
        equities([[0, 1, 2], []], holes[:2])
    no_cards: list[Any] = [[[], []], ["", " "], [(), []], np.empty((2, 0), np.uint8)]
    for none in no_cards:
        np.testing.assert_array_equal(equities(none, holes[:2]), [equities("", deal) for deal in holes[:2]])
    for nothing in (b"", bytearray()):
        with pytest.raises(TypeError, match="board must be"):
            equities(nothing, holes)
        with pytest.raises(TypeError, match="board must be"):
            equity(["AsKs", "QhQd"], nothing)
    with pytest.raises(TypeError, match="boolean"):
        equities(boards, holes, live=[0, 1])
    boards[5, 1] = 200
    with pytest.raises(CardError, match=r"^row 5: 200 on the board is no card"):
        equities(boards, holes)


def test_without_a_compiler(run_python: RunPython) -> None:
    """Two hands before the flop need none."""
    ended = run_python(
        "import pokernel\n"
        "print(pokernel.equities('', ['AsKs', 'QhQd']).round(4).tolist())\n"
        "pokernel.equities('2c7d9h', ['AsKs', 'QhQd'])\n",
        env={"NUMBA_DISABLE_JIT": "1"},
    )
    assert ended.stdout == "[0.4621, 0.5379]\n"
    assert ended.stderr.splitlines()[-1].startswith("RuntimeError: equities are counted by compiled kernels only")
