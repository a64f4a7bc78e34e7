"""The proof of an installation proves, and fails where it must."""

from typing import Any

import numpy as np
import pytest

from pokernel import enumeration, tables
from pokernel import verify as room
from pokernel.errors import VerificationError
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
