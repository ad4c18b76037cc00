"""The page of a selection in a real browser."""

import csv

import pytest

pytestmark = pytest.mark.slow

PICKED = "#features tbody.picked"


def ranks(page):
    cells = page.locator("#features tbody > tr:not(.more) > td:first-child")
    return [int(text) for text in cells.all_text_contents()]


def test_it_loads_without_errors_or_requests_and_draws_the_map(open_page, selection_page):
    with open_page(selection_page[0]) as page:
        assert page.locator(".headline").text_content() == selection_page[1]["headline"]
        drawn = page.evaluate(
            "() => { const c = document.getElementById('map');"
            "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            "return d.filter((v, i) => i % 4 === 3 && v > 0).length }"
        )
        assert drawn > 2000


def test_hostile_names_are_only_text(open_page, selection_page):
    path, summary = selection_page
    names = [row["name"] for row in summary["features"]]
    assert any("<script>" in name for name in names)
    with open_page(path) as page:
        assert page.locator("#features button.pick").all_text_contents() == names
        assert page.locator("script").count() == 2


def test_the_table_sorts_both_ways_and_keeps_what_is_folded(open_page, selection_page):
    path, summary = selection_page
    by_score = sorted(summary["features"], key=lambda row: row["score"])
    expected = [row["rank"] for row in by_score]
    with open_page(path) as page:
        head = page.locator("#features thead th", has_text="score")
        head.locator("button").click()
        assert ranks(page) == expected
        assert head.get_attribute("aria-sort") == "ascending"
        head.locator("button").press("Enter")
        assert ranks(page) == expected[::-1]
        first = page.locator("#features tbody").first
        assert first.get_attribute("data-rank") == str(expected[-1])


def place_of(page, rank):
    """Where the map draws the chosen feature of that rank: through the keyboard, then the tip."""
    page.locator("#map").scroll_into_view_if_needed()
    return page.evaluate(
        """(rank) => {
          const data = JSON.parse(document.getElementById('data').textContent);
          const [across, upwards] = document.getElementById('view').value.split(',')
            .map((k) => data.map.axes[k]);
          const box = document.getElementById('map').getBoundingClientRect();
          const share = (axis, v) => axis.is_log
            ? Math.log(Math.max(v, axis.low) / axis.low) / Math.log(axis.high / axis.low)
            : (v - axis.low) / (axis.high - axis.low);
          const at = (axis) => share(axis, data.map.points[axis.key][rank - 1]);
          return [box.left + 72 + (box.width - 88) * at(across),
                  box.top + 16 + (box.height - 62) * (1 - at(upwards))];
        }""",
        rank,
    )


@pytest.mark.parametrize("view", ["0,1", "0,2", "2,1"])
def test_a_click_on_a_point_selects_its_row_and_hovering_names_it(open_page, selection_page, view):
    path, summary = selection_page
    with open_page(path) as page:
        page.locator("#view").select_option(view)
        page.mouse.move(*place_of(page, 2))
        assert page.locator("#tip").text_content() == summary["features"][1]["name"]
        page.mouse.click(*place_of(page, 2))
        assert page.locator(PICKED).get_attribute("data-rank") == "2"
        assert summary["features"][1]["name"] in page.locator("#map-about").text_content()


def test_a_row_selects_its_point_by_mouse_and_keyboard(open_page, selection_page):
    path, summary = selection_page
    with open_page(path) as page:
        first = page.locator("#features button.pick").first
        first.click()
        assert page.locator(PICKED).get_attribute("data-rank") == "1"
        page.keyboard.press("ArrowDown")
        assert page.locator(PICKED).get_attribute("data-rank") == "2"
        assert page.locator("#map-about").text_content().startswith(summary["features"][1]["name"])
        page.locator("#map").focus()
        page.keyboard.press("ArrowRight")
        assert page.locator(PICKED).get_attribute("data-rank") == "3"
        page.keyboard.press("Escape")
        assert page.locator(PICKED).count() == 0


def test_a_feature_is_found_by_its_name(open_page, selection_page):
    path, summary = selection_page
    wanted = summary["features"][3]["name"]
    with open_page(path) as page:
        page.locator("#find").fill(wanted)
        page.locator("#find").press("Enter")
        assert page.locator(PICKED).get_attribute("data-rank") == "4"


def test_a_group_expands_and_shows_its_tree(open_page, selection_page):
    with open_page(selection_page[0]) as page:
        group = page.locator("#features details", has=page.locator("svg.tree")).first
        assert not group.locator("svg.tree").is_visible()
        group.locator("summary").click()
        assert group.locator("svg.tree").is_visible()


def test_tables_are_downloaded_as_csv(open_page, selection_page, tmp_path):
    path, summary = selection_page
    with open_page(path) as page:
        for button, n_rows in (("[data-csv=features]", 7), ("[data-csv-of=map]", 61)):
            with page.expect_download() as download:
                page.locator(button).click()
            download.value.save_as(tmp_path / "table.csv")
            text = (tmp_path / "table.csv").read_text(encoding="utf-8-sig")
            rows = list(csv.reader(text.splitlines()))
            assert len(rows) == n_rows
            name = 1 if "features" in button else 0
            assert [row[name] for row in rows[1:7]] == [r["name"] for r in summary["features"]]


def test_dark_mode_is_dark_and_print_is_light_and_unfolded(open_page, selection_page):
    color = "getComputedStyle(document.body).backgroundColor"
    with open_page(selection_page[0], color_scheme="dark") as page:
        assert page.evaluate(color) == "rgb(20, 23, 26)"
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(color) == "rgb(255, 255, 255)"
        assert not page.locator(".tools").first.is_visible()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("details:not([open])").count() > 3
        assert page.pdf().startswith(b"%PDF")


def test_a_phone_shows_it_without_scrolling_sideways(open_page, selection_page):
    with open_page(selection_page[0], viewport={"width": 390, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_scripts_the_answer_is_there(open_page, selection_page):
    path, summary = selection_page
    with open_page(path, java_script_enabled=False) as page:
        assert page.locator("#features button.pick").count() == len(summary["features"])
        assert "needs JavaScript" in page.locator("noscript").text_content()
