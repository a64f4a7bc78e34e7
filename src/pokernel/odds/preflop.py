"""Two hands before the flop: every match-up looked up, no board dealt."""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cards import format_card
from ..combos import CLASS_OF, CLASS_SIZES, COMBOS, class_name, combo_indices
from ..errors import DuplicateCardError, HandSizeError
from ..inputs import as_array, read
from ..tables import load
from .preflop_layout import BOARDS, Floats, Indices, Layout, laid_out

__all__ = [
    "MatchUp",
    "hand_match_up",
    "hand_vs_hand",
    "match_up",
    "match_ups",
    "preflop_table",
]

OPPONENTS: Final = math.comb(50, 2)
BLOCK: Final = 13
"""Classes multiplied at once: BLAS shares larger products out to threads, and waits for them where others work, too."""

DIGIT = 21
"""Bits of a weight that are summed at once: times the 1,225 * 1,712,304 boards of one hand that is less than 2**53."""
DIGITS = 3
"""How many digits a fractional weight has, counted from those of the largest."""
HALF = 26
"""Bits of a sum, below 2**53, that are multiplied by weights at once."""


class MatchUp(NamedTuple):
    """How many of the 1,712,304 boards the first of two hands wins, loses and ties."""

    wins: int
    losses: int
    ties: int

    @property
    def equity(self) -> float:
        """The first hand's share of the pot, on average: its wins and half its ties, of all boards."""
        return (2 * self.wins + self.ties) / (2 * BOARDS)


def match_up(weights_a: NDArray[Any], weights_b: NDArray[Any]) -> tuple[float, float, float]:
    """Wins, losses and ties of one range against another, summed over all pairs of combos that share no card.

    Parameters
    ----------
    weights_a, weights_b : numpy.ndarray
        ``(1326,)``, of integers or floats: how often each combo comes, by its number; not below 0, and not checked.

    Returns
    -------
    tuple of int or of float
        ``(wins, losses, ties)`` of `a`: boards, times the weights of both combos. For integers exact, of any size.
        For floats rounded once, at the end, the same on every machine; weights count in multiples of at most
        ``2**-62`` of the largest.

    Examples
    --------
    >>> import numpy as np
    >>> from pokernel.combos import CLASS_OF
    >>> match_up((CLASS_OF == 168).astype(int), (CLASS_OF == 154).astype(int))  # AA, KK
    (50371344, 10986372, 285228)
    >>> match_up(np.ones(1326), np.ones(1326))[2]
    113130263816.0
    """
    layout = laid_out()
    plain_a, plain_b = _is_of_classes(weights_a, layout), _is_of_classes(weights_b, layout)
    if plain_a > plain_b or (not plain_b and np.count_nonzero(weights_b) < np.count_nonzero(weights_a)):
        losses, wins, ties = match_up(weights_b, weights_a)
        return wins, losses, ties
    (digits_a, unit_a), (digits_b, unit_b) = _digits(weights_a), _digits(weights_b)
    if plain_b:  # then it does not matter which combos of its classes a has
        sums = np.array([np.bincount(CLASS_OF, digit, 169) for digit in digits_a], np.float64)
        wins, ties = _sums(sums[:, :, np.newaxis], digits_b[:, layout.representatives, np.newaxis], layout.by_class)
    else:
        first = np.zeros((len(digits_a), 169, 12))
        first[:, CLASS_OF, layout.turn_of] = digits_a
        wins, ties = _sums(first, np.take(digits_b, layout.backwards, axis=1), layout.counts)
    losses = BOARDS * _pairs(digits_a, digits_b) - wins - ties
    if weights_a.dtype.kind == "f" or weights_b.dtype.kind == "f":
        wins, losses, ties = (math.ldexp(count, unit_a + unit_b) for count in (wins, losses, ties))
    return wins, losses, ties


def _is_of_classes(weights: NDArray[Any], layout: Layout) -> bool:
    """Whether all combos of a class have the same weight, as in most ranges."""
    return bool((weights == weights[layout.representatives][CLASS_OF]).all())


def _digits(weights: NDArray[Any]) -> tuple[Floats, int]:
    """Weights as integers of a few digits to the base ``2**DIGIT``, lowest first, and the power of two they count."""
    if weights.dtype.kind != "f":
        places = range(0, max(1, int(weights.max()).bit_length()), DIGIT)
        return np.array([weights.astype(np.uint64) >> place & (1 << DIGIT) - 1 for place in places], np.float64), 0
    unit = math.frexp(weights.max())[1]
    rest, digits = np.ldexp(weights.astype(np.float64), -unit), list[Floats]()
    while not digits or (rest.any() and len(digits) < DIGITS):
        rest, digit = np.modf(np.ldexp(rest, DIGIT))
        digits.insert(0, digit)
        unit -= DIGIT
    return np.array(digits), unit


def _whole(parts: NDArray[np.int64]) -> int:
    """The number whose parts are products of two digits, ``(digits, digits)``."""
    return sum(int(part) << DIGIT * (i + j) for (i, j), part in np.ndenumerate(parts))


def _pairs(digits_a: Floats, digits_b: Floats) -> int:
    """Sum of the products of weights over all pairs of combos that share no card."""
    (high, low), free = COMBOS.T, []
    for digit in digits_b:
        by_card = np.bincount(high, digit, 52) + np.bincount(low, digit, 52)
        free.append(digit.sum() - by_card[high] - by_card[low] + digit)
    return _whole(digits_a.astype(np.int64) @ np.array(free, np.int64).T)


