"""The reference values of the characteristics, and the developers' data where they are."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io

SHARED = Path(__file__).resolve().parents[2] / "shared"
COMMITTED = Path(__file__).resolve().parent / "paper" / "reference"
REFERENCE_SETS = (
    "SynthData",
    "SynthSym",
    "LSVT",
    "madelon",
    "colon",
    "lymphoma",
    "GLIOMA",
    "leukemia",
    "ALLAML",
)


def load_values(name):
    """Return the reference values of a data set; skip if they are not here."""
    for folder in (COMMITTED, SHARED / "reference"):
        if (folder / f"{name}.npz").exists():
            return dict(np.load(folder / f"{name}.npz"))
    pytest.skip("the developers' reference values are not here")


def load_reference(name):
    """Return reference values, features and outcome of a data set; skip if one is missing."""
    values = load_values(name)
    if "A_raw" in values:
        return values, values["A_raw"], values["b"]
    if not SHARED.is_dir():
        pytest.skip("the developers' data are not here")
    if name == "ALLAML":
        data = scipy.io.loadmat(SHARED / "datasets" / "ALLAML.mat")
        return values, data["X"].astype(float), data["Y"].ravel().astype(float)
    data = np.load(SHARED / "reference" / "data" / f"{name}.npz")
    return values, data["A"].astype(float), data["b"].astype(float)
