"""Features in files: .npy, Zarr, HDF5 and Parquet, read block by block."""
