"""The way from Python into compiled code and back: what it looks at, and what it passes on."""
import copy
import ctypes
import gc
import math
import pickle
import sys
import threading
import types
import warnings
import weakref

import numpy as np
import pytest

import tangent_lite as tl
from tests.backends.comparing import same as is_same

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_boxing import SMALL  # noqa: E402


def is_machine_code(d):
    return isinstance(d.__call__, types.BuiltinFunctionType)


def wave(x, y):
    return x * math.sin(y) + math.exp(-x * x)


def energy(x, w):
    return np.sum(w * np.tanh(x) ** 2)


def same(found, expected):
    assert is_same(expected, found), (found, expected)


# What comes in ------------------------------------------------------------------------------------
def test_the_second_call_is_machine_code():
    d = tl.grad(wave, wrt=("x", "y"), backend="numba")
    assert not is_machine_code(d)
    first = d(0.5, 2.0)
    assert is_machine_code(d)
    assert d(0.5, 2.0) == d(x=0.5, y=2.0) == d(0.5, y=2.0) == d.__call__(0.5, 2.0) == first
    assert callable(d) and isinstance(d, tl.GradientFunction)


def test_other_numbers():
    d, python = (tl.grad(lambda x, n: x ** n / (n + 1), backend=b) for b in ("numba", "python"))
    given = [(1.5, 2), (1.5, 2.0), (np.float64(1.5), 2), (1.5, True), (1.5, np.int64(3)),
             (1.5, np.float64(3)), (1.0, 2 ** 70)]
    for args in [*given, *reversed(given)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)         # 2 ** 70 stops
            assert d(*args) == pytest.approx(python(*args), rel=1e-12), args


@pytest.mark.parametrize("args", [(1.0,), (1.0, 2.0, 3.0), (1, 2.0), ("a", 2.0), (None, 2.0)])
def test_wrong_arguments(args):
    d = tl.grad(wave, backend="numba")
    d(0.5, 2.0)
    with pytest.raises(Exception) as found:
        d(*args)
    with pytest.raises(Exception) as expected:
        tl.grad(wave)(*args)
    assert type(found.value) is type(expected.value) and str(found.value) == str(expected.value)
    assert d(0.5, 2.0) == tl.grad(wave)(0.5, 2.0)


def over_edges(v, edges):
    total = 0.0
    for edge in edges:
        total += v[edge[0]] @ v[edge[1]]
    return total


def test_a_result_that_only_the_types_know_for_a_number():
    d, python = (tl.grad(over_edges, backend=b) for b in ("numba", "python"))
    v, edges = np.linspace(-1.0, 1.0, 12).reshape(4, 3), np.array([[0, 1], [1, 3]])
    for _ in range(2):
        same(d(v, edges), python(v, edges))
    assert is_machine_code(d)


def relaxed(u, f):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i] * u[i])
    return np.sum(u * u)


def test_what_is_written_into_shares_no_memory():
    d, python = (tl.grad(relaxed, wrt=("u", "f"), backend=b) for b in ("numba", "python"))
    both = np.linspace(0.5, 1.5, 12)
    kept = both.copy()
    d(both[:6], both[6:])
    assert is_machine_code(d)
    for u, f in (both[:6], both[6:]), (both[6:], both[:6]), (both[::2], both[1::2]):
        same(d(u, f), python(u, f))
    for u, f in (both[:6], both[5:11]), (both[:6], both[:6]):
        with pytest.raises(tl.AliasError, match="writes into u, which shares memory with f"):
            d(u, f)
    assert np.array_equal(both, kept)
    same(d(both[:6], both[6:]), python(both[:6], both[6:]))


def _layouts():
    base = np.linspace(-1.0, 1.0, 24)
    frozen = base[:6].copy()
    frozen.flags.writeable = False
    odd = np.zeros(49, np.uint8)[1:].view(np.float64)
    odd[:] = base[:6]
    return [base[:6], base[::4], base[5::-1], base[:6].copy(), frozen, odd, np.zeros(0), base[:1],
            np.array(0.3), base.reshape(4, 6), base.reshape(6, 4).T, base.reshape(2, 3, 4)[:, ::2],
            np.asfortranarray(base.reshape(4, 6)), np.broadcast_to(base[:6], (2, 6)),
            np.linspace(0.0, 1.0, SMALL), np.linspace(0.0, 1.0, SMALL + 1)]


