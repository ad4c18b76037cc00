"""How the classes were predicted on the test samples of all splits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from perturbfs.arrays import Array
from perturbfs.evaluation import Prediction
from perturbfs.scoring import corrected_interval

from ._verdict import finite
from ._wording import class_labels

MOST_CLASSES = 40  # a larger matrix cannot be read


def describe_predictions(
    predictions: Sequence[Prediction], y: Array, *, test_share: float
) -> dict[str, Any] | None:
    """Describe the predictions of classes: confusion matrix, sensitivity, specificity, AUC.

    Parameters
    ----------
    predictions : sequence of Prediction
        One per split.
    y : array of shape (n_samples,)
        The classes.
    test_share : float
        Test samples over training samples of a split.

    Returns
    -------
    described : dict or None
        ``classes`` (names in sorted order), ``counts`` (true class by predicted class, over all
        splits), ``by_class`` (``sensitivity`` and ``specificity`` with their intervals over the
        splits) and ``auc`` (area under the ROC curve of the second of two classes, or None).
        None without predictions, and for more than 40 classes.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.evaluation import Prediction
    >>> from perturbfs.results import describe_predictions
    >>> y = np.array(["ill", "well", "ill", "well"])
    >>> split = Prediction(np.array([0, 1]), np.array(["ill", "ill"]), np.array([-2.0, -1.0]))
    >>> found = describe_predictions([split], y, test_share=1.0)
    >>> found["counts"], found["by_class"][0]["specificity"]["mean"], found["auc"]["mean"]
    ([[1, 0], [1, 0]], 0.0, 1.0)
    """
    classes = np.unique(y)
    if not predictions or len(classes) > MOST_CLASSES:
        return None
    by_split = np.stack([_counts(each, y, classes) for each in predictions])
    hits = by_split.diagonal(axis1=1, axis2=2)
    n_true, n_predicted = by_split.sum(axis=2), by_split.sum(axis=1)
    n_others = n_true.sum(axis=1, keepdims=True) - n_true
    # Every class has a sample on both sides of each split, so nothing is divided by zero.
    sensitivity, specificity = hits / n_true, 1 - (n_predicted - hits) / n_others
    return {
        "classes": class_labels(classes),
        "counts": by_split.sum(axis=0).tolist(),
        "by_class": [
            {
                "sensitivity": _interval(sensitivity[:, code], test_share),
                "specificity": _interval(specificity[:, code], test_share),
            }
            for code in range(len(classes))
        ],
        "auc": _auc(predictions, y == classes[-1], test_share) if len(classes) == 2 else None,
    }


def _counts(prediction: Prediction, y: Array, classes: Array) -> Array:
    true, predicted = (
        np.searchsorted(classes, labels) for labels in (y[prediction.test], prediction.predicted)
    )
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, (true, predicted), 1)
    return counts


def _auc(
    predictions: Sequence[Prediction], is_second: Array, test_share: float
) -> dict[str, float | None] | None:
    areas = [
        roc_auc_score(is_second[each.test], each.decision)
        for each in predictions
        if each.decision is not None
    ]
    return _interval(np.array(areas), test_share) if len(areas) == len(predictions) else None


def _interval(shares: Array, test_share: float) -> dict[str, float | None]:
    """Return the mean of shares over the splits, with an interval between 0 and 1."""
    found = corrected_interval(shares, test_share=test_share)
    low, high = finite(found.low), finite(found.high)
    return {
        "mean": round(found.mean, 6),
        "low": None if low is None else round(max(low, 0.0), 6),
        "high": None if high is None else round(min(high, 1.0), 6),
    }
