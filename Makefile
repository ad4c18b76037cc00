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

# LOCKED=1 installs the versions of requirements-dev.lock, with which everything was tested last.
LOCK := requirements-dev.lock
ifdef LOCKED
PIP += --constraint $(LOCK)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test test-oldest test-newest quick check format docs bench browser screenshots lock fuzz faults soak reliability build clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

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

test: $(READY) browser ## run all tests, doctests included; TESTS=tests/robust runs some
	$(BIN)/python -m pytest --numprocesses auto --durations 20 $(TESTS)

# Environments of their own. The tests of scikit-learn 1.6 need SCIPY_ARRAY_API.
test-oldest: ## run the tests with the lowest versions that pyproject.toml allows
	$(PYTHON) tools/lowest_versions.py > .venv-oldest.txt
	PIP_CONSTRAINT=.venv-oldest.txt $(MAKE) VENV=.venv-oldest .venv-oldest/.ready
	SCIPY_ARRAY_API=1 $(MAKE) VENV=.venv-oldest test

test-newest: ## run the tests with the newest versions that there are
	rm -f .venv-newest/.base .venv-newest/.ready
	$(MAKE) VENV=.venv-newest test

quick: $(READY) ## run the tests of what changed, or of the core where nothing did; under a minute
	$(BIN)/python tools/quick_tests.py

check: $(READY) ## formatting, lint, types, spelling, known vulnerabilities
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python tools/known_vulnerabilities.py

format: $(READY) ## format the code and sort the imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

fuzz: $(READY) ## damaged files through all readers; FUZZ="--inputs 1000000 --jobs 2" takes hours
	$(BIN)/python tools/fuzz.py $(FUZZ)

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

lock: ## write the installed versions to requirements-dev.lock; use them with LOCKED=1
	rm -rf $(VENV)
	$(MAKE) LOCKED= $(READY)
	$(PIP) --editable '.[docs]'
	$(BIN)/python tools/lock.py $(LOCK)

faults: $(READY) ## kill, fill the disk and so on at random moments; FAULTS=--trials=20 for a few
	$(BIN)/python tools/faults.py $(FAULTS)

soak: $(READY) ## work for a long time and look whether anything grows; SOAK=--minutes=2 is shorter
	$(BIN)/python tools/soak.py $(SOAK)
	$(BIN)/python tools/soak_serve.py $(SOAK_SERVE)

reliability: $(READY) ## run fuzz, faults and soaks, and write the table of docs/reliability.md
	$(BIN)/python tools/reliability.py $(RELIABILITY)

build: $(BASE) ## build wheel and sdist into dist, and try the wheel alone in a fresh environment
	$(PIP) --editable '.[release]'
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tools/try_wheel.py dist/*.whl

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .venv-oldest* .venv-newest dist .mypy_cache .pytest_cache .ruff_cache .hypothesis fuzz-findings
	rm -rf docs/_build docs/gallery docs/generated docs/sg_execution_times.rst
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
