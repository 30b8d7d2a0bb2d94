"""Derivatives of derivatives by identity: forward runs with tangents, and what comes of them."""
import importlib
import inspect
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.moving import Moved, Moving, Tangents, moving
from tangent_lite.heap.runs import Run
from tests.heap.forced import refused_by_names
from tests.programs.judge import printed
from tests.traps.case import CASES

TRAPS = Path(__file__).parent.parent / "traps"
for _path in sorted(TRAPS.glob("*.py")):
    importlib.import_module(f"tests.traps.{_path.stem}")


# Every trap, against differences of its gradient --------------------------------------------------
# Where differences go to another branch, or make an array that lies otherwise in memory.
UNTOLD = {"branches-value_of_or-zero", "aliases-fortran_order_argument"}


def refusal():
    return UnsupportedSyntaxError("refused to see what the other strategy makes of it")


def ones(value):
    if isinstance(value, np.ndarray):
        return np.ones_like(value) if value.dtype.kind == "f" else None
    return 1.0 if isinstance(value, (float, np.floating)) else None


def as_arrays(found, args, wrt, which):
    return [np.zeros_like(args[w]) if one[which] is None else np.array(one[which])
            for w, one in zip(wrt, found)]


def given(trap):
    """The arguments of a trap, defaults included."""
    bound = inspect.signature(trap.f).bind(*trap.make())
    bound.apply_defaults()
    return bound.args


def gradients(trap, args):
    run = Run(trap.f, args, refusal())
    seed = ones(run.detached())
    return None if seed is None else as_arrays(run.pull_all([seed], trap.wrt), args, trap.wrt, 0)


def check_second(trap):
    """Hold the derivative of the gradient along a direction to differences; False if there is
    nothing to hold."""
    args = given(trap)
    if not all(isinstance(w, int) and (isinstance(args[w], float) or (
            isinstance(args[w], np.ndarray) and args[w].dtype == float)) for w in trap.wrt):
        return False
    rng = np.random.default_rng(3)
    along = {w: rng.normal() if isinstance(args[w], float) else rng.normal(size=args[w].shape)
             for w in trap.wrt}
    try:
        first = gradients(trap, args)
    except tl.TangentError:
        return False
    if first is None:
        return False

    def moved(step):
        def there(a, k):                        # an array without axes stays one
            where = a if k not in along else a + step * along[k]
            return np.asarray(where) if isinstance(a, np.ndarray) else where

        return gradients(trap, tuple(there(a, k) for k, a in enumerate(given(trap))))

    def differences(step):
        return [(a - b) / 2 / step for a, b in zip(moved(step), moved(-step))]

    args = given(trap)
    run = Run(trap.f, args, refusal(), 1,
              [[along[k]] if k in along else None for k in range(len(args))])
    seed = ones(run.detached())
    found = run.pull_all([None, seed], trap.wrt)
    second = as_arrays(found, args, trap.wrt, 0)
    for a, b in zip(as_arrays(found, args, trap.wrt, 1), first):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    for a, b in zip(as_arrays(run.pull_all([None, seed], trap.wrt), args, trap.wrt, 0), second):
        np.testing.assert_array_equal(a, b)         # pulled back a second time
    coarse, fine = differences(1e-5), differences(5e-6)
    for a, b, c in zip(second, fine, coarse):
        size = max(1.0, np.max(np.abs(b), initial=0.0))
        if np.allclose(b, c, rtol=1e-4, atol=1e-4 * size, equal_nan=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * size)
    return True


def second_of_trap(name):
    with printed(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not check_second(CASES[name]):
            pytest.skip("no derivative to hold to differences")


@pytest.mark.parametrize("name", [n for n in sorted(CASES)[::23] if n not in UNTOLD])
def test_second_derivatives(name):
    second_of_trap(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in CASES if n not in UNTOLD])
def test_second_derivatives_of_all(name):
    second_of_trap(name)


# Operators over each other ------------------------------------------------------------------------
def tangled(x):
    d = {"v": x * x, "n": [x[0], x[1]]}
    again = d
    both = [d, again]
    both[1]["v"][0] = np.sin(x[2]) * again["n"][0]
    again["n"].append(float(x[1]) ** 2)
    s = 0.0
    for one in both:
        for number in one["n"]:
            s += number * number
        s = s + np.sum(one["v"] ** 3)
    t = np.array(again["n"])
    t[1:] *= x[:2]
    t += 1.0
    return s * t.sum()


