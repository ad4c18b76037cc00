"""Batches in a comparison: centered in each split, and scored as predictors of the outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from perturbfs.arrays import Array
from perturbfs.scoring import (
    BatchCenterer,
    TrainTest,
    Trial,
    batch_predictor,
    check_batch,
    check_centerable,
    corrected_interval,
    dummy_predictor,
    make_splits,
    metric_name,
    resolve_scorer,
)

from ._compare import compare_paired
from ._results import BATCH, Planned, Score


@dataclass(frozen=True, slots=True)
class Batches:
    """The batch of each sample as a code from 0, and what scores the batch alone."""

    codes: Array
    predictor: Any
    scorer: Any

    @classmethod
    def of(cls, batch: Any, X: Any, y: Array, *, task: str, scoring: Any = None) -> Batches:
        """Return the batches of the samples of a table.

        Parameters
        ----------
        batch : array of shape (n_samples,)
        X : array of shape (n_samples, n_features)
            A sparse matrix or a table on disk is refused, because it cannot be centered.
        y : array of shape (n_samples,)
        task : {"classification", "regression"}
        scoring : str, callable or None
        """
        check_centerable(X)
        batch = check_batch(batch, y, task=task)
        predictor = batch_predictor(metric_name(scoring, task=task), task=task)
        codes = np.unique(batch, return_inverse=True)[1].reshape(-1)
        return cls(codes, predictor, resolve_scorer(scoring, predictor, task=task))

    def centered(self, sides: TrainTest, train: Array, test: Array) -> TrainTest:
        """Return a split with features centered by the means of its training samples."""
        centerer = BatchCenterer().fit(sides.X_train, self.codes[train])
        return replace(
            sides,
            X_train=centerer.transform(sides.X_train, self.codes[train]),
            X_test=centerer.transform(sides.X_test, self.codes[test]),
        )

    def score(self, y: Array, split: int, train: Array, test: Array) -> Score:
        """Return the score of the batch alone on one split."""
        X = self.codes[:, None].astype(np.float64)
        sides = TrainTest(X[train], y[train], X[test], y[test])
        score = Trial(self.predictor, self.scorer).score(sides)
        return Score(BATCH, "all", 0, "batch", split, score, 0.0)

    def n_unknown(self, train: Array, test: Array) -> int:
        """Return the number of test samples whose batch has no training sample."""
        return int(np.sum(~np.isin(self.codes[test], self.codes[train])))


def score_batch(
    batch: Any,
    y: Array,
    *,
    task: str,
    groups: Array | None = None,
    scoring: Any = None,
    n_splits: int = 10,
    test_size: float = 0.3,
    random_state: int | None = 0,
) -> Planned:
    """Compare what the batch alone predicts with guessing, on the splits of `evaluate`.

    Parameters
    ----------
    batch : array of shape (n_samples,)
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    groups : array of shape (n_samples,), optional
    scoring : str, callable or None
    n_splits : int, default=10
    test_size : float, default=0.3
    random_state : int or None, default=0

    Returns
    -------
    planned : Planned
        Against guessing.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.evaluation import score_batch
    >>> y = np.repeat(["ill", "well"], 20)
    >>> site = np.where(np.arange(40) % 10 == 0, "B", np.repeat(["A", "B"], 20))
    >>> found = score_batch(site, y, task="classification")
    >>> found.against, found.difference.mean > 0.4, found.difference.p_value < 0.01
    ('guessing', True, True)
    """
    X = np.zeros((len(y), 0))
    batches = Batches.of(batch, X, y, task=task, scoring=scoring)
    guess = dummy_predictor(task)
    trial = Trial(guess, resolve_scorer(scoring, guess, task=task))
    ours, guessed = [], []
    splits = make_splits(
        y,
        groups=groups,
        task=task,
        n_splits=n_splits,
        test_size=test_size,
        seed=check_random_state(random_state).randint(2**31 - 1),
    )
    for number, (train, test) in enumerate(splits):
        ours.append(batches.score(y, number, train, test).score)
        guessed.append(trial.score(TrainTest(X[train], y[train], X[test], y[test])))
    share = float(np.mean([len(test) / len(train) for train, test in splits]))
    return Planned(
        "guessing",
        corrected_interval(guessed, test_share=share),
        compare_paired(ours, guessed, test_share=share),
    )
