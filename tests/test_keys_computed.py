"""Dicts of which it is known what they hold, read by keys that are computed: by names, held to the
other strategy and to differences."""
import copy
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.explain import as_text, explain
from tangent_lite.lint import lint
from tests.heap.forced import by_identity, by_names
from tests.held_to_both import X, is_by_names, is_right


# Made in the function -------------------------------------------------------------------------
def by_letters(x):
    d = {"a": x[0], "b": x[1] * x[0], "c": 2.0}
    t = 0.0
    for i in range(len(x)):
        t = t * 0.5 + d["abc"[i % 3]] ** 2 * x[i]
    return t


def by_whole_numbers(x):
    d = {0: x[0], 1: x[1], 2: x[2]}
    t = 0.0
    for i in range(6):
        t = t * 0.5 + d[i % 3] * d[(i + 1) % 3]
    return t


def by_tuples(x):
    d = {(0, 0): x[0], (0, 1): x[1], (1, 0): x[2], (1, 1): x[3]}
    t = 0.0
    for i in range(2):
        for j in range(2):
            t = t * 0.5 + d[i, j] * d[j, i] * d[(1 - i, j)]
    return t


def layers(x):
    p = {"W0": np.outer(x[:2], x[2:4]), "b0": x[:2] * 2,
         "W1": np.outer(x[3:5], x[:2]), "b1": x[4:6]}
    h = x[2:4]
    for i in range(2):
        h = np.tanh(p[f"W{i}"] @ h + p["b" + str(i)])
    return np.sum(h * h)


def changed_beside(x):
    d = {"a": x[0], "b": x[1]}
    d["a"] = d["b"] * x[2]
    t = 0.0
    for i in range(4):
        t += d["ab"[i % 2]] * x[i]
        d["b"] = t * x[2]
    d["c"] = t
    return t + d["b"] * d["c"]


def read_between_changes(x):
    d = {"a": x[0], "b": x[1]}
    k = "a" if x[0] > 0 else "b"
    y = d[k]
    d["a"] = y * x[2]
    z = d[k]
    d["b"] = z * z
    return d[k] * y * z + d["b"]


def asked_first(x):
    d = {"a": x[0], "b": x[1]}
    t = 0.0
    for i in range(5):
        k = "abc"[i % 3]
        if k in d:
            t += d[k] * x[i]
        t += d.get(k, x[3]) * x[2]
    return t


def never_read(x):
    d = {"a": x[0], "b": x[1]}
    t = x[2]
    for i in range(len(x) - 7):
        t += d["ab"[i % 2]] * x[i]
    return t * x[1]


def look(p, k, h):
    return p[k] * h + p["b"]


def in_a_helper(x):
    d = {"a": x[0], "b": x[1]}
    t = x[2]
    for i in range(4):
        t = look(d, "ab"[i % 2], t)
    return t


def again(p, n, h):
    return h if n == 0 else again(p, n - 1, h * p["ab"[n % 2]]) + p["a"]


def in_a_recursive_helper(x):
    return again({"a": x[0], "b": x[1]}, 4, x[2])


def of_tuples(x):
    d = {"l0": (x[:3], x[0]), "l1": (x[3:6], x[1])}
    t = 0.0
    for i in range(4):
        w, b = d[f"l{i % 2}"]
        t = t * 0.5 + np.sum(w * w) * b
    return t


def of_dicts(x):
    d = {"l0": {"W": x[:3], "b": x[0]}, "l1": {"W": x[3:6], "b": x[1]}}
    t = 0.0
    for n in ["l0", "l1"]:
        q = d[n]
        t = t + np.sum(q["W"] ** 2) * q["b"]
        for m in ["W", "b"]:
            t = t * 0.5 + np.sum(d[n][m] ** 2)
    return t


def one_array_twice(x):
    d = {"a": x, "b": x}
    t = 0.0
    for i in range(4):
        t += np.sum(d["ab"[i % 2]] ** (i + 1))
    return t


