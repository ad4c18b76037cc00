"""Every plot draws what any selector selected from any table, or one sentence says why not."""

import io

import pytest
from any_tables import FEW, attempt, tables
from hypothesis import given
from hypothesis import strategies as st

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import AnovaSelector
from perturbfs.report import (
    plot_curve,
    plot_features,
    plot_group,
    plot_heat_map,
    plot_map,
)

pytestmark = pytest.mark.slow

SELECTORS = (
    lambda: RobustSelector(2),
    lambda: PerturbationSelector(random_state=0, n_repeats=2),
    lambda: AnovaSelector(2),
)


@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.DataWarning")
@FEW
@given(tables(), st.sampled_from(SELECTORS))
def test_a_plot_is_drawn_or_one_sentence_says_why_not(table, make):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    X, y = table
    selector = attempt(make().fit, X, y)
    if selector is None:
        return
    feature = int(selector.get_support(indices=True)[0])
    for draw in (
        lambda: plot_curve(selector),
        lambda: plot_features(selector, X, y),
        lambda: plot_group(selector, X, feature),
        lambda: plot_heat_map(selector, X, y),
        lambda: plot_map(selector, X, y),
    ):
        attempt(draw)
        if pyplot.get_fignums():
            pyplot.savefig(io.BytesIO(), format="svg")
        pyplot.close("all")
