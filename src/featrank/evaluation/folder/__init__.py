"""The results folder of a comparison: written by one process, readable by all."""
