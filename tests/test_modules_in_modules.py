"""Small frameworks of layers: modules that hold modules in attributes and in lists, and all are
called by one `__call__`. And methods that give new objects."""
import numpy as np
import pytest

from tests.held_to_both import is_by_names, is_right


class Module:
    def __call__(self, *args, **keywords):
        return self.forward(*args, **keywords)


class Scale(Module):
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return x * self.w


class Bend(Module):
    def forward(self, x):
        return np.tanh(x)


class Row(Module):
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(Module):
    def __init__(self, w):
        self.first = Scale(w)
        self.inner = Row([Scale(w[::-1]), Bend()])
        self.head = Row([self.inner, Scale(2.0)])

    def forward(self, x, scale=1.0):
        return self.head(self.first(x)) * scale


def in_a_list(x):
    return np.sum(Row([Scale(x), Bend(), Scale(x)])(x))


def in_attributes(x):
    return np.sum(Net(x)(np.cos(x), scale=3.0))


@pytest.mark.parametrize("function", [in_a_list, in_attributes])
def test_modules_in_modules(function):
    is_right(function)
    is_by_names(function)


def grown_later(x):
    inner = Row([Scale(x), Bend()])
    net = Row([inner, Scale(x)])
    inner.layers.append(Scale(x * x))
    return np.sum(net(x))


def looked_at(x):
    net = Row([Row([Scale(x), Bend()]), Bend()])
    factor = 2.0 if isinstance(net.layers[0].layers, list) else 3.0
    return np.sum(net(x)) * factor


def in_itself(x):
    net = Row([Scale(x), Bend()])
    for _ in range(4):
        net = Row([net, Bend()])
    return np.sum(net(x))


@pytest.mark.parametrize("function", [grown_later, looked_at, in_itself])
def test_lists_of_modules_that_are_lists(function):
    is_right(function)


# Methods that give a new object of arrays they write to -------------------------------------------
class State:
    def __init__(self, level, flow):
        self.level, self.flow = level, flow

    def step(self, k):
        flow = np.zeros_like(self.flow)
        for i in range(1, len(flow)):
            flow[i] = self.flow[i - 1] * self.level[k] + self.flow[i]
        flow[0] = self.level[k]
        return State(self.level, flow)

    def shifted(self, k):
        flow = np.empty_like(self.flow)
        flow[:] = self.flow[::-1]
        made = State(self.level * 2.0, flow)
        flow[1:] = made.flow[:-1]
        flow *= self.flow[k]
        return made

    def same(self, k):
        flow = self.flow if k else np.zeros_like(self.flow)
        made = State(self.level, flow)
        made.flow[k] = self.flow[k] * 3.0
        return made


def stepped(x):
    state = State(x, np.sin(x))
    for k in range(3):
        state = state.step(k)
    return np.sum(state.flow * state.level)


def shifted(x):
    state = State(x, np.sin(x))
    for k in range(2):
        state = state.shifted(k)
    return np.sum(state.flow * state.level)


def same(x):
    state = State(x, np.sin(x))
    first = state
    for k in range(3):
        state = state.same(k)
    return np.sum(state.flow * first.flow)


@pytest.mark.parametrize("function, by_names", [(stepped, True), (shifted, False), (same, False)])
def test_new_objects_of_written_arrays(function, by_names):
    is_right(function)
    if by_names:
        is_by_names(function)
