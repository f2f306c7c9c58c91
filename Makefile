# Every target sets up what it needs; a second run starts in seconds.
PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3,$(shell command -v $(p) 2>/dev/null)))
BIN := .venv/bin
RUN := $(BIN)/rescue-agent

.PHONY: setup chat test test-faults test-llm bench soak audit lint clean

setup: .venv/.ready
	@$(RUN) index --if-missing

.venv/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make setup PYTHON=/path/to/python" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "making the virtual environment in .venv" >&2; $(PYTHON) -m venv .venv; }
	@# a torch that is there already stays; the pin is for a machine that has none
	@if $(BIN)/python -c 'import torch' 2>/dev/null; then grep -v '^torch==' constraints.txt; else cat constraints.txt; fi > .venv/constraints.txt
	@echo "installing the pinned dependencies (a few minutes, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint .venv/constraints.txt --editable '.[dev]'
	@touch $@

chat: setup
	@$(RUN) chat

test: setup
	@$(BIN)/python -m pytest

test-faults: setup
	@$(BIN)/python -m pytest -m faults

lint: setup
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

audit: setup
	@$(BIN)/pip-audit --strict --progress-spinner off

clean:
	rm -rf .venv build dist *.egg-info
