"""Vectors or none, gathers or none: processes in which kernels work in each way, and memory that faults at its ends."""

import pytest

from pokernel.jit._compile import AVX2

needs_avx2 = pytest.mark.skipif(not AVX2, reason="no AVX2 here, or switched off: there is nothing to gather with")
MODES = pytest.mark.parametrize(
    "mode",
    [
        pytest.param({"POKERNEL_PORTABLE": "1", "POKERNEL_GATHER": ""}, id="portable"),
        pytest.param({"POKERNEL_PORTABLE": "0", "POKERNEL_GATHER": "0"}, id="scalar reads", marks=needs_avx2),
        pytest.param({"POKERNEL_PORTABLE": "0", "POKERNEL_GATHER": "1"}, id="gathers", marks=needs_avx2),
    ],
)
IS_IN_THIS_MODE = """
import os
from pokernel.jit._compile import AVX2, FAST_GATHER
assert AVX2 == (os.environ["POKERNEL_PORTABLE"] == "0")
assert FAST_GATHER == (os.environ["POKERNEL_GATHER"] == "1")
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
