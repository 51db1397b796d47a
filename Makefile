# Inside BERT: everything that builds and tests the book. `make help` lists it.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
# The Python that makes .venv: the first of these that is 3.11, 3.12 or 3.13.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell for candidate in python3.11 python3 python3.12 python3.13; do \
	$$candidate -c '$(SUPPORTED)' 2>/dev/null && echo $$candidate && break; \
	done || echo python3)
endif
# Which build of PyTorch, as pip takes it: TORCH="torch==<version> --index-url <address>"
TORCH ?= $(shell grep '^torch==' requirements.txt)
# LOCK=no: the direct requirements alone, for a package index whose files are others.
LOCK ?= yes

# What the book runs on, unless the environment or the command line says otherwise.
ifeq ($(origin MODEL),command line)
BERT_COURSE_MODEL := $(MODEL)
endif
export BERT_COURSE_MODEL ?= embedded
export COARSE_WSD_HOME ?= sample
export SMS_SPAM_HOME ?= sample
export PIP_DISABLE_PIP_VERSION_CHECK := 1

BIN := .venv/bin
# A script in .venv/bin would run the Python of the folder in which it was installed.
PROGRAM := $(BIN)/python -m build_tools.program
OLDEST := _build/.oldest/bin/python
ENGINES := _build/.engines/bin/python
PEERS := _build/.peers/bin/python
UV := _build/.uv
COMPILE = $(UV)/bin/uv pip compile --quiet --config-file build_tools/upkeep/uv.toml \
	$(if $(UPGRADE),--upgrade)
# Why tests of the browser or of grading cannot run here, in a line.
LACKING := $(BIN)/python -c "from build_tools.browser import chromium_path, MISSING; \
	from teaching.grading import sandbox; \
	print((not chromium_path() and MISSING) or sandbox.fault() or '')"
BOOK := _build/html/index.html
PORT ?= 8000
# The tests of a file in one process, on each core one, of one thread, up to four; the
# files in the order of conftest.py.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q --dist loadfile \
	--no-loadscope-reorder --numprocesses logical --maxprocesses 4
SOURCE_PLACES := chapters helpers data build_tools live \
	index.md references.md references.bib _config.yml _toc.yml
# What lies beside a page for its tests and its teachers is no part of the book.
FIND_SOURCES := find $(SOURCE_PLACES) -type f -not -path '*/.*' \
	-not -path '*/__pycache__/*' -not -name '*.ipynb' -not -path 'live/test/*' \
	-not -name 'test_*.py' -not -name conftest.py -not -name '*_answers.py' \
	-not -name teaching.md
# Make takes these signs for its own: _build/.sources asks for another name.
ODD_NAMES := -path '*[[:space:]:;|]*'
SOURCES := $(shell $(FIND_SOURCES) -not $(ODD_NAMES) 2>/dev/null | LC_ALL=C sort)

say = @echo "==> "$(1)

.PHONY: help book test test-all test-weekly test-oldest test-engines links check notebooks page pages seconds chapter class \
	grade plan quizzes pdf serve own-model results findings bench lock clean full-clean book-for-tests ready-to-test system-tools FORCE

help: ## list these targets
	@echo "Inside BERT. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' Makefile
	@echo "Choices, for example: make book MODEL=bert-base-uncased"
	@echo "  MODEL=...    embedded (default), auto, a hub id or a model folder"
	@echo "  TORCH=...    the build of PyTorch, as pip takes it (README)"
	@echo "  PYTHON=...   the Python, 3.11 to 3.13, that makes .venv"
	@echo "  LOCK=no      install without requirements.lock and its hashes"

book: _build/.book ## build the book in _build/html (sets up .venv first)
	@echo "The book is ready: open $(BOOK), or run: make serve"

page: .venv/.test-requirements ## build, judge and test one page, and export its notebook (SLUG=attention)
	@[ -n "$(SLUG)" ] || { echo "error: name it: make page SLUG=attention" >&2; exit 1; }
	@$(BIN)/python -m build_tools.upkeep.one_page "$(SLUG)"

