"""Rivals to compare with, all of them scikit-learn selectors."""

from ._random import RandomSelector

__all__ = ["RandomSelector"]
