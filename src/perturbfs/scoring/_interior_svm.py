"""A linear support vector machine of many samples and few features, by an interior point.

The method that scikit-learn uses changes two samples at a time; 1600 samples that overlap take
it 150,000 steps. An interior point takes some twenty, each a product of the features with
themselves, and is as exact as rounding allows.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from perturbfs.arrays import Array

_MAX_ITER = 100
_ENOUGH = 1e-10  # mean product of multipliers and slacks, and share of conditions not yet met
_SHORT_OF_EDGE = 0.995


def fit_linear_svm(X: Array, signs: Array, *, cost: float = 1.0) -> tuple[Array, float]:
    """Weights and intercept of the separating plane.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Scaled features, far fewer than samples.
    signs : array of shape (n_samples,)
        1 and -1, both present.
    cost : float
        Of each unit by which a sample misses the margin, C elsewhere.

    Returns
    -------
    weights : array of shape (n_features,)
    intercept : float

    Notes
    -----
    Mehrotra's predictor and corrector for the dual: ``a' Q a / 2 - sum(a)`` over
    ``0 <= a <= cost`` with ``signs @ a = 0`` and ``Q = Z Z'``, Z the samples times their sign. A
    step solves with Q plus a diagonal, by the identity of Sherman, Morrison and Woodbury with a
    matrix as small as the features: O(n_samples n_features^2).

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.scoring._interior_svm import fit_linear_svm
    >>> X, signs = np.array([[-3.0], [-1.0], [1.0], [2.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> weights, intercept = fit_linear_svm(X, signs)
    >>> bool(np.allclose(weights, 1)), abs(intercept) < 1e-6
    (True, True)
    """
    state = _Interior(X * signs[:, None], signs, cost)
    for _ in range(_MAX_ITER):
        if state.is_solved():
            break
        state.step()
    return state.Z.T @ state.a, state.intercept


class _Interior:
    """Multipliers inside their bounds, on the way to the solution."""

    def __init__(self, Z: Array, signs: Array, cost: float) -> None:
        self.Z, self._signs, self._cost = Z, signs, cost
        self.a = np.full(len(Z), cost / 2)
        self._room = np.full(len(Z), cost / 2)  # cost - a
        self._low = np.ones(len(Z))  # multipliers of the two bounds of a
        self._high = np.ones(len(Z))
        self.intercept = 0.0

    def _conditions(self) -> tuple[Array, float]:
        """What is missing to the conditions of optimality."""
        margins = self.Z @ (self.Z.T @ self.a) + self._signs * self.intercept
        return 1 - margins + self._low - self._high, -float(self._signs @ self.a)

    def _gap(self) -> float:
        return float(self.a @ self._low + self._room @ self._high) / (2 * len(self.a))

    def is_solved(self) -> bool:
        of_margins, of_balance = self._conditions()
        missing = max(float(np.abs(of_margins).max()), abs(of_balance) / len(self.a))
        return self._gap() < _ENOUGH and missing < _ENOUGH**0.5

    def step(self) -> None:
        self._factor()
        plain = self._direction(-self.a * self._low, -self._room * self._high)
        gap = self._gap()
        reach = self._reach(plain)
        da, _, dlow, dhigh = plain
        ahead = (self.a + reach * da) @ (self._low + reach * dlow)
        ahead += (self._room - reach * da) @ (self._high + reach * dhigh)
        # The nearer a plain step comes to the solution, the less it has to be drawn inside.
        inside = (ahead / (2 * len(self.a)) / gap) ** 3 * gap
        found = self._direction(
            inside - self.a * self._low - da * dlow, inside - self._room * self._high + da * dhigh
        )
        reach = _SHORT_OF_EDGE * self._reach(found)
        da, dintercept, dlow, dhigh = found
        self.a = self.a + reach * da
        self._room = self._room - reach * da
        self._low = self._low + reach * dlow
        self._high = self._high + reach * dhigh
        self.intercept += reach * dintercept

    def _factor(self) -> None:
        self._diagonal = self._low / self.a + self._high / self._room
        small = self.Z.T @ (self.Z / self._diagonal[:, None])
        small[np.diag_indices_from(small)] += 1.0
        self._small = cho_factor(small)
        self._of_signs = self._solve(self._signs)

    def _solve(self, right: Array) -> Array:
        """Solution of a system of Q plus the diagonal."""
        scaled = right / self._diagonal
        small: Array = cho_solve(self._small, self.Z.T @ scaled)
        return scaled - (self.Z @ small) / self._diagonal

    def _direction(self, for_low: Array, for_high: Array) -> tuple[Array, float, Array, Array]:
        """Newton's step that gives the products of multipliers and slacks these changes."""
        of_margins, of_balance = self._conditions()
        base = self._solve(of_margins + for_low / self.a - for_high / self._room)
        dintercept = (self._signs @ base - of_balance) / (self._signs @ self._of_signs)
        da = base - dintercept * self._of_signs
        dlow = (for_low - self._low * da) / self.a
        dhigh = (for_high + self._high * da) / self._room
        return da, float(dintercept), dlow, dhigh

    def _reach(self, direction: tuple[Array, float, Array, Array]) -> float:
        """The longest step, up to a whole one, that leaves all bounds met."""
        da, _, dlow, dhigh = direction
        pairs = ((self.a, da), (self._room, -da), (self._low, dlow), (self._high, dhigh))
        fastest = max(float((-change / value).max()) for value, change in pairs)
        return 1.0 / max(1.0, fastest)
