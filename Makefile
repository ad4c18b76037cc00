# Every target sets up what it needs; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.base
READY := $(VENV)/.ready
# A pip outside the virtual environment saves installing one inside, which takes seconds.
ifeq ($(shell $(PYTHON) -m pip --version > /dev/null 2>&1 && echo yes),yes)
MAKE_VENV := $(PYTHON) -m venv --clear --without-pip $(VENV)
PIP := $(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check
else
MAKE_VENV := $(PYTHON) -m venv --clear $(VENV)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.DEFAULT_GOAL := help
.PHONY: help demo test quick check format docs bench browser screenshots clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

# The base package alone, as a user installs it. Rebuilt only when pyproject.toml changes; a stamp is
# written last, so an interrupted set-up starts again. Modules are compiled when they are imported.
$(BASE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "perturbfs needs Python 3.11 or later, but $(PYTHON) is " + sys.version.split()[0] + "; try: make PYTHON=python3.12 ...")'
	$(MAKE_VENV)
	$(PIP) --no-compile --editable .
	@touch $(BASE)

# With what developers need, and every extra.
$(READY): $(BASE)
	$(PIP) --editable '.[dev]'
	@touch $(READY)

demo: $(BASE) ## select features of a made-up table and compare with the truth
	$(BIN)/perturbfs demo

test: $(READY) browser ## run all tests, doctests included
	$(BIN)/python -m pytest --numprocesses auto --durations 20

quick: $(READY) ## run the tests of what changed, or of the core where nothing did; under a minute
	$(BIN)/python tools/quick_tests.py

check: $(READY) ## formatting, lint, types, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell

format: $(READY) ## format the code and sort the imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Warnings are errors. The second command looks at every link and picture of the pages.
docs: $(READY) ## build the documentation as a site in docs/_build/html
	$(PIP) --editable '.[docs]'
	$(BIN)/python -m sphinx -W --keep-going --fresh-env --quiet --builder html docs docs/_build/html
	$(BIN)/python tools/check_site.py docs/_build/html

# The rivals of the extra `bench` go into the same environment; those missing are left out.
bench: $(READY) ## measure against the limit and the rivals; BENCH=--quick takes minutes
	$(PIP) --editable '.[bench]'
	$(BIN)/python benchmarks/run.py $(BENCH)

browser: ## install Chromium for the browser tests, if it is missing and can be had
	@tools/install-chromium

screenshots: $(READY) browser ## pictures of all pages into docs/screenshots
	$(BIN)/python tools/screenshots.py

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis docs/_build docs/gallery docs/generated docs/sg_execution_times.rst
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
