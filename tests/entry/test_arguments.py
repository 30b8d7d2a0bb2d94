"""Arguments by position, by name and by default, where the function with the questions in front is
one of its own (arguments that hold others, results beside the value)."""
import functools
import inspect

import numpy as np
import pytest

import tangent_lite as tl


def plain(p, scale, power=2, *, shift=0.0):
    return p["x"] ** power * scale + shift


def ours(x1, x0, main=1.0, *, seen=1.0):
    return x1["x"] * x0 * main * seen


def shadows(type, found, more=1.0, *, keywords=1.0):
    return type["x"] * found * more * keywords


def same(x0, x1, value=1.0, *, hand_on=1.0):
    return x0["x"] * x1 * value * hand_on


def letters(ξ, é, x=1.0, *, get=1.0):
    return ξ["x"] * é * x * get


def with_aux(more, number, seed=1.0, *, saved=1.0):
    return more["x"] * number * seed * saved, "aux"


@pytest.mark.parametrize("function", [ours, shadows, same, letters, with_aux])
@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
def test_parameters_may_be_called_anything(function, operator):
    d = operator(function, has_aux=function is with_aux)
    first, second, third, last = inspect.signature(function).parameters

    def gradient(*args, **keywords):
        found = d(*args, **keywords)
        pair = function is with_aux
        if operator is tl.grad:
            return (found[0] if pair else found)["x"]
        value = found[0][0] if pair else found[0]
        assert value == found[1]["x"] * 2.0
        return found[1]["x"]

    p = {"x": 2.0}
    for _ in range(3):
        assert gradient(p, 3.0) == 3.0 and gradient(p, 3.0, 2.0) == 6.0
        assert gradient(p, **{second: 3.0}) == 3.0 and gradient(**{second: 5.0, first: p}) == 5.0
        assert gradient(p, 3.0, **{last: 4.0}) == 12.0
        assert gradient(p, 3.0, **{third: 2.0, last: 4.0}) == 24.0
        for wrong in (lambda: d(), lambda: d(p), lambda: d(p, 3.0, 1.0, 1.0, 1.0),
                      lambda: d(p, **{last: 1.0})):
            with pytest.raises(tl.InputError):
                wrong()
        for wrong in (lambda: d(p, 3.0, other=1.0), lambda: d(p, 3.0, **{second: 3.0}),
                      lambda: d(p, 3.0, **{first: p})):
            with pytest.raises(TypeError, match=rf"^{function.__name__}_\w+\(\) got"):
                wrong()
    assert inspect.signature(d) == inspect.signature(function)


def test_defaults_may_be_replaced_by_position_and_by_name():
    def scaled(p, y=2.0, *, z=3.0):
        return p["x"] * y * z

    d, p = tl.grad(scaled), {"x": 1.0}
    for _ in range(3):
        assert d(p) == {"x": 6.0} and d(p, 4.0) == {"x": 12.0} and d(p, z=1.0) == {"x": 2.0}
    scaled.__defaults__ = (7.0,)
    assert d(p) == {"x": 21.0} and d(p) == {"x": 21.0}
    scaled.__kwdefaults__["z"] = 1.0
    assert d(p) == {"x": 7.0} and d(p, y=1.0) == {"x": 1.0}
    scaled.__kwdefaults__ = None
    with pytest.raises(tl.InputError):
        d(p)


def test_what_a_method_and_a_partial_bring():
    class Model:
        def __init__(self):
            self.w = np.arange(3.0)

        def loss(self, p, x0=2.0):
            return np.sum(self.w * p["x"]) * x0

    d = tl.grad(Model().loss)
    for _ in range(3):
        assert d({"x": 1.0}) == {"x": 6.0} and d({"x": 1.0}, x0=1.0) == {"x": 3.0}
        assert d(p={"x": 1.0}) == {"x": 6.0}
    d = tl.grad(functools.partial(plain, shift=1.0))
    for _ in range(3):
        assert d({"x": 3.0}, 2.0) == {"x": 12.0} and d({"x": 3.0}, 2.0, power=1) == {"x": 2.0}


def test_star_arguments():
    def many(p, *rest, **options):
        return p["x"] * sum(rest) * options.get("by", 1.0)

    d = tl.grad(many)
    for _ in range(3):
        assert d({"x": 1.0}, 2.0, 3.0) == {"x": 5.0}
        assert d({"x": 1.0}, 2.0, by=4.0) == {"x": 8.0}
