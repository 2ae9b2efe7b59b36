# One task runner: continuous integration calls these targets and nothing else.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Wheels only: building a package could fail where its tools are missing. pyspark has no wheel, but
# needs no compiler.
PIP := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt \
	--only-binary :all: --no-binary pyspark
BUILD_TOOLS := scikit-build-core nanobind cmake ninja
# Shortens the build's long lines to "[12/54] _featrank: graph/graph.cpp"
PROGRESS := 's|.*(\[[0-9]+/[0-9]+\]) Building .*CMakeFiles/(.+)\.dir/.*/(.+/.+)\.o$$|\1 \2: \3|p'
CPP := $(wildcard csrc/*/*.?pp csrc/*/hot/*.?pp)
KERNELS := CMakeLists.txt $(CPP)

.PHONY: help install install-dev demo test test-slow test-all check docs reproduction wheel fresh \
	sanitize fuzz other-compiler bench-ecfs bench-alpha bench-methods bench-costs bench-diversity bench-page \
	bench-scale bench-sparse-pairs bench-few-samples bench-verdicts bench-fdr \
	diversity every-method clean

help:
	@echo "make demo        install, rank simulated data and compare five methods"
	@echo "make test        install the test tools and run all tests and doctests except slow ones"
	@echo "make test-slow   run the tests marked slow: killed processes, memory limits, fuzzing"
	@echo "make test-all    run every test and doctest"
	@echo "make check       ruff, mypy, import-linter, clang-format, generated pages, wording, AVX2 code"
	@echo "make docs        regenerate the generated parts of the pages and of the package"
	@echo "make reproduction  run the paper's experiments (RESULTS, TRIALS, OTHERS) and write their page"
	@echo "make wheel       build the source archive and the wheel, install the wheel elsewhere and test it"
	@echo "make fresh       run demo, check, wheel, test and test-slow in a new clone, as on a new computer"
	@echo "make other-compiler CXX=clang++  build the kernels with another compiler and run their tests"
	@echo "make sanitize    build the kernels with ASan and UBSan and run their tests"
	@echo "make fuzz N=5000  read damaged files of every format, make unusual calls and count the outcomes"
	@echo "make bench-ecfs  time EC-FS against one sum of X and a dense implementation"
	@echo "make bench-alpha  compare rules by which EC-FS can choose alpha"
	@echo "make bench-methods  install other packages and time every method against them"
	@echo "make bench-costs  time every method on a wide and a tall table, for featrank methods --for"
	@echo "make bench-diversity  compare variants of diverse EC-FS and its competitors"
	@echo "make bench-few-samples  compare rankings from 3, 5 and 10 samples per class on the others"
	@echo "make bench-sparse-pairs  time the greedy methods on sparse counts against dense ones"
	@echo "make bench-scale  measure data larger than memory: 21 GB of rows, 10 million variants, sparse"
	@echo "make bench-fdr  measure false discovery rates and power of fdr, next to other procedures"
	@echo "make bench-verdicts  measure type-I error and power of a report's verdicts"
	@echo "make bench-page  measure a report of ten methods and 10,000 features in a browser"
	@echo "make every-method  run every method with the paper's protocol (RESULTS, EVERY) and write its page"
	@echo "make diversity   compare diverse EC-FS on the paper's data (RESULTS, TRIALS) and write its page"

# Each finished step leaves a marker file. An interrupted installation resumes from there, and an
# edit repeats only the steps that it affects.
install: $(VENV)/.featrank
install-dev: $(VENV)/.dev

$(VENV)/.tools: constraints.txt
	@echo "Creating $(VENV) for $$($(PYTHON) --version) and fetching the build tools ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --quiet $(BUILD_TOOLS)
	@touch $@

# Build isolation is off for featrank only, so that a second build reuses the objects of the first.
# The compiler's progress is printed. Everything else is in the log.
$(VENV)/.featrank: $(VENV)/.tools pyproject.toml $(KERNELS)
	@echo "Installing dependencies and compiling kernels, which takes a minute or two ..."
	@$(PIP) --no-build-isolation --verbose --editable '.[plot]' 2>&1 | tee $(VENV)/install.log \
		| sed -nuE $(PROGRESS) \
		|| { tail -n 60 $(VENV)/install.log; exit 1; }
	@touch $@

# featrank itself is already installed. This adds the packages of its extra.
$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/.featrank
	@echo "Fetching the test tools ..."
	@$(PIP) --quiet 'featrank[dev]'
	@touch $@

demo: install
	@rm -rf build/demo
	$(BIN)/featrank demo --compare build/demo

# Tests run in one process per core, each with as many threads as there are cores. OpenBLAS and
# OpenMP threads that spin while they wait would take most of the cores from the others.
CALM := OPENBLAS_THREAD_TIMEOUT=4 OMP_WAIT_POLICY=PASSIVE

# One process per core. The tests of a file stay together, because they share slow fixtures.
PYTEST = $(CALM) $(BIN)/python -m pytest --numprocesses auto --dist loadscope

test: install-dev
	$(PYTEST) -m "not slow"

test-slow: install-dev
	$(PYTEST) -m slow tests

test-all: install-dev
	$(PYTEST)

check: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	$(BIN)/python docs/generate.py --check
	$(BIN)/python docs/check_words.py
	$(BIN)/python tests/packaging/symbols.py build/cp3*

# One Python builds the wheel, and another, possibly of another version, installs and tests it.
WHEEL_PYTHON ?= $(PYTHON)
TRY_ON ?= $(WHEEL_PYTHON)

wheel:
	tests/packaging/wheel.sh $(WHEEL_PYTHON) $(TRY_ON)

# Run the README's commands in a new clone with an empty home and cache, then the slow tests.
fresh:
	tests/packaging/fresh.sh demo check+wheel test test-slow

docs: install-dev
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/plots.py

# An interrupted run resumes. A method that takes too long has a row with the reason. The paper's
# methods and their competitors get the paper's number of trials. The other methods, and GINA or its
# replacement, get fewer.
RESULTS ?= results
TRIALS ?= 100
OTHERS ?= 20
TIME_LIMIT ?= 120
LIMITS = --time-limit $(TIME_LIMIT) --patience 2 --resume
MAIN_RUN = --methods main --trials $(TRIALS) --out-dir $(RESULTS)/main $(LIMITS)
OTHER_RUN = --methods others --trials $(OTHERS) --out-dir $(RESULTS)/others $(LIMITS)
GINA_RUN = --methods all --trials $(OTHERS) --out-dir $(RESULTS)/gina $(LIMITS)
LEAKY_RUN = --leaky --methods ec-fs,fisher,mi,svm-rfe --trials $(OTHERS) --out-dir $(RESULTS)/leaky \
	$(LIMITS)

reproduction: install-dev
	$(BIN)/featrank reproduce microarray $(MAIN_RUN)
	$(BIN)/featrank reproduce challenge --datasets madelon $(MAIN_RUN)
	$(BIN)/featrank reproduce microarray --datasets colon $(LEAKY_RUN)
	$(BIN)/featrank reproduce challenge --datasets madelon $(LEAKY_RUN)
	$(BIN)/featrank reproduce microarray $(OTHER_RUN)
	$(BIN)/featrank reproduce challenge --datasets madelon $(OTHER_RUN)
	$(BIN)/featrank reproduce challenge --datasets gina,gina_like_mnist $(GINA_RUN)
	$(BIN)/featrank reproduce planar-graphs --output docs/images/planar-graphs.png
	$(BIN)/python docs/reproduction.py $(RESULTS)

# `featrank datasets` says where the datasets are found or downloaded from.
DIVERSITY_SETS := colon leukemia lymphoma prostate madelon gina_like_mnist
DIVERSITY = --methods ec-fs-diverse,ec-fs,fisher,mrmr,jmi --n-features 5,10,20,50,100

diversity: install-dev
	for name in $(DIVERSITY_SETS); do \
		$(BIN)/featrank compare "$$($(BIN)/python docs/diversity.py --find $$name)" $(DIVERSITY) \
			--trials $(TRIALS) --out-dir $(RESULTS)/diversity/$$name --resume --quiet; \
	done
	$(BIN)/python docs/diversity.py $(RESULTS)/diversity

# Takes about forty minutes. Finished runs are not repeated.
EVERY ?= 10

every-method: install-dev
	$(BIN)/featrank reproduce microarray --methods all --trials $(EVERY) --out-dir $(RESULTS)/every $(LIMITS)
	$(BIN)/python docs/every_method.py $(RESULTS)/every

CONFIGURE = $(BIN)/cmake -S . -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python

# Python itself is not built with ASan, so the runtimes are loaded first, together with the C++
# library, whose exceptions ASan intercepts. Leaks of the interpreter are ignored.
RUNTIMES = $(foreach name,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(name).so))

sanitize: install-dev
	$(CONFIGURE) -B build/sanitize -DFEATRANK_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
	$(BIN)/cmake --build build/sanitize
	LD_PRELOAD="$(RUNTIMES)" ASAN_OPTIONS=detect_leaks=0 FEATRANK_KERNELS=build/sanitize \
		PYTHONPATH=tests/kernels $(BIN)/python -m pytest --capture=sys -p sanitized tests/kernels

# Failing files are saved in build/fuzz. To reproduce one: make fuzz SEED=0 FORMAT=csv NUMBER=12,
# or make fuzz FOLDER='build/fuzz/csv 0 12'.
N ?= 1000
SEED ?= 0
ONE = $(if $(FORMAT),--format '$(FORMAT)') $(if $(NUMBER),--number $(NUMBER)) \
	$(if $(FOLDER),--folder '$(FOLDER)')

fuzz: install-dev
	$(BIN)/python -m tests.fuzz --n $(N) --seed $(SEED) $(ONE)
	$(if $(strip $(ONE)),,FEATRANK_FUZZ=$(N) $(BIN)/python -m pytest -q tests/fuzz/test_odd_calls.py)

# Build with another compiler: make other-compiler CXX=clang++
other-compiler: install-dev
	$(CONFIGURE) -B build/$(CXX) -DCMAKE_CXX_COMPILER=$(CXX)
	$(BIN)/cmake --build build/$(CXX)
	$(BIN)/python tests/packaging/symbols.py build/$(CXX)
	FEATRANK_KERNELS=build/$(CXX) PYTHONPATH=tests/kernels \
		$(BIN)/python -m pytest -p sanitized tests/kernels

bench-ecfs: install-dev
	$(BIN)/python benchmarks/ecfs.py

# Takes a few minutes.
bench-alpha: install-dev
	$(BIN)/python benchmarks/alpha_rules.py

# A package that cannot be installed gets a row with the reason.
bench-methods: install-dev
	$(BIN)/python benchmarks/install_peers.py
	$(BIN)/python benchmarks/methods.py $(if $(ONLY),--only $(ONLY)) \
		$(if $(LIMIT),--limit $(LIMIT)) $(if $(PAGE),--output $(PAGE))

# Takes a few minutes. ONLY='ec-fs mi' measures only these methods.
bench-costs: install-dev
	$(BIN)/python benchmarks/costs.py $(if $(ONLY),--only $(ONLY))

bench-few-samples: install-dev
	OMP_NUM_THREADS=1 nice -n 10 $(BIN)/python benchmarks/few_samples.py

bench-diversity: install-dev
	OMP_NUM_THREADS=1 nice -n 10 $(BIN)/python benchmarks/diversity.py

bench-sparse-pairs: install-dev
	$(BIN)/python benchmarks/sparse_pairs.py

# Creates, measures and deletes up to 21 GB at a time. Takes about ten minutes.
bench-scale: install-dev
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python docs/scale.py

# Takes about forty minutes on one core. An interrupted run resumes.
# Takes many hours. An interrupted run resumes. ONLY='fisher,mi' RUNS=20 measures less.
bench-fdr: install-dev
	$(BIN)/python benchmarks/install_peers.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/fdr.py $(if $(ONLY),--only '$(ONLY)') \
		$(if $(RUNS),--runs $(RUNS))
	$(BIN)/python docs/fdr.py

bench-verdicts: install-dev
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/verdicts.py
	$(BIN)/python docs/verdicts.py

bench-page: install-dev
	PYTHONPATH=. $(BIN)/python benchmarks/page.py

clean:
	rm -rf $(VENV) build dist
