"""Dicts that are made of lists of pairs, or of what is numbered: by names, held to the other
strategy and to differences."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names
from tests.held_to_both import X, is_by_names, is_right

NAMES = ["a", "b", "c", "a"]


def of_a_list(x):
    pairs = [(name, v * v) for name, v in zip(NAMES, x)]
    p = dict(pairs)
    return p["a"] * p["b"] ** 2 + len(p)


def numbered(x):
    p = dict(enumerate(x * x, start=1))
    return p[1] * p[2] ** 2 + sum(p.values())


def put_into_later(x):
    pairs = [(k, x[k]) for k in range(3)]
    p = dict(pairs)
    p[0] = p[0] * p[1]
    p[5] = x[5]
    total = 0.0
    for k, v in p.items():
        total += (k + 1) * v * v
    return total + pairs[0][1]


def of_none(x):
    pairs = [(k, x[k]) for k in range(int(x[0]))]
    p = dict(pairs)
    total = x[1]
    for k, v in p.items():
        total += k * v
    return total


@pytest.mark.parametrize("function", [of_a_list, numbered, put_into_later, of_none])
def test_dicts_of_pairs(function):
    is_right(function)
    is_by_names(function)


def bound_anew(x):
    pairs = [(k, x[k] * x[k]) for k in range(3)]
    pairs = dict(pairs)
    return pairs[0] * pairs[1]


def test_the_list_may_lose_its_name():
    is_right(bound_anew)


def epidemic(rates, contacts, people, events):
    """Rows of a state that are unpacked, scaled by what stands in a schedule."""
    y = np.zeros((3, len(people)))
    y[0] = people
    y[1] = 0.01 * people
    schedule = dict(events)
    factor = 1.0
    peak = 0.0
    for step in range(8):
        day = 0.5 * step
        if day in schedule:
            factor = schedule[day]
        healthy, ill, _ = y
        force = factor * rates[0] * contacts @ (ill / people)
        flows = np.array([healthy * force, rates[1] * ill])
        y = y + 0.5 * np.vstack([-flows[:1], flows[:1] - flows[1:], flows[1:]])
        if y[1].sum() > peak:
            peak = y[1].sum()
    return np.log(peak) + y[2] @ y[2]


def test_a_schedule():
    given = (np.array([1.5, 0.3]), np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([3.0, 2.0]),
             [(1.0, 0.5), (2.5, 0.8)])
    with by_names():
        slopes = tl.grad(epidemic, wrt=(0, 1, 2, 3))(*given)
    with by_identity():
        others = tl.grad(epidemic, wrt=(0, 1, 2, 3))(*given)
    for one, other in zip(slopes[:3], others):
        np.testing.assert_allclose(one, other, rtol=1e-10)
    np.testing.assert_allclose(np.array(slopes[3]), np.array(others[3]), rtol=1e-10)
    tl.check_grads(lambda r, c, p: epidemic(r, c, p, given[3]), given[:3], order=1)
    h = 1e-5
    moved = [epidemic(*given[:3], [(1.0, 0.5 + s), (2.5, 0.8)]) for s in (h, -h)]
    np.testing.assert_allclose(slopes[3][0][1], (moved[0] - moved[1]) / (2 * h), rtol=1e-6)


def test_vectors_of_one_element():
    with by_names():
        np.testing.assert_allclose(
            tl.grad(lambda x: sum(dict(enumerate(x)).values()))(np.array([X[0]])), [1.0])
