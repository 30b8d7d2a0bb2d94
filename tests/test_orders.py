"""Derivatives of every order up to the third, in every sequence of modes, against differences.

Each function of tests/orders stands for a class of programs; "rfr" reads as it nests, reverse over
forward over reverse. What is refused stands in tests/orders/refused.py, and goes from there when it
is right. A derivative is never wrong, and none ends in an error of Python.
"""
import functools
import importlib
import math
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl
from tests.orders.case import CASES
from tests.orders.derivatives import SEQUENCES, directions_at, nested, reference
from tests.orders.refused import REFUSED
from tests.reference.dual import quiet
from tests.reference.trees import copies

for _path in sorted((Path(__file__).parent / "orders").glob("*.py")):
    importlib.import_module(f"tests.orders.{_path.stem}")

# Third derivatives of these are taken at each run, of all others when the slow tests run.
CORE = {"flow-logistic_map", "flow-helpers", "arrays-written_elements", "containers-list_grown",
        "containers-dict_argument", "inner-over_the_outer_variable"}
SECONDS = [s for s in SEQUENCES if len(s) == 2]
THIRDS = [s for s in SEQUENCES if len(s) == 3]


@functools.cache
def by_reference(name, order):
    """What differences say: it is the same for all sequences of modes of one length."""
    case = CASES[name]
    return reference(case, directions_at(case.p, order))


def check(name, modes):
    case = CASES[name]
    directions = directions_at(case.p, len(modes))
    wanted, doubt = by_reference(name, len(modes))
    size = max(1.0, abs(wanted))
    assert doubt <= 1e-6 * size, "the referee does not know"
    try:
        with quiet():
            found = nested(case, modes, directions)(*copies((case.p,)))
    except tl.TangentError as error:
        assert modes in REFUSED.get(name, ()), f"{name} {modes} is refused: {error}"
        pytest.skip(str(error))
    assert abs(found - wanted) <= 2e-6 * size, f"{found!r}, differences say {wanted!r}"
    assert modes not in REFUSED.get(name, ()), f"{name} {modes} is right: take it out of REFUSED"


@pytest.mark.parametrize("modes", SECONDS)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.sweep(12)
def test_second_derivatives(name, modes):
    check(name, modes)


@pytest.mark.parametrize("modes", THIRDS)
@pytest.mark.parametrize("name", sorted(CORE))
@pytest.mark.sweep(16)
def test_third_derivatives(name, modes):
    check(name, modes)


@pytest.mark.slow
@pytest.mark.parametrize("modes", ["r", "f", *THIRDS])
@pytest.mark.parametrize("name", [name for name in CASES if name not in CORE])
def test_all_derivatives(name, modes):
    check(name, modes)


def test_only_what_exists_is_refused():
    assert REFUSED.keys() <= CASES.keys()
    assert all(set(modes) <= set(SEQUENCES) for modes in REFUSED.values())


# The operators over each other -----------------------------------------------------------------
def quartic(x):
    return np.sum(x ** 4) + x[0] ** 2 * x[1] ** 2


def test_operators_over_operators():
    x, v = np.array([0.5, -1.2]), np.array([0.3, 0.7])
    H = np.array([[12 * x[0] ** 2 + 2 * x[1] ** 2, 4 * x[0] * x[1]],
                  [4 * x[0] * x[1], 12 * x[1] ** 2 + 2 * x[0] ** 2]])
    for found in (tl.hessian(quartic)(x), tl.jacfwd(tl.grad(quartic))(x),
                  tl.jacrev(tl.grad(quartic))(x),
                  tl.jacobian(lambda y: tl.grad(quartic)(y))(x)):
        np.testing.assert_allclose(found, H, rtol=1e-12)
    np.testing.assert_allclose(tl.hvp(quartic)(x, v), H @ v, rtol=1e-12)
    third = tl.jacfwd(lambda y: tl.hvp(quartic)(y, v))(x)
    np.testing.assert_allclose(third, [[24 * x[0] * v[0] + 4 * x[1] * v[1],
                                        4 * x[1] * v[0] + 4 * x[0] * v[1]],
                                       [4 * x[1] * v[0] + 4 * x[0] * v[1],
                                        24 * x[1] * v[1] + 4 * x[0] * v[0]]], rtol=1e-12)


