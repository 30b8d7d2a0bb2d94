"""What lists and dicts hold: copied, put back, and added up."""
from __future__ import annotations

import numpy as np

MISSING = "no such key"      # told apart by identity


def copied(x):
    """A copy of a list or dict; None, which stands for what was never bound, stays None."""
    return None if x is None else x.copy()


def copied_lists(x):
    """A copy of a list or dict and of the lists in it, which may be None too; they hold what they
    held."""
    if isinstance(x, dict):
        made = x.copy()
        for key in x:
            made[key] = copied_lists(x[key])
        return made
    return [copied_lists(part) for part in x] if type(x) is list else x


def copied_parts(x):
    """A list or dict of copies of the arrays in x, and of lists and dicts of such."""
    if isinstance(x, dict):
        return {key: copied_parts(part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [copied_parts(part) for part in x]
    return x.copy() if isinstance(x, np.ndarray) else x


def put_back(d, key, old):
    """Let d[key] be what it was; old is MISSING if there was no such key."""
    if old is MISSING:
        del d[key]
    else:
        d[key] = old


def add_parts(bx, index, by):
    """Add a list of adjoints to those of bx at the positions of a slice; bx is changed in place."""
    for position, part in zip(range(len(bx))[index], by):
        bx[position] = sum_of_structures(bx[position], part)


def add_items(bx, by):
    """Add a dict of adjoints to those of bx, key by key; bx is changed in place."""
    for key in by:
        bx[key] = sum_of_structures(bx[key], by[key])


def sum_of_structures(a, b):
    """a + b for numbers, arrays, and lists and dicts of them."""
    if isinstance(b, dict):
        return {key: sum_of_structures(a[key], b[key]) for key in b}
    if isinstance(b, (list, tuple)):
        return [sum_of_structures(x, y) for x, y in zip(a, b)]
    return a if b is None else a + b
