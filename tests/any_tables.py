"""Tables of any shape, type and scale for the property tests, and what must hold for them."""

import warnings

import numpy as np
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning

from perturbfs.exceptions import DataWarning

SCALES = (1e-150, 1e-12, 1.0, 1.0, 1.0, 1e9, 1e150)
QUICK = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
FEW = settings(QUICK, max_examples=5)


@st.composite
def outcomes(draw, n_samples):
    """Classes as numbers, text or booleans, two or more of them; or a quantity."""
    kind = draw(st.sampled_from(["int", "text", "bool", "float", "one class"]))
    codes = draw(arrays(np.int64, n_samples, elements=st.integers(0, 2)))
    if kind == "text":
        return np.array(["a", "b b", "ç"])[codes]
    if kind == "bool":
        return codes > 0
    if kind == "float":
        return codes + draw(arrays(np.float64, n_samples, elements=st.floats(0, 1)))
    return np.zeros(n_samples, dtype=int) if kind == "one class" else codes


@st.composite
def tables(draw, most_samples=14, most_features=12):
    """Features with constants, copies, sums of others, and columns of other scales; an outcome."""
    n_samples = draw(st.integers(2, most_samples))
    n_features = draw(st.integers(1, most_features))
    dtype = draw(st.sampled_from([np.float64, np.float32, np.int32, np.uint8, bool]))
    elements = {"f": st.floats(-8, 8, width=32), "i": st.integers(-8, 8)}
    elements |= {"u": st.integers(0, 8), "b": st.booleans()}
    X = draw(arrays(dtype, (n_samples, n_features), elements=elements[np.dtype(dtype).kind]))
    for _ in range(draw(st.integers(0, 3))):
        to = draw(st.integers(0, n_features - 1))
        change = draw(st.sampled_from(["constant", "copy", "sum", "scale", "unique"]))
        if change == "constant":
            X[:, to] = X[0, to]
        elif change == "copy":
            X[:, to] = X[:, draw(st.integers(0, n_features - 1))]
        elif change == "unique":
            X[:, to] = np.arange(n_samples) % 250
        elif dtype is np.float64:
            scale = draw(st.sampled_from(SCALES))
            X[:, to] = scale * (X.sum(axis=1) if change == "sum" else X[:, to])
    assume(np.isfinite(X).all())
    return X, draw(outcomes(n_samples))


def attempt(function, *args):
    """Return what a function returns, or None if it says in a sentence why it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        try:
            return function(*args)
        except ValueError as error:
            message = str(error)
    names_parameter = "=" in message.split()[0]
    is_begun = (
        message[0].isupper()
        or message[0].isdigit()
        or message.startswith(("y ", "n_", "/"))
        or names_parameter
    )
    assert is_begun, message
    assert message.rstrip().endswith((".", ")", "?")), message
    assert len(message) < 1000
    return None


def check_selected(selector, X):
    """Check what every fitted selector promises."""
    n_features = X.shape[1]
    support = selector.get_support()
    assert support.shape == (n_features,)
    assert 1 <= support.sum() <= n_features
    np.testing.assert_array_equal(selector.transform(X), X[:, support])
    assert sorted(selector.ranking_[support].tolist()) == list(range(1, support.sum() + 1))
    for name in ("coef_", "sensitivity_", "angle_to_target_", "angle_without_"):
        values = getattr(selector, name, None)
        if values is not None:
            assert np.isfinite(np.asarray(values, dtype=float)).all(), name
