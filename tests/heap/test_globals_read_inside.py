"""By identity, globals that a function reads and the functions inside it read, too."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.closeness import slope
from tests.heap.forced import by_identity


class Law:
    strength = 1.5

    def __init__(self, value=None):
        self.weight, self.value = 2.0, value

    def force(self, x):
        return -self.strength * self.weight * x ** 3


law, settings, total = Law(Law()), {"k": 2.0}, 0.5
law.value.weight = 7.0


def in_a_generator(x):
    return sum(law.force(v) for v in [x, x * x]) + law.weight * x


def in_a_function(x):
    def inner(v):
        return law.force(v) * settings["k"]
    return inner(x) + law.weight * x * settings["k"]


def in_a_lambda(x):
    chosen = max([x, x * x], key=lambda v: -v * law.weight)
    scaled = [lambda v, table=settings: v * table["k"] * law.weight for _ in range(2)]
    return chosen * law.weight + sum(f(x) for f in scaled) * settings["k"]


def two_deep(x):
    def decorated(h):
        def wrapper(v):
            return h(v) * law.weight
        return wrapper

    @decorated
    def g(v):
        return v * law.strength * settings["k"]
    return g(x) * law.weight * settings["k"]


def bound_anew(x):
    global total
    kept = total
    total = x * x
    times = lambda v: v * total                                         # noqa: E731
    found = times(x)
    total = x
    found = found + times(x) * total
    total = kept
    return found


@pytest.mark.parametrize(
    "function", [in_a_generator, in_a_function, in_a_lambda, two_deep, bound_anew])
def test_globals_read_inside_and_outside(function):
    with by_identity():
        value, gradient = tl.value_and_grad(function)(0.7)
        tangent = tl.jvp(function, (0.7,), (1.0,))[1]
    assert value == function(0.7)
    np.testing.assert_allclose([gradient, tangent], slope(function, 0.7), rtol=1e-7)
    assert total == 0.5
