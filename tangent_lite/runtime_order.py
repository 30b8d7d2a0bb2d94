"""Where items stand: in an order, as `sorted`, `max` and `min` ask for it, and in an array; and
what `itertools` hands out of constants, as what a loop can take items of."""
from __future__ import annotations

import itertools
import sys

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


def permutations_of(items, r=None):
    """What itertools.permutations hands out.

    >>> permutations_of("ab")
    [('a', 'b'), ('b', 'a')]
    """
    return list(itertools.permutations(items, r))


def combinations_of(items, r):
    """What itertools.combinations hands out.

    >>> combinations_of(range(3), 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(itertools.combinations(items, r))


def combinations_again_of(items, r):
    """What itertools.combinations_with_replacement hands out.

    >>> combinations_again_of("ab", 2)
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    return list(itertools.combinations_with_replacement(items, r))


def product_of(pools, repeat):
    """What itertools.product hands out.

    >>> product_of(("ab", range(2)), 1)
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    return list(itertools.product(*pools, repeat=repeat))


class Cycle:
    """What itertools.cycle hands out, by the number of the step; of nothing it is nothing.

    >>> [Cycle("abc")[k] for k in range(4)], len(Cycle("")), len(Cycle("a")) == sys.maxsize
    (['a', 'b', 'c', 'a'], 0, True)
    """

    def __init__(self, items):
        self.items = tuple(items)

    def __len__(self):
        return sys.maxsize if self.items else 0

    def __getitem__(self, step):
        if not self.items:
            raise IndexError(step)
        return self.items[step % len(self.items)]


def cycle_of(items):
    """What itertools.cycle hands out."""
    return Cycle(items)


def count_from(start=0, step=1):
    """What itertools.count hands out, of whole numbers: as many as no loop takes.

    >>> count_from(5, -2)[3], len(count_from()) == sys.maxsize
    (-1, True)
    """
    return range(start, start + step * sys.maxsize, step)
