"""Where items stand: in an order, as `sorted`, `max` and `min` ask for it, and in an array."""
from __future__ import annotations

import numpy as np


def in_order(keys, reverse=False):
    """The positions of keys from the smallest to the largest; equal ones stay as they are.

    >>> in_order([3.0, 1.0, 2.0]), in_order("abca", True)
    ([1, 2, 0], [2, 1, 0, 3])
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def place_of_largest(keys):
    """Where the first of the largest keys stands.

    >>> place_of_largest([1.0, 3.0, 3.0])
    1
    """
    return max(range(len(keys)), key=keys.__getitem__)


def place_of_smallest(keys):
    """Where the first of the smallest keys stands.

    >>> place_of_smallest([2.0, 1.0, 1.0])
    1
    """
    return min(range(len(keys)), key=keys.__getitem__)


def places_in(shape):
    """The places of an array of a shape, a tuple of ints each, in the order of np.ndindex.

    >>> places_in((2, 2)), places_in(1)
    ([(0, 0), (0, 1), (1, 0), (1, 1)], [(0,)])
    """
    return list(np.ndindex(shape))
