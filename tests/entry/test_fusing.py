"""Short derivatives that ask and compute in one function do what the others do."""

import math
import sys
import threading
import traceback

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.entry.fusing import IS_WORTHWHILE

RATE = 2.0
pytestmark = pytest.mark.skipif(not IS_WORTHWHILE, reason="done from Python 3.11 on")


def scalar(x, y):
    return x * math.sin(y) + math.exp(-x * x)


def ratio(x, y):
    return x / y


def itself(x):
    return x


def negative(x):
    return -x


def nothing(x, y):
    return y * 2.0


def scaled(x):
    return 3 * x * RATE


def inner(x, y):
    return x @ y


def traced(x, y):
    return np.trace(x @ y)


def layer(x, y):
    return np.sum(np.tanh(y @ x) ** 2)


def columns(x, y):
    return np.sum(y.T @ x) + np.sum(x)


def first(x):
    return x[0] * x[-1]


def by_size(x):
    return np.sum(x) / x.shape[0] * x.ndim


def twice(x, y):
    y = y + x
    x = x * y
    return np.sum(x * y)


def of_numpy(x):
    return np.sin(x) * x


def poisson(w, b, x, y):
    eta = x @ w + b
    return np.sum(np.exp(eta) - y * eta)


def shadows(float, make):
    return np.sum(float * make)


def names(seen, hand_on, more, plain, MISSING, fits, error, x0, x0_type):
    return seen * hand_on * more * plain * MISSING * fits * error * x0 * x0_type


VECTOR, MATRIX = np.array([0.5, -1.5, 2.0]), np.arange(9.0).reshape(3, 3) / 7.0
CASES = [
    (scalar, (0.7, 1.3)), (ratio, (0.7, 1.3)), (itself, (0.7,)), (negative, (0.7,)),
    (nothing, (0.7, 1.3)), (scaled, (0.7,)), (inner, (VECTOR, VECTOR)),
    (inner, (VECTOR, VECTOR[::-1])), (traced, (MATRIX, MATRIX.T)), (traced, (MATRIX, MATRIX)),
    (layer, (VECTOR, MATRIX)), (columns, (VECTOR, MATRIX)), (first, (VECTOR,)),
    (by_size, (VECTOR,)), (twice, (VECTOR, VECTOR[:1])), (twice, (0.5, VECTOR)),
    (of_numpy, (0.5,)), (of_numpy, (np.float64(0.5),)), (poisson, (VECTOR, 0.5, MATRIX, VECTOR)),
    (shadows, (0.5, VECTOR)), (shadows, (VECTOR, 0.5)), (twice, (np.float64(0.5), VECTOR)),
    (itself, (np.array(0.5),)), (negative, (np.ones((1, 1)),)),
    (names, tuple(np.linspace(0.5, 1.5, 9).tolist()))]


def is_fused(d):
    return d.__call__.__code__.co_filename.startswith("<tangent_lite ")


def alike(found, wanted):
    if isinstance(wanted, tuple):
        return type(found) is tuple and len(found) == len(wanted) and all(map(alike, found, wanted))
    return type(found) is type(wanted) and np.array_equal(found, wanted) \
        and getattr(found, "dtype", None) == getattr(wanted, "dtype", None)


