import json
from dataclasses import replace

import pytest

from perturbfs.experiments import is_reproduction
from perturbfs.experiments._plan import Record
from perturbfs.experiments._reproduce import RESULTS, Store, read_records, write_records


def record(run=0, method="all"):
    return Record("honest", "colon", method, run, 7, 5, 61.25, None, None, 0.5)


def test_records_are_found_again(tmp_path):
    assert not is_reproduction(tmp_path)
    Store(tmp_path, {"seed": 0}).add([record(0), record(1)])
    assert is_reproduction(tmp_path)
    found = Store(tmp_path, {"seed": 0}).records
    assert found == {each.key: each for each in (record(0), record(1))}


def test_a_line_that_was_cut_off_is_forgotten_and_the_rest_stays(tmp_path):
    store = Store(tmp_path, {"seed": 0})
    store.add([record(0)])
    store.add([record(1)])
    path = tmp_path / RESULTS
    path.write_bytes(path.read_bytes()[:-9])
    again = Store(tmp_path, {"seed": 0})
    assert list(again.records.values()) == [record(0)]
    again.add([record(2)])
    assert [each.run for each in Store(tmp_path, {"seed": 0}).records.values()] == [0, 2]


def test_records_of_other_circumstances_are_not_mixed_in(tmp_path):
    Store(tmp_path, {"seed": 0})
    with pytest.raises(ValueError, match=r"seed = 0, but now seed = 1\. Name another directory"):
        Store(tmp_path, {"seed": 1})


def test_the_csv_has_a_line_for_each_record_in_order(tmp_path):
    write_records(tmp_path / "results.csv", [record(1), record(0), record(0, "a")])
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[0].split(",")[:4] == ["protocol", "dataset", "method", "run"]
    assert [line.split(",")[2:4] for line in lines[1:]] == [["a", "0"], ["all", "0"], ["all", "1"]]
    assert lines[1].endswith(",61.25,,,0.5")


def test_the_csv_is_read_as_it_was_written(tmp_path):
    inner = replace(record(1), accuracy=None, inner_accuracy=65.5, inner_n_features=24)
    records = [record(0), inner]
    write_records(tmp_path / "results.csv", records)
    assert read_records(tmp_path / "results.csv") == records


def test_every_line_is_json_by_itself(tmp_path):
    Store(tmp_path, {"seed": 0}).add([record()])
    head, line = (tmp_path / RESULTS).read_text().splitlines()
    assert json.loads(head) == {"seed": 0}
    assert json.loads(line)[0]["accuracy"] == 61.25
