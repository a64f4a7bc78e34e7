"""Whole commands on large files: what `pokernel score` takes, beside what it takes to read and to write them."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

from .deal import Hands
from .interleaved import Contender
from .peers import Work

__all__ = [
    "COMMAND",
    "CSV",
    "FOLDER",
    "PARQUET",
    "PARQUET_100M",
    "REWRITE",
    "ROUNDS",
    "SLOW",
    "Process",
    "file_contenders",
]

PARQUET, PARQUET_100M, CSV = "files: Parquet", "files: Parquet, 100 million rows", "files: CSV"
ROWS = {PARQUET: 10_000_000, PARQUET_100M: 100_000_000, CSV: 10_000_000}
WARM_ROWS = 200_000
"""Of the file on which every command is tried before, so that numba's cache and the system's are warm."""
ROUNDS = {PARQUET: 5, PARQUET_100M: 1, CSV: 5}
SLOW = (PARQUET_100M,)
"""Minutes, and some 2 GB of temporary files."""

COMMAND, FOLDER, REWRITE = "pokernel score", "pokernel score, a folder, two workers", "pyarrow, read and written"

_REWRITE_PARQUET = """
import sys
import pyarrow.parquet as pq
with pq.ParquetFile(sys.argv[1]) as file, pq.ParquetWriter(sys.argv[2], file.schema_arrow) as writer:
    for batch in file.iter_batches():
        writer.write_batch(batch)
"""
_REWRITE_CSV = """
import sys
import pyarrow.csv as pacsv
with pacsv.open_csv(sys.argv[1]) as reader, pacsv.CSVWriter(sys.argv[2], reader.schema) as writer:
    for batch in reader:
        writer.write_batch(batch)
"""
_SCORE = ("-m", "pokernel", "score", "--quiet")
_NEEDED = ("pyarrow", "typer", "rich")

_WAIT = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A small process to start the command: one started by a large one counts that one's memory as its own, at first."""
_MAXRSS = 1 if sys.platform == "darwin" else 1024


class Process:
    """A command that reads one file and writes another, or a folder of them, with as many rows."""

    def __init__(self, words: Callable[[Path, Path], Sequence[str]], output: str, needs: Sequence[str]) -> None:
        self.words, self.output, self.needs = words, output, needs
        self.peak = 0.0
        self.is_warm = False

    def contender(self, folder: Path, suffix: str, rows: int) -> Contender:
        """It in this folder, where the file for it is made by whoever comes first."""
        out = folder / (self.output + suffix * (not self.output.endswith("/")))

        def prepare(_: Hands) -> Work:
            for package in self.needs:
                import_module(package)
            if not hasattr(os, "wait4"):
                raise ImportError("os.wait4, which tells the memory of a process, is not on this system")
            if not self.is_warm:
                self.run(_given(folder, suffix, WARM_ROWS), out)
                self.is_warm = _clear(out, WARM_ROWS)
            given = _given(folder, suffix, rows)
            return lambda: self.run(given, out)

        def after() -> float:
            _clear(out, rows)
            return self.peak

        return Contender(prepare, counted=lambda _: rows, after=after)

    def run(self, given: Path, out: Path) -> None:
        """Run it to its end."""
        command = [sys.executable, *self.words(given, out)]
        launcher = [sys.executable, "-I", "-S", "-c", _WAIT]
        done = subprocess.run([*launcher, *command], check=True, cwd=given.parent, stdout=subprocess.PIPE)
        self.peak = int(done.stdout) * _MAXRSS / 1e6


@cache
def _given(folder: Path, suffix: str, rows: int) -> Path:
    """A file of so many hands."""
    from . import hand_files

    path = folder / f"{rows}{suffix}"
    {".parquet": hand_files.write_parquet, ".csv": hand_files.write_csv}[suffix](path, rows)
    return path


def _clear(out: Path, rows: int) -> bool:
    """Remove what a command wrote, if it has so many rows."""
    files = [file for file in out.iterdir() if file.suffix != ".json"] if out.is_dir() else [out]
    found = sum(map(_rows, files))
    if found != rows:
        raise RuntimeError(f"{out} has {found} rows, not {rows}")
    if out.is_dir():
        shutil.rmtree(out)
    else:
        out.unlink()
    return True


def _rows(file: Path) -> int:
    if file.suffix == ".parquet":
        import pyarrow.parquet as pq

        return int(pq.read_metadata(file).num_rows)
    with file.open("rb") as lines:
        return sum(block.count(b"\n") for block in iter(lambda: lines.read(1 << 20), b"")) - 1


@contextmanager
def file_contenders(group: str) -> Iterator[dict[str, Contender]]:
    """The commands of a group, in a temporary folder of their own."""
    suffix, script = (".csv", _REWRITE_CSV) if group == CSV else (".parquet", _REWRITE_PARQUET)
    processes = {
        COMMAND: Process(lambda given, out: (*_SCORE, str(given), "-o", str(out)), "scored", _NEEDED),
        REWRITE: Process(lambda given, out: ("-c", script, str(given), str(out)), "rewritten", _NEEDED[:1]),
    }
    if group == PARQUET:
        processes[FOLDER] = Process(
            lambda given, out: (*_SCORE, str(given), "-o", f"{out}/", "--workers", "2"),
            "parts/",
            (*_NEEDED, "distributed"),
        )
    with tempfile.TemporaryDirectory() as folder:
        yield {name: process.contender(Path(folder), suffix, ROWS[group]) for name, process in processes.items()}
