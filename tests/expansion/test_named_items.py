"""`f(**d)` of dicts whose keys are computed, and dicts whose keys are tuples: by names, held to the
other strategy and to differences."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names

TIMES = np.array([0.1, 0.5])
X = np.array([0.3, 0.4, 0.5])


def decay(t, cl, v, ka=1.2, *, lag=0.1):
    return np.sum(np.exp(-cl / v * t) * ka) + lag * ka


class Model:
    def __init__(self, cl, v):
        self.cl, self.v = cl, v

    def at(self, t, ka):
        return np.sum(np.exp(-self.cl / self.v * t) * ka)


def written_keys(x):
    p = dict(zip(["cl", "v"], x))
    return decay(TIMES, **p) + decay(TIMES, **dict(zip(("cl", "v", "ka"), x * x)))


def given_keys(x, names=("v", "cl", "ka")):
    p = dict(zip(names, np.exp(x)))
    return decay(TIMES, lag=0.3 * x[0], **p)


def some_defaults(x, names=("v", "cl", "lag")):
    p = {name: value for name, value in zip(names, x)}
    return decay(TIMES, **{name: value * value for name, value in p.items()})


def inside(x):
    def model(t, cl, v):
        return np.sum(np.exp(-cl / v * t)) * x[2]

    p = dict(zip(["cl", "v"], x))
    return model(TIMES, **p)


def objects(x):
    p = dict(zip(["cl", "v"], x))
    return Model(**p).at(TIMES, **dict(zip(["ka"], x[2:])))


@pytest.mark.parametrize("function", [written_keys, given_keys, some_defaults, inside, objects])
def test_items_by_their_names(function):
    with by_names():
        value, slope = tl.value_and_grad(function)(X)
    assert value == function(X)
    with by_identity():
        np.testing.assert_allclose(slope, tl.grad(function)(X), rtol=1e-10)
    tl.check_grads(function, (X,), order=2)


@pytest.mark.parametrize("names", [("v", "cl", "zz"), ("cl", "v", "t")])
def test_what_it_does_not_take(names):
    with pytest.raises(TypeError):
        some_defaults(X, names)
    with by_names(), pytest.raises(TypeError, match="unexpected keyword argument"):
        tl.grad(some_defaults)(X, names)


def test_what_is_missing():
    with pytest.raises(KeyError, match="cl"), by_names():
        tl.grad(some_defaults)(X, ("v", "lag"))


def any_names(**rates):
    return sum(rates.values())


def test_what_takes_any_name_is_right():
    def function(x):
        return any_names(**dict(zip(["a", "b"], x * x)))
    np.testing.assert_allclose(tl.grad(function)(X), [0.6, 0.8, 0.0])


# Keys that are tuples ----------------------------------------------------------------------------
def residuals(x, seen):
    total = 0.0
    for (i, j), (u, v) in seen.items():
        e = np.array([x[i] * x[j] - u, x[i] - v])
        total += e @ e
    for pair in seen:
        total += x[pair[0]] * seen[pair][1]
    return total


def test_keys_that_are_tuples():
    derivative = tl.grad(residuals, wrt=(0, 1))
    for seen in ({(0, 1): (0.1, 0.2), (1, 2): (0.4, 0.5)}, {(2, 0): (0.1, 0.2), (1, 1): (0.4, 0.5)},
                 {(0, 0): (0.3, -0.2)}, {}):
        with by_names():
            slope, by_seen = derivative(X, seen)
        tl.check_grads(lambda x: residuals(x, seen), (X,), order=2)
        for key in seen:
            h = 1e-6
            moved = [residuals(X, {**seen, key: (seen[key][0], seen[key][1] + s)}) for s in (h, -h)]
            np.testing.assert_allclose(by_seen[key][1], (moved[0] - moved[1]) / (2 * h), rtol=1e-6)
