import os
import subprocess
import sys
import tempfile

import pytest

from perturbfs._support.scratch import scratch_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills by signal")

KILLED = """
import os
from perturbfs._support.scratch import scratch_folder
with scratch_folder("purpose-") as folder:
    (folder / "table.csv").write_text("values of patients")
    os.kill(os.getpid(), 9)
"""


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "purpose-of-somebody").mkdir()
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", KILLED], env=env, check=False)
    assert len(os.listdir(tmp_path)) == 2
    with scratch_folder("purpose-") as first, scratch_folder("purpose-") as second:
        assert list(first.iterdir()) == []
        names = {"purpose-of-somebody", first.parent.name, second.parent.name}
        assert set(os.listdir(tmp_path)) == names
    assert os.listdir(tmp_path) == ["purpose-of-somebody"]
