"""Data to try things on."""

from ._synthetic import WideClassification, make_synth_data, make_wide_classification

__all__ = ["WideClassification", "make_synth_data", "make_wide_classification"]
