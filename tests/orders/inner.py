"""Derivatives inside the functions that are differentiated: no perturbation confusion."""
import math

import numpy as np

import tangent_lite as tl
from tests.orders.case import case

u3 = np.array([0.5, -1.2, 0.8])


def cube(x):
    return x * math.sin(x) * x


def grad_inside(x):
    return tl.grad(cube)(x) * tl.grad(cube)(x * x)


case(grad_inside, 0.7)


def jvp_inside(x):
    y, dy = tl.jvp(cube, (x,), (x * x,))
    return y * dy


case(jvp_inside, 0.7)


def over_the_outer_variable(x):
    return x * tl.grad(lambda y: x * y * y + math.sin(x * y))(x)


case(over_the_outer_variable, 0.7)


def confusion(x):
    return x * tl.grad(lambda y: x + y)(1.0) * x


case(confusion, 0.7)


def forward_confusion(x):
    return x * tl.jvp(lambda y: x * math.sin(y), (x,), (1.0,))[1]


case(forward_confusion, 0.7)


def three_deep(x):
    def middle(y):
        return tl.grad(lambda z: x * y * z * math.sin(z * y))(x * y) * y
    return tl.grad(middle)(x * x) * x


case(three_deep, 0.7)


def in_a_loop(x):
    for i in range(3):
        x = x - 0.1 * tl.grad(cube)(x)
    return x * x


case(in_a_loop, 0.7)


def quadratic(w):
    return np.sum(np.tanh(w) * w) + w[0] * w[1] ** 2


def descent(x):
    w = x
    for i in range(2):
        w = w - 0.1 * tl.grad(quadratic)(w)
    return np.sum(w * w * x)


case(descent, u3)


def newton_step(x):
    for i in range(2):
        x = x - tl.grad(cube)(x) / (2.0 + tl.grad(tl.grad(cube))(x) ** 2)
    return x


case(newton_step, 0.7)


def product_inside(x):
    return np.sum(tl.hvp(quadratic)(x, x * x) * np.sin(x))


case(product_inside, u3)


def force(q, k):
    return -tl.grad(lambda z: k * math.cos(z) * z)(q)


def hamiltonian(x):
    q, p = x, 0.3
    for i in range(2):
        p = p + 0.1 * force(q, x)
        q = q + 0.1 * p
    return q * p


case(hamiltonian, 0.7)


def value_inside(x):
    value, slope = tl.value_and_grad(lambda y: cube(y) * x)(x)
    return value * slope


case(value_inside, 0.7)


def conditional_inside(x):
    def f(y):
        if y > x[0]:
            return y * x[1] * math.sin(y)
        return y
    return tl.grad(f)(1.0) * x[2] + tl.grad(f)(0.2) * x[0] ** 3


case(conditional_inside, u3)
