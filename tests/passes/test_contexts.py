"""Context managers: entered once, left once, not entered by the backward pass."""
import contextlib
import io
import math
import os
import threading
import time

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.passes.effects import holds

LOCK = threading.Lock()
SCALE = 1.0


@contextlib.contextmanager
def noisy(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("exit", name)


class Timer:
    def __init__(self, label):
        self.label = label

    def __enter__(self):
        self.t = time.time()
        print("in", self.label)
        return self

    def __exit__(self, *a):
        print("out", self.label, a[0])


class Swallow:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        return True


@contextlib.contextmanager
def scaled(s):
    global SCALE
    old = SCALE
    SCALE = s
    try:
        yield
    finally:
        SCALE = old


def returns_inside(x):
    with noisy("a"):
        y = x * x
        if y > 4:
            return y * x
        print("mid")
    return y + 1


def exits_and_else(x):
    s = 0.0
    for i in range(4):
        with noisy(i) as k, Timer("t"):
            if i == 1:
                continue
            s = s + x * k
            if s > 5:
                break
            s = s * s
    else:
        s = s * 2
    return s


def suppressed(x):
    with contextlib.suppress(ValueError):
        y = math.sqrt(x)
        return y
    return 3.0 * x


def nested_exits(x):
    for i in range(3):
        with noisy("o"):
            for j in range(3):
                with noisy("i"):
                    if i * j == 2:
                        return x * x * i
                    x = x * 1.5
                    if j == 1 and i == 0:
                        break
                x = math.sin(x)
            x = x + 1
    return x


def hands_out_text(x):
    with noisy("z") as v:
        n = len(v)
    return x * n


def while_true(x):
    while True:
        with LOCK:
            x = x * 1.5
            if x > 10:
                break
    return x * x


def several_items(x):
    with open(os.devnull) as fh, contextlib.nullcontext(3.0) as c:
        t = fh.read()
        y = x * len(t) + x * x
    return y


def exception_comes_through(x):
    try:
        try:
            raise KeyError("a")
        finally:
            print("one")
    except KeyError:
        with contextlib.redirect_stdout(io.StringIO()):
            print("hidden")
        return x * x


def kept_in_a_variable(x):
    ctx = np.errstate(all="ignore")
    with ctx:
        return np.sqrt(x) * x


class Locked:
    def __init__(self, a):
        self.lock = threading.Lock()
        self.a = a

    def f(self, x):
        with self.lock:
            return self.a * x * x


@pytest.mark.parametrize("function, x", [
    (returns_inside, 1.5), (returns_inside, 3.0), (exits_and_else, 0.5), (exits_and_else, 3.0),
    (suppressed, 2.0), (suppressed, -2.0), (nested_exits, 0.5), (nested_exits, 2.0),
    (hands_out_text, 2.0), (while_true, 2.0), (several_items, 2.0), (exception_comes_through, 2.0),
    (kept_in_a_variable, 2.0), (Locked(2.0).f, 3.0)])
def test_holds(function, x):
    holds(function, x)


def emitted(function, *args):
    return tl.grad(function).source_for(*args)


def test_the_forward_pass_enters_what_the_function_enters():
    text = emitted(while_true, 2.0)
    assert text.count("with LOCK:") == 1
    assert text.index("with LOCK:") < text.index("# Backward pass")


def divides(x):
    with np.errstate(divide="ignore"):
        y = np.sum(1.0 / x)
    return y


def test_errstate_holds_in_both_passes():
    text = emitted(divides, np.ones(2))
    assert text.count('with np.errstate(divide="ignore"):') == 2
    with np.errstate(all="raise"):
        tl.grad(divides)(np.array([1.0, 2.0]))


def swallows(x):
    with Swallow():
        y = x * x
    return y


def scales(x):
    with scaled(3.0):
        y = SCALE * x
    return y


def unknown(x, context):
    with context:
        y = x * x
    return y


class Changing:
    def __init__(self, box):
        self.box = box

    def __enter__(self):
        self.box[0] = 2.0

    def __exit__(self, *what):
        self.box[0] = 1.0


BOX = np.ones(1)


def changes(x):
    with Changing(BOX):
        y = BOX[0] * x
    return y


@pytest.mark.parametrize("function, args", [
    (swallows, ()), (scales, ()), (unknown, (contextlib.ExitStack(),))])
def test_refused(function, args):
    with by_names(), pytest.raises(tl.UnsupportedSyntaxError,
                                   match="what this context manager changes"):
        tl.grad(function)(2.0, *args)


@pytest.mark.parametrize("function", [swallows, changes])
def test_followed_by_identity(function):
    numbers = (function(2.0 + 1e-6) - function(2.0 - 1e-6)) / 2e-6
    assert tl.grad(function)(2.0) == pytest.approx(numbers, rel=1e-8)


def test_a_lock_is_handed_in():
    assert tl.grad(unknown)(2.0, LOCK) == 4.0
    assert not LOCK.locked()


def hands_on(x):
    with contextlib.nullcontext(x * x) as y:
        z = y * x
    return z


def test_active_values_are_not_handed_out():
    with by_names(), pytest.raises(tl.TangentError):
        tl.grad(hands_on)(2.0)
    numbers = (hands_on(2.0 + 1e-6) - hands_on(2.0 - 1e-6)) / 2e-6
    assert tl.grad(hands_on)(2.0) == pytest.approx(numbers, rel=1e-8)


@pytest.mark.parametrize("function, x", [
    (returns_inside, 1.5), (returns_inside, 3.0), (exits_and_else, 0.5), (nested_exits, 0.5),
    (while_true, 2.0), (several_items, 2.0), (kept_in_a_variable, 2.0)])
def test_forward_mode(function, x):
    value, slope = tl.jvp(function, (x,), (1.0,))
    assert (value, pytest.approx(slope)) == tl.value_and_grad(function)(x)
