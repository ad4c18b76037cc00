"""Names of methods, predictors and tables, so that help texts need not import these."""

from typing import Literal

Task = Literal["classification", "regression", "survival"]
Size = int | Literal["auto"]  # a number of features

METHODS = (
    "robust",
    "paper",
    "released",
    "released-late",
    "anova",
    "boruta",
    "forest",
    "fs-svm",
    "gbm",
    "group-lasso",
    "hsic-lasso",
    "l1-logistic",
    "land",
    "lars",
    "lasso",
    "mi",
    "mrmr",
    "mrmr-mi",
    "pca",
    "relieff",
    "rlsr",
    "stability",
    "svm-rfe",
    "random",
)

PREDICTORS = ("tree", "svm", "ridge", "3nn", "logistic", "forest", "cox")

# The methods that take survival outcomes.
SURVIVAL_METHODS = ("robust",)

# The methods that run several times and keep the best run.
REPEATED = ("paper", "released", "released-late")

# What forms the groups of the paper's method, and what scores its candidates.
CLUSTERERS = ("kmeans", "fuzzy", "warm", "ward")
ESTIMATOR_NAMES = ("tree", "svm", "knn")

# The methods that read a table block by block.
BLOCK_METHODS = ("robust", *REPEATED)

# The ids of the tables of the paper, for `perturbfs reproduce`.
TABLES = (
    "synth-perturbation",
    "synth-angles",
    "synth-without",
    "datasets",
    "kmeans-features",
    "kmeans-accuracy",
    "fuzzy",
    "measure",
    "fs-svm-split",
    "fs-svm",
)
