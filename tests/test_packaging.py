"""The installed package: metadata, typing marker, tables. ``.ci/run`` builds the wheel and the sdist."""

import ast
import json
import re
import tomllib
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import pokernel
from pokernel import tables
from pokernel.verify import verify

PACKAGE = Path(pokernel.__file__).parent


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    path = ROOT / "pyproject.toml"
    if not path.is_file():
        pytest.skip("no pyproject.toml beside these tests")
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))["project"]
    return table


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


def test_one_version(project: dict[str, Any]) -> None:
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    assert re.search(
        rf"^## \[{re.escape(pokernel.__version__)}\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )


def test_changelog_tells_the_signature(project: dict[str, Any]) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = changelog.partition(f"## [{pokernel.__version__}]")[2].partition("\n## [")[0]
    assert f"`{verify().signature}`" in released


def test_installed_version() -> None:
    assert distribution("pokernel").version == pokernel.__version__


def test_core_needs_numpy_and_numba_alone(project: dict[str, Any]) -> None:
    assert names(project["dependencies"]) == {"numpy", "numba"}


def test_installed_requirements() -> None:
    requirements = distribution("pokernel").requires or []
    assert names([line for line in requirements if "extra ==" not in line]) == {"numpy", "numba"}
    assert {"typer", "rich", "pyarrow"} <= names([line for line in requirements if re.search(r"extra == .cli.", line)])


def test_command_is_installed() -> None:
    (entry,) = (point for point in distribution("pokernel").entry_points if point.group == "console_scripts")
    assert (entry.name, entry.value) == ("pokernel", "pokernel.cli:command")


def test_types_are_shipped() -> None:
    assert (files("pokernel") / "py.typed").is_file()
    assert (files("pokernel.jit") / "__init__.pyi").is_file()


def signatures(source: str) -> dict[str, list[str]]:
    """Names of functions and of their parameters."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {function.name: [argument.arg for argument in function.args.args] for function in functions}


def test_low_door_is_typed_as_it_is() -> None:
    typed = signatures((PACKAGE / "jit" / "__init__.pyi").read_text("utf-8"))
    shipped: dict[str, list[str]] = {}
    for room in ("hand", "kernel", "lookup"):
        shipped |= signatures((PACKAGE / "jit" / f"{room}.py").read_text("utf-8"))
    assert sorted(typed) == sorted(pokernel.jit.__all__)
    assert typed == {name: shipped[name] for name in typed}


def test_tables_lie_in_the_package_or_beside_src() -> None:
    (folder,) = {place for place in tables.PLACES if (place / "MANIFEST.json").is_file()}
    assert folder in (PACKAGE / "tables", PACKAGE.parents[1] / "tables")
    listed = json.loads((folder / "MANIFEST.json").read_text("utf-8"))
    assert {path.name for path in folder.iterdir()} == {"MANIFEST.json", *(f"{name}.npy" for name in listed)}
    for name in listed:
        assert list(tables.load(name).shape) == listed[name]["shape"]
