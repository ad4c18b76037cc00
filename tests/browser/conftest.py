"""A real browser, and a page for it."""

from contextlib import contextmanager

import pytest
from browser_finder import FLAGS, find_chromium

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="session")
def chromium():
    """Headless Chromium; skipped with the reason where there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; the extra dev has it"
    )
    path = find_chromium()
    if path is None:
        pytest.skip("there is no Chromium; tools/install-chromium installs it")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Open a file; afterwards nothing may have been asked for, and no error logged."""

    @contextmanager
    def open_file(path, **options):
        context = chromium.new_context(**{"viewport": {"width": 1100, "height": 900}} | options)
        page = context.new_page()
        asked, errors = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda said: errors.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.on("dialog", lambda dialog: (errors.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())
        yield page
        context.close()
        # Blobs are made on the page itself, for downloads.
        assert [url for url in asked if not url.startswith("blob:")] == [path.as_uri()]
        assert errors == []

    return open_file


@pytest.fixture(scope="session")
def selection_page(tmp_path_factory):
    """The page of a small selection, in which a chosen feature has a hostile name."""
    import numpy as np

    from perturbfs.datasets import Table, make_wide_classification
    from perturbfs.report import render_page
    from perturbfs.results import describe_details, select_features, summarize

    data = make_wide_classification(40, 60, random_state=0)
    names = np.array([f"gene {j:02d}" for j in range(60)], dtype=object)
    names[:] = [HOSTILE if j % 2 else name for j, name in enumerate(names)]
    names = np.array([f"{name} {j}" for j, name in enumerate(names)])
    table = Table(X=data.X, y=data.y, feature_names=names, task="classification", target_name="c")
    result = select_features(table, method="robust", n_features=6, n_splits=2)
    summary = summarize(result.selection, describe_details(table, result, noise=False))
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_page(summary), encoding="utf-8")
    return path, summary
