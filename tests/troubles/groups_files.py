"""Files with replicates, with a class of one sample, and with features to leave out."""

from pathlib import Path

import numpy as np

N_PATIENTS, N_REPLICATES = 24, 3
PATIENTS = np.repeat([f"P{patient}" for patient in range(N_PATIENTS)], N_REPLICATES)


def make_replicates(n_genes=500, seed=0):
    """Return three near-copies of each patient, and an outcome of patients drawn at random."""
    rng = np.random.default_rng(seed)
    outcome = rng.permutation(np.repeat(np.array(["ill", "well"], dtype="<U10"), N_PATIENTS // 2))
    genes = np.repeat(rng.standard_normal((N_PATIENTS, n_genes)), N_REPLICATES, axis=0)
    X = genes + 0.1 * rng.standard_normal(genes.shape)
    return X, np.repeat(outcome, N_REPLICATES)


def write_rows(path, header, rows):
    """Write a table as comma-separated text."""
    lines = [",".join(map(str, row)) for row in [header, *rows]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _write(path, X, outcome, *, numbers="%.4f", patients=None, names=None):
    names = [f"g{gene}" for gene in range(X.shape[1])] if names is None else names
    columns = [[numbers % value for value in row] for row in X]
    rows = [[f"S{i}", *row, y] for i, (row, y) in enumerate(zip(columns, outcome, strict=True))]
    header = ["sample", *names, "outcome"]
    if patients is not None:
        header.append("patient")
        rows = [[*row, patient] for row, patient in zip(rows, patients, strict=True)]
    return write_rows(path, header, rows)


def write_replicates(folder: Path, n_genes=500) -> Path:
    """Write the replicates of patients with the column of the patients."""
    return _write(folder / "replicates.csv", *make_replicates(n_genes), patients=PATIENTS)


def write_replicates_and_patients(folder: Path, n_genes=40) -> tuple[Path, Path]:
    """Write the replicates without their patients, and the patients in another order."""
    table = _write(folder / "replicates.csv", *make_replicates(n_genes))
    rows = [[f"S{i}", patient] for i, patient in enumerate(PATIENTS)]
    return table, write_rows(folder / "patients.csv", ["sample", "patient"], rows[::-1])


def write_one_patient_of_a_class(folder: Path) -> Path:
    """Write a table in which all samples of one class are of the same patient."""
    X, outcome = make_replicates(20)
    outcome[:N_REPLICATES] = "mild"
    return _write(folder / "one-patient.csv", X, outcome, patients=PATIENTS)


def write_lone_class(folder: Path) -> Path:
    """Write a table with a class of one sample."""
    X, outcome = make_replicates(20)
    outcome[5] = "unsure"
    return _write(folder / "lone.csv", X[::3], outcome[2::3])


def write_counts(folder: Path) -> Path:
    """Write a table whose outcome is a quantity of whole numbers, few of them repeated."""
    X, outcome = make_quantity()
    return _write(folder / "counts.csv", X, outcome)


def make_quantity(n_samples=60, n_genes=30, seed=0):
    """Return features, and a quantity of whole numbers that depends on the first three."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_genes)).round(4)
    signal = X[:, :3].sum(axis=1) + 0.3 * rng.standard_normal(n_samples)
    return X, np.round(10 * signal + 100).astype(int)


def write_controls(folder: Path) -> Path:
    """Write a table with control probes and a date among the genes."""
    X, outcome = make_replicates(20)
    names = [f"g{gene}" for gene in range(14)] + [f"AFFX-{probe}" for probe in range(5)] + ["day"]
    return _write(folder / "controls.csv", X, outcome, names=names)
