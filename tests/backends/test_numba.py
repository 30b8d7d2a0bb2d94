"""The Numba backend: results, options, errors; what stands at the boundary."""
import dataclasses
import math
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tests.backends.comparing import compare, same  # noqa: E402


def logistic(r, x, n):
    for i in range(n):
        x = r * x * (1.0 - x)
    return x


def energy(u, k, n):
    u = u.copy()
    for t in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


U = np.linspace(0.0, 1.0, 7) ** 2


# Results --------------------------------------------------------------------------------------
@pytest.mark.parametrize("function, args, wrt", [
    (logistic, (3.1, 0.3, 30), ("r", "x")),
    (logistic, (3.1, 0.3, 0), ("r", "x")),
    (logistic, (3.1, 0.3, 5), ("x",)),
    (energy, (U, 0.1, 4), ("u", "k")),
    (energy, (U[::-1], 0.1, 4), ("u",)),
])
@pytest.mark.sweep(2)
def test_the_same_as_in_python(function, args, wrt):
    assert compare(function, args, wrt) == ("same", "")


def test_forms_and_types():
    one = tl.grad(logistic, "x", backend="numba")(3.1, 0.3, 4)
    assert type(one) is float
    assert tl.grad(logistic, ("x",), backend="numba")(3.1, 0.3, 4) == (one,)
    value, gradient = tl.value_and_grad(logistic, "x", backend="numba")(3.1, 0.3, 4)
    assert value == logistic(3.1, 0.3, 4) and gradient == one
    assert tl.grad(logistic, "x", backend="numba")(3.1, n=4, x=0.3) == one


def test_as_a_decorator():
    @tl.grad(wrt="x", backend="numba")
    def f(x, n):
        return x ** n

    assert f(3.0, 2) == 6.0


def test_arguments_of_another_layout_are_compiled_for():
    d = tl.grad(energy, backend="numba")
    expected = tl.grad(energy)(U[::-1], 0.1, 2)
    d(U, 0.1, 2)
    assert same(expected, d(U[::-1], 0.1, 2))
    frozen = U[::-1].copy()
    frozen.flags.writeable = False
    assert same(expected, d(frozen, 0.1, 2))


def test_arguments_stay_as_they_are_and_gradients_are_fresh():
    def f(x, y):
        x[0] = y[1]
        return np.sum(x * y)

    x, y = np.ones(3), np.arange(3.0)
    gx, gy = tl.grad(f, wrt=(0, 1), backend="numba")(x, y)
    assert x.tolist() == [1.0, 1.0, 1.0]
    for one, other in [(gx, x), (gx, y), (gy, x), (gy, y), (gx, gy)]:
        assert not np.shares_memory(one, other)
    gx[:] = 7.0
    assert y.tolist() == [0.0, 1.0, 2.0]


def test_a_result_known_as_a_number_only_when_compiled():
    def f(x):
        return x[0] * x[1]

    def vector(x):
        return x * 2.0

    assert tl.grad(f, backend="numba")(np.array([2.0, 3.0])).tolist() == [3.0, 2.0]
    with pytest.raises(tl.OutputError):
        tl.grad(vector, backend="numba")(np.ones(3))


def test_inputs_are_looked_at_as_in_python():
    with pytest.raises(tl.InputError):
        tl.grad(logistic, backend="numba")(3, 0.3, 4)
    with pytest.raises(tl.WrtError):
        tl.grad(logistic, "z", backend="numba")


# Names from outside -----------------------------------------------------------------------------
rate = 2.0
table = np.array([1.0, 2.0])


def outside(x):
    return inner(x) * rate


def inner(x):
    return np.sum(table) * x * rate


def test_names_mean_what_they_mean_at_the_call(monkeypatch):
    d = tl.grad(outside, backend="numba")
    assert d(1.0) == 12.0
    monkeypatch.setitem(globals(), "rate", 3.0)
    assert d(1.0) == 27.0
    monkeypatch.setitem(globals(), "table", np.array([1.0, 1.0, 1.0, 1.0]))
    assert d(1.0) == 36.0
    table[0] = 2.0
    assert d(1.0) == 45.0
    monkeypatch.setitem(globals(), "inner", lambda x: x * x)
    assert d(2.0) == 12.0


def test_a_function_that_is_called_as_it_is():
    def count(n, step=2):
        found = 0
        for i in range(0, n, step):
            found = found + i
        return found

    def f(x, n):
        return x * count(n) + x * count(n, 1)

    assert compare(f, (2.0, 7), (0,)) == ("same", "")


# Dicts, objects, lists --------------------------------------------------------------------------
@dataclasses.dataclass
class Net:
    w: np.ndarray
    inner: dict


class Pair(NamedTuple):
    scale: float
    shift: np.ndarray


class Model:
    def __init__(self, w):
        self.w = w
        self.name = "model"
        self.unused = {1, 2}

    def loss(self, x):
        return np.sum(np.tanh(self.w * x))


