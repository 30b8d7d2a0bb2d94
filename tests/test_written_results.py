"""What a call writes into is also what it returns: two names of one array."""
import numpy as np
import pytest

import tangent_lite as tl

ndimage = pytest.importorskip("scipy.ndimage")
X = np.arange(5.0) * 1.1 + 0.3


def filtered_twice(x):
    w = np.array([3.0, 1.0, 2.0, 4.0, 5.0])
    a = np.sum(ndimage.uniform_filter1d(w, 3, output=w) * x)
    b = np.sum(ndimage.uniform_filter1d(w, 3, output=w) * x)
    return a * b


def read_after_the_second(x):
    w = np.zeros(5)
    a = ndimage.uniform_filter1d(np.arange(5.0), 3, output=w)
    s = np.sum(a * x)
    ndimage.uniform_filter1d(np.arange(5.0) ** 2, 3, output=w)
    return s * np.sum(a * x * x)


def result_is_added_to(x):
    w = np.zeros(5)
    a = ndimage.gaussian_filter1d(np.arange(5.0), 1.0, output=w)
    a += x
    return np.sum(a * x) + np.sum(w * x * x)


def by_its_place(x):
    w = np.zeros(5)
    a = ndimage.gaussian_filter1d(np.arange(5.0), 1.0, -1, 0, w)
    w[0] = 9.0
    return np.sum(a * x) + np.sum(w * x * x)


def of_integers(x):
    """The filter computes in the type of its output: not in that of its input."""
    w = np.zeros(5)
    ndimage.uniform_filter1d(np.arange(5), 3, -1, w)
    s = np.sum(w * x)
    ndimage.uniform_filter1d(np.arange(5) * 3, 3, output=w)
    return s * np.sum(w * x)


def of_what_varies(x):
    w, u = np.zeros(5), np.zeros(5)
    ndimage.uniform_filter1d(x, 3, output=w)
    ndimage.uniform_filter1d(w, 3, -1, u)
    return np.sum(u * u * x)


def into_a_view(x):
    w = np.zeros((2, 5))
    row = w[1]
    ndimage.uniform_filter1d(np.arange(5.0) ** 2, 3, -1, row)
    return np.sum(w @ x) ** 2


def in_a_helper(x):
    def put(values, into):
        return ndimage.uniform_filter1d(values, 3, output=into)

    w = np.zeros(5)
    p = put(np.arange(5.0), w)
    s = np.sum(p * x)
    q = put(np.arange(5.0) ** 2, w)
    return s + np.sum(p * x) + np.sum(q * x * x)


def in_a_loop(x):
    w = np.array([3.0, 1.0, 2.0, 4.0, 5.0])
    s = 0.0
    for _ in range(3):
        s = s + np.sum(w * x) * x[0]
        ndimage.uniform_filter1d(w, 3, output=w)
    return s


def in_a_try(x):
    w = np.arange(5.0)
    s = 0.0
    try:
        s = np.sum(w * x)
        ndimage.minimum_filter1d(np.array([3.0, 1.0, 2.0, 4.0, 5.0]), 3, output=w)
        if x[0] > -9.0:
            raise ValueError
    except ValueError:
        s = s + np.sum(w * x * x)
    return s


def drawn(x):
    rng = np.random.default_rng(0)
    w = np.zeros(5)
    a = rng.standard_normal(out=w)
    s = np.sum(a * x)
    b = rng.standard_normal(out=w)
    return s * np.sum(a * x) * np.sum(b * x * x)


def rounded(x):
    w = np.zeros(5)
    a = np.round(np.arange(5.0) * 0.7, out=w)
    b = np.round(np.arange(5.0) * 1.9, out=w)
    return np.sum(a * x) * np.sum(b * x * x)


def taken(x):
    w = np.zeros(5, dtype=int)
    b = np.take(np.arange(9), [1, 2, 3, 4, 5], out=w)
    c = np.take(np.arange(9), [5, 4, 3, 2, 1], out=w)
    return np.sum(b * x) * np.sum(c * x * x)


def multiplied(x):
    w = np.zeros(5)
    a = np.multiply(x, 2.0, out=w)
    s = np.sum(a * x)
    b = np.multiply(x, 3.0, out=w)
    return s * np.sum(b * x * x) * np.sum(a)


def product(x):
    w = np.zeros(5)
    a = np.dot(np.eye(5), np.arange(5.0), out=w)
    b = np.dot(np.eye(5) * 2.0, np.arange(5.0), w)
    return np.sum(a * x) * np.sum(b * x * x)


def goes_by_names(function):
    return "tape." not in tl.grad(function).source_for(X)


NAMED = (drawn, rounded, taken, multiplied, product, into_a_view)
IMAGES = (filtered_twice, read_after_the_second, result_is_added_to, by_its_place, of_integers,
          of_what_varies, in_a_helper, in_a_loop, in_a_try)


@pytest.mark.parametrize("function", NAMED + IMAGES, ids=lambda f: f.__name__)
def test_right(function):
    assert goes_by_names(function) is (function in NAMED)
    tl.check_grads(function, (X,), order=1)
    assert tl.value_and_grad(function)(X)[0] == function(X)


def test_a_type_is_not_written_into():
    def typed(x):
        return np.sum(ndimage.uniform_filter1d(np.arange(5), 3, output=float) * x) \
            + np.sum(ndimage.uniform_filter1d(np.arange(5), 3, -1, np.float64) * x * x) \
            + np.sum(ndimage.uniform_filter1d(np.arange(5), 3, output="float64") * x ** 3)

    assert goes_by_names(typed)
    tl.check_grads(typed, (X,), order=1)
