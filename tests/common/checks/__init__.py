"""Checks of one ranker: plain functions that raise AssertionError.

Each takes ``make_ranker``, a function from parameters to a ranker that is not fitted, reads the
traits that the ranker's class declares, and holds it to them.
"""

from . import contract, edges, invariance, sense, traits

CHECKS = [
    check
    for module in (traits, contract, invariance, sense, edges)
    for name, check in vars(module).items()
    if name.startswith("check_")
]
