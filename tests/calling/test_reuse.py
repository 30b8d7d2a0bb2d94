"""What was made for a function is used again by later calls; what names mean stays live."""
import functools

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import transform
from tangent_lite.calling.reuse import forget

u = np.array([1.0, 2.0, 3.0])


def square(x):
    return np.sum(x * x)


def product(x):
    return np.sum(x @ x) if np.ndim(x) else x * x


CALLS = {
    "vjp": lambda f: tl.vjp(f, u)[1](1.0)[0],
    "jvp": lambda f: tl.jvp(f, (u,), (u,))[1],
    "linearize": lambda f: tl.linearize(f, u)[1](u),
    "grad": lambda f: tl.grad(f)(u),
    "hvp": lambda f: tl.hvp(f)(u, u),
    "hessian": lambda f: tl.hessian(f)(u),
    "jacobian": lambda f: tl.jacobian(f)(u),
    "elementwise_grad": lambda f: tl.elementwise_grad(f)(u),
    "grad of grad": lambda f: tl.grad(lambda x: np.sum(tl.grad(f)(x)))(u),
}


def count_derivatives(monkeypatch):
    """What is transformed from here on, as a list that grows."""
    made = []
    original = transform.derive
    for module in ("variant", "directions.batched"):
        monkeypatch.setattr(f"tangent_lite.{module}.derive",
                            lambda *args: made.append(args) or original(*args))
    return made


@pytest.mark.parametrize("how", sorted(CALLS.keys() - {"grad of grad"}))
def test_a_function_is_transformed_once(how, monkeypatch):
    forget()                            # those of the same code that other calls of this test made
    made = count_derivatives(monkeypatch)

    def f(x):
        return np.sum(np.sin(x) * x) * len(how)

    CALLS[how](f)
    assert made
    made.clear()
    CALLS[how](f)
    assert not made


def test_lambdas_made_anew_are_one_function(monkeypatch):
    def steps(n):
        w = u
        for k in range(n):
            value, pullback = tl.vjp(lambda y: square(y) * (k + 1.0), w)
            w = w - 0.01 * pullback(1.0)[0]
        return w

    want = u
    for k in range(4):
        want = want - 0.01 * 2.0 * (k + 1.0) * want
    np.testing.assert_allclose(steps(4), want)
    made = count_derivatives(monkeypatch)
    steps(50)
    # One at the most: what was made goes when the last of these functions does.
    assert len(made) <= 1


def test_functions_that_differ_in_what_they_capture():
    def power(k):
        return lambda x: np.sum(x ** k)

    for k in (1.0, 2.0, 3.0):
        np.testing.assert_allclose(tl.vjp(power(k), u)[1](1.0)[0], k * u ** (k - 1.0))
        np.testing.assert_allclose(tl.grad(power(k))(u), k * u ** (k - 1.0))

    def with_default(x, k=2.0):
        return np.sum(x) * k

    for k in (2.0, 5.0):
        with_default.__defaults__ = (k,)
        np.testing.assert_allclose(tl.vjp(with_default, u, wrt=0)[1](1.0), k * np.ones(3))


def test_partials_methods_and_objects():
    class Scaled:
        def __init__(self, k):
            self.k = k

        def total(self, x):
            return self.k * np.sum(x)

        def __call__(self, x):
            return self.k * np.sum(x)

    for k in (1.0, 2.0, 3.0):
        scaled = Scaled(k)
        for f in (scaled.total, scaled, functools.partial(lambda k, x: k * np.sum(x), k)):
            np.testing.assert_allclose(tl.vjp(f, u)[1](1.0)[0], k * np.ones(3))
    scaled.k = 7.0
    np.testing.assert_allclose(tl.vjp(scaled.total, u)[1](1.0)[0], 7.0 * np.ones(3))
    Scaled.total = lambda self, x: np.sum(x * x)
    Scaled.__call__ = lambda self, x: np.sum(x * x)
    np.testing.assert_allclose(tl.vjp(scaled.total, u)[1](1.0)[0], 2.0 * u)
    np.testing.assert_allclose(tl.vjp(scaled, u)[1](1.0)[0], 2.0 * u)


def helper(x):
    return x * x


def calls_a_helper(x):
    return np.sum(helper(x)) * FACTOR


FACTOR = 1.0


