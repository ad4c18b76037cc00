"""Leave out irrelevant features before clustering, by their coefficients."""

from __future__ import annotations

import math

import numpy as np

from perturbfs.arrays import Array, to_host

from ._characteristics import Characteristics


def screen_features(characteristics: Characteristics, screen: float | str | None) -> Array:
    """Return which features are clustered.

    Parameters
    ----------
    characteristics : Characteristics
    screen : None, "auto" or float
        None keeps all informative features. ``"auto"`` keeps those whose coefficient is at
        least the root mean square of all. A number between 0 and 1 keeps that share of the
        features, those with the largest coefficients.

    Returns
    -------
    kept : NumPy array of bool of shape (n_features,)

    Notes
    -----
    ``"auto"`` keeps 32 % of features in random directions, and about as many of expression data.
    The size that a coefficient has by chance is not a useful limit: if all features share a
    direction, as positive measurements do, every coefficient is far below it.
    """
    informative = to_host(characteristics.informative)
    if screen is None:
        return informative
    sizes = np.abs(to_host(characteristics.coefficients))
    if sizes.ndim == 2:
        sizes = np.linalg.vector_norm(sizes, axis=1)
    sizes = sizes * to_host(characteristics.scaling.norms)
    if screen == "auto":
        return informative & (sizes >= np.sqrt(np.mean(sizes[informative] ** 2)))
    n_kept = max(1, math.ceil(float(screen) * int(np.count_nonzero(informative))))
    smallest_kept = np.sort(sizes[informative])[-n_kept]
    # Features as large as the last one kept are kept too, so the column order does not matter.
    return informative & (sizes >= smallest_kept)
