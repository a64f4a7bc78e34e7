"""The one place for compiler options.

``nogil`` lets plain threads run kernels side by side; ``parallel=True`` is never used: its threading layers kill
forked children, abort on concurrent calls and cannot be interrupted. ``cache=True`` keeps compiled kernels between
processes; numba raises at decoration where it finds no writable folder, then the kernel is compiled anew each time.
Cached kernels take every table as an argument, because a cache does not notice a changed module global; nor does it
notice a change in another file, so the name that a kernel is cached under carries a digest of all of ``jit/``, and
the choices of vectors and gathers.
"""

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import njit
from numba.core import config

__all__ = ["AVX2", "CAN_BE_WIDE", "FAST_GATHER", "IN_WORDS", "WIDE", "bare_kernel", "inline", "inline_early", "kernel"]

Function = Callable[..., Any]


def _said(switch: str) -> bool | None:
    """What the environment says, if anything."""
    word = os.environ.get(switch, "").strip().lower()
    return word not in ("0", "no", "false", "off") if word else None


def _has(*features: str) -> bool:
    if config.DISABLE_JIT or _said("POKERNEL_PORTABLE"):
        return False
    if config.CPU_FEATURES is not None:  # numba compiles for these and not for what the machine has
        there = set(config.CPU_FEATURES.split(","))
        return all(f"+{feature}" in there for feature in features)
    there = {feature for feature, has in llvm.get_host_cpu_features().items() if has}
    return config.CPU_NAME is None and there.issuperset(features)


def _chosen(switch: str, cores: str) -> bool:
    """What the environment says, or else whether the processor that numba compiles for is one of these."""
    said = _said(switch)
    return said if said is not None else (config.CPU_NAME or llvm.get_host_cpu_name()).startswith(tuple(cores.split()))


AVX2: bool = _has("avx2")
"""Whether kernels may use 256-bit x86 vectors; ``POKERNEL_PORTABLE=1`` in the environment turns them off."""


CAN_BE_WIDE: bool = AVX2 and _has("avx512bw", "avx512vl", "avx512vbmi")
"""Whether kernels may use 512-bit vectors."""
WIDE: bool = CAN_BE_WIDE and _chosen("POKERNEL_WIDE", "znver5")
"""Whether keys are written down and looked up in a loop of its own, and hands packed 64 at a time, in 512-bit vectors.

On AMD's Zen 5: half as fast again there. Intel's cores lose a tenth by writing keys down, and have one port for 512-bit
shuffles. ``POKERNEL_WIDE=0`` or ``1`` decides otherwise, where the processor has such vectors.
"""

NO_SAMPLING = "alderlake raptorlake meteorlake arrowlake lunarlake sapphirerapids emeraldrapids graniterapids"
FAST_GATHER: bool = AVX2 and not WIDE and _chosen("POKERNEL_GATHER", NO_SAMPLING)
"""Whether gathers beat scalar reads: on Intel's cores that need no microcode against gather data sampling.

``POKERNEL_GATHER=0`` or ``1`` in the environment decides otherwise, so that tests cover both.
"""

IN_WORDS = (
    "64 hands at a time, AVX-512"
    if WIDE
    else f"32 hands at a time, AVX2{', gathers' if FAST_GATHER else ''}"
    if AVX2
    else "one hand at a time, any processor"
)
"""What was chosen."""

SOURCES = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))))
CHOICES = "".join(
    f"_{name}" for name, chosen in (("portable", not AVX2), ("gather", FAST_GATHER), ("wide", WIDE)) if chosen
)
VARIANT = SOURCES.hexdigest()[:12] + CHOICES


def _wrapping(function: Function) -> Any:
    """Let interpreted kernels (``NUMBA_DISABLE_JIT=1``) wrap around silently, as compiled ones do."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call


def kernel(function: Function) -> Any:
    """Compile a loop over arrays: without the GIL, cached on disk where that is possible."""
    return _compiled(function, nogil=True)


def bare_kernel(function: Function) -> Any:
    """Compile a loop that makes no arrays: without reference counts, which cost more than all else in small calls.

    Arrays and tuples of arrays are passed on, sliced and unpacked as if they were plain numbers.
    """
    return _compiled(function, nogil=True, _nrt=False)


def _compiled(function: Function, **options: bool) -> Any:
    if config.DISABLE_JIT:
        return _wrapping(function)
    function.__qualname__ += f"_{VARIANT}"
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # "cannot cache function …: no locator available"
        return njit(**options)(function)


def inline(function: Function) -> Any:
    """Make a scalar function part of each of its callers: by LLVM, so that it may be called in any way.

    Without reference counts: it must not make arrays.
    """
    return _wrapping(function) if config.DISABLE_JIT else njit(forceinline=True, _nrt=False)(function)


def inline_early(function: Function) -> Any:
    """The same by numba, before types are inferred: constants stay constants, and it is compiled once, not twice."""
    return _wrapping(function) if config.DISABLE_JIT else njit(inline="always")(function)
