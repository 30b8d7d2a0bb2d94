"""A second generator: ideas of Python and NumPy inside one another, over a few shared things."""
