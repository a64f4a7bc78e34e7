"""Every chip finds its owner: pots, splits, odd chips, bets that nobody called."""

import pickle
from copy import deepcopy
from typing import Any

import naive_pots
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st
from layouts import LAYOUTS
from numpy.typing import NDArray

import pokernel
from pokernel import PotError, Settlement, payouts, settle, showdown

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
HUGE = 2**63 - 1


@st.composite
def deals(draw: st.DrawFn, most_chips: int = 9) -> tuple[list[int], list[int], list[bool]]:
    """Contributions, strengths and who is live: few chips and few strengths, so that much is tied."""
    seats = draw(st.integers(1, 8))
    chips = draw(st.lists(st.integers(0, most_chips), min_size=seats, max_size=seats))
    strengths = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=seats))
    live = draw(st.lists(st.booleans(), min_size=seats, max_size=seats).filter(any))
    return chips, strengths, live


def random_deals(rng: np.random.Generator, n: int, seats: int, chips: int = 9) -> tuple[Ints, Ints, Flags]:
    live = rng.random((n, seats)) < 0.7
    live[np.arange(n), rng.integers(0, seats, n)] = True
    return rng.integers(0, chips + 1, (n, seats)), rng.integers(1, 4, (n, seats)), live


def one_by_one(*deals: NDArray[Any]) -> list[list[int]]:
    rows = zip(*(array.tolist() for array in deals), strict=True)
    return [naive_pots.settle(chips, strengths, live).payouts for chips, strengths, live in rows]


@pytest.mark.parametrize(
    ("chips", "strengths", "live", "payouts"),
    [
        ([2, 4, 4], [9, 1, 1], None, [6, 2, 2]),
        ([2, 4, 4], [9, 1, 1], [False, True, True], [0, 5, 5]),
        ([10_100] * 3, [7, 7, 7], None, [10_100] * 3),
        ([30_300, 0, 0], [0, 7, 7], None, [0, 15_150, 15_150]),  # dead money only
        ([10_000, 10_100, 10_200], [7, 7, 7], None, [10_000, 10_100, 10_200]),
        ([5, 5, 1], [7, 7, 0], None, [6, 5, 0]),
        ([1, 2, 0, 0], [0, 5, 0, 0], None, [0, 3, 0, 0]),  # a walk: the small blind's chip, one's own, one uncalled
        ([1, 2, 0, 0], [0, 0, 0, 0], [False, False, True, False], [0, 0, 3, 0]),  # even without a chip in it
        ([25, 50, 75, 100], [9, 8, 7, 6], None, [100, 75, 50, 25]),
        ([25, 50, 75, 100], [6, 7, 8, 9], None, [0, 0, 0, 250]),
        ([100, 75, 50, 25], [9, 9, 9, 9], None, [100, 75, 50, 25]),
        ([25, 50, 75, 75], [9, 8, 8, 7], None, [100, 38, 87, 0]),  # a tie in the first side pot
        ([3, 10, 10], [0, 6, 5], None, [0, 23, 0]),
        ([12, 4, 10], [0, 8, 6], None, [0, 12, 14]),  # a folded seat put in the most
        ([12, 12, 10], [0, 0, 6], None, [0, 0, 34]),
        ([2, 2, 8, 8, 8], [0, 0, 5, 5, 4], None, [0, 0, 14, 14, 0]),  # antes of folded seats split no pot
        ([1, 2, 8, 8, 8], [0, 0, 5, 5, 4], None, [0, 0, 14, 13, 0]),  # one odd chip, not two
        ([0, 0, 0], [0, 0, 0], None, [0, 0, 0]),
        ([7], [0], [True], [7]),
        ([0, 5, 5], [9, 2, 1], None, [0, 10, 0]),  # dealt in without a chip: nothing to win
        ([HUGE], [1], None, [HUGE]),
        ([2**62, 2**62 - 1], [1, 1], None, [2**62, 2**62 - 1]),
        ([2**62 - 1, 2**62, 0], [2, 1, 1], None, [2**63 - 2, 1, 0]),
    ],
)
def test_deals(chips: list[int], strengths: list[int], live: list[bool] | None, payouts: list[int]) -> None:
    paid = settle(chips, strengths, live)
    assert paid.dtype == np.int64
    assert paid.tolist() == payouts
    assert settle([chips], [strengths], live).tolist() == [payouts]


