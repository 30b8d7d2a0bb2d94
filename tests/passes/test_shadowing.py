"""Variables that are called like builtins: by names, and right."""
import inspect
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names


def running_maximum(x):
    u = np.zeros(4)
    len = 4
    for k in range(1, len):
        u[k] = u[k - 1] * x + k
    max = u[0]
    for k in range(len):
        if u[k] > max:
            max = u[k]
    return max


def kept_in_a_list(x):
    list, max_ = [x, x * x], x
    s = 0.0
    for max in list:
        s += max * max_
    list.append(s + max)
    return s * list[-1]


def read_inside(x):
    range = x * 2.0
    def scaled(t):
        return range * t
    range = range * x
    return scaled(x) + (lambda q: q * range)(x)


def a_function(x):
    min = np.multiply
    if (max := min(x, x)) > 1.0:
        max = max * x
    match x:
        case len: pass
    return max * len


@pytest.mark.parametrize("f", [running_maximum, kept_in_a_list, read_inside, a_function])
def test_variables(f):
    with by_names():
        value, slope = tl.value_and_grad(f)(1.3)
        assert tl.jvp(f, (1.3,), (1.0,)) == (value, pytest.approx(slope))
    assert value == f(1.3)
    assert slope == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)


def clamp(x, min, max=2.0):
    return min if x < min else max if x > max else x * max


def weighed(x, len, *, list=3.0):
    above = [v * list for v in x if v > len]
    return sum(above) * list + (lambda t: t * len)(x[0])


def helpers(x):
    total = clamp(x, 0.1, max=x) + clamp(x * x, min=1.0) + clamp(max=2.0 * x, x=x, min=0.0)
    return total * weighed(np.array([x, x * x]), 0.5, list=x)


def itself(x, range):
    return x if range == 0 else x * itself(x, range - 1) + itself(range=0, x=x)


@pytest.mark.parametrize("f, args, keywords, wrt", [
    (clamp, (1.3, 0.2), {"max": 1.1}, ("x", "max")),
    (clamp, (1.3, 0.2), {}, ("x", "min")),
    (weighed, (np.array([0.3, 0.8, 1.2]), 0.5), {"list": 2.0}, ("x", "list", "len")),
    (helpers, (1.3,), {}, ("x",)),
    (itself, (1.3, 3), {}, ("x",)),
])
def test_parameters(f, args, keywords, wrt):
    with by_names():
        value, found = tl.value_and_grad(f, wrt=wrt)(*args, **keywords)
    given = {**dict(zip(inspect.signature(f).parameters, args)), **keywords}
    assert value == f(**given)
    for name, slope in zip(wrt, found):
        x, slopes = np.asarray(given.get(name, 2.0)), np.asarray(slope)
        for k in np.ndindex(x.shape):
            step = np.zeros(x.shape)
            step[k] = 1e-6
            high, low = (f(**{**given, name: x + h * step if x.ndim else float(x + h * step)})
                         for h in (1.0, -1.0))
            assert slopes[k] == pytest.approx((high - low) / 2e-6, rel=1e-6)


def test_parameters_keep_their_names_for_who_calls():
    """What is emitted has others."""
    d = tl.grad(clamp, wrt="max")
    assert d(3.0, 0.1, max=1.5) == d(3.0, 0.1, 1.5) == d(x=3.0, min=0.1, max=1.5) == 1.0
    assert str(inspect.signature(d)) == "(x, min, max=2.0)"
    assert "def clamp_grad(x, min_, max_=2.0, bclamp=1.0):" in d.source_for(3.0, 0.1, 1.5)
    with pytest.raises(tl.WrtError, match="has no parameter max_"):
        tl.grad(clamp, wrt="max_")
    with pytest.raises(tl.InputError, match="the argument max is of type int"):
        d(3.0, 0.1, max=1)
    y, pullback = tl.vjp(clamp, 3.0, 0.1, 1.5)
    assert (y, pullback(1.0)) == (1.5, (0.0, 0.0, 1.0))
    assert tl.hessian(weighed, wrt="list")(np.ones(2), 0.5, list=2.0) == 4.0
    assert pickle.loads(pickle.dumps(d))(3.0, 0.1, 1.5) == 1.0


def test_defaults_that_are_replaced():
    def scaled(x, max=2.0):
        return x * max

    d = tl.grad(scaled)
    assert d(1.0) == 2.0
    scaled.__defaults__ = 5.0,
    assert d(1.0) == 5.0 and tl.grad(lambda x: scaled(x))(1.0) == 5.0


def test_what_goes_by_identity():
    class Range:
        def scaled(self, x, range):
            return x * range

    def by_dict(x, given):
        return clamp(x, **given)

    refused_by_names(tl.UnsupportedSyntaxError, lambda x: Range().scaled(x, 2.0), 1.3,
                     match="range is given a new")
    assert tl.grad(lambda x: Range().scaled(x, range=2.0))(1.3) == 2.0
    assert tl.grad(by_dict)(1.3, {"min": 0.0, "max": 5.0}) == 5.0
