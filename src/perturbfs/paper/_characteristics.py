"""The characteristics of every feature, and the matrix of them that is clustered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from perturbfs.arrays import Array, Namespace, namespace_of, to_host

from ._prepare import Scaling

OPTIONS = {
    "definition": ("paper", "released", "released-late"),
    "perturbation": ("rank2", "box", "iid", "expected"),
    "target_coding": ("codes", "indicators"),
    "scaling": ("unit", "minmax"),
}


@dataclass(frozen=True, slots=True)
class Characteristics:
    """The characteristics of every feature; every array has one entry per feature.

    Attributes
    ----------
    coefficients : array of shape (n_features,) or (n_features, n_classes)
        Smallest least-squares solution, for scaled features.
    sensitivity : array of shape (n_features,)
        How far the coefficient moves under the perturbation; for several columns the length
        of the row of moves.
    angle_to_target : array of shape (n_features,)
        Degrees between feature and target: 0 to 180, or 0 to 90 for the span of class columns.
    angle_without : array of shape (n_features,)
        Degrees between the target and the fit without the feature.
    base_angle : float
        Degrees between the target and the fit by all features.
    rank : int
        Numeric rank of the scaled features.
    singular_values : array of shape (min(n_samples, n_features),)
        Of the scaled features, largest first.
    scaling : Scaling
        How the features were scaled.
    definition : {"paper", "released", "released-late"}
        How `matrix` is computed from these.
    """

    coefficients: Array
    sensitivity: Array
    angle_to_target: Array
    angle_without: Array
    base_angle: float
    rank: int
    singular_values: Array
    scaling: Scaling
    definition: str

    @property
    def informative(self) -> Array:
        """False for zero and constant features, which take no part in least squares."""
        return self.scaling.informative

    @property
    def matrix(self) -> Array:
        """The n_features x 3 matrix that is clustered.

        For the definition ``"paper"`` the columns are sensitivity, angle to the target and
        angle without the feature, not scaled. For the released definitions they are the change
        of the angle without the feature, the running mean of the angle to the target, and the
        sensitivity, each scaled to norm 1. The running mean depends on the order of the features.
        """
        xp = namespace_of(self.sensitivity)
        if self.definition == "paper":
            return xp.stack([self.sensitivity, self.angle_to_target, self.angle_without], axis=1)
        change = _to_norm_one(xp.abs(self.angle_without - self.base_angle), xp=xp)
        angle = _to_norm_one(self.angle_to_target, xp=xp)
        counts = xp.arange(1, angle.shape[0] + 1, dtype=xp.float64)
        running_mean = xp.cumulative_sum(angle) / counts
        return xp.stack([change, running_mean, _to_norm_one(self.sensitivity, xp=xp)], axis=1)


def on_host(runs: Sequence[Characteristics]) -> list[Characteristics]:
    """Return the runs with NumPy arrays; the scaling stays on the device of the features.

    Runs share all arrays except the sensitivity, and each array is moved once.
    """
    known: dict[int, Array] = {}

    def move(value: Any) -> Any:
        return known.setdefault(id(value), to_host(value)) if hasattr(value, "shape") else value

    names = [field.name for field in fields(Characteristics)]
    return [replace(run, **{name: move(getattr(run, name)) for name in names}) for run in runs]


def _to_norm_one(values: Array, *, xp: Namespace) -> Array:
    norm = float(xp.linalg.vector_norm(values))
    return values / norm if norm > 0 else values
