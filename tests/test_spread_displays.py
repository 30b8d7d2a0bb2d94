"""Lists that are written out with stars in them, where NumPy makes one array of them."""
import numpy as np
import pytest

import tangent_lite as tl

A, V = 0.8, np.array([0.3, 1.2, -0.7, 2.1])
WEIGHTS = np.arange(1.0, 40.0)


def weighed(w):
    return np.sum(w ** 2 * np.reshape(WEIGHTS[:w.size], w.shape))


def front(a, v):
    return weighed(np.array([a, *v]))


def between(a, v):
    return weighed(np.array([*v, a, *v[1:], *v]))


def changed_behind(a, v):
    u = v[1:] * a
    w = np.array([a, *u, 2.0, *v, a * a])
    u = v[:1] * 3.0
    v = v[:2] * u
    return weighed(w) * np.sum(u) * np.sum(v)


def rows(a, v):
    m = v.reshape(2, 2)
    return weighed(np.array([*m, m[0] * a])) + weighed(np.array([[a, *v[:1]], [v[2], a]]))


def numbers_in_lists(a, v):
    items = [a, a * a, v[0]]
    return weighed(np.asarray([*items, 1.0, *v]))


def tuples(a, v):
    pair = (a, a * a)
    return weighed(np.array((*pair, *v))) + weighed(np.stack([*(v, v * a), v]))


def lists_of_arrays(a, v):
    parts = [v]
    for _ in range(2):
        parts.append(parts[-1] * a)
    return weighed(np.stack([*parts, v * v])) + weighed(np.vstack((v, *parts))) \
        + weighed(np.concatenate([v[:1], *parts, v, *parts])) + weighed(np.hstack([*parts, v]))


FUNCTIONS = [front, between, changed_behind, rows, numbers_in_lists, tuples, lists_of_arrays]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_by_differences(function):
    tl.check_grads(function, (A, V))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_by_names(function):
    assert "tape" not in tl.grad(function, wrt=(0, 1)).source_for(A, V)


def test_nothing_behind_a_star():
    empty = np.zeros(0)
    assert tl.grad(front, wrt=(0, 1))(A, empty)[0] == pytest.approx(2.0 * A)
    assert tl.grad(front, wrt=1)(A, empty).shape == (0,)


def test_single_precision_and_ints():
    found = tl.grad(front, wrt=1)(np.float32(A), V.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, 2.0 * V * WEIGHTS[1:5], rtol=1e-6)
    assert tl.grad(front)(A, np.arange(3)) == pytest.approx(2.0 * A)


def keys(a, v):
    table = {0.5: a, 1.5: v}
    return np.sum(np.array([*table, a]) ** 2)


def kept_keys(a, v):
    table = {0.5: a, 1.5: a * a}
    items = [a, *table]
    return items[1] * items[0] * a


@pytest.mark.parametrize("function", [keys, kept_keys])
def test_a_dict_behind_a_star_hands_out_its_keys(function):
    """Its tangent has the same keys, which are no tangents."""
    with pytest.raises(tl.UnsupportedSyntaxError):
        tl.jvp(function, (A, V), (1.0, np.zeros(4)))


def test_lists_that_are_repeated():
    """Their tangents are repeated, too: three times a list is no arithmetic."""
    def f(v):
        rows = [v]
        rows = rows * 3
        return weighed(np.stack([*rows, *[v * v] * 2]))
    tl.check_grads(f, (V,))
