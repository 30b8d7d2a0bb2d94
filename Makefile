# From a clean clone, with python3 (3.10 or later) and make:
#   make demo    a function, its derivative, the check, the speed
#   make test    the tests
# The virtual environment is made on first use, again when pyproject.toml changes, and not otherwise.

# Any suitable interpreter: make test PYTHON=python3.12 (which then has an environment of its own).
ifdef PYTHON
VENV ?= .venv-$(notdir $(PYTHON))
else
VENV ?= .venv
# The first that runs, is new enough and can make environments (Debian's may lack ensurepip).
PYTHON := $(shell for python in python3 python3.13 python3.12 python3.11 python3.10 python3.14; do \
	if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' \
		>/dev/null 2>&1; then echo $$python; break; fi; done)
endif

PY := $(VENV)/bin/python
# More arguments for the tool that a target runs: make test ARGS="-k loop -x"
ARGS ?=
# How many of the slow tests `make slow` runs, spread evenly over all of them; empty for all. The
# same of the heavy ones.
SLOW_SAMPLE ?=
HEAVY_SAMPLE ?=

# The tests start many interpreters: each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test heavy slow lint types docs bench wheel-check clean
.NOTPARALLEL:

help:
	@echo "make demo | test | heavy | slow | lint | types | docs | bench | wheel-check | clean"

demo: $(VENV)/.demo
	$(PY) examples/demo.py $(ARGS)

# A function that several tests of a file differentiate is transformed once, in one process.
test: $(VENV)/.dev
	$(PY) -m pytest -n auto --dist loadfile $(ARGS)

heavy: $(VENV)/.dev
	$(PY) -m pytest -n auto --dist loadfile -m "heavy and not slow" \
		$(if $(HEAVY_SAMPLE),--slow-sample $(HEAVY_SAMPLE)) $(ARGS)

slow: $(VENV)/.dev
	$(PY) -m pytest -m slow $(if $(SLOW_SAMPLE),--slow-sample $(SLOW_SAMPLE)) $(ARGS)

lint: $(VENV)/.dev
	$(PY) -m ruff check . $(ARGS)

types: $(VENV)/.dev
	$(PY) -m mypy $(ARGS)

# Every code block of README.md and docs/ is run.
docs: $(VENV)/.dev
	$(PY) -m pytest -n auto -m pages $(ARGS)

bench: $(VENV)/.bench
	$(PY) benchmarks/run.py $(ARGS)

wheel-check: $(VENV)/.made
	$(PY) .ci/wheel_check.py $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# $(VENV)/.EXTRA: the environment with the package in place and that extra of pyproject.toml.
$(VENV)/.demo $(VENV)/.dev $(VENV)/.bench: $(VENV)/.%: pyproject.toml | $(VENV)/.made
	$(PY) -m pip install --quiet --editable '.[$*]'
	@touch $@

# A stamp of its own, written last: an interrupted `venv` is made again rather than believed.
$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "No Python 3.10 or later with venv and ensurepip found" \
		"(Debian: apt install python3-venv); name one: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -c 'import sys; sys.exit("tangent_lite needs Python 3.10 or later" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@
