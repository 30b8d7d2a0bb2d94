"""Rules are filled in once for numbers that are alike; the names are those of each statement."""
import math

import pytest

import tangent_lite as tl
from tangent_lite import template
from tests.reference.dual import close, numeric_gradient


def products(x, y):
    a = x * y
    b = a * x
    c = b * y
    d = c * 2.0
    e = d * d
    return e * a


def quotients(x, y):
    a = x / y
    b = y / a
    c = 1.0 / b
    return a / c


def sines(x, y):
    a = math.sin(x)
    b = math.sin(a)
    n = 3
    c = b * n
    return math.sin(c) * y


@pytest.mark.parametrize("f", [products, quotients, sines])
def test_gradient(f):
    expected, trustworthy = numeric_gradient(f, [0.7, 1.3], range(2))
    assert trustworthy
    assert close(tl.grad(f, wrt=("x", "y"))(0.7, 1.3), expected, 1e-6)


def test_filled_once(monkeypatch):
    def chain(x):
        a = math.sin(x)
        b = math.sin(a)
        return math.sin(b)

    filled = []
    fill = template.fill
    monkeypatch.setattr(template, "fill", lambda rule, *rest: filled.append(rule.source.name)
                        or fill(rule, *rest))
    assert tl.grad(chain).source_for(0.7)
    assert filled.count("sin") == 1, filled
