"""Simulate batches that go with the outcome: what is selected, and what scores say.

    python benchmarks/confounders.py

Two batches have different shares of the classes. Three quarters of 2,000 features depend on the
batch, and five features depend on the outcome, two of which depend on the batch too. Five features
are selected by `AnovaSelector` in three splits of 70 of 100 samples, and a linear support vector
machine is scored on the others. Printed are, as means over six tables, how many of the five
features were found, and the balanced accuracy,

- raw: with the features as they are,
- within: centered within batches by the training samples (`BatchCenterer`, what ``--batch`` does),
- adjusted: less the effects of the batches in a least-squares model of batch and outcome, fitted
  to the training samples (as limma's removeBatchEffect with a design does; not offered, see
  docs/confounders.md),

and the balanced accuracy of the batch alone.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from perturbfs.baselines import AnovaSelector
from perturbfs.scoring import (
    BatchCenterer,
    TrainTest,
    Trial,
    batch_predictor,
    default_predictors,
    make_splits,
    mean_recall,
)

N_SAMPLES, N_FEATURES, N_BATCH_DRIVEN, N_TABLES = 100, 2000, 1500, 6
TRUE = np.arange(N_BATCH_DRIVEN - 2, N_BATCH_DRIVEN + 3)
SHARES, EFFECTS = (0.5, 0.7, 0.85, 0.95), (0.0, 1.5, 2.5)
WAYS = ("raw", "within", "adjusted")


def make_table(share, effect, seed):
    """Return features, classes and batches of one table."""
    rng = np.random.default_rng(seed)
    batch = rng.integers(0, 2, N_SAMPLES)
    y = (rng.random(N_SAMPLES) < np.array([1 - share, share])[batch]).astype(int)
    X = rng.standard_normal((N_SAMPLES, N_FEATURES))
    X[:, :N_BATCH_DRIVEN] += 2 * rng.standard_normal((2, N_BATCH_DRIVEN))[batch]
    X[:, TRUE] += effect * y[:, None]
    return X, y, batch


def change(X, y, batch, train, way):
    """Return the features, changed by what the training samples say."""
    if way == "raw":
        return X
    if way == "within":
        return BatchCenterer().fit(X[train], batch[train]).transform(X, batch)
    design = np.column_stack([batch == 0, batch == 1, y - y[train].mean()]).astype(float)
    effects = np.linalg.lstsq(design[train], X[train], rcond=None)[0]
    return X - effects[:2][batch]


def measure(share, effect, seed):
    """Return the hits and the score of each way, and the score of the batch alone."""
    X, y, batch = make_table(share, effect, seed)
    svm, found, alone = default_predictors("classification")["svm"], [], []
    options = {"groups": None, "task": "classification", "n_splits": 3, "test_size": 0.3}
    for train, test in make_splits(y, seed=seed, **options):
        row = []
        for way in WAYS:
            changed = change(X, y, batch, train, way)
            chosen = AnovaSelector(5).fit(changed[train], y[train]).get_support(indices=True)
            few = changed[:, chosen]
            split = TrainTest(few[train], y[train], few[test], y[test])
            row += [np.isin(chosen, TRUE).sum(), mean_recall(y[test], Trial(svm).predict(split))]
        model = clone(batch_predictor("balanced_accuracy", task="classification"))
        model.fit(batch[train, None], y[train])
        found.append(row)
        alone.append(mean_recall(y[test], model.predict(batch[test, None])))
    return [*np.mean(found, axis=0), np.mean(alone)]


def main():
    """Print one row per share and effect."""
    print("effect  share  " + "  ".join(f"{way:>14}" for way in WAYS) + "  batch alone")
    for effect in EFFECTS:
        for share in SHARES:
            rows = [measure(share, effect, seed) for seed in range(N_TABLES)]
            *values, alone = np.mean(rows, axis=0)
            cells = [f"{values[i]:6.1f}  {values[i + 1]:6.2f}" for i in range(0, 6, 2)]
            print(f"{effect:6.1f}  {share:5.2f}  {'  '.join(cells)}  {alone:11.2f}", flush=True)


if __name__ == "__main__":
    main()
