"""`out` of showdowns and pots: the memory of the batch before, filled anew, or refused for what is wrong with it."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from conftest import RunPython
from layouts import deal

from pokernel import OutputError, PotError, Settlement, Showdown, VerificationError, settle, showdown
from pokernel.jit import by_pot as kernels

SHAPES = [(), (1,), (7,), (1000,), (0,), (3, 0), (10, 100), (2, 3, 5)]
SEATS = 4


def seats_of(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, Any, Any, Any]:
    """Boards, holes, chips, and who is live: seat 0 always."""
    cards = deal(rng, int(np.prod(shape)), 5 + 2 * SEATS).reshape(*shape, 5 + 2 * SEATS)
    live = rng.random((*shape, SEATS)) < 0.6
    live[..., 0] = True
    chips = rng.integers(1, 50, (*shape, SEATS))
    return cards[..., :5], cards[..., 5:].reshape(*shape, SEATS, 2), chips, live


def filled(shape: tuple[int, ...]) -> tuple[Showdown, Any]:
    """Memory with something else in it."""
    whole = (*shape, SEATS)
    return Showdown(np.full(whole, 9999, np.uint16), np.ones(whole, np.bool_)), np.full(whole, -77)


@pytest.mark.parametrize("threads", [1, 3, None])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_as_in_new_memory(shape: tuple[int, ...], threads: int | None, rng: np.random.Generator) -> None:
    boards, holes, chips, live = seats_of(rng, shape)
    for folding in (live, None):
        result, payouts = filled(shape)
        expected = showdown(boards, holes, live=folding)
        assert showdown(boards, holes, live=folding, out=result, threads=threads) is result
        assert result == expected
        paid = settle(chips, result.strengths, folding, out=payouts, threads=threads)
        assert paid is payouts
        np.testing.assert_array_equal(paid, settle(chips, expected.strengths, folding))
        np.testing.assert_array_equal(paid.sum(axis=-1), chips.sum(axis=-1))
        by_pot = settle(chips, result.strengths, folding, by_pot=True, out=filled(shape)[1], threads=threads)
        assert by_pot == settle(chips, expected.strengths, folding, by_pot=True)
        assert by_pot.payouts.shape == (*shape, SEATS)


def test_one_memory_for_batch_after_batch(rng: np.random.Generator) -> None:
    result, payouts = filled((500,))
    for _ in range(5):
        boards, holes, chips, live = seats_of(rng, (500,))
        showdown(boards, holes, live=live, out=result)
        settle(chips, result.strengths, live, out=payouts)
        assert result == showdown(boards, holes, live=live)
        np.testing.assert_array_equal(payouts, settle(chips, result.strengths, live))


def test_a_part_of_larger_memory(rng: np.random.Generator) -> None:
    """Whole rows of an array are C-contiguous; what is beside them stays."""
    boards, holes, chips, _ = seats_of(rng, (10,))
    result, payouts = filled((30,))
    part = Showdown(result.strengths[10:20], result.winners[10:20])
    showdown(boards, holes, out=part)
    settle(chips, part.strengths, out=payouts[10:20])
    assert part == showdown(boards, holes)
    assert (result.strengths[:10] == 9999).all()
    assert (result.strengths[20:] == 9999).all()
    assert (payouts[:10] == -77).all()
    assert (payouts[20:] == -77).all()


def test_what_no_showdown_goes_into(rng: np.random.Generator) -> None:
    boards, holes, _, live = seats_of(rng, (10,))
    (strengths, winners), whole = vars(filled((10,))[0]).values(), np.zeros((10, 2 * SEATS), np.uint16)
    memory = np.zeros(10 * SEATS * 3, np.uint8)
    alike = Showdown(memory[: 20 * SEATS].view(np.uint16).reshape(10, SEATS), memory[:40].view(bool).reshape(10, SEATS))
    fixed, none = winners.copy(), cast(Any, None)
    fixed.flags.writeable = False
    wrong: list[tuple[Any, type[Exception], str]] = [
        (strengths, TypeError, "out must be a Showdown, not ndarray"),
        ((strengths, winners), TypeError, "out must be a Showdown, not tuple"),
        (Showdown(strengths.astype(int), winners), TypeError, "out.strengths must have dtype uint16, not int64"),
        (Showdown(strengths, winners.view(np.uint8)), TypeError, "out.winners must have dtype bool, not uint8"),
        (
            Showdown(strengths[:9], winners),
            OutputError,
            r"out.strengths has shape \(9, 4\), the strengths have \(10, 4\)",
        ),
        (Showdown(strengths, winners[0]), OutputError, r"out.winners has shape \(4,\), the winners have \(10, 4\)"),
        (Showdown(whole[:, :SEATS], winners), OutputError, "out.strengths must be C-contiguous"),
        (Showdown(strengths, winners[::-1]), OutputError, "out.winners must be C-contiguous"),
        (Showdown(strengths, fixed), OutputError, "out.winners is read-only"),
        (Showdown(strengths, live), OutputError, "out.winners overlaps"),
        (alike, OutputError, "out.winners overlaps"),
        (Showdown(none, winners), TypeError, "out.strengths must be a numpy array, not NoneType"),
        (Showdown(strengths, none), TypeError, "out.winners must be a numpy array, not NoneType"),
    ]
    for out, kind, words in wrong:
        with pytest.raises(kind, match=words):
            showdown(boards, holes, live=live, out=out)
    one = showdown(boards[0], holes[0])
    with pytest.raises(OutputError, match=r"out.strengths has shape \(4,\), the strengths have \(10, 4\)"):
        showdown(boards, holes, out=one)


def test_what_no_payouts_go_into(rng: np.random.Generator) -> None:
    _, _, chips, live = seats_of(rng, (10,))
    strengths, fixed = np.ones((10, SEATS), np.int64), np.zeros((10, SEATS), np.int64)
    fixed.flags.writeable = False
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([[0] * SEATS] * 10, TypeError, "out must be a numpy array, not list"),
        (fixed.astype(float), TypeError, "out must have dtype int64, not float64"),
        (fixed.astype(">i8"), TypeError, "native byte order"),
        (fixed[0], OutputError, r"out has shape \(4,\), the payouts have \(10, 4\)"),
        (fixed, OutputError, "out is read-only"),
        (np.zeros((SEATS, 10), np.int64).T, OutputError, "out must be C-contiguous"),
        (np.zeros(8 * 10 * SEATS + 1, np.uint8)[1:].view(np.int64).reshape(10, SEATS), OutputError, "and aligned"),
        (chips, OutputError, "out overlaps"),
        (strengths, OutputError, "out overlaps"),
    ]
    for out, kind, words in wrong:
        for by_pot in (False, True):
            with pytest.raises(kind, match=words):
                settle(chips, strengths, live, out=out, by_pot=by_pot)
    assert not fixed.any()
    assert (strengths == 1).all()


def test_a_bad_deal_is_found_with_out_too(rng: np.random.Generator) -> None:
    boards, holes, chips, live = seats_of(rng, (3000,))
    result, payouts = filled((3000,))
    live[[1500, 2500]] = False
    with pytest.raises(PotError, match=r"^row 1500: nobody is live \(2 of 3000 rows are bad\)$"):
        showdown(boards, holes, live=live, out=result, threads=2)
    with pytest.raises(PotError, match=r"^row 1500: .* chips, but nobody is live \(2 of 3000 rows are bad\)$"):
        settle(chips, np.ones_like(chips), live, out=payouts, threads=2)


def test_a_settlement_has_the_given_payouts() -> None:
    payouts = np.zeros(3, np.int64)
    found = settle([2, 4, 4], [7462, 1, 1], by_pot=True, out=payouts)
    assert isinstance(found, Settlement)
    assert found.payouts is payouts
    assert payouts.tolist() == [6, 2, 2]


class Copying(np.ndarray):
    """Whose views are copies, as they may be."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index).copy()

    def reshape(self, *shape: Any, **options: Any) -> Any:
        return super().reshape(*shape, **options).copy()


