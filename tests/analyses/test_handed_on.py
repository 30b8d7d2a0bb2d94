"""Derivatives of functions that write into arguments, called in differentiated code: arguments that
are one memory are refused as they are where the derivative is called by name."""
import numpy as np
import pytest

import tangent_lite as tl

TABLE = np.array([1.0, 2.0, 3.0])
X = np.array([1.0, 2.0, 3.0])


class Box:
    def __init__(self, v):
        self.v = v


# What is differentiated inside --------------------------------------------------------------------
def blend(a, b):
    a[0] = 2.0 * b[1]
    return np.sum(a * a * b)


def beside_table(a):
    a[0] = a[1] * a[1]
    return np.sum(a * TABLE)


def into_dict(held, b):
    held["k"][0] = 2.0 * b[1]
    return np.sum(held["k"] * b)


def changes_dict(held, other):
    held["k"] = held["k"] * other["k"]
    return np.sum(held["k"] * other["k"])


def changes_object(held, other):
    held.v = held.v * other.v
    return np.sum(held.v * other.v)


def changes_list(held, other):
    held[0] = 2.0 * other[1]
    return held[0] * held[1] * other[2]


def tail(x):
    return x[1:]


def same(x):
    return x


# The same memory ----------------------------------------------------------------------------------
def one_array(x):
    return np.sum(tl.grad(blend)(x, x))


def a_view(x):
    return np.sum(tl.grad(blend)(x, x[::-1]))


def views_of_a_helper(x):
    return np.sum(tl.grad(blend)(tail(x), x[:-1]))


def array_of_a_helper(x):
    return np.sum(tl.grad(blend)(same(x), x))


def not_copied(x):
    return np.sum(tl.grad(blend)(np.asarray(x), x.reshape(3)))


def in_a_branch(x):
    y = x if x[0] > 0.0 else 2.0 * x
    return np.sum(tl.grad(blend)(y, x))


def in_a_loop(x):
    y = 2.0 * x
    z = y
    for _ in range(2):
        w = z
        z = y
        found = np.sum(tl.grad(blend)(z, w))
    return found


def out_of_a_list(x):
    rows = [x, x]
    return np.sum(tl.grad(blend)(rows[0], rows[1]))


def put_into_a_list(x):
    rows = []
    rows.append(x)
    return np.sum(tl.grad(blend)(rows[0], x))


def out_of_an_object(x):
    box = Box(x)
    return np.sum(tl.grad(blend)(box.v, x))


def in_a_dict(x):
    return np.sum(tl.grad(into_dict)({"k": x}, x)["k"])


def one_dict(x):
    held = {"k": 1.0 * x}
    return np.sum(tl.grad(changes_dict)(held, held)["k"])


def one_object(x):
    held = Box(1.0 * x)
    return np.sum(tl.grad(changes_object)(held, held).v)


def one_list(x):
    row = [x[0], x[1], x[2]]
    return tl.grad(changes_list)(row, row)[1]


def by_keyword(x):
    y = 2.0 * x
    return np.sum(tl.grad(blend)(b=y, a=y))


def starred(x):
    return np.sum(tl.grad(blend)(*(x, x)))


def with_value(x):
    y = 2.0 * x
    return np.sum(tl.value_and_grad(blend)(y, y)[1])


def along(x):
    return tl.jvp(blend, (x, x), (np.ones(3), None))[1]


def product(x):
    return np.sum(tl.hvp(blend)(x, x, np.ones(3)))


def two_deep(x):
    outer = tl.grad(lambda a, b: np.sum(tl.grad(blend)(a, b) * a))
    return np.sum(outer(x, x))


def captured(x):
    def write(y):
        return np.sum(tl.grad(blend)(y, x))

    return write(x)


SHARED = [one_array, a_view, views_of_a_helper, array_of_a_helper, not_copied, in_a_branch,
          in_a_loop, out_of_a_list, put_into_a_list, out_of_an_object, in_a_dict, one_dict,
          one_object, one_list, by_keyword, starred, with_value, along, product, two_deep, captured]
