"""Statements that compute something and do nothing with it."""
import linecache
import operator

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

X = np.array([0.3, 0.5, 0.8])
MATRIX = np.arange(9.0).reshape(3, 3) / 5.0 + np.eye(3)


def made(lines):
    """A function with these lines in its middle."""
    text = "def f(x):\n    y = x * x\n" + "".join(f"    {line}\n" for line in lines) \
        + "    return np.sum(y * x)\n"
    name = f"<thrown away {lines}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np, "operator": operator, "MATRIX": MATRIX}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def holds(f):
    v = np.array([1.0, -2.0, 0.5])
    x = X.copy()
    x.flags.writeable = False
    value, gradient = tl.value_and_grad(f)(x)
    assert value == f(X)
    slope = (f(X + 1e-6 * v) - f(X - 1e-6 * v)) / 2e-6
    assert np.isclose(gradient @ v, slope, rtol=1e-7)
    assert np.isclose(tl.jvp(f, (x,), (v,))[1], slope, rtol=1e-7)


@pytest.mark.parametrize("line", [
    "np.sin(y)", "y[0]", "y + 1", "-y", "y.sum(); len(y)", "y.copy()", "np.add(y, y)",
    "np.linalg.solve(MATRIX, y)", "float(y[0])", "y[1:] + y[:-1]", "y.tolist().append(3)",
    "for v in y: v * 2", "[y, x][0]", "sorted(y); max(y)", "y.T; y.astype(int)"])
def test_has_no_adjoint(line):
    with by_names():
        holds(made([line]))


@pytest.mark.parametrize("lines", [
    ["try:", "    y[9]", "except IndexError:", "    y = y * 3"],
    ["try:", "    np.linalg.inv(np.outer(y, y) * 0)", "except np.linalg.LinAlgError:",
     "    y = y * 5"]])
def test_may_raise(lines):
    holds(made(lines))


@pytest.mark.parametrize("line", [
    "np.sin(y, y)", "np.clip(y, 0, 0.5, y)", "y.sort()", "np.add.at(y, [0, 0], 1.5)",
    "np.cumsum(y, 0, None, y)", "np.take(x, [2, 1, 0], 0, y)", "y.dot(MATRIX, y)",
    "operator.iadd(y, 1)", "y.T.sort()", "np.ndarray.sort(y)", "y.__setitem__(0, x[1])"])
def test_what_is_done_to_arrays_is_not(line):
    holds(made([line]))


@pytest.mark.parametrize("line", ["y.__iadd__(1)", "np.nan_to_num(y, copy=False)",
                                  "y.setflags(write=True)"])
def test_what_may_change_an_array_is_refused(line):
    with pytest.raises(tl.UnsupportedSyntaxError, match="may change an active value"):
        tl.grad(made([line]))(X)


class Counted:
    def __init__(self, x):
        self.x, self.times = x, 0

    def __getitem__(self, key):
        self.times += 1
        return self.x[key]


def asks_an_object(x):
    counted = Counted(x)
    counted[0]
    counted[1]
    return np.sum(x * counted.times)


def makes_what_is_missing(x):
    from collections import defaultdict
    found = defaultdict(lambda: 2.0 * x[0])
    found["a"]
    return sum(found.values()) * x[1]


@pytest.mark.parametrize("f", [asks_an_object, makes_what_is_missing])
def test_what_others_say_is_done(f):
    holds(f)
