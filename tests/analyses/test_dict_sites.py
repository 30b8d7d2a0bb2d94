"""A dict that has two names: what is known of its keys is known under both. Where it was not, a
loop over the other name was written out for the keys that the dict had, and the rest was lost."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds
from tangent_lite.analyses.dict_sites import dicts_in, given
from tests.heap.forced import by_identity

X = np.array([0.7, -1.1, 0.4, 1.3])


def written_key(x):
    g = {}
    h = g
    h["a"] = x[0]
    s = 0.0
    for v in g.values():
        s += v * v
    return s


def computed_key(x):
    g = {}
    h = g
    for i in range(3):
        h[i] = x[i]
    return sum(v * k for k, v in g.items())


def the_other_way_round(x):
    h = {}
    g = h
    for i in range(3):
        h[i] = x[i]
    n = 0
    for _ in g:
        n += 1
    return n * x[0]


def keys_are_counted(x):
    g = {"z": 1.0}
    h = g
    h["a"] = x[0]
    n = 0
    for _ in g:
        n += 1
    return n * x[0]


def same(d):
    return d


def through_a_helper(x):
    g = {}
    h = same(g)
    for i in range(3):
        h[i] = x[i]
    s = 0.0
    for k in g:
        s += g[k] * k
    return s


def on_one_way(x):
    g = {}
    h = g if x[0] > 0.0 else {}
    for i in range(3):
        h[i] = x[i]
    s = x[3]
    for v in g.values():
        s += v * v
    return s


def asked(x):
    g = {}
    h = g
    h["a"] = x[0]
    return g.get("a", 0.0) * x[1]


def handed_over(x):
    def f(a=1.0):
        return a * x[1]

    g = {}
    h = g
    h["a"] = x[0]
    return f(**g)


def taken_out(x):
    g = {}
    h = g
    h["a"] = x[0]
    return g.pop("a", x[1]) * x[2]


def updated(x):
    g, e = {}, {}
    h = g
    h.setdefault("a", x[0])
    h.update(b=x[1])
    e.update(g)
    return sum(g.values()) * sum(e.values()) + sum((g | {}).values())


def changed_places(x):
    a, b = {}, {}
    if x[0] > 0.0:
        a, b = b, a
    h = a
    h["q"] = x[0]
    n = 0
    for _ in a:
        n += 1
    for _ in b:
        n += 10
    return n * x[0]


def in_a_function(x):
    g = {}

    def put():
        h = g
        h["a"] = x[0]

    put()
    return sum(v * v for v in g.values())


def in_a_dict(x):
    state = {"t": {}, "n": 0}
    for i in range(9):
        state["t"][i % 3] = x[i % 4] * 2.0
        state["n"] += 1
    s = 0.0
    for k, v in state["t"].items():
        s += v * k * v
    return s * state["n"]


PROGRAMS = [written_key, computed_key, the_other_way_round, keys_are_counted, through_a_helper,
            on_one_way, asked, handed_over, taken_out, updated, changed_places, in_a_function,
            in_a_dict]


@pytest.mark.parametrize("function", PROGRAMS)
def test_right(function):
    for x in (X, -X):
        value, slope = tl.value_and_grad(function)(x)
        assert value == function(x)
        with by_identity():
            np.testing.assert_allclose(slope, tl.grad(function)(x), rtol=1e-12)
    tl.check_grads(function, (X,))


def test_a_dict_that_is_made_in_each_iteration_is_another_one():
    def f(x):
        v = {"a": x[0], "b": x[1]}
        for _ in range(3):
            new = {}
            new["a"] = v["b"] * x[2]
            new["b"] = v["b"] * x[3] + v["a"]
            v = new
        return v["a"] * v["b"]

    gradient = tl.grad(f)
    gradient(X)
    assert not gradient._latest.by_identity
    tl.check_grads(f, (X,))


def test_sites():
    inner = kinds.DictKind(("a",), (kinds.FLOAT,))
    outer = given(kinds.DictKind(("p", "q"), (inner, kinds.ListKind(inner))), "d")
    found = []
    dicts_in(outer, lambda one: found.append(one.sites) or one)
    assert len(set(found)) == 3
    assert outer == kinds.DictKind(("p", "q"), (inner, kinds.ListKind(inner)))
    both = kinds.join(outer.items[0], given(inner, "e"))
    assert both == inner and both.sites == outer.items[0].sites | given(inner, "e").sites


def test_parts_of_other_sites_stay_the_same_thing():
    inner = kinds.DictKind(("a",), (kinds.FLOAT,))
    outer = given(kinds.DictKind(("p", "q", "r"), (
        inner, kinds.ListKind(inner), kinds.TupleKind((inner,)))), "d")
    p, q, r = outer.items
    met = []
    found = dicts_in(outer, lambda one: met.append(one) or kinds.DictKind(("b",), (kinds.INT,)),
                     q.item.sites)
    assert [one.sites for one in met] == [q.item.sites, outer.sites]
    found = dicts_in(outer, lambda one: kinds.DictKind(("b",), (kinds.INT,))
                     if one.sites == q.item.sites else one, q.item.sites)
    assert found.items[0] is p and found.items[2] is r
    assert found.items[1] == kinds.ListKind(kinds.DictKind(("b",), (kinds.INT,)))
    assert dicts_in(outer, met.append, frozenset(["elsewhere"])) is outer


def that_of_the_iteration_before(x):
    kept = {"a": x[0]}
    s = 0.0
    for i in range(3):
        for k in range(2):
            new = {"a": x[i] * x[k]}
            kept[k] = new["a"] + x[3]       # what was made before, or the first one
            for v in kept.values():
                s = s + v * v * x[1]
            kept = new
    return s


def of_the_statement_that_makes_others(x):
    all_of_them = [{"a": x[0]}]
    for i in range(3):
        new = {"a": x[i]}
        all_of_them[0][i] = x[3] * x[i]
        all_of_them[0] = new
        new["b"] = x[2] * 2.0
    n = 0.0
    for v in all_of_them[0].values():
        n = n + v * v
    return n


@pytest.mark.parametrize("function", [that_of_the_iteration_before,
                                      of_the_statement_that_makes_others])
def test_what_was_made_in_an_iteration_before_changes(function):
    gradient = tl.grad(function)(X)
    differences = [(function(X + h) - function(X - h)) / 2e-6 for h in 1e-6 * np.eye(4)]
    np.testing.assert_allclose(gradient, differences, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(tl.jvp(function, (X,), (X,))[1], gradient @ X, rtol=1e-10)
    tl.check_grads(function, (X,))
