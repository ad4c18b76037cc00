"""Settings of the documentation site; `make docs` builds it."""

import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import perturbfs  # noqa: E402

project = "perturbfs"
author = "The perturbfs developers"
release = version = perturbfs.__version__
extensions = [
    "mathml",
    "myst_parser",
    "numpydoc",
    "repository",
    "shapes",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "sg_execution_times.rst", "gallery/*.py", "gallery/*.ipynb"]
templates_path = ["_templates"]
language = "en"
highlight_language = "text"

# Markdown pages are read as they are on a code host; headings are targets of links.
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

# One page for each public name; the attributes of a class are those of its docstring.
autosummary_generate = True
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# Gallery examples run one after the other, and one that fails stops the build.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 5,
    "backreferences_dir": None,
}
warnings.filterwarnings("error", category=UserWarning, module="perturbfs")

html_theme = "pydata_sphinx_theme"
html_title = "perturbfs"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
}
html_sidebars = {"index": [], "changelog": [], "glossary": []}
copyright = "The perturbfs developers, BSD-3 licence"
