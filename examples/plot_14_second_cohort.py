"""
A second cohort
===============

Features are selected in one cohort. ``validate_selection`` trains a predictor on them there and
scores a second cohort, whose samples took no part in anything. It also says which features are
distributed differently in the two cohorts.
"""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

from perturbfs.datasets import Table, make_wide_classification
from perturbfs.results import select_features, validate_selection

data = make_wide_classification(n_samples=160, n_features=400, random_state=2)
names = np.array([f"gene {place}" for place in range(400)], dtype=object)
first, second = (
    Table(X=data.X[rows], y=data.y[rows], feature_names=names, task="classification")
    for rows in (slice(0, 80), slice(80, 160))
)
result = select_features(first, method="robust", n_features=6)
validation = validate_selection(result, second)
print(validation.verdict)
print(validation.confusion)

# %%
# Suppose that another device measured the second cohort, with an offset of its own for every gene.
# The trained predictor fails there. The verdict says so, and the comment says why.

offsets = np.random.default_rng(0).normal(scale=3, size=400)
shifted = replace(second, X=second.X + offsets)
moved = validate_selection(result, shifted)
print(moved.verdict)
print(moved.comment)
for finding in moved.findings:
    print(f"{finding.severity}: {finding.message} {finding.advice}")

# %%
# The predictor of the first cohort, the same with features standardized within each cohort, and a
# refit on parts of the second cohort, with 95 % intervals. The dotted line is guessing.

rows = ("second", "standardized", "refit", "estimated")
figure, axes = plt.subplots(1, 2, figsize=(9, 2.6), sharey=True)
for axis, found, title in zip(axes, (validation, moved), ("as it is", "shifted"), strict=True):
    for place, name in enumerate(rows):
        score = getattr(found.scores, name)
        axis.plot([score.low, score.high], [place, place], color="C0")
        axis.plot(score.mean, place, "o", color="C0")
    axis.axvline(found.scores.guessing, linestyle=":", color="gray")
    axis.set(title=f"second cohort {title}", xlabel="balanced accuracy", xlim=(0, 1.02))
axes[0].set_yticks(range(len(rows)), rows)
axes[0].invert_yaxis()
figure.tight_layout()
plt.show()
