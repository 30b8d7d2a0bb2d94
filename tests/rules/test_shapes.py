"""Functions that show, join, make and pick elements."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import lines as runtime_lines
from tests.rules.support import check

rng = np.random.default_rng(8)


def draw(*shape):
    return rng.uniform(-1.5, 1.5, shape)


X, C = draw(2, 3), draw(2, 3, 4)

# One case a line: function, arguments, options.
CASES = [
    (np.transpose, (X,), {}), (np.transpose, (C,), {}), (np.transpose, (C, (1, 2, 0)), {}),
    (np.transpose, (C,), {"axes": (-1, 0, 1)}), (np.transpose, (draw(3),), {}),
    (np.ndarray.transpose, (C,), {}), (np.ndarray.transpose, (C, 1, 2, 0), {}),
    (np.ndarray.transpose, (C, (1, 2, 0)), {}), (np.ndarray.transpose, (C, None), {}),
    (np.swapaxes, (C, 0, 2), {}), (np.swapaxes, (C, -1, -2), {}),
    (np.ndarray.swapaxes, (C, 0, 1), {}),
    (np.moveaxis, (C, 0, -1), {}), (np.moveaxis, (C, (0, 1), (2, 0)), {}),
    (np.reshape, (X, (3, 2)), {}), (np.reshape, (X, -1), {}), (np.reshape, (X, 6), {}),
    (np.reshape, (X, (3, 2), "F"), {}), (np.reshape, (X, (3, 2)), {"order": "F"}),
    (np.reshape, (X.T, (3, 2)), {"order": "A"}), (np.reshape, (X.T, (2, 3)), {}),
    (np.reshape, (2.0, (1, 1)), {}), (np.reshape, (draw(1), ()), {}),
    (np.ndarray.reshape, (X, 3, 2), {}), (np.ndarray.reshape, (X, -1), {}),
    (np.ndarray.reshape, (X, (3, 2)), {}), (np.ndarray.reshape, (X, 3, 2), {"order": "F"}),
    (np.ndarray.reshape, (np.array(2.0), 1, 1), {}),
    (np.ravel, (X,), {}), (np.ravel, (X.T,), {}), (np.ravel, (X, "F"), {}),
    (np.ravel, (X.T,), {"order": "K"}), (np.ravel, (X[:, ::-1],), {"order": "K"}),
    (np.ravel, (C.transpose(2, 0, 1),), {"order": "K"}), (np.ravel, (2.0,), {}),
    (np.ndarray.ravel, (X,), {}), (np.ndarray.flatten, (X,), {}),
    (np.ndarray.flatten, (X, "F"), {}),
    (np.squeeze, (draw(1, 3, 1),), {}), (np.squeeze, (draw(1, 3, 1), 0), {}),
    (np.squeeze, (draw(1, 3, 1),), {"axis": (0, 2)}), (np.squeeze, (draw(1),), {}),
    (np.ndarray.squeeze, (draw(1, 3),), {}),
    (np.expand_dims, (X, 0), {}), (np.expand_dims, (X, (0, -1)), {}),
    (np.expand_dims, (2.0, 0), {}),
    (np.atleast_1d, (2.0,), {}), (np.atleast_1d, (X,), {}), (np.atleast_2d, (draw(3),), {}),
    (np.atleast_2d, (2.0,), {}), (np.atleast_2d, (C,), {}), (np.atleast_3d, (X,), {}),
    (np.atleast_3d, (draw(3),), {}), (np.atleast_3d, (np.array(2.0),), {}),
    (np.lib.stride_tricks.sliding_window_view, (draw(5), 3), {}),
    (np.lib.stride_tricks.sliding_window_view, (draw(3, 4), (2, 3)), {}),
    (np.lib.stride_tricks.sliding_window_view, (draw(3, 4), 2), {"axis": 1}),
    (np.lib.stride_tricks.sliding_window_view, (draw(5), (2, 3), (0, 0)), {}),
    (np.broadcast_to, (draw(3), (2, 3)), {}), (np.broadcast_to, (2.0, (2, 3)), {}),
    (np.broadcast_to, (draw(2, 1), (2, 3)), {}), (np.broadcast_to, (2.0, 4), {}),
    (np.copy, (X,), {}), (np.copy, (2.0,), {}), (np.ndarray.copy, (X.T,), {}),
    (np.copy, (np.array(2.0),), {}),
    (np.array, (X,), {}), (np.array, (2.0,), {}), (np.array, ([1.0, 2.0],), {}),
    (np.array, ((1.0, 2.0, 3.0),), {}), (np.array, ([draw(3), draw(3)],), {}),
    (np.array, ([[1.0, 2.0], [3.0, 4.0]],), {}), (np.array, ([1.0, 2.0], float), {}),
    (np.array, (X,), {"dtype": np.float64}), (np.array, ([np.array(2.0), 1.0],), {}),
    (np.asarray, (X,), {}), (np.asarray, ([1.0, 2.0],), {}), (np.asarray, (2.0,), {}),
    (np.asarray, (X, float), {}), (np.ascontiguousarray, (X.T,), {}),
    (np.ndarray.astype, (X, float), {}), (np.ndarray.astype, (X, np.float64), {}),
    (np.ndarray.astype, (X, "complex128"), {}),
    (np.ndarray.astype, (X.astype(np.float32), float), {}),
    (np.ndarray.item, (draw(1),), {}), (np.ndarray.item, (np.array(2.0),), {}),
    (np.ndarray.tolist, (draw(3),), {}), (np.ndarray.tolist, (X,), {}),
    (np.flip, (X,), {}), (np.flip, (X, 0), {}), (np.flip, (X,), {"axis": (0, 1)}),
    (np.fliplr, (X,), {}), (np.flipud, (X,), {}), (np.flipud, (draw(3),), {}),
    (np.roll, (X, 1), {}), (np.roll, (X, 2, 1), {}), (np.roll, (X, (1, -1), (0, 1)), {}),
    (np.roll, (draw(4), -1), {}),
    (np.rot90, (X,), {}), (np.rot90, (X, 3), {}), (np.rot90, (C, 1, (1, 2)), {}),
    (np.tile, (draw(3), 2), {}), (np.tile, (X, (2, 2)), {}), (np.tile, (X, 2), {}),
    (np.tile, (draw(3), (2, 2)), {}), (np.tile, (2.0, 3), {}), (np.tile, (X, (2, 1, 2)), {}),
    (np.resize, (draw(3), 7), {}), (np.resize, (X, (2, 2)), {}), (np.resize, (2.0, (2, 2)), {}),
    (np.repeat, (draw(3), 2), {}), (np.repeat, (X, 2), {}), (np.repeat, (X, 2, 1), {}),
    (np.repeat, (X, [1, 2], 0), {}), (np.repeat, (X, np.array([1, 0, 2])), {"axis": 1}),
    (np.repeat, (2.0, 3), {}), (np.ndarray.repeat, (draw(3), 2), {}),
    (np.pad, (draw(3), 1), {}), (np.pad, (X, ((1, 2), (0, 1))), {}), (np.pad, (X, (1, 2)), {}),
    (np.pad, (X, 1, "edge"), {}), (np.pad, (X, 1), {"mode": "reflect"}),
    (np.pad, (X, 1, "wrap"), {}), (np.pad, (X, 2, "symmetric"), {}),
    (np.pad, (draw(3), 1), {"constant_values": 2.0, "wrt": [0, "constant_values"]}),
    (np.pad, (draw(3), (1, 2)), {"constant_values": (0.5, 0.25)}),
    (np.pad, (X, ((1, 2), (0, 1))), {"constant_values": ((0.5, 0.2), (0.1, 0.3))}),
    (np.pad, (X, 1), {"constant_values": draw(2, 1)}), (np.pad, (X[:0], 1, "constant"), {
        "constant_values": [0.5, 0.2]}),
    (np.pad, (draw(3), 2, "linear_ramp"), {}), (np.pad, (X, ((1, 2), (0, 3)), "linear_ramp"), {}),
    (np.pad, (draw(2, 3, 2), (1, 2)), {"mode": "linear_ramp"}),
    (np.pad, (draw(1), 2, "linear_ramp"), {"end_values": 1.3, "wrt": [0, "end_values"]}),
    (np.pad, (X, ((1, 2), (0, 3)), "linear_ramp"), {"end_values": (0.5, 0.25)}),
    (np.pad, (X, ((1, 2), (3, 1)), "linear_ramp"), {"end_values": ((0.5, 0.2), (0.1, 0.3))}),
    (np.pad, (X, 1, "linear_ramp"), {"end_values": draw(2, 1)}),
    (np.pad, (X.astype(np.float32), 2, "linear_ramp"), {}),
    (np.pad, (X + 1j * X, 2, "linear_ramp"), {}),
    (np.pad, (np.arange(3), 1), {"constant_values": 2.3, "wrt": ["constant_values"]}),
    (np.diag, (draw(3),), {}), (np.diag, (draw(3), 1), {}), (np.diag, (X,), {}),
    (np.diag, (X, 1), {}), (np.diag, (X.T,), {"k": -1}),
    (np.diagonal, (X,), {}), (np.diagonal, (C,), {}), (np.diagonal, (C, 1, 1, 2), {}),
    (np.ndarray.diagonal, (X,), {"offset": 1}),
    (np.tril, (draw(3, 3),), {}), (np.triu, (draw(3, 3), 1), {}), (np.tril, (C, -1), {}),
    (np.triu, (draw(3),), {}),
    (np.concatenate, ([X, X + 1],), {}), (np.concatenate, ((X, draw(2, 1)), 1), {}),
    (np.concatenate, ([X, draw(2)],), {"axis": None}), (np.concatenate, ((draw(3), draw(0)),), {}),
    (np.concatenate, ([C, C],), {"axis": -1}),
    (np.stack, ([X, X + 1],), {}), (np.stack, ((X, X + 1), 1), {}),
    (np.stack, ([X],), {"axis": -1}),
    (np.stack, ([1.0, 2.0],), {}), (np.stack, ([draw(3), draw(3), draw(3)],), {}),
    (np.vstack, ([X, draw(3)],), {}), (np.vstack, ((draw(3), draw(3)),), {}),
    (np.hstack, ([X, X],), {}), (np.hstack, ((draw(2), draw(3)),), {}),
    (np.hstack, ([1.0, 2.0],), {}),
    (np.dstack, ([X, X],), {}), (np.dstack, ((draw(3), draw(3)),), {}),
    (np.column_stack, ([draw(2), X],), {}), (np.column_stack, ((draw(3), draw(3)),), {}),
    (np.append, (draw(3), 2.0), {}), (np.append, (draw(3), draw(2)), {}),
    (np.append, (X, draw(1, 3), 0), {}), (np.append, (X, X), {"axis": 1}),
    (np.append, (draw(3), [1.0, 2.0]), {}),
    (np.split, (draw(6), 3), {}), (np.split, (X, [1, 2]), {"axis": 1}),
    (np.array_split, (draw(5), 2), {}), (np.vsplit, (X, 2), {}), (np.hsplit, (X, 3), {}),
    (np.hsplit, (draw(4), [1]), {}),
    (np.full, (3, 2.0), {}), (np.full, ((2, 3), 2.0), {}), (np.full, ((2, 3), draw(3)), {}),
    (np.full, (3, 2.0, float), {}),
    (np.full_like, (X, 2.0), {}),
    (np.linspace, (0.5, 2.0), {}), (np.linspace, (0.5, 2.0, 5), {}),
    (np.linspace, (0.5, 2.0, 5, False), {}), (np.linspace, (draw(3), 2.0, 4), {}),
    (np.linspace, (draw(3), draw(2, 3)), {"num": 4}),
    (np.arange, (0.3, 2.0), {}), (np.arange, (0.3, 2.0, 0.37), {}), (np.arange, (2.4,), {}),
    (np.arange, (0.3, 2.0, 0.37, float), {}),
    (np.arange, (0.3, 2.0, 0.37), {"dtype": float}), (np.arange, (2.0, 0.3, -0.37), {}),
    (runtime_lines.start_adjoint, (draw(3), 2.0), {"wrt": [0]}),
    (runtime_lines.start_adjoint, (draw(3), None), {"wrt": [0]}),
    (runtime_lines.start_tangent, (0.3, draw(3), 2.0), {"wrt": [0]}),
    (runtime_lines.start_tangent, (0.3, draw(3), None), {"wrt": [0]}),
    (np.take, (draw(4), 2), {}), (np.take, (draw(4), [0, 2, 2]), {}), (np.take, (X, [0, 5, 5]), {}),
    (np.take, (X, [0, 1, 1], 1), {}), (np.take, (X, 1), {"axis": 0}), (np.take, (X, -1, -1), {}),
    (np.take, (C, np.array([[0, 1], [1, 1]]), 1), {}),
    (np.take, (draw(3), [4, -5]), {"mode": "wrap"}),
    (np.take, (draw(3), [4, -5]), {"mode": "clip"}), (np.ndarray.take, (draw(4), [0, 2]), {}),
    (np.take_along_axis, (X, np.array([[0, 0], [2, 1]]), 1), {}),
    (np.take_along_axis, (X, np.array([[0, 1, 1]]), 0), {}),
    (np.take_along_axis, (X, np.array([0, 0, 5]), None), {}),
    (np.sort, (draw(5),), {}), (np.sort, (X,), {}), (np.sort, (X, 0), {}), (np.sort, (X, None), {}),
    (np.sort, (X,), {"axis": 0, "kind": "stable"}),
    (np.diff, (draw(5),), {}), (np.diff, (draw(5), 2), {}), (np.diff, (X,), {"axis": 0}),
    (np.diff, (C, 2, 1), {}),
    (np.interp, (draw(4), np.array([-1.0, 0.1, 0.9]), draw(3)), {"wrt": [0, 1, 2]}),
    (np.interp, (0.3, np.array([-1.0, 0.1, 0.9]), draw(3)), {"wrt": [0, 1, 2]}),
    (np.interp, (draw(2, 3), np.array([-1.0, 0.1, 0.9]), draw(3)), {"wrt": [0, 1, 2]}),
    (np.interp, (draw(9), np.array([-1.0, 0.1, 0.9]), draw(3), 0.5, -0.5), {"wrt": [0, 1, 2]}),
    (np.bincount, (np.array([0, 1, 1, 3]), draw(4)), {}),
]
if hasattr(np, "trapezoid"):
    CASES += [
        (np.trapezoid, (draw(4),), {}), (np.trapezoid, (X,), {}), (np.trapezoid, (X, draw(3)), {}),
        (np.trapezoid, (X, draw(2), 1.0, 0), {}), (np.trapezoid, (X[0], None, 0.5), {}),
        (np.trapezoid, (X, None, 0.5, 0), {}), (np.trapezoid, (X.T, None, X[0, :2], 0), {}),
        (np.trapezoid, (X, None, X[:, :2]), {}),
        (np.trapezoid, (X, draw(2, 3)), {}), (np.trapezoid, (draw(4),), {"dx": 0.5}),
        (np.trapezoid, (C, None, 0.5, 1), {}),
        (np.matrix_transpose, (C,), {}),
    ]


def identify(case):
    return getattr(case, "__name__", None) if callable(case) else ""


@pytest.mark.parametrize("fun, args, options", CASES, ids=identify)
def test_case(fun, args, options):
    check(fun, *args, **options)


@pytest.mark.parametrize("fun, args", [
    (np.transpose, ()), (np.reshape, (-1,)), (np.ravel, ()), (np.flip, ()), (np.roll, (1,)),
    (np.tile, (2,)), (np.repeat, (2,)), (np.sort, ()), (np.cumsum, ()), (np.diff, ()),
    (np.copy, ()), (np.squeeze, ()), (np.expand_dims, (0,)), (np.diag, ()), (np.atleast_2d, ()),
])
def test_variants(fun, args):
    arrays = [draw(4)[::-1], draw(8)[::2], draw(1), draw(4).astype(np.float32)]
    if fun is not np.diff:
        arrays.append(draw(0))
    for x in arrays:
        check(fun, x, *args)
    if fun is not np.sort:
        check(fun, draw(3) + 1j * draw(3), *args)


def to_a_number(x):
    return np.sum(x) + np.squeeze(np.max(x, axis=0, keepdims=True), axis=0)


def test_what_is_squeezed_to_a_number_has_a_number_as_its_adjoint():
    x = np.array([0.5, 2.0, -1.0])
    assert np.array_equal(tl.grad(to_a_number)(x), [1.0, 2.0, 1.0])
    tl.check_grads(to_a_number, (x,))


def differences_of_few(x):
    return np.sum(np.diff(x, n=3, axis=0) ** 2) + np.sum(x ** 3)


def area_of_few(x):
    return np.sum(np.trapezoid(x, 2.0 * x, axis=0) ** 2) + np.sum(x ** 3)


def quantiles_of_none(x):
    return np.sum(np.nanquantile(x * x, np.zeros(0))) + np.sum(x ** 3)


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("f", [differences_of_few, area_of_few, quantiles_of_none])
@pytest.mark.filterwarnings("ignore")
def test_few_points(f, rows):
    """Nothing is left of what lies between points where there are too few."""
    x = np.linspace(0.5, 2.0, rows * 3).reshape(rows, 3) ** 2
    few = {differences_of_few: 4, area_of_few: 2, quantiles_of_none: 9}[f]
    gradient, slope = tl.grad(f)(x), tl.jvp(f, (x,), (np.cos(x),))[1]
    if rows < few:
        if not np.isnan(f(x)):
            np.testing.assert_allclose(gradient, 3.0 * x * x)
            np.testing.assert_allclose(slope, np.sum(3.0 * x * x * np.cos(x)))
        assert gradient.shape == x.shape
    else:
        tl.check_grads(f, (x,))


def listed(x, n):
    total = np.sum(x ** 2)
    for row in (x * x).tolist():
        terms = []
        for k in range(n):
            terms.append(row[0] * k + row[-1])
        total += np.sum(np.array(terms) ** 2)
    return total


@pytest.mark.parametrize("backend", ["python", "numba"])
@pytest.mark.parametrize("x, points, values, want", [
    (1.5, [1.0], [2.0], (0.0, [0.0], [1.0])),
    (1.0, [1.0], [2.0], (0.0, [0.0], [1.0])),
    (1.0, [0.0, 1.0, 1.0], [2.0, 3.0, 4.0], (0.0, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0])),
    (0.5, [0.0, 1.0, 1.0], [2.0, 3.0, 4.0], (1.0, [-0.5, -0.5, 0.0], [0.5, 0.5, 0.0]))])
def test_tables_of_one_point_and_steps(x, points, values, want, backend):
    if backend == "numba":
        pytest.importorskip("numba")
    found = tl.grad(straight_lines, wrt=(0, 1, 2), backend=backend)(
        x, np.array(points), np.array(values))
    for part, expected in zip(found, want):
        np.testing.assert_array_equal(part, expected)


def straight_lines(x, points, values):
    return np.interp(x, points, values)


def test_points_of_a_table_to_the_third_order():
    x, points, values = np.array([-0.3, 0.2, 1.6, 3.5]), np.array([0.0, 0.7, 2.0]), draw(3)

    def bent(points):
        return np.sum(np.sin(np.interp(x, points, values)))

    tl.check_grads(bent, (points,), order=2)
    tl.check_grads(lambda p: np.sum(tl.grad(lambda q: np.sum(tl.grad(bent)(q) ** 2))(p)),
                   (points,), order=1)


def outside(x, below, above):
    return np.sum(np.sin(np.interp(x, [0.0, 1.0], [2.0, 3.0], left=below, right=below * above)))


@pytest.mark.parametrize("x", [np.array([[-0.3, 0.2], [1.6, 3.5]]), -0.2, 0.5, [0.5, 1.5]])
def test_what_stands_beside_a_table(x):
    tl.check_grads(lambda below, above: outside(x, below, above), (0.4, 1.3))


def test_a_table_goes_on_with_its_own_ends():
    """`left=fp[0]` is what np.interp does by itself."""
    x, points, values = np.array([-0.3, 0.2, 1.6]), np.array([0.0, 1.0]), draw(2)
    found = tl.grad(lambda fp: np.sum(np.interp(x, points, fp, left=fp[0], right=fp[-1]) ** 2))
    plain = tl.grad(lambda fp: np.sum(np.interp(x, points, fp) ** 2))
    np.testing.assert_allclose(found(values), plain(values))


def tuples_by_name(x, c):
    ends = (c, c * c)
    return np.sum(np.sin(np.pad(x, (1, 2), constant_values=ends)) * np.stack(arrays=ends)[1])


def test_tuples_that_rules_take_by_name():
    tl.check_grads(tuples_by_name, (draw(3), 0.7))
    tl.check_grads(lambda x: np.sum(np.pad(x, 1, constant_values=(x[0], x[1])) ** 3), (draw(3),))
    tl.check_grads(lambda x: np.sum(np.pad(x, 2, "linear_ramp", end_values=(x[0], x[1])) ** 3),
                   (draw(3),))


@pytest.mark.parametrize("points", [(0.0, 0.0, 1.0, 2.0), (0.0, 1.0, 1.0, 2.0),
                                    (0.0, 1.0, 2.0, 2.0), (0.0, 0.0, 0.0, 0.0)])
@pytest.mark.parametrize("backend", ["python", "numba"])
def test_tables_with_steps(points, backend):
    """Each value has the weight that NumPy gives it, outside of the table, too."""
    points, values = np.array(points), draw(4)
    for x in (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5):
        weights = [np.interp(x, points, row) for row in np.eye(4)]
        found = tl.grad(straight_lines, wrt=2, backend=backend)(x, points, values)
        np.testing.assert_array_equal(found, weights)


@pytest.mark.parametrize("shape, n", [((2, 3), 2), ((1, 3), 0), ((0, 3), 2), ((3, 1), 1)])
def test_lists_of_rows(shape, n):
    x = np.random.default_rng(5).normal(size=shape)
    assert tl.grad(listed)(x, n).shape == shape
    tl.check_grads(lambda x: listed(x, n), (x,))


def test_windows_and_counts_are_arrays():
    def f(x):
        windows = np.lib.stride_tricks.sliding_window_view
        high = windows(x, 2).max(1)
        wide = windows(np.outer(x, x), (2, 3)).mean(axis=(2, 3))
        counts = np.bincount([0, 1, 1, 3], weights=x, minlength=5)
        counts /= np.maximum(np.bincount([0, 1, 1, 3], minlength=5), 1)
        return high @ high + wide.sum() * counts.max()

    x = np.array([0.7, -1.3, 2.2, 0.4])
    tl.check_grads(f, (x,))
    assert "tape.call" not in tl.grad(f).source_for(x)


def copied(b):
    c = b.copy()
    d = c
    c += 3.0 * b
    c *= c
    return c * 10.0 + d


def reshaped(b):
    c = b.reshape(())
    d = c
    c += 3.0 * b
    c *= c
    return c * 10.0 + d


def reshaped_by_numpy(b):
    c = np.reshape(b, ())
    d = c
    c += 3.0 * b
    c *= c
    return c * 10.0 + d


@pytest.mark.parametrize("b", [np.float64(2.0), np.float32(2.0)])
@pytest.mark.parametrize("f", [copied, reshaped, reshaped_by_numpy])
def test_number_of_numpy_stays_a_number(f, b):
    """x.copy() and x.reshape(()) of a number of NumPy are numbers: `c += ...` binds c anew, and d
    stays what it was. By hand: 160 b ** 2 + b."""
    assert f(b) == 642.0
    assert tl.grad(f)(b) == 641.0
    assert tl.jvp(f, (b,), (type(b)(1.0),))[1] == 641.0
    assert tl.hvp(f)(b, type(b)(1.0)) == 320.0


def test_array_without_dimensions_stays_an_array():
    """d is c, which is written into: 11 * 16 * b ** 2."""
    assert copied(np.array(2.0)) == 704.0
    assert tl.grad(copied)(np.array(2.0)) == 704.0
