"""The shell completes commands, options, methods and names of data sets."""

import pytest


def complete(run, cwd, words):
    """Return what the shell is offered for the last word."""
    env = {
        "_PERTURBFS_COMPLETE": "complete_bash",
        "COMP_WORDS": f"perturbfs {words}",
        "COMP_CWORD": len(words.split(" ")),
    }
    return run(cwd=cwd, env=env).stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("se", ["select", "serve"]),
        ("select --meth", ["--method"]),
        ("select --method l", ["l1-logistic", "land", "lars", "lasso"]),
        ("datasets fetch leu", ["leukemia", "leukemia_golub"]),
        ("select tab", []),  # the shell itself completes names of files
    ],
)
def test_what_fits_is_offered(run, tmp_path, words, offered):
    assert complete(run, tmp_path, words) == offered


def test_the_help_says_how_to_install_it(run, tmp_path):
    assert "--install-completion" in run("--help", cwd=tmp_path).stdout
