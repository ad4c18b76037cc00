"""
A pipeline and a grid search
============================

A selector is a step of a scikit-learn pipeline. A grid search can then choose the number of
features together with the parameters of the predictor. In each fold the features are selected from
the training samples only.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from perturbfs import RobustSelector
from perturbfs.datasets import make_wide_classification

# %%
# The table has 80 samples and 1,000 features. Five signals separate the classes. Ten features
# carry each signal, and all others are noise.

data = make_wide_classification(n_samples=80, n_features=1000, random_state=0)
pipeline = make_pipeline(RobustSelector(10), StandardScaler(), LinearSVC())

# %%
# The search tries five numbers of features and three penalties.

search = GridSearchCV(
    pipeline,
    {"robustselector__n_features_to_select": [2, 5, 10, 20, 30], "linearsvc__C": [0.01, 0.1, 1]},
    scoring="balanced_accuracy",
).fit(data.X, data.y)
print(search.best_params_)

# %%
# The best score of a grid search is too high, because it is the best of many. For an estimate,
# the whole search is cross-validated.

print(f"best score of the search: {search.best_score_:.2f}")
print(f"cross-validated:          {cross_val_score(search, data.X, data.y, cv=4).mean():.2f}")

# %%
# One line per penalty shows that the number of features matters more than the penalty.

results = search.cv_results_
for penalty in (0.01, 0.1, 1):
    chosen = results["param_linearsvc__C"] == penalty
    numbers = results["param_robustselector__n_features_to_select"][chosen]
    plt.plot(numbers, results["mean_test_score"][chosen], "o-", label=f"C = {penalty}")
plt.xlabel("number of features")
plt.ylabel("balanced accuracy")
plt.legend()
plt.show()
