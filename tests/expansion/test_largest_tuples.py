"""`max` and `min` of tuples: the best one with what comes along, `min((error, k) for ...)`."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient


def of_a_list(x):
    found = []
    for k in range(len(x)):
        found.append((x[k] * np.cos(k), k))
    best = max(found)
    return best[0] * x[best[1]]


def of_a_generator(x):
    return max((x[k] * np.cos(k), k) for k in range(4))[0] * x[1]


def taken_apart(x):
    distance, k = min((abs(x[j] - 0.8), j) for j in range(4))
    return distance * x[k]


def of_several(x):
    a, b = max((x[0], x[1]), (x[1] * 0.5, x[2]))
    return a * b


def of_a_display(x):
    best = min([(x[0] * x[1], 1.0, x[3]), (x[2] * x[2], 2.0, x[0])])
    return best[0] * best[1] + best[2]


def nested_ones(x):
    (score, (a, b)), first = max((x[k] ** 2, (x[k - 1], 0.5)) for k in range(4)), x[0]
    return score * a + b * first


def of_lengths(x):
    best = max((x[0], x[1]), (x[0], x[1], x[2]))
    return best[0] * best[1] + len(best)


def the_first_of_equal_ones(x):
    found = [(1.0, 2, x[0] * 0.0, x[0]), (1.0, 2, x[1] * 0.0, x[1])]
    pairs = [(one[0], one[1]) for one in found]
    return found[pairs.index(max(pairs))][3] * max(found, key=lambda one: one[:2])[3]


def in_a_loop(x):
    total = 0.0
    for j in range(3):
        score, i, k = max((x[k] * x[i] - 0.3 * j * x[k], i, k) for i in range(3) for k in range(i))
        total += score * (i + 2 * k) + x[j]
    return total


@pytest.mark.parametrize("f", [of_a_list, of_a_generator, taken_apart, of_several, of_a_display,
                               nested_ones, of_lengths, the_first_of_equal_ones, in_a_loop])
def test_largest_tuples(f):
    x = np.array([0.93, 1.1, 0.7, 1.3])
    x.flags.writeable = False
    derivative = tl.value_and_grad(f)
    value, slope = derivative(x)
    assert value == f(x.copy())
    assert not derivative._latest.by_identity or f is of_lengths
    (wanted,), _ = numeric_gradient(f, (x.copy(),), (0,))
    np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(derivative(x)[1], slope)
    np.testing.assert_allclose(tl.jvp(f, (x,), (x,))[1], slope @ x)
    np.testing.assert_allclose(tl.vjp(f, x)[1](2.0)[0], 2.0 * slope)


def test_nan_and_nothing():
    x = np.array([0.93, np.nan, 0.7, 1.3])
    value, slope = tl.value_and_grad(of_a_list)(x)
    np.testing.assert_array_equal(value, of_a_list(x))
    with pytest.raises(ValueError, match="empty"):
        tl.grad(of_a_list)(np.ones(0))
