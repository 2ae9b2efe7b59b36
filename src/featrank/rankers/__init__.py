"""One file a method: its formula, reference, parameters and maths, and nothing else."""