@given(deals(), st.booleans())
def test_as_one_chip_at_a_time(deal: tuple[list[int], list[int], list[bool]], one_each: bool) -> None:
    expected = naive_pots.settle(*deal, one_each=one_each)
    odd_chips = "spread" if one_each else "first"
    assert settle(*deal, odd_chips=odd_chips).tolist() == expected.payouts
    found = settle(*deal, odd_chips=odd_chips, by_pot=True)
    assert found.payouts.tolist() == expected.payouts
    assert found.returned.tolist() == expected.returned
    assert found.pots.tolist() == [pot.chips for pot in expected.pots]
    seats = range(len(deal[0]))
    assert found.won.tolist() == [[pot.won.get(seat, 0) for seat in seats] for pot in expected.pots]
    assert found.eligible.tolist() == [[seat in pot.eligible for seat in seats] for pot in expected.pots]


@given(deals(), st.integers(0, 7))
def test_odd_chips_go_around_from_the_button(deal: tuple[list[int], list[int], list[bool]], button: int) -> None:
    button %= len(deal[0])
    expected = naive_pots.settle(*deal, first=button + 1, one_each=True).payouts
    assert settle(*deal, odd_chips=button).tolist() == expected
    turned = [np.roll(part, -(button + 1)) for part in deal]  # the seat left of the button becomes the first
    assert np.roll(settle(*turned, odd_chips="spread"), button + 1).tolist() == expected


