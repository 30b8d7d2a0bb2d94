"""The best of several objects, which is None until the first is found: its adjoint is as
`zeros_like` makes it, a dict of attributes, whether the class is a dataclass or not."""
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl
from tests.reference.dual import numeric_gradient


@dataclass
class Sphere:
    centre: np.ndarray
    radius: float


@dataclass
class Painted:
    sphere: Sphere
    colour: float


class Ball:
    def __init__(self, centre, radius):
        self.centre, self.radius = centre, radius


def size(sphere, n):
    total = 0.0
    for i in range(n):
        total = total + sphere.radius * np.sum(sphere.centre ** (i + 1))
    return total


def largest(spheres, limit):
    best = None
    for sphere in spheres:
        if sphere.radius > limit:
            best = sphere
    return best


def by_helper(p):
    best = largest([Sphere(p[:2], p[2]), Sphere(p[1:3] * 2.0, p[0])], 0.0)
    if best is None:
        return 0.0
    return size(best, 2) + best.radius


def made_in_a_loop(p):
    best = None
    for k in range(3):
        sphere = Sphere(p[k:k + 1] * 2.0, p[k])
        if best is None or sphere.radius > best.radius:
            best = sphere
    return best.radius * np.sum(best.centre)


def written_by_hand(p):
    best = None
    for k in range(3):
        ball = Ball(p[k:k + 1] * 2.0, p[k])
        if best is None or ball.radius > best.radius:
            best = ball
    return best.radius * np.sum(best.centre)


def one_in_another(p):
    best = None
    for k in range(3):
        painted = Painted(Sphere(p[k:k + 1] * 2.0, p[k]), p[0])
        if best is None or painted.sphere.radius > best.sphere.radius:
            best = painted
    return best.colour * np.sum(best.sphere.centre) * best.sphere.radius


def in_a_tuple(p):
    best = None
    for k in range(3):
        pair = p[k:k + 1] * 2.0, Sphere(p[:2], p[k])
        if best is None or pair[1].radius > best[1].radius:
            best = pair
    return np.sum(best[0] * best[1].centre) * best[1].radius


def second_best(p):
    best, second = None, None
    for sphere in [Sphere(p[:2], p[2]), Sphere(p[1:3] * 2.0, p[0])] * 2:
        if best is None or sphere.radius >= best.radius:
            second = best
            best = sphere
    total = best.radius * np.sum(best.centre)
    if second is not None:
        total += second.radius ** 2
    return total


def no_object(p):
    best = largest([Sphere(p[:2], p[2])] if p[0] > 50.0 else [], 0.0)
    return p[0] ** 2 if best is None else best.radius


@pytest.mark.parametrize("f", [by_helper, made_in_a_loop, written_by_hand, one_in_another,
                               in_a_tuple, second_best, no_object])
def test_best_of_objects(f):
    p = np.array([1.0, 2.0, 3.0])
    (wanted,), _ = numeric_gradient(f, (p,), (0,))
    np.testing.assert_allclose(tl.grad(f)(p), wanted, rtol=1e-6, atol=1e-7)


def test_second_order():
    p, v = np.array([1.0, 2.0, 3.0]), np.array([0.3, -1.0, 0.5])
    forward = tl.jvp(tl.grad(one_in_another), (p,), (v,))[1]
    np.testing.assert_allclose(tl.hvp(one_in_another)(p, v), forward, rtol=1e-9)
    gradient = tl.grad(one_in_another)
    numeric = (gradient(p + 1e-6 * v) - gradient(p - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(forward, numeric, rtol=1e-6, atol=1e-6)
