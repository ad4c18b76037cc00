import dataclasses

import numpy as np
import pytest

from perturbfs.datasets import Table, TableError


def test_a_table_knows_its_shape_and_cannot_be_changed():
    table = Table(X=np.zeros((3, 5)))
    assert (table.n_samples, table.n_features) == (3, 5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.source = "elsewhere"


def test_an_error_about_a_table_is_a_value_error():
    assert issubclass(TableError, ValueError)
