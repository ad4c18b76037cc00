"""The tables of SynthData, from many draws, because the authors' draw is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets import make_synth_data
from perturbfs.paper import characterize

from ._cells import Cell, range_cell
from ._paper import PaperTable

N_DRAWS = 1000
LOWER_DIVISOR, UPPER_DIVISOR = 1e6, 1e5  # c_l and c_u of the paper


def synth_rows(table: PaperTable, random_state: int) -> dict[str, list[Cell]]:
    """Return the rows of a table, with the middle 99 % of our draws."""
    draws = synth_tables(random_state)[table.id]
    return {
        name: [
            range_cell(number, draws[:, row, column])
            for column, number in enumerate(numbers)
            if number is not None
        ]
        for row, (name, numbers) in enumerate(table.rows.items())
    }


@cache
def synth_tables(random_state: int, n_draws: int = N_DRAWS) -> dict[str, Array]:
    """Return the values of the tables' cells in each draw.

    Parameters
    ----------
    random_state : int
    n_draws : int

    Returns
    -------
    values : dict of str to array of shape (n_draws, n_rows, n_columns)
        By the id of the table. Coefficients have no sign here: the sign of a perturbed one
        depends on the draw, and the paper prints some differences with the opposite sign.
    """
    draws: dict[str, list[Array]] = {}
    rng = np.random.RandomState(random_state)
    for _ in range(n_draws):
        for table, values in _one_draw(rng):
            draws.setdefault(table, []).append(values)
    return {table: np.stack(values) for table, values in draws.items()}


def _one_draw(rng: np.random.RandomState) -> Iterator[tuple[str, Array]]:
    X, y = make_synth_data(random_state=rng)
    row_noise = rng.uniform(size=len(y))
    found = characterize(X, y, row_noise=row_noise)
    perturbed = _perturbed_coefficients(X, y, row_noise)
    columns = [np.abs(found.coefficients), np.abs(perturbed), found.sensitivity]
    yield "synth-perturbation", np.stack([np.ravel(column) for column in columns], axis=1)
    yield "synth-angles", found.angle_to_target[:, None]
    yield "synth-without", found.angle_without[:, None]


def _perturbed_coefficients(X: Array, y: Array, row_noise: Array) -> Array:
    """Return the perturbed coefficients; `characterize` returns only how far they move."""
    N = X / np.linalg.norm(X, axis=0)
    low, high = N.min(axis=0) / LOWER_DIVISOR, N.max(axis=0) / UPPER_DIVISOR
    E = low + np.outer(row_noise, high - low)
    solution: Array = np.linalg.lstsq(N + E, y, rcond=None)[0]
    return solution
