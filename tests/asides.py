"""Files half written: how to see one that has no name, and how to have the command do without those."""

import os
import sys
from contextlib import suppress
from pathlib import Path

_SCRIPT = "import os, sys; vars(os).pop('O_TMPFILE', None); from pokernel.cli import main; sys.exit(main())"

COMMAND_WITH_NAMES = [sys.executable, "-W", "error", "-c", _SCRIPT]
"""The command on a system that has no files without names."""


def need_no_names(folder: Path) -> bool:
    """Return whether files in a folder can go without a name until they are whole."""
    try:
        os.close(os.open(folder, os.O_WRONLY | os.O_TMPFILE))
    except (AttributeError, OSError):
        return False
    return os.path.isdir("/proc/self/fd")


def asides(folder: Path, process: int) -> list[str]:
    """Return the suffixes of the files in a folder, and ``unnamed`` for each that a process has open without a name."""
    found = [path.suffix for path in folder.iterdir()]
    with suppress(FileNotFoundError):
        for link in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):
                file = os.readlink(link)
                found += ["unnamed"] * (file.startswith(f"{folder}/#") and file.endswith(" (deleted)"))
    return found
