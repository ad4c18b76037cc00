"""All private names of scikit-learn that the package uses are imported here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.base import _fit_context
from sklearn.svm import _libsvm as libsvm
from sklearn.tree._classes import CRITERIA_CLF, CRITERIA_REG, DENSE_SPLITTERS, SPARSE_SPLITTERS
from sklearn.tree._tree import DepthFirstTreeBuilder, Tree
from sklearn.utils._metadata_requests import _routing_enabled as routing_enabled
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions
from sklearn.utils.validation import _check_method_params as check_method_params

_Method = TypeVar("_Method", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks

    FIT_STACKLEVEL = 5  # so that a warning in a function that `fit` calls points at the caller
except ModuleNotFoundError:  # scikit-learn before 1.9 has no callbacks
    FIT_STACKLEVEL = 4  # one decorator less

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Do nothing."""

    def _with_callbacks(method: Any) -> Any:
        return method


# scikit-learn's decorators have no types: used as they are, they hide those of `fit` from editors
# and type checkers.


def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[_Method], _Method]:
    """Return the decorator of `fit` that checks the parameters first."""
    decorate: Callable[[_Method], _Method] = _fit_context(
        prefer_skip_nested_validation=prefer_skip_nested_validation
    )
    return decorate


def with_callbacks(method: _Method) -> _Method:
    """Return a `fit` that calls the callbacks, where scikit-learn has them."""
    decorated: _Method = _with_callbacks(method)
    return decorated


__all__ = [
    "CRITERIA_CLF",
    "CRITERIA_REG",
    "DENSE_SPLITTERS",
    "FIT_STACKLEVEL",
    "SPARSE_SPLITTERS",
    "CallbackSupportMixin",
    "DepthFirstTreeBuilder",
    "HasMethods",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "Tree",
    "check_method_params",
    "fit_context",
    "libsvm",
    "routing_enabled",
    "with_callbacks",
]
