"""Arrays with a second name that are written to and then kept: in a tuple, a dict, an object, in
sums and multiples of lists. What a program computes is compared with central differences, and its
value with the program's own."""
import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

from tangent_lite import grad, jvp, value_and_grad

X = np.array([0.1, 0.2, 0.3])


class Named(NamedTuple):
    v: np.ndarray
    s: float


@dataclasses.dataclass
class Held:
    v: np.ndarray
    s: float


# Written, and kept --------------------------------------------------------------------------------
def pair_kept(v):
    v *= 2.0
    return v, np.sum(v)


def named_kept(v):
    v *= 2.0
    return Named(v, np.sum(v))


def object_kept(v):
    v *= 2.0
    return Held(v, np.sum(v))


def nested_kept(v):
    v[0] = 1.0
    return {"v": {"w": v}, "s": np.sum(v * v)}


def views_kept(v):
    w = v[1:]
    w *= 2.0
    return v, v[::-1]


def view_in_tuple(x):
    v = x[::-1]
    v[2] = 1.0
    d = (v,)
    return np.sum(d[0])


def view_beside_a_number(x):
    v = x[::-1]
    v[2] = 1.0
    d = (v, 2.0)
    return np.sum(d[0]) * d[1]


def second_name_in_tuple(x):
    w = np.sin(x)
    v = w
    v *= 2.0
    d = (v, np.sum(v))
    return np.sum(d[0]) * d[1]


def tuple_of_helper(x):
    d = pair_kept(np.sin(x))
    return np.sum(d[0]) * d[1]


def tuple_of_parameter(x):
    d = pair_kept(x)
    return np.sum(d[0]) * d[1] + np.sum(x)


def named_of_helper(x):
    d = named_kept(np.sin(x))
    return np.sum(d.v) * d.s


def object_of_helper(x):
    d = object_kept(np.sin(x))
    return np.sum(d.v) * d.s


def dicts_of_helper(x):
    d = nested_kept(np.sin(x))
    return np.sum(d["v"]["w"]) * d["s"]


def views_of_helper(x):
    d = views_kept(np.sin(x))
    return np.sum(d[0] * d[1])


def object_renamed(x):
    v = np.sin(x)
    v *= 2.0
    e = Held(v, np.sum(v))
    d = e
    return np.sum(d.v) * d.s


def tuple_renamed(x):
    v = np.sin(x)
    v *= 2.0
    e = (v, np.sum(v))
    d = e
    return np.sum(d[0]) * d[1]


def renamed_and_written(x):
    v = np.sin(x)
    e = Held(v, 2.0)
    d = e
    v *= 2.0
    return np.sum(d.v) * d.s


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        w = np.sin(x) * k
        v = w[::-1]
        v[0] = 1.0
        d = (v, np.sum(v))
        total = total + np.sum(d[0]) * d[1]
    return total


KEPT = [view_in_tuple, view_beside_a_number, second_name_in_tuple, tuple_of_helper,
        tuple_of_parameter, named_of_helper, object_of_helper, dicts_of_helper, views_of_helper,
        object_renamed, tuple_renamed, renamed_and_written, in_a_loop]


# Sums and multiples of lists ----------------------------------------------------------------------
def sum_written(x):
    m = 2.0 * x
    t = [x] + [m]
    m[1] = 5.0
    return np.sum(t[1])


def sum_with_nothing(x):
    m = 2.0 * x
    t, u = [m] + [], [] + [m]
    m[1] = 5.0
    return np.sum(t[0] * u[0])


def sum_of_names(x):
    m = 2.0 * x
    one, other = [x], [m]
    t = one + other
    m[1] = 5.0
    return np.sum(t[0] * t[1])


def sum_of_tuples(x):
    m, y = 2.0 * x, x * x
    t = [(m,)] + [(y,)]
    m[1] = 5.0
    return np.sum(t[0][0] * t[1][0])


def sum_of_dicts(x):
    m = 2.0 * x
    t = [{"v": m}] + [{"v": x}]
    m[1] = 5.0
    return np.sum(t[0]["v"] * t[1]["v"])


