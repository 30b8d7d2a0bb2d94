"""Gradients with respect to arguments in which one array stands at several places: each place gets
its own part, with both strategies. The reference are central differences of arguments whose arrays
are apart, of which one moves at a time."""
import contextlib
import copy
import math
from types import SimpleNamespace

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

X = np.array([0.5, 0.25, 2.0])


def both(p, x):
    return np.sum(np.sin(p["a"]) * x) + 3.0 * np.sum(p["b"] ** 2 * x)


def items(p, x):
    return np.sum(p[0] * p[1] * x) + np.sum(p[0] ** 3)


def attributes(p, x):
    return np.sum(p.a * x) * np.sum(p.b ** 2)


def in_parts(p, x):
    (a, b), c = p["pair"], p["list"][0]
    return np.sum(a * x) + np.sum(b ** 2 * c)


def held(p, x):
    """What goes by identity: arrays in a list with two names."""
    kept = [p["a"], p["b"]]
    other = kept
    other[0] = other[0] * x
    return np.sum(kept[0] * kept[1])


def elements(p, x):
    total = 0.0
    for k in range(3):
        total += p[0][k] * p[1][k] ** 2 * x[k]
    return total


def as_dict(a, b):
    return {"a": a, "b": b}


def as_list(a, b):
    return [a, b]


def as_object(a, b):
    return SimpleNamespace(a=a, b=b)


def as_parts(a, b):
    return {"pair": (a, b), "list": [a]}


def as_one_pair(a, b):
    pair = (a, b)
    return [pair, pair]


def of_pairs(p, x):
    (a, b), (c, d) = p
    return np.sum(a * x) + np.sum(b ** 2 * c) + np.sum(np.exp(d))


CASES = [(both, as_dict), (items, as_list), (attributes, as_object), (in_parts, as_parts),
         (held, as_dict), (elements, as_list), (of_pairs, as_one_pair)]


def arrays_of(tree):
    if isinstance(tree, np.ndarray):
        return [tree]
    if isinstance(tree, SimpleNamespace):
        tree = vars(tree)
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [one for part in tree for one in arrays_of(part)]


def like(tree, parts):
    """The structure with arrays in place of its own, in order."""
    if isinstance(tree, np.ndarray):
        return next(parts)
    if isinstance(tree, SimpleNamespace):
        return SimpleNamespace(**{k: like(v, parts) for k, v in vars(tree).items()})
    if isinstance(tree, dict):
        return {k: like(v, parts) for k, v in tree.items()}
    return type(tree)(like(v, parts) for v in tree)


def differences(function, given):
    """The gradient at each place."""
    here, found = arrays_of(given), []
    for number, one in enumerate(here):
        slope = np.zeros(one.shape)
        for spot in np.ndindex(one.shape):
            ends = []
            for h in (1e-6, -1e-6):
                moved = [a.copy() for a in here]
                moved[number][spot] += h
                ends.append(function(like(given, iter(moved)), X))
            slope[spot] = (ends[0] - ends[1]) / 2e-6
        found.append(slope)
    return found


