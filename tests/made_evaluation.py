"""An evaluation.json, made by hand, for tests of its page."""


def make_row(method, requested, mean, refusal=None):
    is_selection = requested != "all" and refusal is None
    return {
        "method": method,
        "requested": requested,
        "n_features": None if refusal else 5.0,
        "mean": None if refusal else mean,
        "low": None if refusal else mean - 0.3,
        "high": None if refusal else mean + 0.3,
        "by_predictor": {} if refusal else {"tree": mean},
        "stability": 0.4 if is_selection else None,
        "stability_low": 0.3 if is_selection else None,
        "stability_high": 1.1 if is_selection else None,
        "seconds": 0.25 if is_selection else None if refusal else 0.0,
        "refusal": refusal,
    }


def make_comparison(requested, ranks, groups):
    return {"requested": requested, "mean_ranks": ranks, "groups": groups, "pairs": []}


def make_evaluation():
    ranks = {"mrmr": 1.2, "all features": 1.8, "random": 3.0}
    groups = [["mrmr", "all features"], ["random"]]
    return {
        "schema_version": 2,
        "methods": ["mrmr", "random"],
        "requested": [5, 10],
        "predictors": ["tree"],
        "n_splits": 4,
        "random_state": 0,
        "groups": "patient",
        "n_groups": 9,
        "batch": None,
        "min_class_size": 3,
        "data": {
            "n_samples": 40,
            "n_features": 60,
            "n_constant": 0,
            "task": "classification",
            "target": "state",
            "classes": {"a": 20, "b": 18, "c": 2},
            "n_events": None,
            "n_missing": 0,
            "impute": None,
            "dropped": [],
            "notes": [],
            "findings": [],
            "groups": None,
            "batch": None,
            "source_name": None,
            "fingerprint": "f00",
        },
        "versions": {"perturbfs": "0.1"},
        "metric": "balanced_accuracy",
        "test_share": 3 / 7,
        "left_out": {"c": 2},
        "summary": [
            make_row("mrmr", 5, 0.8),
            make_row("mrmr", 10, 0.85),
            make_row("random", 5, 0.55),
            make_row("random", 10, 0.0, "There are too few."),
            make_row("all features", "all", 0.7),
            make_row("guessing", "all", 0.5),
        ],
        "comparisons": [
            make_comparison(5, ranks, groups),
            make_comparison(10, {"mrmr": 1.0, "all features": 2.0}, [["mrmr", "all features"]]),
            make_comparison("every size", ranks, groups),
        ],
        "planned": [],
        "refusals": [
            {"method": "random", "requested": 10, "split": split, "reason": "There are too few."}
            for split in (1, 3)
        ],
    }
