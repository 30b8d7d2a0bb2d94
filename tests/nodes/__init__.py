"""A program for every node of Python's syntax tree; see table.py."""
