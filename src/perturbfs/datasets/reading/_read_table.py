"""Read a table: read a grid of cells, assign roles, join labels, check the numbers."""

from __future__ import annotations

import os
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Literal

from perturbfs.datasets._errors import TableError

from ._files import check_file, explained
from ._formats import ARRAY_READERS, find_reader, read_file
from ._grid import Grid
from ._labels import find_label_file, join_labels, possible_samples, read_labels
from ._options import ReadOptions
from ._parts import make_table
from ._roles import split_roles
from ._table import Table, Task


def read_table(
    path: str | os.PathLike[str],
    target: str | int | os.PathLike[str] | None = None,
    index: str | int | None = None,
    *,
    features_in_rows: bool | None = None,
    task: Task | None = None,
    header: bool | None = None,
    drop_text: bool = False,
    missing: Literal["error", "allow"] = "error",
) -> Table:
    r"""Read samples by features, and an outcome, from a file.

    Parameters
    ----------
    path : str or path
        The extension gives the format: ``.csv``, ``.tsv``, ``.txt``, ``.gct``, ``.svmlight`` and
        ``.libsvm`` (all of these also with ``.gz``), ``.arff``, ``.mat``, ``.npz``, ``.npy``,
        ``.parquet`` and ``.pq``, ``.feather`` and ``.arrow``, ``.xlsx`` and ``.xls``, ``.h5ad``.
        Text must be in UTF-8. Its delimiter is detected.
    target : str, int, path or None, default=None
        The outcome: a name or a position among the columns of the file (among the rows if
        features are in rows; negative positions count from the end), a variable of a .mat or
        .npz file, or a column of ``obs`` of an .h5ad file. Or a second file, ``labels.csv`` or
        ``labels.csv:column``, joined on sample names: a sample without a label is an error; a
        label without a sample is left out and counted in ``dropped``. If neither file has
        sample names, they are joined by order. None takes what the format has: the labels of
        svmlight, the variable Y or y, the attribute of an ARFF file called class or its last
        one; otherwise there is no outcome.
    index : str, int, False or None, default=None
        The column of sample names (of feature names if features are in rows). None detects
        it: a first column without a name, one called id, sample, patient and the like, or a
        first column of text without repetition. False: there is none.
    features_in_rows : bool or None, default=None
        Whether rows are features. None detects it: they are if the format says so (GCT), if
        the target is the name of a row and of no column, or if the labels of a second file
        match the names of the columns better than those of the rows.
    task : {"classification", "regression"} or None, default=None
        None infers it: text is classes, fractions are a quantity, whole numbers are classes
        unless more than 20 values occur and more than half of the samples differ.
    header : bool or None, default=None
        Whether the first line of text or of an Excel sheet holds names. None detects it.
    drop_text : bool, default=False
        Leave out features that hold text. They are an error otherwise.
    missing : {"error", "allow"}, default="error"
        What to do about missing values (empty, NA, NaN, null, ? and the like) among the
        features. In the outcome they are always an error.

    Returns
    -------
    table : Table

    Raises
    ------
    TableError
        If the file cannot be read; the message says what is wrong and what to do.
    ImportError
        If a format needs a package that is not installed; the message has the command to
        install it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from perturbfs.datasets import read_table
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "expression.csv")
    ...     _ = file.write_text("sample,TP53,MYC,state\nS1,1.5,2,tumor\nS2,0.5,3,normal\n")
    ...     table = read_table(file, target="state")
    >>> table.X
    array([[1.5, 2. ],
           [0.5, 3. ]])
    >>> list(table.feature_names), list(table.sample_names), table.y.tolist(), table.task
    (['TP53', 'MYC'], ['S1', 'S2'], ['tumor', 'normal'], 'classification')
    """
    _check_choices(task, missing, index)
    path = Path(path)
    check_file(path)
    target = int(target) if isinstance(target, Integral) else target
    label_file = find_label_file(target)
    is_elsewhere = label_file is not None and find_reader(path) in ARRAY_READERS
    column = None if is_elsewhere or isinstance(target, os.PathLike) else target
    options = ReadOptions(
        target=column,
        index=index,
        features_in_rows=features_in_rows,
        header=header,
        task=task,
        drop_text=drop_text,
        allow_missing=missing == "allow",
    )
    found = read_file(path, options)
    labels = None
    # A column of this name comes before a file of this name.
    if label_file and not (isinstance(found, Grid) and column in (found.column_names or [])):
        labels = read_labels(*label_file, known=possible_samples(found))
        options = replace(options, target=None)
    with explained(path):
        if isinstance(found, Grid):
            labelled = None if labels is None else labels.names
            found = split_roles(found, options, labelled=labelled)
        parts = found if labels is None else join_labels(found, labels)
        return make_table(parts, options, source=str(path))


def _check_choices(task: object, missing: object, index: object) -> None:
    if task not in (None, "classification", "regression"):
        raise TableError(
            f"task={task!r} is not known. Give 'classification' or 'regression', or None to "
            "infer it."
        )
    if missing not in ("error", "allow"):
        raise TableError(f"missing={missing!r} is not known. Give 'error' or 'allow'.")
    if index is True:
        raise TableError("index=True is not a column. Give a name, a position, False or None.")
