"""A seeded generator of whole Python programs, and what judges and shrinks them."""
