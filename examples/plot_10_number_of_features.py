"""
How many features?
==================

``RobustSelector()`` scores every number of features on inner splits. It takes the smallest number
that is as good as the best to within one standard error, but usually at least eight.
"""

import matplotlib.pyplot as plt

from perturbfs import RobustSelector
from perturbfs.datasets import make_wide_classification
from perturbfs.report import plot_curve

data = make_wide_classification(n_samples=100, n_features=800, random_state=3)
selector = RobustSelector().fit(data.X, data.y)
print(selector.size_rule_.explain())

# %%
# The curve of the inner scores is flat and uneven: with a hundred samples its standard errors are
# several points. The score of the chosen number is the best of many and therefore too high.

plot_curve(selector)
plt.show()

# %%
# Other rules and limits are parameters. The best score and the best score per feature
# are the two rules of the paper.

for rule in ("one_se", "accuracy", "measure"):
    chosen = RobustSelector(rule=rule).fit(data.X, data.y).support_.sum()
    print(f"rule={rule!r}: {chosen} features")
chosen = RobustSelector(min_features=1, max_features=5).fit(data.X, data.y).support_.sum()
print(f"min_features=1, max_features=5: {chosen} features")
