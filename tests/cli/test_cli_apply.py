"""`perturbfs apply`: the selected features of another table. `perturbfs report`: the page."""

import json

import numpy as np
import pytest

from perturbfs import load_selection


@pytest.fixture
def apply(run, selected, tmp_path):
    """Apply the selection of the small table to a file in the temporary directory."""

    def run_apply(source, *options, out="out.csv"):
        selection = selected.folder / "selection.json"
        return run("apply", selection, source, "--out", out, *options, cwd=tmp_path)

    return run_apply


@pytest.fixture(scope="module")
def chosen(selected):
    return [each.name for each in load_selection(selected.folder / "selection.json").features]


def write(path, header, rows):
    lines = [",".join(map(str, line)) for line in [header, *rows]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_reordered_and_extra_columns_do_not_matter(
    apply, selected, small, chosen, read_rows, tmp_path
):
    order = np.random.default_rng(0).permutation(60)
    samples = [7, 3, 20, 0]
    header = ["extra", *(small.names[j] for j in order), "remark", "sample"]
    rows = [[-1.5, *small.X[i, order].tolist(), "fine", small.samples[i]] for i in samples]
    write(tmp_path / "new.csv", header, rows)
    done = apply("new.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 samples, 3 features, written to out.csv." in done.stdout
    original = read_rows(selected.folder / "selected.csv")
    assert original[0][1:-1] == chosen
    whole = [original[0], *(original[1 + i] for i in samples)]
    assert read_rows(tmp_path / "out.csv") == [row[:-1] for row in whole]


def test_missing_features_are_listed_and_nothing_is_written(apply, small, chosen, tmp_path):
    kept = [j for j, name in enumerate(small.names) if name not in chosen[1:]]
    write(tmp_path / "new.csv", [small.names[j] for j in kept], small.X[:, kept].tolist())
    done = apply("new.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert "2 of 3 selected features are missing" in done.stderr
    assert all(repr(name) in done.stderr for name in chosen[1:])
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


def test_a_selected_feature_with_text_is_said_to_hold_text(apply, small, chosen, tmp_path):
    X = small.X.astype(object)
    X[:, small.names.index(chosen[0])] = "high"
    write(tmp_path / "new.csv", small.names, X.tolist())
    done = apply("new.csv")
    assert done.returncode == 1
    assert "text" in done.stderr
    assert "missing" not in done.stderr


def test_text_that_is_read_as_a_missing_value_is_counted(apply, small, chosen, tmp_path):
    X = small.X.astype(object)
    X[3, small.names.index(chosen[0])] = "n.d."
    write(tmp_path / "new.csv", small.names, X.tolist())
    done = apply("new.csv")
    assert done.returncode == 0
    assert "1 cell of 1 feature holds text such as 'n.d.'" in " ".join(done.stdout.split())


def test_arrays_are_taken_by_position_with_a_note(apply, small, chosen, read_rows, tmp_path):
    np.save(tmp_path / "new.npy", small.X[:5])
    done = apply("new.npy")
    assert done.returncode == 0
    assert done.stderr.startswith("Note: Features are taken by position")
    rows = read_rows(tmp_path / "out.csv")
    expected = small.X[:5, [small.names.index(name) for name in chosen]]
    assert [[float(value) for value in row[1:]] for row in rows[1:]] == expected.tolist()


def test_a_selection_without_names_takes_a_table_with_names_by_position(
    run, selected, small, read_rows, tmp_path
):
    content = json.loads((selected.folder / "selection.json").read_text(encoding="utf-8"))
    for each in content["features"]:
        each.update(name=None, stands_for=[], copy_of=None)
    (tmp_path / "selection.json").write_text(json.dumps(content), encoding="utf-8")
    write(tmp_path / "new.csv", small.names, small.X[:5].tolist())
    done = run("apply", "selection.json", "new.csv", "--out", "out.csv", cwd=tmp_path)
    assert (done.returncode, done.stderr[:40]) == (0, "Note: Features are taken by position, be")
    found = [[float(value) for value in row[1:]] for row in read_rows(tmp_path / "out.csv")[1:]]
    assert found == small.X[:5, [each["index"] for each in content["features"]]].tolist()


def test_arrays_of_another_width_are_refused(apply, small, tmp_path):
    np.save(tmp_path / "new.npy", small.X[:5, :59])
    done = apply("new.npy")
    assert (done.returncode, done.stdout) == (1, "")
    assert "have 59 features, but the selection was made on 60" in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_an_existing_file_is_replaced_only_by_force(apply, small, read_rows, tmp_path):
    write(tmp_path / "new.csv", small.names, small.X.tolist())
    (tmp_path / "out.csv").write_text("mine")
    refused = apply("new.csv")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--force" in refused.stderr
    assert (tmp_path / "out.csv").read_text() == "mine"
    forced = apply("new.csv", "--force", "--quiet")
    assert (forced.returncode, forced.stdout, forced.stderr) == (0, "", "")
    assert len(read_rows(tmp_path / "out.csv")) == 41
    assert {path.name for path in tmp_path.iterdir()} == {"new.csv", "out.csv"}


def test_what_select_wrote_can_be_applied_to_again(apply, selected, read_rows, tmp_path):
    done = apply(selected.folder / "selected.csv")
    assert (done.returncode, done.stderr) == (0, "")
    original = read_rows(selected.folder / "selected.csv")
    assert read_rows(tmp_path / "out.csv") == [row[:-1] for row in original]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ('{"schema_version": 99}', "schema_version 99, but this perturbfs reads 1"),
    ],
)
def test_a_damaged_selection_is_refused(content, message, run, selected, tmp_path):
    (tmp_path / "selection.json").write_text(content)
    done = run("apply", "selection.json", selected.source, "--out", "out.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_a_directory_that_is_not_there_is_named(apply, selected):
    done = apply(selected.source, out="nowhere/out.csv")
    assert done.returncode in (1, 2)
    assert "nowhere" in done.stderr
    assert ".part" not in done.stderr


def test_the_file_is_named_as_it_is(apply, selected):
    done = apply(selected.source, out="out[old].csv")
    assert done.returncode == 0
    assert "written to out[old].csv." in done.stdout


def test_report_writes_the_same_bytes_from_the_summary_alone(run, selected, tmp_path):
    folder = tmp_path / "copy"
    folder.mkdir()
    content = (selected.folder / "summary.json").read_bytes()
    (folder / "summary.json").write_bytes(content)
    done = run("report", "copy", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "copy/report.html" in done.stdout
    page = (folder / "report.html").read_bytes()
    assert page == (selected.folder / "report.html").read_bytes()
    assert {path.name for path in folder.iterdir()} == {"summary.json", "report.html"}


def test_report_makes_a_page_without_pictures_from_the_selection_alone(run, selected, tmp_path):
    (tmp_path / "selection.json").write_bytes((selected.folder / "selection.json").read_bytes())
    assert run("report", ".", cwd=tmp_path).returncode == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<canvas" not in page
    assert json.loads((selected.folder / "summary.json").read_text())["headline"] in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": 9}, "has schema_version 9, but this perturbfs reads 1"),
        ({"headline": 3}, "headline is 3, but a text is needed"),
        ({"extra": 3}, "extra is not a known field"),
        ({"scores": [["guessing", "x", 1, 2]]}, 'scores[0][1] is "x", but a number is needed'),
        ({"scores": []}, "lacks what the page needs"),
    ],
)
def test_report_refuses_a_damaged_summary_in_a_sentence(run, selected, tmp_path, change, said):
    content = json.loads((selected.folder / "summary.json").read_text(encoding="utf-8"))
    (tmp_path / "summary.json").write_text(json.dumps(content | change), encoding="utf-8")
    done = run("report", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in " ".join(done.stderr.split())
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("change", [{"n_features_in_splits": []}, {"all_features": "no end"}])
def test_report_refuses_a_selection_that_the_page_cannot_show(run, selected, tmp_path, change):
    content = json.loads((selected.folder / "selection.json").read_text(encoding="utf-8"))
    if change == {"all_features": "no end"}:
        change = {"all_features": content["estimate"]["all_features"] | {"high": None}}
    content["estimate"] |= change
    (tmp_path / "selection.json").write_text(json.dumps(content), encoding="utf-8")
    done = run("report", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "selection.json lacks what the page needs" in done.stderr
    assert not (tmp_path / "report.html").exists()


def test_report_refuses_a_directory_without_selection(run, tmp_path):
    done = run("report", tmp_path, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "holds no selection.json" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_report_refuses_a_damaged_estimate_in_a_sentence(run, selected, tmp_path):
    content = json.loads((selected.folder / "selection.json").read_text(encoding="utf-8"))
    del content["estimate"]["selected"]
    (tmp_path / "selection.json").write_text(json.dumps(content))
    done = run("report", tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert "selection.json" in done.stderr
    assert "bug in perturbfs" not in done.stderr