@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("one", [0, (0,), "all"], ids=str)
@pytest.mark.parametrize("function, args", CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_it_does_what_the_long_way_does(operator, one, function, args):
    wrt = tuple(range(len(args))) if one == "all" else one
    d = operator(function, wrt=wrt)
    wanted = d.variant_for(args, {})[0].run(args)
    for _ in range(4):
        found = d(*args)
        assert alike(found, wanted)
        gradients = found[1] if operator is tl.value_and_grad else found
        arrays = [g for g in (gradients if isinstance(gradients, tuple) else (gradients,))
                  if isinstance(g, np.ndarray)]
        for k, array in enumerate(arrays):
            assert array.flags.writeable
            assert not any(np.may_share_memory(array, other)
                           for other in [*arrays[k + 1:], *args] if isinstance(other, np.ndarray))
            array.fill(7.0)
    named = dict(zip(d.request.visible, args))
    assert alike(d(**named), wanted) and alike(d(args[0], **dict([*named.items()][1:])), wanted)


@pytest.mark.parametrize("function, args", [CASES[0], CASES[3], CASES[8], CASES[10], CASES[-1]],
                         ids=lambda c: getattr(c, "__name__", ""))
def test_short_derivatives_are_called_so(function, args):
    d = tl.grad(function)
    d(*args)
    assert is_fused(d)


@pytest.mark.parametrize("function, args, wrt", [
    (of_numpy, (0.5,), 0), (of_numpy, (np.float64(0.5),), 0),
    (poisson, (VECTOR, 0.5, MATRIX, VECTOR), (0, 1)),
    (poisson, (VECTOR, 0.5, MATRIX, VECTOR), (1,)), (shadows, (0.5, VECTOR), (1, 0))],
    ids=lambda c: getattr(c, "__name__", ""))
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
def test_numbers_that_numpy_computes_are_made_pythons_at_once(monkeypatch, operator, function,
                                                              args, wrt):
    d = operator(function, wrt=wrt)
    wanted = d(*args)
    variant = d.variant_for(args, {})[0]
    monkeypatch.setattr(variant, "gradients", None)             # the long way
    for _ in range(3):
        assert alike(d(*args), wanted)
    places = wrt if isinstance(wrt, tuple) else (wrt,)
    gradients = wanted[1] if operator is tl.value_and_grad else wanted
    for place, one in zip(places, gradients if isinstance(wrt, tuple) else (gradients,)):
        assert type(one) is type(args[place])


def test_there_is_no_seed_left():
    d = tl.grad(scalar, wrt=(0, 1))
    d(0.7, 1.3)
    assert "bscalar" in d.source_for(0.7, 1.3)
    assert "bscalar" not in d.__call__.__code__.co_varnames


def test_other_arguments_in_turn():
    d = tl.grad(twice)
    for _ in range(3):
        assert d(1.5, 2.0) == 22.75
        assert d(np.ones(2), 2.0).tolist() == [15.0, 15.0]
        assert d(np.ones(3), 2.0).tolist() == [15.0, 15.0, 15.0]
        assert d(np.ones(2, np.float32), 2.0).dtype == np.float32
        assert d(1.5, 2) == 22.75
        with pytest.raises(tl.InputError, match="x is of type int"):
            d(1, 2.0)


def test_names_stay_live(monkeypatch):
    d = tl.grad(scaled)
    for rate in (2.0, 3.0, 3.0, 5, 2.0):
        monkeypatch.setitem(globals(), "RATE", rate)
        for _ in range(3):
            assert d(1.5) == 3 * rate
    monkeypatch.delitem(globals(), "RATE")
    for _ in range(2):
        with pytest.raises((NameError, tl.TangentError), match="RATE"):
            d(1.5)


def test_a_function_that_is_replaced():
    def f(x, y=2.0):
        return x * y

    def g(x, y=2.0):
        return x * x * y

    d = tl.grad(f)
    assert [d(3.0) for _ in range(3)] == [2.0] * 3
    f.__defaults__ = (5.0,)
    assert [d(3.0) for _ in range(3)] == [5.0] * 3 and d(3.0, 1.0) == 1.0
    f.__code__ = g.__code__
    assert [d(3.0) for _ in range(3)] == [30.0] * 3


def test_tracebacks_show_the_line_of_the_derivative():
    d = tl.grad(ratio)
    for _ in range(3):
        assert d(1.0, 2.0) == 0.5
        with pytest.raises(ZeroDivisionError) as error:
            d(1.0, 0.0)
        frames = traceback.extract_tb(error.value.__traceback__)
        assert [frame.name for frame in frames][-1] == "ratio_grad"
        assert frames[-1].line.startswith("bx = bratio / y")
        assert all(frame.filename in (__file__, frames[-1].filename) for frame in frames) \
            or sys.flags.dev_mode
    with pytest.raises(tl.InputError) as wrong:
        d("text", 2.0)
    assert [f.filename for f in traceback.extract_tb(wrong.value.__traceback__)] == [__file__]


def test_closures_and_threads():
    def made(k):
        def f(x):
            return math.sin(k * x)
        return f

    derivatives = [tl.grad(made(k)) for k in (1.0, 2.0, 3.0)]
    wrong = []

    def work(d, k):
        for i in range(500):
            if d(0.1 * i) != k * math.cos(k * (0.1 * i)):
                wrong.append((k, i))

    threads = [threading.Thread(target=work, args=(d, k))
               for d, k in zip(derivatives, (1.0, 2.0, 3.0)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_second_derivatives():
    d = tl.grad(tl.grad(scalar))
    x, y = 0.7, 1.3
    wanted = (4 * x * x - 2) * math.exp(-x * x)
    for _ in range(3):
        assert math.isclose(d(x, y), wanted)
    hessian = tl.hessian(layer)
    a, b = hessian(VECTOR, MATRIX), hessian(VECTOR, MATRIX)
    assert np.array_equal(a, b) and np.allclose(a, a.T)