def views(w):
    """Second arrays that share memory with w."""
    return [w, w[::-1], np.lib.stride_tricks.as_strided(w, (3,), (0,)), w.copy(), w.reshape(3)]


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("function, make", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("which", range(5))
def test_each_place_gets_its_part(function, make, which, forced):
    w = np.array([1.0, 2.0, 3.0])
    given = make(w, views(w)[which])
    expected = differences(function, given)
    with by_identity() if forced else contextlib.nullcontext():
        value, slopes = tl.value_and_grad(function)(given, X)
        assert value == function(given, X)
        for a, b in zip(arrays_of(slopes), expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)
        found = arrays_of(slopes)
        assert all(a.flags.writeable and not np.shares_memory(a, b)
                   for k, a in enumerate(found) for b in found[:k])
        value, pullback = tl.vjp(function, given, X)
        for seed in (2.0, -1.0):
            for a, b in zip(arrays_of(pullback(seed)[0]), expected, strict=True):
                np.testing.assert_allclose(a, seed * b, rtol=1e-6, atol=1e-7)
        along = like(given, (np.cos(np.arange(3.0) + k) for k in range(9)))
        slope = sum(np.sum(a * b) for a, b in zip(expected, arrays_of(along)))
        assert math.isclose(tl.jvp(function, (given, X), (along, None))[1], slope, rel_tol=1e-6)
        found = arrays_of(tl.hvp(function)(given, X, along))
        ends = [arrays_of(tl.grad(function)(like(given, iter(
            [a + h * b for a, b in zip(arrays_of(given), arrays_of(along))])), X))
            for h in (1e-6, -1e-6)]
        for a, up, down in zip(found, *ends, strict=True):
            np.testing.assert_allclose(a, (up - down) / 2e-6, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("forced", [False, True])
def test_a_step_of_tied_arrays(forced):
    w = np.array([1.0, 2.0, 3.0])
    params = {"a": w, "b": w}
    with by_identity() if forced else contextlib.nullcontext():
        slopes = tl.grad(held)(params, X)
    total = (held(as_dict(w + 1e-6, w + 1e-6), X) - held(as_dict(w - 1e-6, w - 1e-6), X)) / 2e-6
    assert math.isclose(np.sum(slopes["a"] + slopes["b"]), total, rel_tol=1e-6)
    for name in params:
        params[name] -= 0.1 * slopes[name]
    np.testing.assert_allclose(w, np.array([1.0, 2.0, 3.0]) - 0.1 * (slopes["a"] + slopes["b"]))


def test_columns_and_rows_share_a_copy():
    w = np.arange(12.0).reshape(3, 4)

    def gram(columns, rows):
        return sum(np.sum(c ** 2) for c in columns) * sum(r[0] for r in rows)

    given = list(w.T) + [w[:, 1]]
    with by_identity():
        found = tl.grad(gram)(given, list(w))
    np.testing.assert_allclose(found, 2.0 * 12.0 * np.array(given))


# What is written to ---------------------------------------------------------------------------
def changes(p, x):
    p["a"] -= x
    return np.sum(p["a"] * p["b"])


def changes_a_copy(p, x):
    q = copy.deepcopy(p)
    q["a"] -= x
    return np.sum(q["a"] * q["b"])


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("function", [changes, changes_a_copy])
def test_one_array_that_is_written_to(function, forced):
    w = np.array([1.0, 2.0, 3.0])
    with by_identity() if forced else contextlib.nullcontext():
        with pytest.raises(tl.AliasError):
            tl.grad(function)({"a": w, "b": w}, X)
        apart = tl.grad(function)({"a": w, "b": w.copy()}, X)
        np.testing.assert_allclose(apart["b"], w - X)
        # It is not asked for, and stays one array.
        value, slope = tl.value_and_grad(function, wrt=1)({"a": w, "b": w}, X)
    assert value == np.sum((w - X) * (w - X))
    np.testing.assert_allclose(slope, -2.0 * (w - X))


class Grid:
    def __init__(self, n, rate):
        self.u = np.zeros(n)
        self.inner = self.u[1:-1]
        self.rate = rate

    def step(self):
        self.u[0] = 1.0
        self.inner[:] = self.inner + self.rate * (self.u[:-2] - 2.0 * self.inner + self.u[2:])

    def total(self):
        return np.sum(self.u)


def steps(grid, *rest):
    grid.u[2] = 1.0
    for _ in range(3):
        grid.step()
    return grid.total()


def test_a_view_of_what_is_not_asked_for():
    def at(rate):
        return steps(Grid(5, np.array([rate, rate, rate])))

    given = Grid(5, np.array([0.3, 0.3, 0.3]))
    slope = tl.grad(steps, wrt="grid.rate")(given)
    assert math.isclose(np.sum(slope), (at(0.3 + 1e-6) - at(0.3 - 1e-6)) / 2e-6, rel_tol=1e-6)


def test_an_attribute_that_is_asked_for_and_the_same_array_beside_it():
    def f(p, *rest):
        names = [p.a, p.b]
        same = names
        same[0] = same[0] * 2.0
        return np.sum(names[0]) + np.sum(names[1] ** 2)

    w = np.array([1.0, 2.0])
    np.testing.assert_allclose(tl.grad(f, wrt="p.a")(as_object(w, w)), [2.0, 2.0])
    np.testing.assert_allclose(tl.grad(f, wrt="p.b")(as_object(w, w)), 2.0 * w)
    value, slope = tl.jvp(f, (as_object(w, w),), (as_object(np.ones(2), np.zeros(2)),))
    assert value == f(as_object(w, w))
    assert slope == 4.0


# What the function asks of identity -----------------------------------------------------------
def asks_is(p, x):
    if p["a"] is p["b"]:
        return np.sum(p["a"] * x)
    return np.sum(p["a"]) * np.sum(p["b"])


def asks_is_not(p, x):
    return np.sum(p["a"] * x) if p["a"] is not p["b"] else 2.0 * np.sum(p["b"])


def each_once(p, x):
    seen, total = set(), 0.0
    for w in p.values():
        if id(w) in seen:
            continue
        seen.add(id(w))
        total = total + np.sum(w ** 2 * x)
    return total


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("function", [asks_is, asks_is_not, each_once])
def test_the_value_is_that_of_the_function(function, forced):
    w = np.array([1.0, 2.0, 3.0])
    with by_identity() if forced else contextlib.nullcontext():
        for b in (w, w.copy()):
            value, slopes = tl.value_and_grad(function)({"a": w, "b": b}, X)
            assert value == function({"a": w, "b": b}, X)
            if b is w:
                assert np.any(slopes["a"] != slopes["b"])


def test_whether_memory_is_shared_is_refused_where_copies_do_not_tell():
    def f(p, x):
        return np.sum(p["a"] * x) if np.shares_memory(p["a"], p["b"]) else np.sum(p["b"])

    w = np.array([1.0, 2.0, 3.0])
    with by_identity(), pytest.raises(tl.UnsupportedSyntaxError, match="share memory"):
        tl.grad(f)({"a": w, "b": w}, X)


# Containers -----------------------------------------------------------------------------------
def test_a_dict_at_two_places_stays_one():
    def f(p, *rest):
        p["x"]["w"] = p["x"]["w"] * 2.0
        return np.sum(p["y"]["w"] ** 2)

    w = np.array([1.0, 2.0])
    one = {"w": w}
    found = tl.grad(f)({"x": one, "y": one})
    for name in "xy":
        np.testing.assert_allclose(found[name]["w"], 8.0 * w)


def test_what_changes_before_a_pullback_is_called():
    def f(p, *rest):
        return np.sum(p["a"] ** 2) + np.sum(p["b"][0] ** 3)

    p = {"a": np.ones(2), "b": [np.ones(2)]}
    with by_identity():
        _, pullback = tl.vjp(f, p)
    p["a"], p["b"][0] = np.zeros(2), np.zeros(2)
    p["c"] = 1.0
    found = pullback(1.0)[0]
    np.testing.assert_array_equal(found["a"], [2.0, 2.0])
    np.testing.assert_array_equal(found["b"], [[3.0, 3.0]])


# Derivatives inside ---------------------------------------------------------------------------
def captured(v):
    p = {"a": v, "b": v}

    def inner(y):
        return y ** 2 * np.sum(p["a"] ** 2) + y * np.sum(p["b"] ** 3)
    return tl.grad(inner)(2.0)


def captured_broadcast(v):
    rows = np.broadcast_to(v, (3, 2))

    def inner(y):
        return y ** 2 * np.sum(rows ** 2)
    return tl.grad(inner)(2.0)


def of_an_argument(v):
    def inner(p):
        return np.sum(p[0] ** 3) + np.sum(p[1] ** 2 * p[0])
    g = tl.grad(inner)([v, v])
    return np.sum(g[0] * v) + np.sum(g[1])


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("function", [captured, captured_broadcast, of_an_argument])
def test_derivatives_inside(function, forced):
    v = np.array([1.0, 2.0])
    expected = [(function(v + h) - function(v - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    with by_identity() if forced else contextlib.nullcontext():
        assert np.isclose(function(v), function(v))
        np.testing.assert_allclose(tl.grad(function)(v), expected, rtol=1e-6)
        np.testing.assert_allclose(tl.jvp(function, (v,), (np.ones(2),))[1], np.sum(expected),
                                   rtol=1e-6)
