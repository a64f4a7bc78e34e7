"""Payouts of 64 deals side by side: the same as one by one, whatever is shared, wrong or large among them."""

from typing import Any

import naive_pots
import numpy as np
import pytest
from numpy.typing import NDArray

from pokernel import PotError, Settlement, settle

Ints = NDArray[np.int64]
SEATS = [1, 2, 3, 6, 9, 23, 32, 33]
LARGE = 1 << 26  # chips and strengths from there on do not go side by side


def deals_of(
    rng: np.random.Generator, n: int, seats: int, chips: int, strengths: int
) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Of so many chips and strengths at most; somebody is live, in every fourth deal nobody else."""
    live = (rng.random((n, seats)) < 0.7) & (np.arange(n) % 4 > 0)[:, np.newaxis]
    live[np.arange(n), rng.integers(0, seats, n)] = True
    return rng.integers(0, chips + 1, (n, seats)), rng.integers(1, strengths + 1, (n, seats)), live


def one_by_one(chips: Ints, strengths: Ints, live: NDArray[np.bool_], buttons: Ints | None = None) -> Ints:
    """Single deals never go side by side."""
    paid = [
        settle(chips[i], strengths[i], live[i], odd_chips="first" if buttons is None else int(buttons[i]))
        for i in range(len(chips))
    ]
    return np.array(paid)


def pot_by_pot(chips: Ints, strengths: Ints, live: NDArray[np.bool_], odd_chips: Any) -> Settlement:
    """Settlements of single deals, stacked."""
    many = isinstance(odd_chips, np.ndarray)
    singles = [
        settle(chips[i], strengths[i], live[i], odd_chips=odd_chips[i] if many else odd_chips, by_pot=True)
        for i in range(len(chips))
    ]
    most = max(len(deal.pots) for deal in singles)

    def stacked(name: str) -> NDArray[Any]:
        rows = [getattr(deal, name) for deal in singles]
        return np.array([np.concatenate([row, np.zeros((most - len(row), *row.shape[1:]), row.dtype)]) for row in rows])

    payouts, returned = (np.array([getattr(deal, name) for deal in singles]) for name in ("payouts", "returned"))
    return Settlement(payouts, stacked("pots"), stacked("won"), stacked("eligible"), returned)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("strengths", [2, 40, 7462])
def test_as_one_chip_at_a_time(seats: int, strengths: int, rng: np.random.Generator) -> None:
    chips, hands, live = deals_of(rng, 300, seats, 9, strengths)
    rows = zip(chips.tolist(), hands.tolist(), live.tolist(), strict=True)
    expected = [naive_pots.settle(*row).payouts for row in rows]
    np.testing.assert_array_equal(settle(chips, hands, live), expected)
    for start in (1, 63, 171, 172, 173):  # what is left over after the last 64
        np.testing.assert_array_equal(settle(chips[start:], hands[start:], live[start:]), expected[start:])


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("chips", [200, LARGE - 1, LARGE, 2**57 - 1])
@pytest.mark.parametrize("strengths", [7462, LARGE - 2, LARGE - 1, LARGE, 2**62])
def test_any_size(seats: int, chips: int, strengths: int, rng: np.random.Generator) -> None:
    """Everybody all in with all there is, too: sums are the largest that go side by side."""
    given = deals_of(rng, 200, seats, chips, strengths)
    given[0][:100:3] = chips
    given[1][50:150:5] = strengths
    buttons = rng.integers(0, seats, 200)
    np.testing.assert_array_equal(settle(*given), one_by_one(*given))
    np.testing.assert_array_equal(settle(*given, odd_chips=buttons), one_by_one(*given, buttons))
    np.testing.assert_array_equal(settle(*given).sum(axis=1), given[0].sum(axis=1))


@pytest.mark.parametrize("seats", [1, 2, 3, 6, 9, 23])
@pytest.mark.parametrize("strengths", [2, 7462])
def test_pots_one_chip_at_a_time(seats: int, strengths: int, rng: np.random.Generator) -> None:
    chips, hands, live = deals_of(rng, 130, seats, 9, strengths)
    found = settle(chips, hands, live, odd_chips="spread", by_pot=True)
    for i in range(130):
        deal = naive_pots.settle(chips[i].tolist(), hands[i].tolist(), live[i].tolist(), one_each=True)
        count = len(deal.pots)
        assert found.pots[i].tolist() == [pot.chips for pot in deal.pots] + [0] * (found.pots.shape[1] - count)
        assert not found.won[i, count:].any()
        assert not found.eligible[i, count:].any()
        for k, pot in enumerate(deal.pots):
            assert set(np.flatnonzero(found.eligible[i, k]).tolist()) == pot.eligible
            assert found.won[i, k].tolist() == [pot.won.get(seat, 0) for seat in range(seats)]
        assert found.returned[i].tolist() == deal.returned
        assert found.payouts[i].tolist() == deal.payouts


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("chips", [1, 9, 200, LARGE - 1, LARGE, 2**57 - 1])
@pytest.mark.parametrize("strengths", [2, 7462])
@pytest.mark.parametrize("odd_chips", ["first", "spread", "buttons"])
def test_by_pot(seats: int, chips: int, strengths: int, odd_chips: Any, rng: np.random.Generator) -> None:
    given = deals_of(rng, 150, seats, chips, strengths)
    given[0][:100:3] = chips
    given[0][1::7] = 0
    given[0][::11] *= ~given[2][::11]  # nobody live has a chip
    buttons = rng.integers(0, seats, 150)
    by = buttons if odd_chips == "buttons" else odd_chips
    found, expected = settle(*given, odd_chips=by, by_pot=True), pot_by_pot(*given, by)
    for name, array in vars(expected).items():
        np.testing.assert_array_equal(getattr(found, name), array)
        assert getattr(found, name).dtype == array.dtype


@pytest.mark.parametrize("chips", [LARGE - 1, LARGE, 2**63 - 1])
@pytest.mark.parametrize("strength", [LARGE - 2, LARGE - 1, LARGE, 2**31, 2**32 + 1, 2**63 - 1])
def test_a_single_large_number(chips: int, strength: int, rng: np.random.Generator) -> None:
    """Among small ones; the low 32 bits of some are small numbers, too."""
    bets, hands, live = deals_of(rng, 64 * 4, 6, 200, 7462)
    bets[70], live[70] = 0, True
    bets[70, 1], hands[70, 1], hands[70, 0] = chips, strength, 7462
    hands[140, 2], live[140, 2] = strength, True
    np.testing.assert_array_equal(settle(bets, hands, live), one_by_one(bets, hands, live))
    assert settle(bets, hands, live, by_pot=True) == pot_by_pot(bets, hands, live, "first")


def test_hands_without_a_strength(rng: np.random.Generator) -> None:
    """Nobody looks at the strength of who alone is live, nor at those of folded hands."""
    chips, hands, live = deals_of(rng, 400, 6, 200, 7462)
    expected = settle(chips, hands, live)
    hands[~live] = rng.integers(-(2**62), 2**62, (~live).sum())
    alone = live & (live.sum(axis=1) == 1)[:, np.newaxis]
    hands[alone] = rng.integers(-3, 1, alone.sum())
    np.testing.assert_array_equal(settle(chips, hands, live), expected)
    found = settle(chips, hands, live, by_pot=True)
    np.testing.assert_array_equal(found.payouts, expected)
    assert found == pot_by_pot(chips, hands, live, "first")


@pytest.mark.parametrize("row", [0, 63, 64, 130, 191, 192, 199])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("chips", "seat 2 put in -1 chips"),
        ("strength", "seat 2 is live with the strength 0, strengths are positive"),
        ("weak", "seat 2 is live with the strength -9223372036854775808, strengths are positive"),
        ("two", "seat 2 is live with the strength 0, strengths are positive"),
        ("nobody", "30 chips, but nobody is live"),
        ("button", "the button is at 6, seats are 0 to 5"),
        ("before", "the button is at -1, seats are 0 to 5"),
        ("sum", f"{2**63 + 49} chips are more than 2\\*\\*63 - 1"),
    ],
)
def test_what_cannot_be_settled(row: int, wrong: str, words: str, rng: np.random.Generator) -> None:
    """It is found wherever it stands, and so is another behind it."""
    chips, hands, live = deals_of(rng, 200, 6, 200, 7462)
    buttons = rng.integers(0, 6, 200)
    for i in (row, 199):
        chips[i], live[i] = [10, 10, 10, 0, 0, 0], True
        if wrong == "chips":
            chips[i, 2] = -1
        elif wrong in ("strength", "two", "weak"):
            hands[i, 2] = -(2**63) if wrong == "weak" else 0
            live[i, 1:] = wrong != "two" or [False, True, False, False, False]
        elif wrong == "nobody":
            live[i] = False
        elif wrong == "sum":
            chips[i] = [2**62, 2**62, 10, 10, 10, 20 - 1]
        else:
            buttons[i] = 6 if wrong == "button" else -1
    count = len({row, 199})
    tail = rf" \({count} of 200 rows {'is' if count == 1 else 'are'} bad\)"
    for by_pot in (False, True):
        with pytest.raises(PotError, match=f"^row {row}: {words}{tail}$"):
            settle(chips, hands, live, odd_chips=buttons, by_pot=by_pot)


@pytest.mark.parametrize(
    ("chips", "pots"),
    [
        ([5, 0, 0], [5]),  # nobody live has a chip
        ([0, 0, 0], []),
        ([6, 7, 2**32 + 5], [20]),  # one seat's chips above 7 come back; of low 32 bits they would make a pot
        ([6, 5, 7], [15, 2]),
        ([5, 5, 7], [15]),
    ],
)
def test_no_more_pots_than_there_are(chips: list[int], pots: list[int]) -> None:
    found = settle([chips] * 128, [0, 2, 1], by_pot=True)
    assert found.pots.tolist() == [pots] * 128


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.int32, np.uint64])
def test_strengths_of_any_dtype(dtype: Any, rng: np.random.Generator) -> None:
    chips, hands, live = deals_of(rng, 200, 6, 200, 100)
    expected = one_by_one(chips, hands, live)
    for kind in (dtype, np.dtype(dtype).newbyteorder()):
        np.testing.assert_array_equal(settle(chips, hands.astype(kind), live), expected)
        np.testing.assert_array_equal(settle(chips, (hands * live).astype(kind)), expected)


def test_memory_of_the_batch_before_is_written_over(rng: np.random.Generator) -> None:
    chips, hands, live = deals_of(rng, 300, 6, 200, 40)
    out = np.full(chips.shape, -7)
    np.testing.assert_array_equal(settle(chips, hands, live, out=out), one_by_one(chips, hands, live))
