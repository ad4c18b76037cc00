"""Read which modules of the package import which, lazy imports included."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "perturbfs"
# A package imports only those before it.
ORDER = (
    "exceptions",
    "_support",
    "arrays",
    "checks",
    "scoring",
    "cluster",
    "paper",
    "robust",
    "baselines",
    "evaluation",
    "datasets",
    "results",
    "report",
    "anndata",
    "experiments",
    "serve",
    "cli",
)


@dataclass(frozen=True)
class Import:
    """One module that a line of another one imports."""

    target: str
    place: str  # file and line, relative to the package
    is_lazy: bool

    def __str__(self) -> str:
        return f"{self.place} imports {self.target}"


Graph = Mapping[str, list[Import]]


def read_imports(package: Path = PACKAGE) -> Graph:
    """Return the imports of every module of the package; ``TYPE_CHECKING`` blocks do not count."""
    files = {_module_name(path, package): path for path in sorted(package.rglob("*.py"))}
    return {name: list(_imports(path, name, files, package)) for name, path in files.items()}


def wrong_way_imports(graph: Graph) -> list[str]:
    """Return a sentence for each import of a later package."""
    found = []
    for module, imports in graph.items():
        for each in imports:
            here, there = _rank(module), _rank(each.target)
            if here is not None and there is not None and there > here:
                found.append(f"{each}, which comes later in the order of packages")
    return found


def find_cycle(graph: Graph) -> list[str]:
    """Return the imports of a cycle of modules, or an empty list."""
    done: set[str] = set()

    def visit(module: str, path: list[str], lines: list[str]) -> list[str]:
        if module in path:
            return lines[path.index(module) :]
        if module in done:
            return []
        for each in graph[module]:
            cycle = visit(each.target, [*path, module], [*lines, str(each)])
            if cycle:
                return cycle
        done.add(module)
        return []

    for module in graph:
        cycle = visit(module, [], [])
        if cycle:
            return cycle
    return []


def _module_name(path: Path, package: Path) -> str:
    parts = ("perturbfs", *path.relative_to(package).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _rank(module: str) -> int | None:
    """Return the place of a module's package; None for the root, which imports on demand."""
    return ORDER.index(module.split(".")[1]) if "." in module else None


def _imports(path: Path, name: str, files: Mapping[str, Path], package: Path) -> Iterator[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in _outside_type_checking(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = _source(node, name, is_package=path.name == "__init__.py")
            # `from package import module` imports the module; otherwise a name of the package.
            targets = [
                f"{source}.{alias.name}" if f"{source}.{alias.name}" in files else source
                for alias in node.names
            ]
        else:
            continue
        place = f"{path.relative_to(package).as_posix()}:{node.lineno}"
        for target in dict.fromkeys(targets):
            if target in files and target != name:
                yield Import(target, place, is_lazy=node.col_offset > 0)


def _outside_type_checking(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _outside_type_checking(node)


def _source(node: ast.ImportFrom, name: str, *, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    parts = parts[: len(parts) - node.level + is_package]
    return ".".join([*parts, *([node.module] if node.module else [])])
