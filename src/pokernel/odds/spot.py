"""A spot: what is known of a deal. Read from whatever the caller says, checked once, the impossible left out."""

import functools
import math
import operator
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards import format_card
from ..combos import COMBOS
from ..errors import CardError, DealError, DuplicateCardError, HandSizeError, PokernelError, RangeError
from ..inputs import is_nothing, read
from ..ranges import Range
from ..ranges.holding import Holding, hand_holding, holding_of

__all__ = ["MOST_PLAYERS", "Spot", "read_spot"]

MOST_PLAYERS = 10
LARGEST_SCALE = 10**6
SMALLEST_UNIT = 1e-200
"""Counts in a smaller one would not be floats any more."""


@dataclass(frozen=True)
class Spot:
    """Players' holdings, the board so far and the cards that cannot come."""

    names: tuple[str, ...]
    combos: tuple[NDArray[np.int64], ...]
    """By player: the combos that he may hold, by number, ascending; none with a card that is known to be elsewhere."""
    weights: tuple[NDArray[np.float64], ...]
    """Their weights, alike: multiplied to be integers, or relative to each player's largest if ``scale`` is 0."""
    scale: int
    """The product of what players' weights were multiplied by to be integers; 0 if they are not."""
    board: tuple[int, ...]
    dead: tuple[int, ...]
    any_two: tuple[bool, ...]
    """Whether a player holds any two cards, all alike."""
    unit: float
    """What a weight of 1 for each player is worth in counts: 1, but if ``scale`` is 0 the product of the largest."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle small: a spot goes to every worker with every piece."""
        packed = [
            (combos.astype(np.uint16).tobytes(), None if (weights == 1).all() else weights.tobytes())
            for combos, weights in zip(self.combos, self.weights, strict=True)
        ]
        return _unpacked, (self.names, packed, self.scale, self.board, self.dead, self.any_two, self.unit)

    @property
    def to_come(self) -> int:
        """Cards that the board still gets."""
        return 5 - len(self.board)

    @property
    def known(self) -> tuple[int, ...]:
        """Cards that are certainly on the board, dead, or in a hand with no alternative."""
        hands = [COMBOS[combos[0]].tolist() for combos in self.combos if len(combos) == 1]
        return (*self.board, *self.dead, *(card for hand in hands for card in hand))


def _unpacked(names: tuple[str, ...], packed: list[tuple[bytes, bytes | None]], *rest: Any) -> Spot:
    combos = tuple(np.frombuffer(numbers, np.uint16).astype(np.int64) for numbers, _ in packed)
    weights = tuple(
        np.ones(len(held)) if weights is None else np.frombuffer(weights)
        for held, (_, weights) in zip(combos, packed, strict=True)
    )
    return Spot(names, combos, weights, *rest)


def read_spot(players: Sequence[Any] | NDArray[Any], board: Any, dead: Any) -> Spot:
    """Read and check what :func:`pokernel.equity` is given."""
    if isinstance(players, (str, bytes, Range, Mapping)) or not isinstance(players, (Sequence, np.ndarray)):
        raise TypeError(f"players must be a list of hands and ranges, not {type(players).__name__}")
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise HandSizeError(f"2 to {MOST_PLAYERS} players, not {len(players)}")
    on_board, gone = _cards(board, "board"), _cards(dead, "dead")
    if len(on_board) > 5:
        raise HandSizeError(f"a board has 5 cards at most, not {len(on_board)}")
    elsewhere = _places(on_board, gone)
    held = [_read_player(player, number) for number, player in enumerate(players)]
    for number, holding in enumerate(held):
        if len(holding.numbers) == 1:
            _check_hand(holding, number, elsewhere)
    alive = [_beside(holding, number, elsewhere) for number, holding in enumerate(held)]
    _settle_known_hands(alive, held)
    if 2 * len(players) + 5 + len(gone) > 52:
        raise DealError(f"{len(players)} players, the board and {len(gone)} dead cards are more than the deck")
    any_two = tuple(len(holding.numbers) == len(COMBOS) and holding.is_plain for holding in held)
    if not _can_be_dealt([holding for holding, wild in zip(alive, any_two, strict=True) if not wild]):
        raise DealError("the players' ranges cannot be dealt together: whatever some hold, others cannot hold theirs")
    scaled = [(holding.weights, 1) if holding.is_plain else _scaled(holding.weights) for holding in alive]
    scale = math.prod(factor for _, factor in scaled)
    most = [1.0 if holding.is_plain else float(holding.weights.max()) for holding in alive]
    weights = [
        integers if scale else holding.weights / largest  # relative weights: products stay in range
        for holding, (integers, _), largest in zip(alive, scaled, most, strict=True)
    ]
    return Spot(
        tuple(holding.name for holding in held),
        tuple(holding.numbers for holding in alive),
        tuple(weights),
        scale,
        on_board,
        gone,
        any_two,
        1.0 if scale else max(SMALLEST_UNIT, math.prod(most)),
    )


