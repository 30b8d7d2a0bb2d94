"""Adjoints to which only some ways of a branch add."""
import math

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([0.5, -1.2, 0.8])


def one_of_two(a: float, b: float, x: float):
    if x > 0.0:
        y = a * x
    else:
        y = b * x * x
    return y * y


def one_alone(a: float, b: float, x: float):
    y = math.sin(x)
    if x > 0.0:
        y = y * a
    return y * b


def one_of_many(a: float, b: float, x: float):
    if x < 0.0:
        y = a * x
    elif x < 1.0:
        y = b * x * x
    elif x < 2.0:
        y = a * x ** 3 + b
    else:
        y = x
    return y * y


def loop_in_a_branch(a: float, b: float, x: float):
    if x > 0.0:
        y = a * x
        for i in range(3):
            if y > b:
                y = y - b * y
            z = y * b
            y = z * z + x
    else:
        y = math.exp(x)
        if x < -1.0:
            y = y * b
    return y


def bound_in_the_loop_and_before(a: float, b: float, x: float):
    v = a * x
    y = v
    if x > 0.0:
        for i in range(3):
            if i > 0:
                v = y * b
            y = y + math.sin(v) * x
    else:
        y = y * v
    return y * v


def early(a: float, b: float, x: float):
    if x > 1.0:
        return a * x
    for i in range(3):
        x = math.sin(b * x) + x
        if x > 0.9:
            return x * a
    return x * b


@pytest.mark.parametrize("x", [-1.5, -0.5, 0.5, 1.5, 2.5])
@pytest.mark.parametrize("fun", [one_of_two, one_alone, one_of_many, loop_in_a_branch,
                                 bound_in_the_loop_and_before, early], ids=lambda f: f.__name__)
def test_numbers(fun, x):
    at, h = (0.7, 1.3, x), 1e-6
    wanted = [(fun(*(v + h * (i == k) for i, v in enumerate(at)))
               - fun(*(v - h * (i == k) for i, v in enumerate(at)))) / (2.0 * h) for k in range(3)]
    assert np.allclose(tl.grad(fun, wrt=(0, 1, 2))(*at), wanted, rtol=1e-6, atol=1e-8)
    assert np.allclose(tl.vjp(fun, *at)[1](1.0), wanted, rtol=1e-6, atol=1e-8)


def arrays(w, v, x, deep):
    if deep:
        h = np.tanh(x * w)
        y = h * v
    else:
        y = x * x
    return np.sum(y ** 2)


def many_arrays(w, v, x, way):
    if way == 0:
        y = w * x
    elif way == 1:
        y = v * x
        for k in range(2):
            y = y * v
    elif way == 2:
        y = x.copy()
        y[1:] = w[:-1] * x[1:]
    else:
        y = x
    return np.sum(y * y)


@pytest.mark.parametrize("way", [0, 1, 2, 3])
@pytest.mark.parametrize("fun", [arrays, many_arrays], ids=lambda f: f.__name__)
def test_arrays(fun, way):
    given = (X + 0.1, X * X, X, way)
    found = tl.grad(fun, wrt=(0, 1, 2))(*given)
    h = 1e-30
    for k in range(3):
        for i in range(3):
            moved = [g.astype(complex) for g in given[:3]]
            moved[k][i] += 1j * h
            assert np.isclose(found[k][i], fun(*moved, way).imag / h)
    assert all(g.flags.writeable for g in found)
    assert not any(np.shares_memory(a, b) for a in found for b in (*found, *given[:3])
                   if a is not b)


def test_zeros_stand_in_the_way_that_adds_nothing():
    text = tl.grad(one_of_two, wrt=(0, 1, 2)).source
    assert " = 0.0" not in text[text.index("# Backward pass"):text.rindex("if x > 0.0")]
    assert "+=" not in text
    arrays_text = tl.grad(arrays, wrt=(0, 1, 2)).source_for(X, X, X, True)
    assert arrays_text.count("np.zeros_like") == 2
    assert "np.zeros_like" not in arrays_text[:arrays_text.rindex("if ")]


def test_of_many_ways_they_stand_in_front():
    text = tl.grad(one_of_many, wrt=(0, 1, 2)).source
    assert text.count(" = 0.0\n") == 2 and text.count("elif x < ") == 2 * text.count("elif x < 1.0")


def beside_the_value(x, y):
    for k in range(3):
        x = x * y
        if x > 10.0:
            return x, k
    return x, [y]                       # y goes into what has no adjoint


def bound_anew_in_each_step(a, b, x, n):
    v = a * x
    y = v * v
    for i in range(n):
        v = y * b
        if y > 0.5:
            y = y + v * math.sin(v)
        elif y > 0.2:
            y = y * x
        else:
            y = y * a
    return y * x


@pytest.mark.parametrize("at", [(0.5, 2.0), (3.0, 1.5), (4.0, 3.0)])
def test_to_which_nothing_is_added_in_the_end(at):
    found = tl.grad(beside_the_value, wrt=(0, 1), has_aux=True)(*at)[0]
    h = 1e-6
    wanted = [(beside_the_value(at[0] + h * (k == 0), at[1] + h * (k == 1))[0]
               - beside_the_value(at[0] - h * (k == 0), at[1] - h * (k == 1))[0]) / (2.0 * h)
              for k in range(2)]
    assert np.allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("x", [-0.9, 0.3, 0.8, 1.7])
def test_in_each_step(n, x):
    at, h = (0.7, 1.3, x), 1e-6
    wanted = [(bound_anew_in_each_step(*(v + h * (i == k) for i, v in enumerate(at)), n)
               - bound_anew_in_each_step(*(v - h * (i == k) for i, v in enumerate(at)), n))
              / (2.0 * h) for k in range(3)]
    assert np.allclose(tl.grad(bound_anew_in_each_step, wrt=(0, 1, 2))(*at, n), wanted,
                       rtol=1e-6, atol=1e-8)
