"""Pullbacks belong to the run that gave the value, whatever names mean afterwards."""
import contextlib
from types import SimpleNamespace

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

SCALE = 2.0


def scaled(x):
    return SCALE * x * x


def helped(x):
    return scaled(x) * x


@pytest.fixture
def scale(monkeypatch):
    return lambda value: monkeypatch.setitem(globals(), "SCALE", value)


@pytest.mark.parametrize("f", [scaled, helped])
def test_globals(f, scale):
    _, pullback = tl.vjp(f, 3.0)
    _, along = tl.linearize(f, 3.0)
    before = pullback(1.0)
    scale(2.0)                                  # another object that is equal
    assert pullback(1.0) == before and along(1.0) == before[0]
    scale(5.0)
    with pytest.raises(tl.TangentError, match="SCALE, which .* reads, was bound anew"):
        pullback(1.0)
    if f is scaled:                             # what helpers read shows in the pullback alone
        with pytest.raises(tl.TangentError, match="SCALE"):
            along(1.0)
    scale(2.0)
    assert pullback(1.0) == before


def test_variables_around():
    weight = np.array([1.0, 2.0])
    _, pullback = tl.vjp(lambda v: np.sum(v ** 2 * weight), np.ones(2))
    np.testing.assert_array_equal(pullback(1.0)[0], 2.0 * weight)
    weight = weight - 0.5
    with pytest.raises(tl.TangentError, match="weight, which <lambda> reads"):
        pullback(1.0)


def test_what_is_not_read_on_the_way_back_may_change():
    start = 1.0
    _, pullback = tl.vjp(lambda v: v * v + start, 3.0)
    start = 2.0
    assert pullback(1.0) == (6.0,) and start == 2.0


def outside():
    return {"WEIGHTS": np.array([1.0, 2.0, 3.0]),
            "TABLES": {"rows": [np.array([1.0, 2.0, 3.0]), np.ones(3)], "mass": 2.0},
            "MODEL": SimpleNamespace(w=np.array([1.0, 2.0, 3.0]), rate=2.0, more={"bias": 0.5})}


WEIGHTS, TABLES, MODEL = outside().values()


def by_a_global(x):
    return np.sum(WEIGHTS * x * x)


def by_a_list(x):
    return np.sum(TABLES["rows"][0] * x * x) * TABLES["mass"]


def by_attributes(x):
    return np.sum(np.sin(MODEL.w * x)) * MODEL.rate + MODEL.more["bias"] * np.sum(x * x)


def by_items(x):
    for row in TABLES["rows"]:
        x = np.sin(x * row)
    return np.sum(x)


def by_a_helper(x):
    return by_a_global(x) ** 2


def by_identity_alone(x):
    parts = [x, x * x]
    again = parts
    again[0] = x * WEIGHTS
    return np.sum(parts[0] * again[1])


def add_to(array):
    array[1] += 4.0


def renew(holder, name):
    holder[name] = holder[name] * 3.0


