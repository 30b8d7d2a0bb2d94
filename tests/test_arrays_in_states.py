"""States whose parts are arrays, bound anew in loops: each part has a name of its own in the
derivative, whatever else is done with them."""
import numpy as np
import pytest

import tangent_lite as tl


class S:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def step(self, h):
        self.a = self.a + h * self.b
        self.b = self.b - h * self.a


class SS:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def parts_that_are_one_array(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    for i in range(n):
        s["a"] = s["b"]
        s["a"][0] = s["a"][0] * 0.5
        s["b"] = s["b"] + s["a"]
    return np.sum(s["a"] * s["b"])


def in_place_and_anew(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    for i in range(n):
        s["a"] += 0.1 * s["b"]
        s["b"] = s["b"] * s["a"]
        s["b"] -= 0.1
    return np.sum(s["a"] * s["b"])


def two_names(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    t = s
    for i in range(n):
        s["a"] = s["a"] + 0.1 * t["b"]
        t["b"] = t["b"] * s["a"]
    return np.sum(t["a"] * s["b"])


def kept_in_a_list(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    kept = []
    for i in range(n):
        s["a"] = s["a"] + 0.1 * s["b"]
        kept.append(dict(s))
        s["b"] = s["b"] * 0.9
    return sum(np.sum(k["a"] * k["b"]) for k in kept)


def a_part_changed_behind(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    for i in range(n):
        a = s["a"]
        s["a"] = s["a"] + 0.1 * s["b"]
        a[0] = 3.0 * a[1]
        s["b"] = s["b"] * a
    return np.sum(s["a"] * s["b"])


def a_key_in_one_branch(x, n):
    s = {"a": x * 1.0, "b": x * 2.0}
    for i in range(n):
        if i % 2:
            s["c"] = s["a"] * 2.0
        s["a"] = s["a"] + 0.1 * s["b"]
    return np.sum(s["a"] * s.get("c", 1.0))


def by_a_method(x, n):
    s = S(x * 1.0, x * 2.0)
    for i in range(n):
        s.step(0.1)
    return np.sum(s.a * s.b)


def with_slots(x, n):
    s = SS(x * 1.0, x * 2.0)
    for i in range(n):
        s.a, s.b = s.b, s.a * 0.5
        s.b = s.b + s.a[0]
    return np.sum(s.a * s.b)


def the_argument_itself(x, n):
    s = {"a": x, "b": x * 2.0}
    for i in range(n):
        s["a"] = s["a"] * 1.1
        s["a"][0] += s["b"][0]
    return np.sum(s["a"] * s["b"])


def the_argument_twice(x, n):
    s = {"a": x, "b": x}
    for i in range(n):
        s["b"] = s["b"] * 1.1
        s["b"] += s["a"]
    return np.sum(s["a"] * s["b"])


def while_it_counts(x, n):
    s = {"a": x.copy(), "n": 0}
    while s["n"] < n:
        s["a"] = np.sin(s["a"])
        s["n"] = s["n"] + 1
        if s["a"][0] < 0.1:
            break
    return np.sum(s["a"]) * s["n"]


def an_older_copy(x, n):
    s = {"a": x.copy()}
    for i in range(n):
        old = dict(s)
        s["a"] = s["a"] * old["a"]
        old["a"][0] = 7.0
    return np.sum(s["a"])


def sizes_that_change(x, n):
    s = {"a": x.copy(), "b": x[:2]}
    for i in range(n):
        s["a"] = np.concatenate([s["a"], s["b"]])
        s["b"] = s["a"][1:3]
    return np.sum(s["a"] ** 2)


def rows_of_a_part(x, n):
    s = {"a": x.copy(), "b": np.zeros((n + 1, 3))}
    for i in range(n):
        s["b"][i] = s["a"]
        s["a"] = s["a"] * 0.9 + s["b"][i - 1]
    return np.sum(s["a"] ** 2) + np.sum(s["b"])


def by_a_function_inside(x, n):
    s = {"a": x.copy()}
    def bump(d):
        d["a"] = d["a"] * 1.5
    for i in range(n):
        bump(s)
        s["a"] = s["a"] + 0.1
    return np.sum(s["a"] ** 2)


def symplectic(x, n):
    state = {"pos": np.array([0.0, 1.0]), "vel": np.array([x, 0.5])}
    for i in range(n):
        state["pos"] = state["pos"] + 0.1 * state["vel"]
        state["vel"] = state["vel"] - 0.1 * state["pos"] * x
    return np.sum(state["pos"] ** 2)


X = np.array([0.7, -0.4, 1.2])
PROGRAMS = [
    parts_that_are_one_array, in_place_and_anew, two_names, kept_in_a_list,
    a_part_changed_behind, a_key_in_one_branch, by_a_method, with_slots, the_argument_itself,
    the_argument_twice, while_it_counts, an_older_copy, sizes_that_change, rows_of_a_part,
    by_a_function_inside]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(function, n):
    tl.check_grads(lambda x: function(x.copy(), n), (X,), order=1)
    value, gradient = tl.value_and_grad(function)(X.copy(), n)
    assert value == function(X.copy(), n)
    step = 1e-6 * np.eye(3)
    slopes = [(function(X + e, n) - function(X - e, n)) / 2e-6 for e in step]
    assert gradient == pytest.approx(np.array(slopes), rel=1e-5, abs=1e-6)


def test_parts_have_names():
    derivative = tl.grad(symplectic)
    found = derivative(0.7, 4)
    made = derivative._latest.text
    assert "state_pos = state_pos + 0.1 * state_vel" in made and "{**" not in made
    assert found == pytest.approx((symplectic(0.7 + 1e-6, 4) - symplectic(0.7 - 1e-6, 4)) / 2e-6)


def test_compiled():
    """As numbers, where arrays are small."""
    pytest.importorskip("numba")
    for args in ((0.7, 4), (0.7, 0)):
        found = tl.grad(symplectic, backend="numba")(*args)
        assert found == pytest.approx(tl.grad(symplectic)(*args), rel=1e-12)
