"""Dicts that are made of pairs."""
import numpy as np
import pytest

import tangent_lite as tl

NAMES = ["a", "b"]


def written(x):
    d = dict([("a", x), ("b", x * x), ("a", 2.0 * x)])
    return d["a"] * d["b"]


def zipped(x):
    d = dict(zip(NAMES, [x, x * x]))
    return d["a"] * d["b"] + sum(v for v in d.values())


def generated(x):
    d = dict((name, x ** k) for k, name in enumerate(NAMES, 2))
    d["c"] = d["a"] * x
    return sum(d.values())


def shorter(x):
    d = dict(zip(("a", "b", "c"), (x, x * x)))
    return sum(d[k] for k in d) * len(d)


@pytest.mark.parametrize("f", [written, zipped, generated, shorter], ids=lambda f: f.__name__)
def test_by_names(f):
    wanted = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tl.grad(f)(0.7) == pytest.approx(wanted, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,)) == (f(0.7), pytest.approx(wanted, rel=1e-7))
    assert "tape.pull" not in tl.grad(f).source_for(0.7)


def test_another_dict():
    def f(x):
        def dict(pairs):
            return pairs[0][1] * 3.0
        return dict([("a", x), ("b", x * x)])
    assert tl.grad(f)(0.7) == 3.0


def test_items_of_arrays():
    def f(x):
        d = dict(zip(NAMES, x))
        return d["a"] * d["b"] ** 2
    np.testing.assert_allclose(tl.grad(f)(np.array([2.0, 3.0])), [9.0, 12.0])


def test_keys_that_stand_twice():
    def f(x):
        d = {"a": x, "b": x * x, "a": 2.0 * x}                          # noqa: F601
        e = {1: x, True: d["a"], "c": x, 1.0: x ** 3}                   # noqa: F601
        g = {"a": 7.0 * x, **d, "a": np.sin(x), "a": x ** 2}            # noqa: F601
        return d["a"] * d["b"] + e[1] * len(e) + sum(g.values())
    wanted = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tl.grad(f)(0.7) == pytest.approx(wanted, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,)) == (f(0.7), pytest.approx(wanted, rel=1e-7))


RANKS = {"a": 2, "b": 1}


class Weighing:
    def __init__(self, weight):
        self.weight, self.asked = weight, 0

    def get(self, value):
        self.asked += 1
        return self.weight * value


def best_of_a_dict(x):
    d, order = {"a": x[0], "b": x[1] * x[2]}, ["b", "a"]
    first, second = sorted(d, key=d.get), sorted(d, key=order.index)
    return d[max(d, key=d.get)] ** 2 + 3.0 * d[first[0]] + d[second[0]] * d[min(d, key=RANKS.get)]


def best_of_numbers(x):
    places, values = [0, 1, 2], list(x)
    places.sort(key=values.__getitem__)
    return x[places[0]] * x[max(range(3), key=x.__getitem__)]


def asked_by_a_method(x):
    weighing = Weighing(x[2])
    return max(x, key=weighing.get) * weighing.weight * weighing.asked


@pytest.mark.parametrize("f", [best_of_a_dict, best_of_numbers, asked_by_a_method])
def test_methods_as_keys(f):
    for x in (np.array([0.7, -1.3, 2.2]), np.array([-0.4, 1.5, 0.6])):
        tl.check_grads(f, (x,), order=2)
    assert "tape.call" not in tl.grad(f).source_for(x)
