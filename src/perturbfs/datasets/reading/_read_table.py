"""Read a table: read a grid of cells, assign roles, join labels, check the numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Literal

from perturbfs._support.names import Task
from perturbfs.datasets._errors import TableError

from ._cells import TOKENS, CellFormat
from ._features import exclude_features, note_dates, with_unique_names
from ._files import check_file, explained
from ._formats import ARRAY_READERS, find_reader, is_risky, read_file
from ._grid import Grid
from ._labels import LabelFile, find_label_file, join_labels, possible_samples, read_labels
from ._limits import fitting, parse_memory, read_apart
from ._options import Duplicates, ReadOptions
from ._parts import make_table
from ._roles import split_roles
from ._table import Table


def read_table(
    path: str | os.PathLike[str],
    target: str | int | os.PathLike[str] | None = None,
    index: str | int | None = None,
    *,
    features_in_rows: bool | None = None,
    task: Task | None = None,
    header: bool | None = None,
    drop_text: bool | Literal["all"] = False,
    missing: Literal["error", "allow"] = "error",
    na: str | Sequence[str | float] = (),
    decimal: Literal[".", ","] | None = None,
    thousands: str | None = None,
    sheet: str | int | None = None,
    layer: str | None = None,
    skip_rows: int | None = None,
    duplicates: Duplicates = "error",
    unlabelled: Literal["error", "drop"] = "error",
    exclude: str | Sequence[str] = (),
    match_names: Literal["exact", "loose"] = "exact",
    read_memory: str | int | None = None,
) -> Table:
    r"""Read samples by features, and an outcome, from a file.

    Parameters
    ----------
    path : str or path
        The extension gives the format: ``.csv``, ``.tsv``, ``.txt``, ``.gct``, ``.svmlight`` and
        ``.libsvm`` (all of these also with ``.gz``), ``.arff``, ``.mat``, ``.npz``, ``.npy``,
        ``.parquet`` and ``.pq``, ``.feather`` and ``.arrow``, ``.xlsx`` and ``.xls``, ``.h5ad``.
        Text may be in UTF-8, UTF-16 or Latin-1. Its delimiter is detected. Comments (``#``) and
        titles above the table are skipped, and so are the descriptions in a series matrix of
        GEO, whose characteristics of samples can be the target.
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
        unless more than 20 values occur, and these are more than half as many as the samples or
        a quarter of them occurs only once.
    header : bool or None, default=None
        Whether the first line of text or of an Excel sheet holds names. None detects it.
    drop_text : bool or "all", default=False
        Leave out features in which text is at least as frequent as numbers. They are an error
        otherwise. More than five of them that are more than a tenth of all features are left
        out only with "all", because the file may be misread.
    missing : {"error", "allow"}, default="error"
        What to do about missing values among the features: empty cells, NA, NaN, null, ? and the
        like; n.d., <LOD>, <0.5, ``#VALUE!``, - and the like, and any text in a feature that has
        more numbers than text. The latter are counted in ``notes``.
    na : str or sequence of str, default=()
        What else stands for a missing value, such as ``"-99"``.
    decimal : {".", ","} or None, default=None
        The decimal mark. None detects it.
    thousands : str or None, default=None
        What separates thousands, such as ``","``. None detects it.
    sheet : str, int or None, default=None
        The sheet of an Excel workbook, by name or position. None takes the first with a table.
    layer : str or None, default=None
        The layer of an .h5ad file that holds the features, or ``"raw"`` for its ``raw``. None
        takes X.
    skip_rows : int or None, default=None
        Number of lines, or rows of an Excel sheet, above the table. None detects titles.
    duplicates : {"error", "first", "mean", "rename"}, default="error"
        What to do about features with the same name: keep the first, replace them by their mean,
        or number them.
    unlabelled : {"error", "drop"}, default="error"
        What to do about samples without an outcome.
    exclude : str or sequence of str, default=()
        Features to leave out, by names or patterns such as ``"date_*"``.
    match_names : {"exact", "loose"}, default="exact"
        How labels of a second file are joined. With "loose" case, blanks and punctuation of the
        sample names are ignored.
    read_memory : str, int or None, default=None
        Memory that reading may take, such as ``"4GB"``. None: three quarters of what is free.
        Compressed text, Excel, Parquet, Feather, svmlight, MATLAB, .npz and .h5ad files are read
        in a child process with this limit (enforced on Linux) and a limit on time.

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
    choices = {
        "task": (task, (None, "classification", "regression")),
        "missing": (missing, ("error", "allow")),
        "drop_text": (drop_text, (False, True, "all")),
        "decimal": (decimal, (None, ".", ",")),
        "duplicates": (duplicates, ("error", "first", "mean", "rename")),
        "unlabelled": (unlabelled, ("error", "drop")),
        "match_names": (match_names, ("exact", "loose")),
    }
    for name, (value, allowed) in choices.items():
        check_choice(name, value, allowed)
    _check_marks(decimal, thousands)
    if index is True:
        raise TableError("index=True is not a column. Give a name, a position, False or None.")
    if skip_rows is not None and skip_rows < 0:
        raise TableError(f"skip_rows={skip_rows} is negative. Give 0 or the number of rows.")
    path = Path(path)
    check_file(path)
    target = int(target) if isinstance(target, Integral) else target
    label_file = find_label_file(target)
    is_elsewhere = label_file is not None and find_reader(path) in ARRAY_READERS
    column = None if is_elsewhere or isinstance(target, os.PathLike) else target
    tokens = _as_tuple(na)
    options = ReadOptions(
        target=column,
        index=index,
        features_in_rows=features_in_rows,
        header=header,
        task=task,
        drop_text=drop_text,
        allow_missing=missing == "allow",
        na=tokens,
        sheet=sheet,
        layer=layer,
        skip_rows=skip_rows,
        duplicates=duplicates,
        unlabelled=unlabelled,
        exclude=_as_tuple(exclude),
        match_names=match_names,
        read_memory=None if read_memory is None else parse_memory(read_memory, name="read_memory"),
        cells=CellFormat(
            tokens=TOKENS.union(token.strip().casefold() for token in tokens),
            decimal=decimal or ("," if thousands == "." else "."),
            thousands=thousands,
        ),
        finds_notation=decimal is None and thousands is None,
    )
    is_apart = is_risky(path) or (label_file is not None and is_risky(label_file[0]))
    if is_apart:
        return read_apart(_read, path, options, label_file, read_memory=options.read_memory)
    with fitting(path):
        return _read(path, options, label_file)


def _read(path: Path, options: ReadOptions, label_file: LabelFile | None) -> Table:
    """Read a table in this process."""
    found = read_file(path, options)
    labels, column = None, options.target
    # A column of this name comes before a file of this name.
    if label_file and not (isinstance(found, Grid) and column in (found.column_names or [])):
        labels = read_labels(*label_file, known=possible_samples(found))
        options = replace(options, target=None)
    with explained(path):
        if isinstance(found, Grid):
            labelled = None if labels is None else labels.names
            parts = split_roles(found, options, labelled=labelled)
        else:
            parts = exclude_features(found, options.exclude) if options.exclude else found
        parts = parts if labels is None else join_labels(parts, labels, options)
        parts = with_unique_names(parts, options.duplicates)
        dates = note_dates(parts.feature_names)
        parts = replace(parts, notes=(*parts.notes, dates)) if dates else parts
        return make_table(parts, options, source=str(path))


def _as_tuple(given: str | float | Sequence[str | float]) -> tuple[str, ...]:
    """Return one or several names as a tuple of text."""
    return (str(given),) if isinstance(given, str | float | int) else tuple(map(str, given))


def check_choice(name: str, value: object, allowed: Sequence[object]) -> None:
    """Raise an error for a value that is not one of those allowed."""
    if value not in allowed:
        raise TableError(
            f"{name}={value!r} is not known. Give one of {', '.join(map(repr, allowed))}."
        )


def _check_marks(decimal: str | None, thousands: str | None) -> None:
    if thousands is not None and (len(thousands) != 1 or thousands.isalnum()):
        raise TableError(
            f"thousands={thousands!r} is not a separator. Give one character, such as ',' or ' '."
        )
    if thousands is not None and thousands == decimal:
        raise TableError(
            f"decimal={decimal!r} and thousands={thousands!r} are the same. Give different ones."
        )
