"""The range itself: an immutable set of combos with weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..cards import format_card, parse_cards
from ..combos import CLASS_OF, CLASS_SIZES, COMBOS
from . import picture
from .decimals import difference
from .given import combo_number, weights_of
from .parser import parse
from .writer import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.text import Text

    from .holding import Holding

__all__ = ["Range"]


class Range:
    """A range of hands: a set of combos, each with a weight above 0 and up to 1.

    Parameters
    ----------
    text : str
        The range, as people write it:

        ================ =============================================================================================
        written          what it means
        ================ =============================================================================================
        ``AA``           the six combos of a pair
        ``AKs``          the four suited combos; the higher rank comes first
        ``AKo``          the twelve offsuit combos
        ``AK``           all sixteen
        ``TT+``          this pair and all higher ones: TT, JJ, QQ, KK, AA
        ``A5s+``         the kicker rises until just below the higher card: A5s, A6s, … AKs; likewise ``ATo+``, ``AT+``
        ``98s+``         the same rule: just 98s, whose kicker cannot rise (``98s-AKs`` climbs)
        ``77-TT``        from pair to pair, both included, whichever comes first; so with the next two
        ``A5s-A2s``      the same higher card: from kicker to kicker
        ``76s-54s``      the same gap between the ranks: both climb together, 54s, 65s, 76s
        ``AsKs``         one combo, its cards in any order, also as ``10h``, ``A♠``
        ``15%``          the best 15% of hands, see Notes
        ``random``       every combo; also ``*``
        ``AKs:0.5``      any of the above with a weight, from 0 to 1; without one it is 1
        ``50%(QQ, AKs)`` a range whose weights are multiplied by the share; groups may hold groups
        ================ =============================================================================================

        Upper and lower case mean the same, ``10`` is ``T``; a comma or white space stands between two items.

    Raises
    ------
    RangeError
        If the text is no range; quotes the text and the position. Also if one combo gets two different weights.
    TypeError
        If `text` is no str.

    Notes
    -----
    A combo that is named twice with the same weight is there once. What has the weight 0 is not in the range. The range
    without combos is written ``0%``; a text that names nothing is an error.

    A share takes whole classes (``AA``, ``AKs``, ``AKo`` …) in the order of their equity against one random hand
    before the flop, best first: so many that their combos, of 1,326, come nearest to the share (at a tie the larger
    number; never none, but for ``0%``). The order is the table ``preflop_order``: ``scripts/build_tables.py`` counts
    every board of every match-up of two hands, so the equities are exact.

    Ranges are immutable, can be compared, hashed and pickled. They combine as `collections.Counter` does, weights in
    the place of counts: ``|`` keeps the higher weight of each combo, ``&`` the lower one, and ``-`` subtracts and keeps
    what is above 0. Where all weights are 1, these are union, intersection and difference.

    Weights are float64, and count as the decimals that they are written as: what groups multiply and ``-`` subtracts is
    exact in these, and rounded to a float once. So ``10%(AA:0.7)`` is ``AA:0.07``, and AA without ``AA:0.9`` is
    ``AA:0.1``, though neither is so in floats.

    Examples
    --------
    >>> from pokernel import Range
    >>> broadway = Range("TT+, AT+, KTs-KQs")
    >>> len(broadway), broadway
    (106, Range('TT+, AT+, KTs+'))
    >>> "AsKs" in broadway, "99" in broadway
    (True, False)
    >>> broadway - Range("AA, 25%(AK)")
    Range('KK-TT, AQ-AT, KTs+, AK:0.75')
    >>> Range("AsKs, QQ:0.5").combos
    array([[41, 40],
           [42, 40],
           [42, 41],
           [43, 40],
           [43, 41],
           [43, 42],
           [51, 47]], dtype=uint8)
    >>> Range("AA, TT++")
    Traceback (most recent call last):
        ...
    pokernel.errors.RangeError: no range at position 4 of 'AA, TT++': 'TT++' (one + is enough)
    """

    __slots__ = ("_by_combo", "_holding")
    _by_combo: NDArray[np.float64]
    _holding: Holding | None

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a range is read from str, not from {type(text).__name__}; see also Range.from_combos")
        self._by_combo, self._holding = _frozen(parse(text)), None

    @classmethod
    def _of(cls, by_combo: NDArray[np.float64]) -> Range:
        made = cls.__new__(cls)
        made._by_combo, made._holding = _frozen(by_combo), None
        return made

    @classmethod
    def from_combos(cls, combos: Any, weights: Any = None) -> Range:
        """Make a range of combos, in any order.

        Parameters
        ----------
        combos : array of integers (n, 2), or sequence
            The cards; of a sequence each item is a text such as ``"AsKs"`` or a pair of cards.
        weights : array_like (n,), optional
            Numbers from 0 to 1, 1 by default. What has the weight 0 is not in the range.

        Raises
        ------
        CardError, DuplicateCardError
            If an item is no two different cards; names the item.
        RangeError
            If a combo comes twice, its cards in any order; if a weight is out of range or NaN; if a shape is wrong.
        TypeError
            If the cards or weights have a wrong type.

        Examples
        --------
        >>> from pokernel import Range
        >>> Range.from_combos(["AsKs", "AhKh"], [1, 0.5])
        Range('AsKs, AhKh:0.5')
        >>> Range.from_combos([(51, 47), (0, 1)])
        Range('AsKs, 2d2c')
        """
        return cls._of(weights_of(combos, weights))

    @classmethod
    def random(cls) -> Range:
        """Make the range of every combo, as ``Range("random")`` does.

        Examples
        --------
        >>> from pokernel import Range
        >>> len(Range.random())
        1326
        """
        return cls._of(np.ones(len(COMBOS)))

    @property
    def combos(self) -> NDArray[np.uint8]:
        """The cards: ``uint8`` (n, 2), the higher one first, rows in the order of the combos' numbers; read-only."""
        combos: NDArray[np.uint8] = COMBOS[self._by_combo > 0]
        combos.flags.writeable = False
        return combos

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of `combos`: ``float64`` (n,), above 0 and up to 1; read-only."""
        weights = self._by_combo[self._by_combo > 0]
        weights.flags.writeable = False
        return weights

    @property
    def by_combo(self) -> NDArray[np.float64]:
        """Weights by the number of the combo: ``float64`` (1326,), 0 where a combo is not in the range; read-only.

        The combo of the cards ``high > low`` has the number ``high * (high - 1) / 2 + low``.
        """
        return self._by_combo

    def grid(self) -> NDArray[np.float64]:
        """Lay out the 169 classes as players draw them.

        Returns
        -------
        numpy.ndarray
            ``float64`` (13, 13): the mean weight of each class, 0 for absent combos. Rows and columns go from the ace
            down to the deuce; pairs lie on the diagonal, suited hands above it, offsuit hands below.

        Examples
        --------
        >>> from pokernel import Range
        >>> Range("AA, AKs:0.5, AsKh").grid()[:2, :2].round(3)
        array([[1.   , 0.5  ],
               [0.083, 0.   ]])
        """
        sums = np.bincount(CLASS_OF, self._by_combo, 169)
        return np.ascontiguousarray((sums / CLASS_SIZES).reshape(13, 13)[::-1, ::-1])

    def without(self, cards: str | Iterable[Any]) -> Range:
        """Leave out every combo that holds one of these cards: what is left when they are seen elsewhere.

        Parameters
        ----------
        cards : str or sequence
            A text of cards, or cards as texts or ints; may be empty.

        Raises
        ------
        CardError, DuplicateCardError
            As `pokernel.parse_cards` does.

        Examples
        --------
        >>> from pokernel import Range
        >>> Range("AA, AKs").without("As 7d 2c")
        Range('AhAd, AhAc, AhKh, AdAc, AdKd, AcKc')
        """
        if not isinstance(cards, str):
            cards = [card if isinstance(card, str) else format_card(card) for card in cards]
        if not cards or (isinstance(cards, str) and not cards.strip()):
            return self
        dead = np.isin(COMBOS, parse_cards(cards)).any(axis=1)
        return self._of(np.where(dead, 0.0, self._by_combo))

    def __or__(self, other: object) -> Range:
        return self._of(np.maximum(self._by_combo, other._by_combo)) if isinstance(other, Range) else NotImplemented

    def __and__(self, other: object) -> Range:
        return self._of(np.minimum(self._by_combo, other._by_combo)) if isinstance(other, Range) else NotImplemented

    def __sub__(self, other: object) -> Range:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(difference(self._by_combo, other._by_combo))

    def __len__(self) -> int:
        """Count the combos, whatever their weights."""
        return int(np.count_nonzero(self._by_combo))

    def __contains__(self, hand: object) -> bool:
        """Tell whether all combos of a text, a pair of cards or a range are in this range, weights aside."""
        if isinstance(hand, str):
            hand = Range(hand)
        if isinstance(hand, Range):
            return bool((self._by_combo[hand._by_combo > 0] > 0).all())
        return bool(self._by_combo[combo_number(hand)] > 0)

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self._by_combo, other._by_combo) if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._by_combo.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return self._of, (self._by_combo,)

    def __str__(self) -> str:
        """Write the range: the shortest runs of hands, which ``Range`` reads as the same range."""
        return write(self._by_combo)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the grid with matplotlib, which the extra ``pokernel[plot]`` brings.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; on a new figure of pyplot by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from .plot import draw

        return draw(self.grid(), ax)

    def __rich__(self) -> Text:
        return picture.rich_text(self.grid())

    def _repr_html_(self) -> str:
        return picture.html(self.grid(), str(self))


def _frozen(by_combo: NDArray[np.float64]) -> NDArray[np.float64]:
    """Copy weights to where nobody can write: an array over bytes stays read-only."""
    return np.frombuffer(by_combo.tobytes())
