"""`perturbfs validate`: files, refusals, and `report` on what it wrote."""

import json
import shutil

import numpy as np
import pytest

from perturbfs import load_selection
from perturbfs.results import load_validation


@pytest.fixture(scope="module")
def second(tmp_path_factory, small, write_table):
    """A second cohort: the samples of the first with noise, under other names."""
    rng = np.random.default_rng(5)
    X = (small.X + 0.5 * small.X.std(axis=0) * rng.standard_normal(small.X.shape)).round(3)
    return write_table(tmp_path_factory.mktemp("second") / "second.csv", small, X=X)


@pytest.fixture(scope="module")
def validated(run, selected, second, tmp_path_factory):
    cwd = tmp_path_factory.mktemp("validated")
    done = run("validate", selected.folder, second, "--out", "v", "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done, cwd / "v"


def test_the_files_are_written_and_the_json_is_the_document(validated, read_rows, small):
    done, folder = validated
    assert {path.name for path in folder.iterdir()} == {
        "predictions.csv",
        "validation.html",
        "validation.json",
    }
    document = load_validation(folder / "validation.json")
    assert json.loads(done.stdout) == document
    assert document["verdict"] in " ".join(done.stderr.split())
    assert document["command"].startswith("perturbfs validate ")
    header, *rows = read_rows(folder / "predictions.csv")
    assert header == ["sample", "true", "predicted", "decision value for tumor"]
    assert [row[:2] for row in rows] == [
        list(pair) for pair in zip(small.samples, small.y, strict=True)
    ]
    assert all((float(row[3]) > 0) == (row[2] == "tumor") for row in rows)


def test_the_outcome_of_the_selection_is_the_default(validated, run, selected, second, tmp_path):
    _, folder = validated
    words = ("validate", selected.folder, second, "--target", "state", "--out", "v", "--quiet")
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    same = "predictions.csv"
    assert (tmp_path / "v" / same).read_bytes() == (folder / same).read_bytes()


def test_features_may_be_in_rows(validated, run, selected, small, read_rows, second, tmp_path):
    _, *rows = read_rows(second)
    turned = [
        ["sample", *small.samples],
        *map(list, zip(small.names, *(r[1:-1] for r in rows), strict=False)),
    ]
    turned.append(["state", *small.y])
    (tmp_path / "t.csv").write_text("\n".join(",".join(row) for row in turned), encoding="utf-8")
    words = ("validate", selected.folder, "t.csv", "--target", "state", "--out", "v", "--quiet")
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    expected = (validated[1] / "predictions.csv").read_text()
    assert (tmp_path / "v" / "predictions.csv").read_text() == expected


def test_the_first_cohort_itself_is_recognized(run, selected, tmp_path):
    done = run("validate", selected.folder, selected.source, "--out", "v", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "40 of 40 samples of the second cohort are nearly identical to a sample" in said


def test_report_writes_the_same_page_again(validated, run, tmp_path):
    shutil.copytree(validated[1], tmp_path / "v")
    page = (tmp_path / "v" / "validation.html").read_bytes()
    (tmp_path / "v" / "validation.html").unlink()
    done = run("report", "v", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()) == (0, ["Written", "to", "v/validation.html."])
    assert (tmp_path / "v" / "validation.html").read_bytes() == page


def test_report_writes_both_pages_where_both_results_are(validated, selected, run, tmp_path):
    shutil.copytree(selected.folder, tmp_path / "both")
    shutil.copy(validated[1] / "validation.json", tmp_path / "both")
    done = run("report", "both", cwd=tmp_path)
    assert "validation.html" in done.stdout
    assert "report.html" in done.stdout


def test_a_damaged_document_is_named_field_by_field(validated, run, tmp_path):
    document = json.loads((validated[1] / "validation.json").read_text())
    document["scores"]["second"]["mean"] = "high"
    (tmp_path / "validation.json").write_text(json.dumps(document))
    done = run("report", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert 'scores.second.mean is "high", but a number is needed' in done.stderr
    del document["shifts"]
    document["scores"]["second"]["mean"] = 0.5
    (tmp_path / "validation.json").write_text(json.dumps(document))
    assert "shifts is missing" in run("report", ".", cwd=tmp_path).stderr


def test_a_document_whose_parts_do_not_fit_is_refused(validated, run, tmp_path):
    document = json.loads((validated[1] / "validation.json").read_text())
    document["second"]["samples"]["values"] = []
    (tmp_path / "validation.json").write_text(json.dumps(document))
    done = run("report", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert "lacks what the page needs (IndexError: list index out of range)" in done.stderr


@pytest.fixture
def folder(selected, tmp_path):
    return shutil.copytree(selected.folder, tmp_path / "result")


def refusal_of(run, folder, source, *options):
    done = run("validate", folder, source, "--out", "v", *options, cwd=folder.parent)
    assert done.returncode in (1, 2)
    assert not (folder.parent / "v").exists()
    return " ".join(done.stderr.split())


def test_a_directory_without_the_reduced_table_says_to_select_again(run, folder, second):
    (folder / "selected.csv").unlink()
    said = refusal_of(run, folder, second)
    assert "has no selected.csv, which holds the first cohort. Run perturbfs select again" in said


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: lines[:-1], "it has 39 samples instead of 40"),
        (lambda lines: ["sample,a,b,c,state", *lines[1:]], "its features are not the selected"),
        (lambda lines: [*lines[:-1], f"{lines[-1]},1"], "some of its rows are too short or too"),
        (lambda lines: [*lines[:-1], "S,1,2,x,tumor"], "could not convert string to float"),
        (lambda lines: [*lines[:-1], "S,1,2,inf,tumor"], "a value is infinite"),
        (lambda lines: [*lines[:-1], "S,1,2,3,ill"], "its class 'ill' is not among the classes"),
        (lambda _: [], "is not a table"),
    ],
)
def test_a_changed_reduced_table_is_refused(run, folder, second, change, why):
    lines = (folder / "selected.csv").read_text().splitlines()
    (folder / "selected.csv").write_text("\n".join(change(lines)))
    assert why in refusal_of(run, folder, second)


def test_a_selection_of_another_task_is_refused_before_reading(run, folder):
    document = json.loads((folder / "selection.json").read_text())
    document["data"]["task"] = "survival"
    (folder / "selection.json").write_text(json.dumps(document))
    assert "The task of the selection is 'survival'" in refusal_of(run, folder, "missing.csv")


def test_options_are_named_in_refusals(run, folder, small, write_table, tmp_path):
    chosen = load_selection(folder / "selection.json").features[0].name
    names = [name.replace(" ", "_") if name == chosen else name for name in small.names]
    write_table(tmp_path / "n.csv", small, names=names)
    assert "Pass --match-names loose" in refusal_of(run, folder, tmp_path / "n.csv")
    small = type(small)(**vars(small) | {"y": np.where(small.y == "tumor", "ill", small.y)})
    write_table(tmp_path / "n.csv", small)
    said = refusal_of(run, folder, tmp_path / "n.csv")
    assert "--unknown-classes drop" in said
    assert "'ill', 'normal', but the first has 'normal', 'tumor'" in said
    assert "one of error, drop" in refusal_of(run, folder, "n.csv", "--unknown-classes", "keep")


def test_results_are_replaced_on_request_only(run, folder, second):
    (folder.parent / "v").mkdir()
    (folder.parent / "v" / "mine.txt").write_text("kept")
    words = ("validate", folder, second, "--out", "v")
    done = run(*words, cwd=folder.parent)
    assert done.returncode == 2
    assert "--force" in done.stderr
    done = run(*words, "--force", cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    assert (folder.parent / "v" / "mine.txt").read_text() == "kept"


def test_a_file_instead_of_the_directory_is_refused(run, folder, second):
    said = refusal_of(run, folder / "selection.json", second)
    assert "Pass the directory that perturbfs select wrote" in said


def test_a_directory_without_a_selection_is_named(run, second, tmp_path):
    (tmp_path / "empty").mkdir()
    said = refusal_of(run, tmp_path / "empty", second)
    assert "empty has no selection.json. Pass the directory that perturbfs select wrote." in said
