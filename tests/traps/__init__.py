"""Hand-written programs that are easy to differentiate wrongly, by theme; run by test_traps.py.

A module of traps is a list of functions, each followed by the arguments it is tried at.
"""
