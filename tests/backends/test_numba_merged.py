"""Calls written out, loops made one, tuples taken apart, and compiled: the derivatives are compared
with those of the Python backend and with differences."""
import copy

import gast
import numpy as np
import pytest

pytest.importorskip("numba")

import tangent_lite as tl  # noqa: E402
from tangent_lite.backends import numba as backend  # noqa: E402
from tangent_lite.backends.numba_inlining import functions_that_recur  # noqa: E402
from tangent_lite.calling.reuse import forget  # noqa: E402
from tests.backends.comparing import same  # noqa: E402


def texts_of(monkeypatch, f, wrt, *args):
    """The texts of what is compiled for a call of a gradient; the call is made."""
    forget()
    found = []
    load = backend._load
    monkeypatch.setattr(backend, "_load", lambda text, *rest: found.append(text) or load(
        text, *rest))
    tl.grad(f, wrt=wrt, backend="numba")(*args)
    return found


def agree(f, wrt, *args, step=1e-6):
    """The gradient of the Numba backend beside that of the Python backend, and differences."""
    found = tl.grad(f, wrt=wrt, backend="numba")(*copy.deepcopy(args))
    assert same(tl.grad(f, wrt=wrt)(*copy.deepcopy(args)), found)
    rng = np.random.default_rng(0)
    moved = [np.asarray(rng.normal(size=np.shape(args[k]))) for k in wrt]

    def value(t):
        given = list(copy.deepcopy(args))
        for k, one in zip(wrt, moved):
            given[k] = given[k] + t * one
        return float(f(*given))

    slope = (value(step) - value(-step)) / (2.0 * step)
    assert np.isclose(slope, sum(np.sum(g * one) for g, one in zip(found, moved)),
                      rtol=1e-6, atol=1e-8)


def turned(w, x):
    square = np.sum(w * w)
    if square == 0.0:
        return x + np.cross(w, x)
    theta = np.sqrt(square)
    axis = w / theta
    return x * np.cos(theta) + np.cross(axis, x) * np.sin(theta)


def screened(camera, x):
    local = turned(camera[:3], x - camera[3:6])
    return local[:2] / local[2] * camera[6]


def misfits(cameras, points, seen, weights):
    total = 0.0
    for i in range(seen.shape[0]):
        error = screened(cameras[seen[i]], points[i]) * weights[i]
        total = total + np.sum(error * error)
    return total


@pytest.mark.slow
def test_halves_in_a_loop_need_no_tape(monkeypatch):
    rng = np.random.default_rng(1)
    cameras, points, weights = rng.normal(size=(2, 7)), rng.normal(size=(4, 3)), np.ones(4)
    text, = texts_of(monkeypatch, misfits, (0, 1, 3), cameras, points, np.arange(4) % 2, weights)
    assert " = []" not in text and "_fwd" not in text
    for n in (0, 1, 4):
        agree(misfits, (0, 1, 3), cameras, points, np.arange(n) % 2, rng.normal(size=4))
    cameras[1, :3] = 0.0                    # the other branch, in turn
    args = cameras, points, np.arange(4) % 2, weights
    found = tl.grad(misfits, wrt=(0, 1, 3), backend="numba")(*args)
    assert same(tl.grad(misfits, wrt=(0, 1, 3))(*args), found)


def scaled(x, w):
    t = x * w
    u = t + x                           # both are asked for their shapes, t for what it holds too
    return np.sum(t * t) * u


def test_a_saved_array_may_be_read_for_its_shape_and_for_its_elements():
    def f(x, w):
        total = 0.0
        for i in range(x.shape[0]):
            total = total + np.sum(scaled(x[i], w)) + np.sum(x[i] * w)
        return total

    rng = np.random.default_rng(2)
    for width in (0, 1, 5, 16, 17, 40):     # in scratch memory, and beyond
        agree(f, (0, 1), rng.normal(size=(3, width)), rng.normal(size=width))
    agree(f, (0, 1), rng.normal(size=(3, 4)), rng.normal(size=1))       # stretched


def test_shapes_that_change_from_step_to_step():
    def f(x, w):
        total = 0.0
        for i in range(x.shape[0]):
            total = total + np.sum(scaled(x[i:], w))
        return total

    agree(f, (0, 1), np.random.default_rng(3).normal(size=19), 0.7)


def itself(x):
    return x


