"""Drop irrelevant features before clustering, by their coefficients."""

from __future__ import annotations

import math

from perturbfs.backends import Array

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

    Notes
    -----
    Of features in random directions 32 % are kept, of expression data about as many. The size
    that chance would give a coefficient is no use as a limit: where all features share a
    direction, as positive measurements do, every coefficient is far below it.
    """
    informative = characteristics.informative
    xp = informative.__array_namespace__()
    if screen is None:
        return informative
    sizes = xp.abs(characteristics.coefficients)
    if sizes.ndim == 2:
        sizes = xp.linalg.vector_norm(sizes, axis=1)
    sizes = sizes * characteristics.scaling.norms
    if screen == "auto":
        return informative & (sizes >= xp.sqrt(xp.mean(sizes[informative] ** 2)))
    n_kept = max(1, math.ceil(float(screen) * int(xp.count_nonzero(informative))))
    smallest_kept = xp.sort(sizes[informative])[-n_kept]
    # Features as large as the last one kept are kept too, so the column order does not matter.
    return informative & (sizes >= smallest_kept)
