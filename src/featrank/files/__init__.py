"""Files in, rankings, tables and comparisons out."""
