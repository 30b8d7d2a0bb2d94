"""Functions that are made anew at each call of the one around them: their derivatives are written
once, and each has the closure of its own function."""

import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import variant as variants

X = np.array([1.3, -0.7, 2.1])


@pytest.fixture
def derived(monkeypatch):
    """The names of what is derived from here on."""
    found = []
    derive = variants.derive

    def noting(function, *rest):
        found.append(function.__name__)
        return derive(function, *rest)

    monkeypatch.setattr(variants, "derive", noting)
    return found


# What is captured -----------------------------------------------------------------------------
def scaled(c):
    return lambda v: (v * v * c).sum()


@pytest.mark.parametrize("captured", [
    [2.0, 3.0, np.float64(0.5), 7, True, np.array([1.0, 2.0, 3.0]), np.ones((2, 3)), 4.0,
     np.float32(0.25), np.array([2, 3, 4])]])
def test_data_of_any_kind(captured):
    made = [(c, tl.grad(scaled(c))) for c in captured]
    for _ in range(2):
        for c, gradient in made:
            expected = (2.0 * X * c).sum(axis=0) if np.ndim(c) == 2 else 2.0 * X * c
            np.testing.assert_allclose(gradient(X), expected, rtol=1e-12)


def test_one_derivative_is_written(derived):
    for k in range(5):
        np.testing.assert_array_equal(tl.grad(scaled(float(k)))(X), 2.0 * X * k)
        value, gradient = tl.value_and_grad(scaled(float(k)))(X)
        assert value == scaled(float(k))(X)
        np.testing.assert_array_equal(gradient, 2.0 * X * k)
        _, pullback = tl.vjp(scaled(float(k)), X)
        np.testing.assert_array_equal(pullback(2.0)[0], 4.0 * X * k)
        assert tl.jvp(scaled(float(k)), (X,), (X,))[1] == pytest.approx((2.0 * X * X * k).sum())
    assert len(derived) <= 4


def by_what_is_there(option, p=None):
    def f(v):
        if option is None:
            return v * v
        if option == "cube":
            return v * v * v
        return v * option if p is None else v * option * p
    return f


def test_what_the_text_depends_on():
    cases = [(None, None, 2.0 * 1.7), ("cube", None, 3.0 * 1.7 ** 2), (5.0, None, 5.0),
             (5.0, 2.0, 10.0), ("cube", 1.0, 3.0 * 1.7 ** 2), (None, 3.0, 2.0 * 1.7), (4, 2, 8.0)]
    made = [(tl.grad(by_what_is_there(option, p)), expected) for option, p, expected in cases]
    for gradient, expected in [*made, *reversed(made)]:
        assert gradient(1.7) == pytest.approx(expected, rel=1e-14)


def with_a_setter(c):
    def change(new):
        nonlocal c
        c = new
    return (lambda v: v * v * c), change


def test_names_are_live_in_each():
    made = [with_a_setter(c) for c in (2.0, 3.0, 4.0)]
    gradients = [tl.grad(f) for f, _ in made]
    assert [g(1.0) for g in gradients] == [4.0, 6.0, 8.0]
    made[1][1](10.0)
    assert [g(1.0) for g in gradients] == [4.0, 20.0, 8.0]
    made[2][1](np.array(0.5))
    assert [g(1.0) for g in gradients] == [4.0, 20.0, 1.0]
    made[0][1](7)
    assert [g(1.0) for g in gradients] == [14.0, 20.0, 1.0]


def test_names_that_a_text_only_rests_on_are_live_in_second_derivatives():
    def make(option):
        def change(new):
            nonlocal option
            option = new

        def f(v):
            return v ** 3 if option is None else v ** 3 * option
        return f, change

    made = [make(None), make(None), make(2.0)]
    seconds = [tl.grad(tl.grad(f)) for f, _ in made]
    assert [g(1.0) for g in seconds] == [6.0, 6.0, 12.0]
    made[1][1](5.0)
    assert [g(1.0) for g in seconds] == [6.0, 30.0, 12.0]
    made[2][1](None)
    assert [g(1.0) for g in seconds] == [6.0, 30.0, 6.0]


