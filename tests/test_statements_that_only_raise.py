"""Statements that say nothing but that something is there raise in derivatives as in the function;
what is computed and not read is not computed, and raises nothing."""
import math
import types

import numpy as np
import pytest

import tangent_lite as tl

TABLE, ROWS, SETTINGS = {"a": 1.0}, [1.0, 2.0], types.SimpleNamespace(scale=2.0)


def key_of_dict(x):
    TABLE["b"]
    return x * x


def item_of_list(x):
    for k in range(3):
        ROWS[k]
    return x * x


def item_of_own_list(x):
    xs = [x, x]
    xs[2]
    return xs[0] * xs[1]


def attribute(x):
    if x > 1.0:
        SETTINGS.missing
    return x * x


def quotient(x):
    1.0 / (x - x)
    return x * x


def comparison(x):
    x < "a"
    return x * x


def in_a_text(x):
    f"{ROWS[4]}"
    return x * x


def element_of_array(x):
    a = x * np.ones(3)
    a[3]
    return np.sum(a * a)


def of_the_shape(x):
    a = x * np.ones(3)
    a.shape[1]
    return np.sum(a * a)


def needs(table, key):
    table[key]


def in_a_helper(x):
    needs(TABLE, "b")
    return x * x


def in_a_helper_with_a_result(x):
    def first(values):
        values[5]
        return values[0]
    first(ROWS)
    return x * x


def in_front_of_a_write(x):
    a = np.zeros(3)
    for k in range(4):
        a[k]
        a[k % 3] = x * x
    return np.sum(a)


RAISING = [(key_of_dict, KeyError), (item_of_list, IndexError), (item_of_own_list, IndexError),
           (attribute, AttributeError), (quotient, ZeroDivisionError), (comparison, TypeError),
           (in_a_text, IndexError), (element_of_array, IndexError),
           (of_the_shape, IndexError), (in_a_helper, KeyError),
           (in_a_helper_with_a_result, IndexError), (in_front_of_a_write, IndexError)]


@pytest.mark.parametrize("f, error", RAISING)
def test_statements_that_only_raise(f, error):
    for call in (f, tl.grad(f), tl.value_and_grad(f), tl.grad(tl.grad(f)),
                 lambda x: tl.jvp(f, (x,), (1.0,)), lambda x: tl.vjp(f, x)[1](1.0)):
        with pytest.raises(error):
            call(2.0)


KNOWN = {"b": 1.0}


def stated(x):
    KNOWN["b"]
    xs = [x, x]
    xs[1]
    1.0 / x
    np.ones(3).shape[0]
    return xs[0] * xs[1] * x


def test_where_they_do_not_raise_nothing_changes():
    f = stated
    assert math.isclose(tl.grad(f)(2.0), 12.0) and math.isclose(tl.grad(tl.grad(f))(2.0), 12.0)
    assert tl.jvp(f, (2.0,), (1.0,)) == (8.0, 12.0)


def test_compiled_as_well():
    pytest.importorskip("numba")
    assert tl.grad(stated, backend="numba")(2.0) == 12.0


def test_such_a_statement_stands_in_the_derivative_as_it_was_written():
    text = tl.grad(key_of_dict).source_for(2.0)
    assert '\n    TABLE["b"]\n' in text


def unread_value(x):
    y = TABLE["b"]
    z = 1.0 / (x - x) + math.sqrt(-x) + int("x")
    a, b = ROWS + ROWS
    return x * x


def unread_containers(x):
    xs, table, a = [], {}, x * np.ones(2)
    xs.pop()
    del table["b"]
    a[5] = x
    return x * x


@pytest.mark.parametrize("f", [unread_value, unread_containers])
def test_what_nothing_reads_is_left_out(f):
    with pytest.raises((KeyError, IndexError)):
        f(2.0)
    assert tl.grad(f)(2.0) == 4.0
    assert tl.value_and_grad(f)(2.0) == (4.0, 4.0)


def test_the_value_itself_is_what_a_gradient_alone_does_not_need():
    with pytest.raises(ValueError):
        tl.value_and_grad(lambda x: math.log(x))(-2.0)
    assert tl.grad(lambda x: math.log(x))(-2.0) == -0.5


PAIR = np.array([1.0, 2.0])


@pytest.mark.parametrize("f", [
    lambda x: x.sum(axis=2), lambda x: x.sum(axis=-2), lambda x: np.max(x, axis=1),
    lambda x: np.sum(np.sum(np.outer(x, x), axis=-3)), lambda x: np.median(x, axis=1),
    lambda x: np.sum(np.sum(np.outer(x, x), axis=(0, 2)))])
def test_axes_that_are_not_there(f):
    with pytest.raises(ValueError) as expected:
        f(PAIR)
    for d in (tl.grad(f), tl.value_and_grad(f)):
        with pytest.raises(type(expected.value)):
            d(PAIR)


@pytest.mark.parametrize("f", [lambda x: float(x) * 2.0, lambda x: complex(x).real])
def test_numbers_of_arrays_that_are_none(f):
    with pytest.raises(TypeError):
        tl.value_and_grad(f)(PAIR)
    with pytest.raises((TypeError, ValueError)):
        tl.grad(f)(PAIR)
    assert tl.grad(f)(np.array(3.0)) == tl.grad(f)(3.0)
