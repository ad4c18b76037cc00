"""A validation.json, made by hand, for tests of its page."""

INTERVAL = {"mean": 0.8, "low": 0.6, "high": 1.0}


def make_cohort(classes, outcome, n_samples):
    counts = None if classes is None else {label: outcome.count(k) for k, label in classes}
    return {
        "source_name": "b.csv",
        "target": "state",
        "n_samples": n_samples,
        "classes": counts,
        "samples": {
            "n_samples": n_samples,
            "n_shown": len(outcome),
            "classes": None if classes is None else [label for _, label in classes],
            "outcome": outcome,
            "values": [[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 1.0, 5.0]],
        },
    }


def make_shift(name, *, is_shifted):
    return {
        "name": name,
        "distance": 0.5,
        "p_value": 0.001,
        "p_adjusted": 0.002 if is_shifted else 1.0,
        "mean_difference": -0.75,
        "sd_ratio": None,
        "is_shifted": is_shifted,
    }


def make_validation(label="ill"):
    """A validation with every part of the page; a class that the second cohort lacks included."""
    both = [(0, label), (1, "well")]
    return {
        "schema_version": 1,
        "verdict": "The selection holds on the second cohort.",
        "comment": "A comment.",
        "conclusion": "holds",
        "date": "2026-03-31",
        "command": "perturbfs validate result b.csv",
        "random_state": 0,
        "task": "classification",
        "metric": "balanced_accuracy",
        "predictor": "svm",
        "method": "robust",
        "features": ["a", "b"],
        "classes": [label, "well", "x"],
        "first": make_cohort([*both, (2, "x")], [0, 0, 1, 2], 4),
        "second": make_cohort(both, [0, 0, 1, 1], 900),
        "scores": {
            "estimated": INTERVAL,
            "second": INTERVAL,
            "standardized": INTERVAL,
            "refit": INTERVAL,
            "guessing": 0.5,
            "p_value": 0.0005,
            "auc": INTERVAL,
            "correlation": None,
        },
        "confusion": {
            "counts": [[2, 0, 0], [1, 1, 0], [0, 0, 0]],
            "by_class": [
                {"sensitivity": INTERVAL, "specificity": INTERVAL},
                {"sensitivity": INTERVAL, "specificity": INTERVAL},
                {"sensitivity": None, "specificity": INTERVAL},
            ],
        },
        "predicted": None,
        "shifts": [make_shift("a", is_shifted=False), make_shift("b", is_shifted=True)],
        "findings": [
            {
                "kind": "shifted",
                "message": "1 of 2 features is distributed differently.",
                "advice": "Look at it.",
                "names": ["b"],
                "severity": "warning",
            }
        ],
        "notes": ["A note."],
        "versions": {"numpy": "2"},
    }


def make_quantity_validation():
    """A validation of a quantity, with a second cohort that is too small for a refit."""
    cohort = make_cohort(None, [0.5, 1.0, 2.0, 2.5], 4)
    scores = make_validation()["scores"]
    correlation = {"mean": 0.9, "low": 0.5, "high": 0.99}
    return make_validation() | {
        "task": "regression",
        "metric": "r2",
        "predictor": "ridge",
        "classes": None,
        "first": cohort,
        "second": cohort,
        "scores": scores | {"refit": None, "auc": None, "correlation": correlation},
        "confusion": None,
        "predicted": {"true": [0.5, 1.0], "predicted": [0.6, 0.9]},
        "shifts": [],
        "date": None,
        "command": None,
    }
