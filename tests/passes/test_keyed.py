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
