"""Small data under the name of a data set of the paper; the others are not there."""

import numpy as np
import pytest

from perturbfs.datasets import Dataset, find_dataset, make_wide_classification
from perturbfs.experiments import _plan, _reproduce


@pytest.fixture
def small_colon(monkeypatch):
    data = make_wide_classification(30, 60, random_state=0)
    codes = np.where(data.y == data.y[0], 1, -1)

    def load(name):
        if name != "colon":
            raise FileNotFoundError(f"{name} is not here.")
        return Dataset(data.X, codes, name, "classification", None, find_dataset(name))

    for module in (_plan, _reproduce):
        monkeypatch.setattr(module, "load_dataset", load)
    return load("colon")
