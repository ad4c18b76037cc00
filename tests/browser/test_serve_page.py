"""The page in a real browser: dropped, chosen, cancelled, and nothing asked of anybody else."""

import json
import re

import pytest
from page_client import (
    LIMIT,
    is_alive,
    large_table,
    running_server,
    small_table,
    without_processes,
)

from perturbfs.serve import _jobs as jobs

pytestmark = pytest.mark.slow

EVIL = "<img src=x onerror=alert(1)>"
# Drops a file as a user would; the path from there on is the page's own.
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  return data;
}"""
WITHOUT_LABEL = """() => [...document.querySelectorAll("input, select, progress, button, iframe")]
  .filter((e) => !(e.labels?.length || e.textContent.trim() || e.ariaLabel || e.title
                   || e.getAttribute("aria-labelledby")))
  .map((e) => e.outerHTML)"""
TEXT_COLOR = "() => getComputedStyle(document.body).color"
SLOW = 120_000  # milliseconds


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "served").mkdir()
    return tmp_path / "served"


@pytest.fixture
def server(folder):
    with running_server(folder) as server:
        yield server


@pytest.fixture
def page(chromium, server):
    """The page of the server; whatever is wrong in the browser fails the test."""
    context = chromium.new_context(viewport={"width": 1000, "height": 800})
    page, wrong, hosts = context.new_page(), [], set()
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
    context.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto(server.address_for_browser())
    yield page
    assert wrong == []
    assert hosts - {""} == {f"127.0.0.1:{server.port}"}  # data: has no host
    context.close()


def drop(page, name, content):
    data = page.evaluate_handle(DROP, [name, content.decode()])
    page.dispatch_event("#drop", "drop", {"dataTransfer": data})


def test_a_dropped_file_becomes_a_report(page, server):
    assert page.url == server.address.partition("?")[0]  # the token does not stay there
    assert page.evaluate(WITHOUT_LABEL) == []
    content = small_table().csv.replace(b"gene 00", EVIL.encode(), 1)
    drop(page, f"{EVIL}.csv", content)
    page.wait_for_selector("#settings", timeout=SLOW)
    assert page.text_content("h1") == f"{EVIL}.csv"
    assert EVIL in page.text_content("tbody")
    assert page.evaluate(WITHOUT_LABEL) == []
    assert page.is_checked("input[value='candidate:0']")

    page.fill("#typed", "stat")  # a slip, by keyboard alone
    assert page.is_checked("input[value='typed']")
    page.press("#typed", "Enter")
    page.wait_for_selector("#progress")
    page.wait_for_selector("[role=alert]:visible", timeout=SLOW)
    assert f"{EVIL}.csv: --target stat was not found. Did you mean 'state'?" in page.text_content(
        "[role=alert]:visible"
    )

    page.check("input[value='candidate:0']")
    page.fill("#n_features", "3")
    page.press("#n_features", "Enter")
    page.wait_for_selector("iframe", timeout=SLOW)
    report = page.frame_locator("iframe").locator("body")
    assert re.search(r"3 of 60 features", report.text_content())
    with page.expect_download() as download:
        page.click("text=selection.json")
    selection = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert len(selection["features"]) == 3
    with page.context.expect_page() as opened:
        page.click("text=Open the report")
    opened.value.wait_for_load_state()
    assert "3 of 60 features" in opened.value.text_content("body")
    assert opened.value.evaluate("origin") == "null"  # it cannot use the cookie


def test_a_running_job_is_cancelled_and_removed(page, folder, server, monkeypatch):
    run_child = without_processes([], [], run=jobs.run_child)
    monkeypatch.setattr("perturbfs.serve._jobs.run_child", run_child)
    drop(page, "large.csv", large_table())
    page.wait_for_selector("#settings", timeout=SLOW)
    page.select_option("#method", "paper")
    page.click("text=Select features")
    page.wait_for_selector("#progress .bar", timeout=SLOW)
    assert page.evaluate(WITHOUT_LABEL) == []
    pid = server.jobs.all()[0].pid
    page.click("text=Cancel")
    page.wait_for_selector("text=No result was kept")
    assert not is_alive(pid)
    page.click("text=Remove this file")
    page.wait_for_selector("#drop")
    assert list(folder.iterdir()) == []


def test_a_large_file_is_refused_before_it_is_sent(page, folder):
    drop(page, "big.csv", b"1" * (LIMIT + 1))
    page.wait_for_selector("#message:visible")
    assert page.text_content("#message").startswith("big.csv has 2.0 MB, and at most 2.0 MB are")
    assert list(folder.iterdir()) == []


def test_text_is_dark_on_light_and_light_on_dark(page):
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = sum(map(int, re.findall(r"\d+", page.evaluate(TEXT_COLOR))))
    assert found["light"] < 150 < 600 < found["dark"]
