"""From the form to the words of the command."""

from pathlib import Path

import pytest

from perturbfs.cli._command import options_in
from perturbfs.cli._options import Reading
from perturbfs.serve._requests import RefusedError
from perturbfs.serve._settings import READING, columns_of, command_of, read_settings, target_of
from perturbfs.serve._uploads import Upload

TABLE = Upload("my table.csv", "uploaded-table.csv", 10)
LABELS = Upload("my labels.csv", "uploaded-labels.csv", 10)
NAME_OF_A_FILE = __file__
OUTLINES = [
    {
        "names": ["a", NAME_OF_A_FILE],
        "candidates": [{"target": "--force"}, {"target": ""}],
    },
    {"names": ["b"], "candidates": [{"target": "b:c"}]},
]


def command(kind="select", folder=Path(), labels=LABELS, outlines=OUTLINES, **form):
    settings = read_settings(form)
    target = target_of(settings, labels, outlines, folder=folder)
    columns = columns_of(settings, labels, outlines, folder=folder)
    return command_of(kind, settings, TABLE, target, columns, n_jobs=1)


def target_words(words):
    return [word for word in words if word.startswith("--target")]


def test_every_field_becomes_a_word():
    words = command(
        target="typed",
        typed="-1",
        method="mrmr",
        n_features=" 7 ",
        impute="knn",
        features_in="rows",
        task="regression",
        drop_text="yes",
        random_state="3",
    )
    expected = {"--target=-1", "--method=mrmr", "--n-features=7", "--impute=knn", "--drop-text"}
    expected |= {"--features-in-rows", "--task=regression", "--random-state=3", "--out=result"}
    assert words[:2] == ["select", "uploaded-table.csv"]
    assert expected <= set(words)


def test_the_form_has_every_option_of_reading_a_table():
    fields = {*READING, "target", "features_in_rows", "header", "drop_text", "drop_all_text"}
    # Sample names are detected, and the memory is that of the machine: no fields for them. The
    # page takes no survival outcomes.
    others = {"index", "read_memory", "time", "event", "event_value"}
    assert options_in(Reading()).keys() - fields == others


def test_fields_left_alone_are_those_of_the_command():
    words = command()
    assert target_words(words) == []
    assert "--method=robust" in words
    assert "--n-features=auto" in words
    assert not [word for word in words if word.startswith(("--impute", "--task", "--drop"))]


@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("candidate:0", ["--target=--force"]),  # a column of that name, and no option
        ("candidate:1", []),  # what the file itself says
        ("labels", ["--target=uploaded-labels.csv"]),
        ("labels:0", ["--target=uploaded-labels.csv:b:c"]),
    ],
)
def test_the_outcome_is_one_word(target, word):
    assert target_words(command(target=target)) == word


@pytest.mark.parametrize(
    "form",
    [
        {"target": "candidate:2"},
        {"target": "candidate:-1"},
        {"target": "candidate:x"},
        {"target": "labels:1"},
        {"random_state": "x"},
        {"features_in": "both"},
        {"drop_text": "some"},
        {"out": "/tmp/elsewhere"},
        {"method": 3},
        {"typed": "a\0"},
        {"typed": "a" * 3000},
        {"typed": "\ud800"},
    ],
)
def test_what_the_page_cannot_send_is_refused(form):
    with pytest.raises(RefusedError) as caught:
        command(**form)
    assert caught.value.status == 400


@pytest.mark.parametrize("field", ["groups", "batch"])
@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("a", "a"),
        ("b", "uploaded-labels.csv:b"),  # a column of the second file
        ("patient", "patient"),  # the command says that there is none
        (" ", None),
    ],
)
def test_groups_and_batches_are_columns_of_either_file(field, name, word):
    words = [each for each in command(**{field: name}) if each.startswith(f"--{field}")]
    assert words == ([] if word is None else [f"--{field}={word}"])


@pytest.mark.parametrize("field", ["groups", "batch"])
def test_groups_and_batches_never_open_a_file(field):
    with pytest.raises(RefusedError, match=f"{field}=.* is a file"):
        command(**{field: NAME_OF_A_FILE})


def test_lists_become_an_option_for_each_entry():
    words = command(exclude="age, AFFX*", na="n.d.")
    assert [word for word in words if word.startswith(("--ex", "--na"))] == [
        "--na=n.d.",
        "--exclude=age",
        "--exclude=AFFX*",
    ]


def test_each_command_gets_its_own_options():
    form = {"n_features": "3", "sizes": "5,10", "methods": "mrmr", "method": "paper"}
    form |= {"min_class_size": "4", "groups": "a"}
    select = set(command("select", **form))
    evaluate, check = (set(command(kind, **form)) for kind in ("evaluate", "check"))
    assert {"--n-features=3", "--method=paper", "--min-class-size=4"} <= select
    assert {"--n-features=5,10", "--methods=mrmr", "--min-class-size=4"} <= evaluate
    assert not {"--methods=mrmr", "--n-features=5,10"} & select
    assert "--groups=a" in select & evaluate & check
    assert check == {"check", "uploaded-table.csv", "--json", "--groups=a"}


def test_a_second_file_must_be_there():
    with pytest.raises(RefusedError, match="no second file"):
        command(target="labels", labels=None)


@pytest.mark.parametrize(
    "text",
    ["{0}/secret.csv", "{0}/secret.csv:column", "{0}/secret.csv:co:lumn", "../secret.csv"],
)
def test_a_typed_target_never_opens_a_file(text, tmp_path):
    (tmp_path / "secret.csv").write_text("sample,column\n")
    (tmp_path / "job").mkdir()
    with pytest.raises(RefusedError, match="is a file"):
        command(folder=tmp_path / "job", target="typed", typed=text.format(tmp_path))


@pytest.mark.parametrize("place", ["column", "row", "variable"])
def test_an_offered_name_never_opens_a_file(place, tmp_path):
    (tmp_path / "secret.csv").write_text("sample,column\n")
    for end in ("", ":column", ":co:lumn"):
        name = f"{tmp_path}/secret.csv{end}"
        offered = {"names": [name], "candidates": [{"target": name, "place": place}]}
        with pytest.raises(RefusedError, match="is a file"):
            command(outlines=[offered], target="candidate:0")
        with pytest.raises(RefusedError, match="is a file"):
            command(outlines=[offered], target="typed", typed=name)


def test_a_column_may_be_called_like_a_folder_of_the_job(tmp_path):
    (tmp_path / "result").mkdir()
    assert target_words(command(folder=tmp_path, target="typed", typed="result")) == [
        "--target=result"
    ]


def test_no_outcome_is_no_file(tmp_path):
    assert target_words(command(folder=tmp_path, target="typed", typed="")) == []
