"""
A table on disk
===============

``open_table`` opens a file without reading its features. The selectors then read it block by
block, and select the same features as in memory.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from perturbfs import RobustSelector
from perturbfs.datasets import make_wide_classification, open_table

data = make_wide_classification(n_samples=80, n_features=20_000, random_state=0)
in_memory = RobustSelector(8).fit(data.X, data.y)

# %%
# The file is stored feature by feature (in Fortran order), so a block is one piece of it.
# ``perturbfs convert`` does this to other files. The limit of the memory counts in addition to the
# results; 64 MB is the smallest. Files of many gigabytes are read in the same way.

with TemporaryDirectory() as folder:
    path = Path(folder) / "expression.npy"
    np.save(path, np.asfortranarray(data.X, dtype=np.float32))
    table = open_table(path, target=data.y, memory="64MB")
    print(f"{path.stat().st_size / 1e6:.1f} MB on disk, {table.n_features:,} features")
    on_disk = RobustSelector(8).fit(table.X, table.y)
print("the same features:", on_disk.path_.tolist() == in_memory.path_.tolist())

# %%
# All features by their angle to the outcome. The selected ones are not simply those with the
# smallest angles, because each is chosen for what the earlier ones do not explain.

plt.hist(on_disk.angle_to_target_, bins=80, color="lightgrey")
for feature in on_disk.path_:
    plt.axvline(on_disk.angle_to_target_[feature], color="C1", ymax=0.3)
plt.yscale("log")
plt.xlabel("angle to the outcome in degrees; 90 means unrelated")
plt.ylabel("features")
plt.show()
