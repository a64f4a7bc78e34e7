"""Wide vectors, others, or none: processes in which kernels work in each way, and memory that faults at its ends."""

import pytest

from pokernel.jit._compile import AVX2, CAN_BE_WIDE


def switches(portable: str, gather: str, wide: str) -> dict[str, str]:
    return {"POKERNEL_PORTABLE": portable, "POKERNEL_GATHER": gather, "POKERNEL_WIDE": wide}


needs_avx2 = pytest.mark.skipif(not AVX2, reason="no AVX2 here, or switched off: there is nothing to gather with")
needs_wide = pytest.mark.skipif(not CAN_BE_WIDE, reason="no AVX-512 with byte permutations here, or switched off")
MODES = pytest.mark.parametrize(
    "mode",
    [
        pytest.param(switches("1", "", ""), id="portable"),
        pytest.param(switches("0", "0", "0"), id="scalar reads", marks=needs_avx2),
        pytest.param(switches("0", "1", "0"), id="gathers", marks=needs_avx2),
        pytest.param(switches("0", "0", "1"), id="wide", marks=needs_wide),
    ],
)
IS_IN_THIS_MODE = """
import os
from pokernel.jit._compile import AVX2, FAST_GATHER, IN_WORDS, WIDE
assert ("AVX" in IN_WORDS, "gathers" in IN_WORDS, "64" in IN_WORDS) == (AVX2, FAST_GATHER, WIDE)
assert AVX2 == (os.environ["POKERNEL_PORTABLE"] == "0")
assert FAST_GATHER == (os.environ["POKERNEL_GATHER"] == "1")
assert WIDE == (os.environ["POKERNEL_WIDE"] == "1")
"""

GUARD_PAGES = """
import ctypes, mmap
import numpy as np
import pokernel

PAGE, PAGES = mmap.PAGESIZE, 4
libc = ctypes.CDLL(None, use_errno=True)

def between_guards():
    memory = mmap.mmap(-1, (PAGES + 2) * PAGE)
    array = np.frombuffer(memory, np.uint8)
    for guard in (0, PAGES + 1):
        assert libc.mprotect(ctypes.c_void_p(array.ctypes.data + guard * PAGE), PAGE, 0) == 0
    return array[PAGE:-PAGE]
"""