def of_dict(p, x):
    return np.sum(np.tanh(x * p["w"] + p["b"]))


def of_net(p, x):
    h = np.tanh(x * p.w)
    for k in range(3):
        h = h * p.inner["s"] + p.inner["t"][0] * p.inner["t"][1]
    return np.sum(h)


def of_pair(p, x):
    return np.sum(p.scale * x + p.shift)


def of_list(xs, x):
    total = 0.0
    for one in xs:
        total = total + one * x * one
    return total


def layers(p, x):
    return layer(p["first"], x) * layer(p["second"], x)


def layer(p, x):
    return np.sum(p["w"] * x) + p["b"] * len(p)


@pytest.mark.parametrize("function, args", [
    (of_dict, ({"w": np.ones(3), "b": 0.5}, np.arange(3.0))),
    (of_net, (Net(np.ones(3), {"s": 1.5, "t": (1.0, 2.0)}), np.arange(3.0))),
    (of_pair, (Pair(2.0, np.ones(3)), np.arange(3.0))),
    (of_list, ([1.0, 2.0, 3.0], 2.0)),
    (layers, ({"first": {"w": np.ones(2), "b": 2.0}, "second": {"w": np.ones(2), "b": 3.0}}, 2.0)),
])
@pytest.mark.sweep(2)
def test_containers(function, args):
    outcome = compare(function, args, (0,))
    assert outcome == ("same", "")


def test_a_method_and_a_path():
    model, x = Model(np.ones(3)), np.arange(3.0)
    d = tl.grad(model.loss, "self.w", backend="numba")
    assert same(tl.grad(model.loss, "self.w")(x), d(x))


def test_a_dict_is_not_gone_through_as_a_tuple():
    def f(p, x):
        total = 0.0
        for key in p:
            total = total + p[key] * x
        return total

    outcome, _ = compare(f, ({"a": 1.0, "b": 2.0}, 3.0), (0,))
    assert outcome in ("same", "refused")


# Options, time, text ------------------------------------------------------------------------------
def test_options():
    for options in ({"fastmath": True}, {"parallel": True}, {"boundscheck": False}):
        d = tl.grad(energy, backend="numba", **options)
        assert np.allclose(d(U, 0.1, 4), tl.grad(energy)(U, 0.1, 4), rtol=1e-12)
    with pytest.raises(TypeError, match="has no argument fastmath"):
        tl.grad(energy, fastmath=True)
    with pytest.raises(TypeError, match="has no argument speed"):
        tl.grad(energy, backend="numba", speed=11)


def test_compile_time_is_reported():
    d = tl.grad(logistic, backend="numba")
    assert d.compile_seconds == 0.0
    d(3.1, 0.3, 4)
    first = d.compile_seconds
    assert first > 0.0
    d(3.2, 0.3, 5)
    assert d.compile_seconds == first


def test_the_source_is_that_of_the_python_backend():
    d = tl.grad(logistic, backend="numba")
    assert d.source == tl.grad(logistic).source
    assert d.source_for(3.1, 0.3, 4) == tl.grad(logistic).source_for(3.1, 0.3, 4)


def test_numba_is_imported_when_it_is_asked_for():
    code = "import math, sys, tangent_lite as tl; tl.grad(math.sin)(2.0); " \
           "assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True,
                   env={**os.environ, "PYTHONPATH": str(Path(tl.__file__).parent.parent)})


def test_without_numba(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r'pip install "tangent_lite\[numba\]"'):
        tl.grad(logistic, backend="numba")


# Errors ---------------------------------------------------------------------------------------
def test_what_is_not_compiled_names_the_statement():
    def f(x):
        y = np.fft.rfft(x)
        return np.sum(np.abs(y) ** 2)

    with pytest.raises(tl.TangentError) as caught:
        tl.grad(f, backend="numba")(np.ones(4))
    text = str(caught.value)
    line = f.__code__.co_firstlineno + 1
    assert f"test_numba.py:{line}" in text or f"test_numba.py:{line + 1}" in text
    assert 'backend="python"' in text


def test_lists_of_arrays_that_lie_otherwise():
    def f(xs):
        rows = [xs[t] for t in range(len(xs))]
        for _ in range(2):
            squares = []
            for row in rows:
                squares.append(row * row)
            rows = squares
        return np.sum(rows[0])

    with pytest.raises(tl.TangentError) as caught:
        tl.grad(f, backend="numba")(np.ones((2, 4))[:, ::2])
    assert all(words in str(caught.value) for words in (
        "otherwise in memory", ".copy()", "rows = squares"))


