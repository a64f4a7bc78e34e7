"""The sample that the project ships is what its seed says."""

import random
from pathlib import Path

from pokernel.cards import format_cards

SAMPLE = Path(__file__).parent / "data" / "sample_hands.csv"


def sample_text() -> str:
    """Deal a thousand seven-card showdown hands; ``random.sample`` gives the same on every Python."""
    dealer = random.Random(7462)
    hands = (format_cards(dealer.sample(range(52), 7), " ") for _ in range(1000))
    return "id,hand\n" + "".join(f"{number:04},{hand}\n" for number, hand in enumerate(hands, 1))


def test_sample_is_reproducible() -> None:
    assert SAMPLE.read_bytes() == sample_text().encode()


if __name__ == "__main__":
    SAMPLE.write_bytes(sample_text().encode())
