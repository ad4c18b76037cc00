"""
Genes of an AnnData object
==========================

``perturbfs.anndata.select_genes`` selects a few genes that together tell the types of cells apart,
and writes them into the AnnData object as scanpy does. The cells of this example are made here. It
needs ``pip install 'perturbfs[anndata]'``.
"""

import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scipy.sparse

from perturbfs.anndata import get_df, markers_by_class, plot_genes, select_genes

# %%
# Three made-up types of cells from six donors. Each type has four genes that it expresses more
# than the others. The matrix is sparse, as usual.

rng = np.random.default_rng(0)
types = np.repeat(["B cell", "T cell", "monocyte"], 40)
rates = np.full((120, 300), 0.5)
for position, cell_type in enumerate(np.unique(types)):
    rates[np.ix_(types == cell_type, range(4 * position, 4 * position + 4))] = 4
counts = rng.poisson(rates).astype(np.float32)
cells = anndata.AnnData(
    scipy.sparse.csr_matrix(np.log1p(counts)),
    obs=pd.DataFrame(
        {"cell_type": types, "donor": np.tile(list("abcdef"), 20)},
        index=[f"cell {i}" for i in range(120)],
    ),
    var=pd.DataFrame(index=[f"gene {i:03d}" for i in range(300)]),
)

# %%
# Select. All cells of a donor are on the same side of every split, so that the estimate holds for
# new donors.

select_genes(cells, "cell_type", n_genes=6, donor_key="donor")
print(cells.uns["perturbfs"]["estimate"]["verdict"])

# %%
# ``var`` says which genes were selected. The whole result is a data frame.

print(cells.var[cells.var["perturbfs"]])
print(get_df(cells).drop(columns=["stands_for", "copy_of"]))

# %%
# Scanpy's plots take the genes by class: ``sc.pl.dotplot(cells, markers, groupby="cell_type")``.

markers = markers_by_class(cells)
print(markers)

# %%
# How one type differs from all other cells:

print(get_df(cells, group="T cell"))

# %%
# The mean of each gene in each type. The number before a gene is its rank.

plot_genes(cells)
plt.show()
