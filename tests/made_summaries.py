"""Summaries of a selection, made by hand, for tests of pages and figures."""

ROW = {
    "rank": 1,
    "name": "a",
    "score": 0.25,
    "n_stands_for": 2,
    "stands_for": ["b", "c"],
    "direction": None,
    "effects": None,
    "correlation": None,
    "n_again": None,
    "n_again_group": None,
    "copy_of": None,
    "copy_r": None,
    "effect": None,
    "p_value": None,
    "q_value": None,
}
INTERVAL = {"mean": 0.8, "low": 0.6, "high": 1.0}
COMPARISONS = [
    {"against": "guessing", "difference": 0.2, "low": 0.1, "high": 0.3, "p_value": 0.004},
    {"against": "random", "difference": 0.0, "low": -0.1, "high": 0.1, "p_value": 1.0},
    {"against": "all_features", "difference": -0.3, "low": None, "high": None, "p_value": 0.0},
]


def make_summary(**changes):
    summary = {
        "schema_version": 2,
        "headline": "2 of 60 features were selected.",
        "source_name": None,
        "date": None,
        "notes": [],
        "findings": [],
        "comparisons": COMPARISONS,
        "data": [["samples", "40"]],
        "scores": [["this way of selecting", 0.7, 0.4, 1.2], ["guessing", 0.5, None, None]],
        "metric": "balanced accuracy",
        "n_splits": 5,
        "classes": ["x", "y"],
        "estimate": "Mean over 5 random splits.",
        "stability": "Stability 0.50.",
        "features": [
            ROW,
            ROW | {"rank": 2, "name": "d", "score": None, "n_stands_for": 0, "stands_for": []},
        ],
        "settings": [["method", "paper"]],
        "command": None,
        "details": None,
    }
    return summary | changes


def make_joined(name="genes"):
    """A summary of two tables that were joined, the first of them called as given."""
    rows = [row | {"origin": name} for row in make_summary()["features"]]
    origins = [
        {"name": name, "n_features": 50, "n_selected": 2},
        {"name": "methylation", "n_features": 10_000, "n_selected": 0},
    ]
    return make_summary(features=rows, origins=origins)


def make_detailed(name="a", label="x"):
    """A summary with every kind of picture, in which names and classes are as given."""
    more = {"direction": f"higher in {label}", "effects": [0.5, -0.5], "n_again": 3}
    more |= {"effect": -1.5, "p_value": 1e-5, "q_value": 0.02}
    rows = [ROW | more | {"name": name, "stands_for": [name, "c"], "n_again_group": 4}]
    axes = [
        {"key": key, "label": key, "is_log": False, "low": 0.0, "high": 1.0}
        for key in ("angle_to_target", "sensitivity", "angle_without")
    ]
    points = {key["key"]: [0.5, 0.2] for key in axes}
    details = {
        "curve": {
            "n_features": [1, 2, 3],
            "score": [0.6, 0.7, 0.8],
            "standard_error": [0.1, 0.1, 0.1],
            "chosen": 1,
            "best": 3,
            "rule": "one_se",
            "equal": [2, 3],
            "least": 2,
        },
        "samples": {
            "n_samples": 9,
            "n_shown": 4,
            "classes": [label, "y"],
            "outcome": [0, 0, 1, 1],
            "values": [[1.0, 2.0, 3.0, 4.0]],
        },
        "map": {
            "axes": axes,
            "n_features": 100_000,
            "n_shown": 2,
            "is_own": False,
            "points": {"name": [name, "c"], **points, "group": [1, 1]},
            "densities": [],
        },
        "groups": [
            {"members": [name, "c"], "correlation": [1.0, 0.9], "joins": [[0, 1, 0.1]],
             "n_left_out": 3}
        ],
        "noise": {
            "rows": [
                {"level": level, "kept": 1.0, "changed": 0.0, "score": 0.7}
                for level in (0.0, 0.01, 0.2)
            ],
            "n_repeats": 5,
            "note": "",
        },
        "predictions": {
            "classes": [label, "y"],
            "counts": [[4, 1], [2, 3]],
            "by_class": [{"sensitivity": INTERVAL, "specificity": INTERVAL}] * 2,
            "auc": INTERVAL,
        },
        "survival": {
            "curves": [
                {"label": f"{risk} risk", "n_samples": 3, "n_events": 2, "time": [0.0, 1.0, 2.0],
                 "survival": [1.0, 0.6, 0.3], "at_risk": [3, 2]}
                for risk in ("lower", "higher")
            ],
            "at_risk_times": [0.0, 1.0],
            "time_label": label,
            "n_tested": 6,
            "n_samples": 9,
        },
        "volcano": {
            "label": "difference of means",
            "short_label": "difference",
            "about": "If the values are logarithms to base 2, this is the log2 fold change.",
            "classes": [label, "y"],
            "n_features": 100_000,
            "n_significant": 1,
            "p_limit": 1e-5,
            "effect": [-1.5, 0.5],
            "log_p": [5.0, 1.0],
            "n_chosen": 1,
        },
    }  # fmt: skip
    return make_summary(features=rows, classes=[label, "y"], details=details, command="perturbfs")
