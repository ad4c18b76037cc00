"""The only place that imports names scikit-learn does not promise to keep."""

from __future__ import annotations

from sklearn.base import _fit_context as fit_context
from sklearn.utils._metadata_requests import _routing_enabled as routing_enabled
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

__all__ = ["HasMethods", "Interval", "StrOptions", "fit_context", "routing_enabled"]
