"""The arrays of the backward pass: what they cost in loops, and the shapes that zeros have."""
import ast

import numpy as np
import pytest

import tangent_lite as tl
from tests.programs.judge import judge


# What an element costs ---------------------------------------------------------------------------
def stencil(x, n):
    h = np.zeros(len(x))
    for k in range(n):
        h = h * x[0]
        for j in range(1, len(x)):
            h[j] = h[j - 1] * x[j] + h[j]
    return np.sum(h)


def read_only(x, n):
    total = 0.0
    h = x
    for k in range(n):
        h = np.sin(h)
        for j in range(len(x)):
            total += h[j] * x[j]
    return total


def bound_between(x, n):
    y = x
    for k in range(n):
        y = y * 2.0
        s = 0.0
        for j in range(3):
            s += y[j]
        y = y + s
    return np.sum(y)


def bound_in_a_branch(x, n):
    h = 2.0 * x
    total = 0.0
    for k in range(n):
        for j in range(len(x)):
            if j == 1:
                h = h * x
            total += h[j] * h[j]
    return total


def seeded(x, n):
    y = np.sin(x)
    for k in range(n):
        for j in range(1, len(x)):
            y[j] = y[j] * y[j - 1]
    return y


def three_deep(x, n):
    h = np.cos(x)
    total = 0.0
    for k in range(n):
        h = h + x
        for i in range(n):
            for j in range(len(x)):
                total += h[j] * i
    return total


def conditional_element(x, n):
    h = np.sin(x)
    g = h * 2.0
    for k in range(n):
        for j in range(len(x)):
            if x[j] > 0.5:
                g[j] += h[j] * x[j]
    return np.sum(g * h)


def counted(x, n):
    h = np.sin(x)
    total = 0.0
    for k in range(n):
        h = h * h
        j = 0
        while j < len(x):
            total += h[j]
            j += 1
    return total


def element_of_matrix(x, n):
    A = np.outer(x, x)
    for k in range(n):
        for i in range(len(x)):
            A[i, 0] = A[i, 0] * x[i]
            for j in range(1, len(x)):
                A[i, j] += A[i, j - 1] * x[j]
    return np.sum(A)


def left_early(x, n):
    h = x * x
    total = 0.0
    for k in range(n):
        h = h * x
        for j in range(len(x)):
            total += h[j]
            if total > 4.0:
                break
    return total


FAMILY = [stencil, read_only, bound_between, bound_in_a_branch, seeded, three_deep,
          conditional_element, counted, element_of_matrix, left_early]


def arrays_made(text):
    """The copies and zeros that the innermost loops of the backward pass make, unconditionally."""
    loops = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.For, ast.While))]
    inner = [n for n in loops if not any(isinstance(m, (ast.For, ast.While))
                                         for m in ast.walk(n) if m is not n)]
    found = []
    for loop in inner:
        todo = list(loop.body)
        while todo:
            node = todo.pop()
            if isinstance(node, ast.If):
                continue
            calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)]
            names = [getattr(c.func, "attr", getattr(c.func, "id", "")) for c in calls]
            if any(name in ("copy", "zeros_like", "array") for name in names):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("function", FAMILY, ids=lambda f: f.__name__)
def test_no_array_for_an_element(function):
    x = np.array([0.3, 0.7, 1.1])
    if function is seeded:
        def summed(x, n):
            return np.sum(seeded(x, n))
        assert judge(summed, (x, 2), (0,)).outcome == "right"
        text = tl.api.GradientFunction("vjp", seeded, None, False, True).source_for(x, 2)
    else:
        assert str(judge(function, (x, 2), (0,))) == "right"
        text = tl.grad(function).source_for(x, 2)
    assert arrays_made(text) == [], text


# The shapes of zeros -----------------------------------------------------------------------------
def constant_of_other_length(x, n):
    h = x
    total = 0.0
    for k in range(n):
        total += np.sum(h)
        h = np.ones(k + 1)
    return total + np.sum(h)


def conditional_length(x, n):
    h = x
    total = 0.0
    for k in range(n):
        total += np.sum(h * h)
        if k == 1:
            h = np.ones(2) * 3.0
        elif k == 2:
            h = x[1:] * total
    return total + np.sum(h)


def shrinking(x, n):
    h = x
    total = 0.0
    for k in range(n):
        for j in range(len(h)):
            total += h[j] * x[j]
        h = h[1:] * 2.0
    return total


def growing(x, n):
    h = x[:1]
    for k in range(n):
        h = np.concatenate((h, x[:1] * h[0]))
        if k == 2:
            h = np.zeros(2)
    return np.sum(h) + x[0]


def bound_in_no_iteration(x, n):
    total = 0.0
    for k in range(n, 3):
        for j in range(n):
            h = np.empty(3)
            h[:] = x * j
        if n > 0:
            for v in h:
                total += v * x[0]
    return total + x[1]


def number_then_array(x, n):
    r = x[0]
    for v in x:
        r = v
    for k in range(n):
        r = np.empty(3)
        r[:] = x * k
    return np.sum(r * r)


def rank_changes(x, n):
    A = np.outer(x, x)
    a = A.T
    for a in A:
        pass
    for k in range(n):
        a = np.outer(a, x)[0]
    return np.sum(a)


def rank_grows(x, n):
    a = x
    total = 0.0
    for k in range(n):
        total += np.sum(a * a)
        if k == 0:
            a = np.outer(x, x)
        else:
            a = np.ones((2, 2, 2))
    return total + np.sum(a)


def parameter_becomes_counter(u, n):
    for p in range(len(u)):
        pass
    c = u[p] * u[0]
    for u in range(n):
        z = c * c
    for j in range(u):
        z = z * c
    return z


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("function", [
    constant_of_other_length, conditional_length, shrinking, growing, number_then_array,
    rank_changes, rank_grows, parameter_becomes_counter, bound_in_no_iteration],
    ids=lambda f: f.__name__)
def test_zeros_have_the_shape_of_their_variable(function, n):
    x = np.array([0.3, 0.7, 1.1])
    assert str(judge(function, (x, n), (0,))) == "right"


def test_a_variable_of_one_shape_needs_no_record():
    def f(x, n):
        h = 2.0 * x
        total = 0.0
        for k in range(n):
            if k == 1:
                h = 3.0 * x
            total += np.sum(h)
        return total

    assert "tape" not in tl.grad(f).source_for(np.ones(3), 2)
