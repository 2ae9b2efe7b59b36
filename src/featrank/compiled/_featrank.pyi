# The compiled module. Functions that write into arrays which the wrappers in kernels/ make are
# typed there; those that are called as they are, here.
from typing import Any

from numpy import float64, floating, int64, uint8, uint32
from numpy.typing import NDArray

_Best = tuple[int, float]
_Floats = NDArray[float64]
_Integers = NDArray[int64]
_Matrix = NDArray[floating]
_Rows = NDArray[uint32]
_Codes = NDArray[uint8]

def levelled_step(
    left: _Floats,
    right: _Floats,
    level: _Floats,
    weights: _Floats,
    vector: _Floats,
    products: _Floats,
    factor: float,
    shift: float,
    eigenvalue: float,
    /,
) -> tuple[float, float, float]: ...
def standardise(block: _Matrix, mean: _Floats, scale: _Floats, out: _Matrix, /) -> None: ...
def best_quotient(
    values: _Matrix,
    least: float,
    statistic: _Floats,
    chosen: _Integers,
    candidates: _Integers,
    n_known: _Integers,
    gathered: _Floats,
    /,
) -> _Best: ...
def best_smallest(
    codes: _Codes,
    n_bins: int,
    n_log_n: _Integers,
    offsets: _Integers,
    sums: _Integers,
    factor: float,
    relevance: _Floats,
    chosen: _Integers,
    candidates: _Integers,
    n_known: _Integers,
    gathered: _Floats,
    /,
) -> _Best: ...
def keep_codes(
    begin: _Integers,
    row: _Rows,
    code: _Codes,
    zero: _Codes,
    kept: _Integers,
    kept_row: _Rows,
    kept_code: _Codes,
    /,
) -> None: ...
def sparse_best_smallest(
    begin: _Integers,
    row: _Rows,
    code: _Codes,
    zero: _Codes,
    n_bins: int,
    n_log_n: _Integers,
    state: NDArray[Any],
    size: _Rows,
    whole: _Rows,
    pair: _Integers,
    triple: _Integers,
    factor: float,
    relevance: _Floats,
    candidates: _Integers,
    n_known: _Integers,
    gathered: _Floats,
    /,
) -> _Best: ...
def sparse_best_quotient(
    begin: _Integers,
    row: _Rows,
    values: _Matrix,
    mean: _Floats,
    scale: _Floats,
    chosen: _Matrix,
    chosen_sum: _Floats,
    least: float,
    statistic: _Floats,
    candidates: _Integers,
    n_known: _Integers,
    gathered: _Floats,
    /,
) -> _Best: ...
def smoothness(
    block: _Matrix,
    rows: _Integers,
    offsets: _Integers,
    neighbour: _Integers,
    weight: _Floats,
    degree: _Floats,
    low: _Floats,
    scale: _Floats,
    near: _Floats,
    overall: _Floats,
    /,
) -> None: ...
def exchange(
    weights: _Floats,
    shares: _Floats,
    payoff: _Floats,
    coherence: float,
    tol: float,
    most: int,
    /,
) -> tuple[int, float]: ...
def best_gain(
    values: _Matrix,
    reciprocal: _Floats,
    relevance: _Floats,
    n_known: _Integers,
    rest: _Floats,
    gain: _Floats,
    factor: _Floats,
    chosen_values: _Matrix,
    chosen_reciprocal: _Floats,
    chosen_factor: _Floats,
    candidates: _Integers,
    diversity: float,
    least: float,
    /,
) -> _Best: ...
def __getattr__(name: str) -> Any: ...
