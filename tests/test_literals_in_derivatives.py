"""What is written out in a call of a derivative holds of that call, and of no other."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


def power(x, n):
    return x ** n


def named(x, kind):
    return x ** 3 if kind == "cube" else x * x


def switched(x, is_cubed=False):
    if is_cubed:
        return x ** 3
    return x * x


def left_out(x, n=None):
    return x * x if n is None else x ** n


def scaled(x, sign):
    return x ** 3 * np.copysign(1.0, sign)


def repeated(x, n):
    for _ in range(n):
        x = x * x
    return x


slope = tl.grad(power)
slope_named, slope_switched = tl.grad(named), tl.grad(switched)
slope_left_out, slope_scaled, slope_repeated = tl.grad(left_out), tl.grad(scaled), tl.grad(repeated)


def both_powers(x):
    return slope(x, 2) + slope(x, 3) * x


def powers_in_turn(x):
    total = 0.0
    for _ in range(2):
        total = total + slope(x, 4) * slope(x, 2)
    return total


def by_texts(x):
    return slope_named(x, "square") * slope_named(x, "cube")


def by_switches(x):
    return slope_switched(x, True) + slope_switched(x) + slope_switched(x, is_cubed=True)


def by_defaults(x):
    return slope_left_out(x) * slope_left_out(x, 3) + slope_left_out(x, None)


def by_signs(x):
    return slope_scaled(x, 0.0) * x - slope_scaled(x, -0.0)


def by_counts(x):
    return slope_repeated(x, 1) + slope_repeated(x, 0) * x + slope_repeated(x, 2)


def many(x):
    total = slope(x, 1) + slope(x, 2) + slope(x, 3) + slope(x, 4) + slope(x, 5) + slope(x, 6)
    total += slope(x, 7) + slope(x, 8) + slope(x, 9) + slope(x, 10) + slope(x, 11) + slope(x, 12)
    return total + slope(x, 13) + slope(x, 14) + slope(x, 15) + slope(x, 16) + slope(x, 17) \
        + slope(x, 18) + slope(x, 19)


# With their derivatives by hand.
PROGRAMS = {
    both_powers: lambda x: 2.0 + 9.0 * x ** 2,
    powers_in_turn: lambda x: 64.0 * x ** 3,
    by_texts: lambda x: 18.0 * x ** 2,
    by_switches: lambda x: 12.0 * x + 2.0,
    by_defaults: lambda x: 18.0 * x ** 2 + 2.0,
    by_signs: lambda x: 9.0 * x ** 2 + 6.0 * x,
    by_counts: lambda x: 2.0 + 1.0 + 12.0 * x ** 2,
    many: lambda x: sum(n * (n - 1) * x ** (n - 2) for n in range(2, 20))}


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_each_call_has_its_own(f):
    for x in (0.8, np.float64(-0.6)):
        with by_names():
            for found in (tl.grad(f)(x), tl.jvp(f, (x,), (1.0,))[1], tl.vjp(f, x)[1](1.0)[0]):
                np.testing.assert_allclose(found, PROGRAMS[f](x), rtol=1e-12)


def test_calls_of_one_derivative_by_several_functions():
    """What is known of the call in one function is not taken for what holds in the next."""
    x = np.array([0.5, 1.5])
    for n, function in {
            2: lambda x: np.sum(slopes(x, 2)), 3: lambda x: np.sum(slopes(x, 3)),
            4: lambda x: np.sum(slopes(x, 4))}.items():
        want = n * (n - 1) * x ** (n - 2)
        np.testing.assert_allclose(tl.grad(function)(x), want, rtol=1e-12)
        np.testing.assert_allclose(tl.jacfwd(function)(x), want, rtol=1e-12)


slopes = tl.elementwise_grad(power)
