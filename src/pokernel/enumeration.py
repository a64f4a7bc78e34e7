"""Every way to complete a hand, counted by strength."""

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import format_card
from .errors import CardError, DuplicateCardError, HandSizeError
from .inputs import read
from .single import strength_of
from .tables import load
from .threads import cores, run

__all__ = ["enumerate_strengths"]

Counts = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Called with the number of hands done and in all."""


def enumerate_strengths(known: Any = "", dead: Any = "", cards: int = 7) -> Counts:
    """How many of all completions of a hand have each strength.

    Parameters
    ----------
    known : text or sequence of cards, optional
        Cards that the hand already holds; none by default.
    dead : text or sequence of cards, optional
        Cards that cannot come any more.
    cards : {7, 6, 5}
        Cards of the completed hand.

    Returns
    -------
    numpy.ndarray
        ``int64``, shape ``(7463,)``: the number of hands by strength; index 0 is always 0. Their sum is the number of
        ways to draw the missing cards from the rest of the deck.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError
        As :func:`pokernel.evaluate`; also if more cards are known than the hand shall have, or too few are left.

    Notes
    -----
    Exact, yet it does not visit every hand: all unsuited completions with the same ranks have one strength and are
    counted at once, by binomials; then every hand with a flush is visited and moved to its own strength. The tests
    compare it with the plain loop over every hand.

    Examples
    --------
    >>> import pokernel
    >>> counts = pokernel.enumerate_strengths(cards=5)
    >>> int(counts.sum()), int(counts[7462])
    (2598960, 4)
    >>> pokernel.describe(pokernel.enumerate_strengths("AsKsQsJs", dead="Ts 2c").argmax())
    'Straight, ace high'
    """
    held, left = _held_and_left(known, dead, cards)
    more = cards - len(held)
    counts = np.zeros(7463, np.int64)
    _count_ranks(held, left, more, cards, counts)
    _count_flushes(held, left, more, cards, counts)
    return counts


def _held_and_left(known: Any, dead: Any, cards: int) -> tuple[list[int], list[int]]:
    if isinstance(cards, bool) or not isinstance(cards, (int, np.integer)):
        raise TypeError(f"cards must be 5, 6 or 7, not {cards!r}")
    if cards not in (5, 6, 7):
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {cards}")
    held, gone = _one_hand(known, "known"), _one_hand(dead, "dead")
    together = held + gone
    for position, card in enumerate(together):
        if not 0 <= card < 52:
            raise CardError(f"{card} is no card: cards are 0 to 51")
        if card in together[:position]:
            raise DuplicateCardError(f"{format_card(card)} twice among the known and dead cards")
    left = [card for card in range(52) if card not in together]
    if len(held) > cards:
        raise HandSizeError(f"{len(held)} cards are known, the hand shall have {cards}")
    if len(left) < cards - len(held):
        raise HandSizeError(f"{cards - len(held)} cards to come, only {len(left)} left in the deck")
    return held, left


def _one_hand(given: Any, what: str) -> list[int]:
    if isinstance(given, (str, list, tuple)) and not given:
        return []
    hand = read(given, what)
    if not isinstance(hand, tuple):
        raise TypeError(f"{what} must be the cards of one hand, not an array of hands")
    return list(hand)


def _count_ranks(held: list[int], left: list[int], more: int, cards: int, counts: Counts) -> None:
    """Count all completions as if there were no flushes: by rank multiset, each as many times as its suits allow."""
    key, _ = _key_and_mask(held)
    available = np.bincount(np.array(left, np.intp) >> 2, minlength=13).tolist()
    rank_keys = (load("card_keys")[:52:4] >> np.uint64(32)).tolist()
    sums = {0: np.array([key >> 32 & 0xFFFFFFFF], np.uint32)}
    ways = {0: np.ones(1, np.int64)}
    for rank, count in enumerate(available):
        drawn: dict[int, list[tuple[NDArray[np.uint32], Counts]]] = {}
        for before in sums:
            for take in range(min(count, more - before) + 1):
                moved = sums[before] + np.uint32(take * rank_keys[rank] & 0xFFFFFFFF)
                drawn.setdefault(before + take, []).append((moved, ways[before] * math.comb(count, take)))
        sums = {size: np.concatenate([moved for moved, _ in parts]) for size, parts in drawn.items()}
        ways = {size: np.concatenate([way for _, way in parts]) for size, parts in drawn.items()}
    displacements, strengths = load(f"displacements{cards}"), load(f"strengths{cards}")
    x = sums[more]
    slots = (x + displacements[x >> _row_shift(displacements)]) & np.uint32(len(strengths) - 1)
    np.add.at(counts, strengths[slots], ways[more])


def _count_flushes(held: list[int], left: list[int], more: int, cards: int, counts: Counts) -> None:
    """Move the completions that have a flush to the flush's strength."""
    from .jit.sweep import count_flushes

    lookup = _lookup(cards)
    shift = int(_row_shift(lookup[1]))
    key, mask = _key_and_mask(held)
    for suit in range(4):
        holds = sum(card & 3 == suit for card in held)
        suited = np.array([card for card in left if card & 3 == suit], np.uint8)
        others = np.array([card for card in left if card & 3 != suit], np.uint8)
        count_flushes(key, mask, suited, 5 - holds, others, more, shift, lookup, counts)


def _row_shift(displacements: NDArray[np.uint16]) -> np.uint32:
    return np.uint32(32 - (len(displacements).bit_length() - 1))


def _lookup(cards: int) -> tuple[NDArray[Any], ...]:
    tables = load(f"displacements{cards}"), load(f"strengths{cards}"), load("flush")
    return load("card_keys").view(np.int64), *tables


def count_every_hand(held: list[int], left: list[int], cards: int, progress: Progress | None = None) -> Counts:
    """The same counts the long way, one look-up a hand on every core: the proof of :func:`enumerate_strengths`."""
    from .jit.sweep import count_plainly

    lookup = _lookup(cards)
    shift = int(_row_shift(lookup[1]))
    more = cards - len(held)
    deck = np.array(left, np.uint8)
    counts, lock = np.zeros(7463, np.int64), threading.Lock()
    done, total = 0, math.comb(len(left), more)

    def piece(number: int) -> None:
        """Hands whose highest drawn card is this one: the largest pieces come first."""
        nonlocal done
        highest = len(left) - 1 - number
        some = np.zeros(7463, np.int64)
        if more == 1:
            count_plainly(*_key_and_mask(held), deck[highest : highest + 1], 1, 1, shift, lookup, some)
        else:
            count_plainly(*_key_and_mask([*held, left[highest]]), deck, highest, more - 1, shift, lookup, some)
        with lock:
            np.add(counts, some, out=counts)
            done += math.comb(highest, more - 1)
            if progress is not None:
                progress(done, total)

    if more == 0:
        counts[strength_of(held)] = 1
    else:
        run(piece, len(left) - more + 1, cores())
    return counts


def _key_and_mask(cards: list[int]) -> tuple[int, int]:
    key = int(np.sum(load("card_keys").view(np.int64)[cards], dtype=np.int64))
    return key, sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards)
