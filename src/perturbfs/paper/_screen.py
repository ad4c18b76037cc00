"""Drop irrelevant features before clustering, by their coefficients."""

from __future__ import annotations

import math

import numpy as np

from perturbfs.arrays import Array, to_host

from ._characteristics import Characteristics


def screen_features(characteristics: Characteristics, screen: float | str | None) -> Array:
    """Which features are clustered at all.

    Parameters
    ----------
    characteristics : Characteristics
    screen : None, "auto" or float
        None keeps all informative features. ``"auto"`` drops those whose coefficient is below
        the root mean square of all: they take less than the average part in the fit. A number
        between 0 and 1 keeps that share of the features, those with the largest coefficients.

    Returns
    -------
    kept : array of bool of shape (n_features,)
        Of NumPy, as all that follows is done on the host.

    Notes
    -----
    Of features in random directions 32 % are kept, of expression data about as many. The size
    that chance would give a coefficient is no use as a limit: where all features share a
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
