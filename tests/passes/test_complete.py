"""Attributes that objects get in loops and branches."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl


class Net:
    default = 2.0

    def __init__(self, v):
        self.v = v

    def step(self, x):
        self.last = self.v * x
        self.v = self.v + self.last
        return self.last

    def scaled(self, x):
        self.default = self.default * x
        return self.default

    def flagged(self, x, k):
        if k > 1:
            self.flag = x * k
        return self.v

    def forward(self, layers, h):
        self.kept = []
        for w in layers:
            h = np.tanh(w * h)
            self.kept.append(h)
        return h


class Double:
    def __init__(self, v):
        self.v = v

    @property
    def last(self):
        return self.v * 3.0

    @last.setter
    def last(self, v):
        self.v = v


class Lazy:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        if name == "last":
            return self.v * 2.0
        raise AttributeError(name)


@dataclass
class Point:
    v: float

    def step(self, x):
        self.last = self.v * x
        return self.last


def in_a_loop(x):
    net = Net(x)
    for _ in range(3):
        net.step(x)
    return net.last * net.v


def a_list(x):
    net, total = Net(x), 0.0
    for k in range(3):
        total += net.forward([x, 2.0 * x], x * k) + sum(net.kept)
    return total * net.kept[1]


def where_it_is_true(x):
    net, total = Net(x), 0.0
    for k in range(3):
        total += net.flagged(x, k)
    return total * net.flag


def in_a_branch(x):
    net = Net(x)
    if x > 0.0:
        net.flag = x * x
    return net.flag * net.v


def in_both_branches(x):
    net = Net(x)
    if x > 5.0:
        net.flag = x * x
    else:
        net.flag = x ** 3
    return net.v * net.flag


def of_a_dataclass(x):
    point, total = Point(x), 0.0
    for k in range(3):
        total += point.step(x * k)
    return total * point.last + (point == Point(x))


def made_in_the_loop(x):
    net, total = Net(x), net_of(x).v
    for k in range(3):
        net = Net(x * k)
        net.last = x
        total += net.last * net.v
    return total


def net_of(x):
    net = Net(x)
    for k in range(2):
        net.extra = x * k
    return net


def by_a_helper(x):
    return net_of(x).extra * net_of(2.0 * x).extra


def of_the_class(x):
    net, total = Net(x), 0.0
    for _ in range(3):
        total += net.scaled(x)
    return total + net.default


def with_two_names(x):
    net = other = Net(x)
    total = 0.0
    for _ in range(3):
        total += other.step(x)
    return total + net.last


def asked_for(x):
    net, total = Net(x), 0.0
    for k in range(3):
        if hasattr(net, "flag"):
            total += net.flag * k
        net.flag = x * k
    return total * net.flag


def with_a_default(x):
    net = Net(x)
    for k in range(3):
        net.sum = getattr(net, "sum", 0.0) + x * k
    return net.sum


def as_a_dict(x):
    net = Net(x)
    fields = vars(net)
    for k in range(3):
        net.last = x * k
    return len(fields) * net.last


def copied(x):
    net, total = Net(x), 0.0
    for k in range(3):
        before = copy.copy(net)
        net.last = x * k
        total += before.v + (k if hasattr(before, "last") else 0.0) * x
    return total * net.last


def missing_at_first(x):
    net = Net(x)
    for _ in range(3):
        try:
            y = net.last
        except AttributeError:
            y = x * x
        net.last = y * x
    return net.last


def a_property(x):
    both, total = Double(x), 0.0
    for _ in range(3):
        both.last = both.last * x
        total += both.last
    return total


def from_getattr(x):
    lazy, total = Lazy(x), 0.0
    for k in range(3):
        total += lazy.last
        lazy.last = x * k
    return total * lazy.last


class Bare:
    pass


def given_in(n, x):
    net = Bare()
    for k in range(n):
        net.last = x * (k + 1)
    return net


def in_a_list(x, n):
    return [given_in(n, x).last, x][1] * x


def looked_at_by_a_helper(x, n):
    return (1.0 if is_there(given_in(n, x).last) else 2.0) * x


def is_there(value):
    return value is not None


def read_and_not_used(x, n):
    net = given_in(n, x)
    last = net.last
    return last * x if n > 3 else x * x


def in_a_dict(x, n):
    kept = {"last": given_in(n, x).last}
    return x if kept["last"] is None else x * x


def passed_to_isinstance(x, n):
    return x * isinstance(given_in(n, x).last, float)


def returned(x, n):
    net = Bare()
    for k in range(n):
        net.last = x * (k + 1)
    return net.last


def of_two_attributes(x, n):
    net = Net(x)
    for k in range(n):
        net.first = x * k
        net.second = x * x
    first, second = net.first, net.second
    return second * x if n > 1 else x * x + (first is None)


def by_a_method(x, n):
    net = Asked(x)
    for _ in range(n):
        net.step(x)
    return x * net.v if net.has() else x


class Asked(Net):
    def has(self):
        return self.last is not None


def after_a_deletion(x, n):
    net, total = Net(x), x
    for k in range(3):
        net.last = total * x
        if k == n:
            del net.last
    return [net.last, total][1] if n == 2 else [total, net.last][0]


ASKING = [in_a_list, looked_at_by_a_helper, read_and_not_used, in_a_dict, passed_to_isinstance,
          returned, of_two_attributes, by_a_method]
BY_NAMES = [in_a_loop, a_list, where_it_is_true, in_a_branch, in_both_branches, of_a_dataclass,
            made_in_the_loop, a_property]
OTHERS = [by_a_helper, of_the_class, with_two_names, asked_for, with_a_default, as_a_dict, copied,
          missing_at_first, from_getattr]


@pytest.mark.parametrize("f", BY_NAMES + OTHERS)
@pytest.mark.sweep(2)
def test_attributes(f):
    wanted = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    derivative = tl.grad(f)
    for _ in range(2):
        np.testing.assert_allclose(derivative(1.3), wanted, rtol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (1.3,), (1.0,))[1], wanted, rtol=1e-6)
    if f in BY_NAMES:
        assert "tape.pull" not in derivative.source_for(1.3)


def test_no_iteration_gives_none():
    def f(x, n):
        net = Net(x)
        for _ in range(n):
            net.last = x
        return net.last * x

    assert tl.grad(f)(2.0, 1) == 4.0
    with pytest.raises((AttributeError, TypeError)):
        tl.grad(f)(2.0, 0)


@pytest.mark.parametrize("f", ASKING)
def test_what_python_does_not_find_is_not_found(f):
    for made in (tl.value_and_grad(f), tl.grad(f), lambda *args: tl.vjp(f, *args),
                 lambda x, n: tl.jvp(f, (x, n), (1.0, None))):
        with pytest.raises(AttributeError, match="has no attribute"):
            made(1.3, 0)
    wanted = (f(1.3 + 1e-6, 2) - f(1.3 - 1e-6, 2)) / 2e-6
    np.testing.assert_allclose(tl.grad(f)(1.3, 2), wanted, rtol=1e-6)


def test_what_is_looked_at_stays_a_variable():
    assert "last is None:" in tl.grad(returned).source_for(1.3, 2)
    assert "is None" not in tl.grad(in_a_loop).source_for(1.3)


def test_what_is_deleted_is_not_found():
    assert tl.grad(after_a_deletion)(1.3, 1) == 1.0
    with pytest.raises(AttributeError):
        tl.grad(after_a_deletion)(1.3, 2)
