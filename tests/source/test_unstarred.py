"""Functions with `*args` and `**options` go by names, called as they are called themselves."""
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def power(x, *args):
    a, b = args
    return a * x ** b


def with_defaults(x, n=2, *more, **options):
    return x ** n + sum(more) * x * options.get("scale", 1.0)


def misfit(theta, *data):
    t, y = data
    return np.sum((theta[0] * np.exp(-theta[1] * t) - y) ** 2)


def writes(x, *arrays):
    arrays[0][0] = 5.0 * x
    return arrays[0] @ arrays[0]


class Model:
    def __init__(self, k):
        self.k = k

    def loss(self, x, *args, **options):
        return self.k * x * args[0] + options.get("z", 0.0) * x ** 2


@pytest.mark.parametrize("f, args, options", [
    (power, (2.0, 1.5, 3.0), {}), (with_defaults, (2.0,), {}), (with_defaults, (2.0, 3), {}),
    (with_defaults, (2.0, 3, 0.5, 1.5), {"scale": 2.0}),
    (Model(3.0).loss, (0.5, 2.0), {"z": 1.0}),
    (misfit, (np.array([1.0, 0.5]), np.arange(4.0), np.ones(4)), {})])
def test_by_names(f, args, options):
    with by_names():
        value, slope = tl.value_and_grad(f)(*args, **options)
        for step in np.eye(np.size(args[0])).reshape(-1, *np.shape(args[0])):
            dx = 1e-6 * step if np.ndim(step) else 1e-6
            up, down = (f(args[0] + s * dx, *args[1:], **options) for s in (1.0, -1.0))
            assert np.sum(slope * step) == pytest.approx((up - down) / 2e-6, rel=1e-6)
    assert value == f(*args, **options)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(*args, **options), slope, rtol=1e-12)


def test_what_is_behind_the_star():
    with by_names():
        assert tl.grad(power, wrt=("x", "args"))(2.0, 1.5, 2.0) == (
            6.0, (4.0, pytest.approx(6.0 * np.log(2.0))))
        assert tl.grad(with_defaults, wrt="options")(2.0, 3, 0.5, scale=2.0) == {"scale": 1.0}
        assert tl.jvp(power, (2.0, 1.5, 2.0), (1.0, 0.5, 0.0)) == (6.0, 8.0)
        assert tl.grad(tl.grad(power))(2.0, 1.5, 3.0) == tl.hessian(power)(2.0, 1.5, 3.0) == 18.0
        value, pullback = tl.vjp(power, 2.0, 1.5, 2.0)
        assert value == 6.0 and pullback(2.0)[:2] == (12.0, 8.0)
        assert pickle.loads(pickle.dumps(tl.grad(power)))(2.0, 1.5, 2.0) == 6.0


def test_what_is_given_stays_as_it_is():
    given = np.ones(3)
    assert tl.grad(writes)(2.0, given) == 100.0 and given.tolist() == [1.0, 1.0, 1.0]


def test_defaults_that_are_replaced():
    def f(x, n=2, *more):
        return x ** n

    d = tl.grad(f)
    assert d(2.0) == 4.0
    f.__defaults__ = (3,)
    assert d(2.0) == 12.0


def test_errors_are_those_of_the_function():
    d = tl.grad(power)
    with pytest.raises(ValueError, match="not enough values"):
        d(2.0)
    with pytest.raises(TypeError, match="unexpected keyword"):
        d(2.0, b=1.0)


def test_a_file_would_take_them_as_one_argument(tmp_path):
    with pytest.raises(tl.TangentError, match="behind a star"):
        tl.grad(power).save(tmp_path / "power_grad.py", 2.0, 1.5, 3.0)
