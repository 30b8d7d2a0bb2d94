"""Rules of functions that take parts out, put parts in, choose among arrays, make grids."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import grids as runtime_grids
from tangent_lite.runtime import places as runtime_places
from tests.rules.support import check

rng = np.random.default_rng(5)


def draw(*shape):
    return rng.uniform(-1.5, 1.5, shape)


X, C, V = draw(2, 3), draw(2, 3, 4), draw(4)
APART = np.array([0.4, -1.0, 1.2, 0.1, -0.3, 0.8])
TIES = np.array([0.0, 0.5, 0.0, -0.7, 0.0, 0.0])

CASES = [
    (np.delete, (V, 1), {}), (np.delete, (V, [0, -1]), {}), (np.delete, (X, 1), {}),
    (np.delete, (X, 1, 1), {}), (np.delete, (C, [0, 0], -1), {}), (np.delete, (V, slice(1, 3)), {}),
    (np.delete, (V, np.array([True, False, True, False])), {}), (np.delete, (draw(1), 0), {}),
    (np.delete, (X.T, 0), {"axis": 0}),
    (np.compress, ([True, False, True], V), {}), (np.compress, ([0, 1], X, 0), {}),
    (np.compress, ([0, 1, 1], X), {"axis": 1}), (np.compress, ([False], V), {}),
    (np.ndarray.compress, (X, [0, 1], 0), {}), (np.ndarray.compress, (V, [1, 0, 1]), {}),
    (np.extract, (X > 0.0, X), {"wrt": [1]}), (np.extract, ([1, 0, 0, 1], V), {}),
    (np.trim_zeros, (TIES,), {"compare": lambda x: x[1:4]}),
    (np.trim_zeros, (TIES, "f"), {"compare": lambda x, trim: x[1:]}),
    (np.trim_zeros, (TIES, "b"), {"compare": lambda x, trim: x[:4]}),
    (np.trim_zeros, (np.zeros(3),), {"compare": lambda x: x[:0]}), (np.trim_zeros, (V,), {}),
    (np.ediff1d, (V,), {}), (np.ediff1d, (X,), {}), (np.ediff1d, (V, 2.0, 1.0), {}),
    (np.ediff1d, (V,), {"to_begin": draw(2)}), (np.ediff1d, (V, draw(2, 2)), {}),
    (np.ediff1d, (draw(1),), {}), (np.ediff1d, (draw(0),), {}),
    (np.ediff1d, (draw(1), 1.0), {"wrt": [0]}),
    (np.unique, (V,), {}), (np.unique, (APART.reshape(2, 3),), {}), (np.unique, (draw(0),), {}),
    (np.union1d, (APART[:4], APART[4:]), {}),
    (np.union1d, (APART, draw(0)), {}), (np.setxor1d, (APART[:2], APART[2:]), {}),
    (np.setdiff1d, (APART, draw(3)), {}), (np.setdiff1d, (APART, draw(3), True), {}),
    (np.insert, (V, 1, 2.0), {}), (np.insert, (V, [0, 3], draw(2)), {}),
    (np.insert, (X, 1, draw(3), 0), {}), (np.insert, (X, 1, 0.5), {}),
    (np.insert, (X, [0, 2], draw(2, 2)), {"axis": 1}), (np.insert, (X, 1, draw(2)), {"axis": 1}),
    (np.insert, (V, slice(0, 2), draw(2)), {}), (np.insert, (V, [1, 1], draw(2)), {}),
    (runtime_places.joined_rows, (V, 1.0, X[0]), {}), (runtime_places.joined_rows, (2.0,), {}),
    (runtime_places.joined_rows, (V, slice(0, 3), 1.5), {}),
    (runtime_places.joined_rows, (X, draw(1, 3)), {}),
    (runtime_places.joined_rows, ("0,2", V, V), {}),
    (runtime_places.joined_columns, (V, draw(4)), {}),
    (runtime_places.joined_columns, (X, draw(2)), {}),
    (runtime_places.joined_columns, (V, slice(0, 4)), {}),
    (np.block, ([V, V],), {}), (np.dsplit, (C, 2), {}), (np.dsplit, (C, [1]), {}),
    (np.rollaxis, (C, 2), {}), (np.rollaxis, (C, 1, 3), {}), (np.rollaxis, (C, -1, 1), {}),
    (np.rollaxis, (C, 0, -1), {}), (np.diagflat, (V,), {}), (np.diagflat, (X, 1), {}),
    (np.diagflat, (V, -2), {}), (np.diagflat, (2.0,), {}),
    (np.meshgrid, (V, draw(3)), {}), (np.meshgrid, (V, draw(3), draw(2)), {}),
    (np.meshgrid, (V, draw(3)), {"indexing": "ij"}), (np.meshgrid, (V, draw(3)), {"sparse": True}),
    (np.meshgrid, (V,), {}), (np.meshgrid, (2.0, V), {}),
    (np.ix_, (V,), {}), (np.ix_, (V, draw(3)), {}), (np.ix_, (V, draw(3), draw(2)), {}),
    (np.ix_, (V, np.array([0, 2])), {}), (np.ix_, (V, np.array([True, False, True])), {}),
    (runtime_grids.open_grid_tangent, ((V, draw(3)), np.ix_(V, draw(3))), {"wrt": [0]}),
    (np.select, ([V > 0.5, V > 0.0], [draw(4), draw(4)]), {"wrt": [1]}),
    (np.select, ([V > 0.5, V > 0.0], [2.0, draw(4)], 0.3), {"wrt": [1, 2]}),
    (np.select, ([X > 0.0], [draw(3)], 1.0), {"wrt": [1, 2]}),
    (np.choose, ([0, 1, 1], [draw(3), draw(3)]), {}), (np.choose, (1, [draw(3), 2.0]), {}),
    (np.choose, ([0, 4, -1], [draw(3), draw(3)]), {"mode": "wrap"}),
    (np.choose, ([0, 4, -1], [draw(3), 1.5]), {"mode": "clip"}),
    (np.choose, ([[0, 1, 1]], X), {}), (np.ndarray.choose, (np.array([0, 1, 0]), X), {}),
    (runtime_places.gathered, (X, [0, -1, 5, 5]), {}),
    (runtime_places.gathered, (2.0, [0, -1]), {}),
    (runtime_places.gathered_back, (V, [0, -1, 1, 1], X), {}),
    (runtime_places.joined_tangent, ((V, X[0]), (V, X[0]), "r"), {"wrt": [0]}),
    (runtime_places.ediff1d_adjoint, (draw(4), V, 1.0), {"wrt": [0]}),
    (runtime_places.ediff1d_inner, (V, 1.0, None), {"wrt": [0]}),
    (runtime_places.end_part, (V, draw(2), True), {}),
    (runtime_places.end_part, (V, 1.0, False), {}),
    (runtime_places.end_tangent, (draw(2), draw(2), V, True), {}),
    (runtime_places.picked_part, (draw(2), np.array([3, 4]), 2, draw(3)), {}),
    (runtime_places.picked_tangent, (draw(3), np.array([3, 4, 0]), 2, draw(3)), {}),
    (runtime_places.inserted_part, (V, [0, -1, -1, 0], 1.5, X), {}),
    (runtime_places.inserted_tangent, (1.5, [0, -1, -1, 0], 1.5, X), {}),
    (runtime_places.chosen_tangent, ([V, 1.5], [V > 0, V <= 0], V), {"wrt": [0]}),
    (runtime_grids.grid_part, (draw(3, 4), 0, V), {}), (runtime_grids.grid_part, (draw(3, 4), 1,
                                                                                  draw(3)), {}),
    (runtime_grids.grid_spread, (V, 0, draw(3, 4)), {}),
    (runtime_grids.unrollaxis, (C, 2), {}), (runtime_grids.unrollaxis, (C, 0, 3), {}),
]
if hasattr(np, "unstack"):
    CASES += [(np.unstack, (X,), {}), (np.unstack, (C,), {"axis": 1}), (np.unique_values, (V,), {})]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_case(fun, args, options):
    check(fun, *args, **options)


@pytest.mark.parametrize("fun, args", [
    (np.delete, (0,)), (np.insert, (0, 2.0)), (np.compress, ()), (np.ediff1d, ()),
    (np.diagflat, ()),
    (np.unique, ()), (np.rollaxis, (0,)), (np.meshgrid, ())])
def test_variants(fun, args):
    arrays = [draw(4)[::-1], draw(8)[::2], draw(1), draw(4).astype(np.float32)]
    if fun is not np.delete:
        arrays.append(draw(0))
    for x in arrays:
        if fun is np.compress:
            check(fun, [True] * x.size, x)
        else:
            check(fun, x, *args)
    if fun not in (np.unique, np.compress):
        check(fun, draw(3) + 1j * draw(3), *args)


def grid(x):
    a, b = np.meshgrid(x, x * x)
    return np.sum(a * b * b)


def spread(x, y):
    a, b = np.broadcast_arrays(x, y[:, None])
    return np.sum(a * b * b)


def rows_without_one(x):
    total = 0.0
    for k in range(3):
        total = total + np.sum(np.delete(x, k) ** 3) * np.sum(np.r_[x[k], x] ** 2)
    return total


W = draw(3)
FUNCTIONS = [
    (lambda x: np.sum(np.r_[x, 1.0, x[:2] * 2.0, 0:3] ** 3), (W,)),
    (lambda x: np.sum(np.c_[x, x * x] ** 3), (W,)),
    (lambda x: np.sum(np.r_["0,2", x, x * x] ** 3 * x), (W,)),
    (lambda x: np.sum(np.delete(x * x, 1) ** 2), (W,)),
    (lambda x: np.sum(np.insert(x * x, [1], x[0] * 2.0) ** 2), (W,)),
    (lambda x: np.sum(np.block([[x, x * x], [np.ones(3), x]]) ** 3), (W,)),
    (lambda x: np.sum(np.block([x, 2.0, x * x]) ** 3), (W,)),
    (grid, (W,)), (spread, (W, V)), (rows_without_one, (W,)),
    (lambda x: np.sum(np.select([x > 0.2, x > -0.1], [x * x, x ** 3], x) ** 2), (W,)),
    (lambda x: np.sum(np.choose([0, 1, 0], [x, x * x]) ** 2), (W,)),
    (lambda x: np.sum(np.unique(x * x) ** 2 * x), (np.array([0.3, 0.9, -1.4]),)),
    (lambda x: np.sum(np.union1d(x, x * x + 7.0) ** 3), (np.array([0.3, 0.9, -1.4]),)),
    (lambda x: np.sum((x * x).compress([1, 0, 1]) ** 2), (W,)),
    (lambda x: np.sum(np.ediff1d(x * x, x[0], x[1]) ** 3), (W,)),
    (lambda x: np.sum(np.rollaxis(x * x, 1) @ x), (X,)),
    (lambda x: np.sum(np.trim_zeros(np.concatenate([np.zeros(2), x])) ** 3), (W,)),
    (lambda x: np.sum(np.diagflat(x * x) ** 2), (W,)),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.sweep(5)
def test_second_order(number):
    function, args = FUNCTIONS[number]
    tl.check_grads(function, args, order=2, modes=("fwd", "rev"))
    assert tl.value_and_grad(function)(*args)[0] == function(*args)


def test_a_list_of_lists_made_before():
    def made(x):
        rows = [[x, x * x], [x ** 3, x]]
        return np.sum(np.block(rows) ** 2)
    tl.check_grads(made, (W,), order=1, modes=("fwd", "rev"))


# Keys that vary -----------------------------------------------------------------------------------
class Scaled:
    def __init__(self):
        self.scale = 2.0

    def __getitem__(self, key):
        return key[0] * self.scale if isinstance(key, tuple) else key * self.scale


class Bare:
    def __getitem__(self, key):
        return key.start if isinstance(key, slice) else 3.0 * key


scaled, bare = Scaled(), Bare()


def made_inside(x):
    return Scaled()[x, 1.0]


@pytest.mark.parametrize("function, slope", [
    (lambda x: scaled[x, 1.0], 2.0), (lambda x: scaled[x * x], 12.0), (lambda x: scaled[x], 2.0),
    (lambda x: bare[x], 3.0), (lambda x: bare[x:], 1.0), (made_inside, 2.0),
    (lambda x: np.sum(np.r_[x:9.0:4j]), 2.0),
])
def test_what_an_object_gives_for_a_key_is_no_constant(function, slope):
    for derivative in (tl.grad(function), lambda x: tl.jvp(function, (x,), (1.0,))[1]):
        try:
            assert derivative(3.0) == slope
        except tl.TangentError:
            pass                            # refused, which is as good


def of_a_tuple(x, y):
    parts = (x, y * y)
    return np.r_[parts]


def of_a_list_made_a_tuple(x, y):
    parts = []
    for k in range(2):
        parts.append(x * k)
    parts.append(y)
    return np.r_[tuple(parts)] * np.r_[tuple([x, y, x])]


def of_starred(x, y):
    return np.c_[(x, *[y * k for k in range(2)])]


def of_one_or_two(x, y):
    parts = x if x[0] > 0.0 else (x, y)
    return np.r_[parts] * 2.0


def from_a_dict(x, y):
    kept = {}
    for name in ("a", "b"):
        kept[name] = (x, y) if name == "a" else x
    return np.r_[kept["a"]] * np.r_[kept["b"], y]


@pytest.mark.parametrize("f", [of_a_tuple, of_a_list_made_a_tuple, of_starred, of_one_or_two,
                               from_a_dict], ids=lambda f: f.__name__)
def test_a_tuple_with_a_name_is_several_parts(f):
    for x in (draw(2) + 2.0, draw(2) - 2.0):
        y = draw(2)
        assert np.array_equal(tl.vjp(f, x, y)[0], f(x, y))
        assert np.array_equal(tl.jvp(f, (x, y), (x, y))[0], f(x, y))
        tl.check_grads(f, (x, y), order=1)


@pytest.mark.parametrize("given", [[V[:2], V[2:]], (V[:2], V[2:]), [1.0, 2.0], (1.0, 2.0)])
def test_parts_that_are_given_as_one(given):
    for f in (lambda parts: np.r_[parts] * 2.0, lambda parts: np.r_[tuple(parts)] * 2.0):
        value, pullback = tl.vjp(f, given)
        assert np.array_equal(value, f(given))
        found, = pullback(np.ones_like(value))
        assert all(np.array_equal(part, np.full(np.shape(part), 2.0)) for part in found)
