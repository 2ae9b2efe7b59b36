"""General tools: progress, threads, memory budget, atomic files, JSON, strings."""
