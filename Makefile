# Every target works from a fresh clone. It installs what it needs into the virtual environment .venv,
# as an editable install, and installs again only after a change of compiled files.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Stamp files: the library with the requirements of its tests is installed; so are the developer tools.
INSTALLED := .venv/installed
TOOLS := .venv/tools
RIGHT_PYTHON := import sys; \
sys.version_info >= (3, 11) or sys.exit('playout needs Python 3.11 or newer: make PYTHON=python3.x')
BUILD_REQUIRES := import tomllib; \
print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")
COMPILED := setup.py $(foreach kind,pyx pxd pxi h,$(wildcard mcts_core/*.$(kind) mcts_core/*/*.$(kind) mcts_core/*/*/*.$(kind)))

.PHONY: demo install test test-browser test-slow attack lint types docs bench sanitize coverage clean

demo: $(INSTALLED)
	$(BIN)/python examples/search.py

install: $(INSTALLED)

# PYTHONDONTWRITEBYTECODE would make every process of the tests compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

# On all cores, with a worker more, because many tests wait for programs; then the tests that measure time, alone.
# The tests of a file share a worker, and what they prepare. The second line reads only files with such tests.
test: $(INSTALLED)
	$(BIN)/pytest -m "not slow and not browser and not serial" --numprocesses $(WORKERS) --dist loadfile
	$(BIN)/pytest -m "not slow and not browser and serial" $$(grep -rl --include='*.py' mark.serial tests)

# The page in Chromium, which has to be there, with the extra `browser`.
test-browser: $(INSTALLED)
	$(BIN)/pytest tests/web/test_browser.py

# With the type checkers, which some of them run.
test-slow: $(TOOLS)
	$(BIN)/pytest -m slow

# In full size, which takes hours. `.venv/bin/python tests/attack` is the short form.
attack: $(INSTALLED)
	$(BIN)/python tests/attack --night

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint mcts_core tests

types: $(TOOLS)
	$(BIN)/mypy
	$(BIN)/stubtest mcts_core --ignore-disjoint-bases --allowlist .ci/stubtest-allowlist.txt

docs: $(TOOLS)
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going docs build/docs

bench: $(INSTALLED)
	$(BIN)/python benchmarks/compare.py

# The sanitizers' runtime is preloaded, and Python uses malloc, because its own allocator would hide
# overflows. TESTS= selects some tests; all of them take long.
sanitize: $(TOOLS)
	rm -rf build/sanitize
	PLAYOUT_BUILD=sanitize $(PIP) install --quiet --no-deps --target build/sanitize/site .
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 \
	PYTHONMALLOC=malloc PYTHONPATH="$(CURDIR)/build/sanitize/site" \
	$(BIN)/pytest -m "not slow" $(TESTS)

# Built in place in a copy, because the plugin needs the sources there. Tracing makes the engine about
# a hundred times slower, so tests that play or count very many games are left out.
coverage: $(TOOLS)
	rm -rf build/coverage
	mkdir -p build/coverage
	cp -r setup.py pyproject.toml README.md LICENSE mcts_core python build/coverage
	find build/coverage -name '*.so' -delete
	cd build/coverage && PLAYOUT_BUILD=coverage ../../$(BIN)/python setup.py --quiet build_ext --inplace
	cd build/coverage && PYTHONPATH="$$PWD:$$PWD/python" ../../$(BIN)/coverage run \
	-m pytest --rootdir=../.. ../../tests -m "not slow and not traced_slowly"
	cd build/coverage && ../../$(BIN)/coverage report

clean:
	rm -rf build dist *.egg-info python/*.egg-info .*_cache .hypothesis .coverage $(INSTALLED) $(TOOLS)
	find mcts_core -name '*.so' -delete
	find mcts_core -type d -empty -delete
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# Without build isolation the Cython is always the same, so only changed files are compiled.
$(INSTALLED): pyproject.toml $(COMPILED)
	@echo "Compiling and installing into .venv: this takes a minute or two the first time ..."
	@$(PYTHON) -c "$(RIGHT_PYTHON)"
	$(PYTHON) -m venv .venv
	$(BIN)/python -c "$(BUILD_REQUIRES)" | $(PIP) install --quiet --requirement /dev/stdin
	$(PIP) install --quiet --no-build-isolation --editable ".[test]"
	touch $@

$(TOOLS): $(INSTALLED)
	$(PIP) install --quiet --no-build-isolation --editable ".[dev]"
	touch $@
