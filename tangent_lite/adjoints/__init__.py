"""Adjoints on their way into text: which exist, what statements add to them, what is recorded."""
