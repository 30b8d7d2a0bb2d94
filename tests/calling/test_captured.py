"""Arrays that functions capture are not kept alive by what was made for these functions."""
import functools
import gc
import weakref

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.calling import reuse
from tangent_lite.calling.captured import arrays_in

LARGE = reuse.LARGE // 8            # numbers


class Model:
    def __init__(self, data):
        self.parts = {"data": [data]}

    def loss(self, w):
        return np.sum((self.parts["data"][0] * w) ** 2)


def of_closure(data):
    return lambda w: np.sum((data * w) ** 2)


def of_helper(data):
    def helper(w):
        return data * w

    return lambda w: np.sum(helper(w) ** 2)


def of_derivative(data):
    def inner(w):
        return np.sum((data * w) ** 3) / 3.0

    return lambda w: tl.grad(inner)(w)


def of_partial(data):
    return functools.partial(lambda data, w: np.sum((data * w) ** 2), data)


def of_default(data):
    def loss(w, data=data):
        return np.sum((data * w) ** 2)

    return loss


FUNCTIONS = {"closure": of_closure, "helper": of_helper, "method": lambda data: Model(data).loss,
             "partial": of_partial, "default": of_default, "derivative": of_derivative}
CALLS = {
    "grad": lambda f: tl.grad(f)(2.0),
    "value_and_grad": lambda f: tl.value_and_grad(f)(2.0)[1],
    "vjp": lambda f: tl.vjp(f, 2.0)[1](1.0)[0],
    "jvp": lambda f: tl.jvp(f, (2.0,), (1.0,))[1],
    "jacobian": lambda f: tl.jacobian(f)(2.0),
    "grad of grad": lambda f: 2.0 * tl.grad(tl.grad(f))(2.0),
    "grad of a lambda": lambda f: tl.grad(lambda w: f(w))(2.0),
}


@pytest.mark.parametrize("how", CALLS)
@pytest.mark.parametrize("kind", FUNCTIONS)
def test_they_go_with_the_function(kind, how):
    data = np.full(LARGE, 1e-3)
    size, alive = float(data @ data), weakref.ref(data)
    f = FUNCTIONS[kind](data)
    got = CALLS[how](f)
    if kind != "derivative":
        assert np.isclose(got, 4.0 * size)
    del data, f
    gc.collect()
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_arrays_are_found_that_a_function_keeps_alive(kind):
    data = np.zeros((100, 10))
    assert arrays_in([FUNCTIONS[kind](data[3:4].T)]) == {id(data): 8000}


def test_what_a_function_captures_is_found_without_running_it():
    class Careful:
        def __getattr__(self, name):
            raise AssertionError

        def __len__(self):
            raise AssertionError

    ring = [np.zeros(3), Careful()]
    ring.append(ring)
    assert arrays_in([ring]) == {id(ring[0]): 24}


def test_beyond_the_limit_the_oldest_go(monkeypatch):
    reuse.forget()
    monkeypatch.setattr(reuse, "KEPT_BYTES", 3 * reuse.LARGE)
    gc.disable()
    try:
        alive = []
        for k in range(6):
            data = np.full(LARGE, float(k))
            alive.append(weakref.ref(data))
            f = of_closure(data)
            assert tl.grad(f)(2.0) == 4.0 * k * k * LARGE
            del f, data
        gc.enable()
        held = [k for k, one in enumerate(alive) if one() is not None]
    finally:
        gc.enable()
    gc.collect(0)
    assert 5 in held
    reuse.forget()


def made_since(monkeypatch):
    from tangent_lite import transform
    made = []
    original = transform.derive
    monkeypatch.setattr("tangent_lite.variant.derive",
                        lambda *args: made.append(args) or original(*args))
    return made


def test_in_a_loop_a_large_function_is_transformed_once(monkeypatch):
    reuse.forget()
    monkeypatch.setattr(reuse, "KEPT_BYTES", 0)         # it is larger than the limit, then
    data, w = np.full(2 * LARGE, 1e-3), 1.0
    made = made_since(monkeypatch)
    for _ in range(5):
        w -= 0.01 * tl.grad(lambda w: np.sum((data * w) ** 2))(w)
        gc.collect()
    assert len(made) == 1
    assert np.isclose(w, (1.0 - 0.02 * (data @ data)) ** 5)


def test_what_the_user_holds_stays(monkeypatch):
    derivative = tl.grad(of_closure(np.ones(LARGE)))
    derivative(2.0)
    gc.collect()
    gc.collect()
    made = made_since(monkeypatch)
    assert derivative(3.0) == 6.0 * LARGE
    assert not made


def test_objects_that_ask_for_derivatives_as_they_go():
    found = []

    def loss_of(data):
        weakref.finalize(data, lambda: found.append(tl.grad(lambda w: w * w)(3.0)))
        return lambda w: np.sum((data * w) ** 2)

    for _ in range(3):
        tl.grad(loss_of(np.ones(LARGE)))(2.0)
    gc.collect()
    gc.collect()
    assert found == [6.0, 6.0, 6.0]


def test_proxies_of_what_is_gone():
    class Data:
        pass

    data = Data()
    proxy = weakref.proxy(data)
    scale = np.ones(3)

    def loss(x):
        return np.sum(x * scale) if proxy is not None else 0.0

    del data
    assert set(arrays_in([loss])) == {id(scale)}
