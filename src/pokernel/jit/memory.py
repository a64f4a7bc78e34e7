"""Loads and stores at machine addresses, in kernels that plain Python can run, too (``NUMBA_DISABLE_JIT=1``)."""

import ctypes
from typing import Any

import numpy as np
from numba.extending import overload

from . import bits

__all__ = ["address", "peek", "poke"]


def peek(dtype: Any, place: int) -> int:
    """The integer of this type at a machine address."""
    width = np.dtype(str(dtype)).itemsize
    return int.from_bytes(ctypes.string_at(int(place), width), "little", signed=str(dtype).startswith("int"))


def poke(value: Any, place: int) -> None:
    """Write an integer, a numpy or numba scalar, to a machine address."""
    ctypes.memmove(int(place), np.asarray(value).tobytes(), np.asarray(value).itemsize)


def address(array: Any) -> int:
    """The machine address of an array's first element."""
    return int(array.ctypes.data)


@overload(peek)
def _compiled_peek(dtype, place):
    return lambda dtype, place: bits.peek(dtype, place)


@overload(poke)
def _compiled_poke(value, place):
    return lambda value, place: bits.poke(value, place)


@overload(address)
def _compiled_address(array):
    return lambda array: bits.address(array)