pages: book ## how large each page is: findings, minutes, lines, seconds
	@$(BIN)/python -m build_tools.book.page_sizes

seconds: .venv/.requirements ## how long the cells of each page run alone, on a quiet machine (SLUG="attention inputs")
	@$(BIN)/python -m build_tools.book.seconds $(SLUG)

ready-to-test: book-for-tests .venv/.test-requirements system-tools check

test: ready-to-test ## build what is missing, check and test
	$(call say,"Testing (the slow tests run with: make test-all)")
	@$(PYTEST) -m "not slow and not weekly"

test-all: test ## the tests, then the slow ones
	$(call say,"Running the slow tests")
	@$(PYTEST) -m "slow and not weekly"

test-weekly: ready-to-test ## every chapter with a random model as large as BERT Base
	@$(PYTEST) -m weekly

test-oldest: .venv/.python ## the tests without a browser, with the oldest versions supported
	$(call say,"Installing the oldest versions beside .venv")
	@$(BIN)/python -m venv --clear _build/.oldest
	@$(OLDEST) -m pip install --quiet $(TORCH)
	@$(OLDEST) -m pip install --quiet --no-deps --require-hashes \
	  -r requirements.lock -r requirements-test.lock
	@$(OLDEST) -m pip install --quiet -r tests/oldest-versions.txt
	@$(OLDEST) -m pip install --quiet --no-deps --no-build-isolation -e .
	@$(OLDEST) -m pytest -q -m "not slow and not weekly" tests/helpers \
	  tests/build_tools tests/teaching tests/faults tests/chapters chapters \
	  --ignore tests/build_tools/test_pages.py --ignore tests/build_tools/test_lock.py

test-engines: .venv/.test-requirements ## the data engines and the server that a page prints, with pins of their own
	$(call say,"Installing data engines beside .venv")
	$(call beside,_build/.engines,-r tests/engines.txt)
	@$(ENGINES) -m pytest -q -m weekly chapters/many-machines/test_engines.py

links: book ## ask every other site that a page links to (needs a network)
	@$(BIN)/python -m build_tools.book --as-it-is \
	  $(PROGRAM) jupyter-book build . --builder custom --custom-builder linkcheck

check: .venv/.test-requirements ## code, spelling, and notebooks in step with chapters
	$(call say,"Checking code and spelling and that notebooks are in step")
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff check --quiet --isolated --select F821 notebooks # a solution's name
	@$(BIN)/ruff format --check --quiet .
	@said="$$($(PROGRAM) lint-imports --no-cache --no-logo)" || { echo "$$said" >&2; exit 1; }
	@$(PROGRAM) codespell
	@$(BIN)/python -m build_tools.notebooks --check & notebooks=$$!; \
	$(BIN)/python -m build_tools.upkeep.check_scripts; wait $$notebooks

notebooks: .venv/.test-requirements ## export chapters/ to notebooks/, for Colab (SLUG=attention: one)
	@$(BIN)/python -m build_tools.notebooks $(SLUG)

chapter: .venv/.requirements ## start a chapter: its folder and its line (SLUG=... TITLE=...)
	@[ -n "$(SLUG)" ] && [ -n "$(TITLE)" ] || { \
	  echo 'error: name it: make chapter SLUG=word-senses TITLE="Word senses"' >&2; exit 1; }
	@$(BIN)/python -m build_tools.upkeep.new_chapter "$(SLUG)" "$(TITLE)"

class: .venv/.requirements ## notebooks for students, and with solutions for the instructor (DIR=...)
	@[ -n "$(DIR)" ] || { echo "error: name a new folder: make class DIR=..." >&2; exit 1; }
	@$(BIN)/python -m teaching.class_sets "$(DIR)"

plan: .venv/.requirements ## a syllabus with its hours, for WEEKS=5, 10 or 14
	@$(BIN)/python -m teaching.plans "$(or $(WEEKS),10)"

