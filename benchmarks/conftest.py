"""What the results say about the machine: its kind, not its name; and which versions were measured."""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = (
    *("pokernel", "numpy", "numba", "pyarrow", "polars", "pandas", "duckdb"),
    *("pokerfast", "pkrbot", "eval7", "phevaluator", "treys", "pokerkit", "xiapl"),
)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    machine_info.pop("node", None)
    machine_info.pop("python_build", None)
    machine_info["packages"] = {package: _version(package) for package in PACKAGES}
    machine_info["cpu"] = {key: machine_info["cpu"].get(key) for key in ("arch", "brand_raw", "count")}
