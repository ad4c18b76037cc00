"""A file all the way to its report, and jobs that do not get there."""

import asyncio
import json
from pathlib import Path

import pytest
from page_client import Client, is_alive, running_server
from page_reader import Reader
from typer.testing import CliRunner

from perturbfs.cli import _child, app
from perturbfs.serve import _jobs as jobs
from perturbfs.serve._job import Job
from perturbfs.serve._process import ChildError
from perturbfs.serve._uploads import Upload

LONG = {"target": "typed", "typed": "state", "method": "paper"}
RESULTS = ("selection.json", "features.csv", "groups.csv", "selected.csv", "report.html")
EVIL = "<script>alert(1)</script>"


def select_on_the_command_line(cwd, monkeypatch, content, *words, name="uploaded-table.csv"):
    monkeypatch.chdir(cwd)
    Path(name).write_bytes(content)
    return CliRunner().invoke(app, ["select", name, "--quiet", "--out=result", *words])


@pytest.mark.slow
def test_a_file_gives_what_the_command_gives(client, small, tmp_path, monkeypatch):
    page = client.upload(small.csv, "../my table.csv")
    assert client.wait(page)["state"] == "ready"
    shown = Reader(client.ask(page).text)
    assert "40 rows, 62 columns, 2 of them with text" in shown.texts
    assert "2 distinct values: tumor, normal" in shown.texts
    assert "my table.csv" in shown.texts

    assert client.select(page, target="typed", typed="stat", n_features="3")[0] == 202
    failed = client.wait(page)
    words = ("--target=stat", "--n-features=3")
    done = select_on_the_command_line(
        tmp_path, monkeypatch, small.csv, *words, name="my table.csv"
    )
    assert failed["state"] == "failed"
    assert f"Error: {failed['error']}\n" == done.stderr
    assert failed["error"] in Reader(client.ask(page).text).texts

    assert client.select(page, target="candidate:0", n_features="3")[0] == 202
    finished = client.wait(page)
    assert (finished["state"], finished["error"]) == ("done", "")
    assert [(bar["done"], bar["total"]) for bar in finished["bars"]] == [(20, 20)]
    words = ("--target=state", "--n-features=3")
    done = select_on_the_command_line(
        tmp_path, monkeypatch, small.csv, *words, name="my table.csv"
    )
    assert done.exit_code == 0
    for name in RESULTS:
        assert client.ask(f"{page}{name}").text == (tmp_path / "result" / name).read_text()
    summary = json.loads(client.ask(f"{page}summary.json").text)
    assert summary["command"].startswith("perturbfs select 'my table.csv' --method robust")
    report = client.ask(f"{page}report.html").headers["Content-Security-Policy"]
    assert report.startswith("sandbox allow-scripts allow-downloads; default-src 'none';")
    assert client.ask(f"{page}selected.csv").headers["Content-Disposition"].startswith("attach")


