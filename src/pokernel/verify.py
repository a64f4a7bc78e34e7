"""Proof of an installation: its kernels against the classic tables and the published counts.

A strength depends on a hand's ranks alone, or, in a flush, on the ranks of its suit. So one hand of every rank multiset
without a flush and one of every suited rank set, in each suit, stand for all hands: the *representatives*.
"""

import hashlib
import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .cards import format_cards
from .enumeration import Counts, Progress, count_every_hand, enumerate_strengths
from .errors import CardError, VerificationError
from .evaluation import evaluate
from .single import strength_of
from .tables import load
from .winners import showdown

__all__ = ["Verification", "verify"]

FIVE_COUNTS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
SEVEN_COUNTS = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324)
"""Published numbers of hands by category, high card to royal flush."""
FIVE_DISTINCT, SIX_DISTINCT, SEVEN_DISTINCT = 7462, 6075, 4824
PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41], np.uint32)


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
    kernels: str
    """What arrays of hands go through on this processor, in words."""


def verify(seven: bool = False, progress: Progress | None = None) -> Verification:
    """Prove the installed tables and kernels.

    Every five-card hand goes through the array kernel and, independently, through the classic three tables (flush,
    unique, prime products). The representatives of six and seven cards go through the kernels for rows, for columns
    and for one hand, and through the classic tables as the best of their five-card hands. With `seven` every
    seven-card hand is looked up, too.

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
    from .jit._compile import IN_WORDS

    five, seven_hands = math.comb(52, 5), math.comb(52, 7) if seven else 0
    report = progress or (lambda done, total: None)
    counts = np.zeros(7463, np.int64)
    for hands in _five_card_hands():
        strengths = evaluate(hands, validate=False)
        _compare(hands, strengths, _classic_strengths(hands), "array kernel and classic tables")
        counts += np.bincount(strengths, minlength=7463)
        report(int(counts.sum()), five + seven_hands)
    five_counts = _checked(counts, FIVE_COUNTS, FIVE_DISTINCT, "five")
    signature = _prove_representatives()
    histogram = enumerate_strengths(cards=7)
    seven_counts = _checked(histogram, SEVEN_COUNTS, SEVEN_DISTINCT, "seven")
    if seven:
        deck = list(range(52))
        one_by_one = count_every_hand([], deck, 7, lambda done, _: report(five + done, five + seven_hands))
        if (one_by_one != histogram).any():
            strength = int(np.flatnonzero(one_by_one != histogram)[0])
            raise VerificationError(f"the two ways to count seven-card hands differ at strength {strength}")
    six = np.count_nonzero(enumerate_strengths(cards=6))
    if six != SIX_DISTINCT:
        raise VerificationError(f"six cards have {six} strengths, not {SIX_DISTINCT}")
    return Verification(
        five_counts,
        FIVE_DISTINCT,
        seven_counts if seven else None,
        SEVEN_DISTINCT if seven else None,
        signature,
        IN_WORDS,
    )


def _prove_representatives() -> str:
    """Compare every way to evaluate the representatives of all hands; the digest of their strengths."""
    digest = hashlib.sha256()
    for k in (5, 6, 7):
        hands = _representatives(k)
        digest.update(_prove(hands).astype("<u2").tobytes())
        _prove(_near_flushes(k))
        _prove_refusals(hands)
    return digest.hexdigest()[:16]


def _prove(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strengths of hands, the same in every way to evaluate them."""
    strengths: NDArray[np.uint16] = evaluate(hands)
    best = np.zeros(len(hands), np.uint16)
    for chosen in itertools.combinations(range(hands.shape[1]), 5):
        np.maximum(best, _classic_strengths(hands[:, chosen]), out=best)
    _compare(hands, strengths, best, "array kernel and classic tables")
    _compare(hands, strengths, evaluate(np.asfortranarray(hands)), "array kernels for rows and columns")
    if hands.shape[1] == 7:
        shown = showdown(hands[:, :5], hands[:, np.newaxis, 5:]).strengths[:, 0]
        _compare(hands, strengths, shown, "array kernels for hands and showdowns")
    single = np.fromiter(map(strength_of, hands.tolist()), np.uint16, len(hands))
    _compare(hands, strengths, single, "array kernel and plain Python")
    return strengths


def _prove_refusals(hands: NDArray[np.uint8]) -> None:
    """Plant a duplicate and a card 52 in a hand of each array kernel's: both must be refused."""
    for wrong in (hands[-1, 1], 52):
        for planted in (hands.copy(), np.asfortranarray(hands)):
            planted[-1, 0] = wrong
            try:
                evaluate(planted)
            except CardError:
                continue
            raise VerificationError(f"a kernel takes the {planted.shape[1]} cards {planted[-1].tolist()} for a hand")


def _near_flushes(k: int) -> NDArray[np.uint8]:
    """Four low cards of each suit and k - 4 of others, each card of the deck among them once at least."""
    hands = []
    for suit in range(4):
        four = [4 * rank + suit for rank in (0, 1, 2, 4)]
        others = [card for card in range(52) if card & 3 != suit]
        hands += [four + [others[(i + 5 * j) % 39] for j in range(k - 4)] for i in range(39)]
        hands += [[card, *four[1:], *others[7 : 3 + k]] for card in range(suit, 52, 4) if card not in four[1:]]
    return np.array(hands, np.uint8)


def _representatives(k: int) -> NDArray[np.uint8]:
    """A hand of k cards for every rank multiset, unsuited, and for every set of five ranks or more, in each suit."""
    hands = [
        [4 * rank + i % 4 for i, rank in enumerate(ranks)]  # equal ranks are neighbours: they get different suits
        for ranks in itertools.combinations_with_replacement(range(13), k)
        if all(ranks[i] != ranks[i + 4] for i in range(k - 4))
    ]
    for suit in range(4):
        for suited in range(5, k + 1):
            for ranks in itertools.combinations(range(13), suited):
                side = [4 * rank + (suit + 1) % 4 for rank in range(k - suited)]
                hands.append([4 * rank + suit for rank in ranks] + side)
    return np.array(hands, np.uint8)


def _compare(hands: NDArray[np.uint8], strengths: NDArray[np.uint16], others: NDArray[np.uint16], what: str) -> None:
    differing = np.flatnonzero(strengths != others)
    if differing.size:
        first = int(differing[0])
        cards = format_cards(hands[first].tolist())
        raise VerificationError(f"{what} differ on {cards}: {strengths[first]} and {others[first]}")


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
