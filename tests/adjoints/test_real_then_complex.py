"""Variables that are real at first and complex later on, as `d = lead` in front of
`d *= z[i] - z[j]`: where they are real, only the real part of their adjoint counts."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def turned(d, x):
    for _ in range(2):
        d *= 1 + 2j * x[1]
    return d


def copied(x):
    lead = x[0]
    d = lead
    for _ in range(2):
        d *= 1 + 2j * x[1]
    return abs(d) * lead


def of_a_helper(x):
    lead = x[0]
    return turned(lead, x).imag * lead


def items(x):
    a, b = x[0], x[1]
    for _ in range(2):
        a, b = b, a * (1 + 2j * x[1])
    return a.imag + abs(b)


def unpacked(x):
    a, b = x[:2]
    for _ in range(2):
        a, b = b, a * (1 + 2j * x[1])
    return a.imag + abs(b)


def in_a_tuple(x):
    pair = (x[0], x[1])
    for _ in range(2):
        pair = (pair[1], pair[0] * (1 + 2j * x[1]))
    return pair[0].imag + abs(pair[1])


def in_a_dict(x):
    state = {"a": x[0]}
    for _ in range(2):
        state["a"] = state["a"] * (1 + 2j * x[1])
    return state["a"].imag * x[0]


class Held:
    def __init__(self, v):
        self.v = v


def in_an_object(x):
    held = Held(x[0])
    for _ in range(2):
        held.v = held.v * (1 + 2j * x[1])
    return held.v.imag * x[0]


def taken_out(x):
    xs = [v * 1.0 for v in x]
    d = xs.pop()
    for _ in range(2):
        d = d * (1 + 2j * x[1])
    return d.imag * xs[0]


def largest(x):
    v = [x[0], x[1]]
    d = max(v)
    for _ in range(2):
        d = d * (1 + 2j * x[1])
    return d.imag * min(v)


def by_branches(x):
    lead, best = x[0], None
    for _ in range(3):
        best = lead if best is None else best * (1 + 2j * x[1])
    return best.imag * lead


def of_arrays(x):
    y = np.array([x[0], x[1]])
    d = y
    for _ in range(2):
        d = d * (1 + 2j * x[1])
    return np.sum(d.imag) + np.sum(y * y)


def roots(x):
    """All roots of a polynomial at once, after Durand and Kerner."""
    n, lead = len(x) - 1, x[0]
    z = [(0.4 + 0.9j) ** k for k in range(n)]
    for _ in range(3):
        for i in range(n):
            p = 0j
            for c in x:
                p = p * z[i] + c
            d = lead
            for j in range(n):
                if j != i:
                    d *= z[i] - z[j]
            z[i] -= p / d
    return sum(abs(r) ** 2 for r in z)


def in_copies_of_lists(x):
    xs = [x[0], x[1]]
    ys, zs = list(xs), xs[:] + [x[0] * 2.0]
    for k in range(2):
        ys[k] = ys[k] * (1 + 2j)
        zs[k + 1] = zs[k + 1] * 1j
    return abs(ys[0]) + ys[1].imag * xs[0] + zs[2].imag * abs(zs[1])


def recurring(d, n):
    if n > 0:
        d = d * (1 + 2j)
        return recurring(d, n - 1) * 1.5
    return d


def of_a_recursion(x):
    return recurring(x[0], 2).imag * x[1]


FUNCTIONS = [in_copies_of_lists, of_a_recursion, copied, of_a_helper, items, unpacked,
             in_a_tuple, in_a_dict, in_an_object, taken_out, largest, by_branches, of_arrays, roots]
X = [0.7, 0.3, -0.4]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_such_functions(f):
    want = [(f([*X[:k], X[k] + 1e-6, *X[k + 1:]]) - f([*X[:k], X[k] - 1e-6, *X[k + 1:]])) / 2e-6
            for k in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")          # of complex numbers in real arrays
        for x in (np.array(X), X, tuple(X)):
            direction = np.cos(X) if isinstance(x, np.ndarray) else type(x)(np.cos(X))
            with by_names():
                slope = tl.grad(f)(x)
                _, along = tl.jvp(f, (x,), (direction,))
            np.testing.assert_allclose(slope, want, rtol=1e-7, atol=1e-8)
            np.testing.assert_allclose(along, np.dot(np.cos(X), slope), rtol=1e-10)
            assert np.isrealobj(slope)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(X), want, rtol=1e-7, atol=1e-8)


def test_a_list_that_is_given():
    def f(xs):
        for k in range(len(xs)):
            xs[k] = xs[k] * (1 + 2j)
        return abs(xs[0]) + xs[1].imag

    slope = tl.grad(f)(list(X))
    assert [type(item) for item in slope] == [float] * 3
    np.testing.assert_allclose(slope, [np.sqrt(5.0), 2.0, 0.0])


def test_a_number_that_is_given():
    def f(a, b):
        d = a
        for _ in range(2):
            d = d * (1 + 2j * b)
        return abs(d) * a

    slope = tl.grad(f)(0.7, 0.3)
    assert type(slope) is float
    np.testing.assert_allclose(slope, 2 * 0.7 * abs((1 + 0.6j) ** 2))
