"""Tangents, and many directions at once: forward mode, rows and columns of Jacobians."""
