"""Made-up cells of three types, each of which expresses three genes more than the others."""

import numpy as np
import pandas as pd
import scipy.sparse

TYPES = ("B/plasma", "T cell", "monocyte")
N_CELLS, N_GENES = 72, 60


def make_cells(matrix=np.asarray, *, with_raw=False):
    """Return an AnnData object; gene 3 i to 3 i + 2 are markers of type i."""
    import anndata

    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(3), N_CELLS // 3)
    rates = np.full((N_CELLS, N_GENES), 0.5)
    for i in range(3):
        rates[np.ix_(code == i, range(3 * i, 3 * i + 3))] = 5.0
    values = np.log1p(rng.poisson(rates)).astype(np.float32)
    obs = pd.DataFrame(
        {
            "type": pd.Categorical(np.array(TYPES)[code], categories=TYPES[::-1]),
            "donor": np.tile([f"donor {i}" for i in range(8)], N_CELLS // 8),
            "depth": rng.normal(size=N_CELLS),
        },
        index=[f"cell {i}" for i in range(N_CELLS)],
    )
    var = pd.DataFrame(index=[f"gene {j}" for j in range(N_GENES)])
    adata = anndata.AnnData(matrix(values), obs=obs, var=var)
    if with_raw:
        adata.raw = adata.copy()
        return adata[:, 3:].copy()  # the markers of the first type are in raw only
    return adata


def as_csr(values):
    return scipy.sparse.csr_matrix(values)


def as_csc(values):
    return scipy.sparse.csc_matrix(values)
