"""What a view of a dict with computed keys is asked for is answered as a view answers it."""
import pytest

import tangent_lite as tl


def made(x):
    return {k: x * k for k in range(3)}


def filled(x):
    d = {}
    for k in range(3):
        d[k] = x * k
    return d


def an_instance(x):
    values = filled(x).values()
    if isinstance(values, list):
        return x * 5.0
    return sum(values) * 2.0


def in_a_loop(x):
    d = filled(x)
    keys = d.keys()
    total = 0.0
    for k in keys:
        total = total + d[k] * (2.0 if isinstance(keys, list) else 9.0)
    return total


def its_type(x):
    values = filled(x).values()
    again = values
    return sum(values) * (2.0 if type(again) is list else 9.0)


def an_attribute(x):
    items = filled(x).items()
    total = 0.0
    for k, v in items:
        if hasattr(items, "append"):
            v = v * 5.0
        total = total + k * v
    return total


def a_pattern(x):
    match filled(x).values():
        case [first, *_]:
            return first * 7.0 + x
    return x * 3.0


def or_a_list(x):
    values = made(x).values() if x > 100.0 else [x, 2.0 * x]
    if isinstance(values, list):
        return x * 5.0
    return sum(values) * 2.0


@pytest.mark.parametrize("f", [an_instance, in_a_loop, its_type, an_attribute, a_pattern,
                               or_a_list])
@pytest.mark.parametrize("x", [2.0, 200.0])
def test_right(f, x):
    wanted = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    value, slope = tl.value_and_grad(f)(x)
    assert value == f(x)
    assert slope == pytest.approx(wanted, rel=1e-6)
    assert tl.jvp(f, (x,), (1.0,)) == (value, pytest.approx(slope))