grade: .venv/.requirements ## grade a folder of submitted notebooks (DIR=... OUT=... GRADEBOOK=... OWNERS=...)
	@[ -n "$(DIR)" ] || { echo "error: name the folder: make grade DIR=..." >&2; exit 1; }
	@$(BIN)/python -m teaching.grading "$(DIR)" --out "$(or $(OUT),grades.csv)" \
	  $(if $(GRADEBOOK),--gradebook "$(GRADEBOOK)") $(if $(OWNERS),--owners "$(OWNERS)")

quizzes: .venv/.requirements ## the quizzes as QTI 1.2, Moodle XML and cards for Anki (DIR=_build/quizzes)
	@$(BIN)/python -m teaching.quizzes "$(or $(DIR),_build/quizzes)"

pdf: book .venv/.test-requirements system-tools ## the whole book as _build/inside-bert.pdf
	$(call say,"Printing the book")
	@$(BIN)/python -m build_tools.book --as-it-is \
	  $(PROGRAM) jupyter-book build . --builder singlehtml -W --keep-going
	@$(BIN)/python -m build_tools.print.pdf _build/singlehtml/index.html _build/inside-bert.pdf

serve: book ## serve the book on http://127.0.0.1:8000 (PORT=...)
	@$(BIN)/python -m http.server "$(PORT)" --bind 127.0.0.1 --directory _build/html

own-model: .venv/.requirements ## a BERT as one file that "BERT, step by step" opens (MODEL=... FILE=my-bert.safetensors)
	@[ -n "$(FILE)" ] || { echo "error: name the file: make own-model MODEL=... FILE=..." >&2; exit 1; }
	@$(BIN)/python -m build_tools.live.own_model "$(BERT_COURSE_MODEL)" "$(FILE)"

results: .venv/.requirements ## make word-senses.csv and sms-spam*.csv of data/results again from the official sets (COARSE_WSD_HOME, SMS_SPAM_HOME)
	@for name in COARSE_WSD_HOME SMS_SPAM_HOME; do \
	  if [ "$${!name}" = sample ]; then \
	    echo "error: data/results is made from the official sets: set $$name to their folder" >&2; \
	    exit 1; fi; done
	@$(BIN)/python -m experiments.word_senses
	@$(BIN)/python -m experiments.spam_filters

findings: .venv/.test-requirements ## which findings hold on another model, into data/results (MODEL=bert-base-uncased)
	@$(BIN)/python -m experiments.findings $(if $(PAGES),--pages $(PAGES))

bench: .venv/.test-requirements ## speed beside other programs and the machine's limit (OUT=table.csv)
	$(call beside,_build/.peers,--no-deps -r benchmarks/peers.txt)
	@$(PEERS) -m benchmarks.embedding $(if $(OUT),--out "$(OUT)")
	@$(BIN)/python -m benchmarks.bfloat16

lock: ## renew the locks after a change of requirements*.txt (UPGRADE=1: the newest of all else)
	@[ -x $(UV)/bin/uv ] || { '$(PYTHON)' -m venv $(UV) && \
	  $(UV)/bin/python -m pip install --quiet uv==0.13.9; }
	@$(COMPILE) --output-file requirements.lock requirements.txt
	@$(COMPILE) --constraints requirements.lock \
	  --output-file requirements-test.lock requirements-test.txt

clean: ## delete what was built
	rm -rf _build

full-clean: clean ## delete .venv and node_modules too
	rm -rf .venv node_modules *.egg-info

# --- Set-up: each step leaves a stamp, so that it runs once -------------------

.venv/.python:
	@"$(PYTHON)" -c '$(SUPPORTED)' 2>/dev/null || { \
	  echo "error: Python 3.11, 3.12 or 3.13 is needed; name yours: make book PYTHON=/path/to/python3.11" >&2; \
	  exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "error: '$(PYTHON)' lacks venv: install it (on Debian: apt-get install python3-venv)" >&2; \
	  exit 1; }
	$(call say,"Making the virtual environment .venv")
	@$(BIN)/python -c 'import pip; $(SUPPORTED)' 2>/dev/null \
	  || "$(PYTHON)" -m venv --clear .venv
	@touch $@

