"""From features and outcome to the characteristics of every feature."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from perturbfs.arrays import Array, FeatureBlocks, as_blocks, is_device_array, to_host
from perturbfs.checks import (
    check_arrays,
    check_coding,
    check_option,
    check_random_state,
    infer_task,
)

from ._characteristics import OPTIONS, Characteristics
from ._least_squares import Change, pose_problem
from ._perturb_expected import expected_sensitivity
from ._perturb_iid import changes_by_independent_noise
from ._perturb_rank2 import LOWER_DIVISOR, UPPER_DIVISOR, bound_mixing, changes_by_row_noise
from ._prepare import Target, code_target
from ._second_pass import compare_features


def characterize(
    X: Array,
    y: Array,
    *,
    definition: Literal["paper", "released", "released-late"] = "paper",
    perturbation: Literal["rank2", "box", "iid", "expected"] = "rank2",
    target_coding: Literal["codes", "indicators"] = "codes",
    scaling: Literal["unit", "minmax"] = "unit",
    strength: float = 3.0,
    lower_divisor: float | None = None,
    upper_divisor: float = UPPER_DIVISOR,
    row_noise: Array | None = None,
    random_state: Any = None,
) -> Characteristics:
    """Return sensitivity and angles of every feature under one perturbation.

    Parameters
    ----------
    X : array or scipy.sparse matrix of shape (n_samples, n_features)
        Finite numbers; an array of NumPy, torch, cupy or another library of the array API
        standard.
    y : array of shape (n_samples,)
        Outcome: numbers or class labels.
    definition : {"paper", "released", "released-late"}, default="paper"
        How the three characteristics are defined: as in the paper's text, or as in the
        authors' program, in its first run or in its later ones, where the lower bound of the
        perturbation is divided by the rank and not by 1e6.
    perturbation : {"rank2", "box", "iid", "expected"}, default="rank2"
        ``"rank2"``: one random number per sample, as released. ``"box"``: the same as the
        formula of the paper's algorithm box has it, with the minimum of each feature added; it
        is meant for ``scaling="minmax"``, where all minimums are 0 and it is ``"rank2"``.
        Otherwise it is about as large as the features. ``"iid"``: independent noise of
        norm ``10**-strength`` times the smallest singular value, as in the paper's text.
        ``"expected"``: the expected effect of that noise, in closed form.
    target_coding : {"codes", "indicators"}, default="codes"
        The outcome as one column of numbers, or as one column per class.
    scaling : {"unit", "minmax"}, default="unit"
        Features of 2-norm 1, or features (and codes) within [0, 1].
    strength : float, default=3.0
        s of the paper, at least 0: the larger, the smaller the noise of ``"iid"`` and
        ``"expected"``.
    lower_divisor : float or None, default=None
        c_l of the paper, at least 1: the smallest value of a feature is divided by it in
        ``"rank2"`` and ``"box"``. None is 1e6, or the rank for ``definition="released-late"``.
    upper_divisor : float, default=1e5
        c_u of the paper, at least 1: the largest value of a feature is divided by it there.
    row_noise : array of shape (n_samples,), optional
        Random numbers in (0, 1) for ``"rank2"`` and ``"box"``; drawn by default.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    characteristics : Characteristics
        With ``coefficients``, ``sensitivity``, ``angle_to_target``, ``angle_without``, ``rank``
        and ``matrix``; float64 arrays of the library of X, on its device.

    Notes
    -----
    Zero and constant features carry no information. They take no part in least squares:
    coefficient and sensitivity 0, angle to the target 90 degrees, ``informative`` False. Features
    that are positive multiples of each other have equal characteristics.

    Examples
    --------
    Feature 5 is a combination of features 3 and 4; the perturbation finds these three.

    >>> from perturbfs import characterize
    >>> from perturbfs.datasets import make_synth_data
    >>> X, y = make_synth_data(random_state=0)
    >>> found = characterize(X, y, random_state=0)
    >>> found.rank
    4
    >>> (found.sensitivity > 1).tolist()
    [False, False, True, True, True, False]
    """
    check_option("definition", definition, OPTIONS["definition"])
    check_option("perturbation", perturbation, OPTIONS["perturbation"])
    check_option("target_coding", target_coding, OPTIONS["target_coding"])
    check_option("scaling", scaling, OPTIONS["scaling"])
    _check_at_least("strength", strength, 0)
    _check_at_least("upper_divisor", upper_divisor, 1)
    if lower_divisor is not None:
        _check_at_least("lower_divisor", lower_divisor, 1)
    X, y = check_arrays(X, y, caller="characterize")
    check_coding(infer_task(y), target_coding)
    if row_noise is not None:
        row_noise = _check_row_noise(row_noise, X.shape[0])
    [found] = characterize_runs(
        as_blocks(X),
        code_target(y, coding=target_coding, scaling=scaling),
        definition=definition,
        perturbation=perturbation,
        scaling=scaling,
        strength=strength,
        lower_divisor=lower_divisor,
        upper_divisor=upper_divisor,
        row_noise=row_noise,
        random_state=random_state,
    )
    return found


def _check_at_least(name: str, value: float, smallest: int) -> None:
    if not (value >= smallest and math.isfinite(value)):
        raise ValueError(
            f"{name}={value!r} was given, but a finite number of at least {smallest} is needed."
        )


def _check_row_noise(row_noise: Array, n_samples: int) -> Array:
    row_noise = to_host(row_noise) if is_device_array(row_noise) else row_noise
    row_noise = np.asarray(row_noise, dtype=np.float64)
    if row_noise.shape != (n_samples,) or not np.all(np.isfinite(row_noise)):
        raise ValueError(
            f"row_noise has shape {row_noise.shape}, but one finite number for each of the "
            f"{n_samples} samples is needed. Pass None to draw them."
        )
    return row_noise[:, None]


def characterize_runs(
    blocks: FeatureBlocks,
    target: Target,
    *,
    definition: str = "paper",
    perturbation: str = "rank2",
    scaling: str = "unit",
    strength: float = 3.0,
    lower_divisor: float | None = None,
    upper_divisor: float = UPPER_DIVISOR,
    n_runs: int = 1,
    row_noise: Array | None = None,
    random_state: Any = None,
) -> list[Characteristics]:
    """Return characteristics for several perturbations of checked data, from one factorization.

    Parameters are those of `characterize`; `row_noise` has one column per run. With
    ``perturbation="expected"`` all runs are the same object.

    There are two passes over the features: a survey, and the comparison with the few vectors
    that the small system yields. If the Gram matrix is ill-conditioned there is a third pass
    between them; independent noise takes one more pass per run.

    Returns
    -------
    runs : list of Characteristics
    """
    random_state = check_random_state(random_state)
    has_row_noise = perturbation in ("rank2", "box")
    if not has_row_noise:
        row_noise = None
    elif row_noise is None:
        row_noise = random_state.uniform(size=(n_runs, blocks.shape[0])).T
    problem = pose_problem(blocks, target, scaling=scaling, row_noise=row_noise)
    changes: list[Change] = []
    if has_row_noise:
        default = problem.system.rank if definition == "released-late" else LOWER_DIVISOR
        mixing = bound_mixing(
            float(lower_divisor or default),
            upper_divisor,
            from_minimum=perturbation == "box",
            xp=blocks.xp,
        )
        changes = changes_by_row_noise(problem, mixing)
    elif perturbation == "iid":
        seeds = random_state.randint(np.iinfo(np.int32).max, size=n_runs).tolist()
        changes = changes_by_independent_noise(problem, seeds, strength)
    runs = compare_features(problem, changes, definition)
    if perturbation == "expected":
        runs = [replace(runs[0], sensitivity=expected_sensitivity(problem, strength))] * n_runs
    return runs
