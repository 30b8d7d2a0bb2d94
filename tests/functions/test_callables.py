"""Callables of every sort can be differentiated, or are refused with a reason."""

import functools
import inspect
import logging
import math
import operator

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.functions.callables import target_of


def product(x, y):
    return x * y * y


def keyword(x, *, k=2.0, m):
    return x * x * k * m


class Model:
    bias = 2.0

    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return self.w * x * x

    def __call__(self, x, y=1.0):
        return self.w * x * y

    @classmethod
    def shared(cls, x):
        return x * x

    @staticmethod
    def apart(x):
        return x * x * x


def bounded(x, k):
    if x > 1.0:
        return 1.0 * k
    return x * k


@tl.adjoint(bounded)
def bounded_adjoint(y, x, k):
    d[x] = d[y] * 7.0  # noqa: F821
    d[k] = d[y] * 3.0  # noqa: F821


def logged(fun):
    @functools.wraps(fun)
    def inner(x):
        return 2.0 * fun(x)
    return inner


def cube(x):
    return x * x * x


def doubled(fun):
    @functools.wraps(fun)
    def inner(*args, **kwargs):
        print("called with", args, kwargs)
        logging.getLogger(__name__).debug("called with %s", args)
        return 2.0 * fun(*args, **kwargs)
    return inner


@doubled
@doubled
def scaled(x, y=3.0, *, k=1.0):
    return x * x * y * k


class Wrapped:
    def __init__(self, w):
        self.w = w

    @doubled
    def loss(self, x, *, k=1.0):
        return self.w * x * x * k

    @functools.lru_cache(None)
    def kept(self, x):
        return self.w * x * x


@functools.lru_cache
def cached(x, n=3):
    return x ** n


@pytest.mark.parametrize("fun, args, want", [
    (np.sin, (0.4,), math.cos(0.4)),
    (math.exp, (0.4,), math.exp(0.4)),
    (operator.mul, (2.0, 3.0), 3.0),
    (abs, (-2.0,), -1.0),
    (np.floor, (2.5,), 0.0),
    (Model(3.0).loss, (2.0,), 12.0),
    (Model(3.0), (2.0,), 3.0),
    (Model(3.0), (2.0, 5.0), 15.0),
    (Model.shared, (3.0,), 6.0),
    (Model.apart, (3.0,), 27.0),
    (Model(3.0).apart, (3.0,), 27.0),
    (functools.partial(product, 2.0), (3.0,), 12.0),
    (functools.partial(product, y=3.0), (2.0,), 9.0),
    (functools.partial(keyword, m=3.0), (2.0,), 24.0),
    (functools.partial(functools.partial(product, 2.0)), (3.0,), 12.0),
    (functools.partial(np.multiply, 2.0), (3.0,), 2.0),
    (bounded, (0.5, 2.0), 7.0),
    (lambda x: bounded(x, 2.0) * 2.0, (0.5,), 14.0),
    (logged(cube), (2.0,), 24.0),
    (scaled, (2.0,), 48.0),
    (Wrapped(3.0).loss, (2.0,), 24.0),
    (cached, (2.0,), 12.0),
    (Wrapped(3.0).kept, (2.0,), 12.0),
    (np.vectorize(cube), (2.0,), 12.0),
    (functools.partial(tl.grad(product, wrt="y"), 2.0), (3.0,), 4.0),
    (functools.partial(tl.hvp(product, wrt="y"), 2.0), (3.0, 1.0), 0.0),
], ids=lambda case: getattr(case, "__name__", type(case).__name__))
def test_callables(fun, args, want):
    got = tl.grad(fun)(*args)
    assert float(got) == pytest.approx(want, rel=1e-14)


def test_arrays_through_functions_without_source():
    x = np.array([0.1, 0.2])
    y, pullback = tl.vjp(np.sin, x)
    np.testing.assert_array_equal(y, np.sin(x))
    np.testing.assert_allclose(pullback(np.ones(2))[0], np.cos(x))


def test_lambdas_on_one_line():
    first, second = (lambda x: x * x, lambda x: x * x * x)
    assert (tl.grad(first)(2.0), tl.grad(second)(2.0)) == (4.0, 12.0)


def test_what_is_read():
    model = Model(3.0)
    target = target_of(model.loss)
    assert target.function is Model.loss and target.bound == (model,)
    assert list(target.signature.parameters) == ["x"]
    target = target_of(model)
    assert target.function is Model.__call__ and list(target.signature.parameters) == ["x", "y"]
    assert target_of(product) == (product, (), target_of(product).signature)


def test_functions_without_source_are_refused():
    space = {}
    exec("def hidden(x):\n    return x * x\n", space)
    with pytest.raises(tl.SourceNotFoundError, match="hidden"):
        tl.grad(space["hidden"])(2.0)
    with pytest.raises(tl.SourceNotFoundError, match="is a class, which gives objects"):
        tl.grad(math.gcd.__class__)
    with pytest.raises(tl.SourceNotFoundError, match=r"@tangent_lite\.adjoint"):
        tl.grad(np.ones(2).tobytes)


def test_a_partial_keeps_defaults():
    def f(x, y, z=3.0, *, k=2.0):
        return x * y * y * z * k

    d = tl.grad(functools.partial(f, 2.0))
    assert d(1.0) == 24.0 and d(1.0, 1.0) == 8.0 and d(1.0, k=1.0) == 12.0


