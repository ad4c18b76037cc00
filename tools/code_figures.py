"""Print figures of the code: sizes of modules, wrong imports, functions that fit and score.

Run it on two trees to compare them::

    python tools/code_figures.py            # this tree
    python tools/code_figures.py ../before  # another one
"""

from __future__ import annotations

import ast
import io
import statistics
import sys
import tokenize
from pathlib import Path

from import_graph import ORDER, find_cycle, read_imports, wrong_way_imports


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    package = root / "src" / "perturbfs"
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))}
    lengths = sorted(text.count("\n") for text in modules.values())
    longest = max(modules, key=lambda path: modules[path].count("\n"))
    at_root = [path.name for path in package.glob("_[a-z]*.py")]
    graph = read_imports(package)
    is_ordered = all(module.split(".")[1] in ORDER for module in graph if "." in module)
    n_lazy = sum(each.is_lazy for imports in graph.values() for each in imports)
    judges = [place for path, text in modules.items() for place in fit_and_score(path, text)]
    print(f"modules                             {len(modules)}")
    print(f"lines of a module, median           {statistics.median(lengths):.0f}")
    print(f"lines of the longest module         {lengths[-1]} ({longest.relative_to(package)})")
    print(f"private modules at the root         {len(at_root)}")
    print(f"lazy imports of our own modules     {n_lazy}")
    print(f"modules on a cycle of imports       {len(modules_on_cycles(graph))}")
    if is_ordered:
        print(f"imports of a later package          {len(wrong_way_imports(graph))}")
    print(f"lines of code                       {sum(map(lines_of_code, modules.values()))}")
    print(f"docstrings that open with 'What'    {sum(map(count_what, modules.values()))}")
    print(f"places that fit and score           {len(judges)}")
    for place in judges:
        print(f"    {place}")
    if find_cycle(graph):
        print("a cycle:", *find_cycle(graph), sep="\n    ")


def modules_on_cycles(graph):
    """Return the modules that import themselves through others."""

    def reachable(start):
        seen, waiting = set(), [start]
        while waiting:
            for each in graph[waiting.pop()]:
                if each.target not in seen:
                    seen.add(each.target)
                    waiting.append(each.target)
        return seen

    return [module for module in graph if module in reachable(module)]


def lines_of_code(text: str) -> int:
    """Count the lines that are neither blank nor comment nor docstring."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    used: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped and token.type != tokenize.ENDMARKER:
            used.update(range(token.start[0], token.end[0] + 1))
    return len(used - docstrings)


def count_what(text: str) -> int:
    """Count the docstrings that open with 'What'."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [ast.get_docstring(n) or "" for n in ast.walk(ast.parse(text)) if isinstance(n, nodes)]
    return sum(docstring.startswith("What ") for docstring in found)


def fit_and_score(path: Path, text: str) -> list[str]:
    """Return the functions and classes that fit a predictor and also predict or score with it.

    Functions that call `Trial` leave that to it. Selectors of `baselines` and clusterers fit what
    they are made of; they do not count.
    """
    if {"baselines", "cluster"} & set(path.parts):
        return []
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            called = {
                call.func.attr
                if isinstance(call.func, ast.Attribute)
                else getattr(call.func, "id", "")
                for call in ast.walk(node)
                if isinstance(call, ast.Call)
            }
            if (
                "fit" in called
                and "Trial" not in called
                and called & {"predict", "scorer", "_scorer", "score"}
            ):
                found.append(f"{path.parent.name}/{path.name}:{node.lineno} {node.name}")
    return found


if __name__ == "__main__":
    main()
