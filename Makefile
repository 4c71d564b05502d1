# Everything runs in an environment of its own, made at first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DB ?=
DATA ?= data

.PHONY: help setup run demo test check lint types format bench train clean

help:           ## This list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.ready ## Make the environment

# pip would compile on one core, and tests of libraries, a seventh of all; what does not compile is left out there, too.
$(VENV)/.ready: pyproject.toml constraints.txt
	@echo "making an environment in $(VENV), once: a few minutes"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-compile -e '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps --target $(VENV)/cipher apsw-sqlite3mc
	@$(BIN)/python -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib || true
	@touch $@

run: setup      ## Serve a sample conversation, or the store DB: a page, REST and MCP
	@$(BIN)/simonides serve --open $(if $(DB),--db $(DB),--sample)

demo: setup     ## Load the sample conversation, answer its questions, then take yours
	@$(BIN)/simonides demo $(if $(DB),--db $(DB))

test: setup     ## Run every test
	$(BIN)/python -m pytest -n logical --dist worksteal

check: lint types ## Lint, types, and the direction of imports

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup
	$(BIN)/pyright

format: setup   ## Put the code into its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup    ## Run the short set of benches into bench-results/
	$(BIN)/python -m benchmarks short

train: setup    ## Learn the ranking anew from the data sets in the folder DATA, and write it with its card
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	$(BIN)/python -m benchmarks.train $(DATA) --cache bench-results/gathered --write

clean:          ## Remove what was made
	rm -rf $(VENV) dist build bench-results
