"""Texts from data that may hold anything, as layouts take them."""

from featrank.plain_text import one_line as one_line
from featrank.plain_text import shortened as shortened
