"""Claims of the paper on least squares, perturbation and correlation, measured.

Every function returns rows of (data, quantity, value).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from _data import catalogue_sets
from scipy.stats import spearmanr

from perturbfs import characterize
from perturbfs.datasets import make_synth_data

Row = tuple[str, str, float]
WIDE = ("colon", "glioma", "leukemia", "lymphoma", "allaml", "lung")
ALL = ("lsvt", "madelon", *WIDE)
DEPENDENT, INDEPENDENT, TWINS = [2, 3, 4], [0], [1, 5]
N_DRAWS = 20
NOISES = {
    "rank-2 noise": {},
    "independent noise": {"perturbation": "iid"},
    "rank-2 noise, features in [0, 1]": {"scaling": "minmax"},
    "independent noise, features in [0, 1]": {"scaling": "minmax", "perturbation": "iid"},
}
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"


def theorem() -> Iterator[Row]:
    """Which dependences of SynthData a perturbation finds; medians over draws."""
    for noise, options in NOISES.items():
        found = [_one_draw(seed, options) for seed in range(N_DRAWS)]
        for quantity in found[0]:
            yield (
                f"SynthData, {noise}",
                quantity,
                float(np.median([each[quantity] for each in found])),
            )


def _one_draw(seed: int, options: dict[str, str]) -> dict[str, float]:
    X, y = make_synth_data(random_state=seed)
    found = characterize(X, y, random_state=seed, **options)
    moves, unit = found.sensitivity, X / np.linalg.norm(X, axis=0)
    # f5 = 8 f3 + 2 f4, for columns of norm 1.
    relation = np.append(np.linalg.lstsq(unit[:, [2, 3]], unit[:, 4], rcond=None)[0], 1.0)
    cosine = (
        relation @ moves[DEPENDENT] / np.linalg.norm(relation) / np.linalg.norm(moves[DEPENDENT])
    )
    return {
        "rank": found.rank,
        "move of f1, independent": moves[0],
        "smallest move of f3, f4, f5": moves[DEPENDENT].min(),
        "smallest move of f2 and its copy f6": moves[TWINS].min(),
        "1 - cosine of the moves of f3, f4, f5 with the relation": 1 - cosine,
    }


def interval() -> Iterator[Row]:
    """What SynthData is like if f1 to f4 are drawn from (-1, 1), or from (0, 1) as in the text."""
    for symmetric, name in ((True, "(-1, 1)"), (False, "(0, 1)")):
        found = []
        for seed in range(1000):
            X, y = make_synth_data(symmetric=symmetric, random_state=seed)
            cosine = X[:, 1] @ y / np.linalg.norm(X[:, 1]) / np.linalg.norm(y)
            found.append((np.linalg.norm(X[:, 4]), np.degrees(np.arccos(cosine))))
        low, high = np.quantile(found, [0.005, 0.995], axis=0)
        for place, quantity in enumerate(("norm of f5", "angle of f2 to the outcome, degrees")):
            yield f"SynthData from {name}", f"{quantity}, low end of 99 %", float(low[place])
            yield f"SynthData from {name}", f"{quantity}, high end of 99 %", float(high[place])


def proof() -> Iterator[Row]:
    """The two bounds inside the proof of the theorem, on SynthData; medians over draws."""
    for noise in ("rank-2 noise", "independent noise"):
        rows = [_proof_draw(seed, noise) for seed in range(N_DRAWS)]
        for quantity in rows[0]:
            yield (
                f"SynthData, {noise}",
                quantity,
                float(np.median([each[quantity] for each in rows])),
            )


def _proof_draw(seed: int, noise: str) -> dict[str, float]:
    X, y = make_synth_data(random_state=seed)
    rng = np.random.default_rng(seed)
    N, b = X / np.linalg.norm(X, axis=0), y / np.linalg.norm(y)
    E = _row_noise(N, rng.uniform(size=len(y)))
    values = np.linalg.svd(N, compute_uv=False)
    smallest = values[3]  # of rank 4
    if noise == "independent noise":
        E = rng.standard_normal(N.shape)
        E *= 1e-3 * smallest / np.linalg.norm(E, 2)
    size = np.linalg.norm(E, 2)
    perturbed = np.linalg.lstsq(N + E, b, rcond=None)[0]
    return {
        "norm of E over the smallest singular value": size / smallest,
        "norm of the perturbed solution": np.linalg.norm(perturbed),
        "its bound in the proof": 1 / (smallest - size),
        "norm of E times the perturbed solution": np.linalg.norm(E @ perturbed),
        "its bound in the proof, norm of E": size / (smallest - size),
    }


def _row_noise(N: np.ndarray, u: np.ndarray) -> np.ndarray:
    low, high = N.min(axis=0) / 1e6, N.max(axis=0) / 1e5
    return low + np.outer(u, high - low)


def noise_size() -> Iterator[Row]:
    """The released perturbation beside the size that the text asks for, and Weyl's bound."""
    for name, X, y in catalogue_sets(ALL):
        N = X / np.linalg.norm(X, axis=0)
        E = _row_noise(N, np.random.default_rng(0).uniform(size=len(y)))
        before, after = (np.linalg.svd(each, compute_uv=False) for each in (N, N + E))
        size, rank = np.linalg.norm(E, 2), characterize(X, y, random_state=0).rank
        yield name, "norm of E over the smallest singular value", size / before[rank - 1]
        yield (
            name,
            "norm of E as the algorithm box has it, over the norm of N",
            float(np.linalg.norm(_box_noise(N), 2) / before[0]),
        )
        yield name, "rank", rank
        yield (
            name,
            "largest change of a singular value over the norm of E",
            (np.abs(before - after).max() / size),
        )


