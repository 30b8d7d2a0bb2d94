"""Objects of any class, compiled: hidden names, members of an Enum, gradients of their class."""
import enum

import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")


class Plain:
    """An object that is no dataclass."""

    def __init__(self, k, inner=None):
        self.k = k
        if inner is not None:
            self.inner = inner


def test_gradient_of_a_plain_object():
    def f(s, x):
        return s.k * x

    found, bx = tl.grad(f, wrt=(0, 1), backend="numba")(Plain(2.0), 3.0)
    assert type(found) is Plain and vars(found) == {"k": 3.0} and bx == 2.0


def test_gradient_of_a_plain_object_in_another():
    def f(s, x):
        return s.k * s.inner.k * x

    found, bx = tl.grad(f, wrt=(0, 1), backend="numba")(Plain(2.0, Plain(5.0)), 3.0)
    assert found.k == 15.0 and vars(found.inner) == {"k": 6.0} and bx == 10.0


class Mode(enum.Enum):
    LINEAR = 1
    SCALED = 2


class Model:
    def __init__(self, w, mode=Mode.LINEAR):
        self.w, self.mode, self._hidden, self.parts = w, mode, 3.0, np.array([0.5, -1.0, 2.0])

    def energy(self, x):
        return self._scaled(x) * self.w

    def _scaled(self, x):
        return np.sum(self._hidden * self._hidden * self.parts * x)


def by_mode(model, x):
    if model.mode is Mode.LINEAR:
        return model.w * np.sum(x * model.parts)
    return model._hidden ** 2 * np.sum(x * x) * model.w


def of_hidden_keys(models, x):
    total = 0.0
    for model in models:
        total += model["_w"] * np.sum(model["_in"]["_parts"] * x)
    return total


def test_names_with_an_underscore_and_members_of_an_enum():
    d, x = tl.value_and_grad(by_mode, wrt=(0, 1), backend="numba"), np.array([1.0, 2.0, 3.0])
    for w in (2.0, 5.0):
        for mode in Mode:
            model = Model(w, mode)
            value, (bmodel, bx) = d(model, x)
            assert value == by_mode(model, x) and type(bmodel) is Model and bmodel.mode is None
            linear = mode is Mode.LINEAR
            np.testing.assert_allclose(bx, w * model.parts if linear else 18.0 * w * x)
            assert bmodel.w == pytest.approx(np.sum(x * model.parts) if linear else 126.0)
            assert bmodel._hidden == pytest.approx(0.0 if linear else 84.0 * w)
    slope = tl.grad(Model(2.0).energy, wrt="self._hidden", backend="numba")(x)
    assert slope == pytest.approx(2.0 * 2.0 * 3.0 * np.sum(Model(2.0).parts * x))


def of_models(models, x):
    total = 0.0
    for model in models:
        total += model.w * model._hidden * np.sum(model.parts * x)
    return total


def test_a_list_of_objects_with_members_of_an_enum():
    models, x = [Model(1.0), Model(2.0, Mode.SCALED)], np.ones(3)
    found = tl.grad(of_models, backend="numba")(models, x)
    assert [one.w for one in found] == [4.5, 4.5]
    assert [one._hidden for one in found] == [1.5, 3.0]
    assert [one.mode for one in found] == [None, None]


def test_keys_with_an_underscore():
    models, x = [{"_w": w, "_in": {"_parts": np.ones(3) * w}} for w in (1.0, 2.0)], np.ones(3)
    found = tl.grad(of_hidden_keys, backend="numba")(models, x)
    for model, one in zip(models, found):
        assert one["_w"] == 3.0 * model["_w"]
        np.testing.assert_array_equal(one["_in"]["_parts"], model["_w"] * x)
