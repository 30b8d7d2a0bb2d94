"""Lists of adjoints of numbers are made as one makes them by hand."""
import math

import numpy as np
import pytest

import tangent_lite as tl


def mean(x, a):
    out = []
    s = x[0]
    for v in x:
        s = a * v + (1.0 - a) * s
        out.append(s * s)
    return sum(out) / len(out)


def mean_and_first(x, a):
    out = [a * v * v for v in x]
    return sum(out) / len(out) + out[0]


def made_an_array(x):
    return np.sum(np.array(x) ** 3)


def made_a_matrix(rows):
    return np.sum(np.array(rows)[:, 0] * np.array(rows)[:, 1] ** 2)


def read_before_and_behind(x):
    first = x[0] * x[1]
    return np.sum(np.array(x) ** 2) * x[1] + first


def added_twice(x):
    return sum(x) * sum(x)


def renamed(x):
    y = [2.0 * v for v in x]
    z = y
    return sum(z) * z[0]


def in_a_branch(x, a):
    found = [v * v for v in x]
    if a > 0.0:
        total = sum(found) * a
    else:
        total = a * a
    return total + found[1]


def summed(x):
    x = [v * v for v in x]
    return sum(x) / len(x)


def read(rows):
    return rows[0][1] * rows[1][0]


def arrays(xs):
    total = 0.0
    for x in xs:
        total = total + np.sum(x * x)
    return total * np.sum(xs[0])


def len_means_another(x):
    len = 2.0
    return sum([v * v for v in x]) * len


LIST = [0.3, -0.7, 1.9]
CASES = {
    "mean": (mean, (LIST, 0.4)), "and first": (mean_and_first, (LIST, 0.4)),
    "array": (made_an_array, (LIST,)),
    "of an array": (mean, (np.array(LIST), 0.4)),
    "matrix": (made_a_matrix, ([[0.1, 0.2], [0.3, 0.5]],)),
    "before and behind": (read_before_and_behind, (LIST,)), "twice": (added_twice, (LIST,)),
    "renamed": (renamed, (LIST,)), "taken": (in_a_branch, (LIST, 0.5)),
    "not taken": (in_a_branch, (LIST, -0.5)),
    "arrays": (arrays, ([np.array([0.3, 0.4]), np.array([[1.0], [2.0]])],)),
    "summed": (summed, (LIST,)), "read": (read, ([[0.1, 0.2], [0.3, 0.5]],)),
    "another len": (len_means_another, (LIST,)), "one": (made_an_array, ([0.3],)),
    "numbers of NumPy": (made_an_array, ([np.float64(0.3), 0.5],)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sweep(5)
def test_gradients(name):
    function, args = CASES[name]
    tl.check_grads(function, args, order=2)


def test_single_precision():
    x = [np.float32(0.3), np.float32(0.5)]
    found = tl.grad(made_an_array)(x)
    assert [type(v) for v in found] == [np.float32] * 2
    np.testing.assert_allclose(found, 3.0 * np.array(x) ** 2, rtol=1e-6)


def test_complex():
    x = [0.3 + 0.1j, -0.2j]
    found = tl.grad(lambda x: np.sum(np.abs(np.array(x)) ** 2))(x)
    np.testing.assert_allclose(found, 2.0 * np.conj(x))


@pytest.mark.parametrize(("name", "text"), [
    ("mean", "bout = bmean / len_out"),
    ("and first", "bout = [0.0] * len(out)"), ("array", ".tolist()"),
    ("matrix", "brows = barray_rows.tolist()"), ("arrays", "np.zeros_like(item)"),
    ("summed", "bx_1 = bsummed / len_x"),
    ("read", "brows = [[0.0] * len(row) for row in rows]")])
def test_what_is_written(name, text):
    function, args = CASES[name]
    assert text in tl.grad(function).source_for(*args)


def filled_up(x):
    made = [v * x[0] for v in x] + [0.0] * len(x)
    more = [math.sin(v) for v in made] + [1.0, 2.0]
    return made[0] * made[1] + more[0] * more[-1] + made[-1]


def filled_up_in_front(x):
    made = [0.0] * len(x) + [v * x[0] for v in x]
    return made[-1] * made[-2] + made[0]


@pytest.mark.parametrize("function", [filled_up, filled_up_in_front])
def test_lists_beside_constants(function):
    """The adjoint of the longer list is not that of a part of it."""
    tl.check_grads(function, ([0.3, -0.7, 0.9],), order=2)
