"""Where items stand: in an order, as `sorted`, `max` and `min` ask for it, and in an array; and
what `itertools` hands out of constants, as what a loop can take items of."""
from __future__ import annotations

import itertools
import math
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


def members_of(items):
    """The members of the set that is made of items, in the order in which it hands them out.

    >>> members_of([2, 0, 2])
    [0, 2]
    """
    return list(set(items))


def places_of_members(keys):
    """Where the members of the set that is made of keys stand, in the order in which it hands them
    out: of equal ones the first, which is the one that a set keeps.

    >>> places_of_members([2.0, 0.0, 2.0])
    [1, 0]
    """
    first: dict = {}
    for k, key in enumerate(keys):
        first.setdefault(key, k)
    return [first[key] for key in set(keys)]


FEW = 100_000               # tuples, which take some megabytes


class Drawn:
    """What an iterator hands out, by the number of the step, as far as a loop has come.

    >>> drawn = Drawn(itertools.permutations(range(30)), math.factorial(30))
    >>> drawn[1][-3:], len(drawn.items), len(drawn) == sys.maxsize
    ((27, 29, 28), 2, True)
    """

    def __init__(self, iterator, count):
        self.iterator, self.count, self.items = iterator, min(count, sys.maxsize), []

    def __len__(self):
        return self.count

    def __getitem__(self, step):
        if isinstance(step, slice):
            return [self[k] for k in range(*step.indices(self.count))]
        step = range(self.count)[step]
        if step >= len(self.items):
            self.items += itertools.islice(self.iterator, step + 1 - len(self.items))
        return self.items[step]


def handed_out(iterator, count):
    """So many items of an iterator: a list of few, many as they are asked for."""
    return list(iterator) if count <= FEW else Drawn(iterator, count)


def permutations_of(items, r=None):
    """What itertools.permutations hands out.

    >>> permutations_of("ab")
    [('a', 'b'), ('b', 'a')]
    """
    items = tuple(items)
    return handed_out(itertools.permutations(items, r), math.perm(len(items), r))


def combinations_of(items, r):
    """What itertools.combinations hands out.

    >>> combinations_of(range(3), 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    items = tuple(items)
    return handed_out(itertools.combinations(items, r), math.comb(len(items), r))


def combinations_again_of(items, r):
    """What itertools.combinations_with_replacement hands out.

    >>> combinations_again_of("ab", 2)
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    items = tuple(items)
    count = math.comb(len(items) + r - 1, r) if items else 0**r
    return handed_out(itertools.combinations_with_replacement(items, r), count)


def product_of(pools, repeat):
    """What itertools.product hands out.

    >>> product_of(("ab", range(2)), 1)
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    pools = [tuple(pool) for pool in pools]
    count = math.prod(map(len, pools)) ** repeat
    return handed_out(itertools.product(*pools, repeat=repeat), count)


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
