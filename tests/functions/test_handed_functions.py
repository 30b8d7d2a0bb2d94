"""Derivatives, in differentiated functions, that are handed functions which read what is around."""

import functools

import numpy as np
import pytest

import tangent_lite as tl

s = u = k = 100.0           # which nothing here may read in place of the variables of functions


def g(t, fun):
    return fun(t) * t


def scaled(a, fun, b, scale=1.0):
    return fun(a) * b * scale


def twice(fun, v):
    return fun(fun(v))


def of_dict(t, p):
    return p["f"](t) * p["c"]


def a_lambda(s, t):
    return tl.grad(g)(t, lambda v: s * v) * s


def a_name(s, t):
    h = lambda v: s * v * v                     # noqa: E731
    return tl.grad(g)(t, h) + h(t)


def a_definition(s, t):
    def h(v):
        return s * v * v
    return tl.value_and_grad(g)(t, h)[1] + h(t)


def inside_a_lambda(s, t):
    h = lambda v: s * v * v                     # noqa: E731
    return tl.grad(lambda z: g(z, h))(t)


def in_a_dict(s, t):
    return tl.grad(of_dict)(t, {"f": lambda v: s * v * v, "c": s})


def in_a_loop(s, t):
    for i in range(3):
        t = t + tl.grad(g)(t, lambda v: s * v * i)      # noqa: B023
    return t


def in_a_comprehension(s, t):
    return sum([tl.grad(g)(t, lambda v: s * v * i) for i in range(3)])


def by_a_name(s, t):
    d = tl.grad(scaled, wrt=(0, 2))
    a, b = d(t, lambda v: s * v * v, s, scale=2.0)
    return a * b


def by_names(s, t):
    a, b = tl.grad(scaled, wrt=("b", "a"))(t, lambda v: s * v * v, t)
    return a + 3.0 * b


def by_keywords(s, t):
    return tl.grad(scaled, wrt=2)(t, lambda v: s * v * v, scale=s, b=t)


def from_the_end(s, t):
    return tl.grad(scaled, wrt=-2)(t, lambda v: s * v * v, t)


def in_front(s, t):
    return tl.grad(twice, wrt=1)(lambda v: s * v * v, t)


def of_what_changes(s, t):
    k = s
    h = lambda v: k * v * v                     # noqa: E731
    first = tl.grad(g)(t, h)
    k = s * s
    return first + tl.grad(g)(t, h)


def with_a_default(s, t):
    return tl.grad(g)(t, lambda v, c=s: c * v)


def of_a_local_function(s, t):
    def gg(q, fun):
        return fun(q) * s
    return tl.grad(gg)(t, lambda v: s * v * v)


def names_that_meet(s, t):
    x = np.array([t, s])
    return tl.grad(lambda x, fun: fun(x).sum())(x, lambda x: x * x * s)[0]


@pytest.mark.parametrize("program", [
    a_lambda, a_name, a_definition, inside_a_lambda, in_a_dict, in_a_loop, in_a_comprehension,
    by_a_name, by_names, by_keywords, from_the_end, in_front, of_what_changes, with_a_default,
    of_a_local_function, names_that_meet], ids=lambda f: f.__name__)
def test_what_they_read_varies(program):
    step = 1e-5
    slope = (program(1.3 + step, 0.7) - program(1.3 - step, 0.7)) / (2.0 * step)
    value, gradient = tl.value_and_grad(program)(1.3, 0.7)
    assert value == pytest.approx(program(1.3, 0.7), rel=1e-14)
    assert gradient == pytest.approx(slope, rel=1e-8)
    assert tl.jvp(program, (1.3, 0.7), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-8)


# What cannot be brought along -----------------------------------------------------------------
def default_of_before(s, t):
    k = s
    def h(v, k=k):
        return v * k
    k = 5.0
    return tl.grad(lambda z: g(z, h))(t) * k


def two_names(s, t):
    def h(v):
        return s * v * v
    h2 = h
    return tl.grad(g)(t, h2)


def inside_a_function(s, t):
    def outer(u):
        return tl.grad(g)(u, lambda v: s * v * u)
    return outer(t) + outer(s)


