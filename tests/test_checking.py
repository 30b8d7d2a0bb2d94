"""check_grads finds wrong derivatives, and nothing else."""

import dataclasses
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.checking import Mismatch, _same, compare

RNG = np.random.default_rng(3)


@dataclasses.dataclass
class Line:
    slope: np.ndarray
    offset: float


def weighted(W, b, x):
    r = W @ x + b
    return np.sum(r * r)


def vector(x, k):
    return np.sin(x) * k


def line(model, x):
    return np.sum(model.slope * x) + model.offset * model.offset


def logarithm(x):
    return math.log(x) * x


def writes(x):
    x[0] = x[1] * 2.0
    return np.sum(x * x)


def structured(p):
    return p["a"] * p["b"], {"sum": p["a"] + p["b"]}


def modulus(z):
    return np.abs(z) ** 2


def keyword(x, *, k=2.0):
    return x * x * k


class Model:
    def __init__(self, W):
        self.W = W

    def loss(self, x):
        return np.sum(self.W * x * x)


@pytest.mark.parametrize("fun, args", [
    (weighted, (RNG.standard_normal((2, 3)), RNG.standard_normal(2), RNG.standard_normal(3))),
    (vector, (RNG.standard_normal((2, 2)), 1.5)),
    (vector, (np.linspace(0.0, 1.0, 100), 1.5)),
    (vector, (np.ones(3, np.float32), np.float32(1.5))),
    (vector, (np.ones(3, np.float16), np.float16(1.5))),
    (line, (Line(np.ones(2), 3.0), np.array([2.0, 5.0]))),
    (logarithm, (1e-4,)),
    (writes, (np.array([1.0, 2.0, 3.0]),)),
    (structured, ({"a": 2.0, "b": np.ones(2)},)),
    (modulus, (3.0 + 4.0j,)),
    (keyword, (3.0,)),
    (Model(np.ones(2)).loss, (np.array([1.0, 2.0]),)),
    (np.sin, (0.4,)),
], ids=lambda case: getattr(case, "__name__", ""))
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.sweep(8)
def test_right_derivatives_pass(fun, args, order):
    # A gradient that is an object is compared along directions only, which is what "fwd" does.
    modes = ("fwd",) if fun is line and order == 2 else ("fwd", "rev")
    tl.check_grads(fun, args, order=order, modes=modes)


@pytest.mark.parametrize("fun, args", [
    (lambda *m: m[0] * m[1] ** m[2], (1.5, 2.0, 3.0)),
    (lambda x, *m, k=2.0: x * m[0] * m[1] * k, (1.5, 2.0, 3.0)),
    (lambda *m: np.sum(m[0]) * m[1], (np.ones(3), 2.0)),
    (lambda x, *m, k=2.0, **more: x * k, (1.5,)),
], ids=["all", "the rest", "arrays", "none"])
def test_any_number_of_arguments(fun, args):
    tl.check_grads(fun, args, order=1, modes=("fwd", "rev"))
    tl.check_grads(fun, args)
    with pytest.raises(tl.InputError, match="any number of arguments"):
        tl.check_grads(fun, args, order=2)


def test_a_wrong_rule_fails_in_any_number_of_arguments():
    wrong = wrong_rule(2.02)
    with pytest.raises(AssertionError, match="wrong"):
        tl.check_grads(lambda *m: m[0] * wrong(m[1]), (1.5, 2.0), order=1)


def wrong_rule(factor):
    op = np.frompyfunc(lambda x: x * x, 1, 1)

    @tl.adjoint(op)
    def op_adjoint(y, x):
        d[x] = d[y] * factor * x  # noqa: F821

    return lambda x: op(x) * 1.0


def test_a_wrong_rule_fails():
    tl.check_grads(wrong_rule(2.0), (1.5,), order=1, modes=("rev",))
    with pytest.raises(AssertionError, match=r"wrong: x: reverse mode 3\.4\d+, differences 3\.4"):
        tl.check_grads(wrong_rule(2.02), (1.5,), order=1, modes=("rev",))


