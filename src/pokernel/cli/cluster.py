"""Who scores the parts of a folder: processes on this machine, or a Dask cluster."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module

from .. import __version__
from .terminal import CommandError

__all__ = ["Workers"]

SECONDS = 20
"""How long a scheduler may take to answer."""


@dataclass(frozen=True, slots=True)
class Workers:
    """So many processes here, or the cluster of a scheduler's address; with neither, this process."""

    count: int | None = None
    address: str | None = None

    @contextmanager
    def hired(self) -> Iterator[Executor | None]:
        """
        Yield an executor, None for this process.

        Raises
        ------
        CommandError
            If Dask is not installed, the scheduler does not answer, or its workers have another pokernel.
        """
        if self.count is None and self.address is None:
            yield None
            return
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise CommandError("--workers and --dask need Dask: pip install 'pokernel[dask]'") from None
        # Of workers that die, the log tells more than anybody wants to know.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with ExitStack() as stack:
            where = self.address
            if where is None:
                cluster = LocalCluster(
                    n_workers=self.count,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
                where = stack.enter_context(cluster)
            try:
                client = stack.enter_context(Client(where, timeout=SECONDS, set_as_default=False))
            except (OSError, ValueError) as error:
                raise CommandError(f"{self.address}: no scheduler answers: {error}") from error
            if self.address is not None:
                _check_versions(client)
            yield client.get_executor()


def _check_versions(client: object) -> None:
    """Refuse workers that would not know what is asked of them."""

    def version() -> str:
        try:
            return str(import_module("pokernel").__version__)
        except ImportError:
            return "none"

    for worker, found in client.run(version).items():  # type: ignore[attr-defined]
        if found != __version__:
            raise CommandError(f"worker {worker} has pokernel {found}, not {__version__}")
