"""Compiled functions count no reference to their arguments, and lose none."""
import re
import sys
import warnings

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

import tangent_lite as tl
from tangent_lite.backends.numba_borrowing import BorrowingCompiler, overload
from tangent_lite.backends.numba_products import in_space


@pytest.fixture(autouse=True)
def statistics():
    """Numba keeps count of its arrays while a test runs."""
    was_on = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    yield
    if not was_on:
        _nrt_python.memsys_disable_stats()


def borrowing(fun):
    return numba.njit(pipeline_class=BorrowingCompiler)(fun)


def held_afterwards(compiled, *args):
    """How many arrays of compiled code there are more after 50 calls than before."""
    compiled(*args)
    before = rtsys.get_allocation_stats()
    for _ in range(50):
        compiled(*args)
    after = rtsys.get_allocation_stats()
    return (after.mi_alloc - before.mi_alloc) - (after.mi_free - before.mi_free)


def counts(compiled):
    """How often the code that was compiled for one signature counts a holder."""
    (text,) = compiled.inspect_llvm().values()
    return len(re.findall(r"call void @NRT_(?:incref|decref)", next(
        body for body in re.findall(r"^define.*?^}", text, re.M | re.S)
        if "cpython" not in body.splitlines()[0] and "cfunc" not in body.splitlines()[0])))


def itself(x):
    return x


def first_or_second(x, y, n):
    if n > 1:
        return x
    return y


def rebound(x, n):
    for _ in range(n):
        x = x + 1.0
    return x


def view(x):
    return x[1:]


def kept_in_a_list(x, n):
    rows = [x]
    for _ in range(n):
        rows.append(x[::1])
    return rows[n]


def under_two_names(x, n):
    y = x
    if n > 2:
        y = x * 2.0
    x = y
    return x


@pytest.mark.parametrize("fun, rest", [
    (itself, ()), (first_or_second, (np.ones(3), 1)), (first_or_second, (np.ones(3), 2)),
    (rebound, (0,)), (rebound, (3,)), (view, ()), (kept_in_a_list, (0,)), (kept_in_a_list, (2,)),
    (under_two_names, (1,)), (under_two_names, (3,))])
def test_what_leaves_is_held_and_nothing_is_lost(fun, rest):
    compiled = borrowing(fun)
    x = np.arange(40.0)
    before = sys.getrefcount(x)
    assert np.array_equal(compiled(x, *rest), fun(x, *rest))
    assert sys.getrefcount(x) == before
    assert held_afterwards(compiled, x, *rest) == 0


def test_arrays_of_a_compiled_caller():
    inner = borrowing(first_or_second)

    @numba.njit
    def outer(n):
        total = 0.0
        for k in range(n):
            # Nobody but the call holds what is passed.
            row = inner(np.full(5, k * 1.0), np.zeros(5) - 1.0, k)
            again = np.full(5, 100.0)
            total += row[0] + 0.0 * again[0]
        return total

    assert outer(6) == -1.0 - 1.0 + 2.0 + 3.0 + 4.0 + 5.0
    assert held_afterwards(outer, 6) == 0


def test_an_exception_leaves_the_counts_alone():
    @borrowing
    def picky(x, n):
        if n > x.shape[0]:
            raise ValueError("long")
        return x[n - 1]

    x = np.ones(3)
    before = sys.getrefcount(x)
    for _ in range(10):
        with pytest.raises(ValueError, match="long"):
            picky(x, 4)
    assert picky(x, 3) == 1.0 and sys.getrefcount(x) == before


def test_helpers_count_nothing():
    @borrowing
    def cross(x, y):
        return in_space(x, y)[0]

    assert cross(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0])) == -1.0
    assert counts(cross) <= 1           # the array that it made is given back


def test_overload_takes_options():
    def twice(x):
        return x * 2

    @overload(twice, jit_options={"boundscheck": True})
    def _twice(x):
        return lambda x: x * 2

    assert numba.njit(lambda x: twice(x))(3) == 6


