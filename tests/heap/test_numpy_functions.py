"""Functions of NumPy that call functions of the user, or that write into an array."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

rng = np.random.default_rng(14)
V, X = rng.uniform(0.4, 1.5, 4), rng.uniform(0.4, 1.5, (3, 4))


def spread_of(row, power=2):
    return np.sum(row ** power) / np.max(row)


@np.vectorize
def hinge(t):
    if t > 0.8:
        return t * t
    return 2.0 * t


def along(x):
    return np.sum(np.apply_along_axis(spread_of, 1, x) ** 2)


def along_first(x):
    return np.sum(np.apply_along_axis(np.cumsum, 0, x) * np.arange(12.0).reshape(3, 4))


def along_with_more(x):
    return np.sum(np.apply_along_axis(spread_of, -1, x, 3) ** 2)


def along_into_matrices(x):
    return np.sum(np.apply_along_axis(lambda row: np.outer(row, row), 0, x)
                  * np.arange(36.0).reshape(3, 3, 4))


def over(x):
    return np.sum(np.apply_over_axes(np.sum, x * x, [0, -1]) ** 2)


def pieces(x):
    return np.sum(np.piecewise(x, [x < 0.7, x >= 1.1], [lambda t: t * t, 3.0,
                                                       lambda t: t ** 3]) * x)


def pieces_of_one(x):
    return np.sum(np.piecewise(x, x > 0.9, [np.exp, lambda t: 0.0 * t]) * x)


def elements(x):
    return np.sum(hinge(x) * x)


def elements_of_two(x):
    scale = np.sum(x)
    return np.sum(np.vectorize(lambda a, b: a * b * scale)(x, x[0]))


def typed(x):
    return np.sum(np.vectorize(lambda a: a ** 3, otypes=[float])(x))


def iterated(x):
    return np.sum(np.fromiter((t * t for t in x), float) * np.arange(4.0))


def placed(x):
    y = x * x
    np.place(y, y > 1.0, x[:2])
    return np.sum(y ** 2)


def put_by_mask(x):
    y = x * x
    np.putmask(y, y > 0.8, 3.0 * x)
    return np.sum(y ** 2)


def put_along(x):
    y = x * x
    np.put_along_axis(y, np.array([[0], [2], [1]]), x[:, :1] * 5.0, axis=1)
    return np.sum(y ** 2)


def put_along_flat(x):
    y = x * x
    np.put_along_axis(y, np.array([0, 5]), x[0, :2] * 5.0, axis=None)
    return np.sum(y ** 2)


def diagonal(x):
    y = np.outer(x, x)
    np.fill_diagonal(y, x * 3.0)
    return np.sum(y ** 2)


def wrapped_diagonal(x):
    y = np.ones((9, 4)) * x
    np.fill_diagonal(y, x[0] * 3.0, wrap=True)
    return np.sum(y ** 2)


def deep_diagonal(x):
    y = np.ones((4, 4, 4)) * x
    np.fill_diagonal(y, x[:2])
    return np.sum(y ** 2 * x)


def partitioned(x):
    y = x * x
    y.partition(1)
    return y[0] ** 2 + np.sum(y[2:] ** 3)


def sorted_in_place(x):
    y = x * x
    y.sort()
    return np.sum(y ** 2 * np.arange(4.0))


def copied_to(x):
    y = np.zeros((3, 4))
    np.copyto(y, x * x, where=x > 0.0)
    np.put(y, [0, 1], x[:2])
    return np.sum(y ** 2)


MATRIX = [along, along_first, along_with_more, along_into_matrices, over, put_along, put_along_flat]


@pytest.mark.parametrize("function", MATRIX + [
    pieces, pieces_of_one, elements, elements_of_two, typed, iterated, placed, put_by_mask,
    diagonal, wrapped_diagonal, deep_diagonal, partitioned, sorted_in_place, copied_to],
    ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_gradient_and_value(function):
    x = X if function in MATRIX else V
    tl.check_grads(function, (x,), order=1, modes=("fwd", "rev"))
    value, _ = tl.value_and_grad(function)(x)
    assert value == function(x)


def test_bytes_are_no_way_around():
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: np.sum(np.frombuffer((x * x).tobytes())))(V)
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: np.sum(np.frombuffer(x)))(V)


def test_vectorize_with_a_signature_and_several_results_is_refused():
    both = np.vectorize(lambda r: (r * r, r + r), signature="(n)->(n),(n)")
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: np.sum(both(x)[0]))(X)


def broadcast_and_written(x):
    y = x * 2.0
    v = np.broadcast_arrays(x, y)[1]
    y[0] = x[1] * 3.0
    return np.sum(y * y) + np.sum(v ** 3)


def one_of_them_written(x):
    y = x * 2.0
    v = np.broadcast_arrays(y, y)[0]
    v[0] = x[1] * 3.0
    return np.sum(y * y) + np.sum(v ** 3)


def reduced_into_what_is_read(x):
    w = x * 2.0
    np.add.reduce(np.outer(w, w), 0, None, w)
    np.add.accumulate(w, out=w)
    return np.sum(w * w * x)


@pytest.mark.parametrize("function", [broadcast_and_written, one_of_them_written,
                                      reduced_into_what_is_read], ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore:.*broadcast:DeprecationWarning")
def test_views_and_out(function):
    tl.check_grads(function, (V,), order=1, modes=("fwd", "rev"))
    assert tl.value_and_grad(function)(V)[0] == function(V)


def test_as_strided_of_a_list():
    def f(x):
        return np.sum(np.lib.stride_tricks.as_strided([x, x * x], (3, 2), (0, 8)))

    tl.check_grads(f, (2.0,), order=2)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_what_is_written_by_out_is_what_the_function_wrote(mode):
    """In the type of `out`, sums of float32 are others."""
    def f(x):
        y = np.zeros(3)
        np.add.reduce(x.reshape(2, 3), axis=0, out=y)
        np.add(y, y, out=y)
        return np.sum(y ** 2)

    x = np.random.default_rng(1).random(6).astype(np.float32)
    with by_identity():
        if mode == "reverse":
            assert tl.value_and_grad(f)(x)[0] == f(x)
        else:
            value, slope = tl.jvp(f, (x,), (x,))
            assert value == f(x)
            np.testing.assert_allclose(slope, 2.0 * value, rtol=1e-6)
