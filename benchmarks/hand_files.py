"""Files of random hands, as large as wanted, in little memory: ``python -m benchmarks.hand_files hands.parquet``.

A ``.parquet`` file has one column ``hand``, a fixed-size list of seven ``uint8`` card numbers; a ``.csv`` file has a
column ``id`` and a column ``hand`` of texts such as ``AsKd2c9h9sTcJd``.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from .deal import Dealer

__all__ = ["write_csv", "write_parquet"]

CARDS = 7
BATCH = 1 << 19
_NAMES = np.array([rank + suit for rank in "23456789TJQKA" for suit in "cdhs"], "S2")


def write_parquet(path: Path, rows: int) -> None:
    """Write so many hands as lists of card numbers, half a million to a row group, as pyarrow writes by itself."""
    kind = pa.list_(pa.uint8(), CARDS)
    with pq.ParquetWriter(path, pa.schema([("hand", kind)])) as writer:
        for hands, _ in _dealt(rows):
            cards = pa.FixedSizeListArray.from_arrays(pa.array(hands.reshape(-1)), CARDS)
            writer.write_batch(pa.record_batch([cards], ["hand"]))


def write_csv(path: Path, rows: int) -> None:
    """Write so many hands as numbered texts."""
    with pacsv.CSVWriter(path, pa.schema([("id", pa.int64()), ("hand", pa.string())])) as writer:
        for hands, first in _dealt(rows):
            texts = _NAMES[hands].view(f"S{2 * CARDS}")[:, 0]
            ids = pa.array(np.arange(first, first + len(hands)))
            writer.write_batch(pa.record_batch([ids, pa.array(texts, pa.binary()).cast(pa.string())], ["id", "hand"]))


def _dealt(rows: int) -> Iterator[tuple[np.ndarray, int]]:
    deal = Dealer(BATCH, CARDS)
    for first in range(0, rows, BATCH):
        yield deal()[: rows - first], first


def main() -> int:
    """Write the files that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hand_files", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE.parquet|FILE.csv")
    parser.add_argument("--rows", type=int, default=100_000_000)
    given = parser.parse_args()
    for path in given.paths:
        {".parquet": write_parquet, ".csv": write_csv}[path.suffix](path, given.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
