"""What the parts of a result share with each other, be they in tuples of tuples."""
import numpy as np
import pytest

from tests.reference.modes import hold_curvature_to_differences, hold_to_differences


def nested(a, k):
    t = np.exp(a * k)
    return (t, np.sum(t)), (t, a)


def read(q):
    return np.sum(np.sin(q[0])) + np.sum(q[1])


def changed_and_put_back(x):
    (v, s), q = nested(x[1:], x[0])
    first = v[0]
    v[0] = 5.0 * x[0]
    r = np.sum(v * v)
    v[0] = first
    return r * s + read(q)


def changed(x):
    (v, s), q = nested(x[1:], x[0])
    v[0] = 5.0 * x[0]
    return read(q) * s


def changed_in_a_part(x):
    p, q = nested(x[1:], x[0])
    v = p[0]
    v[0] = 5.0 * x[0]
    return read(q)


def both_taken_apart(x):
    p, q = nested(x[1:], x[0])
    v, s = p
    t, _ = q
    v[0] = 5.0 * x[0]
    return np.sum(t) * s


def deeper(x):
    ((v, s), n), (t, b) = nested(x[1:], x[0]), nested(x[1:], 2.0 * x[0])
    v[0] = 5.0 * x[0]
    return np.sum(t[0]) * s + np.sum(n[0]) + np.sum(b[0])


def summed(a, k):
    t = np.exp(a * k)
    return t, np.sum(np.sin(t))


def part_of_the_result(x):
    v, s = summed(x[1:], x[0])
    v[0] = 5.0 * x[0]
    return s * np.sum(v * v)


def seen_by_its_view(a, k):
    t = np.exp(a * k)
    v = t[1:]
    return v, np.sum(np.sin(v) * t[:-1])


def view_of_the_result(x):
    v, s = seen_by_its_view(x[1:], x[0])
    v[0] = 5.0 * x[0]
    return s * np.sum(v * v)


@pytest.mark.parametrize("f", [
    changed_and_put_back, changed, changed_in_a_part, both_taken_apart, deeper, part_of_the_result,
    view_of_the_result])
def test_what_parts_share(f):
    x, direction = np.array([0.7, 0.3, 0.8, 0.5]), np.array([1.0, -0.5, 0.3, 2.0])
    hold_to_differences(f, x, direction)
    hold_curvature_to_differences(f, x, direction)
