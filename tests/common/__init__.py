"""Promises that every ranker of the registry keeps, and a zoo of rankers that break them."""
