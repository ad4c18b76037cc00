"""The developers' data beside the repository, where they are."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io

SHARED = Path(__file__).resolve().parents[2] / "shared"
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


def load_reference(name):
    """Reference values of a data set, its features and its outcome; skip without them."""
    path = SHARED / "reference" / f"{name}.npz"
    if not path.exists():
        pytest.skip("the developers' reference values are not here")
    reference = dict(np.load(path))
    if "A_raw" in reference:
        return reference, reference["A_raw"], reference["b"]
    if name == "ALLAML":
        data = scipy.io.loadmat(SHARED / "datasets" / "ALLAML.mat")
        return reference, data["X"].astype(float), data["Y"].ravel().astype(float)
    data = np.load(SHARED / "reference" / "data" / f"{name}.npz")
    return reference, data["A"].astype(float), data["b"].astype(float)