def _box_noise(N: np.ndarray) -> np.ndarray:
    low, high = N.min(axis=0), N.max(axis=0)
    return low + np.random.default_rng(0).uniform(size=N.shape) * (high / 1e5 - low / 1e6)


def correlated_if_close() -> Iterator[Row]:
    """Whether correlated features have close sensitivities, and close ones correlate."""
    for name, X, y in catalogue_sets(ALL):
        sensitivity = characterize(X, y, random_state=0).sensitivity
        varies = X.std(axis=0) > 0
        Z = (X[:, varies] - X[:, varies].mean(axis=0)) / X[:, varies].std(axis=0)
        correlations = np.abs(Z.T @ Z / len(Z))
        order = np.argsort(sensitivity[varies])
        place = np.empty(len(order))
        place[order] = np.arange(len(order)) / len(order)
        first, second = np.triu_indices(len(order), 1)
        strong = correlations[first, second] >= 0.9
        gaps = np.abs(place[first[strong]] - place[second[strong]])
        adjacent = correlations[order[:-1], order[1:]]
        yield name, "pairs with |r| of at least 0.9", int(strong.sum())
        # Of random pairs the median is 0.293.
        yield (
            name,
            "their median distance in the order of the sensitivities",
            float(np.median(gaps)),
        )
        yield (
            name,
            "share of all pairs with |r| of at least 0.5",
            float(np.mean(correlations[first, second] >= 0.5)),
        )
        yield name, "the same of neighbors in that order", float(np.mean(adjacent >= 0.5))


def angles() -> Iterator[Row]:
    """What the angle without a feature depends on."""
    for name, X, y in catalogue_sets(ALL):
        found = characterize(X, y, random_state=0)
        sizes = np.abs(found.coefficients.ravel())
        yield (
            name,
            "rank correlation of the angle without and the coefficient",
            float(spearmanr(found.angle_without, sizes).statistic),
        )
        yield (
            name,
            "rank correlation of the angle to the target and the coefficient",
            float(spearmanr(np.abs(90 - found.angle_to_target), sizes).statistic),
        )


def exactness() -> Iterator[Row]:
    """Errors of the characteristics against values of 256 bits."""
    for path in sorted(REFERENCE.glob("*.npz")):
        expected = np.load(path)
        X, y = _reference_data(path.stem, expected)
        found = characterize(X, y, row_noise=expected["u"])
        for quantity, ours, exact in (
            ("coefficients", found.coefficients.ravel(), expected["X_ref"]),
            ("sensitivity", found.sensitivity, np.abs(expected["dX_ref"])),
        ):
            error = np.linalg.norm(ours - exact) / np.linalg.norm(exact)
            yield path.stem, f"norm of the error of the {quantity} over their norm", float(error)
        error = np.abs(found.angle_without - expected["gamma_ref"]).max()
        yield path.stem, "largest error of the angle without, degrees", float(error)


def _reference_data(name: str, expected: np.lib.npyio.NpzFile) -> tuple[np.ndarray, np.ndarray]:
    if "A_raw" in expected:
        return expected["A_raw"], expected["b"]
    if name == "ALLAML":
        [(_, X, y)] = catalogue_sets(["allaml"])
        return X, y
    data = np.load(REFERENCE / "data" / f"{name}.npz")
    return data["A"].astype(float), data["b"].astype(float)
