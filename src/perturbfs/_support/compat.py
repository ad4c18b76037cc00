"""The only place that imports names scikit-learn does not promise to keep."""

from __future__ import annotations

from typing import Any

from sklearn.base import _fit_context as fit_context
from sklearn.utils._metadata_requests import _routing_enabled as routing_enabled
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import _check_method_params as check_method_params

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks

    FIT_STACKLEVEL = 5  # from a function that `fit` calls to the caller of `fit`
except ModuleNotFoundError:  # scikit-learn before 1.9 has no callbacks
    FIT_STACKLEVEL = 4  # one decorator less

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Any) -> Any:
        """The method as it is."""
        return method


__all__ = [
    "FIT_STACKLEVEL",
    "CallbackSupportMixin",
    "HasMethods",
    "Interval",
    "StrOptions",
    "check_method_params",
    "fit_context",
    "routing_enabled",
    "with_callbacks",
]
