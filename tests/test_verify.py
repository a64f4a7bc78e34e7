"""The proof of an installation proves, and fails where it must."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pokernel import enumerate_strengths, enumeration, single, tables
from pokernel import verify as room
from pokernel.errors import VerificationError
from pokernel.jit import batch, showdowns
from pokernel.jit._compile import AVX2
from pokernel.tables import load
from pokernel.verify import FIVE_COUNTS, SEVEN_COUNTS, verify

SIGNATURE = "3749926285030f65"  # changes exactly when a strength does: a change belongs in the changelog


def test_all_hands_prove() -> None:
    seen: list[tuple[int, int]] = []
    found = verify(seven=True, progress=lambda done, total: seen.append((done, total)))
    assert found.five_counts == FIVE_COUNTS
    assert found.seven_counts == SEVEN_COUNTS
    assert (found.five_distinct, found.seven_distinct) == (7462, 4824)
    assert found.signature == SIGNATURE
    assert seen[-1] == (2_598_960 + 133_784_560,) * 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_the_signature_needs_no_seven_card_enumeration() -> None:
    found = verify()
    assert found.signature == SIGNATURE
    assert found.seven_counts is None


@pytest.mark.parametrize("table", ["flush", "unique", "product_strengths", "categories"])
def test_one_wrong_entry_of_a_classic_table_is_found(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = tables.load

    def damaged(name: str) -> Any:
        content = load(name).copy()
        if name == table:
            at = int(np.flatnonzero(content)[7])
            content[at] += 1
        return content

    monkeypatch.setattr(room, "load", damaged)
    with pytest.raises(VerificationError):
        verify()


# ---- every way to evaluate, one entry of one table wrong -------------------------------------------------------------

Damage = Callable[[str, Callable[[NDArray[Any]], None]], None]


def forget() -> None:
    """Nothing that was made of tables is left."""
    for name in [name for name in sys.modules if name.startswith("pokernel.")]:
        for made in list(vars(sys.modules[name]).values()):
            if hasattr(made, "cache_clear"):
                made.cache_clear()
    single.STRENGTH_OF.clear()
    single.STRENGTH_OF_TEXTS.clear()


@pytest.fixture
def damage() -> Iterator[Damage]:
    """Let everybody read a table that somebody has written to, and nobody afterwards."""
    with pytest.MonkeyPatch.context() as patch:

        def replace(damaged: str, change: Callable[[NDArray[Any]], None]) -> None:
            content = load(damaged).copy()
            change(content)
            assert (content != load(damaged)).any()
            content.flags.writeable = False

            def read(name: str) -> NDArray[Any]:
                return content if name == damaged else load(name)

            for name in [name for name in sys.modules if name.startswith("pokernel.")]:
                for attribute, value in list(vars(sys.modules[name]).items()):
                    if value is load:
                        patch.setattr(sys.modules[name], attribute, read)
            forget()

        yield replace
    forget()
    assert tables.load is load


@pytest.mark.parametrize(("k", "which"), [(5, 0.2), (6, 0.5), (7, 0.8)])
def test_one_wrong_strength_is_found(k: int, which: float, damage: Damage) -> None:
    def add_one(strengths: NDArray[Any]) -> None:
        used = np.flatnonzero(strengths)
        strengths[used[int(which * len(used))]] += 1

    damage(f"strengths{k}", add_one)
    with pytest.raises(VerificationError):
        verify()


def equally_frequent(k: int) -> tuple[int, int]:
    """Two strengths of unsuited hands that no count can tell apart."""
    counts = enumerate_strengths(cards=k)
    flushes = load("flush")
    strengths = [int(s) for s in np.flatnonzero(counts) if s not in flushes]
    first = next(s for s in strengths if counts[s + 1] == counts[s] and s + 1 in strengths)
    return first, first + 1


@pytest.mark.parametrize("k", [5, 6, 7])
def test_two_strengths_in_each_others_place_are_found(k: int, damage: Damage) -> None:
    one, other = equally_frequent(k)

    def swap(strengths: NDArray[Any]) -> None:
        ones, others = np.flatnonzero(strengths == one), np.flatnonzero(strengths == other)
        strengths[ones], strengths[others] = other, one

    damage(f"strengths{k}", swap)
    with pytest.raises(VerificationError):
        verify()


UNSUITED = (0, 5, 10, 15, 20, 25, 30)


@pytest.mark.parametrize("k", [5, 6, 7])
def test_one_wrong_displacement_is_found(k: int, damage: Damage) -> None:
    def add_one(displacements: NDArray[Any]) -> None:
        x = sum(int(load("card_keys")[card]) >> 32 for card in UNSUITED[:k]) & 0xFFFFFFFF
        displacements[x >> int(enumeration._row_shift(displacements))] += 1

    damage(f"displacements{k}", add_one)
    with pytest.raises(VerificationError):
        verify()


@pytest.mark.parametrize(
    ("card", "change"),
    [
        pytest.param(0, 1 << 32, id="a sum"),
        pytest.param(37, -1 << 58, id="a sum's row"),
        pytest.param(51, -1 << 12, id="a suit too few"),
        pytest.param(37, 1 << 8, id="a suit too many"),
    ],
)
def test_one_wrong_key_is_found(card: int, change: int, damage: Damage) -> None:
    def add(keys: NDArray[Any]) -> None:
        keys[card] += np.array(change % 2**64, np.uint64)

    damage("card_keys", add)
    with pytest.raises(VerificationError):
        verify()


@pytest.mark.skipif(not AVX2, reason="the portable kernels read neither")
@pytest.mark.parametrize("table", ["rank_digits", "multiplier"])
def test_one_wrong_digit_is_found(table: str, damage: Damage) -> None:
    def add_one(digits: NDArray[Any]) -> None:
        digits.flat[0] += 1

    damage(table, add_one)
    with pytest.raises(VerificationError):
        verify()


# ---- every way to evaluate, broken itself ----------------------------------------------------------------------------

FAULTS = [("rows", 5, "swapped"), ("rows", 6, "swapped"), ("rows", 7, "swapped"), ("rows", 7, "ones")]
FAULTS += [
    ("columns", 5, "swapped"),
    ("columns", 6, "ones"),
    ("columns", 6, "one hand of 32"),
    ("columns", 7, "swapped"),
]


@pytest.mark.parametrize(("layout", "k", "fault"), FAULTS)
def test_a_broken_kernel_is_found(layout: str, k: int, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = batch.ROWS if layout == "rows" else batch.COLUMNS
    if not kernels:
        pytest.skip("the portable kernels take rows alone")
    kernel = kernels[k]
    one, other = equally_frequent(k)

    def broken(cards: Any, out: NDArray[np.uint16], check: bool, lookup: Any) -> Any:
        invalid = kernel(cards, out, check, lookup)
        if fault == "ones":
            out[:] = 1
        elif fault == "swapped":
            ones, others = out == one, out == other
            out[ones], out[others] = other, one
        else:
            out[31::32] = np.maximum(out[31::32], 2) - 1
        return invalid

    monkeypatch.setitem(kernels, k, broken)
    with pytest.raises(VerificationError):
        verify()


def test_a_broken_showdown_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    show, (one, other) = showdowns.show_all, equally_frequent(7)

    def broken(boards: Any, holes: Any, lookup: Any, strengths: NDArray[np.uint16], winners: Any) -> Any:
        found = show(boards, holes, lookup, strengths, winners)
        ones, others = strengths == one, strengths == other
        strengths[ones], strengths[others] = other, one
        return found

    monkeypatch.setattr(showdowns, "show_all", broken)
    with pytest.raises(VerificationError, match="hands and showdowns"):
        verify()


@pytest.mark.parametrize("k", [5, 6, 7])
def test_a_broken_way_for_one_hand_is_found(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    single.prepare(k)
    right = single.STRENGTH_OF[k]
    one, other = equally_frequent(k)
    swapped = {one: other, other: one}
    monkeypatch.setitem(single.STRENGTH_OF, k, lambda cards: swapped.get(right(cards), right(cards)))
    with pytest.raises(VerificationError, match="plain Python"):
        verify()


# ---- counts ----------------------------------------------------------------------------------------------------------


def test_a_wrong_way_to_count_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    count = enumeration.count_every_hand

    def miscounting(*arguments: Any) -> Any:
        counts = count(*arguments)
        counts[4000] += 1
        counts[4001] -= 1
        return counts

    monkeypatch.setattr(room, "count_every_hand", miscounting)
    with pytest.raises(VerificationError, match="differ at strength 4000"):
        verify(seven=True)


@pytest.mark.parametrize("verdict", [0, 1])
def test_a_kernel_that_checks_nothing_or_refuses_everything_is_found(
    verdict: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = batch.ROWS[7]

    def careless(*arguments: Any) -> int:
        kernel(*arguments)
        return verdict

    monkeypatch.setitem(batch.ROWS, 7, careless)
    with pytest.raises(VerificationError, match="for a hand" if verdict == 0 else "refuse hands that are valid"):
        verify()
