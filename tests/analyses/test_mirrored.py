"""Calls that do to tangents what they do to values, and those that only look as if they did."""
import numpy as np
import pytest

import tangent_lite as tl


def pairs(x, y):
    e = dict((k, x * t) for k, t in enumerate((x, y)))
    return e[0] * e[1]


def listed_pairs(x, y):
    return dict([(0.5, x), (2.5, y * x)])[2.5] * y


def zipped(x, y):
    return dict(zip(["a", "bb"], [x * y, y]))["a"]


def updated_by_pairs(x, y):
    e = {"a": x}
    e.update([("a", x * y), ("b", y)])
    return e["a"] * e["b"]


def copied(x, y):
    e = {}
    for k in range(2):
        e[k] = x * y + k
    return dict(e)[1] * e[0]


@pytest.mark.parametrize("f", [pairs, listed_pairs, zipped, updated_by_pairs, copied],
                         ids=lambda f: f.__name__)
def test_dicts_made_of_pairs(f):
    for dx, dy in [(1.0, 0.0), (0.3, -0.7)]:
        ahead, behind = [f(0.3 + e * dx, 0.5 + e * dy) for e in (1e-6, -1e-6)]
        expected = (ahead - behind) / 2e-6
        value, slope = tl.jvp(f, (0.3, 0.5), (dx, dy))
        assert value == f(0.3, 0.5)
        np.testing.assert_allclose(slope, expected, rtol=1e-7)


def sum_of_keys(x, y):
    e = {0.5: x * y, 1.5: y}
    return sum(e) * x


def greatest_key(x, y):
    e = {}
    for k in range(2):
        e[k + 0.5] = x * y + k
    return max(e) * x


@pytest.mark.parametrize("f", [sum_of_keys, greatest_key], ids=lambda f: f.__name__)
def test_keys_are_no_items(f):
    """Right or refused: what these take are the keys, which do not vary."""
    for found in (lambda: tl.grad(f)(0.3, 0.5), lambda: tl.jvp(f, (0.3, 0.5), (1.0, 0.0))[1]):
        try:
            assert found() == f(1.0, 0.5)
        except tl.TangentError as error:
            assert "keys" in str(error)
