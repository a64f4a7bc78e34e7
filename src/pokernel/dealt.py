"""Boards and the cards of seats as callers hand them in, for one deal or arrays of deals; what is wrong with one."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import format_card
from .errors import CardError, DuplicateCardError, HandSizeError, PokernelError, PotError, VerificationError
from .holes import read_holes
from .inputs import as_array, is_nothing, read
from .invalid import Index
from .seats import as_flags, frozen, in_shape, name_row, over_deals

__all__ = ["MOST_SEATS", "Dealt", "read_dealt"]

MOST_SEATS = 23  # two cards each, and a board, of 52


@dataclass(frozen=True, eq=False)
class Dealt:
    """Deals of one shape, cards not checked yet."""

    deals: tuple[int, ...]
    """Their shape; none for one deal."""
    boards: NDArray[Any]
    """``(*deals, cards)``."""
    holes: NDArray[Any]
    """``(*deals, players, 2)``."""
    live: NDArray[np.bool_] | None
    """``(*deals, players)``; None if nobody has folded."""
    given: list[NDArray[Any]]
    """What may not be written to."""

    @property
    def players(self) -> int:
        """How many seats a deal has."""
        return int(self.holes.shape[-2])

    @property
    def seats(self) -> int:
        """How many all deals have."""
        return math.prod(self.deals) * self.players

    def as_row(self) -> "Dealt":
        """One deal as an array of one."""
        live = None if self.live is None else self.live[np.newaxis]
        return Dealt((1,), self.boards[np.newaxis], self.holes[np.newaxis], live, self.given)

    def block(self, index: Index) -> tuple[tuple[NDArray[Any], NDArray[Any]], NDArray[Any] | None]:
        """What kernels read of a block of deals: boards and cards, and who is live if somebody has folded."""
        holes = frozen(_narrow(self.holes[index]), np.uint8, -1, self.players, 2)
        boards = frozen(_narrow(self.boards[index]), np.uint8, len(holes), self.boards.shape[-1])
        return (boards, holes), None if self.live is None else frozen(self.live[index], np.bool_, -1, self.players)

    def do(self, most: int, threads: int, work: Callable[[Index], tuple[int, int]]) -> None:
        """Do blocks of deals, as `over_deals`; raise what is wrong with the first bad one."""
        bad = over_deals(self.deals, self.players, most, threads, work) if self.holes.size else None
        if bad is not None:
            wrong = self.fault(bad[0], *name_row(bad, self.deals))
            raise wrong or VerificationError(
                "kernels refuse deals that are valid: cards that changed meanwhile, or run pokernel verify"
            )

    def fault(self, at: tuple[int, ...], before: str = "", after: str = "") -> PokernelError | None:
        """What is wrong with a deal."""
        live = [True] * self.players if self.live is None else self.live[at].tolist()
        if not any(live):
            return PotError(f"{before}nobody is live{after}")
        holes = self.holes[at].tolist()
        hands = [("on the board", self.boards[at].tolist())]
        hands += [(f"in seat {p}", hole) for p, hole in enumerate(holes) if live[p]]
        found: dict[int, str] = {}
        for place, hand in hands:
            for card in hand:
                if not 0 <= card <= 51:
                    return CardError(f"{before}{card} {place} is no card, cards are 0 to 51{after}")
                if card in found:
                    places = f"twice {place}" if found[card] == place else f"both {found[card]} and {place}"
                    return DuplicateCardError(f"{before}{format_card(card)} ({card}) is {places}{after}")
                found[card] = place
        return None


def read_dealt(board: Any, holes: Any, live: Any, sizes: tuple[int, ...]) -> Dealt:
    """Read the arguments of `showdown`; the board may have one of these sizes."""
    boards, (cards, known) = _read_board(board), read_holes(holes)
    flags = None if live is None else as_flags(live, "live")
    _check_shapes(boards, cards, flags, sizes)
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
    return Dealt(
        deals,
        in_shape(boards, (*deals, boards.shape[-1])),
        in_shape(cards, (*deals, players, 2)),
        None if flags is None else in_shape(flags, (*deals, players)),
        [boards, cards, *([] if flags is None else [flags])],
    )


def _read_board(given: Any) -> NDArray[Any]:
    if isinstance(given, (list, tuple)) and given and all(row is not None and is_nothing(row) for row in given):
        return np.empty((len(given), 0), np.uint8)  # before the flop
    try:
        cards = read(given, "board")
    except PokernelError as error:
        raise error if "board" in str(error) else type(error)(f"board: {error}") from None
    return as_array(cards, "board")


def _check_shapes(
    boards: NDArray[Any], cards: NDArray[Any], flags: NDArray[np.bool_] | None, sizes: tuple[int, ...]
) -> None:
    if boards.shape[-1] not in sizes:
        what = f"{sizes[0]} cards at a showdown" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} cards"
        raise HandSizeError(f"a board has {what}, not {boards.shape[-1]}")
    if cards.ndim < 2 or cards.shape[-1] != 2:
        hint = "; those of one seat are a list of one hand" if cards.shape == (2,) else ""
        raise HandSizeError(f"holes have two cards for each seat, shape (..., players, 2), not {cards.shape}{hint}")
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


def _narrow(cards: NDArray[Any]) -> NDArray[Any]:
    """What is no card becomes 255, which is none either: a folded seat's is never looked at."""
    if cards.dtype == np.uint8:
        return cards
    unsigned = cards.view(cards.dtype.str.replace("i", "u"))  # a negative number becomes a large one
    return np.asarray(np.minimum(unsigned, 255))
