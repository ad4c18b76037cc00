"""The checker of the built site sees what is broken."""

from check_site import find_faults, read_pages


def _site(tmp_path, body):
    (tmp_path / "index.html").write_text(f"<html><body>{body}</body></html>", "utf-8")
    (tmp_path / "other.html").write_text('<html><h1 id="title">x</h1></html>', "utf-8")
    return read_pages(tmp_path)


def test_good_links_have_no_fault(tmp_path):
    body = (
        '<a href="other.html#title"></a><a href="https://example.org"></a><a href="#top" id="top">'
    )
    assert find_faults(_site(tmp_path, body)) == ([], 1)


def test_templates_of_the_theme_are_no_pages(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "macros.html").write_text('<a href="{{ path }}"></a>', "utf-8")
    assert len(_site(tmp_path, "")) == 2


def test_missing_files_headings_and_plain_http_are_found(tmp_path):
    body = '<img src="none.png"><a href="other.html#none"></a><a href="http://example.org"></a>'
    faults, _ = find_faults(_site(tmp_path, body))
    assert [fault.partition(": ")[2] for fault in faults] == [
        "none.png leads nowhere",
        "other.html#none has no such heading",
        "http://example.org does not begin with https",
    ]