@given(deals(most_chips=HUGE // 8), st.sampled_from(["first", "spread", 0]))
def test_chips_are_conserved(deal: tuple[list[int], list[int], list[bool]], odd_chips: Any) -> None:
    chips, _, live = deal
    found = settle(*deal, odd_chips=odd_chips, by_pot=True)
    assert settle(*deal, odd_chips=odd_chips).tolist() == found.payouts.tolist()
    assert sum(found.payouts.tolist()) == sum(chips)
    assert sum(found.pots.tolist()) + sum(found.returned.tolist()) == sum(chips)
    assert (found.won.sum(axis=0) + found.returned == found.payouts).all()
    assert (found.payouts >= 0).all()
    assert (found.pots > 0).all()
    assert not found.payouts[~np.array(live)].any()
    assert not found.won[~found.eligible].any()
    sizes = found.eligible.sum(axis=1)
    assert (sizes[1:] < sizes[:-1]).all()
    dead = sum(bet for bet, in_play in zip(chips, live, strict=True) if not in_play)
    for seat, bet in enumerate(chips):  # one wins from each other seat what one put in oneself, and dead money
        assert found.payouts[seat] <= dead + sum(min(bet, other) for other in chips) + found.returned[seat]


@given(deals(), st.randoms(use_true_random=False))
def test_seats_do_not_matter_without_odd_chips(deal: tuple[list[int], list[int], list[bool]], random: Any) -> None:
    chips, strengths, live = (np.array(part) for part in deal)
    order = list(range(len(chips)))
    random.shuffle(order)
    whole = 840 * chips  # 1 to 8 winners share every pot evenly
    paid = settle(whole, strengths, live)
    assert settle(whole[order], strengths[order], live[order]).tolist() == paid[order].tolist()
    assert settle(1_000 * whole, strengths, live).tolist() == (1_000 * paid).tolist()
    assert settle(whole, strengths, live, odd_chips=0).tolist() == paid.tolist()


@given(deals(), st.integers(0, 7))
def test_a_stronger_hand_never_gets_less(deal: tuple[list[int], list[int], list[bool]], seat: int) -> None:
    chips, strengths, live = deal
    seat %= len(chips)
    stronger = [strength + (number == seat) for number, strength in enumerate(strengths)]
    assert settle(chips, stronger, live)[seat] >= settle(chips, strengths, live)[seat]


@given(deals())
def test_only_the_order_of_strengths_counts(deal: tuple[list[int], list[int], list[bool]]) -> None:
    chips, strengths, live = deal
    wide = [(1, 7462, HUGE)[strength - 1] for strength in strengths]
    assert settle(chips, wide, live).tolist() == settle(chips, strengths, live).tolist()
    of_folded = [strength if in_play else 0 for strength, in_play in zip(strengths, live, strict=True)]
    assert settle(chips, of_folded).tolist() == settle(chips, strengths, live).tolist()
    nonsense = [strength if in_play else -strength for strength, in_play in zip(strengths, live, strict=True)]
    assert settle(chips, nonsense, live).tolist() == settle(chips, strengths, live).tolist()


@pytest.mark.parametrize("seats", [1, 2, 3, 6, 9, 23])
def test_arrays(seats: int, rng: np.random.Generator) -> None:
    chips, strengths, live = random_deals(rng, 1500, seats)
    expected = np.array(one_by_one(chips, strengths, live))
    np.testing.assert_array_equal(settle(chips, strengths, live), expected)
    np.testing.assert_array_equal(settle(chips, np.where(live, strengths, 0)), expected)
    found = settle(chips, strengths, live, by_pot=True)
    np.testing.assert_array_equal(found.payouts, expected)
    np.testing.assert_array_equal(found.won.sum(axis=1) + found.returned, expected)
    np.testing.assert_array_equal(found.won.sum(axis=2), found.pots)
    assert found.pots.any(axis=0).all()  # no axis is longer than need be
    buttons = rng.integers(0, seats, 1500)
    around = [
        naive_pots.settle(chips[i].tolist(), strengths[i].tolist(), live[i].tolist(), buttons[i] + 1, True).payouts
        for i in range(1500)
    ]
    np.testing.assert_array_equal(settle(chips, strengths, live, odd_chips=buttons), around)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", ">i2", "<i4", ">u4", "<i8", ">i8", "<u8", ">u8"])
def test_layouts_and_dtypes(layout: Any, dtype: str, rng: np.random.Generator) -> None:
    chips, strengths, live = random_deals(rng, 60, 5)
    given = [layout(chips.astype(dtype)), layout(strengths.astype(dtype)), layout(live)]
    copies = [array.copy() for array in given]
    np.testing.assert_array_equal(settle(*given), one_by_one(chips, strengths, live))
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_shapes(rng: np.random.Generator) -> None:
    chips, strengths, live = random_deals(rng, 24, 4)
    expected = np.array(one_by_one(chips, strengths, live))
    deep = [array.reshape(2, 3, 4, 4) for array in (chips, strengths, live)]
    assert settle(*deep).tolist() == expected.reshape(2, 3, 4, 4).tolist()
    found = settle(*deep, by_pot=True)
    pots = found.pots.shape[-1]
    assert found.pots.shape == (2, 3, 4, pots)
    assert found.won.shape == found.eligible.shape == (2, 3, 4, pots, 4)
    assert found.returned.shape == found.payouts.shape == (2, 3, 4, 4)
    for number, one in enumerate(np.ndindex(2, 3, 4)):
        alone = settle(chips[number], strengths[number], live[number], by_pot=True)
        assert isinstance(alone, Settlement)
        assert alone.pots.shape == alone.won.shape[:1] == alone.eligible.shape[:1]
        assert alone.pots.tolist() == found.pots[one][: len(alone.pots)].tolist()
        assert not found.pots[one][len(alone.pots) :].any()
    for lists in (chips.tolist(), tuple(map(tuple, chips.tolist())), list(chips), chips.astype(object)):
        assert settle(lists, strengths.tolist(), live.tolist()).tolist() == expected.tolist()


def test_arguments_broadcast(rng: np.random.Generator) -> None:
    strengths, buttons = rng.integers(1, 4, (40, 3)), rng.integers(0, 3, 40)
    bets = np.array([3, 5, 5])
    rows = [
        settle(bets, strength, odd_chips=int(button)).tolist()
        for strength, button in zip(strengths, buttons, strict=True)
    ]
    assert settle(bets, strengths, odd_chips=buttons).tolist() == rows
    assert settle(bets[np.newaxis], strengths, [True] * 3, odd_chips=buttons).tolist() == rows
    assert settle(bets, [2, 2, 2], odd_chips=[0, 1, 2]).tolist() == [
        settle(bets, [2, 2, 2], odd_chips=b).tolist() for b in range(3)
    ]
    assert settle(np.stack([bets, 2 * bets])[:, np.newaxis], strengths).shape == (2, 40, 3)


@pytest.mark.parametrize("shape", [(0, 6), (3, 0, 6), (0, 0, 1)])
def test_no_deals(shape: tuple[int, ...]) -> None:
    chips = np.empty(shape, np.int64)
    paid = settle(chips, chips, odd_chips=0)
    assert paid.shape == shape
    assert paid.dtype == np.int64
    found = settle(chips, chips.astype(np.uint16), by_pot=True)
    assert found.pots.shape == (*shape[:-1], 0)
    assert found.won.shape == found.eligible.shape == (*shape[:-1], 0, shape[-1])


def test_deals_without_chips_have_no_pots() -> None:
    found = settle([[0, 0], [0, 0]], [[0, 0], [1, 2]], by_pot=True)
    assert found.payouts.tolist() == [[0, 0], [0, 0]]
    assert found.pots.shape == (2, 0)
    blinds = settle([[1, 2], [0, 3]], [[0, 4], [0, 4]], by_pot=True)
    assert blinds.pots.tolist() == [[2], [0]]  # the small blind called one of two chips; nobody called the three
    assert blinds.returned.tolist() == [[0, 1], [0, 3]]


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_blocks_and_threads(threads: int | None, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    chips, strengths, live = random_deals(rng, 1000, 6)
    expected = settle(chips, strengths, live, by_pot=True)
    monkeypatch.setattr(payouts, "AT_ONCE", 100)
    found = settle(chips, strengths, live, by_pot=True, threads=threads)
    for name, array in vars(expected).items():
        np.testing.assert_array_equal(getattr(found, name), array)
    chips[[333, 700, 990], 2] = -7
    with pytest.raises(PotError, match=r"^row 333: seat 2 put in -7 chips \(3 of 1000 rows are bad\)$"):
        settle(chips, strengths, live, threads=threads)
    with pytest.raises(PotError, match=r"^row \(3, 33\): seat 2 put in -7 chips \(3 of 1000 rows are bad\)$"):
        settle(chips.reshape(10, 100, 6), strengths.reshape(10, 100, 6), live[0], threads=threads)


def test_from_cards_to_chips() -> None:
    result = showdown("2c 7d 9h Js 3c", ["AsAh", "KsKh", None, "AdAc"])
    assert settle([30, 100, 7, 80], result.strengths).tolist() == [49, 20, 0, 148]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, -1], [1, 1]), "seat 1 put in -1 chips"),
        (([2**62, 2**62], [1, 1]), "9223372036854775808 chips are more than"),
        ((np.array([2**63, 0], np.uint64), [1, 1]), "9223372036854775808 chips are more than"),
        (([2**63, 0], [1, 1]), "contributions: 9223372036854775808 is beyond int64"),
        (([2**70, 0], [1, 1]), "is beyond int64"),
        (([1, 1], [1, -(2**70)]), "strengths: -"),
        (([1, 1], [0, 0]), "2 chips, but nobody is live"),
        (([1, 1], [3, 4], [False, False]), "2 chips, but nobody is live"),
        (([1, 1], [3, 0], [True, True]), "seat 1 is live with the strength 0, strengths are positive$"),
        (([0, 5, 5], [9, 0, 1], [True, True, True]), "seat 1 is live with the strength 0"),
        (([1, 1], [-3, -4]), "seat 0 is live with the strength -3"),
        (([1, 1], [3, -4], [True, True]), "seat 1 is live with the strength -4"),
        (
            ([1, 1], np.array([2**63, 3], np.uint64)),
            r"strength 9223372036854775808, strengths are at most 2\*\*63 - 1$",
        ),
        (([1, 1], [1]), r"the last axis is that of the seats.*contributions \(2,\) and strengths \(1,\)"),
        (([1, 1], [1, 1], [True]), r"live \(1,\)"),
        ((5, 5), "the last axis"),
        (([], []), "one seat at least"),
        ((np.ones((3, 2), int), np.ones((4, 2), int)), r"do not go together: contributions \(3, 2\)"),
        (([[1, 1], [1]], [1, 1]), "contributions are ragged"),
        (([1, 1], [np.ones((2, 2), int), np.ones((2, 3), int)]), "strengths are ragged"),
    ],
)
def test_what_cannot_be_settled(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(PotError, match=words):
        settle(*arguments)
    with pytest.raises(PotError, match=words):
        settle(*arguments, by_pot=True)


@pytest.mark.parametrize(
    ("odd_chips", "kind", "words"),
    [
        ("last", PotError, "odd_chips must be 'first', 'spread' or the seat of the button, not 'last'"),
        (2, PotError, "^the button is at 2, seats are 0 to 1$"),
        (-1, PotError, "the button is at -1"),
        ([0, 1, 2], PotError, r"^row 2: the button is at 2, seats are 0 to 1 \(1 of 3 rows is bad\)$"),
        (np.uint64(2**63), PotError, "the button is at 9223372036854775808"),
        *(
            (wrong, TypeError, f"^odd_chips must be 'first', 'spread' or the seat of the button, not {words}$")
            for wrong, words in (
                *((True, "True"), (np.True_, r"np\.True_"), (0.0, r"0\.0"), (None, "None"), (b"first", "b'first'")),
                *(({}, "{}"), ([True], "a list of bools"), ([[0, True]], "a list of bools and ints")),
                (np.array([True, False]), "an array of dtype bool"),
            )
        ),
        ("", PotError, "the seat of the button, not ''"),
        ([0.5], TypeError, "odd_chips must be integers, not float"),
        (["first"], TypeError, "odd_chips must be integers, not str"),
        (np.array([0.0]), TypeError, r"of dtype float64; convert it, say with \.astype\(numpy\.int64\)$"),
        (np.ma.masked_array([0], [True]), TypeError, "odd_chips must not be a masked array"),
    ],
)
def test_bad_odd_chips(odd_chips: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        settle([1, 1], [1, 1], odd_chips=odd_chips)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([1.0, 2.0], "contributions must be integers, not float"),
        (np.array([1.0, 2.0]), r"float64; convert it, say with \.astype\(numpy\.int64\)$"),  # chips beyond 255
        ([True, 2], "not bool"),
        (np.array([True, False]), "bool"),
        (["1", "2"], "not str"),
        (None, "NoneType"),
        ("12", "^contributions must be an integer array, not a str$"),
        (5.0, "^contributions must be an integer array, not a float$"),
        (True, "^contributions must be an integer array, not a bool$"),
        (np.ma.masked_array([1, 2], [True, False]), "masked"),
    ],
)
def test_wrong_types(wrong: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        settle(wrong, [1, 1])
    with pytest.raises(TypeError, match=words.replace("contributions", "strengths")):
        settle([1, 1], wrong)


def test_more_wrong_types() -> None:
    for live in ([0, 1], np.array([0, 1]), "10", [None, True], np.ma.masked_array([True, True], [True, False])):
        with pytest.raises(TypeError, match="live must be a boolean array"):
            settle([1, 1], [1, 1], live)
    with pytest.raises(TypeError, match="by_pot must be True or False, not int"):
        settle([1, 1], [1, 1], by_pot=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="threads"):
        settle([1, 1], [1, 1], threads=1.5)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        settle([1, 1], [1, 1], None, "first")  # type: ignore[call-overload]


def test_equal_by_value(rng: np.random.Generator) -> None:
    chips, strengths, live = random_deals(rng, 30, 4)
    many, one = (settle(chips[at], strengths[at], live[at], by_pot=True) for at in (slice(None), 0))
    for result, given_deals in ((many, (chips, strengths, live)), (one, (chips[0], strengths[0], live[0]))):
        again = settle(*(array.tolist() for array in given_deals), by_pot=True)
        for same in (again, pickle.loads(pickle.dumps(result)), deepcopy(result)):
            assert result == same
            assert (result != same) is False
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)
    assert one != many
    assert one != settle(2 * chips[0], strengths[0], live[0], by_pot=True)
    for name in ("payouts", "pots", "won", "eligible", "returned"):
        changed = deepcopy(many)
        getattr(changed, name)[0, 0] ^= True
        assert many != changed
    assert one != vars(one)


