"""How good and how stable a selection is.

Called `evaluation` because `perturbfs.evaluate` is a function.
"""

from ._stability import stability

__all__ = ["stability"]
