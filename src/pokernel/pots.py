"""Who gets which chips: main and side pots, split pots and their odd chips, bets that nobody called."""

import math
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from .bulk import thread_count
from .errors import PotError
from .outputs import output_array
from .payouts import Deals
from .seats import OfArrays, as_flags, as_numbers, in_shape, kind_of, name_row

__all__ = ["Settlement", "settle"]


@dataclass(frozen=True, eq=False)
class Settlement(OfArrays):
    """Where every chip goes, pot by pot, as :func:`settle` found it; the leading axes are those of the deals.

    ``payouts`` are ``won`` in all pots together with what was ``returned``. The axis of pots is as long as the most
    that a deal has: the main pot comes first, each side pot has fewer eligible seats than the one before, and a deal
    with fewer pots has zeros. Equal to another of equal arrays, and no key, as they are none.

    Attributes
    ----------
    payouts : numpy.ndarray
        ``int64``, shape ``(..., players)``: what each seat gets in all.
    pots : numpy.ndarray
        ``int64``, shape ``(..., pots)``: chips in each pot.
    won : numpy.ndarray
        ``int64``, shape ``(..., pots, players)``: what each seat gets out of each pot.
    eligible : numpy.ndarray
        ``bool``, shape ``(..., pots, players)``: which seats could win it.
    returned : numpy.ndarray
        ``int64``, shape ``(..., players)``: bets that nobody called, back to who made them; they are in no pot.
    """

    payouts: NDArray[np.int64]
    pots: NDArray[np.int64]
    won: NDArray[np.int64]
    eligible: NDArray[np.bool_]
    returned: NDArray[np.int64]


@overload
def settle(
    contributions: Any,
    strengths: Any,
    live: Any = None,
    *,
    odd_chips: Any = "first",
    by_pot: Literal[False] = False,
    out: NDArray[np.int64] | None = None,
    threads: int | None = None,
) -> NDArray[np.int64]: ...
@overload
def settle(
    contributions: Any,
    strengths: Any,
    live: Any = None,
    *,
    odd_chips: Any = "first",
    by_pot: Literal[True],
    out: NDArray[np.int64] | None = None,
    threads: int | None = None,
) -> Settlement: ...
@overload
def settle(
    contributions: Any,
    strengths: Any,
    live: Any = None,
    *,
    odd_chips: Any = "first",
    by_pot: bool,
    out: NDArray[np.int64] | None = None,
    threads: int | None = None,
) -> NDArray[np.int64] | Settlement: ...
def settle(
    contributions: Any,
    strengths: Any,
    live: Any = None,
    *,
    odd_chips: Any = "first",
    by_pot: bool = False,
    out: NDArray[np.int64] | None = None,
    threads: int | None = None,
) -> NDArray[np.int64] | Settlement:
    """Pay out the pots of finished deals, to the chip: payouts of a deal add up to its contributions.

    Parameters
    ----------
    contributions : sequence or integer array
        What each seat put in over the whole deal, blinds, antes and uncalled bets included, in the smallest chips:
        shape ``(..., players)``, none negative, less than 2**63 in all.
    strengths : sequence or integer array
        Shape ``(..., players)``: of each seat's hand, higher wins, equal splits, as :attr:`Showdown.strengths` or
        :func:`pokernel.evaluate` give them (or any other integers from 1 to 2**63 - 1 that compare as the hands do).
    live : boolean array, optional
        Shape ``(..., players)``: which seats have not folded. By default those whose strength is not 0, as `showdown`
        gives them. If only one is live, it takes everything, and its strength is not looked at. The leading axes of
        all arguments broadcast.
    odd_chips : {"first", "spread"} or integer array, default "first"
        Who gets the chips of a pot that its winners cannot share evenly. ``"first"``: all of them its first winner in
        seat order. ``"spread"``: its first winners in seat order, one each. An int, or an array ``(...)``, is the seat
        of the button: one each, its winners from the button's left (the next seat) around; the rule of card rooms.
    by_pot : bool, default False
        Give a `Settlement`, with every pot, instead of the payouts alone.
    out : numpy.ndarray, optional
        Where the payouts go: ``int64``, of their shape, C-contiguous and aligned, not overlapping the arguments. Say
        those of the batch before: new memory for millions of deals takes about a tenth of the time. After an error
        they mean nothing.
    threads : int, optional
        Number of threads; by default one for fewer than 262,144 seats, every core from there on.

    Returns
    -------
    numpy.ndarray or Settlement
        Payouts, ``int64``, shape ``(..., players)``.

    Raises
    ------
    PotError
        Negative contributions, 2**63 and more in a deal; chips where nobody is live; a live seat with chips in but
        without a positive strength, unless it alone is live; a button that is no seat; shapes that do not go together.
        For arrays it names the first bad row and the number of bad rows.
    OutputError
        `out` has the wrong shape, is read-only, not contiguous, not aligned, or overlaps the arguments.
    TypeError
        Contributions, strengths or buttons that are no integers, `live` that is not boolean, `out` of another dtype.

    Notes
    -----
    A pot ends where the contribution of a live seat ends; seats that are live and have filled it can win it. Folded
    seats' chips stay in the pots that they reach, and divide none (so no odd chip comes of them); what they put in
    above every live seat belongs to the last pot. What one live seat put in above all others was not called: it goes
    back, and is no pot.

    Examples
    --------
    Seat 0 is all in for 2 and strongest; the other two split the rest. Then the same bets, but seat 0 has folded:

    >>> import pokernel
    >>> pokernel.settle([2, 4, 4], [7462, 1, 1])
    array([6, 2, 2])
    >>> pokernel.settle([2, 4, 4], [7462, 1, 1], live=[False, True, True])
    array([0, 5, 5])

    A side pot, and a bet that nobody called:

    >>> deal = pokernel.settle([50, 100, 130, 5], [4028, 3808, 3000, 0], by_pot=True)
    >>> deal.payouts, deal.pots, deal.returned
    (array([155, 100,  30,   0]), array([155, 100]), array([ 0,  0, 30,  0]))
    >>> deal.eligible
    array([[ True,  True,  True, False],
           [False,  True,  True, False]])

    Odd chips:

    >>> bets, strengths = [5, 5, 5, 2], [9, 9, 9, 1]
    >>> pokernel.settle(bets, strengths), pokernel.settle(bets, strengths, odd_chips="spread")
    (array([7, 5, 5, 0]), array([6, 6, 5, 0]))
    >>> pokernel.settle(bets, strengths, odd_chips=0)  # the button is seat 0
    array([5, 6, 6, 0])
    """
    chips, hands = as_numbers(contributions, "contributions"), as_numbers(strengths, "strengths")
    flags = None if live is None else as_flags(live, "live")
    buttons, spread = _read_odd_chips(odd_chips)
    if not isinstance(by_pot, (bool, np.bool_)):
        raise TypeError(f"by_pot must be True or False, not {type(by_pot).__name__}")
    deals, seats = _shape(chips, hands, flags, buttons)
    threads = thread_count(threads, math.prod(deals) * seats)
    given = [array for array in (chips, hands, flags, buttons) if array is not None]
    payouts = output_array(out, np.int64, (*deals, seats), given, of="the payouts", contiguous=True)
    rows = deals or (1,)
    table = Deals(
        in_shape(chips, (*rows, seats)),
        in_shape(hands, (*rows, seats)),
        None if flags is None else in_shape(flags, (*rows, seats)),
        None if buttons is None else in_shape(buttons, rows),
        spread,
    )
    paid = np.asarray(payouts).reshape(*rows, seats)  # subclasses may copy
    bad, *by_pots = table.pay_by_pot(paid, threads) if by_pot else (table.pay(paid, threads),)
    if bad is not None:
        raise table.fault(bad[0], *name_row(bad, deals))
    if not by_pot:
        return payouts
    return Settlement(payouts, *(by_pots if deals else [array[0] for array in by_pots]))


