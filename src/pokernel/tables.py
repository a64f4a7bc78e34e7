"""The lookup tables: found, read and verified here; nothing else opens ``tables/``."""

from __future__ import annotations

import functools
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import TableError

__all__ = ["load"]

PLACES = (Path(__file__).parent / "tables", Path(__file__).parents[2] / "tables")
"""Where tables may be: in the package (wheel), or beside ``src/`` (a checkout, installed editable)."""


@functools.cache
def _folder() -> Path:
    for place in PLACES:
        if (place / "MANIFEST.json").is_file():
            return place
    tried = ", ".join(str(place / "MANIFEST.json") for place in PLACES)
    raise TableError(f"no lookup tables: tried {tried}; reinstall pokernel, or run scripts/build_tables.py")


@functools.cache
def _manifest() -> dict[str, dict[str, Any]]:
    path = _folder() / "MANIFEST.json"
    try:
        manifest: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise TableError(f"{path} is damaged ({error}); reinstall pokernel") from error
    return manifest


@functools.cache
def load(name: str) -> NDArray[Any]:
    """Read one table, verified against the manifest that was written with it.

    Parameters
    ----------
    name : str
        ``flush``, ``unique``, ``products``, ``product_strengths`` (the classic three); ``card_keys``,
        ``rank_digits``, ``multiplier`` (the key); ``displacements5`` … ``displacements7``, ``strengths5`` …
        ``strengths7`` (the perfect hashes); ``categories``, ``ranks`` (the inverse); ``preflop_wins``,
        ``preflop_ties``, ``preflop_order`` (match-ups before the flop).

    Returns
    -------
    numpy.ndarray
        Read-only, C-contiguous, aligned, native byte order.

    Raises
    ------
    TableError
        If the table is missing, truncated or not byte for byte the one that was built; names the file.
    """
    path = _folder() / f"{name}.npy"
    try:
        content = path.read_bytes()
        expected = _manifest()[name]["sha256"]
    except OSError as error:
        raise TableError(f"{path} cannot be read ({error.strerror}); reinstall pokernel") from error
    except (KeyError, TypeError) as error:
        raise TableError(f"{path.parent / 'MANIFEST.json'} does not list the table {name!r}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise TableError(f"{path} is damaged (sha256 {found[:12]}…, expected {expected[:12]}…); reinstall pokernel")
    table = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    table = table.astype(table.dtype.newbyteorder("="), copy=False)
    table.flags.writeable = False
    return table
