"""`defaultdict` and `Counter` by names, held to the other strategy and to differences: reading a
missing key puts it there or does not, and that is seen in the order and the number of keys."""
import collections
from collections import Counter, defaultdict

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names
from tests.held_to_both import X, is_by_names, is_right


def sums(x):
    g = defaultdict(float)
    for i in range(len(x)):
        g[(i * 2) % 5] += x[i] ** 2
    s = 0.0
    for k, v in g.items():
        s = s * x[0] + v * v * k
    return s + g[0] * g[3] + len(g) * x[1]


def reads_put_there(x):
    g = collections.defaultdict(float)
    for i in range(len(x)):
        if i % 2:
            g[i] = x[i]
    s = 0.0
    for i in range(5):
        s += g[i * 2] * x[1] + g[i]
    for k in g:
        s = s * x[0] + k * 0.1 + g[k]
    return s + len(g) * x[3]


def order_of_reads(x):
    g = defaultdict(float)
    for i in range(len(x)):
        g[i % 5] = g[(i * 3) % 7] + x[i]
    s = 0.0
    for k in g:
        s = s * x[0] + g[k] * k + k
    return s


def means(x):
    n, g, s = defaultdict(int), defaultdict(float), 0.0
    for i in range(len(x)):
        n[i % 3] += 1
        g[i % 3] += x[i]
        s += g[i % 3] ** 2 / n[i % 3]
    for k in n:
        s += (g[k] / n[k]) ** 2
    return s


def compared(x):
    g, s = defaultdict(float), 0.0
    for i in range(len(x)):
        if g[i % 3] < x[i]:
            g[i % 3] = x[i] * x[0]
        if g[i % 4]:
            s += x[i]
        s += g[i % 3]
    for k in g:
        s = s * x[1] + k + g[k]
    return s


def other_operators(x):
    g, s = defaultdict(float), 0.0
    for i in range(len(x)):
        g[i % 3] -= x[i] ** 2
        g[i % 4] *= x[i]
        g[i % 5] /= 2.0
    for k, v in g.items():
        s = s * x[0] + v + k
    return s


def texts(x):
    g = defaultdict(float)
    for word, v in zip(["a", "b", "a", "c", "a", "b", "c"], x):
        g[word] += v * v
    return g["a"] * g["b"] + g["c"] ** 2 + g["q"] + len(g) * sum(g.values())


def filled(x):
    g = defaultdict(float)
    for i in range(4):
        g[i] += x[i]
    return g


def total(d):
    return sum(v * v for v in d.values())


def more(d):
    return total(d) + d[0] + d[11]


def through_helpers(x):
    g = filled(x)
    s = total(g) * g[17] + total(g)
    s += more(g)
    return s + len(g) * x[0]


def asked(x):
    g, s = defaultdict(float), 0.0
    for i in range(4):
        g[i] = x[i]
    s += g.get(9, x[1]) * g.get(1, 0.0)
    if 9 in g:
        s += 1.0
    plain = dict(g)
    plain[9] = g[8]
    return s * len(g) + sum(plain.values()) * len(plain)


def counted(x):
    c = Counter()
    for i in range(len(x)):
        c[(i * 2) % 3] += x[i] ** 2
    s = c[77] + c[0] * c[1] + len(c) * x[0]
    for k, v in c.items():
        s = s * x[1] + v * k
    return s


def whole_numbers(x):
    n, s = Counter(), 0.0
    for i in range(len(x)):
        n[i % 3] += 1
    for i in range(5):
        s += x[n[i]] * x[i]
    return s * len(n)


BY_NAMES = [sums, reads_put_there, order_of_reads, means, compared, other_operators, texts,
            through_helpers, asked, counted, whole_numbers]


# Not by names -------------------------------------------------------------------------------------
def looks_into_itself(x):
    g = defaultdict(float)
    for i in range(len(x)):
        g[i % 3] += x[i] * len(g)
    return sum(g.values())


def read_by_what_is_added(x):
    g, s = defaultdict(float), 0.0
    for i in range(len(x)):
        g[i % 5] += g[(i * 3) % 7] + x[i]
    for k in g:
        s = s * x[0] + g[k] * k + k
    return s


def read_where_a_test_says(x):
    g, s = defaultdict(float), 0.0
    for i in range(len(x)):
        if x[i] > 0.0 and g[i] < 1.0:
            s += g[i] + x[i]
    return s + len(g) * x[0]


def either(x):
    if x[0] > 0.0:
        g = defaultdict(float)
    else:
        g = {}
    g[1] = x[1]
    g[len(x)] = x[2]
    return (g[5] if 5 in g or x[0] > 0.0 else x[3]) + g[1] * x[0]


def counters_are_added(x):
    c, e = Counter(), Counter()
    for i in range(len(x)):
        c[(i * 2) % 3] += x[i] ** 2
        e[i % 2] += x[i] ** 2
    both = c + e
    return both[0] * both[1]


def counters_are_compared(x):
    c, e = Counter(), Counter()
    for i in range(3):
        c[i] = e[i] = 1
    e[7] = 0
    return x[0] ** 2 if c == e else x[1]


def copied(x):
    g = defaultdict(float)
    for i in range(4):
        g[i] = x[i]
    e = g.copy()
    return e[9] * x[0] + len(e) * x[1]


OTHERS = [looks_into_itself, read_by_what_is_added, read_where_a_test_says, either,
          counters_are_added, counters_are_compared, copied]


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
def test_right(function):
    is_right(function)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    # A pullback would make the dict again.
    is_by_names(function, with_pullback=function is not through_helpers)


@pytest.mark.parametrize("function", OTHERS)
def test_not_by_names(function):
    refused_by_names(tl.TangentError, function, X)


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
@pytest.mark.sweep(4)
def test_second_order(function):
    tl.check_grads(function, (X,), order=2)


def test_what_is_returned_is_of_its_class():
    def f(x):
        g = defaultdict(float)
        for i in range(3):
            g[i] += x[i]
        return sum(g.values()), g

    _, aux = tl.grad(f, has_aux=True)(X)
    assert type(aux) is defaultdict and aux == f(X)[1] and aux["there"] == 0.0


def test_a_size_that_changes_is_an_error_still():
    def f(x):
        g, s = defaultdict(float), 0.0
        for i in range(3):
            g[i] = x * i
        for k in g:
            s += g[k + 1]
        return s

    for call in (f, tl.grad(f), lambda x: tl.jvp(f, (x,), (1.0,))):
        with pytest.raises(RuntimeError, match="changed size"):
            call(2.0)


def test_two_records_of_one_dict_in_a_row():
    along = np.cos(np.arange(float(len(X))))

    def slope(x):
        return tl.jvp(means, (x,), (along,))[1]

    found, gradient = tl.grad(slope)(X), tl.grad(means)
    for k, unit in enumerate(np.eye(len(X))):
        quotient = (gradient(X + 1e-5 * unit) - gradient(X - 1e-5 * unit)) @ along / 2e-5
        np.testing.assert_allclose(found[k], quotient, rtol=1e-6, atol=1e-8)
