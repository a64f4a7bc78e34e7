"""Files that appear whole or not at all, where a file can be without a name for a while, and where it cannot."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pokernel.cli.destination import Destination
from pokernel.cli.terminal import CommandError

NEEDS_MODES = pytest.mark.skipif(os.name != "posix", reason="files have no modes here")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def begin(path: Path, data: bytes = b"new") -> Iterator[Destination]:
    """Yield a destination that has taken some bytes; discard it in the end, as the command does."""
    destination = Destination(str(path))
    try:
        destination.write(data)
        yield destination
    finally:
        destination.discard()


def test_nothing_is_there_before_commit(aside: str, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with begin(target) as destination:
        destination.flush()
        (*parts,) = tmp_path.iterdir()
        if aside == "unnamed":
            assert parts == []
        else:
            assert [path.suffix for path in parts] == [".part"]
            assert parts[0].name.startswith(".out.csv.")
            assert parts[0].read_bytes() == b"new"
        destination.write(b"er")
        assert destination.tell() == 5
        destination.commit()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_bytes() == b"newer"


def test_what_is_discarded_is_gone(aside: str, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with begin(target):
        pass
    assert names(tmp_path) == []
    target.write_bytes(b"old")
    with begin(target) as destination:
        destination.discard()
        # Writers write their footers when they are deleted.
        assert destination.write(b"footer") == 6
        destination.flush()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_bytes() == b"old"


@NEEDS_MODES
@pytest.mark.parametrize("mode", [0o640, 0o600, 0o777, 0o444])
def test_the_mode_of_the_old_file_is_kept(mode: int, aside: str, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_bytes(b"old")
    target.chmod(mode)
    with begin(target) as destination:
        destination.commit()
    assert target.stat().st_mode & 0o7777 == mode
    assert target.read_bytes() == b"new"


@NEEDS_MODES
@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077, 0o000])
def test_new_files_honour_the_umask(umask: int, aside: str, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        with begin(tmp_path / "out.csv") as destination:
            destination.commit()
    finally:
        os.umask(before)
    assert (tmp_path / "out.csv").stat().st_mode & 0o7777 == 0o666 & ~umask


@pytest.mark.parametrize("step", ["fsync", "link", "replace"])
def test_a_failure_at_the_last_moment(step: str, aside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.csv"
    target.write_bytes(b"old")

    def broken(*rest: object, **options: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    said = ""
    with begin(target) as destination, monkeypatch.context() as changed:
        changed.setattr(os, step, broken)
        try:
            destination.commit()
        except CommandError as error:
            said = str(error)
    assert names(tmp_path) == ["out.csv"]
    if (step, aside) == ("link", "named"):  # what has a name is not given one
        assert (said, target.read_bytes()) == ("", b"new")
    else:
        assert said == f"{target}: cannot be written: {os.strerror(errno.EIO)}"
        assert target.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="no files without names here")
@pytest.mark.parametrize("number", [errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT])
def test_file_systems_without_files_without_names(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as network drives; old kernels call O_TMPFILE on a folder EISDIR."""
    refuse(number, monkeypatch)
    with begin(tmp_path / "out.csv") as destination:
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        destination.commit()
    assert names(tmp_path) == ["out.csv"]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="no files without names here")
@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_other_refusals_are_told(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(number, monkeypatch)
    with pytest.raises(CommandError) as caught:
        Destination(str(tmp_path / "out.csv"))
    assert str(caught.value) == f"{tmp_path}/out.csv: cannot be written: {os.strerror(number)}"
    assert names(tmp_path) == []


def refuse(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no file made without a name."""
    plain = os.open

    def opened(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(number, os.strerror(number))
        return plain(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)


@pytest.mark.parametrize("letter", ["x", "é", "牌", "🂡"])
def test_names_as_long_as_can_be(letter: str, aside: str, tmp_path: Path) -> None:
    """What is added for the file aside must fit, too."""
    target = tmp_path / (letter * ((255 - len(".csv")) // len(letter.encode())) + ".csv")
    try:
        target.touch()
        target.unlink()
    except OSError:
        pytest.skip("names are shorter here")
    with begin(target) as destination:
        destination.commit()
    assert names(tmp_path) == [target.name]


def test_a_name_without_a_folder(aside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with begin(Path("out.csv")) as destination:
        destination.commit()
    assert (tmp_path / "out.csv").read_bytes() == b"new"
    assert names(tmp_path) == ["out.csv"]


def test_a_folder_is_no_file(aside: str, tmp_path: Path) -> None:
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(CommandError, match=r"out\.csv: cannot be written: Is a directory"):
        Destination(str(tmp_path / "out.csv"))
    assert names(tmp_path) == ["out.csv"]
    assert names(tmp_path / "out.csv") == []


class Miserly(io.RawIOBase):
    """Takes a few bytes at a time, and every other time none, as an unbuffered stream may."""

    def __init__(self, number: int) -> None:
        self.taken, self._turn, self._number = b"", False, number

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def write(self, data: Any) -> int | None:
        self._turn = not self._turn
        if self._turn:
            return None
        self.taken += bytes(data[:7])
        return len(data[:7])


def test_a_stream_that_takes_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """``PYTHONUNBUFFERED`` makes standard output one: what it did not take was lost once."""
    with open(os.devnull, "wb") as there:
        miserly = Miserly(there.fileno())
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=miserly))
        destination = Destination(None)
        data = bytes(range(256)) * 3
        assert destination.write(memoryview(data)) == len(data)
        assert miserly.taken == data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_without_a_name(tmp_path: Path) -> None:
    """What ``/dev/stdout`` and ``>(command)`` lead to."""
    reading, writing = os.pipe()
    destination = Destination(f"/proc/self/fd/{writing}")
    destination.write(b"hands")
    destination.commit()
    assert os.read(reading, 10) == b"hands"
    destination.discard()
    os.close(writing)
    os.close(reading)