class Net:
    def __init__(self, p):
        self.p = p

    def run(self, h):
        for i in range(2):
            h = np.tanh(self.p[f"W{i}"] * h + self.p[f"b{i}"])
        return h


def in_an_object(x):
    net = Net({"W0": x[:2], "b0": x[2], "W1": x[3:5], "b1": x[5]})
    return np.sum(net.run(x[1:3]))


def updated(x):
    d = {"a": x[0], "b": x[1], "c": x[2] * x[1]}
    g = {k: d[k] * x[3] for k in d}
    for _ in range(3):
        for n in ["a", "b", "c"][:len(x) - 4]:
            d[n] = d[n] - 0.1 * g[n]
    return d["a"] * d["b"] + d["c"]


def one_a_step(x):
    t = 0.0
    for i in range(4):
        d = {"a": x[i] * i, "b": x[0] * x[i]}
        for k in ["a", "b"][i % 2:]:
            t = t * 0.9 + d[k] ** 2
    return t


def other_keys(x):
    d = {"a": x[0], "b": x[1]} if x[0] > 0 else {"a": x[2], "c": x[1]}
    t = 0.0
    for i in range(3):
        t += d["aaa"[i]] * x[i]
    return t


def beside_what_cannot_vary(x):
    d = {"a": x[0], "b": x[1], "n": 3, "name": "foo"}
    t = 0.0
    for k in ["a", "b", "a"][:len(x) - 4]:
        t = t * d["n"] + d[k] ** 2
    return t


def between_two_texts(x):
    d = {"w_in_0": x[:3], "w_out_0": x[3:6], "b_in_0": x[0]}
    t = 0.0
    for part in ["in", "out", "in"][:len(x) - 4]:
        w = d["w_%s_%d" % (part, 0)]
        t = t * 0.5 + w[0] * w[1] * d["b_{}_{}".format("in", 0)]
    return t


def until_it_is_large(x):
    d = {"a": x[0], "b": x[1]}
    t, i = 0.0, 0
    while i < 5:
        k = "ab"[i % 2]
        t = t * 0.7 + math.sin(d[k]) * math.exp(d[k])
        i += 1
        if t > 3.0:
            break
    return t


def captured(x):
    d = {"a": x[0], "b": x[1]}

    def at(k):
        return d[k] * x[2]
    return at("ab"[int(x[0] > 0)]) + at("a")


def a_number_or_an_array(x):
    d = {"x": x, "n": x[0]}
    t = 0.0
    for k in ["x", "n"][:len(x) - 4]:
        t = t + np.sum(d[k]) * 2 * t + np.sum(d[k])
    return t


BY_NAMES = [by_letters, by_whole_numbers, by_tuples, layers, changed_beside, read_between_changes,
            asked_first, never_read, in_a_helper, in_a_recursive_helper, of_tuples, of_dicts,
            one_array_twice, in_an_object, updated, one_a_step, other_keys,
            beside_what_cannot_vary, between_two_texts, until_it_is_large, captured,
            a_number_or_an_array]


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names_and_right(function):
    is_right(function)
    is_by_names(function)


