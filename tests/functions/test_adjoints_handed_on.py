"""Functions that call themselves and hand arrays on whole: their backward halves add to the
adjoints that they are given.
"""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.functions.recursive_slopes import W, X, check_slopes


def products(x, w, lo, hi):
    if hi - lo == 1:
        return x[lo] * w[0]
    if hi == lo:
        return 0.0
    m = (lo + hi) // 2
    return products(x, w, lo, m) * math.sin(products(x, w, m, hi)) + np.sum(x * w)


def read_alone(x, w):
    return products(x, w, 0, len(x))


def same_twice(x, w):
    return products(x, x, 0, len(x)) * w[1] + products(x, w, 1, 4)


def parts_too(x, w):
    return products(x, x[::-1], 0, 3) + products(w[::2], x[:3], 0, 2) * products(x * w, w, 0, 2)


def binds_anew(x, w, k):
    if k == 0:
        return np.sum(x * w)
    x = x * w[k]
    return binds_anew(x, w, k - 1) + x[k]


def bound_anew(x, w):
    return binds_anew(x, w, 4)


def read_in_loop(x, w):
    t = 0.0
    for k in range(3):
        if k != 1:
            t += products(x, w, k, 5) * t + w[k]
        else:
            x = x * 1.5
            t += products(x, w, 0, 2)
    return t


def deep(x, w, k):
    if k == 0:
        return x * w
    return np.sin(deep(x, w, k - 1)) * x + w[k]


def of_arrays(x, w):
    return np.sum(deep(x, w, 3) * w)


def outermost(x, w, k=3):
    if k == 0:
        return np.sum(x * x * w)
    return outermost(x, w, k - 1) * x[k] + w[k]


def mixed(x, w, a, k):
    if k == 4:
        return a
    b = a * x[k]
    x2 = x * b
    return mixed(x, w, b, k + 1) + np.sum(x2 * w) * mixed(x2, w, a, k + 2 if k < 3 else 4)


def mixed_use(x, w):
    return mixed(x, w, x[0] * w[1], 0)


def even(x, w, k):
    if k == 0:
        return w[0]
    return odd(x, w, k - 1) * x[k]


def odd(x, w, k):
    if k == 0:
        return x[0]
    return even(w, x, k - 1) + math.sin(x[k] * w[k])


def mutual(x, w):
    return even(x, w, 5) * odd(x, w, 4)


def with_locals(x, w, k):
    if k == 0:
        return np.sum(x)
    t = np.zeros(len(x))
    t[:k] = x[:k] * w[k]
    t[k:] += x[k:]
    return with_locals(t, w, k - 1) + t[0] * with_locals(x, w, k - 1)


def locals_written(x, w):
    return with_locals(x, w, 3)


def scales(x, w, k):
    if k == 0:
        return np.sum(x ** 2)
    y = 2.0 * x
    return scales(y, w, k - 1) + np.dot(x, w) + np.sum(x) * w[k] + np.max(x)


def scaled(x, w):
    return scales(x, w, 3)


def not_read(x, w, k):
    if k == 0:
        return w[0] * w[0]
    return not_read(x, w, k - 1) * w[k]


def read_by_none(x, w):
    return not_read(x, w, 3)


FUNCTIONS = [read_alone, same_twice, parts_too, bound_anew, read_in_loop, of_arrays, outermost,
             mixed_use, mutual, locals_written, scaled, read_by_none]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.sweep(4)
def test_slopes(f):
    check_slopes(f, by_identity=False)




def test_adjoints_are_handed_on():
    """No call makes zeros for an array that it hands on: it adds to the adjoint of its caller."""
    source = tl.grad(read_alone).source_for(X, W)
    assert source.count("np.zeros_like(x)") == 1