def _sums(first: Floats, second: Floats, counts: Floats) -> tuple[int, int]:
    """Exact sums of wins and of ties over classes, turns and combos.

    Shapes: first ``(digits, 169, turns)``, second ``(digits, combos, turns)``, counts ``(2, 169, combos)``.
    """
    used = first.any(axis=(0, 2))
    blocks = -(-np.count_nonzero(used) // BLOCK)
    if 2 * blocks * BLOCK < 169:  # else a copy costs more than it saves
        rows = np.argsort(~used, kind="stable")[: blocks * BLOCK]
        first, counts = first[:, rows], counts[:, rows]
    digits, _, turns = first.shape
    against = counts.reshape(-1, 1, BLOCK, counts.shape[2]) @ second  # below 2**53: exact
    halves = np.divmod(against.astype(np.int64).reshape(2, -1, len(second), BLOCK, turns), 1 << HALF)
    weights = first.astype(np.int64).reshape(digits, -1, BLOCK, turns)
    high, low = (np.einsum("rbdct,ebct->rde", half, weights) for half in halves)
    wins, ties = ((_whole(above) << HALF) + _whole(below) for above, below in zip(high, low, strict=True))
    return wins, ties


def match_ups(hands: Indices) -> Floats:
    """Equities ``(..., 2)`` of pairs of combos, by their numbers; they share no card, and that is not checked."""
    layout, first = laid_out(), hands[..., 0]
    wins, ties = layout.counts[:, CLASS_OF[first], layout.turns[layout.turn_of[first], hands[..., 1]]]
    twice = 2 * wins + ties
    return np.stack([twice, 2 * BOARDS - twice], axis=-1) / (2 * BOARDS)


def hand_vs_hand(a: Any, b: Any) -> MatchUp:
    """How two hands fare against each other on all boards, before the flop.

    Parameters
    ----------
    a, b : text or sequence of cards
        Two cards each.

    Returns
    -------
    MatchUp
        ``(wins, losses, ties)``, exact, of 1,712,304 boards, for the first hand; its ``equity`` too.

    Raises
    ------
    CardError, DuplicateCardError
        If something is no card, or a card comes twice, in a hand or in both.
    HandSizeError
        If a hand has not two cards.
    TypeError
        If `a` or `b` is no hand.

    Examples
    --------
    >>> import pokernel
    >>> pokernel.hand_vs_hand("AsKs", "QhQd")
    MatchUp(wins=787966, losses=917606, ties=6732)
    >>> round(pokernel.hand_vs_hand((51, 50), "7c2d").equity, 4)
    0.8742
    """
    combo, other = (_combo(hand, what) for hand, what in ((a, "a"), (b, "b")))
    shared = set(COMBOS[combo].tolist()).intersection(COMBOS[other].tolist())
    if shared:
        raise DuplicateCardError(f"{format_card(max(shared))} in both hands")
    return hand_match_up(combo, other)


def hand_match_up(combo: int, other: int) -> MatchUp:
    """The same of combos by their numbers; they share no card, and that is not checked."""
    layout = laid_out()
    wins, ties = layout.counts[:, CLASS_OF[combo], layout.turns[layout.turn_of[combo], other]].astype(int).tolist()
    return MatchUp(wins, BOARDS - wins - ties, ties)


def _combo(given: Any, what: str) -> int:
    """The number of the combo of one hand, checked."""
    cards = read(given, what)
    if not isinstance(cards, tuple) and cards.size:
        raise TypeError(f"{what} must be one hand of two cards, not an array of hands")
    if len(cards) != 2:
        raise HandSizeError(f"{what} must have two cards, not {len(cards)}")
    if cards[0] == cards[1]:
        raise DuplicateCardError(f"{what}: {format_card(cards[0])} twice")
    return int(combo_indices(as_array(cards, what)))


def preflop_table() -> NDArray[np.void]:
    """The 169 hands against one random hand, before the flop, from best to worst.

    Returns
    -------
    numpy.ndarray
        ``(169,)``, structured, a row each:

        ============================ =======================================================================
        ``hand``                     its name: ``AA``, ``AKs`` (suited), ``AKo`` (offsuit)
        ``combos``                   how many hands that is: 6, 4 or 12
        ``equity``                   the share of the pot, on average: wins and half the ties
        ``win``, ``tie``             the probabilities
        ``wins``, ``losses``, ``ties`` their numbers, of 1,225 hands on 1,712,304 boards: 2,097,572,400 in all
        ============================ =======================================================================

    Notes
    -----
    Exact, not simulated. No two hands have the same equity. Data frames take the table as it is:
    ``pandas.DataFrame(table)``, ``polars.from_numpy(table)``.

    Examples
    --------
    >>> import pokernel
    >>> table = pokernel.preflop_table()
    >>> [str(hand) for hand in table["hand"][:4]], table["equity"][:4].round(4)
    (['AA', 'KK', 'QQ', 'JJ'], array([0.852 , 0.824 , 0.7993, 0.7747]))
    >>> dict(zip(table["hand"].tolist(), table["equity"].tolist()))["AKs"]
    0.6704463230923519
    """
    order = load("preflop_order")
    wins, ties = laid_out().by_class[:, order].sum(axis=2)
    total = OPPONENTS * BOARDS
    floats, integers = ("equity", "win", "tie"), ("wins", "losses", "ties")
    fields = (
        [("hand", "U3"), ("combos", np.int64)] + [(n, np.float64) for n in floats] + [(n, np.int64) for n in integers]
    )
    table = np.empty(169, fields)
    table["hand"] = [class_name(int(number)) for number in order]
    table["combos"] = CLASS_SIZES[order]
    table["wins"], table["losses"], table["ties"] = wins, total - wins - ties, ties
    table["equity"], table["win"], table["tie"] = (2 * wins + ties) / (2 * total), wins / total, ties / total
    return table
