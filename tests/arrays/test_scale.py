"""The cost model of docs/scale.md against a run whose work is counted."""

import importlib.util
import sys
import time
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from perturbfs import PerturbationSelector
from perturbfs.arrays import Block, DenseBlocks

pytestmark = pytest.mark.slow

MODEL = Path(__file__).parents[2] / "benchmarks" / "scale_model.py"
FACTOR = 1.5
N_SAMPLES, N_FEATURES, N_GROUPS = 200, 80_000, 4


@pytest.fixture(scope="module")
def job():
    spec = importlib.util.spec_from_file_location("scale_model", MODEL)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there for their module
    spec.loader.exec_module(module)
    return module.Job(
        N_SAMPLES, N_FEATURES, n_runs=1, n_groups=N_GROUPS, itemsize=4, chunk_width=5_242
    )


class CountedBlock(Block):
    """A block that counts the operations of its products."""

    def __init__(self, values, span, *, xp, counts):
        super().__init__(values, span, xp=xp)
        self.counts = counts

    def gram(self):
        self.counts["gram_flops"] += 2 * self.values.size * len(self.values)
        return super().gram()

    def times(self, right):
        self.counts["other_flops"] += 2 * self.values.size * right.shape[1]
        return super().times(right)

    def project(self, left):
        self.counts["other_flops"] += 2 * self.values.size * left.shape[1]
        return super().project(left)


class CountedBlocks(DenseBlocks):
    """Blocks that count what is read, sent and given back, combined as on a cluster."""

    memory = 0

    def __init__(self, values):
        super().__init__(values)
        self.dtype = values.dtype
        names = ("gram_flops", "other_flops", "bytes_read", "bytes_back", "bytes_sent")
        self.counts = dict.fromkeys(names, 0)

    def __iter__(self):
        for block in super().__iter__():
            self.counts["bytes_read"] += block.values.size * self.dtype.itemsize
            yield CountedBlock(block.values, block.span, xp=np, counts=self.counts)

    def map(self, function, *arrays, combine=None):
        self.counts["bytes_sent"] += sum(each.nbytes for each in arrays if each is not None)
        held, start, enough = [], 0, self.shape[0] ** 2 // 4
        for span, result in super().map(function, *arrays):
            held.append(result)
            if combine is None or span.stop - start >= enough or span.stop == self.shape[1]:
                found = held[0] if combine is None else combine(held)
                self.counts["bytes_back"] += _size(found)
                yield slice(start, span.stop), found
                held, start = [], span.stop


def _size(value):
    if is_dataclass(value):
        return sum(_size(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, (list, tuple)):
        return sum(map(_size, value))
    return getattr(value, "nbytes", 0)


@pytest.fixture(scope="module")
def features():
    return np.random.default_rng(0).standard_normal((N_SAMPLES, N_FEATURES), dtype=np.float32)


def test_work_and_traffic_are_what_the_model_says(job, features):
    blocks = CountedBlocks(features)
    PerturbationSelector(N_GROUPS, screen=0.01, random_state=0).fit(blocks, _outcome())
    for name, counted in blocks.counts.items():
        assert 1 / FACTOR <= counted / getattr(job, name) <= FACTOR, (name, counted)


def test_time_is_what_a_smaller_run_on_this_machine_predicts(job, features):
    small = replace(job, n_samples=2 * N_SAMPLES // 3, n_features=N_FEATURES // 2)
    with threadpool_limits(1):
        product_rate = _product_rate(features, job)
        taken = _seconds(features, small)
        rest = taken - small.gram_flops / product_rate
        value_rate = 3 * small.n_samples * small.n_features / rest
        predicted = job.cpu_seconds(product_rate=product_rate, value_rate=value_rate)
        assert 1 / FACTOR <= _seconds(features, job) / predicted <= FACTOR


def _product_rate(features, job):
    block = features[:, : job.chunk_width].astype(np.float64)
    return 2 * block.size * len(block) / _fastest(lambda: block @ block.T, 5)


def _seconds(features, job):
    X = np.ascontiguousarray(features[: job.n_samples, : job.n_features])
    y = np.arange(job.n_samples) % 2
    selector = PerturbationSelector(N_GROUPS, screen=0.01, random_state=0)
    selector.fit(X, y)  # pages of memory and code are there then
    return _fastest(lambda: selector.fit(X, y), 3)


def _outcome():
    return np.arange(N_SAMPLES) % 2


def _fastest(call, repeats):
    """CPU seconds; the fastest of several, which others on the machine disturb least."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)
