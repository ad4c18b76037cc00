"""Fuzzy c-means as in MATLAB's `fcm`, without a table of all memberships."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from perturbfs._support.compat import Interval, fit_context

from ._centers import CentersMixin
from ._points import FloatArray, nearest_centers, row_blocks


def memberships_from(squared: FloatArray, exponent: float) -> FloatArray:
    """Return the memberships for given squared distances.

    Parameters
    ----------
    squared : array of shape (n_points, n_clusters)
        Squared distances of points to centers.
    exponent : float
        Above 1; the larger, the softer the clusters.

    Returns
    -------
    memberships : array of shape (n_points, n_clusters)
        Rows sum to one. A point on a center belongs to that center alone, or in equal parts to
        all centers at this place.

    Notes
    -----
    Memberships are proportional to ``squared ** (-1 / (exponent - 1))``. They are formed from
    the ratio to the nearest center's distance, which neither overflows nor divides by zero.
    """
    nearest = squared.min(axis=1, keepdims=True)
    ratios: FloatArray = np.divide(nearest, squared, out=np.ones_like(squared), where=squared > 0)
    if exponent != 2:
        ratios **= 1 / (exponent - 1)
    ratios /= ratios.sum(axis=1, keepdims=True)
    return ratios


def improve_centers(
    points: FloatArray,
    centers: FloatArray,
    exponent: float,
    memberships: Callable[[FloatArray], FloatArray],
) -> tuple[FloatArray, float]:
    """Make one iteration: return weighted means of the points, and the objective there.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
    centers : array of shape (n_clusters, n_dims)
    exponent : float
        Memberships raised to it are the weights.
    memberships : callable
        Turns a block of squared distances to `centers` into memberships of the same shape.

    Returns
    -------
    improved : array of shape (n_clusters, n_dims)
        New centers. One whose weights are all zero stays where it is.
    objective : float
        Weighted sum of squared distances to the new centers.
    """
    totals = np.zeros(len(centers))
    moments = np.zeros_like(centers)
    spread = 0.0
    for rows in row_blocks(len(points), len(centers)):
        squared = cdist(points[rows], centers, "sqeuclidean")
        weights = memberships(squared) ** exponent
        totals += weights.sum(axis=0)
        moments += weights.T @ points[rows]
        spread += float(np.vdot(weights, squared))
    # The parallel-axis theorem gives the objective at the new centers from distances to the
    # old ones, so one pass over the points is enough.
    means = moments / np.where(totals > 0, totals, 1)[:, None]
    improved = np.where(totals[:, None] > 0, means, centers)
    gain = float(totals @ ((improved - centers) ** 2).sum(axis=1))
    return improved, max(spread - gain, 0.0)


class FuzzyCMeans(CentersMixin):
    """Fuzzy c-means clustering with the settings of MATLAB's `fcm`.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of centers, at most the number of samples.
    exponent : float, default=2.0
        Above 1; the larger, the softer the clusters.
    max_iter : int, default=100
        Largest number of iterations. Reaching it is part of the method and gives no warning;
        ``n_iter_ == max_iter`` shows it.
    tol : float, default=1e-5
        Stop when the objective changes by less than this. It is absolute, as in MATLAB, so it
        depends on the scale of the data.
    random_state : int, RandomState instance or None, default=None
        Draws the initial memberships.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Centers.
    labels_ : ndarray of shape (n_samples,)
        Cluster of largest membership, which is the cluster of the nearest center. Some clusters
        may be empty.
    inertia_ : float
        Objective of the last iteration: the sum of squared distances to the centers, weighted
        with the memberships that the centers were computed from, raised to `exponent`.
    n_iter_ : int
        Iterations done.
    n_features_in_ : int
        Number of features seen during `fit`.

    Notes
    -----
    Memberships are computed again from the centers, a block of samples at a time, so that
    memory does not grow with ``n_samples * n_clusters``.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import FuzzyCMeans
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> clusterer = FuzzyCMeans(n_clusters=2, random_state=0).fit(X)
    >>> np.sort(clusterer.cluster_centers_.ravel()).round(1)
    array([ 0.5, 10.5])
    >>> clusterer.predict_membership([[5.5]]).round(2)
    array([[0.5, 0.5]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "exponent": [Interval(Real, 1, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        exponent: float = 2.0,
        max_iter: int = 100,
        tol: float = 1e-5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.exponent = exponent
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples to cluster.
        y : None
            Ignored.

        Returns
        -------
        self : FuzzyCMeans
        """
        X = self._check_samples(X)
        random_state = check_random_state(self.random_state)
        # About the mean, so that a large common offset costs the centers no digits.
        offset = X.mean(axis=0)
        centers = self._iterate(X - offset, random_state)
        self.cluster_centers_ = centers + offset
        self.labels_ = nearest_centers(X, self.cluster_centers_)[0]
        return self

    def _iterate(self, points: FloatArray, random_state: np.random.RandomState) -> FloatArray:
        """Alternate memberships and centers, starting from random memberships."""

        def draw(squared: FloatArray) -> FloatArray:
            drawn: FloatArray = random_state.uniform(size=squared.shape)
            drawn /= drawn.sum(axis=1, keepdims=True)
            return drawn

        memberships: Callable[[FloatArray], FloatArray] = draw
        centers, previous = np.zeros((self.n_clusters, points.shape[1])), np.inf
        for n_iter in range(1, self.max_iter + 1):
            centers, self.inertia_ = improve_centers(points, centers, self.exponent, memberships)
            self.n_iter_ = n_iter
            if abs(previous - self.inertia_) < self.tol:
                break
            previous = self.inertia_
            memberships = partial(memberships_from, exponent=self.exponent)
        return centers

    def predict_membership(self, X: Any) -> FloatArray:
        """Return the membership of each sample in each cluster.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features_in_)
            Samples.

        Returns
        -------
        memberships : ndarray of shape (n_samples, n_clusters)
            Rows sum to one.
        """
        squared = cdist(self._check_new_samples(X), self.cluster_centers_, "sqeuclidean")
        return memberships_from(squared, self.exponent)