def test_lists_and_dicts_of_other_kinds():
    def make(p):
        return lambda v: sum(v * w for w in p["w"]) * p["c"]

    for p in ({"w": [1.0, 2.0], "c": 3.0}, {"w": [1.0, 2.0, 4.0], "c": 1.0},
              {"w": [np.ones(3), X], "c": 2.0}, {"w": [5.0], "c": X, "d": None}):
        expected = np.sum(np.ones(3) * np.asarray(sum(p["w"])) * p["c"]) / 3.0
        gradient = tl.grad(lambda v, p=p: np.sum(make(p)(v) * np.ones(3)) / 3.0)(1.5)
        assert gradient == pytest.approx(expected, rel=1e-12)


def test_what_is_written_to_is_copied_in_each():
    def make(a):
        def f(v):
            a[0] = v
            a[1] += v * a[0]
            return a.sum()
        return f

    for k in range(3):
        a = X + k
        before = a.copy()
        assert tl.grad(make(a))(1.5) == pytest.approx(1.0 + 2.0 * 1.5)
        np.testing.assert_array_equal(a, before)


def test_two_names_that_are_one_array_in_one_of_them():
    def make(a, b):
        def f(v):
            a[0] = v
            return (a * b).sum()
        return f

    a, b = X.copy(), X.copy()
    assert tl.grad(make(a, b))(1.5) == pytest.approx(b[0])
    try:
        assert tl.grad(make(a, a))(1.5) == pytest.approx(3.0)
    except tl.AliasError:
        pass
    assert tl.grad(make(b, a))(1.5) == pytest.approx(a[0])


# Functions that are captured --------------------------------------------------------------------
def test_functions_that_are_made_along(derived):
    def make(c):
        def inner(v):
            return math.sin(c * v)

        def again(v, n):
            return inner(v) if n == 0 else again(v * c, n - 1)
        return lambda v: inner(v) * v + again(v, 2)

    def slope(c, v):
        return math.sin(c * v) + c * v * math.cos(c * v) + c ** 3 * math.cos(c ** 3 * v)

    for c in (0.5, 1.0, 1.5):
        assert tl.grad(make(c))(0.7) == pytest.approx(slope(c, 0.7), rel=1e-12)
    assert len(set(derived)) == len(derived)            # and nothing twice


def test_another_function_under_the_name():
    def make(which, c):
        def square(v):
            return c * v * v

        def cube(v):
            return c * v * v * v
        g = square if which else cube
        return lambda v: g(v) + v

    for which, c in ((True, 2.0), (False, 2.0), (True, 3.0), (False, 5.0), (True, 1.0)):
        expected = 2.0 * c * 1.5 + 1.0 if which else 3.0 * c * 1.5 ** 2 + 1.0
        assert tl.grad(make(which, c))(1.5) == pytest.approx(expected, rel=1e-14)


def test_a_derivative_inside(derived):
    def make(c):
        g = tl.grad(lambda u: u ** 3 * c)
        return lambda v: g(v) * v

    for c in (1.0, 2.0, 3.0):
        assert tl.grad(make(c))(1.5) == pytest.approx(9.0 * c * 1.5 ** 2, rel=1e-12)


# Defaults, methods, shapes ----------------------------------------------------------------------
def test_defaults_are_those_of_each():
    made = [lambda v, c=c, shift=1.0: v * v * c + X[0] * shift for c in (2.0, 3.0, 7)]
    gradients = [tl.grad(f) for f in made]
    assert [g(1.5) for g in gradients] == [6.0, 9.0, 21.0]
    assert [g(1.5, 1.0) for g in gradients] == [3.0, 3.0, 3.0]
    closures = [(lambda d: lambda v, c=c: v * v * c * d)(c + 1.0) for c in (2.0, 3.0)]
    assert [tl.grad(f)(1.0) for f in closures] == [12.0, 24.0]
    assert [tl.grad(tl.grad(f))(1.0) for f in closures] == [12.0, 24.0]


class Layer:
    def __init__(self, w, act=None):
        self.w, self.act = w, act

    def loss(self, v):
        y = v * self.w
        return (y * y).sum() if self.act is None else self.act(y).sum()

    def __call__(self, v):
        return self.loss(v) * 2.0


class Other(Layer):
    def loss(self, v):
        return super().loss(v) * 3.0


def test_defaults_in_derivatives_of_derivatives():
    def make(d):
        return lambda v, c=d + 1.0: v ** 4 * c * d

    for d in (1.0, 2.0, 3.0):
        third = tl.grad(tl.grad(tl.grad(make(d))))
        assert third(0.5) == pytest.approx(24.0 * 0.5 * (d + 1.0) * d, rel=1e-13)
        assert third(0.5, 1.0) == pytest.approx(24.0 * 0.5 * d, rel=1e-13)
        assert third(0.5, c=2.0) == pytest.approx(48.0 * 0.5 * d, rel=1e-13)