def _cards(given: Any, what: str) -> tuple[int, ...]:
    """Cards of a board, or dead ones; maybe none."""
    if is_nothing(given):
        return ()
    try:
        cards = read(given, what)
    except PokernelError as error:
        raise type(error)(f"{what}: {error}") from None
    if not isinstance(cards, tuple):
        if cards.size == 0:
            return ()
        raise TypeError(f"{what} must be cards, not an array of hands")
    for card in cards:
        if not 0 <= card < 52:
            raise CardError(f"{what}: {card} is no card: cards are 0 to 51")
    return cards


def _places(board: tuple[int, ...], dead: tuple[int, ...]) -> dict[int, str]:
    """Where each card is that is not in the deck."""
    places: dict[int, str] = {}
    for what, cards in (("on the board", board), ("dead", dead)):
        for card in cards:
            if card in places:
                twice = "twice " + what if places[card] == what else f"{places[card]} and {what}"
                raise DuplicateCardError(f"{format_card(card)} is {twice}")
            places[card] = what
    return places


def _read_player(given: Any, number: int) -> Holding:
    """What a player holds: a Range, a text, a hand, combos, combos with weights."""
    try:
        if isinstance(given, Range):
            return holding_of(given)
        if isinstance(given, str):
            return _read_text(str.__str__(given))
        if isinstance(given, Mapping):
            return holding_of(_read_mapping(given))
        if not isinstance(given, (Sequence, np.ndarray)):
            raise TypeError(f"a hand or a range, not {type(given).__name__}")
        if _has_weights(given):
            return holding_of(Range.from_combos(*given))
        if len(given) == 2 and all(map(_is_card, given)):
            return _read_hand(given)
        return holding_of(Range.from_combos(given))
    except PokernelError as error:
        raise type(error)(f"player {number}: {error}") from None
    except TypeError as error:
        raise TypeError(f"player {number}: {error}") from None


@functools.lru_cache(maxsize=256)
def _read_text(text: str) -> Holding:
    """A hand as ``parse_cards`` reads it, "A♠ K♠" say, or else a range."""
    try:
        if len(text) == 4:  # AsKs, which means the same to both, most of the time
            with suppress(PokernelError):
                return _read_hand(text)
        return holding_of(Range(text))
    except RangeError as error:
        try:
            cards = read(text)
        except CardError:
            raise error from None
        if len(cards) != 2:
            raise error from None
        return holding_of(Range.from_combos([cards]))


def _read_mapping(given: Mapping[Any, Any]) -> Range:
    try:
        return Range.from_combos(list(given), list(given.values()))
    except CardError as error:
        raise type(error)(f"{error} (the keys of a mapping are combos; classes go into a text: 'AA, KK:0.5')") from None


def _has_weights(given: Sequence[Any] | NDArray[Any]) -> bool:
    """Whether this is a pair of combos and weights: first not one text or one hand, then only numbers."""
    if not isinstance(given, tuple) or len(given) != 2 or isinstance(given[0], str) or _is_card(given[0]):
        return False
    combos, weights = given
    one_hand = len(combos) == 2 and all(map(_is_card, combos))
    return not one_hand and np.ndim(weights) == 1 and np.asarray(weights).dtype.kind in "fiu"