def test_a_function_that_gives_back_its_argument():
    def f(x):
        total = 0.0
        for i in range(x.shape[0]):
            y = itself(x[i])
            total = total + np.sum(y * x[i] * y)
        return total

    agree(f, (0,), np.random.default_rng(4).normal(size=(3, 2)))


def test_what_is_carried_from_step_to_step_keeps_its_tape():
    def f(x, w):
        state = np.zeros(3)
        total = 0.0
        for i in range(x.shape[0]):
            state = scaled(state + x[i], w)
            total = total + np.sum(np.sin(state))
        return total

    rng = np.random.default_rng(5)
    agree(f, (0, 1), 0.5 * rng.normal(size=(3, 3)), 0.5 * rng.normal(size=3))


def test_an_array_that_is_written_between_reads():
    def f(x, w):
        y = x.copy()
        total = 0.0
        for i in range(x.shape[0]):
            part = scaled(y[i], w)
            y[i, 0] = 0.5 * y[i, 1]
            total = total + np.sum(part) + y[i, 0] * y[i, 1]
        return total

    rng = np.random.default_rng(6)
    agree(f, (0, 1), rng.normal(size=(3, 2)), rng.normal(size=2))


def energy(x, m):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            total -= m[i] * m[j] / np.sqrt(np.dot(d, d) + 0.1)
    return total


def clusters(x, m):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r = 0.0
            for k in range(x.shape[1]):
                r += (x[i, k] - x[j, k]) ** 2
            if r > 4.0:
                continue
            total += m[i] * np.exp(-r) * r
    return total


def layer(x, m):
    total = 0.0
    for i in range(x.shape[0]):
        out = 0.0
        for k in range(x.shape[1]):
            a = m[k]
            for j in range(m.shape[0]):
                a += x[i, k] * m[j]
            out += np.tanh(a) * m[k + 1]
        total += (out - 1.0) ** 2
    return total


@pytest.mark.parametrize("function, tapes", [(energy, 0), (clusters, 0), (layer, 1)])
def test_loops_inside_keep_what_one_step_needs(monkeypatch, function, tapes):
    rng = np.random.default_rng(7)
    text, = texts_of(monkeypatch, function, (0, 1), rng.normal(size=(5, 3)), rng.normal(size=5))
    assert text.count(" = []") == tapes, text
    for n in (0, 1, 5):
        agree(function, (0, 1), rng.normal(size=(n, 3)), rng.normal(size=5))


def test_which_functions_call_themselves():
    trees = gast.parse("def a(x): return b(x)\ndef b(x): return a(x)\ndef c(x): return a(x)\n"
                       "def d(x): return d\ndef e(d): return c(x)").body
    assert functions_that_recur(trees) == {"a", "b", "d"}


# Room on tapes ----------------------------------------------------------------------------------
def recurrence(x, n):
    for i in range(n):
        if x > 0.0:
            x = np.sin(x) + 0.1 * i
        else:
            x = 0.5 * x * x
    return x


def left_early(x, n):
    for i in range(n):
        if x > 2.0:
            break
        x = x * x * 1.1
    return x


def again(x, n):
    for k in range(3):
        for i in range(n):
            x = np.sin(x) * x + 1.0
        n = n - 1
    return x


def test_tapes_have_room_for_their_loop(monkeypatch):
    text, = texts_of(monkeypatch, again, 0, 0.3, 4)
    assert "x_tape.room(n)" in text and "x_tape.put(" in text
    text, = texts_of(monkeypatch, recurrence, 0, 0.3, 4)
    assert "x_tape.room(n)" in text and "x_tape.append" not in text
    for n in (-3, 0, 1, 2, 50):
        for f in (recurrence, again):
            assert same(tl.grad(f)(0.3, n), tl.grad(f, backend="numba")(0.3, n))
    found = tl.grad(left_early, backend="numba")(1.2, 2 ** 50)      # left early: asks for none
    assert same(tl.grad(left_early)(1.2, 2 ** 50), found)


def test_numbers_of_other_types_do_not_take_the_short_way_in():
    def f(x, n):
        return x * x * n

    d = tl.grad(f, backend="numba")
    for n in (3, 3.0, True, np.int64(3), np.float64(3.0), 2):
        assert same(tl.grad(f)(1.5, n), d(1.5, n))
    with pytest.warns(RuntimeWarning, match="ran in Python"):
        assert d(1.5, 2 ** 70) == 3.0 * 2.0 ** 70
    assert d(1.5, 2 ** 63) == 3.0 * 2.0 ** 63
    with pytest.raises(tl.TangentError):
        d("a", 2)
