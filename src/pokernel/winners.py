"""Who wins a showdown."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bulk import thread_count
from .cards import format_card
from .errors import CardError, DuplicateCardError, HandSizeError, PokernelError, PotError, VerificationError
from .holes import read_holes
from .inputs import as_array, read
from .invalid import Index
from .outputs import check_output
from .seats import OfArrays, as_flags, frozen, name_row, over_deals
from .single import strength_of

__all__ = ["Showdown", "showdown"]

AT_ONCE = 1 << 19  # seats to one call of the kernel: a millisecond or two, beside which what Python does is little
MOST_SEATS = 23  # two cards each, and a board, of 52


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
    boards, (cards, known) = _read_board(board), read_holes(holes)
    flags = None if live is None else as_flags(live, "live")
    _check_shapes(boards, cards, flags)
    leads = boards.shape[:-1], cards.shape[:-2], () if flags is None else flags.shape[:-1]
    try:
        deals = np.broadcast_shapes(*leads)
    except ValueError:
        raise HandSizeError(f"board, holes and live do not go together: leading shapes {leads}") from None
    players = cards.shape[-2]
    if known is not None:
        if flags is not None:
            _check_known(np.broadcast_to(flags & ~known, (*deals, players)))
        flags = known if flags is None else flags
    threads = thread_count(threads, int(np.prod(deals)) * players)
    result = _output(out, (*deals, players), [boards, cards, *([] if flags is None else [flags])])
    if deals:
        boards, cards = np.broadcast_to(boards, (*deals, 5)), np.broadcast_to(cards, (*deals, players, 2))
        _many_deals(
            boards, cards, None if flags is None else np.broadcast_to(flags, (*deals, players)), threads, result
        )
    else:
        _one_deal(boards.tolist(), cards.tolist(), [True] * players if flags is None else flags.tolist(), result)
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


def _read_board(given: Any) -> NDArray[Any]:
    try:
        cards = read(given, "board")
    except PokernelError as error:
        raise error if "board" in str(error) else type(error)(f"board: {error}") from None
    return as_array(cards, "board")


def _check_shapes(boards: NDArray[Any], cards: NDArray[Any], flags: NDArray[np.bool_] | None) -> None:
    if boards.shape[-1] != 5:
        raise HandSizeError(f"a board has 5 cards at a showdown, not {boards.shape[-1]}")
    if cards.ndim < 2 or cards.shape[-1] != 2:
        raise HandSizeError(f"holes have two cards for each seat, shape (..., players, 2), not {cards.shape}")
    players = cards.shape[-2]
    if not 1 <= players <= MOST_SEATS:
        raise HandSizeError(f"a deal has 1 to {MOST_SEATS} seats, not {players}")
    if flags is not None and flags.shape[-1:] != (players,):
        raise HandSizeError(f"live has shape {flags.shape} for {players} seats, it must be (..., {players})")


def _check_known(unknown: NDArray[np.bool_]) -> None:
    """No seat is live whose cards are None."""
    if unknown.any():
        *position, seat = np.argwhere(unknown)[0].tolist()
        bad = tuple(position), int(unknown.any(axis=-1).sum())
        before, after = name_row(bad, unknown.shape[:-1])
        raise CardError(f"{before}seat {seat} is live, but its cards are None{after}")


def _one_deal(board: list[int], holes: list[list[int]], live: list[bool], result: Showdown) -> None:
    """Without a compiler, as one hand is evaluated."""
    wrong = _fault(board, holes, live)
    if wrong is not None:
        raise wrong
    strengths = [strength_of([*board, *hole]) if in_play else 0 for hole, in_play in zip(holes, live, strict=True)]
    result.strengths[:] = strengths
    np.equal(result.strengths, max(strengths), out=result.winners)


def _many_deals(
    boards: NDArray[Any], holes: NDArray[Any], live: NDArray[np.bool_] | None, threads: int, result: Showdown
) -> None:
    from .jit.showdown import tables
    from .jit.showdowns import show_all, show_live

    *deals, players, _ = holes.shape
    strengths, winners = (np.asarray(array) for array in (result.strengths, result.winners))  # subclasses may copy

    def work(index: Index) -> tuple[int, int]:
        cards = frozen(_narrow(boards[index]), np.uint8, -1, 5), frozen(_narrow(holes[index]), np.uint8, -1, players, 2)
        out = strengths[index].reshape(-1, players), winners[index].reshape(-1, players)
        if live is None:
            bad, first = show_all(*cards, tables(), *out)
        else:
            bad, first = show_live(*cards, frozen(live[index], np.bool_, -1, players), tables(), *out)
        return bad, first

    bad = over_deals(tuple(deals), players, AT_ONCE, threads, work) if strengths.size else None
    if bad is not None:
        at, _ = bad
        in_play = [True] * players if live is None else live[at].tolist()
        wrong = _fault(boards[at].tolist(), holes[at].tolist(), in_play, *name_row(bad, tuple(deals)))
        if wrong is None:
            wrong = VerificationError(
                "the kernels refuse deals that are valid: run pokernel verify, reinstall pokernel"
            )
        raise wrong


def _narrow(cards: NDArray[Any]) -> NDArray[Any]:
    """What is no card becomes 255, which is none either: a folded seat's is never looked at."""
    if cards.dtype == np.uint8:
        return cards
    unsigned = cards.view(cards.dtype.str.replace("i", "u"))  # a negative number becomes a large one
    return np.asarray(np.minimum(unsigned, 255))


def _fault(
    board: list[int], holes: list[list[int]], live: list[bool], before: str = "", after: str = ""
) -> PokernelError | None:
    """What is wrong with a deal."""
    if not any(live):
        return PotError(f"{before}nobody is live{after}")
    found: dict[int, str] = {}
    hands = [("on the board", board), *((f"in seat {p}", hole) for p, hole in enumerate(holes) if live[p])]
    for place, hand in hands:
        for card in hand:
            if not 0 <= card <= 51:
                return CardError(f"{before}{card} {place} is no card, cards are 0 to 51{after}")
            if card in found:
                places = f"twice {place}" if found[card] == place else f"both {found[card]} and {place}"
                return DuplicateCardError(f"{before}{format_card(card)} ({card}) is {places}{after}")
            found[card] = place
    return None
