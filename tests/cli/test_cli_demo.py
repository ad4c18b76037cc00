"""What a newcomer does first: the demo, and help with examples that work."""

import os
import re
import shlex
from functools import cache
from types import SimpleNamespace

import pytest

from perturbfs.datasets import make_wide_classification

pytestmark = pytest.mark.slow

SHOWN = {
    "demo": "perturbfs demo",
    "select": "perturbfs select table.csv --target diagnosis",
    "evaluate": "perturbfs evaluate table.csv --target diagnosis",
    "apply": "perturbfs apply result new.csv",
    "report": "perturbfs report result",
    "reproduce": "perturbfs reproduce datasets",
    "serve": "perturbfs serve --no-browser",
    "datasets": "perturbfs datasets fetch",
    "datasets fetch": "perturbfs datasets fetch",
}


@pytest.fixture(scope="module")
def demo(spawn, tmp_path_factory):
    cwd = tmp_path_factory.mktemp("demo")
    before = os.times()
    done = spawn("demo", cwd=cwd)
    after = os.times()
    # Processor time, which is the time taken wherever nothing else runs.
    seconds = after.children_user - before.children_user
    return SimpleNamespace(done=done, seconds=seconds, cwd=cwd)


@pytest.fixture(scope="module")
def example_of(run, tmp_path_factory):
    """The example at the end of a command's help, as words."""
    cwd = tmp_path_factory.mktemp("help")

    @cache
    def find(command):
        done = run(*command.split(), "--help", cwd=cwd)
        assert (done.returncode, done.stderr) == (0, "")
        text = " ".join(done.stdout.split("Example:")[-1].split())
        return shlex.split(text)

    return find


@pytest.fixture(scope="module")
def workplace(example_of, run, small, write_table, tmp_path_factory):
    """A directory with the files that the examples name, after the example of `select`."""
    cwd = tmp_path_factory.mktemp("workplace")
    write_table(cwd / "new.csv", small)
    text = (cwd / "new.csv").read_text(encoding="utf-8")
    (cwd / "table.csv").write_text(text.replace(",state", ",diagnosis", 1), encoding="utf-8")
    done = run(*example_of("select")[1:], cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return cwd


def test_the_demo_ends_well_within_a_minute(demo):
    assert (demo.done.returncode, demo.done.stderr) == (0, "")
    assert 0 < demo.seconds < 60


def test_the_demo_tells_the_truth_beside_every_feature(demo):
    truth = make_wide_classification(80, 1000, random_state=0)
    lines = re.findall(r"^\d+ +(feature (\d{4})) +\d\.\d{3} +(.+)$", demo.done.stdout, re.M)
    n_selected = int(re.search(r"(\d+) of 1,000\s+features", demo.done.stdout)[1])
    assert len(lines) == n_selected > 0
    for _, position, said in lines:
        signal = int(truth.groups[int(position)])
        if int(position) in truth.informative:
            assert said.startswith(f"drives the class (signal {signal + 1})")
        elif signal >= 0:
            assert f"signal {signal + 1}" in said
            assert not said.startswith("noise")
        else:
            assert said.startswith("noise")


def test_the_demo_says_what_to_try_next_and_leaves_no_file(demo):
    assert "perturbfs select TABLE.csv --target OUTCOME --out result" in demo.done.stdout
    assert list(demo.cwd.iterdir()) == []


@pytest.mark.parametrize("command", SHOWN)
def test_the_help_of_every_command_has_an_example_of_itself(command, example_of):
    assert " ".join(example_of(command)).startswith(SHOWN[command])


def test_the_example_of_select_writes_what_it_says(workplace):
    found = {path.name for path in (workplace / "result").iterdir()}
    names = {"selection.json", "features.csv", "groups.csv", "selected.csv", "summary.json"}
    names.add("report.html")
    assert found == names


def test_the_example_of_apply_works(workplace, example_of, run, read_rows):
    done = run(*example_of("apply")[1:], cwd=workplace)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(read_rows(workplace / "new-selected.csv")) == 41


def test_the_example_of_report_works(workplace, example_of, run):
    (workplace / "result" / "report.html").unlink()
    done = run(*example_of("report")[1:], cwd=workplace)
    assert (done.returncode, done.stderr) == (0, "")
    assert (workplace / "result" / "report.html").is_file()


def test_the_example_of_evaluate_works(workplace, example_of, run):
    done = run(*example_of("evaluate")[1:], cwd=workplace)
    assert (done.returncode, done.stderr) == (0, "")
    assert (workplace / "comparison" / "scores.csv").is_file()


def test_no_arguments_show_the_commands_and_where_to_start(run, tmp_path):
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    shown = done.stdout + done.stderr
    assert "Start with: perturbfs demo" in shown
    assert all(command.split()[0] in shown for command in SHOWN)
