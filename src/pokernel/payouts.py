"""Deals of one shape to payouts, in blocks and on threads, and what is wrong with a deal that cannot be settled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import PotError, VerificationError
from .invalid import Index
from .seats import Bad, frozen, over_deals

__all__ = ["Deals"]

Chips = NDArray[np.int64]

AT_ONCE = 1 << 18  # seats to one call of a kernel: one or two milliseconds, beside which what Python does is little
AT_ONCE_BY_POT = 1 << 15  # it takes longer, and more memory
MOST = 2**63 - 1  # chips in one deal


@dataclass(frozen=True, eq=False)
class Deals:
    """Deals that wait for their payouts: the arguments of `settle`, all of one shape."""

    chips: NDArray[Any]
    strengths: NDArray[Any]
    live: NDArray[np.bool_] | None
    buttons: NDArray[Any] | None
    spread: bool

    def _block(self, index: Index) -> tuple[Any, ...]:
        """What the kernels read of a block."""
        seats, strengths = self.chips.shape[-1], self.strengths[index]
        live = strengths != 0 if self.live is None else self.live[index]
        return (  # unsigned numbers beyond int64 become negative: the kernels refuse them
            frozen(self.chips[index], np.int64, -1, seats),
            frozen(strengths, np.int64, -1, seats),
            frozen(live, np.bool_, -1, seats),
            frozen(np.empty(0) if self.buttons is None else self.buttons[index], np.int64, -1),
            self.spread,
        )

    def pay(self, payouts: Chips, threads: int) -> Bad | None:
        """Fill in the payouts; what is bad."""
        from .jit.payouts import pay

        *_, seats = self.chips.shape

        def work(index: Index) -> tuple[int, int]:
            bad, first = pay(*self._block(index), payouts[index].reshape(-1, seats))
            return bad, first

        return self._over_all(work, threads, AT_ONCE)

    def pay_by_pot(self, payouts: Chips, threads: int) -> tuple[Bad | None, Chips, Chips, NDArray[np.bool_], Chips]:
        """The same, and chips in each pot, who won and who could have, and what goes back."""
        from .jit.by_pot import pay_by_pot

        *deals, seats = self.chips.shape
        most = self._most_pots(threads)
        pots, won = np.empty((*deals, most), np.int64), np.empty((*deals, most, seats), np.int64)
        eligible, returned = np.empty(won.shape, np.bool_), np.empty(payouts.shape, np.int64)

        def work(index: Index) -> tuple[int, int]:
            paid, back = payouts[index].reshape(-1, seats), returned[index].reshape(-1, seats)
            by_seat = (array[index].reshape(len(back), most, seats) for array in (won, eligible))
            bad, first = pay_by_pot(*self._block(index), paid, pots[index].reshape(len(back), most), *by_seat, back)
            return bad, first

        return self._over_all(work, threads, AT_ONCE_BY_POT), pots, won, eligible, returned

    def _most_pots(self, threads: int) -> int:
        from .jit.by_pot import most_pots, pots_at_most

        found, enough = [0], pots_at_most(self.chips.shape[-1])

        def work(index: Index) -> tuple[int, int]:
            if max(found) < enough:
                chips, _, live, *_ = self._block(index)
                found.append(most_pots(chips, live))
            return 0, -1

        self._over_all(work, threads, AT_ONCE)
        return max(found)

    def _over_all(self, work: Callable[[Index], tuple[int, int]], threads: int, most: int) -> Bad | None:
        *deals, seats = self.chips.shape
        return over_deals(tuple(deals), seats, most, threads, work) if self.chips.size else None

    def fault(self, at: tuple[int, ...], before: str, after: str) -> PotError | VerificationError:
        """What is wrong with a deal."""
        chips, strengths, seats = self.chips[at].tolist(), self.strengths[at].tolist(), self.chips.shape[-1]
        live = [strength != 0 for strength in strengths] if self.live is None else self.live[at].tolist()
        for seat, bet in enumerate(chips):
            if bet < 0:
                return PotError(f"{before}seat {seat} put in {bet} chips{after}")
        if sum(chips) > MOST:
            return PotError(f"{before}{sum(chips)} chips are more than 2**63 - 1{after}")
        if not any(live) and sum(chips):
            return PotError(f"{before}{sum(chips)} chips, but nobody is live{after}")
        if self.buttons is not None and not 0 <= self.buttons[at] < seats:
            return PotError(f"{before}the button is at {self.buttons[at]}, seats are 0 to {seats - 1}{after}")
        for seat, strength in enumerate(strengths):
            if live[seat] and not 0 < strength <= MOST:
                bounds = "strengths are at most 2**63 - 1" if strength > 0 else "strengths are positive"
                return PotError(f"{before}seat {seat} is live with the strength {strength}, {bounds}{after}")
        return VerificationError(
            f"{before}kernels refuse what can be settled{after}: chips that changed meanwhile, or reinstall pokernel"
        )