def sum_of_a_slice(x):
    m = 2.0 * x
    t = [(m, 2.0), (x, 3.0)]
    u = t[::-1] + [(x, 1.0)]
    m[1] = 5.0
    return np.sum(u[1][0]) * u[1][1]


def sum_of_sums(x):
    m = 2.0 * x
    t = [x] + ([m] + [x * x])
    m[1] = 5.0
    return np.sum(t[1] * t[2])


def sum_in_a_loop(x):
    m = 2.0 * x
    t = []
    for _ in range(3):
        t = t + [m]
    m[1] = 5.0
    return np.sum(t[2] * x)


def sum_of_views(x):
    m = 2.0 * x
    v = m[1:]
    t = [x] + [v]
    m *= 3.0
    return np.sum(t[1])


def sum_written_through(x):
    m = 2.0 * x
    t = [x] + [m]
    np.multiply(t[1], 3.0, out=t[1])
    return np.sum(m**2)


def sum_of_lists_that_change(x):
    inner = [x]
    rows = [inner]
    t = rows + [[2.0 * x]]
    inner.append(3.0 * x)
    return np.sum(t[0][1])


def slice_of_lists_that_change(x):
    inner = [x]
    rows = [inner]
    t = rows[:]
    inner.append(3.0 * x)
    return np.sum(t[0][1])


def item_of_a_list_of_lists(x):
    inner = [x]
    rows = [inner]
    t = rows[0]
    inner.append(3.0 * x)
    return np.sum(t[1])


def multiple_written_through(x):
    m = 2.0 * x
    a = [m] * 2
    np.multiply(a[1], 3.0, out=a[1])
    return np.sum(m**2)


def multiple_written(x):
    m = 2.0 * x
    a = 2 * [m]
    m[0] = 4.0
    return np.sum(a[1]**2)


JOINED = [sum_written, sum_with_nothing, sum_of_names, sum_of_tuples, sum_of_dicts, sum_of_a_slice,
          sum_of_sums, sum_in_a_loop, sum_of_views, sum_written_through, sum_of_lists_that_change,
          slice_of_lists_that_change, item_of_a_list_of_lists, multiple_written_through,
          multiple_written]


def differences(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2.0 * h) for e in np.eye(x.size)])


@pytest.mark.parametrize("f", [*KEPT, *JOINED], ids=lambda f: f.__name__)
@pytest.mark.sweep(4)
def test_what_is_written_and_kept(f):
    # A program may write to what it is given: each gets an array of its own.
    expected = differences(f, X)
    value, slope = value_and_grad(f)(X.copy())
    assert value == pytest.approx(f(X.copy()))
    np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(grad(f)(X.copy()), expected, rtol=1e-6, atol=1e-8)
    forward = [jvp(f, (X.copy(),), (e,))[1] for e in np.eye(X.size)]
    np.testing.assert_allclose(forward, expected, rtol=1e-6, atol=1e-8)


def test_kept_arrays_stay_fast():
    for f in (view_in_tuple, second_name_in_tuple, tuple_of_helper, object_renamed):
        assert "tape" not in grad(f).source_for(X.copy())


def test_the_shadow_of_a_view_is_not_copied():
    assert "bv.copy()" not in grad(view_in_tuple).source_for(X.copy())


# Grids --------------------------------------------------------------------------------------------
def grid_of_views(x):
    m = 2.0 * x
    a = np.meshgrid(m, x, copy=False, sparse=True)
    m[1] = 5.0
    return np.sum(a[0] * a[1])


def grid_by_name(x, flag):
    m = 2.0 * x
    a, _ = np.meshgrid(m, x, copy=flag)
    m[1] = 5.0
    return np.sum(a) * m[0]


def grid_of_copies(x):
    m = 2.0 * x
    a, b = np.meshgrid(m, x)
    m[1] = 5.0
    return np.sum(a * b) * m[0]


def test_grids_that_are_views():
    for f, more in ((grid_of_views, ()), (grid_by_name, (False,))):
        np.testing.assert_allclose(grad(f)(X.copy(), *more),
                                   differences(lambda x: f(x, *more), X), rtol=1e-6)  # noqa: B023


def test_grids_that_are_copies():
    np.testing.assert_allclose(grad(grid_of_copies)(X.copy()), differences(grid_of_copies, X),
                               rtol=1e-6)
