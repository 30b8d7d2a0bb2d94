"""Python's max and min where there is nan: the adjoint goes to the object that Python returns."""
import itertools
import math

import numpy as np
import pytest

import tangent_lite as tl


def several(choose):
    return {2: lambda x, y: choose(x, y), 3: lambda x, y, z: choose(x, y, z),
            4: lambda x, y, z, t: choose(x, y, z, t),
            5: lambda x, y, z, t, u: choose(x, y, z, t, u)}


def largest_of_list(x, y, z):
    return max([x, y, z])


def smallest_of_grown(x, y, z):
    found = []
    for v in (x, y, z):
        found.append(v)
    return min(found)


def largest_of_values(x, y, z):
    return max({"a": x, "b": y, "c": z}.values())


def smallest_step_by_step(x, y, z):
    found = x
    for v in (y, z):
        found = min(found, v)
    return found


def largest_with_default(x, y, z):
    return max([v for v in (x, y, z) if v < 2.0], default=y)


def by_key(x, y, z):
    return max([x, y, z], key=lambda v: -v)


FUNCTIONS = [*((f, n) for n, f in several(max).items()), *((f, n) for n, f in several(min).items()),
             (largest_of_list, 3), (smallest_of_grown, 3), (largest_of_values, 3),
             (smallest_step_by_step, 3), (largest_with_default, 3), (by_key, 3)]


def points(n):
    """Numbers all different, and objects all different, any of them nan."""
    for order in ([0, 1, 2, 3, 4], [3, 4, 1, 0, 2]):
        for places in itertools.product((False, True), repeat=n):
            yield tuple(float("nan") if nan else 0.5 + 0.75 * order[k]
                        for k, nan in enumerate(places))


def returned(f, args):
    value = f(*args)
    return [float(value is x) for x in args]


@pytest.mark.parametrize("f, n", FUNCTIONS)
def test_what_is_returned_receives_the_adjoint(f, n):
    d = tl.grad(f, wrt=tuple(range(n)))
    for args in points(n):
        expected = returned(f, args)
        assert list(d(*args)) == expected, args
        assert [tl.jvp(f, args, unit)[1] for unit in np.eye(n).tolist()] == expected, args


@pytest.mark.parametrize("f, n", FUNCTIONS[:-1])        # keys are not compiled
@pytest.mark.sweep(2)
def test_compiled(f, n):
    pytest.importorskip("numba")
    d = tl.grad(f, wrt=tuple(range(n)), backend="numba")
    for args in points(n):
        assert list(d(*args)) == returned(f, args), args


@pytest.mark.parametrize("backend", ["python", "numba"])
@pytest.mark.parametrize("choose", [max, min])
def test_of_arrays(choose, backend):
    if backend == "numba":
        pytest.importorskip("numba")
    d = tl.grad(lambda x: choose(x), backend=backend)
    for numbers in points(4):
        place = [0.0] * 4
        place[numbers.index(choose(numbers))] = 1.0     # `in` looks for the object first
        assert d(np.array(numbers)).tolist() == place


def test_second_derivatives():
    def cubed(x, y, z):
        return max(x, y, z) ** 3 + min(y, x) ** 2

    for args in points(3):
        value, least = max(*args), min(args[1], args[0])
        expected = [6.0 * value * (x is value) + 2.0 * (x is least) for x in args]
        if value == value and least == least:
            for k in range(3):
                inner = tl.grad(cubed, wrt=k)
                assert math.isclose(tl.grad(inner, wrt=k)(*args), expected[k], rel_tol=1e-12)
                unit = tuple(float(j == k) for j in range(3))
                assert math.isclose(tl.jvp(inner, args, unit)[1], expected[k], rel_tol=1e-12)


def test_what_is_not_returned_receives_nothing_of_an_infinite_adjoint():
    def steep(x, y, z):
        return math.sqrt(max([x, y, z]) - 3.0)

    with np.errstate(all="ignore"):
        assert tl.grad(steep, wrt=(0, 1, 2))(1.0, 3.0, 2.0) == (0.0, math.inf, 0.0)