@pytest.mark.slow
def test_names_are_only_names_and_labels_may_be_in_a_second_file(client, small):
    names = [EVIL, '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", *small.names[3:]]
    lines = small.csv.decode().splitlines()
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = "\n".join([f"sample,{quoted},{EVIL}2", *lines[1:]]).encode()
    page = client.upload(table, f"{EVIL}.csv")
    assert client.wait(page)["state"] == "ready"
    labels = "id,stage\n" + "".join(f"S{i},{label}\n" for i, label in enumerate(small.y))
    status, _ = client.post(f"{page}labels?name=%3Cb%3E.csv", labels.encode())
    assert status == 201
    assert client.wait(page)["state"] == "ready"

    text = client.ask(page).text
    shown = Reader(text)
    assert shown.tags.count("script") == 1
    assert "img" not in shown.tags
    assert EVIL not in text
    assert "script>.csv" in shown.texts
    assert f"{EVIL}2" in shown.texts
    assert "<b>.csv: 40 rows, 2 columns" in shown.texts
    assert EVIL not in client.ask("").text

    # The old outcome is text, so it must be left out as a feature.
    answer = client.select(page, target="labels", n_features="2", drop_text="yes")
    assert answer[0] == 202
    assert client.wait(page)["error"] == ""
    assert client.ask(f"{page}selected.csv").text.splitlines()[0].endswith(",stage")
    report = client.ask(f"{page}report.html").text
    texts = Reader(client.ask(page).text).texts
    assert "uploaded-" not in report
    assert "uploaded-" not in " ".join(texts)


@pytest.mark.slow
def test_a_file_that_cannot_be_read_gets_a_sentence(client):
    page = client.upload(b"a,b\n1,2\n1,2,3\n", "ragged.csv")
    said = client.wait(page)
    assert said["state"] == "failed"
    assert said["error"].startswith("ragged.csv: line 3 has 3 fields where 2 are expected.")


@pytest.mark.slow
def test_cancelled_jobs_leave_no_process_and_no_result(client, large, folder, quick_to_read):
    page, waiting = client.upload(large, "large.csv"), client.upload(large, "next.csv")
    client.wait(page)
    client.wait(waiting)
    client.select(page, **LONG)
    client.wait(page, lambda said: said["bars"])
    client.select(waiting, **LONG)
    assert client.progress(waiting)["state"] == "queued"
    assert client.select(page, **LONG)[0] == 409
    job = client.server.jobs.get(page.split("/")[1])
    pid = job.pid
    assert is_alive(pid)

    client.post(f"{waiting}cancel")
    client.post(f"{page}cancel")
    for each in (page, waiting):
        assert client.progress(each)["state"] == "cancelled"
        assert client.ask(f"{each}report.html").status == 404
    assert not is_alive(pid)
    assert [path.name for path in job.folder.iterdir()] == ["uploaded-table.csv"]
    client.post(f"{page}remove")
    client.post(f"{waiting}remove")
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_a_running_job_ends_with_the_server(large, tmp_path):
    with running_server(tmp_path) as server:
        client = Client(server)
        page = client.upload(large, "large.csv")
        client.wait(page, lambda _: server.jobs.all()[0].pid)
        pid = server.jobs.all()[0].pid
    assert not is_alive(pid)


def test_a_part_that_goes_on_means_that_those_before_it_are_done(tmp_path):
    job = Job("key", tmp_path, Upload("a.csv", "uploaded-table.csv", 1))
    job.hear({"doing": "reading uploaded-table.csv"})
    assert job.doing == "Reading a.csv"
    job.hear({"bars": {"selecting": 10, "estimating": 2}, "at_once": 1})
    assert job.doing == "Selecting features"
    job.hear({"advance": "estimating"})
    assert job.doing == "Estimating how well they predict"
    assert [bar["done"] for bar in job.progress()["bars"]] == [10, 1]
    job.hear({"advance": "estimating"})
    assert job.doing == "Writing the report"


FINDING = {
    "kind": "copy",
    "message": "'days' alone predicts the outcome perfectly.",
    "advice": "Leave it out with --exclude days if it was measured after the outcome.",
    "names": ["days"],
    "severity": "warning",
}


def test_findings_are_shown_before_the_work_starts(client, small, quick):
    found, commands = quick
    found.append(FINDING)
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    assert [words[0] for words in commands] == ["check"]
    assert "--target=state" in commands[0]
    texts = " ".join(Reader(client.ask(page).text).texts)
    assert FINDING["message"] in texts
    assert FINDING["advice"] in texts

    client.select(page, target="candidate:0")  # the settings that were checked
    assert client.wait(page)["state"] == "done"
    assert [words[0] for words in commands] == ["check", "select"]


def test_new_warnings_hold_the_work_until_they_were_shown(client, small, quick):
    found, commands = quick
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    assert "found nothing suspicious" in " ".join(Reader(client.ask(page).text).texts)
    found.append(FINDING)
    form = {"target": "typed", "typed": "gene 01"}
    client.select(page, **form)
    assert client.wait(page)["state"] == "ready"
    texts = " ".join(Reader(client.ask(page).text).texts)
    assert "nothing was started yet" in texts
    assert FINDING["message"] in texts
    client.select(page, **form)
    assert client.wait(page)["state"] == "done"
    assert [words[0] for words in commands] == ["check", "check", "select"]


def test_a_check_that_fails_is_no_clean_bill(client, small, quick, monkeypatch):
    run_child = jobs.run_child

    async def run_or_fail(request, folder, hear):
        if "check" in request:
            raise ChildError("broken")
        return await run_child(request, folder, hear)

    monkeypatch.setattr(jobs, "run_child", run_or_fail)
    page = client.upload(small.csv, "a.csv")
    assert client.wait(page)["state"] == "ready"
    assert "suspicious" not in client.ask(page).text
    client.select(page, target="candidate:0", n_features="2")
    assert client.wait(page)["state"] == "done"


def test_only_ten_findings_are_shown(client, small, quick):
    quick[0].extend(FINDING | {"message": f"Finding {number}."} for number in range(30))
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    shown = Reader(client.ask(page).text).texts
    assert sum(text.startswith("Finding ") for text in shown) == 10
    assert any("and 20 more" in text for text in shown)


def test_a_check_prints_its_findings_to_the_server(monkeypatch, capsys):
    def app(_command):
        print(json.dumps({"findings": [FINDING]}))
        raise SystemExit(0)

    monkeypatch.setattr(_child, "app", app)
    told = []
    _child._check(["check", "a.csv", "--json"], told.append)
    assert told == [{"findings": [FINDING]}]
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_methods_are_compared_as_the_command_does(client, small, quick_to_read):
    page = client.upload(small.csv, "my table.csv")
    client.wait(page)
    form = {"target": "candidate:0", "methods": "anova,random", "sizes": "2,3"}
    assert client.post(f"{page}evaluate", json.dumps(form).encode())[0] == 202
    finished = client.wait(page)
    assert (finished["state"], finished["error"]) == ("done", "")
    assert [(bar["name"], bar["done"]) for bar in finished["bars"]] == [("splits", 10)]
    document = json.loads(client.ask(f"{page}evaluation.json").text)
    assert document["methods"] == ["anova", "random"]
    assert document["requested"] == [2, 3]
    links = Reader(client.ask(page).text).texts
    assert "scores.csv" in links
    assert "features.csv" not in links
    assert client.ask(f"{page}report.html").status == 200


def test_a_second_file_that_comes_too_late_is_not_kept(client, small, quick, monkeypatch):
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    job = client.server.jobs.get(page.split("/")[1])
    receive = jobs.receive

    async def receive_while_it_starts(*args, **options):
        arrived = await receive(*args, **options)
        client.server.jobs._begin(job, "queued", asyncio.sleep(60))
        return arrived

    monkeypatch.setattr(jobs, "receive", receive_while_it_starts)
    assert client.post(f"{page}labels?name=b.csv", b"id,stage\nS1,a\n")[0] == 409
    client.post(f"{page}cancel")
    assert [path.name for path in job.folder.iterdir()] == ["uploaded-table.csv"]


def test_names_that_cannot_be_encoded_are_shown(client, small, monkeypatch):
    outline = {"names": ["a\ud800"], "row_names": [], "candidates": [], "names_column": None}
    outline |= {"n_rows": 1, "n_columns": 1, "n_missing": 0, "n_text_columns": 0, "notes": []}

    async def run_child(request, folder, hear):
        hear({"outlines": [outline | {"has_targets": True}]})
        return []

    monkeypatch.setattr(jobs, "run_child", run_child)
    page = client.upload(small.csv, "a.csv")
    client.wait(page)
    assert "a?" in client.ask(page).text


def test_a_fault_of_ours_ends_the_job(client, small, monkeypatch, capfd):
    async def run_child(request, folder, hear):
        raise KeyError("outlines")

    monkeypatch.setattr(jobs, "run_child", run_child)
    page = client.upload(small.csv, "a.csv")
    said = client.wait(page)
    assert (said["state"], said["error"][:30]) == ("failed", "This is probably a bug in pert")
    assert "KeyError" in capfd.readouterr().err