def test_subclasses_are_filled_too(rng: np.random.Generator, tmp_path: Path) -> None:
    boards, holes, chips, _ = seats_of(rng, (500,))
    expected = showdown(boards, holes)
    strengths, winners, payouts = (
        np.zeros((500, SEATS), kind).view(Copying) for kind in (np.uint16, np.bool_, np.int64)
    )
    assert showdown(boards, holes, out=Showdown(strengths, winners)).strengths is strengths
    mapped = np.memmap(tmp_path / "payouts", np.int64, "w+", shape=(500, SEATS))
    for out in (payouts, mapped):
        assert settle(chips, expected.strengths, out=out) is out
        np.testing.assert_array_equal(np.asarray(out), settle(chips, expected.strengths))
    np.testing.assert_array_equal(np.asarray(strengths), expected.strengths)
    np.testing.assert_array_equal(np.asarray(winners), expected.winners)


def test_strengths_that_change_meanwhile_end_nothing_but_the_call(run_python: RunPython) -> None:
    """Odd chips whose winners are gone once they are counted: an error, not a search without end."""
    ended = run_python(
        "import numpy as np\n"
        "from pokernel.jit.pots import pay\n"
        "class Changing(np.ndarray):\n"
        "    reads = 0\n"
        "    def __getitem__(self, index):\n"
        "        self.reads += 1\n"
        "        return super().__getitem__(index) if self.reads <= 2 else 2\n"
        "chips, live = np.array([[101, 101, 1]]), np.array([[True, True, False]])\n"
        "strengths = np.ones((1, 3), np.int64).view(Changing)\n"
        "nothing, out = np.empty(0, np.int64), np.empty((1, 3), np.int64)\n"
        "print(*map(int, pay(np.arange(1), chips, strengths, live, nothing, False, out)))\n",
        env={"NUMBA_DISABLE_JIT": "1"},
    )
    assert (ended.returncode, ended.stdout) == (0, "1 0\n"), ended.stderr


@pytest.mark.parametrize("changed", [[1, 2, 3, 4], [0, 0, 0, 0]])
def test_chips_that_change_meanwhile_harm_nothing(changed: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread refills the array, after pots were counted: an error, and no byte outside the arrays."""
    chips = np.array([[5, 5, 5, 5]] * 100)
    count = kernels.most_pots

    def most_pots(*given: Any) -> Any:
        most = count(*given)
        chips[:] = changed
        return most

    monkeypatch.setattr(kernels, "most_pots", most_pots)
    if any(changed):
        with pytest.raises(VerificationError, match=r"^row 0: .*\(100 of 100 rows are bad\): chips that changed"):
            settle(chips, [4, 3, 2, 1], by_pot=True)
    else:
        assert not settle(chips, [4, 3, 2, 1], by_pot=True).won.any()
