"""Functions that call themselves on the parts of what they are given, and are handed functions:
trees of parameters, as users write them."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient

RATE = 0.7


def tree_map(f, t):
    if isinstance(t, dict):
        return {k: tree_map(f, v) for k, v in t.items()}
    if isinstance(t, list):
        return [tree_map(f, v) for v in t]
    if isinstance(t, tuple):
        return tuple(tree_map(f, v) for v in t)
    return f(t)


def tree_map_of_two(f, t, u):
    if isinstance(t, dict):
        return {k: tree_map_of_two(f, v, u[k]) for k, v in t.items()}
    if isinstance(t, list):
        return [tree_map_of_two(f, a, b) for a, b in zip(t, u)]
    return f(t, u)


def scaled(f, t, depth=0, by=1.0):
    if isinstance(t, dict):
        out = {}
        for k, v in t.items():
            out[k] = scaled(f, v, depth + 1, by=by * 0.5)
        return out
    if isinstance(t, list):
        return [scaled(f, v, depth=depth + 1) for v in t]
    return f(t) * by + depth


def total(t):
    if isinstance(t, dict):
        return sum(total(v) for v in t.values())
    if isinstance(t, (list, tuple)):
        return sum(total(v) for v in t)
    return np.sum(t ** 2)


def reduced(f, t, so_far):
    if isinstance(t, dict):
        for v in t.values():
            so_far = reduced(f, v, so_far)
        return so_far
    if isinstance(t, list):
        for v in t:
            so_far = reduced(f, v, so_far)
        return so_far
    return f(so_far, t)


def iterated(f, n, x):
    return x if n == 0 else f(iterated(f, n - 1, x))


def tree(x):
    return {"layers": [{"W": np.outer(x[:2], x[1:3]), "b": x[1:4]}, {"W": np.ones((2, 2)),
                                                                    "b": x[:2] * x[3]}],
            "scale": x[0], "more": {"deep": {"c": x * x}}}


def of_a_global(x):
    return total(tree_map(lambda a: a * RATE, tree(x)))


def as_it_is_at_the_call(x):
    rate = x[0]

    def grown(a):
        b = a * rate
        if np.sum(b) > 0.2:
            b = b * 2.0
        return b

    first = tree_map(grown, tree(x))
    rate = x[1]
    return total(first) + 2.0 * total(tree_map(grown, tree(x)))


def trained(x):
    t = tree(x)
    for _ in range(4):
        slopes = tree_map(np.tanh, t)
        t = tree_map_of_two(lambda p, g: p - x[3] * g, t, slopes)
    return total(t)


def with_defaults(x):
    def times(a, k=3.0):
        return a * k

    return total(tree_map(times, tree(x))) + total(tree_map(lambda a, k=x[1]: a * k, tree(x)))


def in_a_function(x):
    def outer(c):
        return tree_map(lambda a: a * c * x[2], tree(x))

    return total(outer(2.0)) + total(outer(x[1]))


def one_in_another(x):
    return total(tree_map(lambda a: total(tree_map(lambda b: b * a[0], {"a": a, "c": x})),
                          {"one": x, "two": [x * 2.0]}))


def by_keyword(x):
    return total(scaled(lambda a: a * x[1], tree(x))) \
        + total(scaled(f=lambda a: a * 2.0, t=tree(x), by=x[0]))


def of_all(x):
    return reduced(lambda s, a: s + np.sum(a * a) * RATE * x[1], tree(x), 0.0)


def again_and_again(x):
    value = 0.0
    for k in range(4):
        value = value + iterated(lambda v: np.sin(v * x[0] + k), k, x[1])
    return value


def of_constants_too(x):
    return total(tree_map(lambda a: a * x[0], {"a": 2.0, "b": [np.ones(2), np.ones(3)], "c": ()}))


NAMED = [of_a_global, as_it_is_at_the_call, trained, with_defaults, in_a_function, one_in_another,
         by_keyword, of_all, again_and_again, of_constants_too]


# What these hand over changes something, is another one further in, or is not called alone.
def counting(x):
    n = 0

    def counted(a):
        nonlocal n
        n = n + 1
        return a * n

    return total(tree_map(counted, tree(x)))


def noting(x):
    seen = []

    def noted(a):
        seen.append(np.sum(a))
        return a * 2.0

    t = tree_map(noted, tree(x))
    return sum(seen) ** 2 + total(t)


def in_place(x):
    t = {"a": x * 2.0, "b": {"c": x * 3.0}}

    def doubled(a):
        a *= 2.0
        return a

    u = tree_map(doubled, t)
    return total(t) + total({"u": u, "x": x})


def chosen(f, t, other=None):
    if isinstance(t, dict):
        return {k: chosen(other or f, v, f) for k, v in t.items()}
    if isinstance(t, list):
        return [chosen(f, v, other) for v in t]
    return f(t)


def in_turns(x):
    return total(chosen(lambda a: a * 2.0, tree(x), lambda a: a * x[1]))


def filled(d, t):
    for k, v in t.items():
        if isinstance(v, dict):
            filled(d, v)
        elif not isinstance(v, list):
            d[k] = v


def into_a_dict(x):
    d = {"scale": 1.0}
    filled(d, tree(x))
    return sum(np.sum(v) ** 2 for v in d.values())


@pytest.mark.parametrize("f", [*NAMED, counting, noting, in_place, in_turns, into_a_dict])
def test_functions_that_are_handed_functions_and_call_themselves(f):
    x = np.array([0.7, -0.4, 1.1, 0.6])
    value, slope = tl.value_and_grad(f)(x)
    assert value == f(x)
    (expected,), trustworthy = numeric_gradient(f, [x], [0])
    assert trustworthy
    np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)
    if f in NAMED:
        assert "tape.call" not in tl.grad(f).source_for(x)


def test_what_is_read_outside_is_live():
    global RATE
    x = np.array([0.7, -0.4, 1.1, 0.6])
    slope = tl.grad(of_a_global)
    before = slope(x)
    RATE = 1.4
    try:
        np.testing.assert_allclose(slope(x), 4.0 * before)
    finally:
        RATE = 0.7


def test_of_a_tree_that_is_given():
    def f(t, rate):
        return total(tree_map_of_two(lambda p, q: p - rate * q, t, tree_map(np.tanh, t)))

    t = {"a": np.array([0.3, -0.8]), "b": [0.5, 0.25], "c": {}}
    tl.check_grads(f, (t, 0.3), order=1)
    assert "tape.call" not in tl.grad(f).source_for(t, 0.3)


def test_second_derivatives():
    def f(x):
        t = tree_map_of_two(lambda p, q: p * q * x[1], {"a": x, "b": x[0]}, {"a": x * x, "b": x[1]})
        return np.sum(t["a"] ** 2) * t["b"]

    tl.check_grads(f, (np.array([0.7, -0.4]),), order=2)
