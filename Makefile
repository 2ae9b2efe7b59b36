# One task runner: continuous integration calls these targets and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD_TOOLS := scikit-build-core nanobind cmake ninja
INSTALLED := $(VENV)/.installed

.PHONY: help install demo test check docs reproduction sanitize bench-ecfs bench-methods clean

help:
	@echo "make demo        install, then rank a built-in data set and compare five methods on another"
	@echo "make test        install, then run every test and doctest"
	@echo "make check       install, then ruff, mypy, import-linter and the generated pages"
	@echo "make docs        write the generated parts of the pages anew"
	@echo "make reproduction  run the paper's experiments (RESULTS, TRIALS) and write their page"
	@echo "make sanitize    build the kernels with ASan and UBSan and run their tests"
	@echo "make bench-ecfs  time EC-FS against one sum of X and a dense implementation"
	@echo "make bench-methods  time every method against other packages, which it installs"

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt CMakeLists.txt $(wildcard csrc/*.* csrc/hot/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt $(BUILD_TOOLS)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation \
		--editable '.[dev]'
	@touch $@

demo: install
	@rm -rf build/demo
	$(BIN)/featrank demo --compare build/demo

test: install
	$(BIN)/python -m pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

docs: install
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/figures.py

# An interrupted run goes on where it stopped; what takes too long has a row with the reason.
RESULTS ?= results
TRIALS ?= 20
TIME_LIMIT ?= 120
RUN = --methods all --trials $(TRIALS) --time-limit $(TIME_LIMIT) --patience 2 --out $(RESULTS) \
	--resume

reproduction: install
	$(BIN)/featrank reproduce microarray $(RUN)
	$(BIN)/featrank reproduce challenge $(RUN)
	$(BIN)/featrank reproduce planar-graphs --output docs/images/planar-graphs.png
	$(BIN)/python docs/reproduction.py $(RESULTS)

# Python itself is not built with ASan, so the runtimes are loaded first, and the C++ library
# with them, whose exceptions ASan watches. Leaks of the interpreter are not the kernels'.
RUNTIMES = $(foreach name,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(name).so))

sanitize: install
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DFEATRANK_SANITIZE=ON \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
	$(BIN)/cmake --build build/sanitize
	LD_PRELOAD="$(RUNTIMES)" ASAN_OPTIONS=detect_leaks=0 FEATRANK_KERNELS=build/sanitize \
		PYTHONPATH=tests/kernels $(BIN)/python -m pytest --capture=sys -p sanitized tests/kernels

bench-ecfs: install
	$(BIN)/python benchmarks/ecfs.py

# A peer that cannot be installed has its row of the table, with the reason.
bench-methods: install
	$(BIN)/python benchmarks/install_peers.py
	$(BIN)/python benchmarks/methods.py

clean:
	rm -rf $(VENV) build dist
