"""Pots by hand: every seat puts its chips in one by one, and each layer of them belongs to somebody.

An oracle written from the rules of the table; it imports nothing from pokernel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class Pot:
    eligible: set[int]
    chips: int = 0
    won: dict[int, int] = field(default_factory=dict)


@dataclass
class Deal:
    pots: list[Pot]
    returned: list[int]
    payouts: list[int]


def layers(chips: Sequence[int]) -> Iterator[set[int]]:
    """Who pays the first chip, the second chip, …"""
    for height in range(1, max(chips) + 1):
        yield {seat for seat, bet in enumerate(chips) if bet >= height}


def settle(
    chips: Sequence[int], strengths: Sequence[int], live: Sequence[bool], first: int = 0, one_each: bool = False
) -> Deal:
    """Pile layers up into pots, then pay them; odd chips go around from the seat `first`."""
    seats = range(len(chips))
    in_play = {seat for seat in seats if live[seat]}
    deal = Deal([], [0] * len(chips), [0] * len(chips))
    for payers in layers(chips):
        eligible = payers & in_play
        if payers == eligible and len(payers) == 1:
            deal.returned[min(payers)] += 1
            continue
        if not eligible:  # dead money
            eligible = deal.pots[-1].eligible if deal.pots else in_play
        if not deal.pots or deal.pots[-1].eligible != eligible:
            deal.pots.append(Pot(eligible))
        deal.pots[-1].chips += len(payers)
    for pot in deal.pots:
        best = max(strengths[seat] for seat in pot.eligible) if len(in_play) > 1 else None
        winners = [seat for seat in pot.eligible if best is None or strengths[seat] == best]
        winners.sort(key=lambda seat: (seat - first) % len(chips))
        pot.won = {winner: pot.chips // len(winners) for winner in winners}
        for odd in range(pot.chips % len(winners)):
            pot.won[winners[odd if one_each else 0]] += 1
    for seat in seats:
        deal.payouts[seat] = deal.returned[seat] + sum(pot.won.get(seat, 0) for pot in deal.pots)
    return deal