def test_fourth_and_fifth_derivatives():
    d = math.sin
    for order in range(1, 6):
        d = tl.grad(d)
        assert math.isclose(d(0.7), math.sin(0.7 + order * math.pi / 2), rel_tol=1e-12)


class Spring:
    def __init__(self, stiffness, length):
        self.stiffness, self.length = stiffness, length


def energy(spring):
    return spring.stiffness * math.sin(spring.length) ** 2


def test_objects_are_checked_to_second_order():
    tl.check_grads(energy, (Spring(0.7, 1.3),), order=2, modes=("rev",))
    tl.check_grads(energy, (Spring(0.7, 1.3),), order=2)


def test_the_gradient_of_an_object_is_an_object_inside_too():
    def along(spring):
        found = tl.grad(energy)(spring)
        return found.stiffness * found.length

    found = tl.grad(along)(Spring(0.7, 1.3))
    s, k = math.sin(1.3), 0.7
    assert math.isclose(found.stiffness, s ** 2 * 2 * s * math.cos(1.3))
    assert math.isclose(found.length, k * (6 * s ** 2 * math.cos(1.3) ** 2 - 2 * s ** 4))


# Arrays in lists that are changed in place -------------------------------------------------------
def kept_by_two(x):
    y = x * x
    ys = [y, y]
    ys[0] += x                              # changes ys[1] and y as well
    return np.sum(ys[1] * y)


def looked_at_later(x):
    ys = [x * x, x * 2.0]
    seen = ys[0]
    ys[0] += x                              # changes seen
    return np.sum(seen * ys[1])


def viewed_before(x):
    y = x * x
    v = y[1:]
    ys = [y]
    ys[0] += x                              # changes v
    return np.sum(v * v)


def put_back_with_another_name(x):
    ys = [x * x, x * 2.0]
    a = ys.pop()
    b = a
    ys.append(a)
    ys[1] += x                              # changes b
    return np.sum(b * ys[0])


def seen_through_another_list(x):
    ys = [x * x]
    zs = [ys[0]]
    ys[0] += x                              # changes zs[0]
    return np.sum(zs[0] * zs[0])


def swapped_within(x):
    ys = [x * x, x * 2.0]
    ys[0] = ys[1]
    ys[1] += x                              # changes ys[0]
    return np.sum(ys[0] * x)


@pytest.mark.parametrize("f", [kept_by_two, looked_at_later, viewed_before, swapped_within,
                               put_back_with_another_name, seen_through_another_list])
def test_arrays_that_others_hold_are_right_or_refused(f):
    x = np.array([0.5, -1.2, 0.8])
    try:
        value, _ = tl.value_and_grad(f)(x)
    except tl.TangentError:
        return
    assert value == f(x.copy())
    tl.check_grads(f, (x,), order=1)


def owned(x, n):
    ys = [np.zeros(3), x * x]
    for i in range(n):
        ys[i % 2] += x * np.sin(ys[i % 2])
        ys[0] += x * x
    ys[1] -= ys[0] * x
    return np.sum(ys[0] * ys[1])


def test_arrays_that_a_list_owns():
    tl.check_grads(owned, (np.array([0.5, -1.2, 0.8]), 3), order=2)


def repeated(x, n):
    for i in range(n):
        e = np.exp(0.1 * x)
        x = x + e if i % 2 else np.concatenate([x, x])[:x.shape[0]] * np.sum(e)
    return np.sum(x)


def test_a_number_that_becomes_an_array_that_is_added_to():
    tl.check_grads(repeated, (np.array([0.5, -1.2, 0.8]), 2), order=2)
