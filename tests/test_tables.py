"""The tables as data: what the classic three say, and that damage never goes unnoticed."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from math import prod
from pathlib import Path

import naive
import numpy as np
import pytest
from conftest import ROOT, RunPython

from pokernel import TableError, tables

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
TABLES = ROOT / "tables"
NAMES = sorted(path.stem for path in TABLES.glob("*.npy"))
SCORE_TEXT = "import pokernel; print(pokernel.evaluate('AsKsQsJsTs2c3d'))"
SCORE_ARRAY = "import numpy as np, pokernel; print(*pokernel.evaluate(np.array([[51, 47, 43, 39, 35, 0, 5]])))"


# ---- contents --------------------------------------------------------------------------------------------------------


def test_classic_and_derived_tables_are_there() -> None:
    assert {"flush", "unique", "products", "product_strengths", "card_keys", "categories", "ranks"} <= set(NAMES)
    assert sum("strengths" in name for name in NAMES) == 4
    assert set(json.loads((TABLES / "MANIFEST.json").read_text())) >= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_file_is_small_little_endian_and_in_the_manifest(name: str) -> None:
    path = TABLES / f"{name}.npy"
    array = np.load(path, allow_pickle=False)
    listed = json.loads((TABLES / "MANIFEST.json").read_text())[name]
    assert array.nbytes < 1_000_000
    assert array.dtype.newbyteorder("<") == array.dtype
    assert array.flags.c_contiguous
    assert np.dtype(listed["dtype"]) == array.dtype
    assert tuple(listed["shape"]) == array.shape
    assert listed["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    loaded = tables.load(name)
    np.testing.assert_array_equal(loaded, array)
    assert loaded.dtype.isnative
    with pytest.raises(ValueError, match="read-only"):
        loaded[0] = 0
    assert tables.load(name) is loaded


def test_flush_and_unique_agree_with_the_oracle() -> None:
    flush, unique = tables.load("flush"), tables.load("unique")
    assert flush.shape == unique.shape == (8192,)
    for mask in range(8192):
        ranks = [rank for rank in range(13) if mask >> rank & 1]
        if len(ranks) >= 5:
            best = max(naive.key([4 * rank for rank in five]) for five in combinations(ranks, 5))
            assert flush[mask] == naive.numbering()[best]
        else:
            assert flush[mask] == 0
        if len(ranks) == 5:
            assert unique[mask] == naive.strength(naive.offsuit(ranks))
        else:
            assert unique[mask] == 0


def test_products_agree_with_the_oracle() -> None:
    products, strengths = tables.load("products"), tables.load("product_strengths")
    assert products.shape == strengths.shape == (4888,)
    assert (np.diff(products.astype(np.int64)) > 0).all()
    expected = {
        prod(PRIMES[rank] for rank in ranks): naive.strength(naive.offsuit(ranks))
        for ranks in combinations_with_replacement(range(13), 5)
        if len(set(ranks)) < 5 and len(set(ranks)) > 1
    }
    assert dict(zip(products.tolist(), strengths.tolist(), strict=True)) == expected


def test_inverse_tables_agree_with_the_oracle() -> None:
    categories, ranks = tables.load("categories"), tables.load("ranks")
    assert categories.shape == (7463,)
    assert ranks.shape == (7463, 5)
    for (category, tie_break), strength in naive.numbering().items():
        assert categories[strength] == category
        assert tuple(dict.fromkeys(ranks[strength].tolist()))[: len(tie_break)] == tie_break


def test_unknown_table_is_refused() -> None:
    with pytest.raises(TableError, match="no_such_table"):
        tables.load("no_such_table")


# ---- damage ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["wheel", "checkout"])
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of the package as a wheel or a checkout has it: (folder to import from, folder of the tables)."""
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src" / "pokernel", source / "pokernel", ignore=shutil.ignore_patterns("__pycache__"))
    folder = source / "pokernel" / "tables" if request.param == "wheel" else tmp_path / "tables"
    shutil.copytree(TABLES, folder)
    return source, folder


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) * 3 // 4] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def swap(path: Path) -> None:
    """Another sound table under this name."""
    shutil.copy(path.parent / "unique.npy", path)


DAMAGE = {"flipped": flip_a_byte, "truncated": cut, "empty": empty, "missing": Path.unlink, "swapped": swap}


