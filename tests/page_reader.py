"""Reads a page as a browser would, as far as tests need it."""

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
