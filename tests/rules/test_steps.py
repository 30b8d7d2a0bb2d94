"""Rules of finite differences, lines of numbers, windows, running sums, orders, ufunc methods."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import lines as runtime_lines
from tangent_lite.runtime import steps as runtime_steps
from tests.rules.support import check

rng = np.random.default_rng(10)


def draw(*shape):
    return rng.uniform(0.4, 1.5, shape)


V, X, C = draw(5), draw(3, 4), draw(2, 3, 4)
UNEVEN = np.array([0.0, 0.3, 0.7, 1.5, 1.6])
MIXED = rng.permutation(np.arange(12.0)).reshape(3, 4) - 4.5
HOLES = 0.1 * MIXED + 1.0
HOLES[0, 1] = HOLES[2, 0] = np.nan
ANGLES = np.array([0.1, 3.0, -2.9, -1.0, 2.8, 9.5])

CASES = [
    (np.gradient, (V,), {}), (np.gradient, (V, 0.5), {"wrt": [0]}),
    (np.gradient, (V, UNEVEN), {"wrt": [0]}), (np.gradient, (V[:2],), {}),
    (np.gradient, (V,), {"edge_order": 2}), (np.gradient, (V, UNEVEN), {"edge_order": 2,
                                                                        "wrt": [0]}),
    (np.gradient, (X,), {}), (np.gradient, (X, 2.0, 0.5), {"wrt": [0]}),
    (np.gradient, (X,), {"axis": 1}), (np.gradient, (X, UNEVEN[:4]), {"axis": -1, "wrt": [0]}),
    (np.gradient, (C,), {"axis": (0, 2)}), (np.gradient, (V.astype(np.float32),), {}),
    (np.gradient, (V + 1j * draw(5),), {}), (np.gradient, (X[::-1, ::2], 0.3), {"wrt": [0]}),
    (np.unwrap, (ANGLES,), {}), (np.unwrap, (ANGLES.reshape(2, 3), None, 0), {}),
    (np.unwrap, (ANGLES, 4.0), {"period": 5.0, "wrt": [0]}),
    (np.unwrap, (ANGLES.astype(np.float32),), {}),
    (np.partition, (V, 2), {}), (np.partition, (MIXED, 1), {}),
    (np.partition, (MIXED, (0, 2), 0), {}),
    (np.partition, (MIXED, 5, None), {}), (np.partition, (V[::-2], 1), {}),
    (np.partition, (V.astype(np.float32), 0), {}),
    (np.sort_complex, (V,), {}), (np.sort_complex, (V + 1j * draw(5),), {}),
    (np.sort_complex, (X,), {}),
    (np.linspace, (0.5, 2.0, 5), {"axis": -1}), (np.linspace, (draw(3), 2.0, 4), {"axis": 1}),
    (np.linspace, (draw(3), draw(2, 3), 4), {"axis": -1}),
    (np.linspace, (0.5, 2.0, 5), {"dtype": float}),
    (np.geomspace, (0.5, 20.0), {}), (np.geomspace, (0.5, 20.0, 5, False), {}),
    (np.geomspace, (-0.5, -20.0, 5), {}), (np.geomspace, (draw(3), 20.0, 4), {}),
    (np.geomspace, (draw(3), 20.0, 4), {"axis": -1}), (np.geomspace, (1.0 + 1j, 2.0j, 4), {}),
    (np.geomspace, ([0.5, 2.0], [3.0, 4.0], 5), {}),
    (np.logspace, (0.5, 1.5), {}), (np.logspace, (0.5, 1.5, 5, False), {}),
    (np.logspace, (0.5, 1.5, 5), {"base": 2.0, "wrt": [0, 1, "base"]}),
    (np.logspace, (draw(3), 1.5, 4), {"axis": -1}), (np.logspace, (draw(3), 1.5, 4, True, 3.0), {}),
    (np.kaiser, (6, 2.5), {}), (np.kaiser, (1, 2.5), {}), (np.kaiser, (7, 0.3), {}),
    (runtime_lines.kaiser_slope, (6, 2.5), {}), (runtime_lines.kaiser_slope, (6, 2.5, 2), {}),
    (np.full, (3, 2.0), {"order": "F"}), (np.full_like, (X, 2.0), {"shape": (2, 2), "wrt": [1]}),
    (np.nanprod, (HOLES,), {}), (np.nanprod, (HOLES, 0), {}), (np.nanprod, (V,), {}),
    (np.nanprod, (HOLES,), {"axis": (0, 1), "keepdims": True}),
    (np.nancumsum, (HOLES,), {}), (np.nancumsum, (HOLES, 1), {}), (np.nancumsum, (V,), {}),
    (np.nancumprod, (HOLES,), {}), (np.nancumprod, (HOLES, 0), {}), (np.nancumprod, (V,), {}),
    (np.nanvar, (HOLES,), {}), (np.nanvar, (HOLES, 0), {}), (np.nanvar, (V,), {"ddof": 1}),
    (np.nanvar, (HOLES,), {"axis": 1, "keepdims": True}), (np.nanvar, (V + 1j * draw(5),), {}),
    (np.nanstd, (HOLES,), {}), (np.nanstd, (HOLES, 0), {}), (np.nanstd, (V,), {"ddof": 1}),
    (np.nanstd, (HOLES.astype(np.float32), 1), {}),
    (np.add.reduce, (V,), {}), (np.add.reduce, (X,), {}), (np.add.reduce, (X, 1), {}),
    (np.add.reduce, (C, (0, 2)), {}), (np.add.reduce, (X, None), {}),
    (np.add.reduce, (X,), {"axis": -1, "keepdims": True}), (np.add.reduce, (X.T,), {}),
    (np.multiply.reduce, (X,), {}), (np.multiply.reduce, (X, None), {}),
    (np.multiply.reduce, (np.array([0.0, 2.0, 0.0]),), {}),
    (np.maximum.reduce, (MIXED,), {}), (np.minimum.reduce, (MIXED, 1), {}),
    (np.fmax.reduce, (MIXED, None), {}), (np.fmin.reduce, (MIXED,), {"keepdims": True}),
    (np.logaddexp.reduce, (X,), {}), (np.logaddexp.reduce, (X, None), {}),
    (np.add.accumulate, (X,), {}), (np.add.accumulate, (X, 1), {}),
    (np.multiply.accumulate, (X,), {}), (np.multiply.accumulate, (X, 1), {}),
    (np.maximum.accumulate, (MIXED,), {}), (np.maximum.accumulate, (MIXED, 1), {}),
    (np.minimum.accumulate, (MIXED.ravel(),), {}), (np.maximum.accumulate, (C, -1), {}),
    (np.add.reduceat, (V, [0, 2]), {}), (np.add.reduceat, (V, [0, 3, 1, 1]), {}),
    (np.add.reduceat, (X, [0, 2], 1), {}), (np.add.reduceat, (X, np.array([1, 0])), {}),
    (runtime_steps.gradient_again, (V, (UNEVEN,)), {"wrt": [0]}),
]
if hasattr(np, "cumulative_sum"):
    CASES += [
        (np.cumulative_sum, (V,), {}), (np.cumulative_sum, (X,), {"axis": 1}),
        (np.cumulative_sum, (X,), {"axis": -1, "include_initial": True}),
        (np.cumulative_sum, (V,), {"include_initial": True}),
        (np.cumulative_prod, (V,), {}), (np.cumulative_prod, (X,), {"axis": 0}),
        (np.cumulative_prod, (X,), {"axis": 1, "include_initial": True}),
        (np.cumulative_prod, (V,), {"include_initial": True}),
    ]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_case(fun, args, options):
    check(fun, *args, **options)


def three_axes(u, h, x):
    planes = np.gradient(u, h, x, 2.0, edge_order=2)
    return sum(np.sum(np.sin(plane)) for plane in planes)


def chosen_axes(u, h):
    rows, columns = np.gradient(u, h, h * h, axis=(1, 0))
    return np.sum(rows ** 2 * columns)


@pytest.mark.parametrize("function, args", [
    (lambda y, x: np.sum(np.sin(np.gradient(y, x))), (V, UNEVEN)),
    (lambda y, x: np.sum(np.sin(np.gradient(y, x, edge_order=2))), (V, UNEVEN)),
    (lambda y, x: np.sum(np.gradient(y, x) ** 2), (V, np.arange(5.0))),
    (lambda y, x: np.sum(np.gradient(y, x) ** 2), (V[:2], UNEVEN[:2])),
    (lambda y, x: np.sum(np.gradient(y, x, edge_order=2) ** 2), (V[:3], UNEVEN[:3])),
    (lambda u, x: np.sum(np.gradient(u, x, axis=-1) ** 3), (X, UNEVEN[:4])),
    (lambda u, h: np.sum(np.gradient(u, h)[0] * np.gradient(u, h)[1] ** 2), (X, 0.3)),
    (chosen_axes, (X, 0.6)), (three_axes, (draw(3, 5, 3), 0.4, UNEVEN))])
def test_spacings_that_vary(function, args):
    tl.check_grads(function, args, order=1)


def test_second_derivatives_with_spacings_that_vary():
    def f(y, h):
        return np.sum(np.gradient(y, h) ** 2)
    np.testing.assert_allclose(tl.hessian(f)(V, 0.5), 4.0 * tl.hessian(f)(V, 1.0))
    with pytest.raises(tl.MissingRuleError, match="spacings of np.gradient as constant"):
        tl.hessian(f, wrt="h")(V, 0.5)


def flow(u):
    rows, columns = np.gradient(u * u, 0.5)
    return np.sum(rows ** 2 * columns)


def sums(x):
    total = 0.0
    for k in range(3):
        total = total + np.add.reduce(x[k] * x, None) * np.maximum.accumulate(x, axis=1)[k, -1]
    return total


FUNCTIONS = [
    (lambda x: np.sum(np.gradient(x * x, UNEVEN) ** 2), (V,)), (flow, (X,)),
    (lambda x: np.sum(np.unwrap(x * x) ** 2), (ANGLES,)),
    (lambda x: np.partition(x * x, 2)[0] ** 2, (V,)),
    (lambda x: np.sum(np.real(np.sort_complex(x * x)) ** 2 * x), (V,)),
    (lambda a, b: np.sum(np.geomspace(a * a, b, 4) ** 2), (0.5, 2.0)),
    (lambda a, b, c: np.sum(np.logspace(a * a, b, 4, base=c) ** 2), (0.5, 1.2, 2.0)),
    (lambda b: np.sum(np.kaiser(6, b * b) ** 2), (1.3,)),
    (lambda x: np.nanprod(x * x) + np.nanvar(x) ** 2 + np.nanstd(x) * np.nancumsum(x)[2]
     + np.nancumprod(x)[3] ** 2, (V,)),
    (sums, (X,)), (lambda x: np.sum(np.multiply.outer(x, x * x) ** 2), (V,)),
    (lambda x, y: np.sum(np.subtract.outer(x, y) ** 3), (X, V)),
    (lambda x: np.logaddexp.reduce(x * x) ** 2, (V,)),
    (lambda x: np.sum(np.add.reduceat(x * x, [0, 3, 1]) ** 2), (V,)),
    (lambda x: np.sum(np.multiply.accumulate(x) ** 2) + np.multiply.reduce(x * x), (V,)),
]
if hasattr(np, "cumulative_sum"):
    FUNCTIONS.append((lambda x: np.sum(np.cumulative_sum(x * x, include_initial=True)
                                       * np.cumulative_prod(x, include_initial=True)), (V,)))


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.sweep(5)
def test_second_order(number):
    function, args = FUNCTIONS[number]
    tl.check_grads(function, args, order=2, modes=("fwd", "rev"))


def test_methods_of_ufuncs_that_have_no_rule():
    for function in (lambda x: np.subtract.reduce(x), lambda x: np.sum(np.power.accumulate(x)),
                     lambda x: np.sum(np.subtract.reduceat(x, [0, 2]))):
        with pytest.raises(tl.MissingRuleError, match="is not differentiated: .*sum"):
            tl.grad(function)(V)


def test_second_derivatives_beside_a_table():
    """What stands beside it, the points and the values vary all at once."""
    def f(u):
        return np.sum(np.interp(X * u[0], TABLE * u[1], TABLE ** 2 * u[2], left=u[3] ** 2,
                                right=u[4]) ** 3)
    X, TABLE = np.array([-2.0, 0.1, 0.7, 2.2, 5.0]), np.array([-0.5, 0.6, 1.5, 2.5])
    tl.check_grads(f, (np.array([1.0, 1.1, 0.9, 0.7, 1.2]),))
