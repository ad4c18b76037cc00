"""Feature selection by perturbation for wide tables."""

__version__ = "0.1.0.dev0"
