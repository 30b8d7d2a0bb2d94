"""`x.flat`: elements and slices that are read, loops, and what is written there."""
import numpy as np
import pytest

import tangent_lite as tl

X = np.random.default_rng(3).normal(size=(3, 4))


def reads(x):
    return x.flat[3] * x.flat[-1] + np.sum(x.flat[2:7] ** 2) + np.sum(x.flat[[1, 1, 5]] ** 3)


def loops(x):
    total = 0.0
    for k, v in enumerate(x.flat):
        total = total + k * v ** 2
    return total + sum(v * v for v in x.flat)


def diagonal(x):
    A = x.T @ x
    A.flat[::5] += 1.0 + x[0, 0]
    for k in range(4):
        A.flat[5 * k] += np.sin(x[1, k])
    return np.linalg.det(A)


def writes(x):
    y = np.zeros((3, 4))
    y.flat[2] = x[0, 0]
    y.flat[np.arange(3, 12, 4)] = x[:, 1] * 2.0
    y.flat[-2:] *= x[1, 1]
    return np.sum(y ** 2 * x)


def assigned(x, v):
    y = x * x
    y.flat = v
    return np.sum(y ** 2 * x)


def copies(x):
    part, y = x.flat[2:5], x * 1.0
    row = y.flat[1:4]
    y[0, 2] = 5.0
    row[0] = x[0, 0]
    return np.sum(part * row) + np.sum(y ** 2)


def parameter(x):
    x.flat[0] = x[0, 1] * 2.0
    return np.sum(x ** 2)


def read_and_written(x):
    for k in range(1, 4):
        x.flat[k] = x.flat[k] * x.flat[k - 1] + x[0, 0]
    x.flat[-1] += x.flat[0] * x.flat[2]
    return np.sum(x ** 2)


@pytest.mark.parametrize("function", [reads, loops, diagonal, writes, copies, parameter,
                                      read_and_written])
def test_by_differences(function):
    tl.check_grads(function, (X,))


@pytest.mark.parametrize("v", [0.3, X[0].repeat(3), X * 2.0, X[0], X[0, :1], X.T * 2.0, X[:, :2],
                               np.append(X, X[0])])
def test_all_at_once(v):
    """Fewer values than places are taken again, from the first; of more the first ones."""
    tl.check_grads(assigned, (X, v))
    assert tl.vjp(assigned, X, v)[0] == assigned(X, v)


def in_turn(x):
    y = np.zeros((2, 5))
    for k in range(2):
        y.flat = [x[k, 0] * y[0, 0] + 1.0, 2.0, x[k, 1]]
    return np.sum(y ** 2)


def test_values_of_a_list_are_taken_again():
    tl.check_grads(in_turn, (X,))
    assert tl.value_and_grad(in_turn)(X)[0] == in_turn(X)


def test_no_values_are_not_zeros():
    assert assigned(X, X[0, :0]) == np.sum(X ** 5)
    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(assigned)(X, X[0, :0])


def test_elements_of_what_lies_otherwise():
    tl.check_grads(reads, (np.asfortranarray(X),))
    tl.check_grads(lambda x: reads(x.T[:, ::-1]), (X,))


@pytest.mark.parametrize("derivative", [
    lambda f, x: tl.grad(f)(x), lambda f, x: tl.jvp(f, (x,), (x,)), lambda f, x: tl.hessian(f)(x)])
def test_what_does_not_lie_in_a_row_is_not_written_to_in_silence(derivative):
    with pytest.raises(NotImplementedError, match="do not lie in a row"):
        derivative(parameter, np.asfortranarray(X))


def shifted(x):
    y = np.arange(12.0)
    y.flat[1:] = y[:-1]             # NumPy copies nothing first: all are what the first one is
    return np.sum(x.ravel() ** 2 * y)


def turned(x):
    y = x[:, :3] * 2.0
    y.flat = y.T
    return np.sum(y ** 2)


@pytest.mark.parametrize("function", [shifted, turned])
@pytest.mark.parametrize("derivative", [
    lambda f, x: tl.grad(f)(x), lambda f, x: tl.jvp(f, (x,), (x,)), lambda f, x: tl.hessian(f)(x)])
def test_what_overlaps_with_where_it_goes_is_refused(function, derivative):
    with pytest.raises(tl.TangentError, match="overlaps with where it goes"):
        derivative(function, X)


def by_a_name(x):
    part, y = slice(1, 4), x * 1.0
    row = y.flat[part]                  # a copy, as of every slice of x.flat
    row[0] = x[0, 0]
    return np.sum(row ** 2) + np.sum(y ** 2)


def by_places(x):
    places, y = np.array([2, 0]), x * 1.0
    row = y.flat[places]
    row[0] = x[0, 0]
    return np.sum(row ** 2) + np.sum(y ** 2)


def by_what_is_called(x):
    y = x * 1.0
    row = y.flat[slice(1, 4)]
    row[0] = x[0, 0]
    return np.sum(row ** 2) + np.sum(y ** 2)


@pytest.mark.parametrize("function", [by_a_name, by_places, by_what_is_called])
def test_several_elements_are_a_copy(function):
    tl.check_grads(function, (X,), order=1)


class Picture:
    def __init__(self, pixels):
        self.flat = pixels


def field(x):
    picture = Picture(x * 2.0)
    part = picture.flat[0:2]
    part[0] = x[1]
    return np.sum(picture.flat * part[0])


def test_a_field_of_that_name_is_no_iterator():
    tl.check_grads(field, (X,))
