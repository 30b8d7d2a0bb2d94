"""Arrays that do not lie densely in memory: what ravel and reshape give of them, a view or a copy,
is the same in each derivative, whenever it is taken."""
import itertools
import pickle

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import copy_as_it_lies, zeros_as_it_lies
from tests.heap.forced import by_names

CUTS = slice(None), slice(None, None, -1), slice(1, None, 2), slice(-1, None, -3), slice(0, 1)
BIG = np.arange(5.0 * 6 * 7).reshape(5, 6, 7)
FORMS = {
    "ravel": np.ravel, "in one row": lambda a: a.reshape(-1), "by K": lambda a: a.ravel("K"),
    "by F": lambda a: a.ravel("F"), "turned": lambda a: a.T.reshape(-1),
    "last": lambda a: a.reshape(-1, a.shape[-1]), "first": lambda a: a.reshape(a.shape[0], -1),
    "contiguous": np.ascontiguousarray}


def writes(a, w):
    a[0] *= w
    row = a.ravel()
    row[1] = 5.0 * w
    pairs = a.reshape(-1, 2)
    pairs[0, 1] *= w
    return np.sum(a * a * a) + np.sum(row * row)


def by_identity(a, w):
    rows = {"a": a.ravel()}
    rows.update(b=a.reshape(-1, 2))
    for key in set(rows):
        rows[key][0] *= w
    return np.sum(a * a * a) + sum(np.sum(v) for v in rows.values())


def laid_out():
    """The same numbers in several orders."""
    dense = np.array([[0.5, 1.5, -0.7, 1.1], [2.0, 0.3, 0.8, -1.2]])
    room = np.zeros((4, 8))
    room[::2, ::-2] = dense
    return {"dense": dense, "columns first": np.asfortranarray(dense), "gaps": room[::2, ::-2],
            "backwards": dense[::-1, ::-1].copy()[::-1, ::-1],
            "rows backwards": dense[::-1].copy()[::-1], "turned": dense.T.copy()[::-1].T[:, ::-1],
            "row": dense[0], "row backwards": dense[0, ::-1].copy()[::-1]}


@pytest.mark.parametrize("cuts", list(itertools.product(CUTS, CUTS, CUTS[:3])), ids=str)
def test_views_are_views_of_copies(cuts):
    for axes in itertools.permutations(range(3)):
        part = BIG[cuts].transpose(axes)
        for array in (part, part[0]):
            made = copy_as_it_lies(array)
            assert np.array_equal(made, array) and made.dtype == array.dtype
            assert not np.shares_memory(made, array)
            for form in FORMS.values():
                assert np.shares_memory(form(made), made) == np.shares_memory(form(array), array)


def test_copies_take_no_more_room_than_they_need():
    table = np.zeros((1000, 500))
    assert copy_as_it_lies(table[:, 3]).base.nbytes < 3 * 1000 * 8
    assert copy_as_it_lies(table[::-7, ::9]).base.nbytes < 3 * 143 * 56 * 8


def test_elements_that_lie_over_each_other():
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(5.0), 3)
    assert np.array_equal(copy_as_it_lies(windows), windows)
    assert zeros_as_it_lies(windows).strides == windows.strides
    assert zeros_as_it_lies(np.array([[None, None]] * 3)[::2, ::-1]).shape == (2, 2)


@pytest.mark.parametrize("function, name", [
    *((writes, name) for name in laid_out()), (by_identity, "gaps"), (by_identity, "turned")])
def test_each_derivative(function, name):
    a, w = laid_out()[name], 1.3

    def value(a, w):
        return function(copy_as_it_lies(a), w)

    step = 1e-6
    slopes = np.zeros(a.shape)
    for at in np.ndindex(a.shape):
        move = np.zeros(a.shape)
        move[at] = step
        there, back = copy_as_it_lies(a), copy_as_it_lies(a)
        there += move
        back -= move
        slopes[at] = (value(there, w) - value(back, w)) / (2 * step)
    assert np.allclose(tl.grad(function)(a, w), slopes, atol=1e-6)
    result, pullback = tl.vjp(function, a, w)
    assert result == value(a, w)
    assert np.allclose(pullback(1.0)[0], slopes, atol=1e-6)
    assert np.allclose(pullback(1.0)[0], slopes, atol=1e-6)
    along = np.cos(np.arange(a.size)).reshape(a.shape)
    assert np.isclose(tl.jvp(function, (a, w), (along, 0.0))[1], np.sum(slopes * along))
    assert np.isclose(tl.linearize(function, a, w)[1](along, 0.0), np.sum(slopes * along))


@pytest.mark.parametrize("name", ["gaps", "rows backwards"])
def test_many_directions_and_second_derivatives(name):
    a = laid_out()[name]
    slopes = tl.grad(writes)(a, 1.3)
    for jacobian in (tl.jacobian, tl.jacfwd, tl.jacrev):
        assert np.allclose(jacobian(writes)(a, 1.3), slopes)
    tl.check_grads(writes, (a, 1.3))


@pytest.mark.parametrize("name", list(laid_out()))
def test_pullbacks_that_go_elsewhere(name):
    a = laid_out()[name]
    with by_names():
        pullback = tl.vjp(writes, a, 1.3)[1]
    elsewhere = pickle.loads(pickle.dumps(pullback))
    for one, other in zip(pullback(1.0), elsewhere(1.0)):
        assert np.array_equal(one, other)
    assert np.array_equal(pullback(1.0)[0], tl.grad(writes)(a, 1.3))
