"""
Several samples of each patient
===============================

If a patient has several samples, some of them must not be used for training while the others are
used for testing. Here the outcome is drawn at random for each patient, so nothing can be
predicted. Only splits that keep the patients together say so.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from perturbfs import RobustSelector, evaluate
from perturbfs.exceptions import DataWarning

# %%
# Thirty patients have three samples each. The samples of a patient resemble each other.

rng = np.random.default_rng(0)
patients = np.repeat(np.arange(30), 3)
X = rng.standard_normal((30, 200))[patients] + 0.5 * rng.standard_normal((90, 200))
y = np.repeat(rng.permutation([0, 1] * 15), 3)

# %%
# Without the patients, ``evaluate`` warns of samples that are nearly identical.

settings = {"n_features": [5, 10, 20], "n_splits": 10, "random_state": 0}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", DataWarning)
    careless = evaluate({"robust": RobustSelector()}, X, y, **settings)
print(caught[0].message)

# %%
# With them, no split separates the samples of a patient. ``RobustSelector().fit`` takes ``groups``
# too, and so does the command line: ``--groups patient``. The lower curve is not exactly at 0.5:
# thirty patients are few.

careful = evaluate({"robust": RobustSelector()}, X, y, groups=patients, **settings)
for label, found in (("patients are divided", careless), ("patients stay together", careful)):
    sizes = found.sizes
    plt.plot(sizes, [found.estimate("robust", size).mean for size in sizes], "o-", label=label)
plt.axhline(0.5, color="grey", linestyle=":", label="the truth: guessing")
plt.ylim(0.3, 1)
plt.xlabel("number of features")
plt.ylabel("balanced accuracy")
plt.legend()
plt.show()
