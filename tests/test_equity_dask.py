"""Work given to Dask: two processes, one of which is killed halfway."""

import os
import warnings
from collections.abc import Iterator

import pytest
from asked import QUESTIONS, Kills, answer, by_one_thread
from distributed import Client, LocalCluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(2)
        yield client


def test_two_processes_give_the_same(client: Client) -> None:
    assert len(set(client.run(os.getpid).values()) - {os.getpid()}) == 2
    with client.get_executor() as executor:
        for name in QUESTIONS:
            assert answer(name, executor=executor) == by_one_thread(name)


@pytest.mark.parametrize("name", ["sweep", "match-ups", "deals", "deals to an error"])
def test_a_process_that_is_killed_halfway(name: str, client: Client) -> None:
    """Its nanny starts another one; whatever it had is done again."""
    client.wait_for_workers(2)
    pids = list(client.run(os.getpid).values())
    executor = Kills(client.get_executor(), pids[0], after=2)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        said = answer(name, executor=executor)
    assert said == by_one_thread(name)
    assert not [warning for warning in warned if issubclass(warning.category, RuntimeWarning)]
    assert executor.has_killed