def test_a_nan_on_one_side_fails():
    with pytest.raises(AssertionError, match="nan"):
        tl.check_grads(wrong_rule(float("nan")), (1.5,), order=1, modes=("rev",))


def one_element(x):
    return np.sum(x) * 1.0


@tl.adjoint(one_element)
def one_element_adjoint(y, x):
    d[x] = d[y] * np.where(np.arange(np.size(x)) == np.size(x) // 2, 1.5, 1.0)  # noqa: F821


@pytest.mark.parametrize("size", [3, 1000])
def test_one_wrong_element_is_found(size):
    with pytest.raises(AssertionError, match=rf"x\[{size // 2}\]|x along"):
        tl.check_grads(lambda x: one_element(x) * 2.0, (np.ones(size),), order=1,
                       modes=("rev",), seed=1)


def test_nothing_to_compare_is_no_success():
    with pytest.raises(tl.InputError, match="floating-point"):
        tl.check_grads(lambda n: n * 2, (3,))


def test_arguments_are_left_alone():
    x = np.array([1.0, 2.0, 3.0])
    before = x.copy()
    tl.check_grads(writes, (x,))
    assert x.tobytes() == before.tobytes()


def test_wrt():
    right = (RNG.standard_normal((2, 3)), RNG.standard_normal(2), RNG.standard_normal(3))
    assert compare(weighted, right) == 11
    assert compare(weighted, right, "b") == 2
    assert compare(weighted, right, ("b", 2)) == 5
    model = Model(np.ones(2))
    assert compare(model.loss, (np.array([1.0, 2.0]),), "self.W") == 2
    assert compare(keyword, (3.0,), "k") == 1


def test_a_wrong_value_fails(monkeypatch):
    calls = []

    def drifting(x):
        return x * len(calls)

    tl.nondifferentiable(calls.append)
    monkeypatch.setattr("tangent_lite.checking._call", lambda request, values: 1.25)
    with pytest.raises(Mismatch, match="returns"):
        tl.check_grads(drifting, (1.5,))


@pytest.mark.parametrize("options", [
    {"order": 0}, {"order": 1.5}, {"modes": ()}, {"modes": "fwd"}, {"modes": ("forward",)}],
    ids=str)
def test_what_makes_no_sense_says_so(options):
    with pytest.raises(tl.TangentError, match="check_grads has no"):
        tl.check_grads(vector, (1.0, 2.0), **options)


# Forward mode and higher orders -------------------------------------------------------------------
def wrong_tangent(first, second):
    op, slope = (np.frompyfunc(f, 1, 1) for f in (lambda x: x ** 3, lambda x: 3 * x * x))

    @tl.adjoint(op)
    def op_adjoint(y, x):
        d[x] = d[y] * slope(x)  # noqa: F821

    @tl.tangent(op)
    def op_tangent(y, x):
        d[y] = d[x] * first * slope(x)  # noqa: F821

    @tl.adjoint(slope)
    def slope_adjoint(y, x):
        d[x] = d[y] * 6.0 * x  # noqa: F821

    @tl.tangent(slope)
    def slope_tangent(y, x):
        d[y] = d[x] * second * x  # noqa: F821

    return lambda x: op(x) * 1.0


def test_a_wrong_tangent_fails():
    tl.check_grads(wrong_tangent(1.0, 6.0), (1.5,))
    with pytest.raises(AssertionError, match="wrong: x: forward mode"):
        tl.check_grads(wrong_tangent(1.01, 6.0), (1.5,), order=1)


def test_a_wrong_second_derivative_fails():
    wrong = wrong_tangent(1.0, 6.1)
    tl.check_grads(wrong, (1.5,), order=1)
    with pytest.raises(AssertionError, match="forward mode"):
        tl.check_grads(wrong, (1.5,), order=2)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.sweep(2)
def test_orders(order):
    tl.check_grads(lambda x, k: np.sin(k * x) * x, (0.7, 1.3), order=order)


@pytest.mark.parametrize("wrong", [{"order": 0}, {"order": 1.0}, {"modes": "rev"}, {"modes": ()},
                                   {"modes": ("both",)}], ids=str)
def test_orders_and_modes_that_there_are_not(wrong):
    with pytest.raises(tl.TangentError, match=f"check_grads has no {next(iter(wrong))[:5]}"):
        tl.check_grads(vector, (1.0, 2.0), **wrong)


def half_right(factor):
    """A function whose derivative is right and is itself a function with a wrong derivative."""
    slope = np.frompyfunc(lambda x: 3.0 * x * x, 1, 1)
    cube = np.frompyfunc(lambda x: x ** 3, 1, 1)

    @tl.adjoint(slope)
    def slope_adjoint(y, x):
        d[x] = d[y] * factor * x  # noqa: F821

    @tl.adjoint(cube)
    def cube_adjoint(y, x):
        d[x] = d[y] * slope(x)  # noqa: F821

    return lambda x: cube(x) * 1.0


def test_the_second_order_is_checked():
    tl.check_grads(half_right(6.0), (1.5,), order=2, modes=("rev",))
    tl.check_grads(half_right(6.1), (1.5,), order=1, modes=("rev",))
    with pytest.raises(AssertionError, match="wrong"):
        tl.check_grads(half_right(6.1), (1.5,), order=2, modes=("rev",))


def diffused(u, k):
    for _ in range(3):
        u = u.copy()
        u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


@pytest.mark.parametrize("seed", range(4))
def test_sums_of_a_derivative_may_have_another_order(seed):
    tl.check_grads(diffused, (np.random.default_rng(seed).normal(size=6), 0.1), order=2)


def test_values_are_compared_to_the_bit_and_those_of_derivatives_nearly():
    x = np.array([0.1, np.nan, -1e3, np.inf])
    moved = x.copy()
    moved[0] += 1e-16
    assert _same((x, [x]), (x.copy(), [x.copy()])) and not _same(x, moved)
    assert _same(x, moved, exact=False) and not _same(x, moved + 1e-6, exact=False)
    assert not _same(x, np.nan_to_num(x), exact=False)
    assert not _same([0.0], [-0.0]) and _same([0.0], [-0.0], exact=False)
    assert _same(np.zeros(0), np.zeros(0), exact=False)


def test_forward_mode_is_checked():
    op = np.frompyfunc(lambda x: x * x, 1, 1)

    @tl.adjoint(op)
    def op_adjoint(y, x):
        d[x] = d[y] * 2.0 * x  # noqa: F821

    @tl.tangent(op)
    def op_tangent(y, x):
        d[y] = d[x] * 2.1 * x  # noqa: F821

    def f(x):
        return op(x) * 1.0

    tl.check_grads(f, (1.5,), order=1, modes=("rev",))
    with pytest.raises(AssertionError, match="wrong|forward"):
        tl.check_grads(f, (1.5,), order=1, modes=("fwd",))


# Steps -------------------------------------------------------------------------------------------
def euler(dt, x):
    for _ in range(10):
        x = x - dt * np.sin(x)
    return np.sum(x * x)


SCALES = {
    "euler, small step": (euler, (0.01, np.array([0.5, 1.5]))),
    "tiny parameter": (lambda eps: math.log(eps) * eps + 1.0 / eps, (1e-6,)),
    "very tiny parameter": (lambda eps: math.log(eps) ** 2, (1e-12,)),
    "narrow bump": (lambda x: math.exp(-(x / 1e-6) ** 2), (1e-6,)),
    "fast oscillation": (lambda x: math.sin(1e5 * x), (0.3,)),
    "added to a large number": (lambda x: (x + 1e4) ** 2 - 1e8, (1e-6,)),
    "added to one": (lambda x: math.exp(1.0 + x), (1e-9,)),
    "square root near zero": (lambda x: math.sqrt(x), (1e-8,)),
    "zero": (lambda x: math.exp(3.0 * x), (0.0,)),
    "large": (lambda x: x * math.log(x), (1e9,)),
    "pole near by": (lambda x: 1.0 / (x - 0.01), (0.0100001,)),
    "small entries beside large ones": (
        lambda x: np.sum(x * x) + 1.0 / x[0], (np.array([1e-4, 100.0]),)),
    "noise of a large value": (lambda x: 1e10 + x * x, (0.3,)),
    "constant": (lambda x: 0.0 * x + 3.0, (1e-5,)),
    "single precision": (lambda x: x * x * x, (np.float32(0.01),)),
}


@pytest.mark.parametrize("name", SCALES)
def test_no_false_alarm(name):
    fun, args = SCALES[name]
    tl.check_grads(fun, args, order=1, modes=("rev",))


@pytest.mark.parametrize("name", [
    "euler, small step", "tiny parameter", "narrow bump", "fast oscillation", "pole near by",
    "small entries beside large ones", "added to one", "square root near zero"])
@pytest.mark.parametrize("factor", [1.001, 0.0, math.nan])
def test_alarm_on_every_scale(name, factor, monkeypatch):
    fun, args = SCALES[name]

    original = tl.api.GradientFunction.pull_back

    def pull_back(self, values, keywords):
        value, pullback = original(self, values, keywords)
        return value, lambda seed: tuple(p if p is None else p * factor for p in pullback(seed))

    monkeypatch.setattr(tl.api.GradientFunction, "pull_back", pull_back)
    with pytest.raises(Mismatch):
        tl.check_grads(fun, args, order=1, modes=("rev",))


def until(a, tolerance):
    """Newton's method for the square root; for a negative tolerance it never ends."""
    x = a
    for _ in range(200):
        if abs(x * x - a) <= tolerance:
            return x
        x = 0.5 * (x + a / x)
    raise AssertionError(f"no end for tolerance {tolerance}")


@pytest.mark.parametrize("tolerance", [1e-3, 1e-8, np.float64(1e-5), np.array(1e-5)])
def test_tolerances_stay_positive(tolerance):
    tl.check_grads(until, (2.0, tolerance), order=1)


def test_tolerances_in_arrays_stay_positive():
    tl.check_grads(lambda a, limits: until(a, limits[1]), (2.0, np.array([1.0, 1e-6])), order=1)


@pytest.mark.parametrize("place", [1e-12, -1e-12, 1e-12j])
def test_steps_to_one_side_find_what_is_wrong(place, monkeypatch):
    monkeypatch.setattr(tl.checking._Reverse, "slope", lambda *_: (0.0, 0.0))
    with pytest.raises(Mismatch):
        tl.check_grads(lambda x: 3.0 + x, (place,), order=1, modes=("rev",))


def test_a_nan_is_not_zero():
    @tl.adjoint(unusable)
    def rule(y, x):
        d[x] = d[y] * np.nan                                        # noqa: F821

    def f(x):
        return unusable(x) * 0.0

    with pytest.raises(Mismatch, match="nan"):
        tl.check_grads(f, (0.5,), order=1, modes=("rev",))


def unusable(x):
    return x * 1.0


class Counted:
    """A layer that is called, and changes as it is."""

    def __init__(self):
        self.scale, self.first = np.array([0.5, 2.0]), True

    def __call__(self, x):
        if self.first:
            self.scale *= np.sum(x)
        self.first = not self.first
        return self.scale * x


def test_what_changes_as_it_is_called_is_the_same_at_each_call():
    layer = Counted()
    tl.check_grads(lambda layer, x: np.sum(layer(layer(x)) ** 2), (layer, np.array([0.3, 0.7])),
                   order=1)
    assert layer.first and layer.scale.tolist() == [0.5, 2.0]