def test_a_partial_of_keywords_keeps_its_signature():
    d = tl.grad(functools.partial(keyword, k=1.0))
    assert d(3.0, m=2.0) == 12.0


def test_third_parties_are_asked_for_a_rule(tmp_path):
    import fresh
    (tmp_path / "gadget.py").write_text(
        "import numpy as np\n\ncube = np.frompyfunc(lambda x: x**3, 1, 1)\n")
    (tmp_path / "gadget_rules.py").write_text(
        "import tangent_lite as tl\nfrom gadget import cube\n\n\n@tl.adjoint(cube)\n"
        "def cube_adjoint(y, x):\n    d[x] = d[y] * 3.0 * x**2\n")
    info = tmp_path / "gadget-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gadget\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tangent_lite.rules]\ngadget = gadget_rules\n")
    fresh.run("""
        import sys, gadget, tangent_lite as tl
        assert "gadget_rules" not in sys.modules
        got = tl.grad(gadget.cube)(2.0)
        assert abs(got - 12.0) < 1e-9, got
    """, tmp_path)


def test_a_wrapper_that_hands_on_all_it_is_given_takes_what_is_under_it():
    assert tl.grad(scaled, wrt="y")(2.0, 5.0) == 16.0
    assert tl.grad(scaled, wrt=(0, 1))(2.0, k=2.0) == (96.0, 32.0)
    assert tl.grad(scaled)(y=5.0, x=2.0) == 80.0
    assert tl.hessian(scaled)(2.0) == 24.0
    assert tl.vjp(scaled, 2.0, 5.0)[1](1.0) == (80.0, 16.0)
    assert tl.grad(Wrapped(3.0).loss, wrt="self.w")(2.0, k=5.0) == 40.0
    assert tl.grad(Wrapped.loss, wrt="x")(Wrapped(3.0), 2.0) == 24.0
    assert str(inspect.signature(tl.grad(Wrapped(3.0).loss))) == "(x, *, k=1.0)"


def test_a_wrapper_that_does_more_with_what_it_is_given_takes_what_it_says():
    def looks(fun):
        @functools.wraps(fun)
        def inner(*args, **kwargs):
            return fun(*args, **kwargs) * (5.0 if "k" in kwargs else 1.0)
        return inner

    def other(fun):
        @functools.wraps(fun)
        def inner(*args, **kwargs):
            return product(*args, **kwargs)
        return inner

    def plain(x, k=2.0):
        return x * x * k

    # What is written by name is seen by name, and defaults are those of what is called.
    assert tl.vjp(looks(plain), 3.0)[1](1.0) == (12.0,)
    with pytest.raises(tl.WrtError, match="args, kwargs"):
        tl.grad(looks(plain), wrt="x")
    assert tl.vjp(other(plain), 3.0, 5.0)[1](1.0) == (25.0, 30.0)


def test_getters_are_functions_of_what_they_are_given():
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(tl.grad(operator.itemgetter(1))(x), [0.0, 1.0])
    np.testing.assert_array_equal(tl.grad(operator.methodcaller("sum"))(x), [1.0, 1.0])
    assert tl.grad(operator.attrgetter("w"))(Model(3.0)).w == 1.0


def joined(x, *args, scale=1.0, **options):
    total = np.sum(x) * scale
    for k, v in enumerate(args):
        total = total + v * x[k] ** 2
    for name in options:
        total = total * options[name] + x[0]
    return total


@pytest.mark.parametrize("f, args, options", [
    (functools.partial(joined), (2.0, 3.0), {}),
    (functools.partial(joined, scale=2.0), (2.0,), {"a": 3.0, "b": 2.0}),
    (functools.partial(joined, b=2.0), (), {"a": 3.0}),
    (functools.partial(joined, a=3.0, scale=0.5), (1.0,), {"b": 2.0})])
def test_partials_of_functions_with_stars(f, args, options):
    x = np.array([0.3, 0.8, 1.2])
    value, gradient = tl.value_and_grad(f)(x, *args, **options)
    assert value == f(x, *args, **options)
    wanted = [(f(x + 1e-6 * e, *args, **options) - f(x - 1e-6 * e, *args, **options)) / 2e-6
              for e in np.eye(3)]
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6)


def test_methods_of_arrays():
    """`A.dot` is a callable without source, whose rule is that of `np.ndarray.dot`."""
    rng = np.random.default_rng(0)
    matrix, vector, x = rng.normal(size=(2, 3)), rng.normal(size=3), rng.normal(size=3)
    np.testing.assert_array_equal(tl.grad(vector.dot)(x), vector)
    np.testing.assert_array_equal(tl.jacobian(matrix.dot)(x), matrix)
    value, pullback = tl.vjp(matrix.dot, x)
    np.testing.assert_array_equal(value, matrix.dot(x))
    np.testing.assert_allclose(pullback(np.ones(2))[0], matrix.sum(axis=0))
    with pytest.raises(tl.SourceNotFoundError, match="append has no Python source"):
        tl.grad([1.0].append)


@pytest.mark.parametrize("function, found", [(math.hypot, (0.6, 0.8)), (max, (0.0, 1.0)),
                                             (min, (1.0, 0.0))])
def test_functions_of_any_number_of_arguments(function, found):
    assert np.allclose(tl.grad(function)(3.0, 4.0), found)
    assert np.isclose(tl.jvp(function, (3.0, 4.0), (1.0, 0.0))[1], found[0])
