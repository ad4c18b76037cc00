"""Refuse inputs that users pass by mistake, before anything is converted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from perturbfs.arrays import Array, enumerate_some

# How the names of types start in pandas and polars.
NUMBERS = ("float", "int", "uint", "bool")
DATES = ("date", "time", "duration")


def refuse_mistakes(X: Any, y: Any) -> None:
    """Raise an error if X or y is of a kind that cannot be used, with what to pass instead.

    Parameters
    ----------
    X : object
        An AnnData object, a frame with repeated names, or a frame with text or dates is refused.
        Other kinds are left to the checks of scikit-learn.
    y : object
        A structured array and a single text or number are refused.
    """
    if all(hasattr(X, part) for part in ("X", "obs", "var")):
        raise ValueError(
            f"X is an {type(X).__name__} object, but an array or a frame is needed. Use "
            "perturbfs.anndata.select_genes(adata, 'cell_type'), which writes into adata.var and "
            "adata.uns; or pass adata.X or adata.to_df(), and as y an outcome such as "
            "adata.obs['cell_type']."
        )
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields:
        known = " and ".join(map(repr, fields))
        raise ValueError(
            f"y is a structured array with the fields {known}, as survival packages use, but one "
            "class or one number per sample is needed. Survival times with censoring are taken by "
            f"RobustSelector only. Use it, or pass one field, for example y[{fields[0]!r}]."
        )
    if isinstance(y, (str, int, float)):
        raise ValueError(
            f"y is {y!r}, but one class or one number per sample is needed. "
            "If this is the name of a column, pass that column of your frame."
        )
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        _refuse_repeated_names(list(X.columns))
        _refuse_no_numbers(X)


def _refuse_repeated_names(names: list[Any]) -> None:
    if len(set(names)) == len(names):
        return
    repeated = [repr(name) for name, count in Counter(names).items() if count > 1]
    raise ValueError(
        f"X has {len(repeated)} repeated feature name{'' if len(repeated) == 1 else 's'}: "
        f"{enumerate_some(repeated)}. Each feature needs a name of its own. Keep the first of "
        "each with X.loc[:, ~X.columns.duplicated()], or take means with "
        "X.T.groupby(level=0).mean().T."
    )


def _refuse_no_numbers(X: Any) -> None:
    """Raise an error that names the columns of a frame that hold text or dates."""
    labels = {kind: str(kind).lower() for kind in set(X.dtypes)}
    if all(label.startswith(NUMBERS) for label in labels.values()):
        return
    types = {name: labels[kind] for name, kind in zip(X.columns, X.dtypes, strict=True)}
    dates = [name for name, label in types.items() if label.startswith(DATES)]
    if dates:
        _refuse_content("dates", [repr(name) for name in dates])
    odd = [name for name, label in types.items() if not label.startswith(NUMBERS)]
    refuse_text(np.asarray(X[odd]), [repr(name) for name in odd])


def refuse_text(values: Array, names: list[str]) -> None:
    """Raise an error that names the columns of an array whose values cannot become numbers."""
    if _is_numeric(values):
        return
    culprits = [name for j, name in enumerate(names) if not _is_numeric(values[:, j])]
    _refuse_content("text", culprits)


def _refuse_content(held: str, names: list[str]) -> None:
    """Raise the error for features that hold text or dates."""
    advice = (
        "Drop these features or encode them, for example with OneHotEncoder."
        if held == "text"
        else "Drop these features, or turn them into numbers such as days since the first date."
    )
    raise ValueError(
        f"X holds {held} in {enumerate_some(names)}, but features must be numbers. {advice}"
    )


def _is_numeric(values: Array) -> bool:
    try:
        values.astype(np.float64)
    except (TypeError, ValueError):
        return False
    return True
