"""Comprehensions that are parts of something: of a list, a tuple, a dict, a call by keyword."""
import numpy as np
import pytest

import tangent_lite as tl


class Box:
    def __init__(self, a, b=None):
        self.a = a
        self.b = b


def total(items):
    s = 0.0
    for item in items:
        s = s + item
    return s


def in_a_list(x, items):
    m = [[x, x], [u * 0.5 for u in items]]
    return m[1][0] * m[1][1]


def in_a_tuple(x, items):
    m = ([x, x], [u * 0.5 for u in items])
    return m[1][0] * m[1][1]


def in_a_dict(x, items):
    d = {"a": [u * 0.5 for u in items], "b": [x]}
    return total(d["a"]) * d["b"][0]


def deep_inside(x, items):
    m = [[[u * 2.0 for u in items], [x]], [[x], [x]]]
    return m[0][0][1] * m[1][0][0]


def in_a_dict_of_a_list(x, items):
    m = [{"a": [u * 2.0 for u in items if u > 0.6]}]
    return m[0]["a"][0] * x


def in_what_a_comprehension_makes(x, items):
    m = [(u * 2.0, [v * u for v in items]) for u in items]
    return m[1][0] * m[2][1][1]


def with_keyword(x, items):
    return total(items=[u * 2.0 for u in items])


def generator_with_keyword(x, items):
    return total(items=(u * 2.0 for u in items)) * x


def as_dict(x, items):
    d = dict(a=[u * 2.0 for u in items], b=x)
    return d["a"][1] * d["b"]


def of_an_object(x, items):
    o = Box(x, b=[u * 2.0 for u in items])
    return o.b[1] * o.a


def given_in_a_dict(x, items):
    return total({"a": [u * 2.0 for u in items]}["a"])


def in_a_loop(x, items):
    s = 0.0
    for k in range(3):
        d = {"a": [u * k for u in items]}
        s = s + total(d["a"]) * x
    return s


def in_one_branch(x, items):
    if x > 0.0:
        m = [[u * 2.0 for u in items], [x]]
    else:
        m = [[x], [x]]
    return total(m[0]) * m[1][0]


def kept_generator(x, items):
    m = [(u * 2.0 for u in items)]
    items[0] = 5.0
    return sum(m[0]) + sum(m[0])


def functions_in_a_list(x, items):
    m = [lambda u: u * x, lambda u: u * items[1]]
    return m[0](2.0) * m[1](3.0)


@pytest.mark.parametrize("function", [
    in_a_list, in_a_tuple, in_a_dict, deep_inside, in_a_dict_of_a_list,
    in_what_a_comprehension_makes, with_keyword, generator_with_keyword, as_dict, of_an_object,
    given_in_a_dict, in_a_loop, in_one_branch, kept_generator, functions_in_a_list],
    ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_parts(function):
    def f(x):
        return function(x, [x, x * x, x + 1.0])

    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    value, gradient = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    np.testing.assert_allclose(gradient, slope, rtol=1e-7)
    np.testing.assert_allclose(tl.jvp(f, (0.7,), (1.0,))[1], slope, rtol=1e-7)
    bend = (tl.grad(f)(0.7 + 1e-6) - tl.grad(f)(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(tl.grad(tl.grad(f))(0.7), bend, rtol=1e-6, atol=1e-8)


def in_a_set(x):
    m = [{u * 2.0 for u in (x, x * x)}, x]
    return sum(m[0]) * m[1]


def test_a_set_of_what_varies_is_refused():
    with pytest.raises(tl.TangentError):
        tl.grad(in_a_set)(0.7)