CHANGES = [
    (by_a_global, lambda: add_to(WEIGHTS)), (by_a_helper, lambda: add_to(WEIGHTS)),
    (by_identity_alone, lambda: add_to(WEIGHTS)), (by_a_list, lambda: add_to(TABLES["rows"][0])),
    (by_a_list, lambda: renew(TABLES["rows"], 0)), (by_a_list, lambda: renew(TABLES, "mass")),
    (by_attributes, lambda: add_to(MODEL.w)), (by_attributes, lambda: renew(vars(MODEL), "rate")),
    (by_attributes, lambda: renew(vars(MODEL), "w")),
    (by_attributes, lambda: renew(MODEL.more, "bias")),
    (by_items, lambda: add_to(TABLES["rows"][1])), (by_items, lambda: renew(TABLES["rows"], 0)),
    (by_items, lambda: TABLES["rows"].append(np.ones(3))),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
@pytest.mark.parametrize("forced", [False, True])
def test_what_is_read_outside_changes(number, forced, monkeypatch):
    """A pullback is that of the function that gave the value, or refused."""
    f, change = CHANGES[number]
    for name, value in outside().items():
        monkeypatch.setitem(globals(), name, value)
    x = np.array([0.3, 0.5, 0.7])
    with by_identity() if forced else contextlib.nullcontext():
        wanted = tl.grad(f)(x)
        _, pullback = tl.vjp(f, x)
        _, along = tl.linearize(f, x)
        np.testing.assert_allclose(pullback(1.0)[0], wanted)
        np.testing.assert_allclose(along(np.ones(3)), np.sum(wanted))
        change()
        for call, expected in ((lambda: pullback(1.0)[0], wanted),
                               (lambda: along(np.ones(3)), np.sum(wanted))):
            try:
                found = call()
            except tl.TangentError as error:
                assert "since the value was computed" in str(error)
            else:
                np.testing.assert_allclose(found, expected)
        np.testing.assert_allclose(tl.grad(f)(x), [
            (f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)], rtol=1e-6)


class Layer:
    def __init__(self):
        self.w = np.array([1.0, 2.0, 3.0])

    def __call__(self, x):
        return np.sin(self.w * x)


@pytest.mark.parametrize("forced", [False, True])
def test_objects_that_are_called(forced):
    layer, x = Layer(), np.array([0.3, 0.5, 0.7])
    with by_identity() if forced else contextlib.nullcontext():
        _, pullback = tl.vjp(lambda v: np.sum(layer(v)), x)
        slope = layer.w * np.cos(layer.w * x)
        np.testing.assert_allclose(pullback(1.0)[0], slope)
        layer.w[0] = 5.0
        if forced:
            with pytest.raises(tl.TangentError, match="layer.* was changed since"):
                pullback(1.0)
        else:                           # the weights are what the forward half has kept of them
            np.testing.assert_allclose(pullback(1.0)[0], slope)


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(np.array([[1.0, 2.0], [0.0, 3.0]]))
    _, pullback = tl.vjp(lambda v: np.sum((matrix @ v) ** 2), np.ones(2))
    np.testing.assert_allclose(pullback(1.0)[0], [6.0, 30.0])
    matrix.data[0] = 50.0
    with pytest.raises(tl.TangentError, match="matrix, which .* was changed"):
        pullback(1.0)


def test_is_told():
    array = np.ones(3)
    _, pullback = tl.vjp(lambda v: np.sum(v * v * array), np.ones(3))
    array[0] = 2.0
    with pytest.raises(tl.TangentError, match="array, which <lambda> reads, was changed since"):
        pullback(1.0)
    array[0] = 1.0
    np.testing.assert_array_equal(pullback(1.0)[0], np.full(3, 2.0))
    array = np.full(3, np.nan)
    _, pullback = tl.vjp(lambda v: np.sum(v * v * array), np.ones(3))
    assert np.all(np.isnan(pullback(1.0)[0]))


def test_what_nobody_may_write_into_is_not_copied():
    array = np.ones(3)
    frozen = array.view()
    frozen.flags.writeable = False
    _, pullback = tl.vjp(lambda v: np.sum(v * v * frozen), np.ones(3))
    array[0] = 5.0                              # it may be changed by another name
    with pytest.raises(tl.TangentError, match="frozen"):
        pullback(1.0)
    array.flags.writeable = False
    held = tl.vjp(lambda v: np.sum(v * v * array), np.ones(3))[1]._then.contents
    assert held == [("array", array, array)] and held[0][2] is array


def test_other_parts_may_change():
    model = {"w": np.ones(3), "log": []}
    _, pullback = tl.vjp(lambda v: np.sum(np.sin(model["w"] * v)), np.ones(3))
    model["log"].append(1.0)
    model["more"] = 2.0
    np.testing.assert_allclose(pullback(1.0)[0], np.cos(1.0))


def test_structures_of_arguments_and_values():
    """The adjoint is that of what was given, whatever has become of it."""
    def f(p, xs):
        return {"a": np.sum(p["w"] ** 2) * xs[0], "b": xs[1]}
    p, xs = {"w": np.array([1.0, 2.0])}, [3.0, 4.0]
    y, pullback = tl.vjp(f, p, xs)
    p["new"], p["w"][0] = 1.0, 9.0
    xs.append(1.0)
    del y["b"]
    found, of_list = pullback({"a": 1.0, "b": 2.0})
    np.testing.assert_array_equal(found["w"], [6.0, 12.0])
    assert list(found) == ["w"] and of_list == [5.0, 2.0]


class Cell:
    rate = 2.0
    weights = np.array([2.0, 3.0])

    def __call__(self, x):
        return np.sum(x * x * self.weights) * self.rate


def weighed(x, weights=np.array([2.0, 3.0])):
    return np.sum(x * x * weights)


@pytest.mark.parametrize("function, slope, change", [
    (lambda x: Cell()(x), [8.0, 12.0], lambda: Cell.weights.fill(100.0)),
    (lambda x: Cell()(x), [8.0, 12.0], lambda: setattr(Cell, "rate", 7.0)),
    (lambda x: np.sum(x ** 2) * Cell.rate, [4.0, 4.0], lambda: setattr(Cell, "rate", 7.0)),
    (lambda x: weighed(x), [4.0, 6.0], lambda: weighed.__defaults__[0].fill(100.0)),
], ids=["array of a class", "number of a class", "of a class itself", "default"])
def test_what_classes_and_defaults_hold(function, slope, change):
    """The gradient is that of the function that gave the value, or there is none."""
    then = Cell.rate, Cell.weights.copy(), weighed.__defaults__[0].copy()
    try:
        _, pullback = tl.vjp(function, np.ones(2))
        change()
        try:
            found, = pullback(1.0)
        except tl.TangentError as error:
            assert "since the value was computed" in str(error)
        else:
            np.testing.assert_allclose(found, slope)
    finally:
        Cell.rate, Cell.weights[:], weighed.__defaults__[0][:] = then


def test_a_set_that_grows():
    chosen = {0}

    def function(x):
        total = 0.0
        for i in range(2):
            if i in chosen:
                total = total + x[i] ** 2
        return total

    _, pullback = tl.vjp(function, np.ones(2))
    np.testing.assert_allclose(pullback(1.0)[0], [2.0, 0.0])
    chosen.add(1)
    with pytest.raises(tl.TangentError, match="chosen.* was changed since"):
        pullback(1.0)
