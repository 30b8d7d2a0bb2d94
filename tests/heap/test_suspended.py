"""Generators of the user, by identity: left at each item, forward and backward."""
import numpy as np
import pytest

import tangent_lite as tl
import tests.generator_effects  # noqa: F401 - it enters programs
from tests.generator_programs import PROGRAMS
from tests.heap.forced import by_identity


def differences(f, x, step=1e-6):
    return (f(x + step) - f(x - step)) / (2.0 * step)


@pytest.mark.parametrize("x", [0.7, 1.3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_right(name, x):
    f = PROGRAMS[name]
    expected = differences(f, x)
    with by_identity():
        value, slope = tl.value_and_grad(f)(x)
        _, tangent = tl.jvp(f, (x,), (1.0,))
        _, pullback = tl.vjp(f, x)
        pulled = [pullback(1.0)[0], pullback(1.0)[0]]
    assert value == f(x)
    np.testing.assert_allclose([slope, tangent, *pulled], expected, rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sweep(8)
def test_second_order(name):
    f = PROGRAMS[name]
    with by_identity():
        slope = tl.grad(f)
        np.testing.assert_allclose(tl.grad(slope)(0.7), differences(slope, 0.7), rtol=1e-5,
                                   atol=1e-7)


def march(u, k):
    for _ in range(3):
        u[0] = u[0] * u[1] * k
        yield u


def marched(u, k):
    return sum(np.sum(v) for v in march(u, k))


def test_arguments_stay_as_they_are():
    u = np.array([1.5, 0.5])
    u.flags.writeable = False
    with by_identity():
        slopes = tl.grad(marched, wrt=(0, 1))(u, 0.7)
    for number in range(2):
        def along(v, number=number):
            w = u.copy()
            w[number] = v
            return marched(w, 0.7)
        np.testing.assert_allclose(slopes[0][number], differences(along, u[number]), rtol=1e-6)
    np.testing.assert_allclose(slopes[1], differences(lambda k: marched(u.copy(), k), 0.7),
                               rtol=1e-6)


def grows(d):
    for key in list(d):
        yield key + "0", d[key] * len(d)


def updated(x):
    d = {"a": x}
    items = grows(d)
    d.update(items)
    return d["a0"]


def test_a_dict_is_updated_by_a_generator_that_sees_it():
    with pytest.raises(tl.UnsupportedSyntaxError, match="a dict is updated by a generator"):
        tl.grad(updated)(2.0)


def test_a_generator_has_no_derivative():
    with pytest.raises(tl.UnsupportedSyntaxError, match="a generator cannot be differentiated"):
        tl.grad(march)(np.ones(2), 1.0)
