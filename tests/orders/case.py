"""The table of functions of one argument: case(f, p) enters one."""
from dataclasses import dataclass

import numpy as np

CASES = {}


@dataclass(frozen=True)
class Case:
    """A function of one argument whose result is a number, where to differentiate it, and the
    inner product of two values of its argument."""

    f: object
    p: object
    dot: object


def number_dot(a, b):
    return a * b


def array_dot(a, b):
    return np.sum(a * b)


def case(f, p, dot=None):
    """Enter a function, with the inner product of its own kind of argument if it has one."""
    theme = f.__module__.rsplit(".", 1)[-1]
    if dot is None:
        dot = number_dot if isinstance(p, float) else array_dot
    CASES[f"{theme}-{f.__name__}"] = Case(f, p, dot)
