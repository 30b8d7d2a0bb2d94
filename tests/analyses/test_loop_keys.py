"""Dicts that loops over the keys of others fill: which keys these have."""
import numpy as np
import pytest

import tangent_lite as tl


def total(p):
    s = 0.0
    for i, k in enumerate(p): s = s + (i + 1) * np.sum(p[k] ** 2)
    return s


def beside_what_is_there(params, n):
    p = params
    for i in range(n):
        new = {"b": p["b"] * 2.0}
        for k in p:
            new[k] = p[k] * 0.9
        p = new
    return total(p)


def looked_at_meanwhile(params, n):
    p = params
    s = 0.0
    for i in range(n):
        new = {}
        for k in p:
            new[k] = p[k] * 0.9
            s = s + len(new) * np.sum(new[k])
            if "b" in new: s = s + 1.7 * np.sum(p["b"])
        p = new
    return total(p) + s


def under_another_name(params, n):
    p = params
    for i in range(n):
        new = {}
        other = new
        for k in p:
            new[k] = p[k] * 0.9
        p = other
    return total(p)


def in_a_loop_inside(params, n):
    p = params
    for i in range(n):
        new = {}
        for k in p:
            for j in p:
                new[k] = p[k] * 0.9 + np.sum(p[j])
            if len(new) == 1:
                new[k] = new[k] * 3.0
        p = new
    return total(p)


def left_early(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            if k == "b": break
            new[k] = v * 0.9
        p = {**p, **new}
    return total(p)


def by_a_copy_of_the_key(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            k2 = k
            new[k2] = v * 0.9
        p = new
    return total(p)


def by_other_keys(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            k = k + "_" if i == 0 else k
            new[k] = v * 0.9
        p = new
    return total(p)


def one_taken_out(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            new[k] = v * 0.9
        del new["b"]
        new["b"] = p["b"]
        p = new
    return total(p)


def in_order(params, n):
    p = params
    for i in range(n):
        new = {}
        for k in sorted(p):
            new[k] = p[k] * 0.9
        p = new
    return total(p)


def held_by_another(params, n):
    p = params
    holder = {}
    for i in range(n):
        new = {}
        holder["x"] = new
        for k in p:
            new[k] = p[k] * 0.9
        p = holder["x"]
    return total(p)


def filled_again(params, n):
    p = params
    new = {}
    for i in range(n):
        for k in p:
            new[k] = p[k] * 0.9 + (np.sum(new[k]) if k in new else 0.0)
    return total(new) if n else total(p)


def one_more_at_times(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            new[k] = v * 0.9
            if k == "W":
                new["extra"] = np.sum(v)
        p = {k: new[k] for k in params}
        p["b"] = p["b"] + new["extra"]
    return total(p)


def put_twice(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            new[k] = v * 0.9
            new[k] = new[k] + v ** 2
        p = new
    return total(p)


def changed_behind(params, n):
    p = params
    for i in range(n):
        new = {}
        for k, v in p.items():
            new[k] = v
        for k in new:
            new[k] = new[k] * 2.0
        p, old = new, p
        p["b"] = old["b"] * 3.0
    return total(p)


def nothing_at_first(params, n):
    p = {}
    for i in range(n):
        new = {}
        for k, v in p.items():
            new[k] = v * 0.9
        new["k"] = params["b"] * (i + 1)
        p = new
    return total(p) + total(params)


def in_a_loop_over_another(params, n):
    q = {"b": 1.0, "W": 2.0, "c": 3.0}
    p = params
    for i in range(n):
        new = {}
        for k in q:
            for j in p:
                new[j] = p[j] * q[k]
                if len(new) == 2: new[j] = new[j] * 2
        p = new
    return total(p)


def the_other_is_bound_anew(params, n):
    p = params
    for i in range(n):
        new = {}
        for k in p:
            p = {"W": p[k], "b": p[k], "c": p[k]}
            new[k] = p[k] * 0.9
        p = new
    return np.sum(p["W"])+ np.sum(p["b"])**2 + np.sum(p["c"])


def put(new, k, v):
            new[k] = v


def by_a_helper(params, n):
    p = params
    for i in range(n):
        new = {}
        for k in p: put(new, k, p[k] * 0.9)
        p = new
    return total(p)


def changed_as_it_is_kept(params, n):
    p = params
    for i in range(n):
        new = {}
        for k in p:
            new[k] = p[k] * 0.9
        p = new
        new["b"] = new["b"] * 2.0
    return total(p)


def while_it_lasts(params, n):
    p = params
    while n > 0:
        new = dict()
        for k in p.keys():
            new[k] = p[k] * 0.9
        p = new
        n -= 1
    return total(p)


def kept_in_a_list(params, n):
    hist = []
    p = params
    for i in range(n):
        new = {}
        for k in p:
            new[k] = p[k] * 0.9
        hist.append(new)
        p = new
    return total(p) + sum(np.sum(h["b"]) for h in hist)


NAMED = [filled_again, put_twice, changed_behind, the_other_is_bound_anew, by_a_helper,
         changed_as_it_is_kept, while_it_lasts, kept_in_a_list]
PROGRAMS = [beside_what_is_there, looked_at_meanwhile, under_another_name, in_a_loop_inside,
            left_early, by_a_copy_of_the_key, by_other_keys, one_taken_out, in_order,
            held_by_another, one_more_at_times, nothing_at_first,
            in_a_loop_over_another]


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("f", [*NAMED, *PROGRAMS])
def test_dicts_that_loops_fill(f, steps):
    p = {"W": np.array([[1.0, 2.0], [3.0, 4.0]]) / 3.0, "b": np.array([0.3, 0.7]), "c": 0.4}
    tl.check_grads(lambda p: f(p, steps), (p,), order=1)
    assert tl.value_and_grad(f)(p, steps)[0] == f(p, steps)
    if f in NAMED:
        assert "tape.call" not in tl.grad(f).source_for(p, steps)
