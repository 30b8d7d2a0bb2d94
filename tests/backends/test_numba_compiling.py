"""How often, and when, Numba compiles: once for a call, and all of it counted."""
import dataclasses

import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from numba.core import event  # noqa: E402

RNG = np.random.default_rng(3)


def shifted(u, v, n):
    """Writes the first column from the second, which no loop over elements is made for."""
    u = u.copy()
    for _ in range(n):
        u[:, 0] = u[:, 1]
        u = u * v
    return np.sum(u)


def stretched(u, v):
    """Which of the two is stretched is not known from their types."""
    return np.sum(u * v + u)


def compilations(call):
    recorder = event.RecordingListener()
    with event.install_listener("numba:compile", recorder):
        call()
    return len(recorder.buffer)


@pytest.mark.parametrize("function, args", [
    pytest.param(shifted, (RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4)), 2),
                 marks=pytest.mark.slow),
    (stretched, (RNG.normal(size=(3, 4)), RNG.normal(size=(3, 1)))),
], ids=["interleaved", "stretched"])
def test_the_second_call_compiles_nothing(function, args):
    d = tl.grad(function, wrt=(0, 1), backend="numba")
    found = d(*args)
    seconds = d.compile_seconds
    assert compilations(lambda: d(*args)) == 0
    assert d.compile_seconds == seconds > 0.0
    for one, expected in zip(found, tl.grad(function, wrt=(0, 1))(*args)):
        np.testing.assert_allclose(one, expected, rtol=1e-12)


def test_what_is_compiled_for_other_shapes_is_counted():
    d = tl.grad(stretched, backend="numba")
    d(np.ones((3, 4)), np.ones((3, 4)))
    seconds = d.compile_seconds
    assert d(np.ones((3, 4)), np.ones((3, 1))).shape == (3, 4)
    assert d.compile_seconds > seconds
    seconds = d.compile_seconds
    assert compilations(lambda: d(np.ones((3, 4)), np.ones((3, 1)))) == 0
    assert d.compile_seconds == seconds


def test_refusals_say_nothing_of_where_things_lie():
    def squeezed(x):
        return np.sum(np.squeeze(x))

    def rounded(x):
        return round(x[0], 2) * x[1]

    def by_lists(x):
        return np.sum(np.einsum(x, [0], [0]))

    for f in (squeezed, rounded, by_lists):
        with pytest.raises(tl.TangentError) as stopped:
            tl.grad(f, backend="numba")(np.ones(3))
        assert "0x" not in str(stopped.value)


class Spring:
    def __init__(self, k, x):
        self.k, self.x = k, x


@dataclasses.dataclass
class Weight:
    k: float
    x: float


def test_objects_that_are_made_are_those_of_dataclasses():
    def read(x, k):                 # what is read by its fields alone is not made
        spring = Spring(k, x)
        return spring.k * spring.x * np.sin(spring.x)

    def springs(x, k):
        spring = Spring(k, x)
        if x > 0.1:
            spring = Spring(2.0 * k, x)
        return spring.k * spring.x * np.sin(spring.x)

    def weights(x, k):
        weight = Weight(k, x)
        if x > 0.1:
            weight = Weight(2.0 * k, x)
        return weight.k * weight.x * np.sin(weight.x)

    slope = np.sin(0.3) + 0.3 * np.cos(0.3)
    np.testing.assert_allclose(tl.grad(read, backend="numba")(0.3, 2.0), 2.0 * slope, rtol=1e-12)
    np.testing.assert_allclose(tl.grad(weights, backend="numba")(0.3, 2.0), 4.0 * slope, rtol=1e-12)
    with pytest.raises(tl.TangentError, match="Spring is not compiled"):
        tl.grad(springs, backend="numba")(0.3, 2.0)