@pytest.mark.parametrize("args, words", [
    ((np.ones(3, np.float32),), "float32"),
    ((1.0 + 2.0j,), "complex"),
    ((np.ones(3, ">f8"),), "float64"),
    (({1: 2.0},), "keys"),
    (([1.0] * 101,), "list of 101"),
])
def test_arguments_that_are_not_compiled(args, words):
    def f(x):
        return np.sum(abs(x) ** 2) if not isinstance(x, (dict, list)) else 1.0

    with pytest.raises(tl.TangentError, match=words):
        tl.grad(f, backend="numba", holomorphic=False)(*args)


@pytest.mark.parametrize("function", [
    lambda x: x * np.random.rand(), lambda x: [print(x), x][1]])
def test_random_numbers_and_printing_are_refused(function):
    with pytest.raises(tl.TangentError, match="random|print"):
        tl.grad(function, backend="numba")(2.0)


def test_forms_that_are_not_compiled():
    def with_aux(x):
        return x * x, x

    with pytest.raises(tl.TangentError, match="has_aux"):
        tl.grad(with_aux, has_aux=True, backend="numba")(2.0)
    with pytest.raises(tl.TangentError, match="derivative of a derivative"):
        tl.grad(tl.grad(math.sin), backend="numba")(2.0)


def test_a_compiled_derivative_is_differentiated_as_python():
    d = tl.grad(lambda x: x ** 3, backend="numba")
    assert d(2.0) == 12.0
    assert tl.grad(d)(2.0) == 12.0


def test_pickles():
    d = pickle.loads(pickle.dumps(tl.grad(logistic, backend="numba", fastmath=True)))
    assert d.request.compiled["fastmath"] is True
    assert d(3.1, 0.3, 4) == pytest.approx(tl.grad(logistic)(3.1, 0.3, 4))


# Loops over elements -----------------------------------------------------------------------------
def mixed(x, y):
    """Arrays of one shape, unless one is stretched over the other."""
    s = x * y
    w = np.exp(-s) + 0.5 * x
    return np.sum(w * w) / w.size


SHAPES = [((3,), (3,)), ((3,), (1,)), ((1,), (3,)), ((1,), (1,)), ((0,), (0,)), ((0,), (1,)),
          ((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (2, 1)), ((2, 1), (1, 3)), ((2, 3), (3,))]


@pytest.mark.slow
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
def test_shapes_that_are_stretched_after_others_were_not(operator):
    d, plain = operator(mixed, wrt=("x", "y"), backend="numba"), operator(mixed, wrt=("x", "y"))
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")              # no call goes to Python
        for a, b in [*SHAPES, *reversed(SHAPES)]:
            x, y = rng.normal(size=a), rng.normal(size=b)
            if x.size and y.size:
                assert same(plain(x, y), d(x, y), 1e-12)


def test_shapes_that_do_not_fit_are_an_error_of_numpy():
    d = tl.grad(mixed, backend="numba")
    d(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="broadcast"):
        d(np.ones(3), np.ones(4))
    assert d(np.ones(3), np.ones(3)).shape == (3,)


def test_compiled_callers_stretch_shapes():
    d = tl.grad(mixed, wrt=("x", "y"), backend="numba")

    @numba.njit
    def caller(x, y):
        return d(x, y)

    for a, b in [((3,), (3,)), ((3,), (1,))]:
        x, y = np.linspace(0.1, 1.0, a[0]), np.linspace(0.2, 0.7, b[0])
        assert same(tl.grad(mixed, wrt=("x", "y"))(x, y), caller(x, y), 1e-12)


def stepped(u, v):
    """In place, by slices, from an array that may be the same one."""
    w = u.copy()
    for _ in range(3):
        w[1:-1] = w[1:-1] + 0.1 * (w[2:] - 2.0 * w[1:-1] + w[:-2]) * v[1:-1]
        w[::2] *= v[::2]
        w[1:] += 0.5 * v[:-1]
    return np.sum(w * v)


def halved(MEMORY):
    MEMORY[0] = 0.5 * MEMORY[0]
    return np.sum(MEMORY * MEMORY)


MEMORY = np.linspace(0.5, 1.5, 12)


def test_a_parameter_that_is_called_as_the_array_is_outside():
    assert same(tl.grad(halved)(MEMORY), tl.grad(halved, backend="numba")(MEMORY))


@pytest.mark.parametrize("pairs", [         # each is compiled for how its arrays lie
    [(MEMORY[:8], MEMORY[4:]), (np.ones(2), np.ones(2))],
    pytest.param([(MEMORY, MEMORY), (np.ones(3), np.ones(3))], marks=pytest.mark.slow),
    pytest.param([(MEMORY[::2], MEMORY[1::2])], marks=pytest.mark.slow),
    pytest.param([(MEMORY[::-1], MEMORY)], marks=pytest.mark.slow)],
    ids=["in order", "the same", "steps", "reversed"])
def test_slices_in_place_with_one_array_twice(pairs):
    d, plain = (tl.grad(stepped, wrt=("u", "v"), backend=b) for b in ("numba", "python"))
    for u, v in pairs:
        assert same(plain(u, v), d(u, v), 1e-12)
