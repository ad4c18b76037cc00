"""Reads a page as a browser would, as far as tests need it."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Reader(HTMLParser):
    """Follows the tags of a page and keeps what it needs to judge it."""

    def __init__(self, page):
        super().__init__()
        self.open, self.attributes, self.texts, self.tags = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data):
        self.texts.append(data.strip())


def assert_asks_nothing(page):
    """Nothing on the page leads to a server, and its policy would not let it."""
    reader = Reader(page)
    names = {name for name, _ in reader.attributes}
    assert not names & {"src", "href", "action", "srcset", "data", "poster"}
    assert not any(name.startswith("on") for name in names)
    assert not re.search(r"https?:|//|@import|url\(", page)
    [policy] = [value for _, value in reader.attributes if "default-src" in (value or "")]
    assert policy.startswith("default-src 'none';")
    assert "script-src 'sha256-" in policy
