"""Traps of the standard library: reduce, sorted with keys, means; loops that stop."""
import math
import operator
import random
import statistics
from functools import reduce

import numpy as np

from tests.traps.case import case

x3 = np.array([0.3, 1.2, -0.5])


def reduce1(x):
    return reduce(operator.mul, [x, 2.0 * x, x + 1])


case(reduce1, 2.0)


def reduce_lambda(x):
    return reduce(lambda a, b: a * b + a, x, 1.0)


case(reduce_lambda, x3)


def reduce_np(x):
    return reduce(np.multiply, [x, 2 * x, x]).sum()


case(reduce_np, x3)


def sort_key(x):
    xs = [v * v for v in x]
    return sum((w * k for k, w in enumerate(sorted(xs, key=lambda v: -v))))


case(sort_key, x3)


def sort_key_rev(x):
    xs = [v for v in x]
    xs = sorted(xs, key=abs, reverse=True)
    return xs[0] * 2 + xs[1] * 3


case(sort_key_rev, x3)


def sort_inplace(x):
    xs = [v * v for v in x]
    xs.sort()
    return xs[0] * 2 + xs[1] * 3


case(sort_inplace, x3)


def sort_inplace_key(x):
    xs = [v * v for v in x]
    xs.sort(key=lambda v: -v, reverse=False)
    return xs[0] * 2 + xs[1] * 3


case(sort_inplace_key, x3)


def sort_pairs(x):
    pairs = [(x[k], k) for k in range(3)]
    pairs = sorted(pairs, key=lambda pair: -pair[1])
    return math.tanh(sum((v1 * (saved + 1) for saved, (v1, k) in enumerate(pairs))))


case(sort_pairs, x3)


def min_key(x):
    return min([v * v for v in x], key=lambda v: abs(v - 1.0))


case(min_key, x3)


def max_key(x):
    return max(x, key=abs)


case(max_key, x3)


def max_default(x):
    return max([v * v for v in x], default=0.0)


case(max_default, x3)


def max_args_key(x):
    return max(x, -3 * x, key=abs)


case(max_args_key, 2.0)


def mprod(x):
    return math.prod(x) + math.prod([v * 2 for v in x], start=2.0)


case(mprod, x3)


def mfsum(x):
    return math.fsum((v * v for v in x))


case(mfsum, x3)


def max_star(x):
    return max(*x)


case(max_star, x3)


def hypot3(x):
    return math.hypot(x[0], x[1], x[2])


case(hypot3, x3)


def dist(x):
    return math.dist(x, [1.0, 2.0, 3.0])


case(dist, x3)


def dist2(x):
    return math.dist((x[0], x[1]), (x[1], x[2]))


case(dist2, x3)


def sumprod_start(x):
    return sum(x, 2.0) + sum([v * v for v in x], x[0])


case(sumprod_start, x3)


def sum_start_kw(x):
    return sum([v * v for v in x], start=x[0])


case(sum_start_kw, x3)


def sum_lists(x):
    return sum([[x[0]], [2.0 * x[1], x[2]]], [])[1]


case(sum_lists, x3)


def fmean(x):
    return statistics.fmean(x) + statistics.fmean([v * v for v in x])


case(fmean, x3)


def mean_stat(x):
    return statistics.mean([v * v for v in x])


case(mean_stat, x3)


def dict_break(p):
    t = 0.0
    for k in p:
        t += p[k] ** 2
        if t > 3:
            break
    return t


case(dict_break, {'a': 2.0, 'b': 3.0})


def dict_break2(p):
    t = 0.0
    for k, v in p.items():
        if k == 'b':
            break
        t += v * v
    return t


case(dict_break2, {'a': 2.0, 'b': 3.0})


def dict_break3(p):
    t = 0.0
    for k in p:
        if k == 'b':
            continue
        for j in range(3):
            t += p[k] * j
            if t > 5:
                break
        else:
            t *= p[k]
        if t > 8:
            break
    else:
        t *= 2
    return t


case(dict_break3, {'a': 2.0, 'b': 3.0, 'c': 0.5})


def dict_cont(p):
    t = 0.0
    for k, v in p.items():
        if k == 'b':
            continue
        t += v * v
    else:
        t += 1
    return t


case(dict_cont, {'a': 2.0, 'b': 3.0})


def dict_ret(p):
    for k, v in p.items():
        if v > 2.5:
            return v * v
    return p['a']


case(dict_ret, {'a': 2.0, 'b': 3.0})


def zip_unequal(x, y):
    t = 0.0
    for a, b, c in zip(x, [y, 2 * y, y], (1, 2.0, y)):
        t += a * b * c
    return t


case(zip_unequal, x3, 2.0)


def zeroargs(x):
    return reduce(lambda a, b: a + b * x, range(4), 0.0)


case(zeroargs, 2.0)


def list_map(x):
    return list(map(lambda v: v * v, x))[1]


case(list_map, x3)


def list_arr(x):
    l = list(x)
    return l[0] * l[2]


case(list_arr, x3)


def list_rev(x):
    return sum((v * k for k, v in enumerate(reversed(list(x)))))


case(list_rev, x3)


def rev_list(x):
    best = 0.0
    for q in reversed(list(x)):
        best = best * 0.77 + q
    return best


case(rev_list, x3)


def rev_disp(x):
    t = 0.5
    for q in reversed([x[0], np.cos(x[1])]):
        t = t * 1.2 + q
    return t


case(rev_disp, x3)


def drawn_by_python(x):
    random.seed(3)
    order = [1, 2, 3]
    random.shuffle(order)
    k = random.choice([0, 1, 2])
    total = sum(random.gauss(v, abs(v)) ** 2 for v in x) + random.uniform(x[0], x[3])
    return total * random.randint(1, 5) + x[order[0]] * x[k] * random.sample(range(4), 2)[1]


case(drawn_by_python, np.array([0.5, -1.2, 0.8, 1.7]))


def windows(x, n):
    total = 0.0
    for _ in range(n):
        w = np.lib.stride_tricks.sliding_window_view(x, 2)
        x = w.mean(axis=-1) * x[1:]
        total += x.max()
    v = x * 1.0
    w = np.lib.stride_tricks.sliding_window_view(v, 2, writeable=True)
    v[1] *= 2.0
    w[0] *= x[0]
    w[2, 1] = v[0] * 3
    return total + np.sum(w * w[::-1])


for _steps in (0, 3):
    case(windows, np.array([0.5, -1.2, 0.8, 1.7, 0.3, 1.1, -0.4]), _steps)