def untangled(x):
    n = np.stack([x[0], x[1], x[1] ** 2])
    v = np.stack([np.sin(x[2]) * x[0], x[1] ** 2, x[2] ** 2])
    t = np.stack([n[0], n[1] * x[0], n[2] * x[1]]) + 1.0
    return 2.0 * (np.sum(n * n) + np.sum(v ** 3)) * np.sum(t)


X, V, W = np.array([0.5, 1.2, -0.3]), np.array([1.0, 0.3, -2.0]), np.array([0.7, -0.2, 0.4])


def test_they_need_no_names():
    refused_by_names(tl.TangentError, tangled, X)
    np.testing.assert_allclose(tangled(X), untangled(X))


SECOND = {
    "hvp": lambda f: tl.hvp(f)(X, W),
    "jvp of grad": lambda f: tl.jvp(tl.grad(f), (X,), (W,))[1],
    "grad of grad": lambda f: tl.grad(lambda x: np.sum(tl.grad(f)(x) * W))(X),
    "grad of jvp": lambda f: tl.grad(lambda x: tl.jvp(f, (x,), (W,))[1])(X),
    "grad of hvp": lambda f: tl.grad(lambda x: np.sum(tl.hvp(f)(x, W) * V))(X),
    "jvp of jvp": lambda f: tl.jvp(lambda x: tl.jvp(f, (x,), (W,))[1], (X,), (V,))[1],
    "hessian": lambda f: tl.hessian(f)(X),
    "jacrev of grad": lambda f: tl.jacrev(tl.grad(f))(X),
    "grad of value and grad": lambda f: tl.grad(
        lambda x: tl.value_and_grad(f)(x)[0] * tl.value_and_grad(f)(x)[1][0])(X),
    "grad of jvp of grad": lambda f: tl.grad(
        lambda x: np.sum(tl.jvp(tl.grad(f), (x,), (W,))[1] * V))(X),
    "grad of grad of grad": lambda f: tl.grad(lambda x: np.sum(
        tl.grad(lambda x: np.sum(tl.grad(f)(x) * W))(x) * V))(X),
    "jvp of hvp": lambda f: tl.jvp(lambda x: tl.hvp(f)(x, W), (X,), (V,))[1],
    "hvp of jvp": lambda f: tl.hvp(lambda x: tl.jvp(f, (x,), (W,))[1])(X, V),
    "with respect to the direction": lambda f: tl.grad(
        lambda w: tl.jvp(f, (X,), (w,))[1] ** 2)(W),
}


@pytest.mark.parametrize("name", SECOND)
@pytest.mark.sweep(5)
def test_as_names_would_give_it(name):
    np.testing.assert_allclose(SECOND[name](tangled), SECOND[name](untangled), rtol=1e-9)


def test_check_grads_by_identity():
    tl.check_grads(tangled, (X,), order=2)


def made(x):
    both = [x * x]
    again = both
    again[0][0] = x[1] ** 3
    return np.sum(both[0] ** 2), {"n": both[0][0], "text": "kept", "count": 2}


def test_what_goes_along():
    def along(x):
        gradient, more = tl.grad(made, has_aux=True)(x)
        assert more["text"] == "kept" and more["count"] == 2
        return gradient[1] * more["n"]

    # f = x1 ** 6 + x1 ** 4, the second element of its gradient times x1 ** 3
    b = 2.0
    found = tl.grad(along)(np.array([1.0, b]))
    np.testing.assert_allclose(found, [0.0, 6 * 8 * b ** 7 + 4 * 6 * b ** 5])


class Body:
    def __init__(self, place, speed):
        self.place, self.speed = place, speed


def swing(bodies, k):
    seen = [bodies[0], bodies[1]]
    for body in seen:
        body.speed = body.speed - k * math.sin(body.place)
        body.place = body.place + 0.1 * body.speed
    seen[0].speed = seen[1].place * seen[0].speed
    return bodies[0].speed * bodies[1].speed


def bodies(a, b, c, d):
    return [Body(a, b), Body(c, d)]


