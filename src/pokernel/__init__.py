"""pokernel: the fastest poker hand evaluator that Python can call.

>>> import pokernel
>>> pokernel.evaluate("As Ks Qs Js Ts 2c 3d")
7462
>>> pokernel.describe(pokernel.evaluate("Jc Jd Jh 3s 3c"))
'Full house, jacks full of threes'

Texts and arrays of cards go through :func:`evaluate`, checked; ``pokernel.jit`` has the unchecked scalar functions to
call from your own numba code. :class:`Range`, :func:`equity`, :func:`showdown` and :func:`settle` are for simulations.

Names are imported when they are first used: ``import pokernel`` alone costs little more than ``import numpy``, and
numba is imported only when something is compiled.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

_HOMES = {
    "errors": (
        *("CardError", "DealError", "DuplicateCardError", "HandSizeError", "OutputError"),
        *("PokernelError", "PotError", "RangeError", "TableError", "VerificationError"),
    ),
    "cards": (
        *("RANKS", "SUITS", "format_card", "format_cards"),
        *("parse_card", "parse_cards"),
    ),
    "notation": ("format_hands", "parse_hands"),
    "strength": (
        *("STRONGEST", "WEAKEST", "Category", "category", "describe"),
        *("from_kev_rank", "ranks_of", "to_kev_rank"),
    ),
    "evaluation": ("evaluate", "evaluate_columns", "warmup"),
    "invalid": ("invalid_rows",),
    "best": ("best_five",),
    "winners": ("Showdown", "showdown"),
    "pots": ("Settlement", "settle"),
    "enumeration": ("enumerate_strengths",),
    "odds.equities": ("equities",),
    "odds.equity": ("equity",),
    "odds.preflop": ("hand_vs_hand", "preflop_table"),
    "odds.result": ("Equity",),
    "ranges": ("Range",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from .best import best_five as best_five
    from .cards import RANKS as RANKS
    from .cards import SUITS as SUITS
    from .cards import format_card as format_card
    from .cards import format_cards as format_cards
    from .cards import parse_card as parse_card
    from .cards import parse_cards as parse_cards
    from .enumeration import enumerate_strengths as enumerate_strengths
    from .errors import CardError as CardError
    from .errors import DealError as DealError
    from .errors import DuplicateCardError as DuplicateCardError
    from .errors import HandSizeError as HandSizeError
    from .errors import OutputError as OutputError
    from .errors import PokernelError as PokernelError
    from .errors import PotError as PotError
    from .errors import RangeError as RangeError
    from .errors import TableError as TableError
    from .errors import VerificationError as VerificationError
    from .evaluation import evaluate as evaluate
    from .evaluation import evaluate_columns as evaluate_columns
    from .evaluation import warmup as warmup
    from .invalid import invalid_rows as invalid_rows
    from .notation import format_hands as format_hands
    from .notation import parse_hands as parse_hands
    from .odds.equities import equities as equities
    from .odds.equity import equity as equity
    from .odds.preflop import hand_vs_hand as hand_vs_hand
    from .odds.preflop import preflop_table as preflop_table
    from .odds.result import Equity as Equity
    from .pots import Settlement as Settlement
    from .pots import settle as settle
    from .ranges import Range as Range
    from .strength import STRONGEST as STRONGEST
    from .strength import WEAKEST as WEAKEST
    from .strength import Category as Category
    from .strength import category as category
    from .strength import describe as describe
    from .strength import from_kev_rank as from_kev_rank
    from .strength import ranks_of as ranks_of
    from .strength import to_kev_rank as to_kev_rank
    from .winners import Showdown as Showdown
    from .winners import showdown as showdown

__all__ = ["__version__", *_HOME]
_ROOMS = "jit", "verify"  # reachable without an import


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
