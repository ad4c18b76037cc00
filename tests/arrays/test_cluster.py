"""A real cluster: two processes with less memory than the data, one of which may die."""

import os
import signal
import sys
from operator import methodcaller
from pathlib import Path

import numpy as np
import pytest
from process_tree import descendants, listening_addresses

from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs._support.parallel import spread_over
from perturbfs.arrays import DaskBlocks, describe_workers, open_cluster
from perturbfs.baselines import MRMRSelector
from perturbfs.datasets import make_wide_classification
from perturbfs.exceptions import ClusterError

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
# The workers cannot import this module.
pytest.importorskip("cloudpickle").register_pickle_by_value(sys.modules[__name__])

N_SAMPLES, WIDTH = 120, 10_000
LIMIT = 400_000_000  # a worker without data takes 200 to 280 MB
pytestmark = [
    pytest.mark.slow,
    # Sockets of a cluster that was closed go some time later, in threads of its own.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def client():
    with open_cluster(n_workers=2, memory=LIMIT) as client:
        yield client


def make_chunk(block_info=None, dies_once=None):
    """Features made where they are needed; the first process to make the third chunk may die."""
    _, (start, stop) = block_info[None]["array-location"]
    if dies_once is not None and start == 2 * WIDTH and not Path(dies_once).exists():
        Path(dies_once).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    values = np.random.default_rng(start).random((N_SAMPLES, stop - start))
    values[:, ::3000] += 0.5 * (np.arange(N_SAMPLES) % 2)[:, None]
    return values


def make_features(n_chunks, **options):
    chunks = ((N_SAMPLES,), (WIDTH,) * n_chunks)
    return da.map_blocks(make_chunk, chunks=chunks, dtype=np.float64, **options)


Y = np.arange(N_SAMPLES) % 2
GRAM = methodcaller("gram")


def test_more_data_than_memory_gives_what_an_array_gives(client):
    X = make_features(43)
    assert X.nbytes > LIMIT
    selector = PerturbationSelector(4, screen=0.002, random_state=0)
    found = selector.fit(X, Y).get_support(indices=True).tolist()
    angles = selector.angle_to_target_
    expected = selector.fit(X.compute(scheduler="synchronous"), Y)
    assert found == expected.get_support(indices=True).tolist()
    assert np.allclose(angles, expected.angle_to_target_, rtol=0, atol=1e-8)
    assert describe_workers(client) == "2 workers with 0.8 GB in total"


def test_sums_are_combined_by_the_workers(client):
    blocks = DaskBlocks(make_features(9))
    results = list(blocks.map(GRAM, combine=sum))
    # A matrix as wide as the samples for as many features as take the same room.
    assert [span.stop for span, _ in results] == list(range(WIDTH, 10 * WIDTH, WIDTH))
    blocks.shape = (700, 9 * WIDTH)  # more samples: larger sums, combined from more chunks
    [(span, total)] = list(blocks.map(GRAM, combine=sum))
    assert span == slice(0, 9 * WIDTH)
    assert np.allclose(total, sum(part for _, part in results))


@pytest.mark.parametrize("security", [None, "another certificate"])
def test_a_client_without_the_certificate_is_refused(client, security):
    address = client.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    if security is None:
        address = address.replace("tls", "tcp")
    else:
        security = distributed.Security.temporary()
    with pytest.raises(OSError, match=r"Timed out|SSL|certificate|Unexpected EOF|reset by peer"):
        distributed.Client(address, security=security, timeout=1)


def test_the_cluster_listens_on_this_machine_only(client):
    if not Path("/proc/net/tcp").exists():
        pytest.skip("needs /proc")
    pids = [os.getpid(), *client.run(os.getpid).values()]
    assert set(pids) <= set(descendants(os.getpid()))
    assert listening_addresses(descendants(os.getpid())) == {"127.0.0.1"}


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_worker_that_dies_changes_nothing(client, tmp_path):
    X = make_features(4, dies_once=str(tmp_path / "died"))
    selector = RobustSelector(3, nonlinear=False, noise=1.0)
    found = selector.fit(X, Y).path_.tolist()
    assert (tmp_path / "died").exists()
    assert found == selector.fit(X.compute(scheduler="synchronous"), Y).path_.tolist()


def test_evaluation_on_a_cluster_gives_the_same_scores(client):
    data = make_wide_classification(40, 200, random_state=0)
    asked = {"n_features": [4], "n_splits": 4, "random_state": 0}
    expected = evaluate({"mrmr": MRMRSelector()}, data.X, data.y, **asked)
    with spread_over(client):
        found = evaluate({"mrmr": MRMRSelector()}, data.X, data.y, **asked)
    assert [_known(score) for score in found.scores] == [_known(each) for each in expected.scores]


def _known(score):
    return score.method, score.split, score.predictor, score.score


def test_a_cluster_that_goes_away_is_one_sentence():
    cluster = distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0")
    with distributed.Client(cluster):
        results = DaskBlocks(make_features(12)).map(GRAM)
        next(results)
        cluster.close()
        with pytest.raises(ClusterError, match=r"^The connection to the dask cluster was lost"):
            list(results)


def test_an_address_without_a_scheduler_is_one_sentence():
    with (
        pytest.raises(ClusterError, match=r"no dask scheduler at 'tcp://127\.0\.0\.1:9'"),
        open_cluster("tcp://127.0.0.1:9", timeout=0.2),
    ):
        pass
