import os
import stat

import pytest

from perturbfs._support.files import atomic_directory, atomic_path, check_free


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


def test_a_directory_appears_whole(tmp_path):
    target = tmp_path / "deep" / "result"
    with atomic_directory(target) as temporary:
        (temporary / "a.txt").write_text("a")
        assert not target.exists()
    assert [path.name for path in target.iterdir()] == ["a.txt"]
    assert os.listdir(target.parent) == ["result"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_no_directory_is_left(tmp_path, error):
    def write_half():
        with atomic_directory(tmp_path / "result") as temporary:
            (temporary / "a.txt").write_text("a")
            raise error

    with pytest.raises(error):
        write_half()
    assert os.listdir(tmp_path) == []


def test_force_replaces_our_files_and_leaves_others_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(FileExistsError, match=r"exists and is not empty.*--force"):
        check_free(tmp_path, force=False)
    with atomic_directory(tmp_path, force=True) as temporary:
        (temporary / "a.txt").write_text("new")
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "a.txt").read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "mine.txt"]


def test_an_empty_directory_is_free_and_a_file_is_not(tmp_path):
    check_free(tmp_path, force=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="is a file"):
        check_free(tmp_path / "file", force=True)
