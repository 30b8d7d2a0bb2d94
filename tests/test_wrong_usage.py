"""Wrong calls of the interface: errors with names of their own, that say what to do instead, and no
frames of ours between the user's call and the user's problem."""
import os
import traceback
import types

import numpy as np
import pytest

import tangent_lite as tl

HOME = os.path.dirname(tl.__file__)
u = np.ones(3)


def product(x, y):
    return np.sum(x * y)


def doubled(x):
    return x * 2.0


def hooked(x, returned):
    return np.sum(tl.grad_hook(x * 2.0, lambda g: returned))


class Model:
    scale = 2.0

    def __init__(self, weights):
        self.weights = weights

    @property
    def w(self):
        return self.weights * 2.0

    def loss(self, x):
        return np.sum(self.w * x) * self.scale


WRONG = [
    (lambda: tl.grad(product, wrt=None), tl.WrtError, "wrt=None is no position"),
    (lambda: tl.jacobian(product, wrt=None), tl.WrtError, "wrt=None is no position"),
    (lambda: tl.grad(product, "x.T")(u, u), tl.WrtError, "ndarray has no attribute T"),
    (lambda: tl.jacfwd(product, "x.T")(u, u), tl.WrtError, "ndarray has no attribute T"),
    (lambda: tl.grad(Model.loss, "self.w")(Model(u), u), tl.WrtError, "it is computed when"),
    (lambda: tl.grad(Model.loss, "self.scale")(Model(u), u), tl.WrtError, "belongs to the class"),
    (lambda: tl.hessian(Model.loss, "self.scale")(Model(u), u), tl.WrtError, "to the class"),
    (lambda: tl.vjp(Model.loss, Model(u), u, wrt="self.w"), tl.WrtError, "it is computed when"),
    (lambda: tl.grad(product)(u), tl.InputError, "product\\(\\): missing a required.*'y'"),
    (lambda: tl.hessian(product)(u), tl.InputError, "product.*missing a required.*'y'"),
    (lambda: tl.jvp(doubled, (u, u), (u, u)), tl.InputError, "doubled\\(\\): too many positional"),
    (lambda: tl.linearize(doubled, u, u), tl.InputError, "doubled\\(\\): too many positional"),
    (lambda: tl.grad(3), tl.InputError, "3 is not callable"),
    (lambda: tl.hessian(doubled)(u), tl.OutputError, r"doubled returns an array of shape \(3,\)"),
    (lambda: tl.hvp(doubled)(u, u), tl.OutputError, r"doubled returns an array of shape \(3,\)"),
    (lambda: tl.hessian(lambda x: "a")(1.0), tl.OutputError, "an object of type str"),
    (lambda: tl.grad(lambda x: "a")(1.0), tl.OutputError, "returns an object of type str"),
    (lambda: tl.grad(lambda x: (x, 1, 2), has_aux=True)(1.0), tl.OutputError, "a tuple of 3 parts"),
    (lambda: tl.hessian(lambda x: x * x)(2), tl.InputError, "pass a float or an array"),
    (lambda: tl.check_grads(doubled, 2.0), tl.InputError, "arguments as a tuple"),
    (lambda: tl.grad(hooked)(u, 1.0), tl.OutputError, r"hook returned shape \(\).*\(3,\)"),
    (lambda: tl.grad(hooked)(u, np.ones(2)), tl.OutputError, r"shape \(2,\).*\(3,\)"),
    (lambda: tl.grad(lambda x: x * 2.0)(np), tl.InputError, "module, which cannot vary"),
    (lambda: tl.grad(lambda x: x[0] * 2.0)([1, 2]), tl.InputError, "x is a list without floats"),
    (lambda: tl.hvp(product)(u), tl.InputError, "Instead: pass the vector last"),
    (lambda: tl.grad(doubled, has_aux=True)(1.0), tl.OutputError, "Instead: return both, or"),
    *[(lambda op=op: op(product, argnums=1), TypeError, "argnums: write wrt=")
      for op in (tl.grad, tl.value_and_grad, tl.jacobian, tl.jacfwd, tl.jacrev, tl.hessian, tl.hvp,
                 tl.elementwise_grad)],
    (lambda: tl.vjp(doubled, u, argnums=0), TypeError, r"vjp\(\) .*argnums: write wrt="),
    (lambda: tl.grad(product, wrt=[0, "y"]), tl.WrtError, r"write a tuple: wrt=\(0, 'y'\)"),
    (lambda: tl.vjp(doubled, u)[1](), TypeError, "missing 1 required .*'cotangent'"),
]


