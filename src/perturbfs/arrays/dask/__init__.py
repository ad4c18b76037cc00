"""Features in dask arrays, processed by threads or by the workers of a cluster."""
