"""Documents in which any one value is HTML: a page refuses it or shows it as text."""

import copy
import json

import pytest
from made_evaluation import make_evaluation
from made_reproduction import make_reproduction
from made_summaries import make_detailed, make_joined
from made_validation import make_validation
from page_reader import Reader

from perturbfs.report import (
    _svg,
    render_evaluation,
    render_page,
    render_reproduction,
    render_validation,
)
from perturbfs.results import SummaryError, load_summary

# Also a format: `%` with a number does not fail.
HTML = '"><img src=x>%s'
REFUSALS = (AttributeError, LookupError, StopIteration, TypeError, ValueError)
PAGES = {
    render_page: make_detailed,
    render_evaluation: make_evaluation,
    render_reproduction: make_reproduction,
    render_validation: make_validation,
}


def paths_in(value, path=()):
    """Yield the path of every value in a document that has no values in it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths_in(value[key], (*path, key))
    else:
        yield path


def doctored(document, path):
    document = copy.deepcopy(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = HTML
    return document


@pytest.mark.parametrize(("render", "make"), [*PAGES.items(), (render_page, make_joined)])
def test_no_value_becomes_html(render, make):
    document = json.loads(json.dumps(make()))
    n_shown = 0
    for path in paths_in(document):
        try:
            page = render(doctored(document, path))
        except REFUSALS:
            continue
        assert "<img" not in page, path
        n_shown += "&lt;img src=x&gt;" in page
    assert n_shown > 0


def test_codes_of_classes_that_are_text_become_no_html():
    summary = make_detailed()
    samples = summary["details"]["samples"]
    # The classes are an object, so that every code is the name of one.
    samples |= {"classes": {HTML: "x"}, "outcome": [HTML] * 4, "values": []}
    assert "<img" not in render_page(summary)


def test_codes_of_classes_that_are_text_are_refused_when_read(tmp_path):
    summary = make_detailed()
    summary["details"]["samples"]["outcome"] = [HTML] * 4
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    with pytest.raises(SummaryError, match=r"outcome\[0\] is .* but a number is needed"):
        load_summary(tmp_path / "summary.json")


@pytest.mark.parametrize(
    "draw",
    [
        lambda html: _svg.svg(1, 1, html, [], html),
        lambda html: _svg.text(1, 1, html, "end", html),
        lambda html: _svg.line(1, 1, 1, 1, html),
        lambda html: _svg.polyline([(1, 1)], html),
        lambda html: _svg.block(1, 1, 1, 1, html),
        lambda html: _svg.dots([(1, 1)], html),
        lambda html: _svg.mark("circle", 1, 1, html, html),
        lambda html: _svg.mark("square", 1, 1, html, html),
        lambda html: _svg.legend([("circle", html, html)], 1, 1),
        lambda html: _svg.upwards(_svg.Axis(0, 1, 0, 1), 0, 1, html),
        lambda html: _svg.across(_svg.Axis(0, 1, 0, 1), 0, html, [(0, html)]),
    ],
)
def test_the_drawing_kit_escapes_classes_and_words(draw):
    reader = Reader(str(draw(HTML)))
    assert "img" not in reader.tags
    assert any(HTML in text for text in (*reader.texts, *(v for _, v in reader.attributes)))
