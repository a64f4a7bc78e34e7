"""A file that appears whole or not at all."""

import errno
import io
import os
import re
import secrets
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from .terminal import CommandError

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Destination", "is_aside", "write_whole"]

SYNC_BYTES = 1 << 26


def _aside_of(folder: str, name: str) -> str:
    """Return a new name for a file that is to become one of this name."""
    short = os.fsencode(name)[:100].decode(errors="ignore")  # file systems count bytes
    return os.path.join(folder, f".{short}.{secrets.token_hex(4)}.part")


def is_aside(name: str) -> bool:
    """Return whether a file has been left aside, by a process that was killed."""
    return re.fullmatch(r"\..*\.[0-9a-f]{8}\.part", name) is not None


def write_whole(path: str, data: bytes) -> None:
    """Write a file that appears whole or not at all."""
    destination = Destination(path)
    try:
        destination.write(data)
        destination.commit()
    finally:
        destination.discard()


class Destination(io.RawIOBase):
    """
    Where the bytes go, as a file open for writing.

    Standard output and whatever is no regular file (``/dev/null``, a pipe) is written straight away. A file is written
    aside, in its own directory, brought to the disk and moved into place by `commit`; without it `discard` removes it,
    and where files without names exist (Linux), so does the end of the process, whatever ends it.

    Parameters
    ----------
    path : str or None
        The file; None or ``-`` for standard output.

    Raises
    ------
    CommandError
        Here and later, if it cannot be written; names the file as the user does.
    BrokenPipeError
        If the reader of a pipe went away.
    """

    def __init__(self, path: str | None) -> None:
        self._name = "<stdout>" if path is None or path == "-" else path
        with self._named():
            self._open(path)

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CommandError(f"{self._name}: cannot be written: {error.strerror or error}") from error

    def _open(self, path: str | None) -> None:
        self._final = None if path is None or path == "-" else os.path.realpath(path)
        self._aside: str | None = None
        self._unnamed = False
        self._written = self._unsynced = 0
        self._done = False
        self._file: BinaryIO
        if self._final is None:
            self._file = sys.stdout.buffer
        elif path is not None and os.path.exists(path) and not os.path.isfile(path):
            # By its own name: what /dev/stdout leads to may have none.
            self._file = open(path, "wb")  # noqa: SIM115 (closed by commit and discard)
        else:
            self._file = open(self._open_aside(self._final), "wb")  # noqa: SIM115
            if os.path.exists(self._final):
                mode = stat.S_IMODE(os.stat(self._final).st_mode)
                os.chmod(self._file.fileno() if os.chmod in os.supports_fd else str(self._aside), mode)

    def _open_aside(self, final: str) -> int:
        """Return a new file in the same folder, where possible one without a name, which vanishes with its process."""
        folder, name = os.path.split(final)
        self._unnamed = hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd")
        if self._unnamed:
            try:
                return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o666)
            except OSError as error:
                if error.errno not in (errno.EISDIR, errno.ENOENT, errno.EOPNOTSUPP, errno.EINVAL):
                    raise
                self._unnamed = False
        self._aside = _aside_of(folder, name)
        return os.open(self._aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)

    @property
    def patient(self) -> bool:
        """Whether writing never waits for a reader, who may not come: true of files, not of pipes and terminals."""
        try:
            return stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
        except OSError:  # a stream that stands for a closed one has no number
            return False

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer") -> int:
        """Write all of `data`; after `discard`, pretend to (writers write their footers when they are deleted)."""
        left = memoryview(data).cast("B")
        size = len(left)
        if not self._done:
            with self._named():
                while left:
                    # Unbuffered streams (PYTHONUNBUFFERED) write as much as there is room for, or nothing, not to wait.
                    written = self._file.write(left)
                    if written is None:
                        select.select([], [self._file], [])
                    else:
                        left = left[written:]
                self._sync(size)
        self._written += size
        return size

    def _sync(self, size: int) -> None:
        """Bring what has been written to the disk now and then: at the end little is left to wait for."""
        self._unsynced += size
        if self._unsynced >= SYNC_BYTES and (self._unnamed or self._aside):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._unsynced = 0

    def tell(self) -> int:
        """Return how much has been written; also right in a pipe."""
        return self._written

    def flush(self) -> None:
        if not self._done:
            with self._named():
                self._file.flush()

    def commit(self) -> None:
        """Bring the bytes to the disk and the file into place."""
        with self._named():
            self._commit()

    def _commit(self) -> None:
        self._file.flush()
        if self._final is None or not (self._unnamed or self._aside):
            return
        number = self._file.fileno()
        os.fsync(number)
        if self._unnamed:
            # Only a file with a name can take another's place. A folder's number makes this follow the link.
            self._aside = _aside_of(*os.path.split(self._final))
            os.link(f"/proc/self/fd/{number}", self._aside, src_dir_fd=number)
        self._file.close()
        os.replace(str(self._aside), self._final)
        self._aside = None
        if os.name == "posix":
            folder = os.open(os.path.dirname(self._final), os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)

    def discard(self) -> None:
        """Let go of everything that has not been committed."""
        self._done = True
        if self._final is None:
            return
        with suppress(OSError):
            self._file.close()
        if self._aside is not None:
            with suppress(OSError):
                os.unlink(self._aside)
            self._aside = None
