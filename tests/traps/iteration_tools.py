"""Traps of itertools: what is summed up, chained, combined, cut off and left out."""
import itertools
import operator
from itertools import (
    accumulate,
    chain,
    combinations,
    combinations_with_replacement,
    compress,
    dropwhile,
    filterfalse,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    zip_longest,
)

import numpy as np

from tests.traps.case import case

x3 = np.array([0.3, 1.2, -0.5])


def accum(x):
    return sum((v * v for v in accumulate(x)))


case(accum, x3)


def accum_op(x):
    return sum((v * v for v in accumulate(x, operator.mul)))


case(accum_op, x3)


def accum_fn(x):
    t = 0.0
    for v in accumulate(x, lambda a, b: a * 0.5 + b):
        t += v * v
    return t


case(accum_fn, x3)


def accum_init(x):
    return sum((v * v for v in accumulate(x, initial=2.0)))


case(accum_init, x3)


def accum_list(x):
    s = list(accumulate(x))
    return s[-1] * s[0]


case(accum_list, x3)


def chain1(x):
    t = 0.0
    for v in chain(x, [2.0 * x[0]], (x[1],)):
        t = t * 0.5 + v * v
    return t


case(chain1, x3)


def chain_from(x):
    return sum((v * v for v in chain.from_iterable([x, 2 * x])))


case(chain_from, x3)


def product1(x):
    t = 0.0
    for a, b in product(x, [1.0, x[0]]):
        t += a * b
    return t


case(product1, x3)


def product_repeat(x):
    return sum((a * b * b for a, b in product(x, repeat=2)))


case(product_repeat, x3)


def pairwise1(x):
    return sum(((b - a) ** 2 for a, b in pairwise(x)))


case(pairwise1, x3)


def pairwise_loop(x):
    t = 0.0
    for a, b in itertools.pairwise(x):
        t += (b - a) ** 3
    return t


case(pairwise_loop, x3)


def zipl(x):
    t = 0.0
    for a, b in zip_longest(x, x[:2], fillvalue=1.0):
        t += a * b
    return t


case(zipl, x3)


def islice1(x):
    return sum((v * v for v in islice(x, 2)))


case(islice1, x3)


def islice2(x):
    return sum((v * v for v in islice(x, 1, None)))


case(islice2, x3)


def starmap1(x):
    return sum(starmap(lambda a, b: a * b, zip(x, x[::-1])))


case(starmap1, x3)


def starmap_pow(x):
    return sum(starmap(pow, [(x[1], 2), (x[0], 3)]))


case(starmap_pow, x3)


def comb(x):
    return sum((a * b for a, b in combinations(x, 2)))


case(comb, x3)


def comb_loop(x):
    t = 0.0
    for a, b in combinations(x, 2):
        t += (a - b) ** 2
    return t


case(comb_loop, x3)


def comb_idx(x):
    t = 0.0
    for i, j in combinations(range(len(x)), 2):
        t += x[i] * x[j] ** 2
    return t


case(comb_idx, x3)


def comb3(x):
    return sum((a * b * c for a, b, c in combinations(x, 3)))


case(comb3, x3)


def comb_wr(x):
    return sum((a * b * b for a, b in combinations_with_replacement(x, 2)))


case(comb_wr, x3)


def perms(x):
    return sum((a * b * b for a, b in permutations(x, 2)))


case(perms, x3)


def repeat2(x):
    return sum((v * v for v in repeat(x[0], 3)))


case(repeat2, x3)


def takewhile1(x):
    return sum(takewhile(lambda v: v > 0, x))


case(takewhile1, x3)


def dropwhile1(x):
    return sum(dropwhile(lambda v: v > 0, x))


case(dropwhile1, x3)


def compress1(x):
    return sum(compress(x, [1, 0, 1]))


case(compress1, x3)


def filterfalse1(x):
    return sum(filterfalse(lambda v: v > 0, x))


case(filterfalse1, x3)
