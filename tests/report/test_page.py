"""The page: whole, closed, escaped, and asking nothing of any server."""

import re

import pytest
from page_reader import Reader

from perturbfs.report import render_page


def make_summary(**changes):
    summary = {
        "headline": "2 of 60 features were selected.",
        "data": [("samples", "40")],
        "scores": [("this way of selecting", 0.7, 0.4, 1.2), ("guessing", 0.5, None, None)],
        "metric": "balanced accuracy",
        "estimate": "Mean over 5 random splits.",
        "stability": "Stability 0.50.",
        "features": [
            {"rank": 1, "name": "a", "score": 0.25, "n_stands_for": 2, "stands_for": ["b", "c"]},
            {"rank": 2, "name": "d", "score": None, "n_stands_for": 0, "stands_for": []},
        ],
        "settings": [("method", "paper")],
    }
    return summary | changes


def test_every_tag_is_closed_in_order():
    page = render_page(make_summary())
    reader = Reader(page)
    assert reader.open == []
    assert page.startswith("<!doctype html>")
    assert {"html", "head", "title", "body", "table"} <= set(reader.tags)


def test_nothing_is_asked_of_any_server():
    page = render_page(make_summary())
    names = {name for name, _ in Reader(page).attributes}
    assert not names & {"src", "href", "action", "srcset", "data", "poster"}
    assert not re.search(r"https?:|//|@import|url\(", page)
    assert "<script" not in page


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "a & b", "Größe"])
def test_every_value_is_escaped_and_read_back_as_it_is(text):
    row = {"rank": 1, "name": text, "score": 0.2, "n_stands_for": 1, "stands_for": [text]}
    summary = make_summary(
        headline=text,
        data=[(text, text)],
        scores=[(text, 0.5, 0.4, 0.6)],
        metric=text,
        estimate=text,
        stability=text,
        features=[row],
        settings=[(text, text)],
    )
    reader = Reader(render_page(summary))
    assert reader.open == []
    assert not {"script", "img"} & set(reader.tags)
    assert [part.strip() for part in reader.texts].count(text) == 11


def test_bars_stay_within_their_track():
    page = render_page(make_summary(scores=[("worse than nothing", -0.3, -5.0, 7.0)]))
    assert "left:0.0%;width:100.0%" in page
    assert re.findall(r"left:([-\d.]+)%", page) == ["0.0", "0.0"]
    assert "-5.000 to 7.000" in page


def test_members_that_are_not_listed_are_counted():
    row = {"rank": 1, "name": "a", "score": 0.2, "n_stands_for": 9, "stands_for": ["b", "c"]}
    page = render_page(make_summary(features=[row]))
    assert "9 features" in page
    assert "b, c and 7 more (all are in selection.json)" in page


def test_unknown_scores_are_dashes_and_single_features_stand_for_themselves():
    texts = [text.strip() for text in Reader(render_page(make_summary())).texts]
    assert texts.count("\N{EN DASH}") == 2
    assert "itself" in texts


def test_a_thousand_features_fit_in_five_megabytes():
    members = [f"a rather long name of a feature {j}" for j in range(50)]
    rows = [
        {"rank": j, "name": str(j), "score": 0.1, "n_stands_for": 900, "stands_for": members}
        for j in range(1000)
    ]
    page = render_page(make_summary(features=rows))
    assert len(page.encode()) < 5_000_000


def test_the_same_summary_gives_the_same_page():
    assert render_page(make_summary()) == render_page(make_summary())
