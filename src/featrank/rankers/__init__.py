"""One file per method: its formula, reference, parameters and maths, and nothing else."""