def _is_card(item: Any) -> bool:
    if isinstance(item, str):
        return len(item) <= 3
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _read_hand(given: str | Sequence[Any] | NDArray[Any]) -> Holding:
    cards = read(given if isinstance(given, str) else list(given), "a hand")
    if len(cards) == 2 and cards[0] != cards[1] and all(0 <= card < 52 for card in cards):
        high, low = int(max(cards)), int(min(cards))
        return hand_holding(high * (high - 1) // 2 + low)
    return holding_of(Range.from_combos([tuple(map(int, cards))]))


def _check_hand(held: Holding, number: int, elsewhere: dict[int, str]) -> None:
    """A known hand holds no card that is elsewhere."""
    for card in _cards_of(held):
        if card in elsewhere:
            raise DuplicateCardError(f"player {number}: {format_card(card)} is {elsewhere[card]}")


def _cards_of(hand: Holding) -> list[int]:
    cards: list[int] = COMBOS[hand.numbers[0]].tolist()
    return cards


def _beside(held: Holding, number: int, elsewhere: dict[int, str]) -> Holding:
    """What is left of a holding beside the board and dead cards."""
    if not len(held.numbers):
        raise DealError(f"player {number}: an empty range")
    left = held.without(sum(1 << card for card in elsewhere))
    if not len(left.numbers):
        raise DealError(f"player {number}: no hand of {held.name!r} is left beside the board and dead cards")
    return left


def _settle_known_hands(alive: list[Holding], held: list[Holding]) -> None:
    """Take the cards of whoever has one hand left from all others, until nothing changes."""
    settled: set[int] = set()
    while fresh := [n for n, holding in enumerate(alive) if n not in settled and len(holding.numbers) == 1]:
        settled.add(fresh[0])
        for card in _cards_of(alive[fresh[0]]):
            for other in range(len(alive)):
                if other == fresh[0]:
                    continue
                alive[other] = alive[other].without(1 << card)
                if len(alive[other].numbers):
                    continue
                if len(held[other].numbers) == 1:
                    both = " and ".join(map(str, sorted((fresh[0], other))))
                    raise DuplicateCardError(f"players {both} both hold {format_card(card)}")
                raise DealError(
                    f"player {other}: no hand of {held[other].name!r} is left beside the other players' cards"
                )


def _scaled(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Weights as integers, and what they were multiplied by; by 0 if no small number makes them integers."""
    factor = 1
    for weight in np.unique(weights).tolist():
        fraction = Fraction(weight).limit_denominator(LARGEST_SCALE)
        factor = lcm(factor, fraction.denominator)
        if float(fraction) != weight or factor > LARGEST_SCALE:
            return weights, 0
    return np.rint(weights * factor), factor


def _can_be_dealt(held: list[Holding]) -> bool:
    """Whether there is a deal in which everybody holds a hand of his own: a search, the narrowest ranges first.

    What is left to find depends on the cards taken that later players could use, so no such set is searched twice.
    """
    # Nobody else's range has a card of who has one hand left.
    masks = [holding.cards for holding in held if len(holding.numbers) > 1]
    if len(masks) < 2:
        return True
    masks.sort(key=len)
    cards = [int(np.bitwise_or.reduce(mask)) for mask in masks]
    together = 0
    for players, used in enumerate(cards, 1):
        together |= used
        if together.bit_count() < 2 * players:  # so many players cannot do with so few cards
            return False
    later = [functools.reduce(operator.or_, cards[player:], 0) for player in range(len(cards) + 1)]
    failed: set[tuple[int, int]] = set()

    def search(player: int, taken: int) -> bool:
        if player == len(masks):
            return True
        if (player, taken) in failed:
            return False
        left = masks[player][masks[player] & taken == 0]
        if any(search(player + 1, (taken | mask) & later[player + 1]) for mask in left.tolist()):
            return True
        failed.add((player, taken))
        return False

    return search(0, 0)
