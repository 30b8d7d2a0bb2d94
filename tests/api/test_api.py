"""grad, value_and_grad and vjp as users call them: arguments, wrt, results."""

import dataclasses
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tangent_lite as tl
from tests.api.functions import ARGS, Model, product, same, weighted, weighted_gradient
from tests.heap.forced import refused_by_names


@dataclasses.dataclass
class Dense:
    W: np.ndarray
    b: float


# wrt --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("wrt, want", [
    (0, 9.0), (1, 12.0), (-1, 12.0), ("y", 12.0), ((0,), (9.0,)), (("y", "x"), (12.0, 9.0)),
    ((-1, "x"), (12.0, 9.0))], ids=str)
def test_wrt(wrt, want):
    for call in (lambda d: d(2.0, 3.0), lambda d: d(2.0, y=3.0), lambda d: d(y=3.0, x=2.0)):
        assert call(tl.grad(product, wrt=wrt)) == want
        assert call(tl.value_and_grad(product, wrt=wrt)) == (18.0, want)


def test_wrt_attributes():
    bW, bb, bx = weighted_gradient(*ARGS)
    model = Model(*ARGS[:2])
    same(tl.grad(Model.loss, wrt="self.W")(model, ARGS[2]), bW)
    same(tl.grad(model.loss, wrt=("x", "self.b", "self.W"))(ARGS[2]), (bx, bb, bW))


@pytest.mark.parametrize("wrt", ["z", ("x", "z"), 2, -3, True, 1.0, None.__class__, (), ["x"],
                                 ("x", 0), ("x", "x"), ("x", "x.W"), "x.2"], ids=str)
def test_wrong_wrt(wrt):
    with pytest.raises(tl.WrtError):
        tl.grad(product, wrt=wrt)


def test_wrt_errors_name_what_there_is():
    with pytest.raises(tl.WrtError, match="no parameter z; product has x, y"):
        tl.grad(product, wrt="z")
    with pytest.raises(tl.WrtError, match="Model has no attribute V"):
        tl.grad(Model.loss, wrt="self.V")(Model(*ARGS[:2]), ARGS[2])


def test_other_spellings_say_wrt():
    with pytest.raises(TypeError, match="argnums.*wrt="):
        tl.grad(product, argnums=1)
    with pytest.raises(TypeError, match="arguments"):
        tl.value_and_grad(product, arguments=1)


# Arguments ----------------------------------------------------------------------------------------
def with_defaults(x, y=3.0, *, z=2.0):
    return x * y * y * z


def test_keywords_and_defaults():
    d = tl.grad(with_defaults)
    assert d(2.0) == 18.0 and d(2.0, z=1.0) == 9.0 and d(x=2.0, y=1.0) == 2.0
    assert tl.grad(with_defaults, wrt=("z", "x"))(2.0, 3.0, z=5.0) == (18.0, 45.0)
    y, pullback = tl.vjp(with_defaults, 2.0, z=1.0)
    assert y == 18.0 and pullback(1.0) == (9.0,)        # one cotangent per primal
    assert tl.vjp(with_defaults, 2.0, 3.0)[1](1.0) == (18.0, 24.0)
    assert tl.vjp(with_defaults, 2.0, wrt=("x", "z"))[1](1.0)[0] == 18.0


def test_pullbacks_of_parameters_with_defaults_inside():
    """As outside, where vjp stands in a function that is differentiated itself."""
    def slope(x):
        _, pullback = tl.vjp(with_defaults, x)
        bx, = pullback(1.0)
        return bx * x

    expected = tl.grad(with_defaults)(2.0)
    assert slope(2.0) == 2.0 * expected
    assert tl.grad(slope)(2.0) == pytest.approx((slope(2.001) - slope(1.999)) / 0.002, rel=1e-5)


def test_pullbacks_of_any_number_of_primals():
    def product_of(x, *more):
        return x * more[0] * more[-1]

    assert tl.vjp(product_of, 2.0, 3.0, 4.0, 5.0)[1](1.0) == (15.0, 10.0, 0.0, 6.0)
    assert tl.vjp(product_of, 2.0, 3.0)[1](1.0) == (9.0, 12.0)
    assert tl.vjp(lambda *a: a[0] ** 2, 3.0, "text")[1](1.0) == (6.0, None)
    # With wrt a name is one thing.
    assert tl.vjp(product_of, 2.0, 3.0, 4.0, wrt="more")[1](1.0) == (8.0, 6.0)


