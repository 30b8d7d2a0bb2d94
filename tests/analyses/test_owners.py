"""Lists and dicts that own the arrays in them: `forces[i] += f` goes by names where nobody else
holds the array, and by identity where somebody does."""
from collections import defaultdict

import numpy as np
import pytest

import tangent_lite as tl

OUTSIDE = np.zeros(2)


def forces(x, a):
    places = x.reshape(-1, 2)
    found = [np.zeros(2) for _ in range(len(places))]
    for i in range(len(places)):
        for j in range(i + 1, len(places)):
            d = places[j] - places[i]
            w = a * d / (1.0 + np.sum(d * d))
            found[i] += w
            found[j] -= w
    return sum(np.sum(v ** 2) for v in found)


def by_names_of_keys(x, a):
    sums = {"odd": np.zeros(3), "even": np.zeros(3)}
    for k in range(4):
        sums["odd" if k % 2 else "even"] += x[:3] * k * a
    return np.sum(sums["odd"] * sums["even"])


def where_missing(x, a):
    sums = {}
    for k in range(len(x) - 1):
        if k % 3 not in sums:
            sums[k % 3] = np.zeros(2)
        sums[k % 3] += x[k:k + 2] * a
    return sum(np.sum(v ** 2) for v in sums.values())


def made_by_default(x, a):
    sums = defaultdict(lambda: np.zeros(2))
    for k in range(len(x) - 1):
        sums[k % 2] += x[k:k + 2] * a
    return sum(np.sum(v ** 2) for v in sums.values())


def by_a_helper(x, a):
    sums = [np.zeros(2) for _ in range(2)]
    _add(sums, 0, x[:2] * a)
    _add(sums, 1, x[1:3])
    return np.sum(sums[0] * sums[1])


def _add(sums, k, v):
    sums[k] += v


class Body:
    def __init__(self, place, speed, mass):
        self.place, self.speed, self.mass = place, speed, mass


def bodies(x, a):
    found = [Body(x[:2] * 1.0, np.zeros(2), 1.0), Body(x[2:4] * 1.0, np.zeros(2), a)]
    for _ in range(3):
        for i, one in enumerate(found):
            force = np.zeros(2)
            for j, other in enumerate(found):
                if i != j:
                    d = other.place - one.place
                    force += other.mass * d / (1.0 + d @ d)
            one.speed += 0.1 * force
        for one in found:
            one.place += 0.1 * one.speed
    return sum(np.sum(one.place ** 2) for one in found)


def bodies_at_one_place(x, a):
    place = x[:2] * a
    found = [Body(place, np.zeros(2), 1.0), Body(place, np.ones(2), a)]
    for one in found:
        one.place += one.speed + x[0]
    return sum(np.sum(one.place ** 2) for one in found)


def one_array_twice(x, a):
    zeros = np.zeros(2)
    sums = [zeros for _ in range(3)]
    sums[0] += x[:2] * a
    return np.sum(sums[1] ** 2) + np.sum(zeros)


def one_array_in_two_places(x, a):
    zeros = np.zeros(2)
    sums = [zeros, zeros]
    sums[0] += x[:2] * a
    return np.sum(sums[1] ** 2)


def one_array_at_two_keys(x, a):
    zeros = np.zeros(2)
    sums = {"a": zeros, "b": zeros}
    sums["a" if x[0] > 0.0 else "b"] += x[:2] * a
    return np.sum(sums["b"] ** 2)


def seen_by_a_name(x, a):
    sums = [np.zeros(2) for _ in range(3)]
    v = sums[1]
    for i in range(3):
        sums[i] += x[:2] * a
    return np.sum(v ** 2)


def seen_in_another_list(x, a):
    sums = [np.zeros(2) for _ in range(3)]
    other = sums[:]
    sums[0] += x[:2] * a
    return np.sum(other[0] ** 2)


def repeated(x, a):
    sums = [np.zeros(2) for _ in range(2)] * 2
    sums[0] += x[:2] * a
    return np.sum(sums[2] ** 2)


def from_outside(x, a):
    sums = [np.asarray(OUTSIDE) for _ in range(2)]
    for i in range(2):
        sums[i] += a * x[:2]
    found = np.sum(OUTSIDE * sums[0])
    OUTSIDE[:] = 0.0
    return found


def two_keys_of_one(x, a):
    sums = {"a": np.zeros(2), "b": np.zeros(2)}
    sums["c" if x[0] > 0 else "a"] = sums["b"]
    for k in ("a", "b"):
        sums[k] += x[:2] * a
    return sum(np.sum(v ** 2) for v in sums.values())


def seen_in_a_list_of_values(x, a):
    sums = {"a": np.zeros(2), "b": np.ones(2)}
    values = list(sums.values())
    for k in sums:
        sums[k] += x[:2] * a
    return np.sum(values[0] ** 2)


def put_by_name(x, a):
    sums, zeros = {}, np.zeros(2)
    for k in range(3):
        sums[k % 2] = zeros
    sums[0] += x[:2] * a
    return np.sum(sums[1] ** 2)


OWNED = [forces, by_names_of_keys, where_missing, made_by_default, by_a_helper,
         bodies]


@pytest.mark.parametrize("function", [
    *OWNED, bodies_at_one_place, one_array_in_two_places, one_array_at_two_keys, one_array_twice,
    seen_by_a_name, seen_in_another_list, repeated,
    from_outside, two_keys_of_one, seen_in_a_list_of_values, put_by_name])
def test_derivatives(function):
    x, a = np.array([0.3, 0.9, -0.4, 1.2]), 1.3
    derivative = tl.value_and_grad(function, wrt=("x", "a"))
    value, (bx, ba) = derivative(x, a)
    assert value == function(x, a)
    assert derivative._latest.by_identity == (function not in OWNED)
    wanted = [(function(x + 1e-6 * e, a) - function(x - 1e-6 * e, a)) / 2e-6 for e in np.eye(4)]
    np.testing.assert_allclose(bx, wanted, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ba, (function(x, a + 1e-6) - function(x, a - 1e-6)) / 2e-6,
                               rtol=1e-6, atol=1e-8)
