"""The page of an evaluation in a real browser."""

import pytest

pytestmark = pytest.mark.slow

METHODS = {"robust": (0.9, 0.05), "mrmr": (0.7, 1.5), "<script>alert(1)</script>": (0.8, 0.5)}


def make_row(method, requested, mean, seconds):
    is_selection = requested != "all"
    return {
        "method": method,
        "requested": requested,
        "n_features": 5.0,
        "mean": mean,
        "low": mean - 0.1,
        "high": mean + 0.1,
        "by_predictor": {"tree": mean},
        "stability": 0.4 if is_selection else None,
        "stability_low": 0.3 if is_selection else None,
        "stability_high": 0.5 if is_selection else None,
        "seconds": seconds,
        "refusal": None,
    }


@pytest.fixture(scope="module")
def evaluation_page(tmp_path_factory):
    from perturbfs.report import render_evaluation

    pair = {"first": "robust", "second": "mrmr", "difference": 0.2, "low": 0.1, "high": 0.3}
    pair |= {"p_value": 0.01, "p_adjusted": 0.02, "is_significant": True}
    data = {"n_samples": 40, "n_features": 60, "n_constant": 0, "task": "classification"}
    data |= {"target": "state", "classes": {"a": 20, "b": 20}, "n_missing": 0, "impute": None}
    document = {
        "schema_version": 2,
        "planned": [],
        "methods": list(METHODS),
        "requested": [5],
        "predictors": ["tree"],
        "n_splits": 4,
        "random_state": 0,
        "groups": None,
        "batch": None,
        "n_groups": None,
        "min_class_size": None,
        "data": data
        | {"dropped": [], "groups": None, "batch": None, "n_events": None}
        | {"source_name": None, "fingerprint": "f00"},
        "versions": {"perturbfs": "0.1"},
        "metric": "balanced_accuracy",
        "test_share": 3 / 7,
        "left_out": {},
        "summary": [
            *(make_row(name, 5, *values) for name, values in METHODS.items()),
            make_row("all features", "all", 0.6, 0.0),
            make_row("guessing", "all", 0.5, 0.0),
        ],
        "comparisons": [
            {
                "requested": 5,
                "mean_ranks": {name: float(k) for k, name in enumerate(METHODS, start=1)},
                "groups": [list(METHODS)],
                "pairs": [pair, pair | {"second": "all features", "difference": -0.1}],
            }
        ],
        "refusals": [],
    }
    path = tmp_path_factory.mktemp("evaluation") / "report.html"
    path.write_text(render_evaluation(document), encoding="utf-8")
    return path


def test_tables_sort_and_names_stay_text(open_page, evaluation_page):
    with open_page(evaluation_page) as page:
        names = page.locator("#size-1 tbody th")
        page.locator("#size-1 thead th", has_text="balanced accuracy").locator("button").click()
        ordered = ["guessing", "all features", "mrmr", "<script>alert(1)</script>", "robust"]
        assert names.all_text_contents() == ordered
        page.locator("#pairs-1 thead th", has_text="difference").locator("button").click()
        seconds = page.locator("#pairs-1 tbody td:nth-child(2)")
        assert seconds.all_text_contents() == ["all features", "mrmr"]


def test_every_figure_is_there_and_has_its_data(open_page, evaluation_page):
    with open_page(evaluation_page) as page:
        for words in ("Score by number", "Paired differences", "Stability and score", "Time"):
            assert page.locator("h2", has_text=words).count() == 1
        with page.expect_download() as download:
            page.locator("[data-csv=summary]").click()
        assert download.value.suggested_filename == "summary.csv"
        assert page.locator("[data-csv=pairs-1]").count() == 1


def test_it_fits_a_phone(open_page, evaluation_page):
    with open_page(evaluation_page, viewport={"width": 390, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
