"""Sentences stay short whatever a file holds."""

from perturbfs._support.text import shorten


def test_long_words_are_cut_and_the_marks_at_the_end_stay():
    assert shorten(f"It has '{'e' * 5000}'.") == f"It has '{'e' * 199}…'."
    assert shorten("Nothing is long here, is it?") == "Nothing is long here, is it?"


def test_a_path_is_kept():
    path = "/" + "deep/" * 100 + "table.csv"
    assert shorten(f"{path} has {'x' * 999} in it.", keep=path).startswith(f"{path} has xxx")