@pytest.mark.slow
def test_arrays_that_lie_in_all_ways():
    d, python = (tl.grad(energy, wrt=(0, 1), backend=b) for b in ("numba", "python"))
    for _ in range(2):
        for x in _layouts():
            for w in (x, 2.0, np.asarray(x * 2.0 + 1.0)):
                found = d(x, w)
                for part, expected in zip(found, python(x, w)):
                    assert type(part) is type(expected) and np.shape(part) == np.shape(expected)
                    np.testing.assert_allclose(part, expected, rtol=1e-12)
                    if isinstance(part, np.ndarray):
                        assert part.flags.writeable and not np.shares_memory(part, x)
                        part[...] = 7.0
                if isinstance(w, np.ndarray):
                    assert not np.shares_memory(*found)


def test_another_byte_order_is_seen():
    """Numba alone reads such an array as floats of its own once it has seen one out of line."""
    d = tl.grad(lambda p, x: np.sum(p[0] * x) + np.sum(x ** 2), wrt=1, backend="numba")
    odd = np.zeros(49, np.uint8)[1:].view(np.float64)
    plain = np.linspace(0.1, 1.0, 6)
    swapped = plain.astype(">f8")
    for x in (odd, plain, plain):
        d([plain], x)
    for p, x in (([plain], swapped), ([swapped], plain), ([odd], swapped)):
        for _ in range(2):
            with pytest.raises(tl.TangentError):
                d(p, x)


@pytest.mark.parametrize("x", [
    np.ones(3, np.float32), np.ones(3, int), np.ones(3, ">f8"), np.ones(3, complex),
    np.ones(3, bool), np.ones(3, object), np.ones((3, 1)).view(np.matrix),
    np.ma.masked_array(np.ones(3))], ids=lambda x: f"{type(x).__name__} {x.dtype}")
def test_other_arrays_are_not_read_as_floats(x):
    d = tl.grad(energy, backend="numba")
    d(np.ones(3), np.ones(3))
    assert is_machine_code(d)
    with pytest.raises(tl.TangentError):
        d(x, np.ones(3))
    with pytest.raises(tl.TangentError):                # and not as what was called before
        tl.grad(energy, backend="numba")(x, np.ones(3))


def test_arrays_that_were_unpickled():
    """Their dtypes are other objects than those that NumPy gives to new arrays."""
    d = tl.grad(lambda p, x: np.sum(p[0] * np.tanh(x)), wrt=1, backend="numba")
    x = np.linspace(0.0, 1.0, 3)
    expected = d([x], x)
    method = d.__call__
    for enter in (d, method):
        for again in (pickle.loads(pickle.dumps(x)), copy.copy(x)):
            assert np.array_equal(enter([again], again), expected)
    assert d.__call__ is method                         # it took them all


class Own(np.ndarray):
    def __array_ufunc__(self, *args, **keywords):
        raise AssertionError("its own operations")


def test_arrays_of_other_classes():
    d = tl.grad(energy, wrt=1, backend="numba")
    d(np.ones(3), np.ones(3))
    with pytest.raises((tl.TangentError, AssertionError)):
        d(np.ones(3).view(Own), np.ones(3))


# Structures ---------------------------------------------------------------------------------------
def layered(params, x):
    for W, b in params:
        x = np.tanh(W @ x + b)
    return np.sum(x)


@pytest.mark.slow
def test_lists_of_other_lengths_and_types():
    d, python = (tl.grad(layered, backend=b) for b in ("numba", "python"))
    layer = (np.eye(2), np.ones(2))
    given = [[layer], [layer, layer], [layer] * 3, [(np.eye(2).T, np.ones(4)[::2])], [layer],
             [layer, (np.asfortranarray(np.ones((3, 2))), np.ones(3))]]
    for params in [*given, *reversed(given)]:
        same(d(params, np.ones(2)), python(params, np.ones(2)))
    assert is_machine_code(d)
    for params in ([list(layer)], (layer,), [layer, list(layer)]):
        try:
            same(d(params, np.ones(2)), python(params, np.ones(2)))
        except tl.UnsupportedSyntaxError:
            assert type(params[-1]) is list         # of which nobody knows how long they are
        same(d([layer], np.ones(2)), python([layer], np.ones(2)))


def test_a_list_that_changes_between_calls():
    d, python = (tl.grad(layered, backend=b) for b in ("numba", "python"))
    params = [(np.eye(2), np.ones(2))]
    d(params, np.ones(2))
    for change in (lambda: params.append((np.ones((2, 2)), np.zeros(2))),
                   lambda: params.__setitem__(0, (np.ones((2, 2)), np.zeros(2))),
                   lambda: params.pop(), lambda: params[0][1].__setitem__(0, 9.0)):
        change()
        same(d(params, np.ones(2)), python(params, np.ones(2)))


def affine(p, x):
    return np.sum((p["W"] @ x + p["b"]) ** 2) * p["scale"][0]


