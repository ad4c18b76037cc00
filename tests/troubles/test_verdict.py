"""Files on which `select` must not mislead: its verdict is the right one."""

import pytest
from troubles.verdict_files import (
    write_near_copies,
    write_nothing_to_find,
    write_weak_signal_everywhere,
)

from perturbfs.datasets import read_table
from perturbfs.results import select_features, summarize


@pytest.fixture
def select(tmp_path):
    def run(write, n_features, method="robust"):
        table = read_table(write(tmp_path), target="state")
        return select_features(table, method=method, n_features=n_features).selection

    return run


def test_noise_is_no_better_than_guessing(select):
    estimate = select(write_nothing_to_find, 5).estimate
    assert "predicts no better than guessing" in estimate["verdict"]
    assert "do not interpret the selected features" in estimate["verdict"]
    assert estimate["n_splits"] == 10


def test_all_features_that_do_clearly_better_are_named(select):
    verdict = select(write_weak_signal_everywhere, 2).estimate["verdict"]
    assert "all features do clearly better" in verdict
    assert verdict.endswith("try more features.")


def test_near_copies_are_marked_and_counted(select):
    selection = select(write_near_copies, 4, "anova")
    pairs = {
        ("gene 0", "gene 2"),
        ("gene 2", "gene 0"),
        ("gene 1", "gene 3"),
        ("gene 3", "gene 1"),
    }
    copies = [each for each in selection.features if each.copy_of is not None]
    assert len(copies) == 2
    assert {(each.name, each.copy_of) for each in copies} <= pairs
    assert all(each.stands_for for each in selection.features)
    rows = summarize(selection)["features"]
    assert [row["copy_of"] for row in rows] == [each.copy_of for each in selection.features]