def test_a_pullback_of_one_primal_pickles():
    pullback = pickle.loads(pickle.dumps(tl.vjp(with_defaults, 2.0)[1]))
    assert pullback(1.0) == (tl.grad(with_defaults)(2.0),)


def positional_only(x, /, y=2.0):
    return x * x * y


@pytest.mark.parametrize("function, args, keywords", [
    (product, (1.0,), {}),
    (product, (1.0, 2.0, 3.0), {}),
    (product, (1.0,), {"z": 2.0}),
    (product, (1.0, 2.0), {"y": 2.0}),
    (with_defaults, (1.0, 2.0, 3.0), {}),
    (positional_only, (), {"x": 1.0}),
], ids=lambda part: getattr(part, "__name__", None) or str(part))
def test_a_wrong_call_is_a_type_error(function, args, keywords):
    with pytest.raises(TypeError):
        tl.grad(function)(*args, **keywords)


def test_positional_only():
    assert tl.grad(positional_only)(3.0) == 12.0
    assert tl.grad(positional_only)(3.0, y=1.0) == 6.0


def test_signature():
    assert inspect.signature(tl.grad(with_defaults)) == inspect.signature(with_defaults)
    assert list(inspect.signature(tl.grad(Model(*ARGS[:2]).loss)).parameters) == ["x"]


@pytest.mark.parametrize("bad", [2, True, "two", np.arange(3), None, [1, 2], {"a": 1}], ids=str)
def test_inputs_that_cannot_vary(bad):
    with pytest.raises(tl.InputError, match=r"product: the argument x .*cannot vary"):
        tl.grad(product)(bad, 2.0)
    assert tl.grad(product)(3.0, 2) == 4.0


@pytest.mark.parametrize("make, instead", [
    (lambda: np.ma.array([1.0, 2.0]), r"\.filled\("),
    (lambda: np.ones((2, 2)).view(np.matrix), r"np\.asarray")])
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_arrays_with_other_operations_are_refused(make, instead):
    with pytest.raises(tl.InputError, match=instead):
        tl.grad(lambda x: np.sum(x * x))(make())
    with pytest.raises(tl.InputError, match=instead):
        tl.grad(lambda x, y: np.sum(x * y["w"]))(np.ones(2), {"w": make()})


# Results ------------------------------------------------------------------------------------------
def test_types_follow_the_argument():
    for x in (2.0, np.float64(2.0), np.float32(2.0), np.array(2.0), np.array([2.0], np.float32)):
        got = tl.grad(product)(x, 3.0)
        assert type(got) is type(x) and np.asarray(got).dtype == np.asarray(x).dtype


def test_the_value_is_the_function_s_own():
    value, _ = tl.value_and_grad(weighted)(*ARGS)
    assert value.tobytes() == weighted(*ARGS).tobytes() and type(value) is np.float64


def test_outputs():
    with pytest.raises(tl.OutputError, match=r"\(3,\).*\n.*jacobian or vjp"):
        tl.grad(lambda x: x * 2.0)(np.ones(3))
    with pytest.raises(tl.OutputError, match="holomorphic"):
        tl.grad(lambda z: z * z)(3.0 + 4.0j)
    with pytest.raises(tl.OutputError, match="has_aux"):
        tl.grad(lambda x: (x, 1.0))(2.0)
    with pytest.raises(tl.OutputError, match="has_aux=True needs"):
        tl.grad(product, has_aux=True)(2.0, 3.0)
    assert tl.grad(lambda z: z * z, holomorphic=True)(3.0 + 4.0j) == 6.0 + 8.0j
    assert tl.grad(lambda x: np.sum(x * x).reshape(1, 1))(np.array([3.0]))[0] == 6.0


def test_has_aux():
    def f(x, y):
        return x * y * y, {"inner": x * y, "tag": "ok"}

    aux = {"inner": 6.0, "tag": "ok"}
    assert tl.grad(f, has_aux=True)(2.0, 3.0) == (9.0, aux)
    assert "def f_bwd(" in tl.grad(f, has_aux=True).source
    with pytest.raises(tl.TangentError, match="has_aux"):
        tl.grad(f, has_aux=True).standalone()
    assert tl.value_and_grad(f, has_aux=True, wrt=("y",))(2.0, 3.0) == ((18.0, aux), (12.0,))


def test_dataclasses():
    got = tl.grad(lambda layer, x: np.sum(layer.W * x) * layer.b)(
        Dense(np.array([1.0, 2.0]), 3.0), np.array([5.0, 7.0]))
    assert type(got) is Dense and got.b == 19.0
    same(got.W, np.array([15.0, 21.0]))