def test_names_stay_live(monkeypatch):
    for call, want in ((CALLS["vjp"], 2.0 * u), (CALLS["jvp"], 2.0 * u @ u)):
        np.testing.assert_allclose(call(calls_a_helper), want)
        with monkeypatch.context() as changed:
            changed.setitem(globals(), "FACTOR", 3.0)
            np.testing.assert_allclose(call(calls_a_helper), 3.0 * want)
            changed.setitem(globals(), "helper", lambda x: 5.0 * x)
            other = 15.0 * np.ones(3) if np.ndim(want) else 15.0 * np.sum(u)
            np.testing.assert_allclose(call(calls_a_helper), other)
        np.testing.assert_allclose(call(calls_a_helper), want)


@pytest.mark.parametrize("how", CALLS)
def test_code_that_is_replaced(how):
    """As editors do that load modules again and keep the functions."""
    def first(x):
        return np.sum(x * x * x)

    def second(x):
        return np.sum(np.sin(x))

    derivative = tl.grad(first)
    want = CALLS[how](second)
    CALLS[how](first)
    derivative(u)
    first.__code__ = second.__code__
    np.testing.assert_allclose(CALLS[how](first), want)
    np.testing.assert_allclose(derivative(u), np.cos(u))


def outer(x):
    return np.sum(inner(x))


def inner(x):
    return x * x


def other_inner(x):
    return x * x * x


def test_the_code_of_a_helper_that_is_replaced():
    derivative, kept = tl.grad(outer), inner.__code__
    np.testing.assert_allclose(derivative(u), 2.0 * u)
    inner.__code__ = other_inner.__code__
    try:
        np.testing.assert_allclose(derivative(u), 3.0 * u * u)
        np.testing.assert_allclose(tl.vjp(outer, u)[1](1.0)[0], 3.0 * u * u)
    finally:
        inner.__code__ = kept


def test_rules_that_come_later():
    def unruled(x):
        return np.spacing(x) * 0.0 + np.rint(x)

    def f(x):
        return np.sum(x * tl.stop_gradient(unruled(x)))

    before = tl.vjp(f, u)[1](1.0)[0]
    tl.nondifferentiable(unruled)
    np.testing.assert_allclose(tl.vjp(f, u)[1](1.0)[0], before)


def test_what_is_saved_is_of_the_latest_call():
    first, second = tl.grad(product), tl.grad(product)
    first(np.ones((2, 2)))
    second(2.0)
    assert first.standalone() != second.standalone()
    first(2.0)
    assert first.standalone() == second.standalone()


def smooth(x):
    return x * x


def uses_smooth(x):
    return np.sum(smooth(x) * x)


def test_derivatives_that_were_called_follow_rules_that_come_later():
    made = {"grad": tl.grad(uses_smooth), "grad of grad": tl.grad(
        lambda x: np.sum(tl.grad(uses_smooth)(x))), "jacobian": tl.jacobian(uses_smooth),
        "jacfwd": tl.jacfwd(uses_smooth), "hessian": tl.hessian(uses_smooth)}
    before = {}
    for _ in range(3):              # the way in is written at the second call
        before = {name: d(u) for name, d in made.items()}
    np.testing.assert_allclose(before["grad"], 3.0 * u ** 2)
    for factor in (2.0, 3.0):       # and one that is mended
        if factor == 2.0:
            @tl.adjoint(smooth)
            def doubled(y, x):
                d[x] = d[y] * 2.0 * 2.0 * x                         # noqa: F821

            @tl.tangent(smooth)
            def doubled_tangent(y, x):
                d[y] = d[x] * 2.0 * 2.0 * x                         # noqa: F821
        else:
            @tl.adjoint(smooth)
            def tripled(y, x):
                d[x] = d[y] * 3.0 * 2.0 * x                         # noqa: F821

            @tl.tangent(smooth)
            def tripled_tangent(y, x):
                d[y] = d[x] * 3.0 * 2.0 * x                         # noqa: F821
        want = u ** 2 + factor * 2.0 * u * u
        for _ in range(3):
            np.testing.assert_allclose(made["grad"](u), want)
            np.testing.assert_allclose(made["jacobian"](u), want)
            np.testing.assert_allclose(made["jacfwd"](u), want)
            np.testing.assert_allclose(made["grad of grad"](u), factor * 6.0 * u)
            np.testing.assert_allclose(made["hessian"](u), np.diag(factor * 6.0 * u))


def test_rules_that_come_with_us_leave_what_was_written():
    made = tl.grad(square)
    made(u)
    from tangent_lite.calling.reuse import none_rests_on_these
    variants = made._variants
    with none_rests_on_these():
        forget()
    assert made._variants is variants
    forget()
    assert made._variants is not variants
