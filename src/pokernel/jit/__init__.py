"""The low door: scalar functions to call from inside your own ``@njit`` code.

**Cards are not checked here.** A card above 51, or the same card twice, gives a wrong answer without an error; check
before, or use :func:`pokernel.evaluate`, which does.

``strength5``, ``strength6``, ``strength7`` take cards. The incremental hand is a pair of integers ``(key, mask)``:
``add``, ``remove``, ``combine``, then ``lookup5``, ``lookup6``, ``lookup7`` with as many cards as the name says.

>>> from numba import njit
>>> from pokernel.jit import add, combine, lookup7, strength7
>>> @njit
... def better(board, hole_a, hole_b):
...     key = mask = 0
...     for card in board:
...         key, mask = add(key, mask, card)
...     key_a, mask_a = add(*add(key, mask, hole_a[0]), hole_a[1])
...     key_b, mask_b = add(*add(key, mask, hole_b[0]), hole_b[1])
...     return lookup7(key_a, mask_a) > lookup7(key_b, mask_b)
>>> better((51, 47, 43, 1, 6), (39, 35), (50, 49))
True
"""

from .hand import add, card_key, card_mask, combine, remove
from .kernel import strength5, strength6, strength7
from .lookup import lookup5, lookup6, lookup7

__all__ = [
    "add",
    "card_key",
    "card_mask",
    "combine",
    "lookup5",
    "lookup6",
    "lookup7",
    "remove",
    "strength5",
    "strength6",
    "strength7",
]
