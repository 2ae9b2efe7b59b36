import pytest

from featrank.kernels import _featrank

# A plugin for `make sanitize`, not a module of tests.
collect_ignore = ["sanitized.py"]


@pytest.fixture(params=[False, True], ids=["baseline", "wide"], autouse=True)
def instruction_set(request):
    """Every test of a kernel runs with each instruction set that this processor has."""
    _featrank.use_wide_vectors(request.param)
    yield
    _featrank.use_wide_vectors(True)
