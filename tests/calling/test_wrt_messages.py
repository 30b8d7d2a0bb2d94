"""What is said of a wrt that names nothing: why, and what to write."""
import re

import numpy as np
import pytest

import tangent_lite as tl


class Model:
    def __init__(self):
        self.w, self.parts = 2.0, [3.0, {"k": 1.0}]

    def loss(self):
        return self.w ** 3

    def scaled(self, x):
        return self.w * x


s = Model()
WRONG = {
    "s.w": (lambda: tl.grad(s.loss, wrt="s.w"), "has no parameter s; loss has none; its object is "
            "self there", "write wrt='self.w'"),
    "nothing to name": (lambda: tl.grad(s.loss), "loss has none", 'wrt="self.name"'),
    "of a derivative": (lambda: tl.grad(tl.grad(s.loss, wrt="self.w")), "loss_grad has none",
                        'wrt="self.name"'),
    "an index": (lambda: tl.grad(s.scaled, wrt="self.parts[0]"), "by what is no name",
                 "parts of its gradient"),
    "a number": (lambda: tl.grad(s.scaled, wrt="self.parts.0"), "by what is no name",
                 "parts of its gradient"),
    "a key": (lambda: tl.grad(lambda p: p["a"], wrt="p['a']"), "has no parameter p['a']",
              "parts of its gradient"),
    "an item": (lambda: tl.grad(lambda p: p["a"], wrt="p.a")({"a": 1.0}), "dict has no attribute a",
                "name the dict"),
}


@pytest.mark.parametrize("name", WRONG)
def test_says_why_and_what_to_write(name):
    call, reason, fix = WRONG[name]
    with pytest.raises(tl.WrtError, match=re.escape(reason)) as told:
        call()
    assert fix in str(told.value)


def test_what_is_meant_works():
    assert tl.grad(s.loss, wrt="self.w")() == 12.0
    assert tl.grad(tl.grad(s.loss, wrt="self.w"), wrt="self.w")() == 12.0


def test_a_hessian_is_not_saved(tmp_path):
    with pytest.raises(tl.TangentError, match="several runs of a derivative"):
        tl.hessian(lambda x: x ** 3).save(tmp_path / "h.py")


class Layer:
    def __init__(self):
        self.weights, self.gain = 2.0, 1.0


def loss(weights, bias=0.0, *, Rate=1.0):
    return weights * Rate + bias


NEAREST = [
    (lambda: tl.grad(loss, wrt="weight"), tl.WrtError, "write wrt='weights'"),
    (lambda: tl.grad(loss, wrt=("weights", "rate")), tl.WrtError, "write wrt='Rate'"),
    (lambda: tl.grad(loss, wrt="wieghts.dense"), tl.WrtError, "write wrt='weights.dense'"),
    (lambda: tl.grad(lambda p: p.weights, wrt="p.weight")(Layer()), tl.WrtError,
     "write wrt='p.weights'"),
    (lambda: tl.grad(loss)(1.0, biass=2.0), TypeError,
     "loss_grad() got an unexpected keyword argument 'biass'. Did you mean 'bias'?"),
    (lambda: tl.hessian(loss)(1.0, rate=2.0), TypeError,
     "loss() got an unexpected keyword argument 'rate'. Did you mean 'Rate'?"),
    (lambda: tl.grad(loss, hasaux=True), TypeError, "no argument hasaux. Did you mean has_aux?"),
    (lambda: tl.grad(loss)(), tl.InputError,
     "pass the arguments of loss(weights, bias=0.0, *, Rate=1.0)"),
    (lambda: tl.hessian(loss)(1.0, 2.0, 3.0), tl.InputError, "loss(): too many positional"),
    (lambda: tl.grad(Layer)(1.0), tl.SourceNotFoundError, "Layer is a class, which gives objects"),
    (lambda: tl.grad(lambda x: None)(1.0), tl.OutputError, "a `return` is missing"),
]


@pytest.mark.parametrize("number", range(len(NEAREST)))
def test_says_what_may_be_meant(number):
    call, error, words = NEAREST[number]
    with pytest.raises(error, match=re.escape(words)):
        call()


def test_says_nothing_of_what_is_not_alike():
    for call in (lambda: tl.grad(loss, wrt="z"), lambda: tl.grad(loss)(1.0, z=2.0),
                 lambda: tl.grad(loss, other=1)):
        with pytest.raises((tl.WrtError, TypeError)) as told:
            call()
        assert "mean" not in str(told.value) and "write wrt=" not in str(told.value)


def test_a_whole_number_of_numpy_is_a_position():
    product = lambda x, y: x * y                                            # noqa: E731
    assert tl.grad(product, wrt=np.int64(1))(2.0, 3.0) == 2.0
    assert tl.grad(product, wrt=(np.int8(-1),))(2.0, 3.0) == (2.0,)
