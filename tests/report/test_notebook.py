"""What a fitted selector shows in a notebook."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.datasets import make_wide_classification


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 60, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    return RobustSelector(3).fit(data.X, data.y)


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
    names = ["<script>alert(1)</script>"] * 1 + [f"g{j}" for j in range(1, 60)]
    frame = pd.DataFrame(np.roll(data.X, 1, axis=1), columns=names)
    html = PerturbationSelector(60 // 3, random_state=0).fit(frame, data.y)._summary_html()
    assert "<script>" not in html
    assert "and 8 more" in html


def test_every_plot_draws(data, fitted):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    X, y = data.X, data.y
    axes = [
        fitted.plot_map(X, y),
        fitted.plot_heat_map(X, y),
        fitted.plot_group(X, next(k for k, group in fitted.groups_.items() if len(group) > 1)),
        RobustSelector(max_features=3).fit(X, y).plot_curve(),
    ]
    assert all(ax.has_data() for ax in axes)
    assert len(fitted.plot_features(X, y).axes) == 3
    pyplot.close("all")


def test_what_cannot_be_plotted_is_refused_in_a_sentence(data, fitted):
    with pytest.raises(ValueError, match="There is no curve to plot"):
        fitted.plot_curve()
    with pytest.raises(ValueError, match="was fitted to 60 features"):
        fitted.plot_map(data.X[:, :5], data.y)
    with pytest.raises(ValueError, match=r"Feature 999 was not chosen. Pass one of \d+"):
        fitted.plot_group(data.X, 999)
