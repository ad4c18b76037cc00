"""Plots of a fitted selector, and its summary in a notebook."""

import numpy as np
import pytest
from made_survival import make_survival
from sklearn import config_context
from sklearn.pipeline import make_pipeline

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import AnovaSelector
from perturbfs.datasets import make_wide_classification
from perturbfs.report import (
    plot_curve,
    plot_features,
    plot_group,
    plot_heat_map,
    plot_map,
    plot_noise,
)


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 60, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    return RobustSelector(3).fit(data.X, data.y)


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_the_diagram_of_scikit_learn_comes_first_and_the_summary_after_it(fitted):
    html = fitted._repr_html_()
    assert "sk-container" in html.partition("perturbfs-summary")[0]
    assert "3 of 60 features selected" in html.partition("perturbfs-summary")[2]
    assert fitted._repr_mimebundle_()["text/html"].endswith("</div>")


def test_there_is_no_summary_before_the_fit_and_none_in_a_pipeline(fitted):
    assert "perturbfs-summary" not in RobustSelector()._repr_html_()
    assert "perturbfs-summary" not in make_pipeline(fitted)._repr_html_()


def test_plain_text_is_respected(fitted):
    with config_context(display="text"):
        assert set(fitted._repr_mimebundle_()) == {"text/plain"}
        assert not hasattr(fitted, "_repr_html_")


def test_names_are_only_text(data):
    pd = pytest.importorskip("pandas")
    names = ["<script>alert(1)</script>"] + [f"g{j}" for j in range(1, 60)]
    frame = pd.DataFrame(np.roll(data.X, 1, axis=1), columns=names)
    html = PerturbationSelector(60 // 3, random_state=0).fit(frame, data.y)._repr_html_()
    summary = html.partition("perturbfs-summary")[2]
    assert "<script>" not in summary
    assert "and 8 more" in summary


def test_every_plot_draws(data, fitted, pyplot):
    pd = pytest.importorskip("pandas")
    X, y = data.X, data.y
    axes = [
        plot_map(fitted, X, y),
        plot_heat_map(fitted, pd.DataFrame(X), y),
        plot_group(fitted, X, next(k for k, group in fitted.groups_.items() if len(group) > 1)),
        plot_noise(fitted, X, y),
        plot_curve(RobustSelector(max_features=3).fit(X, y)),
    ]
    assert all(ax.has_data() for ax in axes)
    assert len(plot_features(fitted, X, y).axes) == 3


def test_other_selectors_have_plots_too(data, pyplot):
    selector = AnovaSelector(2).fit(data.X, data.y)
    assert plot_map(selector, data.X, data.y).has_data()
    assert len(plot_features(selector, data.X, data.y).axes) == 2


def test_what_cannot_be_plotted_is_refused_in_a_sentence(data, fitted):
    with pytest.raises(ValueError, match="There is no curve to plot"):
        plot_curve(fitted)
    with pytest.raises(ValueError, match="was fitted to 60 features"):
        plot_map(fitted, data.X[:, :5], data.y)
    with pytest.raises(ValueError, match=r"y has shape \(40, 1\), but X has 40 samples"):
        plot_map(fitted, data.X, data.y[:, None])
    with pytest.raises(ValueError, match=r"Feature 999 was not selected. Pass one of \d+"):
        plot_group(fitted, data.X, 999)


def test_plots_take_survival_outcomes_in_both_forms(pyplot):
    X, y = make_survival(80, 20)
    selector = RobustSelector(3).fit(X, y)
    columns = np.column_stack([y["time"], y["event"]])
    for outcome in (y, columns):
        assert len(plot_features(selector, X, outcome).axes) == 3
        assert plot_map(selector, X, outcome).has_data()
        assert plot_heat_map(selector, X, outcome).has_data()
        assert plot_noise(selector, X, outcome).has_data()
