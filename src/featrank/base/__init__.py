"""What a ranker is: the one fit, single-pass and greedy bases, tuning, registry, cost."""
