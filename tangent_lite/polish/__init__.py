"""Emitted functions, read once more: what a careful person would not have written is taken out."""
