"""What rules of users give has the shape of what it belongs to, or an error names the rule."""
# ruff: noqa: F821 - rules name what only exists where they are filled in
import re

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.result_kinds import elementwise, scalar_float


def summed_up(x):
    return x * 2.0


@tl.adjoint(summed_up)
def summed_up_adjoint(y, x):
    d[x] = np.sum(d[y]) * 2.0


@tl.tangent(summed_up)
def summed_up_tangent(y, x):
    d[y] = 2.0 * np.sum(d[x])


def cut_off(x):
    return x * 2.0


@tl.adjoint(cut_off, kind=elementwise)
def cut_off_adjoint(y, x):
    d[x] = (2.0 * d[y])[1:]


def total(x):
    return np.sum(x)


@tl.adjoint(total)
def total_adjoint(y, x):
    d[x] = d[y]


def joined(*xs):
    return np.sum(xs[0]) * np.sum(xs[1])


@tl.adjoint(joined)
def joined_adjoint(y, *xs):
    for k, x in enumerate(xs):
        d[x] = d[y] * y / np.sum(x)


def scaled(x, k):
    return x * k


@tl.adjoint(scaled)
def scaled_adjoint(y, x, k):
    d[x] = d[y] * k
    d[k] = d[y] * x


def weighted(x, n):
    return np.sum(x * x) * n


@tl.adjoint(weighted, constant=("n",))
def weighted_adjoint(y, x, n):
    d[x] = 2.0 * d[y] * x * n


@tl.tangent(weighted, constant=("n",))
def weighted_tangent(y, x, n):
    d[y] = 2.0 * np.sum(d[x] * x) * n


def cubed(x):
    return x ** 3


@tl.adjoint(cubed, kind=elementwise)
def cubed_adjoint(y, x):
    d[x] = 3.0 * d[y] * x * x


def measured(x):
    return float(np.sum(x * x))


@tl.adjoint(measured, kind=scalar_float)
def measured_adjoint(y, x):
    d[x] = 2.0 * d[y] * x


def by_identity(f, args):
    class Holder:
        pass
    holder = Holder()
    holder.value = f(*args)
    return holder.value


X = np.array([1.0, 2.0, 3.0])
WRONG = {
    "summed_up_adjoint": (lambda x: np.sum(summed_up(x) * x), (X,), "x", (), (3,)),
    "cut_off_adjoint": (lambda x: np.sum(cut_off(x)), (X,), "x", (2,), (3,)),
    "total_adjoint": (lambda x: total(x) ** 2, (X,), "x", (), (3,)),
    "joined_adjoint": (lambda x, y: joined(x, y), (X, 2.0), "xs", (), (3,)),
    "scaled_adjoint": (lambda x, k: np.sum(scaled(x, k) * x), (X, 2.0), "k", (3,), ()),
}


@pytest.mark.parametrize("rule", WRONG)
def test_another_shape_is_refused(rule):
    f, args, name, given, wanted = WRONG[rule]
    message = re.escape(f"has shape {given}, where {wanted} is needed")
    wrt = tuple(range(len(args)))
    for call in (lambda: tl.grad(f, wrt=wrt)(*args), lambda: tl.vjp(f, *args)[1](1.0),
                 lambda: tl.jacrev(f, wrt=wrt)(*args),
                 lambda: tl.grad(lambda x: by_identity(f, (x, *args[1:])))(args[0])):
        with pytest.raises(tl.OutputError, match=message) as caught:
            call()
        assert f"d[{name}] of {rule} (test_shapes_of_rules.py:" in str(caught.value)


def test_a_tangent_of_another_shape_is_refused():
    with pytest.raises(tl.OutputError, match=r"d\[y\] of summed_up_tangent"):
        tl.jvp(lambda x: summed_up(x) * x, (X,), (X,))


def test_what_fits_is_left():
    def f(x):
        return weighted(x, 2.0) ** 2
    def closed(x):
        return 16.0 * np.sum(x * x) * x
    np.testing.assert_allclose(tl.grad(f)(X), closed(X))
    assert tl.grad(f)(2.0) == closed(2.0)
    np.testing.assert_allclose(tl.jvp(f, (X,), (X,))[1], closed(X) @ X)
    tl.check_grads(f, (X,), order=1)
    tl.check_grads(f, (X,), order=2, modes=("rev",))


@pytest.mark.parametrize("f", [lambda x: np.sum(cubed(x) * x), lambda x: measured(x) ** 2])
def test_where_kinds_tell_nothing_is_looked_at(f):
    assert "in_shape_of" not in tl.grad(f).source_for(X)
    step = 1e-6 * np.cos(X)
    assert tl.grad(f)(X) @ step == pytest.approx((f(X + step) - f(X - step)) / 2.0, rel=1e-6)


def test_rules_that_come_along_are_not_looked_at():
    def f(x, y):
        return np.sum(np.hypot(x, y) * np.convolve(x, y)[:3])
    assert "in_shape_of" not in tl.grad(f).source
    assert "in_shape_of" not in tl.grad(f).source_for(X, X)


def test_a_number_may_be_of_either_library():
    for x in (2.0, np.float64(2.0), np.float32(2.0)):
        assert tl.grad(lambda x: weighted(x, 3.0))(x) == pytest.approx(12.0)


def test_what_is_bound_anew_is_looked_at_as_it_was():
    def f(x):
        for _ in range(3):
            x = summed(x)
        return np.sum(x * x)
    def summed(x):
        return np.concatenate([x, x[:1]])
    @tl.adjoint(summed)
    def summed_adjoint(y, x):
        d[x] = summed_back(d[y])
    step = 1e-6 * np.cos(X)
    assert tl.grad(f)(X) @ step == pytest.approx((f(X + step) - f(X - step)) / 2.0, rel=1e-6)


def summed_back(dy):
    dx = dy[:-1].copy()
    dx[0] += dy[-1]
    return dx


def test_compiled():
    pytest.importorskip("numba")
    f = tl.grad(lambda x: weighted(x, 2.0) ** 2, backend="numba")
    np.testing.assert_allclose(f(X), 16.0 * np.sum(X * X) * X)
    with pytest.raises(tl.OutputError, match="of cut_off_adjoint"):
        tl.grad(lambda x: np.sum(cut_off(x)), backend="numba")(X)
