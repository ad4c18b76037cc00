"""The page of a selection on a second cohort."""

from html import unescape

import pytest
from made_validation import make_quantity_validation, make_validation

from perturbfs.report import render_validation


def test_the_page_begins_with_the_verdict_and_names_the_warning():
    page = render_validation(make_validation())
    assert page.index("The selection holds on the second cohort.") < page.index("A comment.")
    assert '<li class="warning"><strong>1 of 2 features is distributed differently.' in page
    assert "b.csv</span>, 31 March 2026" in page


def test_the_feature_that_differs_is_drawn_first_and_marked():
    page = render_validation(make_validation())
    first = page.index('<figcaption>b <span class="shifted">differs</span>')
    assert first < page.index("<figcaption>a</figcaption>")
    assert page.count('<tr class="shifted">') == 1
    assert page.count('aria-label="a in both cohorts"') == 1


def test_a_class_without_samples_has_no_sensitivity_but_a_row():
    page = render_validation(make_validation())
    dash = "\N{EN DASH}"
    row = '<tr><th scope="row">x</th><td class="number" data-label="sensitivity">'
    assert f"{row}{dash}</td>" in page
    assert '<th scope="row" class="name">class x</th><td class="name">1</td>' in page


def test_the_page_of_a_quantity_has_a_scatter_plot_and_no_matrix():
    page = render_validation(make_quantity_validation())
    assert "Outcome against its prediction" in page
    assert "too small to train the predictor again" in page
    assert 'id="confusion"' not in page
    assert "Fisher's z" in unescape(page)
    assert "The features could not be compared" in page


@pytest.mark.parametrize("make", [make_validation, make_quantity_validation])
def test_the_page_loads_nothing_and_allows_its_own_script_only(make):
    page = render_validation(make())
    assert "default-src 'none'" in page
    assert not any(word in page for word in ("http://", "https://", "src="))
