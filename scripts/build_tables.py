"""Build every lookup table that pokernel ships. The only writer of ``tables/``; ``scripts/README.md`` has the maths.

python scripts/build_tables.py            write tables/
python scripts/build_tables.py --check    rebuild in memory, compare with tables/ byte for byte
python scripts/build_tables.py --search   look for the logarithms and the multiplier of hashing.py, print them

The tables that lead from hands to strengths are made here; ``build_preflop.py`` makes those of match-ups from them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import itertools
import json
import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from hashing import LOGARITHMS, MULTIPLIER, Ranks, digits, perfect_hashes, power_of_five, rank_keys
from numpy.typing import NDArray

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
"""The classic primes, deuce to ace, whose products name the rank multisets of five cards."""

HIGH_CARD, ONE_PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
SHAPES = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): ONE_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): TRIPS,
    (3, 2): FULL_HOUSE,
    (4, 1): QUADS,
}
SUITED = (FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
ACE = 12
WHEEL = (0, 1, 2, 3, ACE)
PREFLOP = ("preflop_wins", "preflop_ties", "preflop_order")
"""The tables of ``build_preflop.py``."""
MAX_BYTES = 1_000_000  # numba refuses to cache a function that closes over a larger array


def multisets(size: int) -> list[Ranks]:
    """All ascending rank multisets of `size` cards with at most four of a rank."""
    every = itertools.combinations_with_replacement(range(13), size)
    return [ranks for ranks in every if max(Counter(ranks).values()) <= 4]


def classes() -> list[tuple[int, Ranks, Ranks]]:
    """The 7,462 classes of five-card hands, weakest first, as (category, ranks in order of importance, multiset).

    Sorting by (category, ranks in order of importance) *is* the rules of the game: more cards of a rank come
    before fewer, then the higher rank; the ace of a wheel comes last.
    """
    found = []
    for ranks in multisets(5):
        count = Counter(ranks)
        shape = tuple(sorted(count.values(), reverse=True))
        order = tuple(sorted(ranks, key=lambda rank: (-count[rank], -rank)))
        if ranks == WHEEL:
            order = (3, 2, 1, 0, ACE)
        if len(count) == 5 and (ranks[4] - ranks[0] == 4 or ranks == WHEEL):
            found += [(STRAIGHT, order, ranks), (ROYAL_FLUSH if order[0] == ACE else STRAIGHT_FLUSH, order, ranks)]
        else:
            found.append((SHAPES[shape], order, ranks))
            if len(count) == 5:
                found.append((FLUSH, order, ranks))
    return sorted(found)


def best_strengths(size: int, five: dict[Ranks, int]) -> dict[Ranks, int]:
    """Strength of every unsuited rank multiset of `size` cards: the best five cards of it."""
    return {ranks: max(five[chosen] for chosen in set(itertools.combinations(ranks, 5))) for ranks in multisets(size)}


def build() -> dict[str, NDArray[np.generic]]:
    """Every table but the pre-flop ones by name."""
    ladder = classes()
    assert len(ladder) == 7462
    assert [sum(c == category for c, _, _ in ladder) for category in range(10)] == [
        *(1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1)
    ]
    plain = {ranks: s for s, (category, _, ranks) in enumerate(ladder, 1) if category not in SUITED}
    suited = {ranks: s for s, (category, _, ranks) in enumerate(ladder, 1) if category in SUITED}

    flush, unique = np.zeros(8192, np.uint16), np.zeros(8192, np.uint16)
    for mask in range(8192):
        ranks = tuple(rank for rank in range(13) if mask >> rank & 1)
        if len(ranks) >= 5:
            flush[mask] = max(suited[chosen] for chosen in itertools.combinations(ranks, 5))
        if len(ranks) == 5:
            unique[mask] = plain[ranks]
    paired = {math.prod(PRIMES[rank] for rank in ranks): s for ranks, s in plain.items() if len(set(ranks)) < 5}
    assert len(paired) == 4888
    assert max(paired) < 2**32
    products = np.array(sorted(paired), np.uint32)

    best = {size: best_strengths(size, plain) for size in (5, 6, 7)}
    assert [len(best[size]) for size in (5, 6, 7)] == [6175, 18395, 49205]
    assert all(power_of_five(x) for x in LOGARITHMS), "not the logarithms of primes"
    assert digits(LOGARITHMS).max() * 7 < 256, "seven cards could carry"
    keys = rank_keys(LOGARITHMS, MULTIPLIER)
    hashes = perfect_hashes(keys, best)
    assert hashes is not None, "logarithms or multiplier do not fit: run --search"
    rank_digits = np.zeros((4, 16), np.uint8)
    rank_digits[:, :13] = digits(LOGARITHMS).T

    card_keys = np.zeros(256, np.uint64)  # 256, so that no byte reads past the end
    card_keys[:52] = [int(keys[card >> 2]) << 32 | 1 << 4 * (card & 3) for card in range(52)]

    categories, ranks_of = np.zeros(7463, np.uint8), np.zeros((7463, 5), np.uint8)
    categories[1:] = [category for category, _, _ in ladder]
    ranks_of[1:] = [order for _, order, _ in ladder]
    return {
        "flush": flush,
        "unique": unique,
        "products": products,
        "product_strengths": np.array([paired[int(product)] for product in products], np.uint16),
        "card_keys": card_keys,
        "rank_digits": rank_digits,
        "multiplier": np.array([MULTIPLIER], np.uint32),
        **hashes,
        "categories": categories,
        "ranks": ranks_of,
    }


def serialize(tables: dict[str, NDArray[np.generic]]) -> dict[str, bytes]:
    """File name -> exact content: little-endian .npy files and the manifest that the loader checks them against."""
    assert all(table.nbytes < MAX_BYTES for table in tables.values())
    files, manifest = {}, {}
    for name, table in tables.items():
        table = np.ascontiguousarray(table, table.dtype.newbyteorder("<"))
        stream = io.BytesIO()
        np.lib.format.write_array(stream, table, version=(1, 0), allow_pickle=False)
        files[f"{name}.npy"] = stream.getvalue()
        manifest[name] = {
            "dtype": table.dtype.str,
            "shape": list(table.shape),
            "sha256": hashlib.sha256(stream.getvalue()).hexdigest(),
        }
    files["MANIFEST.json"] = (json.dumps(manifest, indent=1) + "\n").encode()
    return files


def differences(files: Mapping[str, bytes | None], folder: Path) -> list[str]:
    """What in `folder` is not what `files` says: one line each. None is a file that just has to be there."""
    stray = [f"{path.name}: not a table" for path in sorted(folder.glob("*")) if path.name not in files]
    lines = []
    for name, content in files.items():
        path = folder / name
        if not path.is_file():
            lines.append(f"{name}: missing")
        elif content is not None and path.read_bytes() != content:
            lines.append(f"{name}: differs from what this script builds")
    return lines + stray


def check(folder: Path) -> list[str]:
    """What in `folder` is not what this script builds. Where it is not even the first stage, that must do."""
    tables = build()
    first: dict[str, bytes | None] = {**serialize(tables), "MANIFEST.json": None}
    first |= {f"{name}.npy": None for name in PREFLOP}
    return differences(first, folder) or differences(serialize(tables | preflop(tables)), folder)


def preflop(tables: Mapping[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    """The tables of the second stage, from those of the first."""
    import build_preflop  # takes a second to import numba, which nothing else here needs

    made = build_preflop.build(tables)
    assert tuple(made) == PREFLOP
    return made


def search() -> tuple[list[int], int]:
    """The first short logarithms, and multiplier, in a fixed pseudo-random order, that fit all three sizes."""
    plain = {ranks: s for s, (category, _, ranks) in enumerate(classes(), 1) if category not in SUITED}
    best = {size: best_strengths(size, plain) for size in (5, 6, 7)}
    generator = np.random.default_rng(7462)
    while True:
        logarithms: list[int] = []
        while len(logarithms) < 13:
            short = int.from_bytes(generator.integers(0, 37, 4, np.uint8).tobytes(), "little")
            if power_of_five(short):
                logarithms.append(short)
        for _ in range(100):
            multiplier = int(generator.integers(0, 2**31)) * 2 + 1
            if perfect_hashes(rank_keys(logarithms, multiplier), best) is not None:
                return logarithms, multiplier


def main() -> int:
    """Write, check or search, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare with the folder, write nothing")
    what.add_argument("--search", action="store_true", help="find the constants, write nothing")
    parser.add_argument("--tables", type=Path, default=Path(__file__).resolve().parent.parent / "tables", metavar="DIR")
    arguments = parser.parse_args()
    if arguments.search:
        print(search())
        return 0
    if arguments.check:
        wrong = check(arguments.tables)
        print(*wrong or ["all tables are exactly what this script builds"], sep="\n")
        return 1 if wrong else 0
    tables = build()
    files = serialize(tables | preflop(tables))
    arguments.tables.mkdir(exist_ok=True)
    for name, content in files.items():
        (arguments.tables / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
