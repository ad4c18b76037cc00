"""`perturbfs reproduce` as a process."""

import json
import signal
import time

import pytest
from reference_values import SHARED

pytestmark = pytest.mark.slow

DATA = SHARED / "datasets"


@pytest.fixture(scope="module")
def plain(run, tmp_path_factory):
    """Tables that need no data."""
    cwd = tmp_path_factory.mktemp("reproduce")
    tables = ["datasets", "fs-svm-split", "synth-perturbation", "synth-angles", "synth-without"]
    done = run("reproduce", *tables, "--out", "out", "--json", cwd=cwd)
    assert (done.returncode, done.stderr.count("Error")) == (0, 0)
    return cwd / "out", json.loads(done.stdout)


def test_tables_without_a_method_need_no_data(plain):
    folder, summary = plain
    assert summary["verdicts"] == {"no protocol": {"inside": 30, "agrees": 28}}
    page = (folder / "reproduction.html").read_text(encoding="utf-8")
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "5974.3" in page
    assert "| f2 | published 112.981" in (folder / "reproduction.md").read_text(encoding="utf-8")


def test_the_pages_are_rebuilt_from_what_is_kept(plain, run):
    folder, _ = plain
    before = {name: (folder / name).read_bytes() for name in ("reproduction.html", "story.svg")}
    (folder / "reproduction.html").unlink()
    done = run("report", folder, cwd=folder)
    assert done.returncode == 0
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_results_without_their_settings_are_refused_in_a_sentence(run, tmp_path):
    (tmp_path / "reproduction.json").write_text('{"story": []}')
    done = run("report", tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert "lacks what perturbfs reproduce writes" in " ".join(done.stderr.split())


def test_settings_are_kept_with_the_results(plain):
    settings = json.loads((plain[0] / "settings.json").read_text())
    assert settings["random_state"] == 0
    assert len(settings["checksums"]) == 11
    assert "scikit-learn" in settings["versions"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["no-such-table"], 2, "no table 'no-such-table'"),
        (["--protocol", "leaky"], 2, "--protocol got 'leaky'"),
        (["datasets", "--out", "full"], 1, "is not empty"),
        (["--datasets", "colon,colom"], 2, "no data set called 'colom'"),
        (["fs-svm", "--datasets", "colon"], 1, "no results on the data set 'colon'"),
    ],
)
def test_wrong_use_is_said_in_a_sentence(run, tmp_path, args, code, said):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    # No data and no way to a publisher.
    done = run("reproduce", *args, cwd=tmp_path, env={"https_proxy": "http://127.0.0.1:9"})
    assert done.returncode == code
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(start, run, tmp_path):
    if not DATA.exists():
        pytest.skip("the developers' data sets are not here")
    # Only colon is there: the others cannot be had.
    data = tmp_path / "data"
    data.mkdir()
    (data / "colon.mat").symlink_to(DATA / "colon.mat")
    env = {"PERTURBFS_DATA": data, "https_proxy": "http://127.0.0.1:9"}
    command = ("reproduce", "kmeans-accuracy", "--protocol", "published", "--quick", "--out", "r")
    process = start(*command, cwd=tmp_path, env=env)
    results = tmp_path / "r" / "results.jsonl"
    end = time.monotonic() + 60
    while not (results.exists() and len(results.read_text().splitlines()) > 2):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command continues" in " ".join(errors.split())
    kept = results.read_text().splitlines()
    done = run(*command, cwd=tmp_path, env=env)
    assert done.returncode == 0
    assert "leaks" in done.stdout
    assert results.read_text().splitlines()[: len(kept)] == kept
    assert "published protocol: leaks" in (tmp_path / "r" / "reproduction.html").read_text()
