"""Second derivatives of what index arrays read and write are found by names, and are right."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names

IDX = np.array([0, 2, 2, 1])
DOFS = np.array([0, 1])
ELEMENTS = np.array([[0, 1], [1, 2], [2, 3]])
MASK = np.array([True, False, True, True])
X = np.array([0.3, 0.7, -0.5, 1.1])
V = np.array([1.0, -2.0, 0.5, 0.3])


def read_twice(x):
    return np.sum(np.sin(x[IDX]) * x[IDX] ** 2)


def read_by_mask(x):
    return np.sum(x[MASK] ** 3)


def read_rows(x):
    a = np.outer(x, x ** 2)
    return np.sum(np.sin(a[IDX]))


def read_columns(x):
    a = np.outer(x, np.sin(x))
    return np.sum(a[:, IDX] ** 2)


def read_block(x):
    k = np.outer(x, x)
    return np.sum(np.sin(k[np.ix_(IDX, IDX)]))


def read_pairs(x):
    k = np.outer(x, x)
    return np.sum(k[IDX, DOFS[[0, 1, 1, 0]]] ** 2)


def written(x):
    y = np.zeros(5)
    y[DOFS] = np.sin(x[:2])
    y[[3, 2]] += x[2:] ** 2
    return np.sum(y ** 3)


def block_added(x):
    k = np.zeros((4, 4))
    k[np.ix_(DOFS, DOFS)] += np.outer(x[:2], x[2:]) ** 2
    return np.sum(np.sin(k) * k)


def assembled(x):
    k = np.zeros((4, 4))
    for e in range(len(ELEMENTS)):
        dofs = ELEMENTS[e]
        k[np.ix_(dofs, dofs)] += x[e] ** 2 * np.outer(x[dofs], np.sin(x[dofs]))
    return np.sum(k ** 2)


def named_index(x):
    k = np.outer(x, x)
    block = np.ix_(DOFS, IDX)
    k[block] = k[block] * x
    return np.sum(k ** 2)


def in_a_loop(x):
    s = 0.0
    for i in range(3):
        s = s + np.sum(np.sin(x[IDX[i:]]) * x[i])
    return s


def slices(x):
    return np.sum(x[1:] ** 2 * x[:-1]) + x[IDX][0] ** 3


def tuple_of_slices(x):
    a = np.outer(x, x)
    part = (slice(0, 2), slice(1, None))
    b = a[part]
    a[part] = b * 2.0
    return np.sum(np.sin(a)) + np.sum(a[part] ** 2)


def tuple_of_numbers(x):
    a = np.outer(x, x)
    place = (1, 2)
    a[place] += x[0] ** 2
    return np.sum(a ** 2) + a[place]


def tuple_with_a_new_axis(x):
    part = (IDX, None)
    return np.sum(np.sin(x[part] * x))


def tuple_of_array_and_slice(x):
    a = np.outer(x, x ** 2)
    part = (slice(None), IDX)
    a[part] *= x[0]
    return np.sum(a[part] ** 2)


def tuple_of_masks(x):
    a = np.outer(x, x ** 2)
    part = (MASK, MASK)
    a[part] = x[:3] ** 2
    return np.sum(a[part] ** 2) + np.sum(a)


PROGRAMS = [read_twice, read_by_mask, read_rows, read_columns, read_block, read_pairs, written,
            block_added, assembled, named_index, in_a_loop, slices, tuple_of_numbers,
            tuple_with_a_new_axis, tuple_of_masks]
# Where a slice has a name, names do not tell what is a view.
OTHERS = [tuple_of_slices, tuple_of_array_and_slice]


def by_differences(f):
    d, e = tl.grad(f), 1e-5
    return (d(X + e * V) - d(X - e * V)) / (2.0 * e)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.sweep(5)
def test_second_derivatives_go_by_names(f):
    expected = by_differences(f)
    with by_names():
        assert np.allclose(tl.hvp(f)(X, V), expected, atol=1e-7)
        assert np.allclose(tl.hessian(f)(X) @ V, expected, atol=1e-7)
    single = tl.hvp(f)(X.astype(np.float32), V.astype(np.float32))
    assert single.dtype == np.float32 and np.allclose(single, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("f", [*PROGRAMS, *OTHERS])
def test_and_are_the_same_by_identity(f):
    with by_identity():
        assert np.allclose(tl.hvp(f)(X, V), by_differences(f), atol=1e-7)


@pytest.mark.parametrize("f", OTHERS)
def test_named_slices(f):
    tl.check_grads(f, (X,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("f", [read_twice, read_block, block_added])
def test_their_source_is_by_names(f):
    derivative = tl.hvp(f)
    derivative(X, V)
    assert "tape." not in derivative.source and "add_at(d" in derivative.source
