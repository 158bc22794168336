# Everything sets itself up in .venv (Python >= 3.11) and node_modules (node, for the tests alone).
PYTHON ?= python3
NPM ?= npm
BIN := .venv/bin
READY := .venv/ready
TOOLS := node_modules/ready
PYRIGHT := node_modules/.bin/pyright
PIP := -m pip install -qq --disable-pip-version-check
UV := uv==0.13.9
COMPILE := .venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-annotate --custom-compile-command "make lock" --output-file
ARGS ?=
# each process begins with neighbours, which share what they build; an idle one takes half of the
# rest; one more than there are cores, as a test that waits for a page leaves its core idle
SPREAD = -n $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)") --dist worksteal

.PHONY: demo test prove lint bench circuitpython pictures hw setup lock hooks clean

demo: $(READY)
	$(BIN)/plusthree demo $(ARGS)

test: $(READY) $(TOOLS)
	$(BIN)/pytest $(SPREAD) --durations=12 $(ARGS)

prove: $(READY) $(TOOLS)
	PLUSTHREE_PROVE=1 $(BIN)/pytest $(SPREAD) --durations=12 $(ARGS)

lint: $(READY) $(TOOLS)
	$(BIN)/ruff check $(ARGS)
	$(BIN)/ruff format --check $(ARGS)
	$(BIN)/lint-imports --no-cache
	$(PYRIGHT) --project . $(ARGS)

bench: $(READY)
	$(BIN)/plusthree dev bench $(ARGS)

# the board's program on a CircuitPython that you have as a program (docs/board.md)
INTERPRETER ?=
circuitpython: $(READY)
	@test -n "$(INTERPRETER)" || { echo 'make circuitpython INTERPRETER="PROGRAM ..." (docs/board.md)' >&2; exit 2; }
	@for one in $(INTERPRETER); do command -v "$$one" >/dev/null || { echo "$$one: there is no such program" >&2; exit 2; }; done
	PLUSTHREE_CIRCUITPYTHON=$(subst $() $(),:,$(strip $(INTERPRETER))) $(BIN)/pytest tests/interpreter $(ARGS)

# the pictures of README and docs/, from today's screens and pages; they need Chromium
pictures: $(READY)
	$(BIN)/python tests/support/pictures.py

# drawings, printed parts and pictures; `make hw ARGS=--check` only compares with what is there
hw: .venv-hw/ready
	command -v dot >/dev/null || { apt-get update -q && apt-get install -y -q graphviz; }
	.venv-hw/bin/python hw/make.py $(ARGS)

.venv-hw/ready: pyproject.toml locks/hw.txt
	test -x .venv-hw/bin/python || $(PYTHON) -m venv .venv-hw
	.venv-hw/bin/python $(PIP) --require-hashes --requirement locks/hw.txt
	.venv-hw/bin/python $(PIP) --no-deps --no-build-isolation --editable .
	touch $@

setup: $(READY) $(TOOLS)

$(READY): pyproject.toml locks/all.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python $(PIP) --require-hashes --requirement locks/all.txt
	$(BIN)/python $(PIP) --no-deps --no-build-isolation --editable .
	touch $@

$(TOOLS): package.json package-lock.json
	$(NPM) ci --no-audit --no-fund --ignore-scripts --loglevel=error
	touch $@

# what is installed, with each file's hash, for every system and Python; run it after a change of pyproject.toml
lock:
	test -x .venv-lock/bin/python || $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python $(PIP) $(UV)
	$(COMPILE) locks/all.txt --extra hall --extra test pyproject.toml
	$(COMPILE) locks/hall.txt --extra hall pyproject.toml
	$(COMPILE) locks/hw.txt --extra hw pyproject.toml

# ruff before each commit
hooks: $(READY)
	$(BIN)/pre-commit install

clean:
	rm -rf .venv .venv-hw .venv-lock node_modules out build plusthree.egg-info .pytest_cache .hypothesis
