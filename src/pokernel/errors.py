"""What can go wrong, by name. Every error is a ``ValueError`` whose one line says what and where."""

__all__ = [
    "CardError",
    "DealError",
    "DuplicateCardError",
    "HandSizeError",
    "OutputError",
    "PokernelError",
    "PotError",
    "RangeError",
    "TableError",
    "VerificationError",
]


class PokernelError(ValueError):
    """Base of every error that pokernel raises on purpose; wrong *types* raise ``TypeError`` instead."""


class CardError(PokernelError):
    """A text or an integer that is no card."""


class DealError(PokernelError):
    """Hands and ranges that cannot be dealt together, or beside this board."""


class DuplicateCardError(CardError):
    """The same card twice in one hand, in a hand and its board, or in a deal."""


class HandSizeError(PokernelError):
    """Not 5, 6 or 7 cards, hands of different sizes where they must be alike, too few or too many players."""


class OutputError(PokernelError):
    """An ``out`` array that cannot take the answer."""


class PotError(PokernelError):
    """Chips that are none or too many, a pot that nobody can win, seats that do not go together."""


class RangeError(PokernelError):
    """A text that is no hand range, or combos and weights that make none."""


class TableError(PokernelError):
    """A lookup table that is missing, truncated or not the one that was built."""


class VerificationError(PokernelError):
    """Installed tables or kernels that do not give the strengths that the rules give."""
