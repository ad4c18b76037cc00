"""Names of rows and columns: the usual ones, look-up with a suggestion, and checks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from perturbfs.datasets._errors import TableError, UnknownNameError

# Names are compared with `simplify`. A column with one of these names is never a feature:
# a repeated patient number would tell a model which samples belong together.
_EITHER = {"id", "ids", "identifier", "index", "indexlevel0", "unnamed0", "rowname", "rownames"}
SAMPLE_NAMES = frozenset(
    {"sample", "samples", "sampleid", "sampleids", "samplename", "samplenames", "barcode"}
    | {"subject", "subjectid", "patient", "patientid", "participant", "participantid"}
    | {"individualid", "caseid", "observationid", "cellid", "accession", "geoaccession"}
    | _EITHER
)
FEATURE_NAMES = frozenset(
    {"gene", "genes", "geneid", "genename", "genesymbol", "symbol", "idref", "name", "names"}
    | {"probe", "probeid", "probeset", "probesetid", "ensemblid", "transcript", "transcriptid"}
    | {"feature", "features", "featureid", "featurename"}
    | _EITHER
)
# Columns beside features in rows, as featureCounts and annotation tables have them.
DESCRIPTIONS = frozenset(
    {"chr", "chrom", "chromosome", "chromosomename", "start", "end", "stop", "strand", "length"}
    | {"seqname", "genelength", "genestart", "geneend", "genebiotype", "genetype", "biotype"}
    | {"description", "genedescription", "entrez", "entrezid", "entrezgeneid", "cytoband"}
    | {"ensembl", "ensemblid", "ensemblgeneid", "genesymbol", "genename", "symbol", "geneid"}
)
CLASS_NAMES = ("class", "target", "outcome", "label")  # of an outcome, the most usual first


def simplify(name: str) -> str:
    """Return a name in lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def quoted(names: Sequence[str], most: int = 10) -> str:
    """Return the first names in quotes, and how many more there are."""
    listed = ", ".join(repr(name) for name in names[:most])
    return f"{listed} and {len(names) - most:,} more" if len(names) > most else listed


def count(n: int, noun: str) -> str:
    """Return a number and a noun, in the plural unless there is one.

    Examples
    --------
    >>> count(1, "feature"), count(1204, "cell")
    ('1 feature', '1,204 cells')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def find_place(asked: str | int, names: Sequence[str] | None, n: int, *, what: str) -> int:
    """Return the position of a row, column or variable given by name or by position.

    Parameters
    ----------
    asked : str or int
        Negative positions count from the end.
    names : sequence of str or None
    n : int
        Number of positions.
    what : str
        Parameter that the caller set, for messages.

    Returns
    -------
    place : int
        From 0 to n - 1.

    Examples
    --------
    >>> find_place(-1, None, 5, what="target")
    4
    """
    if isinstance(asked, int):
        if -n <= asked < n:
            return asked % n
        raise TableError(
            f"{what}={asked} is not one of the {n} positions. Give one from 0 to {n - 1}, or a "
            "negative one counted from the end."
        )
    if names is None:
        raise UnknownNameError(
            f"{what}={asked!r} is a name, but the file has no names. Give a position from 0 to "
            f"{n - 1}, or --header (header=True) if the first line holds names."
        )
    if asked not in names:
        raise unknown_name(asked, names, what=what)
    return list(names).index(asked)


def find_name(asked: str | int, names: Sequence[str], *, what: str) -> str:
    """Return the name of a column or variable given by name or by position."""
    return names[find_place(asked, names, len(names), what=what)]


def unknown_name(asked: str, names: Sequence[str], *, what: str) -> UnknownNameError:
    """Return the error for an unknown name, with the most similar names."""
    folded = {name.strip().casefold(): name for name in names}
    near = [folded[key] for key in difflib.get_close_matches(asked.casefold(), folded, n=3)]
    if near:
        hint = f"Did you mean {' or '.join(repr(name) for name in near)}?"
    else:
        hint = f"There are {len(names)} names: {quoted(names)}."
    # A mistyped path of a file of labels ends up here, because it is taken for a name.
    no_file = ", and there is no such file" if re.search(r"/|\.\w+(:|$)", asked) else ""
    return UnknownNameError(f"{what}={asked!r} was not found{no_file}. {hint}")


def loosened(name: str) -> str:
    """Return a name as it is compared with case, blanks and punctuation ignored.

    R puts an X in front of a name that starts with a digit, so that is ignored too.

    Examples
    --------
    >>> loosened("TCGA-01 a"), loosened("tcga.01.A"), loosened("X12")
    ('tcga01a', 'tcga01a', '12')
    """
    return re.sub(r"^x(?=\d)", "", simplify(name))