def test_objects():
    def along(things, k):
        of_things, of_k = tl.grad(swing, wrt=(0, 1))(things, k)
        return of_things[0].place * of_k + of_things[1].speed

    place = [0.3, 0.7, -0.4, 1.1]
    of_things, of_k = tl.grad(along, wrt=(0, 1))(bodies(*place), 2.0)
    found = [of_things[0].place, of_things[0].speed, of_things[1].place, of_things[1].speed, of_k]
    for spot, slope in enumerate(found):
        plus, minus = [*place, 2.0], [*place, 2.0]
        plus[spot], minus[spot] = plus[spot] + 1e-5, minus[spot] - 1e-5
        wanted = (along(bodies(*plus[:4]), plus[4]) - along(bodies(*minus[:4]), minus[4])) / 2e-5
        assert math.isclose(slope, wanted, rel_tol=1e-6, abs_tol=1e-9)


def test_tangents_of_objects():
    direction = [Body(1.0, 0.0), Body(0.0, 0.5)]
    _, slope = tl.jvp(swing, (bodies(0.3, 0.7, -0.4, 1.1), 2.0), (direction, 0.5))
    gradient, of_k = tl.grad(swing, wrt=(0, 1))(bodies(0.3, 0.7, -0.4, 1.1), 2.0)
    assert math.isclose(slope, gradient[0].place + 0.5 * gradient[1].speed + 0.5 * of_k)


def modulus(z):
    d = [z * z]
    again = d
    again[0][0] = z[1] * np.exp(z[0])
    again[0][1:] *= z[:1]
    w = d[0]
    return np.sum(np.real(w * np.conj(w))) + np.sum(z.real ** 3) + np.sum(w.imag ** 2)


def test_complex_numbers():
    z, v = np.array([0.3 + 0.4j, -0.2 + 0.1j]), np.array([1.0 + 0.5j, -0.3j])
    gradient = tl.grad(modulus)
    wanted = (gradient(z + 1e-5 * v) - gradient(z - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(tl.hvp(modulus)(z, v), wanted, rtol=1e-7)


def step(x):
    d = [x * x]
    again = d
    again[0][0] = x[1] * 2.0
    return np.sum(d[0] * x)


def train(w, n):
    state = {"w": w}
    alias = state
    for _ in range(n):
        alias["w"] = state["w"] - 0.1 * tl.grad(step)(alias["w"])
    return np.sum(state["w"] ** 2)


def test_derivatives_within_loops():
    tl.check_grads(train, (np.array([0.4, 0.3]), 3), order=2)


def test_single_precision_stays():
    x = np.array([1.0, 2.0], np.float32)
    found = tl.hvp(step)(x, x)
    value, slope = tl.jvp(step, (x,), (x,))
    assert found.dtype == np.float32 and type(value) is np.float32 and type(slope) is np.float32
    np.testing.assert_allclose(found, [4.0, 26.0])


def test_what_is_returned_carries_no_tangents():
    def f(x):
        d = {"a": x * x, "b": [x, (x, 2.0)], "n": 3}
        again = d
        again["c"] = d["b"]
        return d

    value, slope = tl.jvp(f, (2.0,), (1.0,))
    assert value == {"a": 4.0, "b": [2.0, (2.0, 2.0)], "n": 3, "c": [2.0, (2.0, 2.0)]}
    assert slope == {"a": 4.0, "b": [1.0, (1.0, 0.0)], "n": None, "c": [1.0, (1.0, 0.0)]}
    assert type(value["a"]) is float and type(value["b"][1][0]) is float
    assert value["c"] is value["b"]


# What inner functions capture ---------------------------------------------------------------------
def over_the_outer_variable(x):
    d = [x]
    again = d if x > 0.0 else [x]
    again.append(x * x)
    return x * tl.grad(lambda y: x * y * again[1] + tl.grad(lambda z: x * y * z * d[0])(y))(x)


def test_no_perturbation_is_taken_for_another():
    # x * (x ** 3 + x ** 2)
    x, f = 1.3, over_the_outer_variable
    refused_by_names(tl.TangentError, f, x)
    assert math.isclose(tl.grad(f)(x), 4 * x ** 3 + 3 * x ** 2)
    assert math.isclose(tl.jvp(f, (x,), (1.0,))[1], 4 * x ** 3 + 3 * x ** 2)
    assert math.isclose(tl.grad(tl.grad(f))(x), 12 * x ** 2 + 6 * x)
    assert math.isclose(tl.hvp(f)(x, 1.0), 12 * x ** 2 + 6 * x)


def operators_over_captured(x):
    d = [x]
    again = d
    again[0] = x * 2.0
    value, slope = tl.value_and_grad(lambda y: y * y * again[0])(x)
    return value * slope + tl.jvp(lambda y: y * d[0] * x, (x,), (x,))[1] \
        + tl.hvp(lambda y: y ** 3 * d[0])(x, x)


def test_captured_by_all_operators():
    # 2 x ** 3 * 4 x ** 2 + 2 x ** 3 + 12 x ** 3
    x = 1.1
    assert math.isclose(tl.grad(operators_over_captured)(x), 40 * x ** 4 + 42 * x ** 2)
    tl.check_grads(operators_over_captured, (x,), order=2)


def test_partials_that_hold_what_varies():
    import functools

    def f(x):
        slope = tl.grad(functools.partial(lambda a, y: a * y * y, x))
        return sum(map(slope, [x, 2.0 * x]))

    assert math.isclose(f(2.0), 24.0)           # 6 x ** 2
    assert math.isclose(tl.grad(f)(2.0), 24.0)
    assert math.isclose(tl.jvp(f, (2.0,), (1.0,))[1], 24.0)


def test_calls_that_do_not_fit_are_refused():
    for f in (lambda x: tl.hvp(lambda y: x * y ** 3)(x),
              lambda x: tl.hvp(lambda y: x * y ** 3, wrt=(0,))(x, 1.0),
              lambda x: tl.jvp(math.hypot, (x, 1.0), (1.0,))[1]):
        with pytest.raises(tl.TangentError):
            tl.grad(f)(2.0)


def captured_and_written_later(x):
    kept = [x * 1.0]
    again = kept
    again[0][0] = x[1]
    gradient = tl.grad(lambda y: np.sum(y ** 2 * kept[0]))(x)
    again[0][1] = 5.0
    return np.sum(gradient * kept[0])


def captured_and_written_inside(x):
    kept = [0.0]
    again = kept
    count = 0.0

    def inner(y):
        nonlocal count
        again[0] = count = y * x            # a derivative changes nothing outside
        return kept[0] * y
    return tl.grad(inner)(x) + kept[0] + count


def test_captured_arrays_are_as_they_were():
    tl.check_grads(captured_and_written_later, (np.array([1.0, 2.0, 3.0]),), order=2)
    assert captured_and_written_inside(2.0) == 8.0
    assert tl.grad(captured_and_written_inside)(2.0) == 8.0


# Numbers with tangents ----------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [float, complex, np.float64, np.float32, np.float16,
                                  np.longdouble, np.complex64, np.complex128])