# vjp ----------------------------------------------------------------------------------------------
def test_vjp():
    y, pullback = tl.vjp(lambda x, n, mode: x * n if mode else x, np.ones(2), 3, "text")
    w = np.array([1.0, -2.0])
    for _ in range(2):
        bx, bn, bmode = pullback(w)
        same(bx, 3 * w)
        assert bn is None and bmode is None
    same(w, np.array([1.0, -2.0]))


def test_vjp_with_wrt():
    for wrt, want in (("y", 12.0), (("y",), (12.0,)), ((1, 0), (12.0, 9.0))):
        assert tl.vjp(product, 2.0, 3.0, wrt=wrt)[1](1.0) == want


def test_cotangents_are_checked():
    _, pullback = tl.vjp(lambda x: x * 2.0, np.ones(3))
    with pytest.raises(tl.InputError, match=r"\(2,\).*\(3,\)"):
        pullback(np.ones(2))
    _, pullback = tl.vjp(lambda x: {"a": x, "b": (x, x)}, 2.0)
    assert pullback({"a": 1.0, "b": (1, 2.0)}) == (4.0,)
    for wrong in (1.0, {"a": 1.0}, {"a": 1.0, "b": 2.0}, {"a": np.ones(2), "b": (1.0, 1.0)}):
        with pytest.raises(tl.InputError, match="cotangent"):
            pullback(wrong)


def test_what_cannot_vary_needs_no_cotangent():
    def f(x):
        return {"y": x * x, "n": 3, "large": x > 0.5, "rounded": x.astype(int), "name": "f"}

    x = np.array([0.3, 1.7])
    _, pullback = tl.vjp(f, x)
    none = {"n": None, "large": None, "rounded": None, "name": None}
    assert np.array_equal(pullback({"y": np.ones(2), **none})[0], 2.0 * x)
    assert np.array_equal(pullback(tl.jvp(f, (x,), (np.ones(2),))[1])[0], 4.0 * x * x)
    with pytest.raises(tl.InputError, match="the cotangent is None"):
        pullback({"y": None, **none})


def test_objects_that_hold_themselves_are_refused():
    model = Model(*ARGS[:2])
    model.me = model
    with pytest.raises(tl.InputError, match="Model holds itself"):
        tl.grad(model.loss)(ARGS[2])


def test_star_parameters():
    def f(x, *rest, power=1):
        return x * sum(rest) * rest[0] ** power

    for wrt in (0, "rest"):
        refused_by_names(tl.UnsupportedSyntaxError, f, 1.0, 2.0, 3.0, wrt=wrt,
                         match=r"test_api\.py:\d+: .*\* ")
    assert tl.grad(f)(1.5, 2.0, 3.0) == 10.0
    assert tl.grad(f, wrt="rest")(1.5, 2.0, 3.0) == (10.5, 3.0)


def test_decorators():
    @tl.grad
    def f(x):
        return x * x

    @tl.value_and_grad(wrt=("y",), has_aux=True)
    def g(x, y):
        return x * y * y, x

    class Holder:
        def __init__(self, k):
            self.k = k

        @tl.grad(wrt="x")
        def slope(self, x):
            return self.k * x * x

    assert f(3.0) == 6.0
    assert g(2.0, 3.0) == ((18.0, 2.0), (12.0,))
    assert Holder(2.0).slope(3.0) == 12.0


def test_derivatives_of_derivatives():
    def quartic(x, y):
        return x ** 4 * y

    assert tl.grad(tl.grad(quartic))(2.0, 3.0) == 144.0
    assert tl.grad(tl.grad(quartic), wrt="y")(2.0, 3.0) == 32.0
    assert tl.value_and_grad(tl.grad(tl.grad(quartic)))(2.0, 3.0) == (144.0, 144.0)
    assert tl.grad(lambda x: tl.grad(quartic)(x, x))(2.0) == 128.0
    assert tl.jvp(tl.grad(quartic), (2.0, 3.0), (1.0, None)) == (96.0, 144.0)


