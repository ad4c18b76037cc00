"""
Many classes
============

All classes are weighted equally, however rare they are. Here the ten digits are told apart by a
few pixels of 8 x 8 images, which scikit-learn brings along.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from perturbfs import RobustSelector, evaluate
from perturbfs.baselines import AnovaSelector

digits = load_digits()
rows = np.random.default_rng(0).choice(len(digits.target), 400, replace=False)
X, y = digits.data[rows], digits.target[rows]

# %%
# Pixels are taken one by one, each for what the earlier ones do not explain.

selector = RobustSelector(20, nonlinear=False).fit(X, y)
print("pixels in the order of choice:", selector.path_)

# %%
# Ranking each pixel for itself, as an F test does, takes neighbors that repeat each other.

sizes = [5, 10, 20]
methods = {"robust": RobustSelector(nonlinear=False), "ANOVA F": AnovaSelector()}
found = evaluate(methods, X, y, n_features=sizes, n_splits=4, random_state=0)
for size in sizes:
    scores = ", ".join(f"{name} {found.estimate(name, size).mean:.2f}" for name in methods)
    print(f"{size} pixels: {scores}, all {found.estimate('all features', 'all').mean:.2f}")

# %%
# Darker pixels were selected earlier.

order = np.full(64, np.nan)
order[selector.path_] = np.arange(1, 21)
figure, axes = plt.subplots(1, 4, figsize=(8, 2.4))
for axis, digit in zip(axes, (0, 3, 8), strict=False):
    axis.imshow(X[y == digit].mean(axis=0).reshape(8, 8), cmap="gray_r")
    axis.set_title(f"mean of {digit}")
axes[-1].imshow(order.reshape(8, 8), cmap="viridis")
axes[-1].set_title("order of choice")
for axis in axes:
    axis.axis("off")
plt.show()
