"""Functions handed to what runs them unseen (np.fromfunction, another derivative): what they bring
along, however deep, must not be of this run."""
import functools
import operator
import types

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.reference.dual import close, numeric_gradient

HALF = functools.partial(operator.mul, 0.5)
ARGS = 0.7, np.array([0.5, 1.2])


class Holder:
    def __init__(self, g):
        self.g = g

    def run(self, q):
        return self.g(q)

    def __call__(self, q):
        return self.g(q) * 2.0


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def of(self, q):
        return self.factor * q


def through(q, g):
    return g(q) * q


TABLE = [1.5]
SCALED = Scale(2.0).of
FROM_TABLE = functools.partial(lambda xs, q: xs[0] * q, TABLE)



def partial_of_a_closure(a, u):
    return np.sum(np.fromfunction(functools.partial(through, g=lambda q: q * a), (2,)))


def method_of_what_holds_a_closure(a, u):
    return np.sum(np.fromfunction(Holder(lambda q: q * a).run, (2,)))


def partial_of_such_a_method(a, u):
    held = Holder(lambda q: q * a)
    return np.sum(np.fromfunction(functools.partial(through, g=held.run), (2,)))


def partial_of_such_an_object(a, u):
    held = Holder(lambda q: q * a)
    return np.sum(np.fromfunction(functools.partial(through, g=held), (2,)))


def partial_of_a_namespace(a, u):
    space = types.SimpleNamespace(g=lambda q: q * a)
    return np.sum(np.fromfunction(functools.partial(lambda q, o: o.g(q), o=space), (2,)))


def partial_of_a_tuple(a, u):
    held = (lambda q: q * a,)
    return np.sum(np.fromfunction(functools.partial(lambda q, o: o[0](q), o=held), (2,)))


def method_of_an_array(a, u):
    return np.sum(np.fromfunction(u.__mul__, (2,)))


def method_of_a_number(a, u):
    return np.sum(np.fromfunction(np.float64(a).__mul__, (2,)))


def partial_of_a_method_of_an_array(a, u):
    return np.sum(np.fromfunction(functools.partial(through, g=u.__mul__), (2,)))


def method_of_a_list(a, u):
    xs = [a, u[0]]
    return np.sum(np.frompyfunc(xs.__getitem__, 1, 1)(np.array([0, 1, 1])).astype(float))


def says_that_it_wraps_another(a, u):
    def g(q):
        return q * a
    return np.sum(np.fromfunction(functools.wraps(through)(lambda q: g(q)), (2,)))


def partial_outside_of_what_changes(a, u):
    TABLE[0] = a
    return np.sum(np.fromfunction(FROM_TABLE, (2,)))


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("f", [
    partial_of_a_closure, method_of_what_holds_a_closure, partial_of_such_a_method,
    partial_of_such_an_object, partial_of_a_namespace, partial_of_a_tuple, method_of_an_array,
    method_of_a_number, partial_of_a_method_of_an_array, method_of_a_list,
    says_that_it_wraps_another, partial_outside_of_what_changes])
def test_refused(f, forced):
    """The gradients of these were zero."""
    with pytest.raises(tl.TangentError):
        if forced:
            with by_identity():
                tl.grad(f, wrt=(0, 1))(*ARGS)
        else:
            tl.grad(f, wrt=(0, 1))(*ARGS)
    assert TABLE == [1.5]


# Read from outside, as they were before the run ---------------------------------------------------
def partial_outside(a, u):
    return a * np.sum(np.fromfunction(lambda q: HALF(q) + 1.0, (3,))) * u[0]


def method_outside(a, u):
    return a * np.sum(np.fromfunction(lambda q: SCALED(q) + 1.0, (3,))) * u[1]


@pytest.mark.parametrize("f", [partial_outside, method_outside])
def test_right(f):
    with by_identity():
        found = tl.grad(f, wrt=(0, 1))(*ARGS)
    assert close(found, numeric_gradient(f, ARGS, (0, 1))[0], 1e-8)


def of_twins(a, u):
    twins = [u, u]
    for twin in twins:
        twin *= HALF(a) + SCALED(a)
    return np.sum(u * u)


def test_second_derivative_of_what_reads_a_partial_outside():
    slope, second = tl.jvp(tl.grad(of_twins), ARGS, (1.0, np.zeros(2)))
    square = 2.5 ** 4 * 0.7 ** 2 * float(np.sum(ARGS[1] ** 2))
    assert close((slope, second), (4.0 * square * 0.7, 12.0 * square), 1e-12)