@pytest.mark.slow
def test_dicts_of_other_keys_and_orders():
    d, python = (tl.grad(affine, backend=b) for b in ("numba", "python"))
    W, b = np.ones((2, 2)), np.ones(2)
    given = [{"W": W, "b": b, "scale": (2.0,)}, {"b": b, "W": W, "scale": (2.0,)},
             {"W": W, "b": b, "scale": [2.0, 3.0]}, {"W": W, "b": b, "scale": (2.0,), "c": 1.0},
             {"".join(["W"]): W, "".join(["b"]): b, "".join(["sca", "le"]): (3.0,)}]
    for p in [*given, *given]:
        found, expected = d(p, np.ones(2)), python(p, np.ones(2))
        assert list(found) == list(p)
        same(found, expected)
    with pytest.raises(Exception, match="b"):
        d({"W": W, "scale": (2.0,)}, np.ones(2))


def test_one_array_in_all_places():
    shared = np.eye(2)
    d, python = (tl.grad(lambda p, x: np.sum(p[0] @ x + p[1] @ x), wrt=(0, 1), backend=b)
                 for b in ("numba", "python"))
    for n in (2, 40):
        shared = np.eye(n)
        found = d([shared, shared], shared)
        same(found, python([shared, shared], shared))
        parts = [*found[0], found[1], shared]
        assert not any(np.shares_memory(a, b) for k, a in enumerate(parts) for b in parts[:k])


def test_sums_that_hand_on_one_adjoint():
    """Both gradients are the same array to compiled code, small or large."""
    for n in (3, SMALL, SMALL + 1):
        d = tl.grad(lambda x, y: np.sum(np.tanh(x + y)), wrt=(0, 1), backend="numba")
        x = np.linspace(0.0, 1.0, n)
        for _ in range(2):
            bx, by = d(x, x)
            assert not np.shares_memory(bx, by) and not np.shares_memory(bx, x)
            bx[:] = 0.0
            assert np.all(by > 0.0)


# Names --------------------------------------------------------------------------------------------
def helper(x):
    return 2.0 * x


def other_helper(x):
    return 5.0 * x


def calls_helper(x):
    return helper(x) * factor


factor = 3.0


def test_names_mean_what_they_mean_at_the_call(monkeypatch):
    d = tl.grad(calls_helper, backend="numba")
    here = sys.modules[__name__]
    assert [d(1.0), d(1.0)] == [6.0, 6.0]
    with monkeypatch.context() as patch:
        patch.setattr(here, "helper", other_helper)
        assert [d(1.0), d(1.0)] == [15.0, 15.0]
        patch.setattr(here, "factor", 4.0)
        assert [d(1.0), d(1.0)] == [20.0, 20.0]
    assert [d(1.0), d(1.0)] == [6.0, 6.0]
    with monkeypatch.context() as patch:
        patch.setattr(here, "abs", other_helper, raising=False)
        patch.setattr(helper, "__code__", other_helper.__code__)
        assert [d(1.0), d(1.0)] == [15.0, 15.0]
    with monkeypatch.context() as patch:
        patch.delattr(here, "helper")
        with pytest.raises((NameError, tl.TangentError)):
            d(1.0)
    assert d(1.0) == 6.0


def test_a_builtin_that_is_given_another_meaning(monkeypatch):
    d = tl.grad(takes_size, backend="numba")
    assert [d(-2.0), d(-2.0)] == [-1.0, -1.0] and is_machine_code(d)
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[__name__], "abs", other_helper, raising=False)
        assert [d(-2.0), d(-2.0)] == [5.0, 5.0]
    assert d(-2.0) == -1.0


def takes_size(x):
    return abs(x)


def test_closures_and_defaults():
    def make(k):
        def f(x, n=2):
            return k * x ** n

        def change(value):
            nonlocal k
            k = value
        return f, change

    f, change = make(3.0)
    d = tl.grad(f, backend="numba")
    assert [d(1.0, 2), d(1.0, 2), d(1.0)] == [6.0] * 3
    change(4.0)
    assert [d(1.0, 2), d(1.0, 2)] == [8.0] * 2
    f.__defaults__ = (3,)
    assert [d(1.0), d(1.0, 2)] == [12.0, 8.0]


table = np.ones(3)


def test_arrays_from_outside(monkeypatch):
    d = tl.grad(lambda x: np.sum(table * x), backend="numba")
    assert d(np.ones(3)).tolist() == [1.0] * 3
    table[0] = 5.0
    try:
        assert d(np.ones(3)).tolist() == [5.0, 1.0, 1.0]
    finally:
        table[0] = 1.0
    monkeypatch.setattr(sys.modules[__name__], "table", np.full(3, 2.0))
    found = d(np.ones(3))
    assert found.tolist() == [2.0] * 3
    found[:] = 0.0
    assert table.tolist() == [2.0] * 3