@pytest.mark.parametrize("script", [SCORE_TEXT, SCORE_ARRAY], ids=["text", "array"])
def test_both_places_are_found(copy: tuple[Path, Path], script: str, run_python: RunPython) -> None:
    ended = run_python(f"{script}; print(pokernel.__file__)", path=copy[0])
    strength, where = ended.stdout.split()
    assert strength == "7462", ended.stderr
    assert Path(where).is_relative_to(copy[0])


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("script", [SCORE_TEXT, SCORE_ARRAY], ids=["text", "array"])
def test_damaged_table_is_refused(
    copy: tuple[Path, Path], damage: Callable[[Path], None], script: str, run_python: RunPython
) -> None:
    damage(copy[1] / "flush.npy")
    ended = run_python(script, path=copy[0])
    assert ended.returncode == 1
    assert ended.stdout == ""
    last_line = ended.stderr.strip().splitlines()[-1]
    assert last_line.startswith("pokernel.errors.TableError: ")
    assert str(copy[1] / "flush.npy") in last_line


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("products", "product_strengths", "unique")])
def test_every_table_in_use_is_verified(name: str, copy: tuple[Path, Path], run_python: RunPython) -> None:
    flip_a_byte(copy[1] / f"{name}.npy")
    ended = run_python(
        "import numpy as np, pokernel\n"
        "pokernel.preflop_table()\n"  # first: it waits for no compiler
        "for k in (5, 6, 7):\n"
        "    strength = pokernel.evaluate(np.array([[51, 47, 43, 39, 35, 0, 5][:k]]))\n"
        "    pokernel.category(strength), pokernel.describe(strength), pokernel.ranks_of(strength)\n",
        path=copy[0],
    )
    assert ended.returncode == 1
    assert "TableError" in ended.stderr.strip().splitlines()[-1]
    assert f"{name}.npy" in ended.stderr


@pytest.mark.parametrize("manifest", ["", "{", "[]", "{}", '{"flush": {}}', '{"flush": {"sha256": "0"}}', None])
def test_wrong_manifest_is_refused(manifest: str | None, copy: tuple[Path, Path], run_python: RunPython) -> None:
    if manifest is None:
        (copy[1] / "MANIFEST.json").unlink()
    else:
        (copy[1] / "MANIFEST.json").write_text(manifest)
    ended = run_python(SCORE_TEXT, path=copy[0])
    assert ended.returncode == 1
    last_line = ended.stderr.strip().splitlines()[-1]
    assert last_line.startswith("pokernel.errors.TableError: ")
    assert str(copy[1]) in last_line


def test_no_tables_at_all_names_every_path_tried(copy: tuple[Path, Path], run_python: RunPython) -> None:
    shutil.rmtree(copy[1])
    ended = run_python(SCORE_TEXT, path=copy[0])
    assert ended.returncode == 1
    last_line = ended.stderr.strip().splitlines()[-1]
    assert last_line.startswith("pokernel.errors.TableError: ")
    assert str(copy[0] / "pokernel" / "tables") in last_line
    assert str(copy[0].parent / "tables") in last_line


# ---- the builder -----------------------------------------------------------------------------------------------------


def run_check(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/build_tables.py", "--check"],
        cwd=checkout,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def builder(tmp_path: Path) -> Path:
    """A checkout with nothing but the builder and its tables."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TABLES, tmp_path / "tables")
    return tmp_path


def test_builder_checks_the_tables_byte_for_byte(builder: Path) -> None:
    ended = run_check(builder)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("names", [["flush.npy"], ["MANIFEST.json", "preflop_wins.npy"]])
@pytest.mark.parametrize("damage", [flip_a_byte, Path.unlink])
def test_builder_notices_damage(names: list[str], damage: Callable[[Path], None], builder: Path) -> None:
    for name in names:
        damage(builder / "tables" / name)
    ended = run_check(builder)
    assert ended.returncode != 0
    assert all(name in ended.stdout + ended.stderr for name in names)


def test_builder_notices_a_table_that_it_does_not_write(builder: Path) -> None:
    np.save(builder / "tables" / "stray.npy", np.arange(3))
    ended = run_check(builder)
    assert ended.returncode != 0
    assert "stray" in ended.stdout + ended.stderr
