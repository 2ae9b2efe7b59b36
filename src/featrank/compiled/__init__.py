"""Home of the compiled module, apart from its wrappers: it needs no NumPy to load."""
