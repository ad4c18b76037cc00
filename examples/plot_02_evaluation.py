"""
Compare four methods without a leak
===================================

``evaluate`` fits every method to the training part of the same random splits and scores the
selected features on the rest. Random features show what any choice would reach.
"""

import matplotlib.pyplot as plt

from perturbfs import RobustSelector, evaluate
from perturbfs.baselines import AnovaSelector, L1LogisticSelector, MRMRSelector
from perturbfs.datasets import make_wide_classification

data = make_wide_classification(n_samples=80, n_features=500, random_state=1)
methods = {
    "robust": RobustSelector(),
    "mRMR": MRMRSelector(),
    "L1 logistic": L1LogisticSelector(),
    "ANOVA F": AnovaSelector(),
}
sizes = [2, 5, 10, 20]
found = evaluate(methods, data.X, data.y, n_features=sizes, n_splits=8, random_state=0)

# %%
# The mean over the splits has an interval that takes the overlap of the splits into account.

for method in methods:
    score, stability = found.estimate(method, 10), found.stability(method, 10)
    print(
        f"{method:12s} {score.mean:.2f} (95 % interval {score.low:.2f} to {score.high:.2f}), "
        f"stability {stability:.2f}"
    )

# %%
# The intervals are wide, because the table has only 80 samples. A difference of two methods is
# tested on the same splits, where most of this uncertainty cancels.

for pair in found.compare(10).pairs:
    difference = pair.difference
    print(
        f"{pair.first} - {pair.second}: {100 * difference.mean:.1f} points, "
        f"p = {difference.p_value:.2f}"
    )

# %%
# A table with so few samples rarely separates good methods. It does separate them from chance.

for method in methods:
    plt.plot(sizes, [found.estimate(method, size).mean for size in sizes], "o-", label=method)
plt.axhline(found.estimate("all features", "all").mean, color="grey", label="all features")
plt.axhline(found.estimate("guessing", "all").mean, color="grey", linestyle=":", label="guessing")
plt.xlabel("number of features")
plt.ylabel("balanced accuracy on test samples")
plt.legend()
plt.show()