def test_kernels_are_plain_python_too(run_python: RunPython) -> None:
    ended = run_python(
        "import numpy as np, pokernel\n"
        "found = pokernel.settle([[2, 4, 4], [5, 9, 5]], [[9, 1, 1], [3, 3, 3]], odd_chips=[0, 1], by_pot=True)\n"
        "assert found.payouts.tolist() == [[6, 2, 2], [5, 9, 5]], found\n"
        "assert pokernel.settle([2, 4, 4], [7, 1, 1], [False, True, True]).tolist() == [0, 5, 5]\n"
        "result = pokernel.showdown(np.arange(5), [[[51, 50], [7, 7]], [[9, 8], [48, 49]]], live=[[True, False], [True, True]])\n"
        "assert result.strengths.tolist() == [[pokernel.evaluate((0, 1, 2, 3, 4, 51, 50)), 0],\n"
        "    [pokernel.evaluate((0, 1, 2, 3, 4, 9, 8)), pokernel.evaluate((0, 1, 2, 3, 4, 48, 49))]], result\n"
        "try: pokernel.showdown(np.arange(5), [[[51, 51]]])\n"
        "except pokernel.DuplicateCardError as error: print(error)\n",
        env={"NUMBA_DISABLE_JIT": "1"},
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "row 0: As (51) is twice in seat 0 (1 of 1 rows is bad)\n"


def test_names() -> None:
    assert issubclass(PotError, pokernel.PokernelError)
    assert {"settle", "Settlement", "showdown", "Showdown", "PotError"} <= set(pokernel.__all__)