def helper(camera, x):
    t = x - camera[:3]
    return np.cross(camera[3:], t) + t


def branchy(cameras, points, seen):
    total = 0.0
    for i in range(seen.shape[0]):
        r = helper(cameras[seen[i, 0]], points[seen[i, 1]])
        if np.sum(r * r) > 1.0:
            r = r / np.sqrt(np.dot(r, r))
        total += np.dot(r, points[i])
    return total


def test_a_derivative_with_views_branches_and_helpers():
    rng = np.random.default_rng(0)
    args = rng.normal(size=(3, 6)), rng.normal(size=(5, 3)), rng.integers(0, 3, (5, 2))
    compiled = tl.grad(branchy, wrt=("cameras", "points"), backend="numba")
    before = [sys.getrefcount(arg) for arg in args]
    for one, other in zip(compiled(*args), tl.grad(branchy, wrt=("cameras", "points"))(*args)):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-13)
    assert held_afterwards(compiled, *args) == 0
    assert [sys.getrefcount(arg) for arg in args] == before


def project(camera, point):
    q = point + np.cross(camera[0:3], point) + camera[3:6]
    return q[:2] / q[2]


def reprojected(cameras, points, seen, which, observed):
    total = 0.0
    for i in range(len(seen)):
        r = project(cameras[seen[i]], points[which[i]]) - observed[i]
        total += r @ r
    return total


def test_arguments_are_let_go_where_compiled_code_stops():
    # `q[:2] - observed[i]` stops the first call: it is compiled again for other shapes.
    rng = np.random.default_rng(0)
    args = (rng.random((4, 6)) + 1, rng.random((5, 3)) + 1, np.array([1, 2, 3, 1]),
            np.array([0, 1, 2, 3]), rng.random((4, 2)))
    before = [sys.getrefcount(arg) for arg in args]
    compiled = tl.grad(reprojected, wrt=("cameras", "points"), backend="numba")
    for one, other in zip(compiled(*args), tl.grad(reprojected, wrt=("cameras", "points"))(*args)):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-13)
    assert [sys.getrefcount(arg) for arg in args] == before
    for _ in range(3):
        with pytest.raises(IndexError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled(*args[:2], args[2] + 3, *args[3:])
    assert [sys.getrefcount(arg) for arg in args] == before


def springs(positions, links, rest):
    energy = 0.0
    for k in range(links.shape[0]):
        d = positions[links[k, 0]] - positions[links[k, 1]]
        energy += (np.sqrt(np.dot(d, d)) - rest[k]) ** 2
    return energy


def test_rows_that_a_table_of_ints_names_are_let_go():
    rng = np.random.default_rng(0)
    args = rng.normal(size=(6, 3)), rng.permuted(np.tile(np.arange(6), (9, 1)), axis=1)[:, :2], \
        rng.random(9)
    before = [sys.getrefcount(arg) for arg in args]
    compiled = tl.grad(springs, backend="numba")
    np.testing.assert_allclose(compiled(*args), tl.grad(springs)(*args), rtol=1e-10, atol=1e-13)
    assert held_afterwards(compiled, *args) == 0
    assert [sys.getrefcount(arg) for arg in args] == before


def returned_as_they_are(x, y):
    return np.sum(x[1:] * y)


def test_gradients_that_are_arguments_are_copied():
    x, y = np.arange(4.0), np.array([1.0, 5.0, 7.0])
    of_both = tl.grad(returned_as_they_are, wrt=("x", "y"), backend="numba")

    @numba.njit
    def called(n):
        made, other = np.full(n, 2.0), np.full(n - 1, 3.0)
        return of_both(made, other)

    for _ in range(3):
        bx, by = of_both(x, y)
        np.testing.assert_array_equal(bx, [0.0, 1.0, 5.0, 7.0])
        np.testing.assert_array_equal(by, x[1:])
        assert not np.shares_memory(by, x)
        bx, by = called(2000)
        np.testing.assert_array_equal(by, np.full(1999, 2.0))
        np.testing.assert_array_equal(bx[1:], np.full(1999, 3.0))