def a_partial(s, t):
    return tl.grad(g)(t, functools.partial(lambda a, v: a * v * v, s))


def with_respect_to_it(s, t):
    return tl.grad(g, wrt=1)(t, lambda v: s * v)


@pytest.mark.parametrize("program", [default_of_before, two_names, inside_a_function, a_partial,
                                     with_respect_to_it], ids=lambda f: f.__name__)
def test_what_cannot_be_brought_along_is_refused(program):
    with pytest.raises(tl.TangentError):
        tl.grad(program)(1.3, 0.7)
    with pytest.raises(tl.TangentError):
        tl.jvp(program, (1.3, 0.7), (1.0, 0.0))


# Names that mean something else in between ------------------------------------------------------
def which_one_changes(s, t):
    fun = g
    d = tl.grad(fun)
    fun = twice
    return d(t, lambda v: s * v * v) + 0.0 * fun(lambda v: v, t)


def shadowed_in_a_comprehension(s, t):
    d = tl.grad(g)
    return d(t, lambda v: s * v) + sum([d(t, 3.0) for d in [lambda a, b: a * b * s]])


@pytest.mark.parametrize("program", [which_one_changes, shadowed_in_a_comprehension],
                         ids=lambda f: f.__name__)
def test_a_name_that_means_two_things_is_right_or_refused(program):
    step = 1e-5
    slope = (program(1.3 + step, 0.7) - program(1.3 - step, 0.7)) / (2.0 * step)
    try:
        gradient = tl.grad(program)(1.3, 0.7)
    except tl.TangentError:
        return
    assert gradient == pytest.approx(slope, rel=1e-8)


# Names of the module that a parameter or a variable is called, too -------------------------------
scale = 3.0


def given_under_that_name(scale, fun):
    return fun(scale) * scale


def read_by_a_function_that_is_handed_on(s, t):
    def read(v):
        return s * v * scale

    return tl.grad(given_under_that_name)(t, read)


def read_by_a_function_behind_it(s, t):
    def behind(v):
        return v * scale * s

    def read(v):
        return behind(v) * s

    return tl.grad(given_under_that_name)(t, read)


def a_parameter_of_that_name(s, t):
    read = lambda v: s * v * scale                                              # noqa: E731
    return tl.grad(lambda scale: read(scale) * scale)(t)


def a_variable_of_that_name(s, t):
    def read(v):
        return s * v * scale

    def function(v):
        scale = v * 2.0
        return read(scale) * scale

    return tl.grad(function)(t)


def by_keyword_only(t, *, fun, k=2.0):
    return fun(t) * t * k ** 3


def counted_from_the_end(s, t):
    return tl.grad(by_keyword_only, wrt=-1)(t, fun=lambda v: s * v, k=s)


def counted_behind_those_by_position(s, t):
    return tl.grad(by_keyword_only, wrt=2)(t, fun=lambda v: s * v, k=s)


@pytest.mark.parametrize("program", [
    read_by_a_function_that_is_handed_on, read_by_a_function_behind_it, a_parameter_of_that_name,
    a_variable_of_that_name, counted_from_the_end, counted_behind_those_by_position],
    ids=lambda f: f.__name__)
def test_names_of_the_module_are_not_taken_for_those_of_what_is_derived(program):
    value, gradient = tl.value_and_grad(program)(1.3, 0.7)
    assert value == pytest.approx(program(1.3, 0.7), rel=1e-14)
    step = 1e-5
    slope = (program(1.3 + step, 0.7) - program(1.3 - step, 0.7)) / (2.0 * step)
    assert gradient == pytest.approx(slope, rel=1e-8)
    assert tl.jvp(program, (1.3, 0.7), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-8)


def test_a_list_is_no_wrt():
    def program(s, t):
        return tl.grad(g, wrt=["t"])(t, lambda v: s * v)

    with pytest.raises(tl.TangentError):
        program(1.3, 0.7)
    with pytest.raises(tl.TangentError):
        tl.grad(program)(1.3, 0.7)
