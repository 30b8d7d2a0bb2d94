"""Lists of objects of several classes that a function is given, or finds outside.

The reference are central differences over what the objects hold.
"""
from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tangent_lite as tl
from tests.expansion.several_classes import (
    BODIES,
    FORCES,
    NAMED,
    NET,
    SHAPES,
    TERMS,
    Affine,
    Body,
    Box,
    Dense,
    Disc,
    Model,
    P,
    Scale,
    Square,
    Tanh,
    X,
    all_layers,
    areas,
    areas_as_array,
    bound_anew,
    by_a_helper,
    by_attributes,
    by_index,
    by_isinstance,
    by_match,
    by_type,
    called,
    flat,
    forward,
    from_outside,
    held_by_a_dict,
    held_by_a_model,
    in_a_closure,
    largest,
    left_early,
    masses,
    names_of_ours,
    numeric,
    of_parts,
    pairs,
    returned,
    tried,
    weighted,
    weighted_by_index,
    with_names,
    with_penalties,
    written_into,
)
from tests.heap.forced import by_names

CASES = [
    (with_names, (NAMED, X)),
    *((f, (TERMS, 1.3)) for f in (weighted, weighted_by_index)),
    *((f, (BODIES, 1.3)) for f in (masses, of_parts)),
    *((f, (NET, X)) for f in (
        forward, with_penalties, by_index, by_isinstance, by_type, by_attributes, by_match,
        by_a_helper, in_a_closure, tried, all_layers)),
    (held_by_a_model, (Model(NET), X)), (held_by_a_dict, ({"layers": NET, "scale": 0.5}, X)),
    (called, ([Affine(2.0, 1.0), Square(), Affine(0.5, 0.1)], 0.7)),
    *((f, (SHAPES, 1.3)) for f in (areas, areas_as_array, largest, left_early, returned, pairs,
                                   names_of_ours, bound_anew)),
    (written_into, (FORCES, P)), (from_outside, (X, 0.7))]


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda one: getattr(
    one, "__name__", ""))
def test_by_names(function, arguments):
    before = copy.deepcopy(arguments)
    with by_names():
        value, gradients = tl.value_and_grad(function, wrt=(0, 1))(*arguments)
    assert value == function(*before)
    for wrt, gradient in enumerate(gradients):
        np.testing.assert_allclose(flat(gradient), numeric(function, arguments, wrt), rtol=2e-5,
                                   atol=1e-6)
    value, pullback = tl.vjp(function, *arguments)
    for _ in range(2):
        np.testing.assert_allclose(flat([*pullback(1.0)]), flat([*gradients]), rtol=1e-12)
    assert flat([*arguments]).tolist() == flat([*before]).tolist()


def test_other_lists_of_the_same_classes():
    derivative = tl.grad(forward, wrt=1)
    for layers in (NET, NET[::-1][:1], NET[:2], [], [NET[3], NET[1], NET[0], NET[1], NET[2]]):
        np.testing.assert_allclose(flat(derivative(layers, X)), numeric(
            forward, (layers, X), 1), rtol=2e-5, atol=1e-6)


def test_a_subclass_is_a_class_of_its_own():
    class Twice(Dense):
        def forward(self, x):
            return 2.0 * super().forward(x)

    layers = [NET[0], Tanh(), Twice(NET[2].W, NET[2].b)]
    gradient = tl.grad(forward)(layers, X)
    assert type(gradient[2]) is Twice
    np.testing.assert_allclose(flat(gradient), numeric(forward, (layers, X), 0), rtol=2e-5,
                               atol=1e-6)


def test_one_class_with_other_attributes():
    layers: list[Any] = [Dense(np.eye(3), np.ones(3)), Dense(np.eye(3), 0.5), Tanh(), Tanh()]
    layers[3].note = 2.0
    np.testing.assert_allclose(flat(tl.grad(forward)(layers, X)), numeric(
        forward, (layers, X), 0), rtol=2e-5, atol=1e-6)


def test_one_object_in_several_places():
    """Each place has a gradient of its own, as of a list of arrays."""
    one = Scale(1.5)
    gradient = tl.grad(forward)([one, Tanh(), one], X)
    wanted = numeric(forward, ([Scale(1.5), Tanh(), Scale(1.5)], X), 0)
    np.testing.assert_allclose(flat(gradient), wanted, rtol=2e-5)


def test_lists_outside_may_change():
    layers: list[Any] = [Scale(2.0), Tanh()]

    def outside(x):
        for layer in layers:
            x = layer.forward(x)
        return np.sum(x)

    derivative, x = tl.grad(outside), np.full(2, 0.3)

    def check():
        np.testing.assert_allclose(derivative(x), numeric(outside, (x,), 0), rtol=2e-5)

    check()
    layers.append(Affine(3.0, 1.0))
    layers[2].forward = layers[2].__call__          # an attribute, which is a method
    check()
    layers.insert(0, Dense(0.7 * np.eye(2), 0.1))
    check()
    layers[2] = Scale(0.3)
    check()


