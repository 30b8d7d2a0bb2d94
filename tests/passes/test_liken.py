"""Shapes that are asked of what is read anyway: nothing is computed for its shape alone."""
import itertools

import numpy as np
import pytest

import tangent_lite as tl
from tests.any_shapes import for_any_shapes


def entropy(x, y, z):
    s = 1.0 / (1.0 + np.exp(-x))
    return -np.sum(y * np.log(s) + (1.0 - y) * np.log(1.0 - s)) * np.sum(z)


def product(x, y, z):
    return np.sum(x * x * (y * z))


def mean(x, y, z):
    return np.mean(np.exp(x) * np.sin(y) * z)


def of_rows(x, y, z):
    s = np.sum(np.exp(x) * np.exp(y), axis=-1)
    return np.sum(s * s) + np.sum(z)


def in_a_loop(x, y, z):
    total = 0.0
    for k in range(3):
        e = np.exp(0.1 * k * x)
        total = total + np.sum(np.log(e * (2.0 + np.sin(y))) * z)
    return total


def in_a_branch(x, y, z):
    u, v = np.exp(x), np.cos(y)
    if np.sum(u) > 1.0:
        y = np.sum(u * v * z)
    else:
        y = np.mean(u * v) * np.sum(z)
    return y


FUNCTIONS = (entropy, product, mean, of_rows, in_a_loop, in_a_branch)
SHAPES = ((3,), (1,), (2, 3), (2, 1), (1, 3), (1, 1))


def arguments(shapes, dtype=float):
    rng = np.random.default_rng(len(shapes))
    return [(0.2 + 0.6 * rng.random(size=shape)).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.sweep(3)
def test_reverse_is_forward(f):
    d = tl.grad(f, wrt=("x", "y", "z"))
    both = tl.value_and_grad(f, wrt=("x", "y", "z"))
    for shapes in itertools.product(SHAPES, repeat=3):
        args = arguments(shapes)
        if len(np.broadcast_shapes(*shapes)) < 2 and f is of_rows:
            continue
        directions = tuple(np.cos(np.arange(x.size)).reshape(x.shape) for x in args)
        slope = tl.jvp(f, tuple(args), directions)[1]
        found = d(*args)
        assert [g.shape for g in found] == [x.shape for x in args]
        assert np.isclose(sum(np.sum(g * t) for g, t in zip(found, directions)), slope, rtol=1e-10)
        for one, other in zip(found, both(*args)[1]):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_without_elements_and_of_other_types(f):
    if f is mean or f is in_a_branch:
        pytest.skip("the mean of nothing")
    d = tl.grad(f, wrt=("x", "y", "z"))
    for shapes in (((0, 3), (3,), (1, 3)), ((0,), (1,), (0,))):
        assert [g.shape for g in d(*arguments(shapes))] == list(shapes)
    args = arguments(((2, 3), (3,), (2, 1)), np.float32)
    assert all(g.dtype == np.float32 for g in d(*args))


@pytest.mark.parametrize("f", [entropy, product, of_rows])
def test_second_order(f):
    tl.check_grads(f, tuple(arguments(((2, 3), (3,), (2, 1)))), order=2)


def test_words():
    args = arguments(((2, 3), (3,), (2, 1)))
    with for_any_shapes():
        text = tl.grad(entropy).source_for(*args)
        with_value = tl.value_and_grad(entropy).source_for(*args)
    code = "".join(line for line in text.splitlines(True) if not line.strip().startswith("#"))
    assert "np.log" not in code and " broadcast(" in code
    # Where the value is asked for, so are the logarithms, which have the shape too.
    assert "broadcast(" not in with_value.replace("unbroadcast(", "")


def test_shapes_that_do_not_fit_are_errors():
    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(product, wrt=("x", "y"))(*arguments(((3,), (2,), (3,))))


def test_saved(tmp_path):
    d = tl.grad(entropy, wrt=("x", "y"))
    args = arguments(((2, 3), (3,), (2, 1)))
    expected = d(*args)
    space = {}
    exec(d.source_for(*args), space)
    for one, other in zip(space["entropy_grad"](*args), expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_compiled():
    pytest.importorskip("numba")
    d = tl.grad(product, wrt=("x", "y"), backend="numba")
    for shapes in (((2, 3), (2, 3), (2, 3)), ((2, 3), (2, 1), (1, 3)), ((1, 3), (2, 3), (1, 1))):
        args = arguments(shapes)
        for one, other in zip(d(*args), tl.grad(product, wrt=("x", "y"))(*args)):
            np.testing.assert_allclose(one, other, rtol=1e-12)
