"""Wrappers made with functools.wraps have the attributes of what they wrap, and are none of it."""
import functools

import numba
import numpy as np
import pytest
import scipy.special

import tangent_lite as tl


def shifted(fun):
    """What this makes computes 2 f(x) + x, whatever it says of itself."""
    @functools.wraps(fun)
    def wrapper(x):
        return 2.0 * fun(x) + x
    return wrapper


class Shifted:
    """The same as an object that can be called."""

    def __init__(self, fun):
        functools.update_wrapper(self, fun)
        self.inner = fun

    def __call__(self, x):
        return 2.0 * self.inner(x) + x


def copied_by_hand(fun):
    def wrapper(x):
        return 2.0 * fun(x) + x
    wrapper.__dict__.update({k: v for k, v in vars(fun).items() if k == "py_func"})
    return wrapper


def cube(x):
    return x * x * x


def tripled(x, factor=3.0):
    return x * x * factor


@functools.singledispatch
def dispatched(x):
    raise NotImplementedError


@dispatched.register
def _(x: float):
    return x * x * x


@functools.lru_cache
def kept(x):
    return x * x * x


def tangent_of_cube(y, x, dx):
    return 3.0 * x * x * dx


# What is wrapped, and its derivative at 1.3.
AT = 1.3
WRAPPED = {
    "a plain function": (cube, 3.0 * AT * AT),
    "compiled": (numba.njit(cube), 3.0 * AT * AT),
    "with a derivative of its own": (
        tl.custom_derivative(cube, tangent=tangent_of_cube), 3.0 * AT * AT),
    "a checkpoint": (tl.checkpoint(cube), 3.0 * AT * AT),
    "a derivative": (tl.grad(cube), 6.0 * AT),
    "under lru_cache": (kept, 3.0 * AT * AT),
    "dispatched": (dispatched, 3.0 * AT * AT),
    "a partial": (functools.partial(tripled, factor=2.0), 4.0 * AT),
    "vectorized": (np.vectorize(cube), 3.0 * AT * AT),
    "a function of NumPy": (np.sin, np.cos(AT)),
    "a function of SciPy": (scipy.special.gammaln, scipy.special.digamma(AT)),
    "a wrapper": (shifted(cube), 6.0 * AT * AT + 1.0),
}


@pytest.mark.parametrize("wrap", [shifted, Shifted, copied_by_hand])
@pytest.mark.parametrize("name", WRAPPED)
def test_the_wrapper_is_differentiated(name, wrap):
    if wrap is Shifted and name == "compiled":
        pytest.skip("Numba keeps a dict of a kind of its own there, which is refused")
    inner, slope = WRAPPED[name]
    fun = wrap(inner)
    wanted = 2.0 * slope + 1.0
    step = 1e-6
    assert np.isclose((fun(AT + step) - fun(AT - step)) / (2.0 * step), wanted, rtol=1e-7)
    value, gradient = tl.value_and_grad(fun)(AT)
    assert value == fun(AT)
    assert np.isclose(gradient, wanted, rtol=1e-12)
    assert np.isclose(tl.grad(lambda x: 3.0 * fun(x))(AT), 3.0 * wanted, rtol=1e-12)

    def by_identity(x):
        class Local:            # names alone do not do
            weight = 3.0
        return Local.weight * fun(x)

    if wrap is not Shifted:
        assert np.isclose(tl.grad(by_identity)(AT), 3.0 * wanted, rtol=1e-12)


@pytest.mark.parametrize(
    "name", ["a plain function", "a checkpoint", "with a derivative of its own"])
def test_the_wrapper_in_forward_mode_and_in_a_checkpoint(name):
    inner, slope = WRAPPED[name]
    wanted = 2.0 * slope + 1.0
    fun = shifted(inner)
    assert np.isclose(tl.jvp(fun, (AT,), (1.0,))[1], wanted, rtol=1e-12)
    again = tl.checkpoint(fun)
    assert again(AT) == fun(AT)
    assert np.isclose(tl.grad(again)(AT), wanted, rtol=1e-12)
    assert np.isclose(tl.grad(lambda x: again(x) * 2.0)(AT), 2.0 * wanted, rtol=1e-12)


def test_a_wrapper_of_grad_itself():
    """It makes a derivative, and another one than grad."""
    @functools.wraps(tl.grad)
    def doubled_grad(fun):
        return lambda x: 2.0 * tl.grad(fun)(x)

    assert tl.grad(lambda x: doubled_grad(cube)(x) * x)(AT) == pytest.approx(18.0 * AT * AT)


def test_a_wrapper_of_a_compiled_function_compiled():
    fun = shifted(numba.njit(cube))
    assert tl.grad(fun, backend="numba")(AT) == pytest.approx(6.0 * AT * AT + 1.0)


def test_a_wrapper_with_parameters_of_its_own():
    @functools.wraps(cube)
    def scaled(x, factor, *, shift=0.0):
        return factor * cube(x) + shift * x

    assert tl.grad(scaled, wrt=("x", "factor", "shift"))(2.0, 3.0) == (36.0, 8.0, 2.0)
    assert tl.grad(lambda x: scaled(x, 3.0, shift=2.0) * 2.0)(2.0) == 76.0


def test_dispatched_by_type():
    """The gradient is that of the argument, not of a tuple of all."""
    assert tl.grad(dispatched)(2.0) == 12.0
    assert tl.value_and_grad(dispatched)(2.0) == (8.0, 12.0)
    assert tl.vjp(dispatched, 2.0)[1](1.0) == (12.0,)


@pytest.mark.parametrize("kind", [staticmethod, classmethod, property, functools.cached_property])
@pytest.mark.parametrize("inner", [cube, tl.grad(cube)])
def test_what_is_no_function_yet(kind, inner):
    with pytest.raises(tl.InputError, match=f"is a {kind.__name__}, and no function yet"):
        tl.grad(kind(inner))


def counts(args):
    if len(args) > 7:
        raise ValueError("too many")


def looks_at_first(args):
    if args[0] < 0.0:
        raise ValueError("below zero")


def looks_at_all(args):
    for a in args:
        assert np.all(np.isfinite(a))


@pytest.mark.parametrize("look", [counts, looks_at_first, looks_at_all])
def test_what_looks_at_its_arguments_and_hands_them_on(look):
    """The gradient is that of an argument of what is wrapped, and not of a tuple of all."""
    def looked_at(fun):
        @functools.wraps(fun)
        def wrapper(*args, **options):
            look(args)
            return fun(*args, **options)
        return wrapper

    @looked_at
    def product(x, y):
        return x * x * y

    assert tl.grad(product)(1.3, 2.0) == pytest.approx(5.2)
    assert tl.grad(product, wrt=("y", 0))(1.3, 2.0) == pytest.approx((1.69, 5.2))
    assert tl.grad(lambda x: product(x, y=2.0))(1.3) == pytest.approx(5.2)
    with pytest.raises(tl.InputError, match="positional"):
        tl.grad(product)(1.3, y=2.0)            # what the wrapper looks at would be another tuple

    class Model:
        @looked_at
        def loss(self, x):
            return 3.0 * x * x

    if look is counts:                          # the first of them is an object
        assert tl.grad(Model().loss)(2.0) == 12.0


def test_what_binds_its_arguments_anew_has_its_own():
    @functools.wraps(cube)
    def first_of(*args):
        args = args[:1]
        return cube(*args)

    assert tl.grad(first_of)(2.0, 5.0) == (12.0, 0.0)
