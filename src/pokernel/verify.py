"""Proof of an installation: every hand through the kernels, against the classic tables and the published counts."""

import hashlib
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .enumeration import Counts, Progress, count_every_hand, enumerate_strengths
from .errors import VerificationError
from .evaluation import evaluate
from .tables import load

__all__ = ["Verification", "verify"]

FIVE_COUNTS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
SEVEN_COUNTS = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324)
"""Published numbers of hands by category, high card to royal flush."""
FIVE_DISTINCT, SIX_DISTINCT, SEVEN_DISTINCT = 7462, 6075, 4824
PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41], np.uint32)
SAMPLE = 200_000  # six- and seven-card hands whose strengths enter the signature


@dataclass(frozen=True)
class Verification:
    """What :func:`verify` found; nothing of it differs from what the rules give, or it would have raised."""

    five_counts: tuple[int, ...]
    """Five-card hands by category, 2,598,960 in all."""
    five_distinct: int
    """Different strengths among them."""
    seven_counts: tuple[int, ...] | None
    """Seven-card hands by category, 133,784,560 in all; None if they were not enumerated."""
    seven_distinct: int | None
    """Different strengths among them."""
    signature: str
    """Sixteen hexadecimal digits that change exactly when a strength does."""


def verify(seven: bool = False, progress: Progress | None = None) -> Verification:
    """Prove the installed tables and kernels.

    Every five-card hand goes through the array kernel and, independently, through the classic three tables (flush,
    unique, prime products); with `seven` every seven-card hand goes through the scalar look-up, too.

    Parameters
    ----------
    seven : bool, default False
        Also enumerate all 133,784,560 seven-card hands: a second or so.
    progress : callable, optional
        Called now and then with the number of hands done and in all, possibly from another thread.

    Raises
    ------
    VerificationError
        If anything is not as it must be, naming what.

    Examples
    --------
    >>> from pokernel.verify import verify
    >>> verify().five_counts
    (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
    """
    five, seven_hands = math.comb(52, 5), math.comb(52, 7) if seven else 0
    report = progress or (lambda done, total: None)
    digest = hashlib.sha256()
    counts = np.zeros(7463, np.int64)
    for hands in _five_card_hands():
        strengths = evaluate(hands, validate=False)
        differing = np.flatnonzero(strengths != _classic_strengths(hands))
        if differing.size:
            raise VerificationError(
                f"kernel and classic tables differ on the five cards {hands[differing[0]].tolist()}"
            )
        digest.update(strengths.astype("<u2").tobytes())
        counts += np.bincount(strengths, minlength=7463)
        report(int(counts.sum()), five + seven_hands)
    five_counts = _checked(counts, FIVE_COUNTS, FIVE_DISTINCT, "five")
    deck = list(range(52))
    histogram = enumerate_strengths(cards=7)
    seven_counts = _checked(histogram, SEVEN_COUNTS, SEVEN_DISTINCT, "seven")
    if seven:
        one_by_one = count_every_hand([], deck, 7, lambda done, _: report(five + done, five + seven_hands))
        if (one_by_one != histogram).any():
            strength = int(np.flatnonzero(one_by_one != histogram)[0])
            raise VerificationError(f"the two ways to count seven-card hands differ at strength {strength}")
    six = enumerate_strengths(cards=6)
    if np.count_nonzero(six) != SIX_DISTINCT:
        raise VerificationError(f"six cards have {np.count_nonzero(six)} strengths, not {SIX_DISTINCT}")
    _sign(digest, six, histogram)
    return Verification(
        five_counts,
        FIVE_DISTINCT,
        seven_counts if seven else None,
        SEVEN_DISTINCT if seven else None,
        digest.hexdigest()[:16],
    )


def _sign(digest: "hashlib._Hash", *histograms: Counts) -> None:
    """Let six and seven cards into the signature: their histograms and the strengths of a fixed sample."""
    for histogram in histograms:
        digest.update(histogram.astype("<i8").tobytes())
    order = np.random.Generator(np.random.PCG64(7462)).random((SAMPLE, 52)).argsort(axis=1).astype(np.uint8)
    for k in (6, 7):
        digest.update(evaluate(np.ascontiguousarray(order[:, :k])).astype("<u2").tobytes())


def _checked(counts: Counts, published: tuple[int, ...], distinct: int, size: str) -> tuple[int, ...]:
    by_category = np.zeros(10, np.int64)
    np.add.at(by_category, load("categories"), counts)
    found = tuple(by_category.tolist())
    if found != published:
        raise VerificationError(f"{size}-card hands by category are {found}, published are {published}")
    if np.count_nonzero(counts) != distinct:
        raise VerificationError(f"{size} cards have {np.count_nonzero(counts)} strengths, not {distinct}")
    return found


@cache
def _combinations(n: int, size: int) -> NDArray[np.uint8]:
    """All sets of so many of 0 … n - 1, ascending, ordered by their highest: those below m come first."""
    if size == 1:
        return np.arange(n, dtype=np.uint8)[:, np.newaxis]
    below = _combinations(n - 1, size - 1)
    return np.concatenate([_with_highest(below, top, size) for top in range(size - 1, n)])


def _with_highest(below: NDArray[np.uint8], top: int, size: int) -> NDArray[np.uint8]:
    chosen = below[: math.comb(top, size - 1)]
    return np.column_stack([chosen, np.full(len(chosen), top, np.uint8)])


def _five_card_hands() -> list[NDArray[np.uint8]]:
    """All five-card hands, by their highest card."""
    fours = _combinations(51, 4)
    return [_with_highest(fours, top, 5) for top in range(4, 52)]


def _classic_strengths(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Cactus Kev's way: flushes by rank mask, five different ranks by rank mask, the rest by product of primes."""
    rank, suit = hands >> 2, hands & 3
    mask = np.bitwise_or.reduce(np.uint16(1) << rank.astype(np.uint16), axis=1)
    product = np.multiply.reduce(PRIMES[rank], axis=1, dtype=np.uint32)
    products = load("products")
    at = np.minimum(np.searchsorted(products, product), len(products) - 1)
    paired = np.where(products[at] == product, load("product_strengths")[at], 0)
    unique = load("unique")[mask]
    unsuited = np.where(unique > 0, unique, paired)
    strengths: NDArray[np.uint16] = np.where((suit == suit[:, :1]).all(axis=1), load("flush")[mask], unsuited)
    return strengths
