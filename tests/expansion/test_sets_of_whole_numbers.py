"""Sets of whole numbers, which never vary: free degrees of freedom, places that were visited.

What is computed along them goes by names. The reference is a central difference.
"""
import numpy as np
import pytest

from tangent_lite import grad, jvp, value_and_grad
from tangent_lite.errors import UnsupportedSyntaxError


def assembled(k):
    n = len(k) + 1
    K = np.zeros((n, n))
    for e in range(n - 1):
        K[e, e] += k[e]
        K[e, e + 1] -= k[e]
        K[e + 1, e] -= k[e]
        K[e + 1, e + 1] += k[e]
    return K


def solved(K, free):
    f = np.ones(len(K))
    return np.linalg.solve(K[np.ix_(free, free)], f[free]) @ f[free]


def without_the_fixed(k, fixed):
    K = assembled(k)
    free = sorted(set(range(len(K))) - set(fixed))
    return solved(K, free)


def by_a_method(k, fixed):
    K = assembled(k)
    free = list(set(range(len(K))).difference(fixed))
    return solved(K, free)


def discarded(k, fixed):
    K = assembled(k)
    free = set(range(len(K)))
    for i in fixed:
        free.discard(i)
    return solved(K, np.array(list(free)))


def of_displays(k, fixed):
    K = assembled(k)
    free = np.array(sorted({i for i in range(len(K))} - {0, len(K) - 1}))
    return solved(K, free)


def gone_through(k, fixed):
    total = 0.0
    for i in set(fixed) | {0, 2}:
        total = total * 1.1 + k[i % 3] ** 2
    both = {0, 1, 2} & set(fixed)
    for i in both:
        for j in {0, 1, 2} ^ both:
            total = total + k[i] * k[j]
    return total


def growing(k, fixed):
    seen, total = set(), 0.0
    for i in range(3):
        seen.add(i)
        for v in seen:
            total = total * k[1] + k[v] ** 2
        seen.discard(0)
        total = total + np.sum(k[sorted(seen)] ** 3)
    return total


def neighbours(k, fixed):
    near = {0: {1, 2}, 1: {0}, 2: {0, 1}}
    total = 0.0
    for i in range(3):
        for j in near[i]:
            total = total + k[i] * k[j] ** 2 * (1 + i)
    return total


def of_edges(k, fixed):
    total = 0.0
    for i, j in {(0, 1), (1, 2), (2, 0)}:
        total = total * 0.9 + k[i] * k[j] ** 2
    return total


def of_nothing(k, fixed):
    none = set()
    total = k[0] ** 2
    for i in none:
        total = total * k[i]
    return total


def summed(k, fixed):
    places = {i for i in range(3) if i != 1}
    return sum(k[i] ** 3 for i in places | {1}) + max(places) * k[0] + len(places) * k[1] ** 2


def left_early(k, fixed):
    total = 0.0
    for i in {0, 1, 2}:
        if i == 1:
            continue
        total = total * 0.2 + k[i] ** 2
        if i == 2:
            break
    else:
        total = total * k[0]
    return total


def bound_anew(k, fixed):
    places, total = {0, 1}, 0.0
    for i in places:
        total = total + k[i] ** 2
        if i == 0:
            places = {2}
    for i in places:
        total = total * k[i]
    return total


def under_two_names(k, fixed):
    places, total = {0, 1}, 0.0
    same = places
    for _ in range(2):
        for i in places.union(same):
            total = total * 0.3 + k[i] ** 2
        same.add(2)
    return total


ALL = [without_the_fixed, by_a_method, discarded, of_displays, gone_through, growing, neighbours,
       of_edges, of_nothing, summed, left_early, bound_anew, under_two_names]


def by_differences(function, x, step=1e-6):
    return np.array([(function(x + step * e) - function(x - step * e)) / (2 * step)
                     for e in np.eye(len(x))])


K = np.array([1.3, 2.1, 0.7])


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_gradients(function):
    derivative = grad(function)
    for fixed in ([0, 3], [0], [3, 1, 3]):
        expected = by_differences(lambda k: function(k, fixed), K)  # noqa: B023
        gradient = derivative(K, fixed)
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
        value, again = value_and_grad(function)(K, fixed)
        assert value == function(K, fixed)
        np.testing.assert_array_equal(gradient, again)
        direction = np.array([0.3, -1.0, 2.0])
        np.testing.assert_allclose(
            jvp(lambda k: function(k, fixed), (K,), (direction,))[1],  # noqa: B023
            gradient @ direction)
    assert "tape." not in derivative.source_for(K, [0]).replace("_tape.", "")      # by names


@pytest.mark.parametrize("function", [without_the_fixed, growing, neighbours],
                         ids=lambda f: f.__name__)
def test_second_order(function):
    def slope(k):
        return np.sum(grad(function)(k, [0]) ** 2)

    np.testing.assert_allclose(grad(slope)(K), by_differences(slope, K), rtol=1e-6)


def put(places, what):
    places.add(what)


def float_by_an_operator(k):
    places = {1, 2} | {k[0]}
    return sum(places) * k[1]


def float_in_place(k):
    places, total = {1, 2}, 0.0
    places |= {k[0]}
    for v in places:
        total = total + v * k[1]
    return total


def float_by_another_name(k):
    places, total = {1, 2}, 0.0
    same = places
    same.add(k[0])
    for v in places:
        total = total + v * k[1]
    return total


def float_by_a_helper(k):
    places, total = {1, 2}, 0.0
    put(places, k[0])
    for v in places:
        total = total + v * k[1]
    return total


def float_by_a_method(k):
    places, total = {1, 2}.union([k[0]]), 0.0
    for v in places:
        total = total + v * k[1]
    return total


@pytest.mark.parametrize("function", [
    float_by_an_operator, float_in_place, float_by_another_name, float_by_a_helper,
    float_by_a_method], ids=lambda f: f.__name__)
def test_what_varies_is_put_into_no_set(function):
    with pytest.raises(UnsupportedSyntaxError):
        grad(function)(K)


def changed_in_its_loop(k):
    places, total = {0, 1}, 0.0
    for i in places:
        total = total + k[i] ** 2
        places.discard(5)
    return total


def text_beside_numbers(k):
    places, total = {0}, 0.0
    places.add("a")
    for i in places:
        if i != "a":
            total = total + k[i] ** 2
    return total


@pytest.mark.parametrize("function", [changed_in_its_loop, text_beside_numbers],
                         ids=lambda f: f.__name__)
def test_others_go_by_identity(function):
    np.testing.assert_allclose(grad(function)(K), by_differences(function, K), atol=1e-8)


def grows_in_its_loop(k):
    places, total = {0}, 0.0
    for i in places:
        total = total + k[i] ** 2
        places.add(i + 1)
    return total


def test_a_set_that_grows_as_it_is_looped_over():
    with pytest.raises(RuntimeError, match="changed size"):
        grows_in_its_loop(K)
    with pytest.raises(RuntimeError, match="changed size"):
        grad(grows_in_its_loop)(K)
