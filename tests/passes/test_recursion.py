"""Functions defined inside that call themselves, and what they take along: other functions, named
lambdas among them."""
import numpy as np
import pytest

import tangent_lite as tl


def quadrature(p):
    integrand = lambda x: np.exp(-p[0] * (x - 0.3) ** 2) * p[1]     # noqa: E731

    def simpson(a, b):
        return (b - a) / 6 * (integrand(a) + 4 * integrand((a + b) / 2) + integrand(b))

    def refined(a, b, depth):
        m = (a + b) / 2
        whole, halves = simpson(a, b), simpson(a, m) + simpson(m, b)
        if depth > 4 or abs(halves - whole) < 1e-6:
            return halves
        return refined(a, m, depth + 1) + refined(m, b, depth + 1)

    return refined(0.0, 1.0, 0)


def lambda_that_calls_itself(p):
    powers = lambda k: 1.0 if k == 0 else p[0] * k * powers(k - 1)      # noqa: E731
    return powers(4) * p[1] + powers(2)


def captured_is_bound_again(p):
    x = p[0]
    scaled = lambda y: y * x                                    # noqa: E731

    def power(k):
        return p[1] if k == 0 else scaled(power(k - 1))

    first = power(3)
    x = x * 2.0
    return first + power(2)


@pytest.mark.parametrize("f", [
    quadrature, lambda_that_calls_itself, captured_is_bound_again])
def test_named_lambdas_go_along(f):
    p = np.array([1.7, 0.6])
    tl.check_grads(f, (p,), order=2)
    source = tl.grad(f).source_for(p)
    assert "tape.call" not in source and "_fwd_1" not in source


def default_is_a_variable(p):
    x = p[0]
    scaled = lambda y, by=x: y * by                             # noqa: E731

    def power(k):
        return p[1] if k == 0 else scaled(power(k - 1))

    x = x * 3.0
    return power(3) + x


def one_of_two(p):
    if p[0] > 1.0:
        scaled = lambda y: y * p[0]                             # noqa: E731
    else:
        scaled = lambda y: y + p[0]                             # noqa: E731

    def power(k):
        return p[1] if k == 0 else scaled(power(k - 1))

    return power(3)


@pytest.mark.parametrize("f", [default_is_a_variable, one_of_two])
def test_what_cannot_go_along(f):
    for start in (1.7, 0.6):
        tl.check_grads(f, (np.array([start, 0.6]),), order=1)
