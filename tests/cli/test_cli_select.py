"""`perturbfs select`: what it prints and writes."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

from perturbfs import PerturbationSelector, load_selection

QUICK = ("--target", "state", "--n-features", "3", "--splits", "2")
STRANGE = [
    "a, b",
    'say "x"',
    "Größe β",
    "two  words",
    "=SUM(A1)",
    "@home",
    "<script>alert(1)</script>",
    "[red]x[/red]",
    "[/]",
    "a;b",
    "-1+2",
    "it's",
]


@pytest.fixture(scope="module")
def select(run):
    """Run `select` on a file, which must succeed silently on standard error."""

    def run_select(source, cwd, *options):
        done = run("select", source, *QUICK, *options, cwd=cwd)
        assert (done.returncode, done.stderr) == (0, "")
        return cwd / options[options.index("--out") + 1]

    return run_select


@pytest.fixture(scope="module")
def shown(small, write_table, tmp_path_factory, run):
    """A selection of all of twelve features with strange names, and what was printed."""
    cwd = tmp_path_factory.mktemp("strange")
    X = small.X[:, : len(STRANGE)]
    path = write_table(cwd / "strange.csv", small, names=STRANGE, X=X)
    # The last --n-features counts.
    options = ("--n-features", len(STRANGE), "--out", "result")
    done = run("select", path, *QUICK, *options, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, cwd / "result"


@pytest.fixture(scope="module")
def strange(shown):
    return shown[1]


def test_the_page_names_only_samples_that_the_check_names(small, write_table, tmp_path, run):
    copied = SimpleNamespace(**vars(small))
    copied.samples = [f"patient {i:02d}" for i in range(42)]
    copied.X, copied.y = np.vstack([small.X, small.X[:2]]), np.append(small.y, small.y[:2])
    path = write_table(tmp_path / "copied.csv", copied)
    done = run("select", path, *QUICK, "--out", "result", cwd=tmp_path)
    assert done.returncode == 0
    page = (tmp_path / "result" / "report.html").read_text("utf-8")
    assert set(re.findall(r"patient \d\d", page)) == {
        f"patient {i}" for i in ("00", "01", "40", "41")
    }


def test_all_files_are_written_and_named(selected):
    names = {"selection.json", "features.csv", "groups.csv", "selected.csv", "summary.json"}
    names.add("report.html")
    assert {path.name for path in selected.folder.iterdir()} == names
    said = " ".join(selected.done.stdout.split()).partition("Written to ")[2]
    assert said.startswith("result:")
    assert all(name in said for name in names)


def test_it_says_how_the_data_were_understood(selected):
    said = selected.done.stdout
    assert re.search(r"^samples +40 *$", said, re.M)
    assert re.search(r"^features +60 *$", said, re.M)
    assert re.search(r"^outcome +state \(classification\) *$", said, re.M)
    assert re.search(r"^classes +normal: 20, tumor: 20 *$", said, re.M)
    assert re.search(r"^left out +sample: names of the samples *$", said, re.M)


def test_features_are_shown_in_order_with_score_and_group(selected):
    rows = re.findall(r"^(\d) +(gene \d\d) +(\d\.\d{3}) +(\d+): gene", selected.done.stdout, re.M)
    found = load_selection(selected.folder / "selection.json").features
    assert len(found) == 3
    assert rows == [
        (str(each.rank), each.name, f"{each.score:.3f}", str(len(each.stands_for)))
        for each in found
    ]
    assert [each.rank for each in found] == [1, 2, 3]


def test_the_estimate_stands_beside_all_features_and_guessing(selected):
    estimate = load_selection(selected.folder / "selection.json").estimate
    interval = r"(-?\d\.\d{3}) +-?\d\.\d{3} to -?\d\.\d{3}"
    for label, key in [
        ("this way of selecting", "selected"),
        ("all features", "all_features"),
        ("as many random features", "random"),
        ("guessing", "guessing"),
    ]:
        shown = re.search(rf"^{label} +{interval}", selected.done.stdout, re.M)
        assert shown[1] == f"{estimate[key]['mean']:.3f}"
    assert estimate["guessing"]["mean"] == 0.5
    assert f"Stability {estimate['stability']:.2f} " in selected.done.stdout


def test_the_small_files_agree_with_the_selection(selected, small, read_rows):
    found = load_selection(selected.folder / "selection.json").features
    header, *rows = read_rows(selected.folder / "features.csv")
    assert header[:7] == [
        "rank",
        "name",
        "index",
        "score",
        "direction",
        "selected_again",
        "n_splits",
    ]
    assert header[7:] == ["effect", "p_value", "q_value", "near_copy_of", "n_stands_for"]
    assert [row[:4] for row in rows] == [
        [str(f.rank), f.name, str(f.index), str(f.score)] for f in found
    ]
    assert all(row[4].startswith("higher in ") and row[6] == "2" for row in rows)
    assert {row[5] for row in rows} <= {"0", "1", "2"}
    assert [row[-1] for row in rows] == [str(len(f.stands_for)) for f in found]
    assert read_rows(selected.folder / "groups.csv")[1:] == [
        [str(f.rank), f.name, member] for f in found for member in f.stands_for
    ]
    table = read_rows(selected.folder / "selected.csv")
    assert table[0] == ["sample", *(f.name for f in found), "state"]
    expected = small.X[:, [small.names.index(f.name) for f in found]].tolist()
    assert [[float(value) for value in row[1:-1]] for row in table[1:]] == expected
    assert [row[0] for row in table[1:]] == small.samples
    assert [row[-1] for row in table[1:]] == small.y.tolist()


def test_the_first_sentence_is_the_verdict(selected):
    said = " ".join(selected.done.stdout.split())
    verdict = load_selection(selected.folder / "selection.json").estimate["verdict"]
    assert verdict.startswith("On new samples, the selection predicts ")
    assert f"{verdict} 3 of 60 features were selected" in said
    page = (selected.folder / "report.html").read_text(encoding="utf-8")
    assert f'<p class="headline">{verdict} ' in page


def test_no_control_characters_without_a_terminal(selected):
    assert selected.done.stderr == ""
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", selected.done.stdout)


def test_quiet_prints_nothing_and_the_same_seed_gives_the_same_bytes(selected, run, tmp_path):
    again = tmp_path / "again"
    done = run("select", selected.source, *QUICK, "--quiet", "--out", again, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for name in ("selection.json", "selected.csv", "features.csv", "groups.csv", "report.html"):
        assert (again / name).read_bytes() == (selected.folder / name).read_bytes()


def test_another_seed_is_recorded_and_judged_on_other_splits(selected, select, tmp_path):
    other = load_selection(
        select(selected.source, tmp_path, "--out", "other", "--random-state", "5")
        / "selection.json"
    )
    first = load_selection(selected.folder / "selection.json")
    assert other.random_state == 5
    assert other.data == first.data
    assert other.estimate != first.estimate


def test_json_alone_is_on_standard_output(selected, run, tmp_path):
    done = run("select", selected.source, *QUICK, "--json", "--out", "result", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == (selected.folder / "selection.json").read_text(encoding="utf-8")
    assert json.loads(done.stdout)["schema_version"] == 2
    assert "Written to result" in done.stderr


def test_force_replaces_our_files_and_leaves_others(selected, select, tmp_path):
    folder = tmp_path / "result"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "selection.json").write_text("old")
    select(selected.source, tmp_path, "--force", "--out", "result")
    assert (folder / "notes.txt").read_text() == "mine"
    expected = (selected.folder / "selection.json").read_bytes()
    assert (folder / "selection.json").read_bytes() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["result"]


def test_strange_names_survive_in_all_files(strange, read_rows):
    features = load_selection(strange / "selection.json").features
    names = [feature.name for feature in features]
    assert sorted(names) == sorted(STRANGE)
    assert [STRANGE[feature.index] for feature in features] == names
    assert [row[1] for row in read_rows(strange / "features.csv")[1:]] == names
    assert read_rows(strange / "selected.csv")[0] == ["sample", *names, "state"]


def test_strange_names_cannot_run_in_the_page(strange):
    page = (strange / "report.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Größe β" in page


def test_strange_names_are_found_again_by_apply(strange, run, read_rows):
    out = strange.parent / "applied.csv"
    done = run(
        "apply", strange / "selection.json", "strange.csv", "--out", out, cwd=strange.parent
    )
    assert (done.returncode, done.stderr) == (0, "")
    whole = read_rows(strange / "selected.csv")
    assert read_rows(out) == [row[:-1] for row in whole]


def test_strange_names_stand_for_others_under_their_own_names(strange, select):
    folder = select(
        strange.parent / "strange.csv", strange.parent, "--method", "paper", "--out", "p"
    )
    features = load_selection(folder / "selection.json").features
    members = [name for feature in features for name in feature.stands_for]
    assert sorted([*members, *(feature.name for feature in features)]) == sorted(STRANGE)


def test_strange_names_are_printed_as_they_are(shown):
    names = re.findall(r"^\d+ +(.*?) +\d\.\d{3} ", shown[0], re.M)
    assert sorted(names) == sorted(STRANGE)


@pytest.mark.parametrize("kind", ["median", "knn"])
def test_missing_values_are_filled_when_asked(kind, small, write_table, select, tmp_path):
    X = small.X.astype(object)
    X[2, 5] = X[7, 5] = X[11, 9] = ""
    path = write_table(tmp_path / "holes.csv", small, X=X)
    found = load_selection(
        select(path, tmp_path, "--impute", kind, "--out", "result") / "selection.json"
    )
    assert (found.data["n_missing"], found.data["impute"]) == (3, kind)
    assert len(found.features) == 3


def test_text_is_left_out_when_asked_and_listed(small, write_table, run, tmp_path):
    X = small.X.astype(object)
    X[:, 5] = "high"
    path = write_table(tmp_path / "text.csv", small, X=X)
    done = run("select", path, *QUICK, "--drop-text", "--out", "result", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^left out +gene 05: text *$", done.stdout, re.M)
    found = load_selection(tmp_path / "result" / "selection.json")
    assert ["gene 05", "text"] in found.data["dropped"]
    assert found.data["n_features"] == 59


def test_a_quantity_is_understood_as_regression(small, write_table, run, tmp_path):
    quantity = (small.X[:, 0] + 0.5).tolist()
    path = tmp_path / "quantity.csv"
    names = ",".join([*small.names, "state"])
    rows = (
        ",".join(map(str, [*row, value]))
        for row, value in zip(small.X.tolist(), quantity, strict=True)
    )
    path.write_text("\n".join([names, *rows]), encoding="utf-8")
    done = run("select", path, *QUICK, "--out", "result", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^outcome +state \(regression\) *$", done.stdout, re.M)
    assert load_selection(tmp_path / "result" / "selection.json").estimate["metric"] == "r2"


def test_a_column_whose_name_is_a_number_is_found_by_its_name(small, run, tmp_path):
    header = ",".join(str(j) for j in range(1, 12))
    rows = (
        ",".join(map(str, [*row[:3], label, *row[3:10]]))
        for row, label in zip(small.X.tolist(), small.codes, strict=True)
    )
    (tmp_path / "numbers.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    args = ("--target", "4", "--n-features", "2", "--splits", "2", "--out", "result")
    done = run("select", "numbers.csv", *args, cwd=tmp_path)
    assert done.returncode == 0
    assert load_selection(tmp_path / "result" / "selection.json").data["target"] == "4"


def test_an_output_that_knows_ascii_only_does_not_make_it_fail(spawn, small_csv, tmp_path):
    env = {"PYTHONIOENCODING": "ascii"}
    done = spawn("select", small_csv, *QUICK, "--out", "result", cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, "")


def test_clusterer_and_estimator_reach_the_method_of_the_paper(run, small_csv, small, tmp_path):
    parts = ("--clusterer", "fuzzy", "--estimator", "knn", "--repeats", "2", "--splits", "2")
    args = ("--target", "state", "--method", "released", *parts, "--out", "result")
    assert run("select", small_csv, *args, cwd=tmp_path).returncode == 0
    selection = load_selection(tmp_path / "result" / "selection.json")
    assert selection.parameters["clusterer"] == "fuzzy"
    assert selection.parameters["estimator"] == "knn"
    selector = PerturbationSelector(
        definition="released", clusterer="fuzzy", estimator="knn", n_repeats=2, random_state=0
    ).fit(small.X, small.y)
    chosen = sorted(feature.index for feature in selection.features)
    assert chosen == np.flatnonzero(selector.support_).tolist()
    command = json.loads((tmp_path / "result" / "summary.json").read_text())["command"]
    assert "--clusterer fuzzy --estimator knn" in command


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clusterer", "fuzzy"), "--clusterer is for the methods paper, released"),
        (("--method", "mrmr", "--estimator", "svm"), "--estimator is for the methods paper"),
        (
            ("--method", "paper", "--n-features", "5", "--estimator", "svm"),
            "released-late with --n-features auto, but the method is paper with --n-features 5.",
        ),
        (("--method", "paper", "--clusterer", "dbscan"), "--clusterer got 'dbscan', but one of"),
        (("--method", "paper", "--estimator", "forest"), "--estimator got 'forest', but one of"),
    ],
)
def test_parts_of_the_method_are_refused_where_they_mean_nothing(
    run, small_csv, tmp_path, options, message
):
    done = run("select", small_csv, "--target", "state", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_runs_are_for_the_methods_that_have_them(run, small_csv, tmp_path):
    done = run("select", small_csv, "--target", "state", "--repeats", "3", cwd=tmp_path)
    assert done.returncode == 2
    assert "--repeats is for the methods paper, released" in " ".join(done.stderr.split())
