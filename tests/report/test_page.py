"""The page of a selection: valid HTML, escaped, without network requests."""

import base64
import hashlib
import json
import re

import pytest
from made_summaries import ROW, make_detailed, make_joined, make_summary
from page_reader import Reader, assert_asks_nothing

from perturbfs.report import render_page


@pytest.mark.parametrize("summary", [make_summary(), make_detailed()])
def test_every_tag_is_closed_in_order(summary):
    page = render_page(summary)
    reader = Reader(page)
    assert reader.open == []
    assert page.startswith("<!doctype html>")
    assert {"html", "head", "title", "body", "table"} <= set(reader.tags)


@pytest.mark.parametrize("summary", [make_summary(), make_detailed()])
def test_the_page_makes_no_network_requests(summary):
    assert_asks_nothing(render_page(summary))


def test_the_policy_allows_only_the_script_of_the_page():
    page = render_page(make_summary())
    [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in page


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "a & b", "Größe"])
def test_every_value_is_escaped_and_read_back_as_it_is(text):
    row = ROW | {"name": text, "n_stands_for": 1, "stands_for": [text]}
    summary = make_summary(
        headline=text,
        data=[(text, text)],
        scores=[(text, 0.5, 0.4, 0.6)],
        metric=text,
        estimate=text,
        stability=text,
        features=[row],
        settings=[(text, text)],
        command=text,
    )
    reader = Reader(render_page(summary))
    assert reader.open == []
    assert "img" not in reader.tags
    assert reader.tags.count("script") == 1
    assert [part.strip() for part in reader.texts].count(text) == 12


@pytest.mark.parametrize("text", ["</script><img src=x>", "<!--<script>", "\u2028", "a & b"])
def test_names_in_pictures_and_data_are_only_text(text):
    page = render_page(make_detailed(name=text, label=text))
    reader = Reader(page)
    assert reader.open == []
    assert "img" not in reader.tags
    assert reader.tags.count("script") == 2
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert not set("<>&\u2028") & set(data)
    assert json.loads(data)["map"]["points"]["name"][0] == text


def test_the_page_of_many_features_says_that_it_shows_a_sample():
    texts = " ".join(" ".join(Reader(render_page(make_detailed())).texts).split())
    assert "There are 100,000 features that vary, too many for one picture" in texts
    assert "2 of them are points with names" in texts
    assert "4 of 9 samples are shown" in texts


def test_bars_stay_within_their_scale():
    page = render_page(make_summary(scores=[["worse than nothing", -0.3, -5.0, 7.0]]))
    ends = re.findall(r'class="range" x1="([-\d.]+)" y1="9" x2="([-\d.]+)"', page)
    assert [tuple(map(float, pair)) for pair in ends] == [(5.0, 205.0)]
    assert "-5.000 to 7.000" in page


def test_members_that_are_not_listed_are_counted():
    row = ROW | {"n_stands_for": 9, "stands_for": ["b", "c"]}
    page = render_page(make_summary(features=[row]))
    assert "stands for 9 features" in page
    assert "b, c and 7 more (all are in selection.json)" in page


def test_unknown_scores_are_dashes_and_single_features_stand_for_themselves():
    texts = [text.strip() for text in Reader(render_page(make_summary())).texts]
    assert texts.count("\N{EN DASH}") == 3
    assert "itself" in texts


def test_a_thousand_features_fit_in_five_megabytes():
    members = [f"a rather long name of a feature {j}" for j in range(50)]
    rows = [ROW | {"rank": j, "name": str(j), "stands_for": members} for j in range(1000)]
    page = render_page(make_summary(features=rows))
    assert len(page.encode()) < 5_000_000


def test_the_same_summary_gives_the_same_page():
    assert render_page(make_detailed()) == render_page(make_detailed())


def texts_of(summary):
    return " ".join(" ".join(Reader(render_page(summary)).texts).split())


def test_file_name_and_date_are_at_the_top():
    texts = texts_of(make_summary(source_name="my table.csv", date="2026-03-31"))
    assert "Feature selection from my table.csv , 31 March 2026" in texts


def test_the_accuracy_comes_before_the_map():
    page = render_page(make_detailed())
    assert page.index("How well they predict") < page.index("All features on a map")


def test_the_planned_comparisons_are_shown_with_their_conclusions():
    texts = texts_of(make_summary())
    assert "guessing +0.200 +0.100 to +0.300 0.004 better" in texts
    assert "as many random features +0.000" in texts
    assert "all features \N{MINUS SIGN}0.300 \N{EN DASH} <0.001 worse" in texts


def test_the_origin_of_the_features_is_counted_and_shown_at_each():
    texts = texts_of(make_joined())
    assert "genes 2 50 methylation 0 10,000" in texts
    assert "1 a genes 0.250" in texts
    assert "Origin of the features" not in texts_of(make_summary())


def test_a_near_copy_is_marked():
    row = ROW | {"copy_of": "b", "copy_r": 0.981}
    assert "near copy of b, r = 0.98" in texts_of(make_summary(features=[row]))


def test_ten_findings_are_shown_and_the_others_are_counted():
    finding = {"kind": "twins", "advice": "Do it.", "names": [], "severity": "warning"}
    findings = [finding | {"message": f"Finding {j}."} for j in range(14)]
    texts = texts_of(make_summary(findings=findings, notes=["A note."] * 12))
    assert "Finding 9. Do it." in texts
    assert "Finding 10." not in texts
    assert "4 more findings are listed in selection.json." in texts
    assert texts.count("A note.") == 10


def test_two_classes_have_a_confusion_matrix_rates_and_a_volcano_plot():
    texts = texts_of(make_detailed())
    assert "predicted x predicted y x 4 1 y 2 3" in texts
    assert "Area under the ROC curve (AUC): 0.800" in texts
    assert "1 of 100,000 features lie above the dashed line" in texts
    assert "\N{MINUS SIGN}1.5 1e\N{MINUS SIGN}05 0.02" in texts


def test_the_command_can_be_copied_whole():
    page = render_page(make_summary(command="perturbfs select table.csv"))
    assert (
        '<pre class="command" id="command"><code>perturbfs select table.csv</code></pre>' in page
    )
    assert 'data-copy="command"' in page


def test_on_a_phone_every_cell_has_its_label():
    page = render_page(make_detailed())
    for label in ("direction", "selected again", "stands for", "FDR"):
        assert f'data-label="{label}"' in page
