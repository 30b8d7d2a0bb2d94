"""Derivatives that a loop makes anew at each step, followed by identity: transformed once."""
from collections import deque

import numpy as np
import pytest

import tangent_lite as tl
import tangent_lite.heap.primitives as primitives
from tests.heap.forced import by_identity


def miss(p, x):
    return np.sum((p * x - 1.0) ** 2)


def miss_of_pairs(p, x):
    *_, (w, b) = p["layers"]
    return np.sum((w * x - b) ** 2)


def by_gradient(p, x):
    queue = deque([p])
    queue.rotate(1)
    q = queue[0]
    for _ in range(3):
        q = q - 0.1 * tl.grad(miss)(q, x)
    return miss(q, x)


def by_lambda(p, x):
    queue = deque([p])
    queue.rotate(1)
    q = queue[0]
    for _ in range(3):
        value, slope = tl.value_and_grad(lambda p, x: np.sum((p * x - 1.0) ** 2))(q, x)
        q = q - 0.1 * slope * value
    return miss(q, x)


def by_product(p, x):
    queue = deque([p])
    queue.rotate(1)
    q = queue[0]
    for _ in range(3):
        q = q - 0.1 * tl.hvp(miss)(q, x, q)
    return miss(q, x)


def with_what_changes(p, x):
    queue = deque([p])
    queue.rotate(1)
    q = queue[0]
    for k in range(3):
        q = q - 0.1 * tl.grad(lambda z: np.sum((z * x - k) ** 2))(q)
    return miss(q, x)


def by_structure(p, x):
    for _ in range(3):
        g = tl.grad(miss_of_pairs)(p, x)
        p = {"layers": [(a - 0.1 * da, b - 0.1 * db)
                        for (a, b), (da, db) in zip(p["layers"], g["layers"])]}
    return miss_of_pairs(p, x)


X = np.array([0.3, -0.7])
P = np.array([0.5, 0.2])
PAIRS = {"layers": [(P, 0.1 + P)]}


@pytest.mark.parametrize("f", [by_gradient, by_lambda, by_product, with_what_changes])
def test_as_central_differences_say(f):
    with by_identity():
        found = tl.grad(f)(P, X)
    for k, unit in enumerate(np.eye(2)):
        want = (f(P + 1e-6 * unit, X) - f(P - 1e-6 * unit, X)) / 2e-6
        assert abs(found[k] - want) < 1e-6 * max(1.0, abs(want))


@pytest.mark.parametrize("f, p", [
    (by_gradient, P), (by_product, P), (by_structure, PAIRS)])
def test_nothing_is_transformed_at_a_second_call(f, p, monkeypatch):
    d = tl.grad(f)
    with by_identity():
        first = d(p, X)

        def anew(*given):
            raise AssertionError("what a step makes is transformed anew")
        monkeypatch.setattr(primitives, "Variant", anew)
        again = d(p, X)
    np.testing.assert_equal(again, first)


def test_one_derivative_is_called_at_each_step():
    asked = []

    def f(x):
        queue = deque([x])
        for _ in range(3):
            d = tl.grad(miss)
            asked.append(d)
            queue.append(queue[-1] - d(queue[-1], X))
        return np.sum(queue[-1])

    with by_identity():
        tl.grad(f)(P)
    assert all(d is asked[0] for d in asked)
