"""Tests of keys in loops over dicts, which are written out: which texts are known by then."""
import numpy as np
import pytest

import tangent_lite as tl


def set_mode(d, k):
    d["mode"] = k


def one_that_a_helper_changes(p):
    d = {"mode": "b1"}
    s = 0.0
    for k in p:
        if d["mode"] == k:
            s = s + np.sum(p[k]) ** 2
        set_mode(d, "c")
    return s


def one_that_a_helper_changed(p):
    d = {"mode": "b1"}
    s = 0.0
    for k in p:
        set_mode(d, k)
        m = d["mode"]
        if m == "c":
            s = s + np.sum(p[k]) ** 2
        if m.startswith("W"):
            s = s + 3 * np.sum(p[k]) ** 2
    return s


def the_one_before(p):
    s = 0.0
    last = "none"
    for k, v in p.items():
        if last.startswith("W") or (k.endswith("1") and "b" in k):
            s = s + np.sum(v) ** 3
        last = k
    return s


def one_that_a_function_binds(p):
    s = 0.0
    name = "x"

    def note(k):
        nonlocal name
        name = k

    for k, v in p.items():
        if name == "W1":
            s = s + np.sum(v) ** 2
        note(k)
        if name == "W1":
            s = s + np.sum(v) ** 3
    return s


def sorted_out(p):
    out, rest = {}, {}
    for k, v in p.items():
        if k in ("W1", "c"):
            out[k] = v * 2
        elif not k.startswith("b"):
            rest[k] = v
        else:
            rest[k + "_"] = v ** 2
    return sum(np.sum(v) for v in out.values()) + sum(np.sum(v) ** 2 for v in rest.values())


def beside_other_tests(p):
    s = 0.0
    for k, v in p.items():
        if k == "b1" and np.sum(v) > 0.5:
            s = s + np.sum(v) ** 2
        elif k != "c" or s > 100:
            s = s + np.sum(v)
    return s


def among_names_that_grow(p):
    s = 0.0
    names = ["b1", "c"]
    for k, v in p.items():
        if k in names:
            s = s + np.sum(v) ** 2
        names.append("W1")
    for k, v in p.items():
        if k in names:
            s = s + np.sum(v) ** 2
    return s


def parts_of_a_list_that_changes(p):
    pairs = [("W1", 1.0), ("b1", 2.0)]
    s = 0.0
    for k, c in pairs:
        if k == "W1":
            s = s + c * np.sum(p[k])
        pairs[1] = ("c", 5.0)
    return s + sum(c * np.sum(p[k]) for k, c in pairs)


def bound_in_a_branch(p):
    s = 0.0
    k = "W1"
    for k2 in p:
        if k == "W1":
            s = s + np.sum(p[k2]) ** 2
        if k2 == "b1":
            k = "z"
    return s


def of_two_loops(p):
    s = 0.0
    for k in p:
        for j in p:
            if k == j:
                continue
            if k < j:
                s = s + np.sum(p[k]) * np.sum(p[j])
    return s


def some_left_out(p):
    out = {}
    for k, v in p.items():
        if k.startswith("b"):
            continue
        out[k] = v * 0.9
    return sum(np.sum(v) for v in out.values())


@pytest.mark.parametrize("f", [
    some_left_out, one_that_a_helper_changes, one_that_a_helper_changed, the_one_before,
    one_that_a_function_binds, sorted_out, beside_other_tests, among_names_that_grow,
    parts_of_a_list_that_changes, bound_in_a_branch, of_two_loops])
def test_tests_of_keys(f):
    p = {"W1": np.array([[1.0, 2.0], [3.0, 4.0]]) / 3.0, "b1": np.array([0.3, 0.7]), "c": 0.4}
    tl.check_grads(f, (p,), order=1)
    assert tl.value_and_grad(f)(p)[0] == f(p)
    assert "tape.call" not in tl.grad(f).source_for(p) or f is sorted_out
