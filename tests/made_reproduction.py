"""A summary of a reproduction, made by hand, for tests of its page."""

NAMES = ["published", "reproduced", "random_published", "honest", "random_honest", "all_honest"]


def numbers(mean, agreement="agrees"):
    names = ("mean", "optimal", "standard_error", "n_runs", "agreement")
    return dict(zip(names, (mean, 95.0, 1.25, 10, agreement), strict=True))


def cell(mean, verdict, **more):
    plain = {
        "published": {"mean": 91.58, "optimal": 100, "single": None},
        "ours": numbers(mean),
        "inner": None,
        "n_refused": 0,
        "verdict": verdict,
    }
    return plain | more


def make_reproduction():
    hostile = "<script>alert(1)</script>"
    return {
        "citation": "Somebody",
        "tolerance": {"accuracy": 5.0, "n_features": 0.3, "measure": 0.3},
        "story": [
            {"dataset": hostile, **dict(zip(NAMES, [91.6, 88.4, 90.8, 65, 63, 70], strict=True))},
            {"dataset": "Lung", **dict.fromkeys(NAMES, None), "published": 94.1},
        ],
        "tables": [
            {
                "id": "a",
                "title": "Accuracy",
                "note": "",
                "protocol": protocol,
                "columns": [{"name": "PFS-DT", "method": "m", "quantity": "accuracy"}],
                "rows": [{"name": hostile, "dataset": "a", "cells": [cell(88.44, verdict)]}],
            }
            for protocol, verdict in [("published", "agrees"), ("honest", "not told apart")]
        ],
        "verdicts": {"honest": {"not told apart": 101, "better than random subsets": 1}},
        "fits": [{"quantity": "accuracy", "n_cells": 32, "outer": 3, "inner": 22}],
        "targets": [
            {
                "dataset": hostile,
                "n_features": cell(30.0, "agrees"),
                "accuracy": cell(81.2, "differs"),
                "why": "Rounding.",
            }
        ],
        "notes": [{"title": "Draws", "text": "The interval is (0, 1)."}],
        "other_runs": [
            {
                "protocol": "honest",
                "dataset": "*",
                "method": "pfs-fuzzy-*",
                "runs": 5,
                "quick_runs": 1,
                "why": "slow",
            }
        ],
        "settings": {
            "random_state": 0,
            "quick": False,
            "versions": {"numpy": "2"},
            "checksums": {"colon": "ff"},
            "missing_datasets": {},
        },
    }
