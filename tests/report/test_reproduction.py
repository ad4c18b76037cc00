from xml.etree import ElementTree

import pytest
from made_reproduction import NAMES, cell, make_reproduction, numbers
from page_reader import assert_asks_nothing

from perturbfs.report import render_reproduction, render_reproduction_markdown, story_figure


@pytest.fixture
def summary():
    return make_reproduction()


def test_the_page_escapes_names_and_asks_nothing_of_anybody(summary):
    page = render_reproduction(summary)
    assert page.count("<script") == 1
    assert "&lt;script&gt;" in page
    assert_asks_nothing(page.replace("http://www.w3.org/2000/svg", ""))


def test_leaking_numbers_are_labelled_in_every_form(summary):
    page, text = render_reproduction(summary), render_reproduction_markdown(summary)
    assert "published protocol: leaks" in page
    assert "This protocol leaks" in page
    assert "(published protocol: LEAKS)" in text
    assert "This protocol leaks" in text
    assert story_figure(summary).count("(leaks)") > 2


def test_a_cell_shows_published_ours_and_verdict(summary):
    text = render_reproduction_markdown(summary)
    assert "published 91.58 [100]<br>ours 88.4 ± 1.2 [95] (10 runs)<br>agrees" in text


def test_a_cell_shows_both_classifiers_and_runs_without_a_result(summary):
    both = cell(61.0, "agrees (inner classifier)", inner=numbers(78.0), n_refused=1)
    both["ours"]["agreement"] = "differs"
    summary["tables"][0]["rows"][0]["cells"] = [both]
    expected = (
        "outer tree 61 ± 1.2 [95] (10 runs): differs<br>1 run without a result<br>"
        "inner 78 ± 1.2 [95] (10 runs): agrees<br>agrees (inner classifier)"
    )
    assert expected in render_reproduction_markdown(summary)


def test_what_is_left_out_counted_and_disclosed_is_on_both_pages(summary):
    summary["settings"]["missing_datasets"] = {"lung": "It is not here."}
    for page in (render_reproduction(summary), render_reproduction_markdown(summary)):
        for said in (
            "Left out, lung: It is not here.",
            "honest protocol: 101 not told apart, 1 better than random subsets",
            "The interval is (0, 1).",
            "Rounding.",
        ):
            assert said in page


def test_the_headline_averages_only_data_sets_with_every_number(summary):
    text = render_reproduction_markdown(summary)
    assert "over 1 data sets: published 91.6, reproduced in the published way 88.4" in text
    summary["story"][0]["honest"] = None
    assert "The runs for this figure are not complete" in render_reproduction_markdown(summary)


def test_the_figure_is_xml_with_a_mark_for_every_number(summary):
    figure = ElementTree.fromstring(story_figure(summary))
    hints = [each.text for each in figure.iter("{http://www.w3.org/2000/svg}title")]
    assert len(hints) == 6 + 1  # six numbers of one row, and one of the other
    assert hints[-1] == "published (paper, mean of ten runs), Lung: 94.1"
    marks = [each for each in figure.iter() if each.tag.endswith(("circle", "path"))]
    assert len(marks) == 6 + len(hints)  # those of the legend


def test_without_a_run_there_is_no_figure(summary):
    for row in summary["story"]:
        row.update(dict.fromkeys(NAMES[1:], None))
    assert "story.svg" not in render_reproduction_markdown(summary)
    assert "<svg" not in render_reproduction(summary)


def test_fewer_runs_are_given_with_their_reason(summary):
    text = render_reproduction_markdown(summary)
    assert "runs of pfs-fuzzy-*, all data sets, honest protocol: 5 (1 if quick): slow" in text
    assert "5 (1 if quick): slow" in render_reproduction(summary)