def test_numbers_that_carry_tangents_are_numbers(kind):
    for _ in range(50):                         # a wrong layout shows when memory is used again
        one = moving(kind(2.0), [3.0, None])
        assert isinstance(one, kind) and isinstance(one, Moving) and one == 2.0
        assert one.tangents == (3.0, 0.0) and {type(t) for t in one.tangents} == {kind}
        assert type(Tangents(1).component(one, 0)) is kind
        assert np.asarray(one).dtype == np.asarray(kind(2.0)).dtype
        x = np.zeros(3, np.asarray(kind(2.0)).dtype)
        x[0] = one
        assert np.sin(one) == np.sin(kind(2.0)) and x[0] == 2.0


def test_tangents_are_not_lost_in_silence():
    for compute in (lambda x: x + 1.0, lambda x: 2.0 * x, lambda x: -x, lambda x: x ** 2):
        with pytest.raises(UnsupportedSyntaxError, match="does not take tangents along"):
            compute(moving(2.0, [1.0]))
    with pytest.raises(UnsupportedSyntaxError):
        Moved([1.0, None]) + 2.0
    with pytest.raises(UnsupportedSyntaxError):
        np.ones(3) * Moved([1.0, None])


def test_views_share_tangents():
    tangents = Tangents(1)
    x = np.arange(6.0)
    assert not tangents.has(x)
    tangents.put(x, [np.ones(6)])
    view = x.reshape(2, 3)[:, ::-1]
    tangents.of(view, 1)[0, 0] = 7.0
    np.testing.assert_array_equal(tangents.of(x, 1), [1, 1, 7, 1, 1, 1])
    assert not tangents.has(x.copy())
