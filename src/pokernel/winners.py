"""Who wins a showdown."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bulk import thread_count
from .dealt import MOST_SEATS, Dealt, read_dealt
from .invalid import Index
from .outputs import check_output
from .seats import OfArrays
from .single import strength_of

__all__ = ["Showdown", "showdown"]

AT_ONCE = 1 << 19  # seats to one call of the kernel: a millisecond or two, beside which what Python does is little


@dataclass(frozen=True, eq=False)
class Showdown(OfArrays):
    """Who wins, as :func:`showdown` found it; the leading axes are those of the deals, none for one deal.

    Equal to another of equal arrays, and no key, as they are none.

    Attributes
    ----------
    strengths : numpy.ndarray
        ``uint16``, shape ``(..., players)``: as of :func:`pokernel.evaluate`, 0 where a seat has folded.
    winners : numpy.ndarray
        ``bool``, shape ``(..., players)``: the live seats of the greatest strength, one at least.
    """

    strengths: NDArray[np.uint16]
    winners: NDArray[np.bool_]

    @property
    def ways(self) -> Any:
        """How many win: each winner's share is one part in so many. An int for one deal, else an array ``(...)``."""
        return self.winners.sum(axis=-1) if self.winners.ndim > 1 else int(self.winners.sum())

    @property
    def shares(self) -> NDArray[np.float64]:
        """Parts of the pot, ``float64``, shape ``(..., players)``: the double nearest to one in `ways`, or 0."""
        shares: NDArray[np.float64] = self.winners / self.winners.sum(axis=-1, keepdims=True)
        return shares

    @property
    def exact_shares(self) -> NDArray[np.object_]:
        """The same as fractions, an array of objects, so that they add up to one exactly, and over deals, too."""
        fractions = np.array([Fraction(0), *(Fraction(1, ways) for ways in range(1, MOST_SEATS + 1))], object)
        exact: NDArray[np.object_] = fractions[self.winners * self.winners.sum(axis=-1, keepdims=True)]
        return exact


def showdown(
    board: Any, holes: Any, *, live: Any = None, out: Showdown | None = None, threads: int | None = None
) -> Showdown:
    """Who wins at Texas hold'em: the best five of the board and two cards of one's own.

    Parameters
    ----------
    board : str, sequence or integer array
        Five cards, as :func:`pokernel.evaluate` reads them, or an array ``(..., 5)``.
    holes : sequence or integer array
        Two cards a seat for 1 to 23 seats: a sequence of texts or of pairs for one deal, or an array
        ``(..., players, 2)``. The leading axes of all arguments broadcast: one board goes with many deals. ``uint8``,
        C-contiguous is the fast layout. Sequences of such sequences are many deals. In a sequence None stands for
        cards that are not known, of a seat that folded.
    live : boolean array, optional
        Shape ``(..., players)``: false where a seat has folded. Its cards are not looked at and may be any numbers;
        all others, and the board's, must be different cards of one deck. By default all are live that are not None.
    out : Showdown, optional
        Of deals of the same shape, say the batch before: its arrays are filled anew (C-contiguous and aligned, not
        overlapping the arguments), and it is what is returned. New memory for millions of deals takes about a tenth of
        the time. After an error they mean nothing.
    threads : int, optional
        Number of threads; by default one for fewer than 262,144 seats, every core from there on.

    Returns
    -------
    Showdown
        Strengths, winners and shares, as arrays of shape ``(..., players)``.

    Raises
    ------
    CardError, DuplicateCardError
        Something that is no card; a card twice in a deal; a live seat whose cards are None. It names the seats,
        and of many deals the first bad row (a row is a deal) and the number of bad rows.
    HandSizeError
        Other than five cards on the board, two in a seat, 1 to 23 seats; shapes that do not go together.
    OutputError
        `out` has the wrong shape, is read-only, not contiguous, not aligned, or overlaps the arguments.
    PotError
        A deal in which nobody is live.
    TypeError
        Cards that are no integers, `live` that is not boolean, `out` that is no Showdown or has other dtypes.

    Examples
    --------
    >>> import numpy as np, pokernel
    >>> result = pokernel.showdown("2c 7d 9h Js 3c", ["AsAh", "KsKh", "AdAc"])
    >>> result.strengths, result.winners
    (array([4028, 3808, 4028], dtype=uint16), array([ True, False,  True]))
    >>> result.ways, result.shares
    (2, array([0.5, 0. , 0.5]))
    >>> result.exact_shares.tolist()
    [Fraction(1, 2), Fraction(0, 1), Fraction(1, 2)]
    >>> pokernel.showdown("2c 7d 9h Js 3c", [None, "KsKh", "AdAc"], live=[False, True, False]).strengths
    array([   0, 3808,    0], dtype=uint16)
    >>> decks = np.random.default_rng(7).permuted(np.tile(np.arange(52, dtype=np.uint8), (1000, 1)), axis=1)
    >>> pokernel.showdown(decks[:, :5], decks[:, 5:17].reshape(1000, 6, 2)).winners.shape
    (1000, 6)
    """
    dealt = read_dealt(board, holes, live, (5,))
    threads = thread_count(threads, dealt.seats)
    result = _output(out, (*dealt.deals, dealt.players), dealt.given)
    if dealt.deals:
        _many_deals(dealt, threads, result)
    else:
        _one_deal(dealt, result)
    return result


def _output(out: Any, shape: tuple[int, ...], given: list[NDArray[Any]]) -> Showdown:
    if out is None:
        return Showdown(np.empty(shape, np.uint16), np.empty(shape, np.bool_))
    if not isinstance(out, Showdown):
        raise TypeError(f"out must be a Showdown, not {type(out).__name__}")
    check_output(out.strengths, np.uint16, shape, given, name="out.strengths", contiguous=True)
    beside = [*given, out.strengths]
    check_output(out.winners, np.bool_, shape, beside, name="out.winners", of="the winners", contiguous=True)
    return out


def _one_deal(dealt: Dealt, result: Showdown) -> None:
    """Without a compiler, as one hand is evaluated."""
    wrong = dealt.fault(())
    if wrong is not None:
        raise wrong
    board, holes = dealt.boards.tolist(), dealt.holes.tolist()
    live = [True] * dealt.players if dealt.live is None else dealt.live.tolist()
    strengths = [strength_of([*board, *hole]) if in_play else 0 for hole, in_play in zip(holes, live, strict=True)]
    result.strengths[:] = strengths
    np.equal(result.strengths, max(strengths), out=result.winners)


def _many_deals(dealt: Dealt, threads: int, result: Showdown) -> None:
    from .jit.showdown import tables
    from .jit.showdowns import show_all, show_live

    players = dealt.players
    strengths, winners = (np.asarray(array) for array in (result.strengths, result.winners))  # subclasses may copy

    def work(index: Index) -> tuple[int, int]:
        cards, live = dealt.block(index)
        out = strengths[index].reshape(-1, players), winners[index].reshape(-1, players)
        bad, first = show_all(*cards, tables(), *out) if live is None else show_live(*cards, live, tables(), *out)
        return bad, first

    dealt.do(AT_ONCE, threads, work)