# The place is part of what is installed: helpers is installed editable.
.venv/.place: .venv/.python FORCE
	@pwd -P | cmp -s - $@ || pwd -P > $@

# An environment that adds packages to those of .venv, which stays as it is.
define beside
	@$(BIN)/python -m venv --clear $(1)
	@$(BIN)/python -c "import site; print(f'import site; site.addsitedir({site.getsitepackages()[0]!r})')" \
	  > "$$($(1)/bin/python -c 'import site; print(site.getsitepackages()[0])')/course.pth"
	@$(1)/bin/python -m pip install --quiet $(2)
endef

# A lock names every package with its hashes, so that nothing is left to resolve.
define install
	@if [ '$(LOCK)' = no ]; then $(BIN)/python -m pip install --quiet -r $(1).txt; exit; fi; \
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r $(1).lock || { \
	  echo "error: $(1).lock could not be installed (pip says above why); where this machine's" \
	    "package index holds other files, leave the hashes out: make $(or $(MAKECMDGOALS),book) LOCK=no" >&2; \
	  exit 1; }
endef

.venv/.requirements: requirements.txt requirements.lock pyproject.toml .venv/.place
	$(call say,"Installing PyTorch: $(TORCH)")
	@$(BIN)/python -m pip install --quiet $(TORCH)
	$(call say,"Installing requirements.lock (minutes the first time)")
	$(call install,requirements)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/.test-requirements: requirements-test.txt requirements-test.lock .venv/.requirements
	$(call say,"Installing requirements-test.lock")
	$(call install,requirements-test)
	@touch $@

# --- The book ----------------------------------------------------------------

# What it runs on and the list of its pages: a change of either starts afresh.
export BOOK_SETTINGS = $(BERT_COURSE_MODEL) $(COARSE_WSD_HOME) $(SMS_SPAM_HOME) \
	$(INSIDE_BERT_SOURCE) $(filter index.md chapters/%.md,$(SOURCES))
_build/.settings: FORCE
	@mkdir -p _build
	@printf '%s' "$$BOOK_SETTINGS" | cmp -s - _build/.book || touch $@

# A file that is gone is newer than nothing: the list of them is a source too.
export BOOK_SOURCES = $(SOURCES)
_build/.sources: FORCE
	@odd="$$($(FIND_SOURCES) $(ODD_NAMES) -print -quit 2>/dev/null || true)"; [ -z "$$odd" ] || { \
	  echo "error: rename $$odd: letters, digits, hyphens and dots only" >&2; exit 1; }
	@mkdir -p _build
	@printf '%s' "$$BOOK_SOURCES" | cmp -s - $@ || printf '%s' "$$BOOK_SOURCES" > $@

_build/.book: $(SOURCES) package-lock.json .venv/.requirements _build/.settings _build/.sources
	@$(BIN)/python -m build_tools.book $(PROGRAM) jupyter-book build . -W --keep-going

# The tests prove the book that anyone gets, whatever data they run on themselves.
book-for-tests:
	@$(MAKE) --no-print-directory book COARSE_WSD_HOME=sample SMS_SPAM_HOME=sample

# What pip cannot bring: from Debian, where this user may. Without it its tests are
# skipped; where REQUIRE_TOOLS is set, that is an error.
system-tools: .venv/.requirements
	@if [ -n "$$($(LACKING))" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "==> Installing Chromium and bubblewrap for the tests"; \
	  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y \
	    --no-install-recommends chromium fonts-liberation bubblewrap; } >/dev/null 2>&1 || true; fi
	@lacking="$$($(LACKING))"; [ -z "$$lacking" ] || { \
	  echo "**** TESTS WILL BE SKIPPED: $$lacking ****"; [ -z "$${REQUIRE_TOOLS:-}" ]; }
