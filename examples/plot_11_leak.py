"""
A leak, and what it pretends
============================

If the features are selected with all samples, and only the predictor is cross-validated, the test
samples have taken part in the choice. On a table of pure noise this gives an almost perfect score.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from perturbfs import RobustSelector

# %%
# No feature is related to the outcome.

rng = np.random.default_rng(0)
X, y = rng.standard_normal((60, 2000)), np.repeat([0, 1], 30)

sizes = [2, 5, 10, 20]
leaking, honest = [], []
for size in sizes:
    selector, predictor = RobustSelector(size), LinearSVC(C=0.1)
    X_selected = selector.fit(X, y).transform(X)
    leaking.append(cross_val_score(predictor, X_selected, y).mean())
    honest.append(cross_val_score(make_pipeline(selector, predictor), X, y).mean())

# %%
# The mistake is one line: ``fit`` before the split. In a pipeline it cannot happen.

plt.plot(sizes, leaking, "o-", label="selected before the split (leak)")
plt.plot(sizes, honest, "o-", label="selected inside each fold")
plt.axhline(0.5, color="grey", linestyle=":", label="the truth: guessing")
plt.ylim(0, 1.05)
plt.xlabel("number of features")
plt.ylabel("accuracy")
plt.legend()
plt.show()
