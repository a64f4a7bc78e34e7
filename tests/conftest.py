"""Fixtures that several test modules share."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import hypothesis
import numpy as np
import pytest
from asides import need_no_names

ROOT = Path(__file__).resolve().parents[1]

hypothesis.settings.register_profile("pokernel", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pokernel")


class RunPython(Protocol):
    """Run a script in a fresh interpreter, away from the checkout, and return what it printed and how it ended."""

    def __call__(
        self, script: str, *, path: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7462)


@pytest.fixture
def run_python(tmp_path: Path) -> RunPython:
    def run(
        script: str, *, path: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        environment = os.environ | dict(env or {})
        if path is not None:
            environment["PYTHONPATH"] = str(path)
        return subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=environment,
            timeout=timeout,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture(params=["named", "unnamed"])
def aside(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the file aside of an output has a name: a test with this is run both ways, where both are possible."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
        monkeypatch.setattr(tempfile, "_O_TMPFILE_WORKS", False, raising=False)  # it has looked when it was imported
    elif not need_no_names(tmp_path):
        pytest.skip("no files without names here")
    return str(request.param)


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """Have processes that a test starts hear what we ignore ourselves, under nohup or in the background, say."""
    known = {signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)}
    ignored = [number for number in known if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    for folder in ROOT.parents:
        if (folder / "shared" / "data").is_dir():
            return folder / "shared" / "data"
    pytest.skip("shared/data lies beside no parent of this checkout")