def test_methods_of_other_objects(derived):
    for w in (2.0, 3.0, 4.0):
        np.testing.assert_allclose(tl.grad(Layer(w).loss)(X), 2.0 * X * w * w, rtol=1e-14)
        np.testing.assert_allclose(tl.grad(Layer(w))(X), 4.0 * X * w * w, rtol=1e-14)
    assert len(derived) == 2
    np.testing.assert_allclose(tl.grad(Other(2.0).loss)(X), 24.0 * X, rtol=1e-14)
    np.testing.assert_allclose(tl.grad(Layer(2.0, np.sin).loss)(X), 2.0 * np.cos(2.0 * X))
    np.testing.assert_allclose(tl.grad(Layer(X).loss)(X), 2.0 * X ** 3, rtol=1e-14)


def test_many_shapes(derived):
    def make(a):
        return lambda v: (v * a + v).sum()

    shapes = [(3,), (1,), (2, 3), (0,), (4,), (5,), (1, 3), (3, 1), (7,), (6,), (2, 2)]
    for shape in shapes:
        for a in (np.full(shape, 2.0), np.ones(1), 2.0):
            v = np.linspace(0.0, 1.0, int(np.prod(shape))).reshape(shape)
            np.testing.assert_allclose(tl.grad(make(a))(v), np.zeros(shape) + a + 1.0)
    before = len(derived)
    for n in range(20, 30):
        np.testing.assert_allclose(tl.grad(make(np.full(n, 2.0)))(np.ones(n)), np.full(n, 3.0))
    assert len(derived) - before <= 2


# What else is done with them ----------------------------------------------------------------------
def test_operators_on_top():
    for c in (1.0, 2.0, 3.0):
        f = scaled(c)
        np.testing.assert_allclose(tl.hessian(f)(X), 2.0 * c * np.eye(3), rtol=1e-14)
        np.testing.assert_allclose(tl.hvp(f)(X, X), 2.0 * c * X, rtol=1e-14)
        np.testing.assert_allclose(tl.jacobian(lambda v: v * v * c)(X), np.diag(2.0 * c * X))
        assert tl.grad(tl.grad(tl.grad(lambda v: v ** 3 * c)))(1.5) == pytest.approx(6.0 * c)
        tl.check_grads(f, (X,))


def test_division_by_zero():
    def make(c):
        return lambda x, y: c * x / y if y == 0.0 and x > 1e9 else c * math.sqrt(x * x) + 0.0 * y

    for c in (1.0, 2.0):
        assert math.isnan(tl.grad(make(c))(0.0, 1.0))
        assert tl.grad(make(c))(2.0, 1.0) == c


def test_what_is_shown_and_saved(tmp_path):
    made = [tl.grad(scaled(c)) for c in (2.0, 3.0)]
    assert made[0](X).sum() * 3.0 == pytest.approx(made[1](X).sum() * 2.0)
    assert made[0].source_for(X) == made[1].source_for(X)
    for c, derivative in zip((2.0, 3.0), made):          # a saved one brings its own number along
        derivative.save(tmp_path / "saved.py", X)
        space = {}
        exec((tmp_path / "saved.py").read_text(), space)
        np.testing.assert_allclose(space["lambda__grad"](X), 2.0 * c * X, rtol=1e-14)
    for _ in range(3):
        np.testing.assert_allclose(made[1](X), 6.0 * X)     # by the way in that is written later


def test_compiled():
    pytest.importorskip("numba")
    for c in (2.0, 3.0):
        np.testing.assert_allclose(tl.grad(scaled(c), backend="numba")(X), 2.0 * c * X)


def cube(v):
    return v * v * v


def test_rules_that_are_registered_later_count_for_what_is_called_later():
    def make(c):
        return lambda v: c * cube(v)

    assert tl.grad(make(2.0))(1.0) == 6.0
    waits = tl.grad(make(3.0))

    @tl.adjoint(cube)
    def cube_adjoint(z, v):
        d[v] = 100.0 * d[z]                                                     # noqa: F821

    assert waits(1.0) == tl.grad(make(3.0))(1.0) == 300.0
