"""
An AnnData file
===============

``read_table`` reads the matrix ``X`` of an .h5ad file, with genes as features and a column of
``obs`` as the outcome. The file of this example is made here. It needs
``pip install 'perturbfs[anndata]'``.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from perturbfs import RobustSelector
from perturbfs.datasets import read_table
from perturbfs.report import plot_heat_map

# %%
# Three made-up types of cells: each type has four genes that it expresses more than the others.

rng = np.random.default_rng(0)
types = np.repeat(["B cell", "T cell", "monocyte"], 40)
rates = np.full((120, 300), 0.5)
for position, cell_type in enumerate(np.unique(types)):
    rates[np.ix_(types == cell_type, range(4 * position, 4 * position + 4))] = 4
counts = rng.poisson(rates).astype(np.float32)
cells = anndata.AnnData(
    np.log1p(counts),
    obs=pd.DataFrame({"cell_type": types}, index=[f"cell {i}" for i in range(120)]),
    var=pd.DataFrame(index=[f"gene {i:03d}" for i in range(300)]),
)

# %%
# Write the file, and read it as samples by features.

with TemporaryDirectory() as folder:
    path = Path(folder) / "cells.h5ad"
    cells.write_h5ad(path)
    table = read_table(path, target="cell_type")
print(table.X.shape, table.task, table.feature_names[:3])

# %%
# Six genes tell the three types apart. A frame gives the selector the names of the genes. The
# result can be written to ``var`` by hand.

X = pd.DataFrame(table.X, columns=table.feature_names)
selector = RobustSelector(6, nonlinear=False).fit(X, table.y)
cells.var["selected"] = selector.support_
print(selector.to_frame()[["name", "score", "direction"]])

# %%
# Each row is a selected gene, each column a cell.

figure, axis = plt.subplots(figsize=(8, 3))
plot_heat_map(selector, X, table.y, ax=axis)
plt.show()
