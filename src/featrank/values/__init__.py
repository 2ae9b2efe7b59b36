"""Checked arrays: containers, numbers, class labels, numeric targets, count transforms."""
