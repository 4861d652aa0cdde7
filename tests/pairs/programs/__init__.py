"""Pairs of programs, by theme. `base` has the registry; each other module adds its pairs to it when it is imported."""