def test_operators_of_both_modes():
    def cubes(x):
        return x ** 3

    x = np.array([1.0, 2.0])
    same(tl.jvp(cubes, (x,), (np.array([1.0, -1.0]),))[1], np.array([3.0, -12.0]))
    same(tl.linearize(cubes, x)[1](np.array([1.0, -1.0])), np.array([3.0, -12.0]))
    for jacobian in (tl.jacobian, tl.jacfwd, tl.jacrev):
        same(jacobian(cubes)(x), np.diag([3.0, 12.0]))
    same(tl.elementwise_grad(cubes)(x), np.array([3.0, 12.0]))
    same(tl.hessian(lambda x: np.sum(x ** 3))(x), np.diag([6.0, 12.0]))
    same(tl.hvp(lambda x: np.sum(x ** 3))(x, np.ones(2)), np.array([6.0, 12.0]))


def test_what_is_no_function():
    for thing in (3, "f", None.__class__.__name__, [product]):
        with pytest.raises(TypeError):
            tl.grad(thing)


def test_an_unknown_backend():
    with pytest.raises(tl.TangentError, match="python"):
        tl.grad(product, backend="fortran")


def test_a_pullback_gives_none_for_what_holds_an_empty_list():
    def flow(w, graph):
        found = [1.0, 0.0, 0.0]
        for a in graph:
            for b in graph[a]:
                found[b] = found[b] + found[a] * w[a]
        return found[2]

    value, pullback = tl.vjp(flow, np.array([2.0, 3.0, 4.0]), {0: [1], 1: [2], 2: []})
    slopes, graph = pullback(1.0)
    assert value == 6.0 and graph is None
    np.testing.assert_array_equal(slopes, [3.0, 2.0, 0.0])


@pytest.mark.parametrize("empty", [{}, [], (), {"a": {}}, [[], []]], ids=repr)
def test_the_gradient_of_an_empty_container_is_empty(empty):
    def scaled(parts, x):
        return x * 2.0 * (1 + len(parts))

    slope = scaled(empty, 1.0)
    assert tl.grad(scaled)(empty, 1.0) == empty
    assert tl.grad(scaled, wrt=(0, 1))(empty, 1.0) == (empty, slope)
    assert tl.value_and_grad(scaled, wrt=(0, 1))(empty, 1.0) == (slope, (empty, slope))
    assert tl.vjp(scaled, empty, 1.0, wrt=0)[1](1.0) == empty
    assert tl.hessian(scaled, wrt=(0, 1))(empty, 1.0)[1][1] == 0.0


def test_a_list_that_is_empty_at_times():
    def total(parts):
        return sum(part * part for part in parts)

    d = tl.grad(total)
    assert [d([1.0, 2.0]), d([]), d([1.0]), d([])] == [[2.0, 4.0], [], [2.0], []]
    with pytest.raises(tl.InputError, match="cannot vary"):
        d([1])


def test_what_is_imported_along():
    """Whoever imports the package does not wait for the transformation."""
    text = ("import sys, numpy; before = {*sys.modules}; import tangent_lite; "
            "print(*sorted({*sys.modules} - before))")
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                           check=True).stdout.split()
    assert "tangent_lite.api" in found
    assert not {"gast", "astunparse", "inspect", "tangent_lite.runtime", "tangent_lite.trees",
                "tangent_lite.kinds", "tangent_lite.written.pickling"} & {*found}


def calls_its_derivative(x, n):
    return x * x * x if n == 0 else x * OWN(x, n - 1)


OWN = tl.grad(calls_its_derivative)


def test_a_function_that_calls_its_own_derivative():
    """Of which each derivative needs the next one: d (x 3 x x), d (x 9 x x), ..."""
    for n, factor in enumerate([3.0, 9.0, 27.0]):
        assert OWN(2.0, n) == pytest.approx(factor * 4.0)
    with pytest.raises(tl.UnsupportedSyntaxError, match="calls its own derivative"):
        tl.grad(calls_its_derivative, debug="nan")(2.0, 1)


def made_within(x):
    h = lambda v, n: v if n == 0 else v * v * tl.grad(lambda u: h(u, n - 1))(v)  # noqa: E731
    return h(x, 3)


def test_a_derivative_within_its_own_of_a_function_made_there():
    """h is x, x^2, 2 x^3, 6 x^4: by names, each derivative of the lambda would need another."""
    assert tl.grad(made_within)(1.3) == pytest.approx(24.0 * 1.3 ** 3)
    value, slope = tl.jvp(made_within, (1.3,), (1.0,))
    assert (value, slope) == (pytest.approx(6.0 * 1.3 ** 4), pytest.approx(24.0 * 1.3 ** 3))
    with pytest.raises(tl.UnsupportedSyntaxError, match="(?s)its own derivative.*by identity"):
        tl.grad(made_within, debug="nan")(1.3)
