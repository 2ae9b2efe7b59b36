"""The permutation test of a comparison: do the features predict the target at all?"""