def test_other_items_than_those_before():
    """The way in asks for the class of a part, once it knows that there is one."""
    for function, given in ((weighted, TERMS), (masses, BODIES)):
        derivative = tl.grad(function)
        derivative(given, 1.3)
        for others in ([1.0, 2.0], [(1.0,)], [Tanh()], [(SHAPES[0],)], "text", None, [None]):
            with pytest.raises((TypeError, AttributeError, ValueError, tl.TangentError)):
                derivative(others, 1.3)
        for others in (given[::-1], given[1:2], [*given, copy.deepcopy(given[0])]):
            np.testing.assert_allclose(flat(derivative(others, 1.3)), numeric(
                function, (others, 1.3), 0), rtol=2e-5, atol=1e-6)
    more = [*BODIES[:2], Body(Square(), 1.0)]
    with pytest.raises(AttributeError, match="area"):
        tl.grad(masses)(more, 1.3)


def test_what_a_class_says_may_change(monkeypatch):
    derivative = tl.grad(forward)
    derivative(NET, X)
    monkeypatch.setattr(Scale, "forward", lambda self, x: self.k * self.k * x)
    np.testing.assert_allclose(flat(derivative(NET, X)), numeric(forward, (NET, X), 0), rtol=2e-5,
                               atol=1e-6)


def test_sizes_are_assumed_of_items_of_their_class():
    """A parameter may have the name of the class."""
    def named_alike(layers, Dense):
        for layer in layers:
            Dense = layer.forward(Dense)
        return np.sum(Dense ** 2)

    derivative = tl.grad(named_alike)
    for b in (np.ones(3), np.ones(1), 0.5):
        layers = [Dense(np.eye(3), b), Tanh()]
        np.testing.assert_allclose(flat(derivative(layers, X)), numeric(
            named_alike, (layers, X), 0), rtol=2e-5, atol=1e-6)


def test_text():
    """Each class has its branch, and the loop goes over the items."""
    text = tl.grad(forward).source_for(NET, X)
    assert "    for layer in layers:\n        if type(layer) is Dense:\n" in text
    assert 'blayers[k] = {"W": blayer_W, "b": blayer_b.copy()}' in text
    assert "for item in layers if type(item) is" in text
    text = tl.grad(areas).source_for(SHAPES, 1.3)
    assert "elif type(shape) is Box:" in text and "= zeros_like(" not in text


def test_saved_and_sent(tmp_path):
    derivative = tl.grad(forward, wrt=1)
    wanted = derivative(NET, X)
    assert np.array_equal(pickle.loads(pickle.dumps(derivative))(NET, X), wanted)
    derivative.save(tmp_path / "saved.py", NET, X)
    space: dict[str, Any] = {}
    exec((tmp_path / "saved.py").read_text(encoding="utf-8"), space)
    assert np.array_equal(space["forward_grad"](NET, X), wanted)


def test_objects_that_change_go_by_identity():
    class Counting:
        def __init__(self, k):
            self.k, self.n = k, 0.0

        def forward(self, x):
            self.n = self.n + 1.0
            return self.k * x * self.n

    layers = [Counting(0.5), Scale(0.3), Counting(1.5)]
    np.testing.assert_allclose(flat(tl.grad(forward)(layers, X)), numeric(
        forward, (layers, X), 0), rtol=2e-5, atol=1e-6)
    assert [layer.n for layer in layers if isinstance(layer, Counting)] == [0.0, 0.0]


def test_numba_says_that_it_cannot():
    pytest.importorskip("numba")
    with pytest.raises(tl.TangentError):
        tl.grad(areas, backend="numba")(SHAPES, 1.3)


def test_two_lists_of_the_same_classes():
    """Whose class is asked for says whose parts are put into the list of adjoints."""
    def in_turn(one, other):
        total = 0.0
        for s, t in zip(one, other):
            if isinstance(s, Disc):
                total += t.area() * s.area()
            else:
                total += s.area() - 2.0 * t.area()
        return total

    one: list[Any] = [Disc(1.5), Box(2.0, 3.0), Disc(0.5)]
    other: list[Any] = [Box(1.0, 2.0), Disc(0.7), Disc(1.1)]
    for given in ((one, other), (other, one)):
        with by_names():
            gradients = tl.grad(in_turn, wrt=(0, 1))(*given)
        for wrt, gradient in enumerate(gradients):
            assert list(map(type, gradient)) == list(map(type, given[wrt]))
            np.testing.assert_allclose(flat(gradient), numeric(in_turn, given, wrt), rtol=2e-5)


def test_owners_of_methods_have_names():
    """`body.shape.area()` where the classes are known anyway."""
    def of_one(body, pair):
        return body.shape.area() * pair["a"].area() * pair["b"][0].area()

    given = (Body(Disc(1.5), 2.0), {"a": Box(1.0, 2.0), "b": [Disc(0.5)]})
    with by_names():
        gradients = tl.grad(of_one, wrt=(0, 1))(*given)
        several = tl.grad(of_parts)([Body(Disc(1.5), 2.0), Body(Disc(0.5), 1.0)], 1.3)
    for wrt, gradient in enumerate(gradients):
        np.testing.assert_allclose(flat(gradient), numeric(of_one, given, wrt), rtol=2e-5)
    np.testing.assert_allclose(flat(several), numeric(
        of_parts, ([Body(Disc(1.5), 2.0), Body(Disc(0.5), 1.0)], 1.3), 0), rtol=2e-5)