@pytest.mark.parametrize("function", BY_NAMES[::3])
def test_second_orders(function):
    direction = np.cos(X)
    quotient = (tl.grad(function)(X + 1e-6 * direction)
                - tl.grad(function)(X - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose(tl.hvp(function)(X, direction), quotient, rtol=1e-5, atol=1e-7)


# What is written into its items, or has a second name: by identity -----------------------------
def items_written_to(x):
    d = {"a": x * 1.0, "b": x * 2.0}
    for k in ["a", "b", "a"] * 2:
        w = d[k]
        w[0] = w[1] * w[2]
        w[1] *= w[3]
        d[k] += x[0]
    return np.sum(d["a"] * d["b"])


def a_second_name(x):
    d = {"a": x[0], "b": x[1]}
    e = d
    t = 0.0
    for i in range(4):
        t += d["ab"[i % 2]] * x[i]
        e["a"] = t * x[2]
    return t + d["b"]


def lists_in_it(x):
    d = {"a": [x[0], x[1]], "b": [x[2], x[3]]}
    t = 0.0
    for i in range(4):
        one = d["ab"[i % 2]]
        one[0] = one[1] * x[i]
        t += one[0]
    return t + d["a"][0] * d["b"][1]


@pytest.mark.parametrize("function", [items_written_to, a_second_name, lists_in_it])
def test_right_all_the_same(function):
    is_right(function)


# Given -----------------------------------------------------------------------------------------
def network(p, x):
    for i in range(2):
        x = np.tanh(p[f"W{i}"] @ x + p["b%d" % i])
    return np.sum(x * x)


def weights(dtype="float64"):
    return {"W0": np.array([[0.3, -0.2], [0.5, 0.1]], dtype), "b0": np.array([0.1, 0.2], dtype),
            "W1": np.array([[0.2, 0.4], [-0.3, 0.6]], dtype), "b1": np.array([-0.1, 0.3], dtype),
            "unused": np.array([1.0, 2.0, 3.0], dtype)}


def chosen(p, names, y):
    t = 0.0
    for k in names:
        t = t * 0.5 + p[k] * p[k] * y
    return t


def nested(p, n):
    t = 1.0
    for i in range(n):
        q = p[f"l{i % 2}"]
        t = np.tanh(t * q["w"] + q["b"])
    return np.sum(t)


def of_pairs(p, n):
    t = 1.0
    for i in range(n):
        w, b = p[f"l{i % 2}"]
        t = np.tanh(t * w + b)
    return np.sum(t)


def one_read(p, key, y):
    return np.sum(p[key]) * y


def in_order(p, x):
    for k in sorted(p):
        x = p[k] @ x if k.startswith("W") else np.tanh(x + p[k])
    return np.sum(x)


def with_penalty(p, x, weight):
    penalty = 0.0
    for i in range(2):
        penalty += np.sum(p[f"W{i}"] ** 2)
    return network(p, x) + weight * penalty


def some(names=("W0", "b0", "W1", "b1")):
    return {name: weights()[name] for name in names}


V = np.array([0.7, -0.4])
GIVEN = [
    (network, (weights(), V)),
    (network, ({**weights(), "act": "tanh", "n": 2, "none": None, "t": (1.0, V)}, V)),
    (chosen, ({"a": 1.5, "b": 2.0, "c": 0.3}, ["a", "c", "a"], 0.7)),
    (chosen, ({"a": 1.5, "b": 2.0, "c": 0.3}, [], 0.7)),
    (chosen, ({"a": np.float64(1.5), "b": 2.0, "c": np.array(0.3)}, ["a", "b", "a", "c"], 0.7)),
    (chosen, ({"a": 1.5, "n": 2, "c": 0.3}, ["a", "n", "c"], 0.7)),
    (nested, ({"l0": {"w": V, "b": 0.3}, "l1": {"w": 2 * V, "b": 0.1}}, 3)),
    (nested, ({"l0": {"w": V, "b": 0.3}, "l1": {"w": np.outer(V, V), "b": 0.1}}, 3)),
    (of_pairs, ({"l0": (V, 0.3), "l1": (2 * V, 0.1)}, 3)),
    (of_pairs, ({"l0": [V, 0.3], "l1": [2 * V, 0.1]}, 3)),
    (one_read, ({"a": V, "b": np.outer(V, V)}, "b", 0.7)),
    (one_read, ({"a": np.zeros((0, 2)), "b": np.ones((1, 1))}, "a", 0.7)),
    (in_order, (some(), V)),
    (with_penalty, (weights(), V, 0.1)),
]


def moved(tree, by):
    """The structure with `by * cos` added to all that varies."""
    if isinstance(tree, dict):
        return {k: moved(v, by) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(moved(v, by) for v in tree)
    if isinstance(tree, np.ndarray):
        return tree + by * np.cos(np.arange(tree.size) + 1.0).reshape(tree.shape)
    return tree + by * math.cos(1.0) if isinstance(tree, float) else tree


def along(tree):
    """The direction in which `moved` moves; None for what does not vary."""
    if isinstance(tree, dict):
        return {k: along(v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)(along(v) for v in tree)
    if isinstance(tree, np.ndarray):
        return moved(np.zeros(tree.shape), 1.0)
    return math.cos(1.0) if isinstance(tree, float) else None


def product(gradient, tree):
    """The sum of the products with that direction."""
    if isinstance(tree, dict):
        assert list(gradient) == list(tree)
        return sum(product(gradient[k], tree[k]) for k in tree)
    if isinstance(tree, (list, tuple)):
        assert type(gradient) is type(tree) and len(gradient) == len(tree)
        return sum(map(product, gradient, tree))
    if isinstance(tree, (np.ndarray, float)):
        assert type(gradient) is type(tree) and np.shape(gradient) == np.shape(tree)
        return float(np.sum(gradient * along(tree)))
    assert gradient is None
    return 0.0


@pytest.mark.parametrize("function,args", GIVEN)
def test_given(function, args):
    before = copy.deepcopy(args)
    with by_names():
        slope = product(tl.grad(function)(*args), args[0])
        value, pullback = tl.vjp(function, *args)
        for _ in range(2):
            assert math.isclose(product(pullback(1.0)[0], args[0]), slope, rel_tol=1e-12)
    with by_identity():
        assert math.isclose(product(tl.grad(function)(*args), args[0]), slope, rel_tol=1e-10)
    np.testing.assert_equal(args, before)
    quotient = (function(moved(args[0], 1e-6), *args[1:])
                - function(moved(args[0], -1e-6), *args[1:])) / 2e-6
    assert math.isclose(slope, quotient, rel_tol=1e-6, abs_tol=1e-9) and value == function(*args)
    rest = [0.0 * a if isinstance(a, (float, np.ndarray)) else None for a in args[1:]]
    assert math.isclose(tl.jvp(function, args, (along(args[0]), *rest))[1], slope, rel_tol=1e-10,
                        abs_tol=1e-12)


def test_precision_is_kept():
    gradient = tl.grad(network)(weights("float32"), V.astype("float32"))
    assert {g.dtype for g in gradient.values()} == {np.dtype("float32")}
    expected = tl.grad(network)(weights(), V)
    for name, part in gradient.items():
        np.testing.assert_allclose(part, expected[name], rtol=1e-4, atol=1e-6)


def test_complex_weights():
    def size(p, x):
        for i in range(2):
            x = np.sin(p[f"W{i}"] @ x + p[f"b{i}"])
        return np.sum(np.abs(x) ** 2)

    p = {name: part + 0.1j * part for name, part in weights().items()}
    with by_names():
        gradient = tl.grad(size)(p, V + 0j)
    with by_identity():
        expected = tl.grad(size)(p, V + 0j)
    for name in p:
        np.testing.assert_allclose(gradient[name], expected[name], rtol=1e-10)


def test_a_key_that_is_not_there():
    with pytest.raises(KeyError, match="z"):
        tl.grad(chosen)({"a": 1.5}, ["a", "z"], 0.7)


def test_what_may_be_read_tells_the_rank():
    """Keys that begin with W are matrices, so their adjoints are products of vectors."""
    source = tl.grad(network).source_for(weights(), V)
    assert 'x = np.tanh(p[f"W{i}"] @ x + p["b%d" % i])' in source
    assert "bp[key] += bt[:, None] * x" in source and "bx = bt @ p[key]" in source
    assert "unbroadcast" not in source and "key_tape" not in source


def annotated(x: float, n: int):
    d = {"a": x, "b": x * x}
    t = 0.0
    for i in range(n):
        t += d["ab"[i % 2]]
    return t


def test_what_explains_and_warns_looks_once_more_too():
    assert lint(annotated) == []
    told = as_text(explain(tl.grad(annotated), None))
    assert 'bd["ab"[i % 2]] += bt' in told and "by identity" not in told