def _read_odd_chips(given: Any) -> tuple[NDArray[Any] | None, bool]:
    """Seats of the button, if there are buttons, and whether a pot's odd chips go one to each of its first winners."""
    if isinstance(given, str) and given in ("first", "spread"):
        return None, given == "spread"
    try:
        return as_numbers(given, "odd_chips"), True
    except TypeError:
        many = isinstance(given, (list, tuple)) or np.ndim(given)
        if many and not _has_flags(given):
            raise
        kind, found = PotError if isinstance(given, str) else TypeError, kind_of(given) if many else repr(given)
        raise kind(f"odd_chips must be 'first', 'spread' or the seat of the button, not {found}") from None


def _has_flags(given: Any) -> bool:
    """Whether this is a mask of the button, say, which no conversion makes the number of a seat."""
    return any(isinstance(item, (bool, np.bool_)) for item in np.asarray(given, object).flat)


def _shape(
    chips: NDArray[Any], hands: NDArray[Any], flags: NDArray[Any] | None, buttons: NDArray[Any] | None
) -> tuple[tuple[int, ...], int]:
    """The deals' leading axes, and the number of seats."""
    given = {"contributions": chips, "strengths": hands} | ({} if flags is None else {"live": flags})
    shapes = " and ".join(f"{what} {array.shape}" for what, array in given.items())
    if any(not array.ndim or array.shape[-1] != chips.shape[-1] for array in given.values()):
        raise PotError(f"the last axis is that of the seats, as many everywhere: {shapes}")
    if not chips.shape[-1]:
        raise PotError(f"a deal has one seat at least: {shapes}")
    try:
        leads = [array.shape[:-1] for array in given.values()]
        return np.broadcast_shapes(*leads, () if buttons is None else buttons.shape), chips.shape[-1]
    except ValueError:
        more = "" if buttons is None else f" and odd_chips {buttons.shape}"
        raise PotError(f"the leading axes do not go together: {shapes}{more}") from None
