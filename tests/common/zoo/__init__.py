"""Rankers that each break one promise, with the check that is meant to catch them."""

from . import behaviour, contract, traits
from .cage import ZOO

__all__ = ["ZOO", "behaviour", "contract", "traits"]