OPERATORS = {
    "grad": lambda f: tl.grad(f)(X),
    "jvp": lambda f: tl.jvp(f, (X,), (np.ones(3),)),
    "jacobian": lambda f: tl.jacobian(f)(X),
    "hvp": lambda f: tl.hvp(f)(X, np.ones(3)),
}


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
@pytest.mark.parametrize("function", SHARED)
@pytest.mark.sweep(8)
def test_refused(function, operator):
    with pytest.raises(tl.AliasError):
        function(X.copy())
    with pytest.raises(tl.AliasError):
        operator(function)


# Two arguments of the function around -------------------------------------------------------------
def two_arguments(x, y):
    return np.sum(tl.grad(blend)(x, y))


def read_outside(x):
    return np.sum(tl.grad(beside_table)(x))


def test_arguments_that_are_one_array():
    with pytest.raises(tl.AliasError):
        tl.grad(two_arguments)(X, X)
    with pytest.raises(tl.AliasError):
        tl.grad(two_arguments, wrt=1)(X, X[::-1])
    np.testing.assert_allclose(tl.grad(two_arguments, wrt=(0, 1))(X, 2.0 * X),
                               ([0.0, 8.0, 12.0], [0.0, 4.0, 6.0]))     # of 2 (a1 b1 + a2 b2)


def test_an_argument_that_is_read_outside():
    with pytest.raises(tl.AliasError):
        tl.grad(read_outside)(TABLE)
    with pytest.raises(tl.AliasError):
        tl.grad(read_outside)(TABLE[::-1])
    np.testing.assert_allclose(tl.grad(read_outside)(X), [0.0, 2.0, 0.0])


@pytest.mark.parametrize("operator", [tl.hvp, tl.hessian, tl.jacobian, tl.jacfwd, tl.jacrev])
def test_operators_at_arguments_that_are_one_array(operator):
    more = (np.ones(3),) if operator is tl.hvp else ()
    with pytest.raises(tl.AliasError):
        operator(blend)(X, X, *more)
    operator(blend)(X, X.copy(), *more)


# Apart --------------------------------------------------------------------------------------------
def made_anew(x):
    return np.sum(tl.grad(blend)(1.0 * x, x))


def copied(x):
    return np.sum(tl.grad(blend)(x.copy(), x))


def two_of_its_own(x):
    return np.sum(tl.grad(blend)(1.0 * x, np.exp(0.0 * x) * x))


def rows_of_a_matrix(x):
    both = np.stack([x, x])
    return np.sum(tl.grad(blend)(both[0], both[1]))


@pytest.mark.parametrize("by_identity, function", [
    (False, made_anew), (False, copied), (False, two_of_its_own), (True, rows_of_a_matrix)])
def test_apart(by_identity, function):
    gradient = tl.grad(function)
    np.testing.assert_allclose(gradient(X), [0.0, 8.0, 12.0])       # of 2 (x1 x1 + x2 x2)
    assert gradient._latest.by_identity is by_identity


# What is found outside ----------------------------------------------------------------------------
SAME = TABLE
HELD = (TABLE, {"v": TABLE})


def squares(t, u, w):
    u[0] = t
    return w[0] * w[0] * t


def of_two_globals(t):
    return tl.grad(squares)(t, TABLE, SAME)


def of_a_part_of_a_global(t):
    return tl.value_and_grad(squares)(t, TABLE, HELD[1]["v"])[1]


def of_a_global_and_a_default(t, held=HELD):
    return tl.jvp(squares, (t, held[0], SAME), (1.0, None, None))[1]


@pytest.mark.parametrize("f", [of_two_globals, of_a_part_of_a_global, of_a_global_and_a_default])
def test_two_names_outside(f):
    with pytest.raises(tl.AliasError):
        tl.grad(f)(1.5)


def reading_around(t):
    return tl.grad(lambda v: squares(v, TABLE, HELD[0]))(t)


def test_what_is_written_outside_has_another_name_there():
    assert tl.grad(reading_around)(1.5) == 9.0
    assert TABLE[0] == 1.0
