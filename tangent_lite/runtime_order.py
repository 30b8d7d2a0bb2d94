"""Where items stand in an order: what `sorted`, `max` and `min` do with keys."""
from __future__ import annotations


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
