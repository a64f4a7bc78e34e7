"""What this machine's threads are worth at the moment: work that neither memory nor Python slows down, in pieces."""

import functools

import numpy as np

from pokernel.threads import run

from .deal import Hands
from .interleaved import Contender
from .peers import Work
from .yardsticks import fill_a_core, scalar_again

__all__ = ["arithmetic", "scalar_in_cache"]

PIECES = 32
"""The same on one thread and on two, which take them as they come: a slower core does fewer."""
STEPS = 1 << 27


def arithmetic(threads: int) -> Contender:
    """Some tenths of a second of it."""

    def prepare(_: Hands) -> Work:
        piece = functools.partial(fill_a_core, STEPS // PIECES, np.zeros(PIECES, np.int64))
        return lambda: run(piece, PIECES, threads)

    return Contender(prepare, counted=lambda _: 1)


def scalar_in_cache(threads: int) -> Contender:
    """As many hands as a round has, but few different ones to a piece: the scalar kernel in first-level caches."""

    def prepare(hands: Hands) -> Work:
        few = [hands[256 * piece : 256 * (piece + 1)].copy() for piece in range(PIECES)]
        sums = np.zeros(PIECES, np.int64)
        times = len(hands) // (256 * PIECES)
        return lambda: run(lambda piece: scalar_again(few[piece], times, sums, piece), PIECES, threads)

    return Contender(prepare)
