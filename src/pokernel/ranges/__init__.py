"""Hand ranges: weighted sets of combos, and the notation that people write them in.

:class:`Range` is all of it; its docstring has the notation.
"""

from .hand_range import Range

__all__ = ["Range"]
