"""
Stability against noise
=======================

A small change of the data should not replace the selected features. ``noise_robustness`` adds
noise of a given size to all values, selects again, and reports the share of the features that are
kept.
"""

import matplotlib.pyplot as plt

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import L1LogisticSelector
from perturbfs.datasets import make_wide_classification
from perturbfs.evaluation import noise_robustness

data = make_wide_classification(n_samples=60, n_features=300, random_state=0)
methods = {
    "RobustSelector": RobustSelector(10),
    "L1 logistic": L1LogisticSelector(10),
    "the paper's method": PerturbationSelector(10, n_repeats=1, random_state=0),
}
found = {
    name: noise_robustness(selector, data.X, data.y, n_repeats=4, random_state=0)
    for name, selector in methods.items()
}
print(found["RobustSelector"])

# %%
# The noise is given in percent of the standard deviation of each feature.

for name, result in found.items():
    levels = [100 * row.level for row in result.rows]
    plt.plot(levels, [row.kept for row in result.rows], "o-", label=name)
plt.xlabel("noise, percent of the standard deviation")
plt.ylabel("share of the features that are kept")
plt.ylim(0, 1.05)
plt.legend()
plt.show()
