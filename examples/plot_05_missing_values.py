"""
Missing values
==============

The selectors refuse missing values, because how to fill them is a decision about the data. In a
pipeline, an imputer learns the values from the training samples only. ``evaluate`` takes the
imputer as a parameter, and the command line has ``--impute median`` and ``--impute knn``.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from perturbfs import RobustSelector, evaluate
from perturbfs.datasets import make_wide_classification

data = make_wide_classification(n_samples=80, n_features=300, random_state=0)
rng = np.random.default_rng(0)
X = np.where(rng.random(data.X.shape) < 0.1, np.nan, data.X)
try:
    RobustSelector(10).fit(X, data.y)
except ValueError as error:
    print(str(error).splitlines()[0])

# %%
# With an imputer before it, the selector finds features that carry the signals.

pipeline = make_pipeline(SimpleImputer(strategy="median"), RobustSelector(10)).fit(X, data.y)
path = pipeline[-1].path_[:10]
print("features that carry a signal:", int((data.groups[path] >= 0).sum()), "of", len(path))

# %%
# The more values are missing, the less the selected features predict.

shares = [0, 0.1, 0.3, 0.5]
scores = []
for share in shares:
    X = np.where(rng.random(data.X.shape) < share, np.nan, data.X)
    found = evaluate(
        {"robust": RobustSelector()},
        X,
        data.y,
        n_features=[10],
        imputer=SimpleImputer(strategy="median"),
        n_splits=8,
        random_state=0,
    )
    scores.append(found.estimate("robust", 10))
means = np.array([score.mean for score in scores])
ends = np.array([[score.low, score.high] for score in scores]).T
plt.errorbar([100 * share for share in shares], means, abs(ends - means), fmt="o-", capsize=4)
plt.axhline(0.5, color="grey", linestyle=":", label="guessing")
plt.xlabel("missing values, percent")
plt.ylabel("balanced accuracy, 95 % interval")
plt.legend()
plt.show()
