"""Rewrites of programs that keep what they mean: each changes the tree of a function, by chance."""
from tests.programs.rewrites import bindings, calls, flow, names, values
from tests.programs.rewrites.tools import REWRITES, Site

__all__ = ["REWRITES", "Site", "bindings", "calls", "flow", "names", "values"]
