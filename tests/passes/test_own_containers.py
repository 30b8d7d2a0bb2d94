"""Lists, dicts and objects from outside that a function changes: the derivative changes a copy."""
import sys

import numpy as np
import pytest

import tangent_lite as tl

X = np.array([1.3, 2.1, 0.4])


class Layer:
    gain = 2.0

    def __init__(self, w):
        self.w, self.h, self.calls = w, None, 0

    def forward(self, x):
        self.calls += 1
        self.h = np.tanh(x * self.w) * self.gain
        return self.h

    def last(self):
        return self.h[0]


class Model:
    def __init__(self):
        self.head, self.cache, self.history = Layer(0.3), {}, []
        self.params = {"a": np.ones(3), "b": 2.0}

    def forward(self, x):
        self.cache["x"] = x
        self.history.append(x[0])
        self.params["b"] *= x[1]
        return self.head.forward(x * self.params["b"])


class Pair:
    def __init__(self, one, other):
        self.one, self.other, self.size = one, other, 0.0


NET, MODEL, COUNTED = Layer(0.7), Model(), {"calls": 0}
SEEN, SECOND = Layer(1.1), None
HISTORY, ROWS = [1.0], [[1.0], [2.0]]
HELD = Layer(0.9)
TWICE = Pair(HISTORY, HISTORY)
RING = Layer(Layer(None))
RING.w.w = RING


def setup_module():
    sys.modules[__name__].SECOND = SEEN


def _logged(v):
    HISTORY.append(v)
    COUNTED["calls"] += 1
    return v * v


def a_log(x):
    return sum(_logged(v) for v in x) + np.sum(x) * len(HISTORY)


def a_list_that_is_read(x):
    HISTORY.append(x[0])
    HISTORY.insert(0, x[1])
    return HISTORY[-1] * HISTORY[0] * np.sum(x)


def what_a_layer_keeps(x):
    y = NET.forward(x)
    return np.sum(y * NET.h) * NET.calls


def in_a_loop(x):
    for _ in range(3):
        x = NET.forward(x)
    return np.sum(x) * NET.last()


def parts_of_parts(x):
    y = MODEL.forward(x)
    return np.sum(y) + MODEL.history[-1] * MODEL.cache["x"][2] * MODEL.params["b"] \
        + MODEL.head.h[1] * MODEL.head.gain


def held_by_a_closure():
    net = Layer(0.4)

    def f(x):
        return np.sum(net.forward(x) * net.h)

    return f


def another_name(x):
    SEEN.forward(x)
    return np.sum(x * SECOND.h)


def one_list_in_two_places(x):
    TWICE.size = x[0]
    TWICE.one.append(x[1])
    return TWICE.other[-1] * TWICE.size


def a_ring(x):
    RING.h = x * 2.0
    return np.sum(RING.w.w.h * x)


def a_list_in_a_list(x):
    ROWS.append([3.0])
    ROWS[0].append(x[0])
    return ROWS[0][-1] * np.sum(x)


def an_array_of_an_object(x):
    NET.calls = 1
    MODEL.params["a"][0] = x[0]
    return np.sum(MODEL.params["a"] * x)


def _read_elsewhere():
    return HELD.h[0]


def by_a_helper(x):
    HELD.h = x * 2.0
    return _read_elsewhere() * np.sum(x)


class Product:
    def __init__(self):
        self.k = 1.0

    def times(self, v):
        self.k *= v
        return self.k


PRODUCT = Product()


def read_in_front_of_a_call(x):
    found = (PRODUCT.k + PRODUCT.times(x[0])) * x[2] - PRODUCT.k * PRODUCT.times(x[1])
    parts = [PRODUCT.k, PRODUCT.times(x[2]), PRODUCT.k]
    PRODUCT.k += PRODUCT.times(x[0])
    return found + parts[0] * parts[2] + PRODUCT.k


BY_NAMES = [a_log, a_list_that_is_read, what_a_layer_keeps, in_a_loop, parts_of_parts,
            held_by_a_closure(), read_in_front_of_a_call, an_array_of_an_object]
BY_IDENTITY = [a_list_in_a_list, one_list_in_two_places, a_ring]
REFUSED_AT_THE_CALL = [another_name, by_a_helper]      # by names


@pytest.fixture(autouse=True)
def as_before():
    """What the functions change by themselves is put back."""
    def put_back():
        for net in (NET, SEEN, HELD, RING):
            net.h, net.calls = None, 0
        MODEL.__init__()
        HISTORY[:], ROWS[:] = [1.0], [[1.0], [2.0]]
        COUNTED["calls"] = 0
        TWICE.size, PRODUCT.k = 0.0, 1.0

    put_back()
    yield put_back


@pytest.mark.parametrize("function", [*BY_NAMES, *BY_IDENTITY, *REFUSED_AT_THE_CALL])
def test_outside(function, as_before):
    def value(x):
        found = function(x)
        as_before()
        return found

    derivative = tl.value_and_grad(function)
    for _ in range(2):                          # what was changed is as it was
        found, bx = derivative(X)
        assert HISTORY == [1.0] and NET.calls == 0 and MODEL.cache == {} and MODEL.history == []
        assert COUNTED == {"calls": 0} and MODEL.params["b"] == 2.0 and ROWS[0] == [1.0]
    assert found == value(X)
    np.testing.assert_allclose(bx, [(value(X + 1e-6 * e) - value(X - 1e-6 * e)) / 2e-6
                                    for e in np.eye(3)], rtol=1e-6)
    assert derivative._latest.by_identity == (function in BY_IDENTITY)


def test_the_text_reads_what_it_needs():
    source = tl.grad(in_a_loop).source_for(X)
    assert "NET_w = NET.w" in source and "replaced" not in source


def test_what_changes_between_calls():
    derivative = tl.value_and_grad(what_a_layer_keeps)
    first, _ = derivative(X)
    NET.w = 0.2
    second, _ = derivative(X)
    NET.w = 0.7
    assert second != first == derivative(X)[0]