# The object ---------------------------------------------------------------------------------------
def test_copies_and_pickles():
    d = tl.grad(wave, wrt=("x", "y"), backend="numba")
    for _ in range(2):
        for other in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
            assert other(0.5, 2.0) == d(0.5, 2.0)
        assert is_machine_code(d)


def test_methods():
    class Spring:
        def __init__(self):
            self.k = 3.0

        def energy(self, x):
            return self.k * x * x

    assert [tl.grad(Spring().energy, backend="numba")(2.0) for _ in range(2)] == [12.0] * 2


def test_derivatives_go_when_nobody_holds_them():
    def make():
        big = np.ones(10)
        d = tl.grad(lambda x: np.sum(x * big), backend="numba")
        d(np.ones(10))
        d(np.ones(10))
        return weakref.ref(d)

    found = make()
    gc.collect()
    assert found() is None


@pytest.mark.parametrize("make", [
    lambda n: [(np.ones((n, n)), np.ones(n))] * 2, lambda n: (np.ones((n, n)), np.ones(n)),
    lambda n: {"W": np.ones((n, n)), "b": np.ones(n)}], ids=["list", "tuple", "dict"])
@pytest.mark.parametrize("n", [2, 40])
@pytest.mark.sweep(3)
def test_nothing_is_held_or_lost(make, n):
    def f(p, x):
        if isinstance(p, dict):
            return np.sum(p["W"] @ x + p["b"])
        W, b = p[0] if isinstance(p, list) else p
        return np.sum(W @ x + b)

    d = tl.grad(f, wrt=(0, 1), backend="numba")
    p, x = make(n), np.ones(n)
    one = p["W"] if isinstance(p, dict) else p[0][0] if isinstance(p, list) else p[0]
    d(p, x)
    before = [sys.getrefcount(thing) for thing in (p, x, one, np.dtype(float), None, d)]
    stats = numba.core.runtime.rtsys
    for _ in range(100):
        bp, bx = d(p, x)
        with pytest.raises(tl.TangentError):
            d(p, x, 1.0)
    del bp, bx
    after = [sys.getrefcount(thing) for thing in (p, x, one, np.dtype(float), None, d)]
    assert all(abs(a - b) < 20 for a, b in zip(before, after)), (before, after)
    assert stats is not None


def test_stops_raise_what_python_raises():
    d = tl.grad(lambda x, y: x / y, backend="numba")
    assert d(1.0, 2.0) == 0.5
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            d(1.0, 0.0)
        assert d(1.0, 4.0) == 0.25


def test_threads_with_arguments_of_all_kinds():
    d, python = (tl.grad(energy, wrt=(0, 1), backend=b) for b in ("numba", "python"))
    given = [(np.ones(3), 2.0), (np.ones((2, 3)), np.ones(3)), (np.ones(6)[::2], np.ones(3))]
    expected = [python(*args) for args in given]
    wrong = []

    def work(start):
        for k in range(200):
            number = (start + k) % 3 if k % 7 == 0 else start
            found = d(*given[number])
            if not all(np.allclose(a, b) for a, b in zip(found, expected[number])):
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_ctrl_c_is_not_passed_over():
    """What is no Exception goes through the way in, which would run its fallback else."""
    from tangent_lite.backends.numba_entry import machine_entry
    from tangent_lite.backends.numba_packers import Leaf
    from tangent_lite.calling.resolve import Watched

    def interrupted(x):
        raise KeyboardInterrupt

    def stopped(x):
        raise ValueError

    for callee, error in ((interrupted, KeyboardInterrupt), (stopped, None)):
        enter = machine_entry("f", [Leaf(float)], Watched([]), lambda: True, callee)
        call = enter.before(lambda *args, **keywords: (args, keywords))
        if error is None:
            assert call(1.0) == ((1.0,), {}) and call(1.0, k=2) == ((1.0,), {"k": 2})
            assert call() == ((), {}) and call(1) == ((1,), {})
        else:
            with pytest.raises(error):
                call(1.0)


def test_the_function_of_numpy_is_the_one_that_is_meant():
    """PyArray_New is called by its place in a table."""
    from tangent_lite.backends import numba_boxing
    make = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_void_p, ctypes.c_int,
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(
            numba_boxing._new_array())
    sizes = (ctypes.c_ssize_t * 2)(3, 4)
    made = make(np.ndarray, 2, ctypes.addressof(sizes), 12, None, None, 0, 0, None)
    assert made.shape == (3, 4) and made.dtype == np.float64 and made.flags.owndata \
        and made.flags.c_contiguous and made.flags.writeable and type(made) is np.ndarray
