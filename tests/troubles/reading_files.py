"""Small files with the troubles of real ones: each function writes one and returns its path."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import numpy as np

N_SAMPLES, N_FEATURES = 12, 40
CLASSES = ["tumor", "normal"] * (N_SAMPLES // 2)
SAMPLES = [f"S-{i:02d}" for i in range(N_SAMPLES)]
FEATURES = [f"g{j}" for j in range(N_FEATURES)]


def values() -> np.ndarray:
    """Samples by features; the first feature separates the classes."""
    X = np.random.default_rng(0).normal(8, 1, (N_SAMPLES, N_FEATURES)).round(2)
    X[:, 0] += [4 * (each == "tumor") for each in CLASSES]
    return X.round(2)


def as_rows(cells: np.ndarray | None = None) -> list[list[str]]:
    """A header, then name, cells and class of each sample."""
    cells = values().astype(str) if cells is None else cells
    head = ["sample", *FEATURES, "state"]
    body = [[s, *row, c] for s, row, c in zip(SAMPLES, cells.tolist(), CLASSES, strict=True)]
    return [head, *body]


def as_gene_rows() -> list[list[str]]:
    """A header, then name and values of each gene."""
    rows = zip(FEATURES, values().T.astype(str).tolist(), strict=True)
    return [["gene", *SAMPLES], *([name, *row] for name, row in rows)]


def save(path: Path, rows: list[list[str]], delimiter: str = ",", encoding: str = "utf-8") -> Path:
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows), encoding=encoding)
    return path


def save_labels(folder: Path, names: list[str] = SAMPLES) -> Path:
    rows = [[name, label] for name, label in zip(names, CLASSES, strict=False)]
    return save(folder / "labels.csv", [["sample", "state"], *rows])


def write_tokens(folder: Path) -> Path:
    """Half of the features have cells such as n.d. and <LOD>."""
    cells = values().astype("<U12")
    tokens = ["n.d.", "<LOD>", "<0.5", "#VALUE!", "-", "missing"]
    for place, token in enumerate(tokens * 3):
        cells[place % N_SAMPLES, 2 * place % N_FEATURES] = token
    return save(folder / "tokens.csv", as_rows(cells))


def write_remarks(folder: Path) -> Path:
    """One feature has two remarks among its numbers."""
    cells = values().astype("<U12")
    cells[[2, 5], 3] = ["repeat", "spilled"]
    return save(folder / "remarks.csv", as_rows(cells))


def write_codes(folder: Path) -> Path:
    """Three values are -99, for an unknown value."""
    X = values()
    X[[0, 1, 2], [5, 6, 6]] = -99
    return save(folder / "codes.csv", as_rows(X.astype(str)))


def write_decimal_commas(folder: Path, delimiter: str = ";") -> Path:
    rows = [[cell.replace(".", ",") for cell in row] for row in as_rows()]
    return save(folder / "commas.csv", rows, delimiter)


def write_late_commas(folder: Path) -> Path:
    """Whole numbers, and a decimal comma after more rows than decide the layout."""
    rows = [["age", "dose", "state"], *([str(20 + i), "2", "ab"[i % 2]] for i in range(60))]
    rows[50][1] = "2,5"
    return save(folder / "late.csv", rows, ";")


def write_thousands(folder: Path, mark: str = ",", decimal: str = ".") -> Path:
    """Numbers such as 1,234.5 between quotes."""
    cells = [f"{1000 * x:,.1f}" for x in values().ravel()]
    marks = str.maketrans({",": mark, ".": decimal})
    array = np.array([f'"{cell.translate(marks)}"' for cell in cells]).reshape(values().shape)
    return save(folder / "thousands.csv", as_rows(array))


def write_ambiguous(folder: Path) -> Path:
    """Numbers such as 1,234 only, which can be read in two ways."""
    return save(folder / "ambiguous.tsv", [["a", "b"], ["1,234", "2"], ["3,456", "5"]], "\t")


def write_text_columns(folder: Path) -> Path:
    """Most of the columns hold text."""
    return save(folder / "text.csv", as_rows(np.full((N_SAMPLES, N_FEATURES), "low")))


def write_comments(folder: Path) -> Path:
    rows = [['# exported 2024, by Bob\'s "tool"'], ["#"], *as_rows(), ["# end of the file"]]
    return save(folder / "comments.csv", rows)


def write_header_in_comment(folder: Path) -> Path:
    """As QIIME writes it: the header is the last comment."""
    rows = as_gene_rows()
    rows[0][0] = "#OTU ID"
    return save(folder / "otus.tsv", [["# Constructed from biom file"], *rows], "\t")


def write_separator_line(folder: Path) -> Path:
    """A first line that tells Excel the delimiter."""
    return save(folder / "sep.csv", [["sep=;"], *([";".join(row)] for row in as_rows())])


def write_titles(folder: Path) -> Path:
    return save(folder / "titles.csv", [["Table S1. Expression, log2"], [""], *as_rows()])


def write_units(folder: Path) -> Path:
    rows = as_rows()
    return save(folder / "units.csv", [rows[0], ["", *["mg/l"] * N_FEATURES, ""], *rows[1:]])


def write_series_matrix(folder: Path) -> Path:
    """A series matrix of GEO, compressed."""
    quoted = [[f'"{cell}"' for cell in row] for row in as_gene_rows()[:1]]
    lines = [
        ["!Series_title", '"A study, of genes"'],
        ["!Series_summary", '"Two lines"'],
        [""],
        ["!Sample_title", *(f'"sample {i}"' for i in range(N_SAMPLES))],
        ["!Sample_characteristics_ch1", *(f'"age: {40 + i}"' for i in range(N_SAMPLES))],
        ["!Sample_characteristics_ch1", *(f'"disease: {label}"' for label in CLASSES)],
        ["!series_matrix_table_begin"],
        ['"ID_REF"', *quoted[0][1:]],
        *([f'"{name}"', *row] for name, *row in as_gene_rows()[1:]),
        ["!series_matrix_table_end"],
    ]
    text = "".join("\t".join(line) + "\n" for line in lines)
    path = folder / "GSE1_series_matrix.txt.gz"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def write_encoding(folder: Path, encoding: str) -> Path:
    rows = as_rows()
    rows[0][1] = "naïve T-Zellen µg"
    return save(folder / f"{encoding}.csv", rows, encoding=encoding)


def write_r_table(folder: Path, name: str = "r.txt") -> Path:
    """What write.table of R writes: quotes, blanks, no name above the names of the rows."""
    rows = as_rows()
    head = " ".join(f'"{name}"' for name in ["my gene", *rows[0][2:]])
    body = [[f'"{row[0]}"', *row[1:-1], f'"{row[-1]}"'] for row in rows[1:]]
    return save(folder / name, [[head], *body], " ")


def write_trailing_commas(folder: Path, where: str) -> Path:
    """A comma at the end of the header, of the rows, or of both."""
    head, *body = as_rows()
    head = [*head, ""] if where != "rows" else head
    body = [[*row, ""] for row in body] if where != "header" else body
    return save(folder / "trailing.csv", [head, *body, [""] * len(body[0])])


def write_duplicates(folder: Path) -> Path:
    """Genes in rows, 15 of them twice."""
    rows = as_gene_rows()
    rows += [[name, *map(str, range(N_SAMPLES))] for name in FEATURES[:15]]
    return save(folder / "duplicates.csv", rows)


def write_missing_labels(folder: Path) -> Path:
    rows = as_rows()
    rows[2][-1] = rows[5][-1] = ""
    return save(folder / "unlabelled.csv", rows)


def write_counts(folder: Path) -> Path:
    """What featureCounts writes, with the last rows of HTSeq."""
    head = ["Geneid", "Chr", "Start", "End", "Strand", "Length", *SAMPLES]
    body = [
        [name, "chr1;chr1", "1;7", "5;9", "+;+", "700", *row] for name, *row in as_gene_rows()[1:]
    ]
    counters = [["__no_feature", "", "", "", "", "", *map(str, range(N_SAMPLES))]]
    rows = [['# Program:featureCounts v2.0.1; Command:"featureCounts"'], head, *body, *counters]
    return save(folder / "counts.txt", rows, "\t")


def write_minus_signs(folder: Path) -> Path:
    """The minus sign of word processors."""
    rows = [[cell.replace("8.", "\u22128.") for cell in row] for row in as_rows()]
    return save(folder / "minus.csv", rows)


def write_dates_for_genes(folder: Path) -> Path:
    rows = as_rows()
    rows[0][1:4] = ["2-Sep", "1-Mar", "Sep-08"]
    return save(folder / "dates.csv", rows)


def write_text_as_xls(folder: Path) -> Path:
    """Tab-delimited text with the extension of Excel, as many web pages give it."""
    return save(folder / "download.xls", as_rows(), "\t")


def write_workbook(folder: Path, sheets: dict[str, list[list[object]]]) -> Path:
    """A workbook without a package: text as inline strings, numbers as values."""
    path = folder / "book.xlsx"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    links = (
        '<Relationship Id="r{0}" Type="' + office + '/worksheet" Target="worksheets/s{0}.xml"/>'
    )
    entries = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, 1)
    )
    relations = f'<Relationships xmlns="{package}/relationships">'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"></Types>',
        "_rels/.rels": f'{relations}<Relationship Id="r1" Type="{office}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{entries}'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations
        + "".join(links.format(i) for i, _ in enumerate(sheets, 1))
        + "</Relationships>",
    }
    for i, rows in enumerate(sheets.values(), 1):
        data = "".join(_as_row(number, row) for number, row in enumerate(rows, 1))
        files[f"xl/worksheets/s{i}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData></worksheet>'
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def _as_row(number: int, row: list[object]) -> str:
    cells = "".join(_as_cell(f"{_letters(at)}{number}", value) for at, value in enumerate(row))
    return f'<row r="{number}">{cells}</row>'


def _letters(column: int) -> str:
    last = chr(ord("A") + column % 26)
    return last if column < 26 else _letters(column // 26 - 1) + last


def _as_cell(at: str, value: object) -> str:
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{at}"><v>{value!r}</v></c>'


def sheet() -> list[list[object]]:
    """The table as cells of a workbook."""
    rows = zip(SAMPLES, values().tolist(), CLASSES, strict=True)
    return [["sample", *FEATURES, "state"], *([s, *row, c] for s, row, c in rows)]


def write_titled_workbook(folder: Path) -> Path:
    return write_workbook(folder, {"Data": [["Table S1. Expression"], [], *sheet()]})


def write_second_sheet(folder: Path) -> Path:
    notes: list[list[object]] = [["Read me"], ["Date", "2024-03-01"], ["Samples", 12], ["By", "B"]]
    return write_workbook(folder, {"README": notes, "Expression": sheet(), "More": sheet()[:4]})


def write_whole_numbers(folder: Path) -> Path:
    """The outcome of scikit-learn's diabetes data: 214 whole numbers in 442 samples."""
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    head = [*data.feature_names, "progression"]
    rows = [[f"{x:.4f}" for x in row] for row in data.data.tolist()]
    body = [[*row, f"{y:.0f}"] for row, y in zip(rows, data.target.tolist(), strict=True)]
    return save(folder / "diabetes.csv", [head, *body])
