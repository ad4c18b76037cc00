import os
import stat

import pytest

from perturbfs._files import atomic_path


def test_the_file_appears_when_the_block_ends(tmp_path):
    target = tmp_path / "result.txt"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert os.listdir(tmp_path) == ["result.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_still_there(tmp_path, error):
    target = tmp_path / "result.txt"
    target.write_text("old")

    def write_half():
        with atomic_path(target) as temporary:
            temporary.write_text("hal")
            raise error

    with pytest.raises(error):
        write_half()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.txt"]


def test_others_may_read_the_file_as_the_umask_says(tmp_path):
    target = tmp_path / "result.txt"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask
