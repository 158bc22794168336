# Everything sets itself up in .venv (Python >= 3.11) and node_modules (node, for the tests alone).
PYTHON ?= python3
NPM ?= npm
BIN := .venv/bin
READY := .venv/ready
TOOLS := node_modules/ready
OLDEST_STUBS := .venv/stubs-10.1
ARGS ?=

.PHONY: demo test prove bench setup clean

demo: $(READY)
	$(BIN)/plusthree demo $(ARGS)

test: $(READY) $(OLDEST_STUBS)/ready $(TOOLS)
	$(BIN)/pytest $(ARGS)

prove: $(READY) $(OLDEST_STUBS)/ready $(TOOLS)
	PLUSTHREE_PROVE=1 $(BIN)/pytest $(ARGS)

bench: $(READY)
	$(BIN)/plusthree simulate --tables 32 --rounds 1 --seed 7 --air ble --loss 0.1 --json
	$(BIN)/plusthree simulate --tables 200 --rounds 1 --seed 7 --air pure --loss 0.3 --json

setup: $(READY) $(OLDEST_STUBS)/ready $(TOOLS)

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[board,sim,test]'
	touch $@

# the pin tables are proved against the oldest CircuitPython that we accept, too
$(OLDEST_STUBS)/ready: $(READY)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --upgrade \
		--target $(OLDEST_STUBS) circuitpython-stubs==10.1.0
	touch $@

$(TOOLS): package.json package-lock.json
	$(NPM) ci --no-audit --no-fund --ignore-scripts --loglevel=error
	touch $@

clean:
	rm -rf .venv node_modules out plusthree.egg-info .pytest_cache .hypothesis
