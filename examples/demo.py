"""Select features of a wide table whose useful features are known, and judge it honestly.

Run it with ``make demo``. Nothing is downloaded.
"""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from perturbfs import PerturbationSelector
from perturbfs.datasets import make_wide_classification


def random_scores(X, y):
    """A score for each feature that means nothing."""
    return np.random.default_rng(0).random(X.shape[1])


def main():
    data = make_wide_classification(n_samples=80, n_features=1000, random_state=0)
    classes, counts = np.unique(data.y, return_counts=True)
    print(f"{data.X.shape[0]} samples, {data.X.shape[1]} features, ", end="")
    print(", ".join(f"{count} of {str(name)!r}" for name, count in zip(classes, counts, strict=True)))
    print(f"{np.sum(data.groups >= 0)} features carry one of {data.groups.max() + 1} signals.\n")

    selector = PerturbationSelector(n_repeats=3, max_features=30, random_state=0)
    selector.fit(data.X, data.y)
    print(f"Selected {selector.support_.sum()} features (rank of the data {selector.rank_}):\n")
    print("  feature        angle to outcome  stands for  really")
    for feature in np.argsort(selector.ranking_)[: selector.support_.sum()]:
        truth = data.groups[feature]
        print(
            f"  {data.feature_names[feature]:14s} {selector.angle_to_target_[feature]:12.1f}    "
            f"{len(selector.groups_[feature]) - 1:8d}    "
            f"{'noise' if truth < 0 else f'signal {truth + 1}'}"
        )
    print(f"\nStability over {len(selector.runs_)} runs: {selector.stability_:.2f} (1 equal, 0 chance)")

    print("\nBalanced accuracy of a decision tree on samples not used to select (5 folds):")
    tree = DecisionTreeClassifier(min_samples_split=10, random_state=0)
    k = int(selector.support_.sum())
    rivals = {
        "these settings": make_pipeline(selector, tree),
        f"{k} random features": make_pipeline(SelectKBest(random_scores, k=k), tree),
        f"{k} features by ANOVA F": make_pipeline(SelectKBest(k=k), tree),
        "all features": tree,
        "guessing": DummyClassifier(strategy="prior"),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for name, rival in rivals.items():
        scores = cross_val_score(rival, data.X, data.y, cv=folds, scoring="balanced_accuracy")
        print(f"  {name:24s} {scores.mean():.2f} +- {scores.std(ddof=1) / np.sqrt(5):.2f}")
    print(
        f"\nThe selector itself reported {selector.optimal_score_:.2f}: the best of many candidates "
        "is always too good."
    )


if __name__ == "__main__":
    main()
