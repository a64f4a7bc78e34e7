"""Arrays that a caller wants filled: whether they can take the answer without a conversion, and without harm."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import OutputError

__all__ = ["check_output", "output_array"]

Scalar = TypeVar("Scalar", bound=np.generic)


def output_array(
    out: Any, dtype: type[Scalar], shape: tuple[int, ...], others: Sequence[NDArray[Any]], **about: Any
) -> NDArray[Scalar]:
    """`out` if it can take the answer, as :func:`check_output` says; a new array if it is None."""
    return np.empty(shape, dtype) if out is None else check_output(out, dtype, shape, others, **about)


def check_output(
    out: Any,
    dtype: type[Scalar],
    shape: tuple[int, ...],
    others: Sequence[NDArray[Any]],
    *,
    name: str = "out",
    of: str = "the strengths",
    contiguous: bool = False,
) -> NDArray[Scalar]:
    """`out` itself, if it can take the answer.

    Parameters
    ----------
    out : object
        What the caller gave.
    dtype : type
    shape : tuple of int
        Of the answer.
    others : sequence of numpy.ndarray
        What must not lie in the same memory.
    name, of : str
        What the caller calls it, and what will be in it.
    contiguous : bool, default False
        Whether it must be C-contiguous and aligned.

    Raises
    ------
    OutputError, TypeError
    """
    wanted = np.dtype(dtype)
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"{name} must be a numpy array, not {type(out).__name__}")
    if out.dtype != wanted:
        order = ", in native byte order" if out.dtype.newbyteorder("=") == wanted else ""
        raise TypeError(f"{name} must have dtype {wanted}{order}, not {out.dtype.str if order else out.dtype}")
    if out.shape != shape:
        raise OutputError(f"{name} has shape {out.shape}, {of} have {shape}")
    if not out.flags.writeable:
        raise OutputError(f"{name} is read-only")
    if contiguous and not (out.flags.c_contiguous and out.flags.aligned):
        raise OutputError(f"{name} must be C-contiguous and aligned")
    if any(_overlap(out, array) for array in others):
        raise OutputError(f"{name} overlaps what is read or filled beside it in memory")
    if _may_repeat(out):
        raise OutputError(f"{name} repeats its memory: {of} would overwrite each other")
    return out


def _may_repeat(array: NDArray[Any]) -> bool:
    """Whether elements may lie in the same memory: surely not if each axis steps over all of the smaller ones."""
    if not array.size:
        return False  # and any strides
    reach = array.itemsize
    for stride, extent in sorted((abs(s), e) for s, e in zip(array.strides, array.shape, strict=True) if e > 1):
        if stride < reach:
            return True
        reach += stride * (extent - 1)
    return False


def _overlap(a: NDArray[Any], b: NDArray[Any]) -> bool:
    try:
        return np.shares_memory(a, b, max_work=10_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True
