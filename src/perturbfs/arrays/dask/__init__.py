"""Features in dask arrays, and the clusters that work on them."""
