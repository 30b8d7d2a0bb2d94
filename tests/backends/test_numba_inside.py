"""Loops that look at their indices once: the same as looking at each, wherever the indices lie."""

import warnings

import numpy as np
import pytest

pytest.importorskip("numba")

from numba import types  # noqa: E402

import tangent_lite as tl  # noqa: E402
from tangent_lite.backends import numba as backend  # noqa: E402
from tangent_lite.backends.numba_functions import Unbound  # noqa: E402
from tangent_lite.backends.numba_unchecked import _is_unknown  # noqa: E402
from tests.backends.comparing import same  # noqa: E402

rng = np.random.default_rng(5)


def central(f, args, position, step=1e-6):
    """Central differences with respect to an argument."""
    x = np.asarray(args[position], float)
    found = np.zeros(x.shape)
    for spot in np.ndindex(x.shape):
        ends = []
        for sign in (1.0, -1.0):
            moved = x.copy()
            moved[spot] += sign * step
            value = moved if x.ndim else float(moved)
            ends.append(f(*args[:position], value, *args[position + 1:]))
        found[spot] = (ends[0] - ends[1]) / (2.0 * step)
    return found


def quiet(f, args, wrt=0):
    """The compiled gradient; it must not have gone to Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return tl.grad(f, wrt=wrt, backend="numba")(*args)


def heat(u, k, n):
    for t in range(n):
        for i in range(1, u.shape[0] - 1):
            u[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1])
    return np.sum(u ** 2)


def swapped(u, k, n):
    new = u.copy()
    for t in range(n):
        for i in range(1, u.shape[0] - 1):
            new[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, new = new, u
    return np.sum(u ** 2)


def plane(u, k, n):
    ny, nx = u.shape
    for t in range(n):
        for i in range(1, ny - 1):
            for j in range(1, nx - 1):
                u[i, j] = u[i, j] + k * u[i, j] * (u[i - 1, j] + u[i, j + 1] - 2.0 * u[i, j])
    return np.sum(u * u)


def ring(u, k, n):                      # counts from the end at the first step
    for t in range(n):
        for i in range(u.shape[0]):
            u[i] = u[i] + k * np.sin(u[i - 1])
    return np.sum(u ** 2)


def around(u, k, n):
    m = u.shape[0]
    v = np.zeros(m)
    for t in range(n):
        for i in range(m):
            right = (i + 1) % m
            v[i] = k * u[right] * u[(i - 1) % m] + u[i]
        for i in range(m):
            u[i] = v[i]
    return np.sum(u ** 2)


def backwards(u, k, n):                 # all indices count from the end
    for i in range(1, u.shape[0]):
        u[-i] = u[-i] * k + u[-i - 1] * u[-i]
    return np.sum(u ** 2)


def by_two(u, k, n):
    for i in range(u.shape[0] // 2):
        u[2 * i] = u[2 * i] * u[2 * i + 1] * k
    return np.sum(u ** 2)


def flat(u, k, n):
    v = np.zeros(3 * u.shape[0])
    for i in range(u.shape[0]):
        for j in range(3):
            v[i * 3 + j] = k * u[i] ** (j + 1)
    return np.sum(v)


def guarded(u, k, n):                   # an `if` keeps the indices inside
    v = u.copy()
    for i in range(u.shape[0]):
        left = u[i - 1] if i > 0 else 0.0
        if i < u.shape[0] - 1:
            v[i] = u[i] * u[i + 1] + k * left
    return np.sum(v ** 2)


def early(u, k, n):                     # the rest would be out of bounds
    total = 0.0
    for i in range(1000):
        if i >= u.shape[0]:
            break
        total = total + k * u[i] ** 2
        if total > 1e9:
            continue
        u[i] = total
    return total


def rows(u, k, n):
    m = u.reshape(-1, 1) * np.ones((1, 3))
    total = 0.0
    for i in range(m.shape[0]):
        total = total + np.sum(m[i] * m[i, 1]) * k
    return total


def parts(u, k, n):
    pair = (k, 2.0 * k)
    numbers = [k, k * k, 3.0]
    total = 0.0
    for i in range(3):
        total = total + pair[0] * u[0] + numbers[i] * u[0] ** i
    return total


def triangle(u, k, n):
    m = u.shape[0]
    a = np.zeros((m, m))
    for i in range(m):
        for j in range(i):
            a[i, j] = u[i] * u[j]
            for q in range(j):
                a[i, j] = a[i, j] + k * a[i, q]
    return np.sum(a)


def one_counter_twice(u, k, n):         # whose loops have other ends, and one an offset
    m = u.shape[0]
    new = np.zeros(m)
    for t in range(n):
        for i in range(m):
            total = 1.0
            for j in range(m):
                total = total + np.exp(-k * u[i] * u[j])
            for j in range(1, m):
                new[i] = new[i] + u[j - 1] * u[i] / total
        for i in range(m):
            u[i] = new[i] * k
    return np.sum(u * u)


def from_the_end(u, k, n):
    m = u.shape[0]
    v = np.zeros(m)
    for t in range(n):
        for i in range(m):
            v[-1 - i] = k * u[-i] * u[i - 1] + u[-m + i] * u[-1]
        for i in range(m - 1, -1, -1):
            u[i] = v[i - 1] * v[i]
    return np.sum(u)


def rows_around(u, k, n):
    m = u.shape[0]
    a = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            a[i, j] = a[i - 1, j] + u[j] * a[i, j - 1] + k * u[i] * u[j - 2 if m > 1 else 0]
    return np.sum(a * a)


PROGRAMS = [heat, swapped, ring, around, backwards, by_two, flat, guarded, early, triangle,
            one_counter_twice, from_the_end, rows_around]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_are_central_differences(f):
    args = rng.uniform(0.2, 0.8, 6), 0.3, 3
    bu, bk = quiet(f, args, (0, 1))
    for found, position in ((bu, 0), (bk, 1)):
        expected = central(lambda u, k, n: f(u.copy(), k, n), args, position)
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS)
def test_all_sizes_and_no_steps(f):
    compiled, plain = (tl.grad(f, wrt=(0, 1), backend=one) for one in ("numba", "python"))
    for size in (0, 1, 2, 3, 7):
        for n in (-1, 0, 1, 4):
            args = rng.uniform(0.2, 0.8, size), 0.3, n
            try:
                expected = plain(*args)
            except (IndexError, ZeroDivisionError) as error:
                with pytest.raises(type(error)), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    compiled(*args)
            else:
                assert same(expected, compiled(*args)), (size, n)


@pytest.mark.parametrize("f", [rows, parts])
def test_rows_and_tuples_are_read_as_they_are(f):
    args = rng.uniform(0.2, 0.8, 4), 0.3, 3
    assert same(tl.grad(f, wrt=(0, 1))(*args), quiet(f, args, (0, 1)))


def test_arrays_in_any_order_in_memory():
    whole = rng.uniform(0.2, 0.8, (9, 14))
    compiled, plain = (tl.grad(plane, wrt=(0, 1), backend=one) for one in ("numba", "python"))
    for u in (whole, whole.T, np.asfortranarray(whole), whole[::2, ::-1], whole[:1], whole[:0]):
        assert same(plain(u, 0.1, 3), compiled(u, 0.1, 3))
    args = whole[:4, :5], 0.1, 2
    assert np.allclose(compiled(*args)[0], central(
        lambda u, k, n: plane(u.copy(), k, n), args, 0), rtol=1e-5, atol=1e-7)


def beyond(u, k):
    total = 0.0
    for i in range(u.shape[0]):
        total = total + k * u[i] * u[i + 1]
    return total


def far_below(u, k):
    total = 0.0
    for i in range(u.shape[0] + 2):
        total = total + k * u[-i]
    return total


@pytest.mark.parametrize("f", [beyond, far_below])
def test_what_is_out_of_bounds_raises(f):
    with pytest.raises(IndexError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tl.grad(f, backend="numba")(rng.normal(size=5), 2.0)


def test_arrays_that_may_not_be_written_are_read():
    u = rng.normal(size=6)
    u.flags.writeable = False
    assert same(tl.grad(heat)(u, 0.2, 3), quiet(heat, (u, 0.2, 3)))


def test_one_look_in_front_of_the_outermost_loop(monkeypatch):
    texts = []
    whole = backend._text
    monkeypatch.setattr(backend, "_text", lambda lowered: texts.append(whole(lowered)) or texts[-1])
    tl.grad(plane, backend="numba")(rng.normal(size=(5, 6)), 0.1, 2)
    text = texts[-1]
    forward = text[:text.index("bu = ")]
    assert forward.count("unchecked(") == 1 and "u_in" in forward
    assert forward.index("inside(u, ((1, ") < forward.index("for t in")   # in front of all steps


def test_one_look_where_loops_count_by_one_name(monkeypatch):
    texts = []
    whole = backend._text
    monkeypatch.setattr(backend, "_text", lambda lowered: texts.append(whole(lowered)) or texts[-1])
    tl.grad(one_counter_twice, backend="numba")(rng.normal(size=4), 0.1, 2)
    forward = texts[-1][:texts[-1].index("bu = ")]
    assert forward.count("= unchecked(u") == 1


def test_what_counts_from_the_end_is_not_looked_at_in_the_loop(monkeypatch):
    texts = []
    whole = backend._text
    monkeypatch.setattr(backend, "_text", lambda lowered: texts.append(whole(lowered)) or texts[-1])
    tl.grad(ring, backend="numba")(rng.normal(size=4), 0.1, 2)
    assert "within(u, ((-1, " in texts[-1] and "turning(u, ((-1, " in texts[-1]


# Tapes --------------------------------------------------------------------------------------------
def mixed(x, n):                        # a tape that the outer loop and the inner one fill
    total = 0.0
    for i in range(n):
        x = np.sin(x) * x + 1.0
        for j in range(i):
            x = np.cos(x) * x
        total = total + x * x
    return total


def sometimes(x, n):
    xs = []
    for i in range(n):
        if i % 3 == 0:
            xs.append(x)
        xs.append(x * x)
        x = np.sin(x) + 0.1
    total = 0.0
    while len(xs) > 2:
        total = total + xs.pop() * xs.pop()
    return total


def taken(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
        x = np.cos(x)
    total = 0.0
    for i in range(n):
        total = total + xs.pop() * x
    return total


def too_many(x, n):
    xs = []
    for i in range(n):
        xs.append(x * i)
    total = 0.0
    for i in range(n + 1):
        total = total + xs.pop()
    return total


def anew(x, n):                         # a list for each step
    total = 0.0
    for i in range(n):
        xs = []
        for j in range(i):
            xs.append(np.sin(x * j))
        for j in range(i):
            total = total + xs.pop() ** 2
    return total


def flags(x, n):
    seen = []
    for i in range(n):
        seen.append(x > 0.5)
        x = np.sin(x) * 1.5
    total = x
    for i in range(n):
        if seen.pop():
            total = total * 1.1
    return total


@pytest.mark.parametrize("f", [mixed, sometimes, taken, anew, flags])
def test_tapes_of_any_length(f):
    compiled = tl.grad(f, backend="numba")
    for n in (0, 1, 2, 9, 40):
        assert same(tl.grad(f)(0.7, n), compiled(0.7, n)), n
    assert np.allclose(compiled(0.7, 9), central(f, (0.7, 9), 0), rtol=1e-5)


def test_an_empty_list_has_nothing_to_take():
    with pytest.raises(IndexError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tl.grad(too_many, backend="numba")(0.7, 4)


def test_memory_is_given_back():
    from numba.core.runtime import _nrt_python, rtsys
    _nrt_python.memsys_enable_stats()
    gradient = tl.grad(swapped, wrt=(0, 1), backend="numba")
    args = rng.uniform(0.2, 0.8, 50), 0.1, 20
    gradient(*args)
    gradient(*args)
    before = rtsys.get_allocation_stats()
    for _ in range(5):
        gradient(*args)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free


@pytest.mark.parametrize("option", [{"parallel": True}, {"boundscheck": False}])
def test_options_change_no_numbers(option):
    args = rng.uniform(0.2, 0.8, (7, 8)), 0.1, 3
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        found = tl.grad(plane, wrt=(0, 1), backend="numba", **option)(*args)
    assert same(tl.grad(plane, wrt=(0, 1))(*args), found)


def left_early(x, n):
    total = 0.0
    for i in range(n):
        s = 1.0
        for j in range(i):
            s = s * np.sin(s) + x[j] * np.sum(x * s)
            if s > 2.0:
                break
        total = total + s * s
    return total


def vectors(x, n):
    u, s = x.copy(), 1.0
    for i in range(n):
        u = np.tanh(u * u + x)
        s = s * u[0] + 0.1
        if u[1] > 0.2:
            u = u * s
    return np.sum(u)


@pytest.mark.parametrize("f", [left_early, vectors])
def test_tapes_where_arrays_are_divided_among_processors(f):
    """Numba's passes for that drop statements of which nobody reads the result."""
    x = np.linspace(0.3, 1.4, 6)
    gradient = tl.grad(f, backend="numba", parallel=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for n in (0, 1, 5):
            np.testing.assert_allclose(gradient(x, n), tl.grad(f)(x, n), rtol=1e-12, atol=1e-15)


def of_three(A, x, m):
    total = 0.0
    for e in range(m):
        v = np.zeros(3)
        for i in range(3):
            for j in range(i + 1):
                v[i] += A[e, i, j] * x[j]
        for i in range(3):
            total += v[i] * v[i]
    return total


def test_loops_of_three_steps_are_not_written_twice():
    A = rng.normal(size=(4, 3, 3))
    d = tl.grad(of_three, wrt=("A", "x"), backend="numba")
    assert same(tl.grad(of_three, wrt=("A", "x"))(A, A[0, 0], 4), d(A, A[0, 0], 4))
    assert same(tl.grad(of_three, wrt=("A", "x"))(A, A[0, 0], 0), d(A, A[0, 0], 0))
    with pytest.raises(IndexError):
        d(A, A[0, 0], 5)


def test_an_end_of_which_the_type_is_not_known_yet():
    x = types.Array(types.float64, 1, "C")
    for end, is_unknown in ((types.int64, False), (Unbound(), True)):
        indices = types.Tuple([types.Tuple([types.int64, end])])
        assert _is_unknown(x, indices) is is_unknown
