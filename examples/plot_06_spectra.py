"""
Wavelengths of spectra that predict a quantity
==============================================

In a spectrum, neighboring wavelengths are nearly copies of each other. A selection should take one
wavelength of each useful band and name its neighbors, so that a filter of a cheaper instrument can
be chosen among them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from perturbfs import RobustSelector

# %%
# Each made-up spectrum is a sum of five bands. The outcome depends on the heights of two of them.

rng = np.random.default_rng(0)
wavelengths = np.arange(900, 1700, 4)
centers, widths = np.array([980, 1120, 1250, 1400, 1560]), np.array([30, 50, 40, 60, 45])
heights = 1 + 0.3 * rng.standard_normal((80, 5))
shapes = np.exp(-(((wavelengths - centers[:, None]) / widths[:, None]) ** 2))
X = heights @ shapes + 0.01 * rng.standard_normal((80, len(wavelengths)))
y = 3 * heights[:, 1] - 2 * heights[:, 3] + 0.1 * rng.standard_normal(80)

# %%
# A quantity needs no other parameter: fractions are recognized.

selector = RobustSelector(3).fit(X, y)
print("wavelengths:", wavelengths[selector.path_])
for feature, members in selector.groups_.items():
    band = wavelengths[members]
    print(f"{wavelengths[feature]} nm: its group goes from {band.min()} to {band.max()} nm")
pipeline = make_pipeline(RobustSelector(3), StandardScaler(), Ridge())
print(f"cross-validated R² with three wavelengths: {cross_val_score(pipeline, X, y).mean():.2f}")

# %%
# The first two lie on the flanks of the two bands that matter.

plt.plot(wavelengths, X[:15].T, color="lightgrey")
for rank, feature in enumerate(selector.path_, start=1):
    plt.axvline(wavelengths[feature], color="C1")
    plt.text(wavelengths[feature] + 5, 1.72, str(rank), color="C1")
plt.ylim(-0.1, 1.85)
plt.xlabel("wavelength in nm")
plt.ylabel("absorbance")
plt.show()
