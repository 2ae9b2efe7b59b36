"""Tools without a subject: progress, threads, memory budget, atomic files, JSON, text."""