@pytest.mark.parametrize("wrong, error, message", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_wrong_calls(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def fails(x):
    raise ValueError("the user's")


def calls_what_fails(x, *rest):
    return fails(x)


def out_of_bounds(x, *rest):
    return x[10]


def no_such_key(x):
    return x["absent"] * 2.0


def frames_of(call):
    with pytest.raises(Exception) as caught:  # noqa: B017, PT011 - whatever it is, its frames count
        call()
    return caught.value, [frame.filename for frame in traceback.extract_tb(caught.tb)][2:]


@pytest.mark.parametrize("call", [
    lambda: tl.grad(fails)(1.0), lambda: tl.vjp(fails, 1.0), lambda: tl.jvp(fails, (1.0,), (1.0,)),
    lambda: tl.jacobian(fails)(u), lambda: tl.hessian(fails)(u), lambda: tl.hvp(fails)(u, u),
    lambda: tl.linearize(fails, u), lambda: tl.grad(calls_what_fails)(1.0, 2.0),
    lambda: tl.grad(out_of_bounds)(u, 1.0), lambda: tl.grad(out_of_bounds)(u),
    lambda: tl.check_grads(fails, (1.0,))])
def test_tracebacks_hold_one_frame_of_ours(call):
    error, files = frames_of(call)
    assert not isinstance(error, tl.TangentError)
    assert sum(file.startswith(HOME) for file in files) == 1
    assert not files[-1].startswith(HOME)


def test_refusals_come_without_the_way_to_them():
    for wrong, error, _ in WRONG:
        if issubclass(error, tl.TangentError):
            found, files = frames_of(wrong)
            assert sum(file.startswith(HOME) for file in files) == 1, found
            assert found.__cause__ is None or found.__cause__.__traceback__ is None


def test_errors_of_the_function_are_its_own():
    with pytest.raises(KeyError, match="absent"):
        tl.grad(no_such_key)({"present": 1.0})
    with pytest.raises(IndexError):
        tl.grad(lambda t: t[5] * 2.0)((1.0, 2.0))


def test_modules_as_arguments():
    def total(x, library):
        return library.sum(library.sin(x) * x)

    np.testing.assert_allclose(tl.grad(total)(u, np), np.cos(u) * u + np.sin(u))
    tl.check_grads(total, (u, np))
    assert tl.vjp(total, u, np)[1](1.0)[1] is None
    assert isinstance(np, types.ModuleType)


# Parameters with stars ----------------------------------------------------------------------------
def weighted(x, *weights):
    return np.sum(x ** 3) * weights[0] * weights[1] ** 2


def by_name(x, **weights):
    return np.sum(x ** 3) * weights["a"] ** 2 * weights["b"]


def test_tangents_of_starred_parameters():
    want = 3.0 * 18.0 * np.sum(u) + 3.0 * 9.0 + 3.0 * 2.0 * 6.0
    assert np.isclose(tl.jvp(weighted, (u, 2.0, 3.0), (u, 1.0, 1.0))[1], want)
    assert np.isclose(tl.linearize(weighted, u, 2.0, 3.0)[1](u, 1.0, 1.0), want)
    assert np.isclose(tl.jvp(weighted, (u, 2.0, 3.0), (u, None, None))[1], 162.0)


def test_second_derivatives_of_starred_parameters():
    np.testing.assert_allclose(tl.hessian(weighted)(u, 2.0, 3.0), 108.0 * np.eye(3))
    assert tl.hessian(weighted, "weights")(u, 2.0, 3.0) == ((0.0, 18.0), (18.0, 12.0))
    found = tl.grad(lambda x, *w: np.sum(tl.grad(weighted)(x, *w)), "w")(u, 2.0, 3.0)
    assert found == (81.0, 108.0)
    np.testing.assert_allclose(tl.hessian(by_name)(u, a=2.0, b=3.0), 72.0 * np.eye(3))
    assert tl.hessian(by_name, "weights")(u, a=2.0, b=3.0) == {
        "a": {"a": 18.0, "b": 12.0}, "b": {"a": 12.0, "b": 0.0}}
    found = tl.grad(lambda x, **w: np.sum(tl.grad(by_name)(x, **w)), "w")(u, a=2.0, b=3.0)
    assert found == {"a": 108.0, "b": 36.0}


def test_custom_derivatives_of_lambdas():
    square = tl.custom_derivative(lambda x: x * x, adjoint=lambda y, x, by: 2.0 * x * by)
    np.testing.assert_allclose(tl.grad(lambda x: np.sum(square(x) * x))(u), 3.0 * u * u)
    np.testing.assert_allclose(tl.vjp(square, u)[1](u)[0], 2.0 * u)


def with_all_kinds(v, k=2.0, *more, w=1.5, **rest):
    return v * v * k * w * w * sum(more, 1.0) * rest.get("z", 1.0)


def test_parameters_of_all_kinds():
    assert np.isclose(tl.grad(with_all_kinds)(1.3, 0.7), 2.6 * 0.7 * 2.25)
    assert np.isclose(tl.grad(with_all_kinds, "w")(1.3, 0.7), 1.69 * 0.7 * 3.0)
    found = tl.grad(with_all_kinds, ("more", "w", "rest"))(1.3, 0.7, 0.5, w=2.0, z=3.0)
    assert np.allclose((found[0][0], found[1], found[2]["z"]), (14.196, 21.294, 7.098))
    assert np.isclose(tl.hessian(with_all_kinds, "w")(1.3, 0.7), 1.69 * 0.7 * 2.0)


def test_functions_have_parameters_that_are_called_as_those_of_others():
    def named(x, argnums):
        return x * argnums

    def counted(x, **options):
        return x * options["argnum"]

    assert tl.vjp(named, 2.0, argnums=3.0)[1](1.0) == (3.0,)
    assert tl.vjp(counted, 2.0, argnum=3.0)[1](1.0) == (3.0,)
