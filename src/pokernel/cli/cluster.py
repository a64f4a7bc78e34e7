"""Who scores the parts of a folder: processes on this machine, or a Dask cluster."""

import logging
import re
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import resource_tracker

from .. import __version__
from .terminal import CommandError, say

__all__ = ["Workers"]

_NEEDS_DASK = "--workers and --dask need Dask: pip install 'pokernel[cli,dask]'"
SECONDS = 20
"""How long a scheduler may take to answer."""


@dataclass(frozen=True, slots=True)
class Workers:
    """So many processes here, or the cluster of a scheduler's address; with neither, this process."""

    count: int | None = None
    address: str | None = None

    @property
    def ours(self) -> bool:
        """Whether none of them outlives this command: they are its processes, or itself."""
        return self.address is None

    def check(self) -> None:
        """Raise a CommandError if Dask is needed and not installed."""
        if (self.count, self.address) != (None, None) and find_spec("distributed") is None:
            raise CommandError(_NEEDS_DASK)

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
            raise CommandError(_NEEDS_DASK) from None
        # Of workers that die, the log tells more than anybody wants to know.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with ExitStack() as stack:
            if self.address is None:
                try:
                    with _unheard():
                        cluster = LocalCluster(
                            n_workers=self.count,
                            threads_per_worker=1,
                            processes=True,
                            memory_limit=0,
                            dashboard_address=None,
                            silence_logs=logging.CRITICAL,
                        )
                        stack.enter_context(cluster)  # closed even if no client comes of it
                        client = stack.enter_context(Client(cluster, set_as_default=False))
                except (OSError, RuntimeError) as error:
                    told = f"the processes do not start, or one was ended ({error}): the same command tries again"
                    raise CommandError(f"--workers {self.count}: {told}") from error
            else:
                _check_reachable(self.address)
                try:
                    client = stack.enter_context(Client(self.address, timeout=SECONDS, set_as_default=False))
                except (OSError, ValueError) as error:
                    raise CommandError(f"{self.address}: no scheduler answers: {error}") from error
                if not client.scheduler_info()["workers"]:
                    say(f"{self.address}: waiting for a worker")
                    client.wait_for_workers(1)
                _check_versions(client)
            try:
                yield client.get_executor()
            finally:
                with _put_off():  # a cluster that is half closed takes ten seconds to give up
                    stack.close()


def _can_block() -> bool:
    return hasattr(signal, "pthread_sigmask") and threading.current_thread() is threading.main_thread()


@contextmanager
def _unheard() -> Iterator[None]:
    """
    Put off signals, and keep Ctrl-C and hang-ups from threads and processes that start meanwhile, for good.

    A terminal sends those to all of its processes, but they are for the command alone: what is blocked in a thread is
    blocked in the processes that it starts. What comes for us meanwhile would break off a cluster that is half made.
    """
    if not _can_block():
        yield
        return
    with _put_off():
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
        resource_tracker.ensure_running()  # now, for its start lets SIGINT through again
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _put_off() -> Iterator[None]:
    """Let signals take effect at the end."""
    if not _can_block():
        yield
        return
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    handlers = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if came:  # and be there an exception: it may come of the signal, which workers had, too
            signal.raise_signal(came[0])


def _check_reachable(address: str) -> None:
    """Refuse what is no address, or one where nobody listens: Dask would be tried for long, and complain at length."""
    parsed = re.fullmatch(r"(?:(?P<kind>\w+)://)?(?P<host>[^/]+|\[[^]]+\]):(?P<port>\d{1,5})/?", address)
    if parsed is None:
        raise CommandError(f"{address}: is no address of a scheduler, such as tcp://host:8786")
    if parsed["kind"] not in (None, "tcp", "tls"):
        return
    try:
        socket.create_connection((parsed["host"].strip("[]"), int(parsed["port"])), timeout=SECONDS).close()
    except (OSError, OverflowError) as error:
        raise CommandError(f"{address}: no scheduler answers: {error}") from error


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
