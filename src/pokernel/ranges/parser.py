"""Text to weights: the notation of ranges, as the docstring of :class:`pokernel.Range` tells it.

The grammar::

    range = item { item }
    item  = ( "random" | "*" | share | combo | class | class "+" | class "-" class ) [ ":" weight ]
          | share "(" range ")"
    share = number "%"

White space or a comma stands between two items; white space may also stand around ``-``, ``:`` and parentheses.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cards import CARD_OF, NAMES, RANKS
from ..combos import COMBOS
from ..errors import RangeError
from .classes import Class, climb, combos_of, kickers, numbers, top_classes
from .complaints import quote, why
from .decimals import product

__all__ = ["parse"]

# Spellings are listed, never folded, as in cards.py.
_NUMBER: Final = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_RANK: Final = "10|[2-9TJQKAtjqka]"
_CARD: Final = rf"((?:{_RANK})[cdhsCDHS♣♧♦♢♥♡♠♤])\ufe0f?"
_CLASS: Final = rf"({_RANK})({_RANK})([sSoO]?)"
_DASH: Final = "[-\u2010-\u2015\u2212]"  # what web pages put in the place of a hyphen

_SHARE: Final = re.compile(rf"({_NUMBER})%(\s*\(\s*)?")
_ALL: Final = re.compile(r"\*|[rR][aA][nN][dD][oO][mM]")
_COMBO: Final = re.compile(_CARD + _CARD)
_RUN: Final = re.compile(rf"{_CLASS}(?:(\+)|\s*{_DASH}\s*{_CLASS})?")
_WEIGHT: Final = re.compile(r"\s*:\s*([^\s,():]*)")
_WEIGHT_NUMBER: Final = re.compile(rf"({_NUMBER})(?:[eE][-+]?[0-9]+)?")
_GAP: Final = re.compile(r"\s*(,?)\s*")
_CLOSE: Final = re.compile(r"\s*\)")

_RANK_OF: Final = {letter: rank for rank, letter in enumerate(RANKS)} | {"10": 8}
_TOO_SMALL: Final = "a weight too small to be told from 0"


def parse(text: str) -> NDArray[np.float64]:
    """Weights ``(1326,)`` by the number of the combo, 0 where a combo is not in the range."""
    weights, said = [0.0] * len(COMBOS), [-1] * len(COMBOS)
    for at, combos, weight in _Reader(text).items():
        for combo in combos:
            if said[combo] < 0:
                said[combo], weights[combo] = at, weight
            elif weights[combo] != weight:
                high, low = COMBOS[combo].tolist()
                raise RangeError(
                    f"two weights for {NAMES[high]}{NAMES[low]} in {quote(text, at)}: "
                    f"{weights[combo]} at position {said[combo]}, {weight} at position {at}"
                )
    return np.array(weights)


class _Reader:
    """One text, read from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = len(text) - len(text.lstrip())

    def items(self) -> Iterator[tuple[int, Sequence[int], float]]:
        """Positions, numbers of combos, weights."""
        groups = [(-1, Decimal(1))]  # those that are open: where, and the weight with that of all around it
        due = True  # at the start, after a comma and after an opening parenthesis an item must come
        while due or self._at < len(self._text):
            at, weight = self._at, groups[-1][1]
            share = self._match(_SHARE)
            if share and share[2]:
                groups.append((at, self._product(at, weight, self._share(at, share[1]))))
                due = True
                continue
            if share:
                classes = top_classes(float(self._share(at, share[1])))
                combos: Sequence[int] = [combo for number in classes for combo in combos_of(number)]
            else:
                combos = self._hand(at)
            yield at, combos, float(self._product(at, weight, self._weight()))
            while self._match(_CLOSE):
                if len(groups) == 1:
                    raise self._error(self._at - 1, "no parenthesis is open")
                groups.pop()
                at = self._at
            due = self._separated(at)
        if len(groups) > 1:
            raise self._error(groups[-1][0], "its parenthesis is not closed")

    def _hand(self, at: int) -> Sequence[int]:
        """Combos of anything but a share."""
        if self._match(_ALL):
            return range(len(COMBOS))
        if combo := self._match(_COMBO):
            low, high = sorted(CARD_OF[card] for card in combo.groups())
            if low == high:
                raise self._error(at, f"{NAMES[high]} twice")
            return [high * (high - 1) // 2 + low]
        if run := self._match(_RUN):
            return [combo for hand in self._classes(at, run) for number in numbers(hand) for combo in combos_of(number)]
        raise self._error(at)

    def _classes(self, at: int, run: re.Match[str]) -> list[Class]:
        """The classes that a class names: alone, with a plus, or together with another one."""
        one = high, low, suffix = self._class(at, run[1], run[2], run[3])
        if run[4]:
            return climb(high, 12, 0, "") if high == low else kickers(high, low, high - 1, suffix)
        if not run[5]:
            return [one]
        lower, upper = sorted([one, self._class(at, run[5], run[6], run[7])])
        if lower[2] != upper[2]:
            raise self._error(at, "both ends must be suited, or offsuit, or neither")
        gap = upper[0] - upper[1]
        if lower[0] == upper[0] and gap:
            return kickers(high, lower[1], upper[1], suffix)
        if lower[0] - lower[1] == gap:
            return climb(lower[0], upper[0], gap, suffix)
        raise self._error(
            at, "both ends must be pairs, or have the same higher card, A5s-A2s, or the same gap, 76s-54s"
        )

    def _class(self, at: int, first: str, second: str, suffix: str) -> Class:
        high, low = _RANK_OF[first.upper()], _RANK_OF[second.upper()]
        if low > high:  # nobody writes a hand so, but a share without its % would look like it
            percent = f", and a share has a %: {first}{second}%" if (first + second).isdecimal() else ""
            raise self._error(at, f"the higher rank comes first: {RANKS[low]}{RANKS[high]}{suffix}{percent}")
        if low == high and suffix:
            raise self._error(at, "a pair is neither suited nor offsuit")
        return high, low, suffix.lower()

    def _weight(self) -> Decimal:
        """The weight after an item, 1 if none is there."""
        match = self._match(_WEIGHT)
        if match is None:
            return Decimal(1)
        at, found = match.start(1), match[1]
        if (number := _WEIGHT_NUMBER.fullmatch(found)) and float(found) <= 1:
            weight = self._kept(at, found, number[1])
            if weight <= 1:
                return weight
        given = quote(found) if found else "nothing"
        place = f"at position {at} of {quote(self._text, at)}"
        raise RangeError(f"no weight {place}: {given} (weights are numbers from 0 to 1, such as 0.5)")

    def _share(self, at: int, digits: str) -> Decimal:
        share = self._kept(at, digits + "e-2", digits)
        if share > 1:
            raise self._error(at, "a share is at most 100%")
        return share

    def _kept(self, at: int, number: str, digits: str) -> Decimal:
        """The number, exactly; refused if it is not 0 and its float is."""
        if float(number):
            return Decimal(number)
        if digits.strip("0."):
            raise self._error(at, _TOO_SMALL)
        return Decimal(0)

    def _product(self, at: int, around: Decimal, weight: Decimal) -> Decimal:
        both = product(around, weight)
        if both and not float(both):
            raise self._error(at, _TOO_SMALL)
        return both

    def _separated(self, at: int) -> bool:
        """Pass over what stands between two items and return whether there is a comma; `at` is what to refuse."""
        gap = self._match(_GAP)
        if not (gap and gap[0]) and self._at < len(self._text):
            raise self._error(at, "a comma or a space must stand before it" if at == self._at else "")
        return bool(gap and gap[1])

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match:
            self._at = match.end()
        return match

    def _error(self, at: int, reason: str = "") -> RangeError:
        return RangeError(f"no range at position {at} of {quote(self._text, at)}: {why(self._text, at, reason)}")
