"""The files that the user means: names, patterns and folders."""

import os
from collections.abc import Iterable
from glob import glob

from .sources import format_of
from .terminal import CommandError

__all__ = ["expanded"]


def expanded(paths: Iterable[str], output: str | None) -> list[str]:
    """
    Return the files that are meant, in the order of their names where one word means several.

    Parameters
    ----------
    paths : iterable of str
        Files; patterns such as ``data/*.parquet`` and ``data/**/*.csv``; folders, for the files in them whose names
        tell a format; ``-``.
    output : str or None
        Where the output goes: patterns and folders do not mean this file, nor the files in this folder.

    Raises
    ------
    CommandError
        If there is no such file.

    Notes
    -----
    Patterns and folders leave out names that start with a dot or an underscore, which are no data.
    """
    found: list[str] = []
    for path in paths:
        if path == "-" or os.path.isfile(path) or (os.path.exists(path) and not os.path.isdir(path)):
            found.append(path)
            continue
        if os.path.isdir(path):
            names = sorted(os.listdir(path))
            files = [os.path.join(path, name) for name in names if format_of(name)]
            none = f"{path}: no file in this folder has a name that tells its format"
        else:
            files = sorted(glob(path, recursive=True))
            none = f"{path}: no such file"
        files = [file for file in files if os.path.isfile(file) and os.path.basename(file)[0] not in "._"]
        if output is not None and files:
            taken = os.path.realpath(output)
            files = [file for file in files if not _lies_at(file, taken)]
            none = f"{path}: what there is lies where the output goes"
        if not files:
            raise CommandError(none)
        found += files
    return found


def _lies_at(file: str, place: str) -> bool:
    """Whether a file is what lies at a place, or one of the files in it."""
    real = os.path.realpath(file)
    return place in (real, os.path.dirname(real))
