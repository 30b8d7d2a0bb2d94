"""Gradients that a differentiated function asks for are what they are outside of it."""
from collections import namedtuple

import numpy as np
import pytest

import tangent_lite as tl

Weight = namedtuple("Weight", "w n")
ONES = np.array([1.0, 2.0])


class Plain:
    def __init__(self, w):
        self.w, self.n = w, 2


def first(p):
    return p[0] ** 2 * p[1]


def pairs(p):
    return sum(w ** 2 * n for w, n in p)


def layers(p):
    return sum(np.sum(w ** 3) + np.sum(b) for w, b in p)


def nested(p):
    return p["l"][0] ** 2 * p["l"][1] + p["t"][0][0] ** 2


def plain(o):
    return o.w ** 3 * o.n


ARGUMENTS = [(first, [2.0, 3]), (first, [2.0, 3.0]), (first, [2.0, 3]),
             (pairs, [(2.0, 3), (1.0, 4)]), (layers, [(ONES, ONES), (ONES, 2.0 * ONES)]),
             (nested, {"l": [2.0, 3], "t": [(2.0, 1)]}),
             (pairs, [Weight(2.0, 3)]), (pairs, ((2.0, 3), (1.0, 4)))]


@pytest.mark.parametrize(("f", "p"), ARGUMENTS)
def test_as_outside(f, p):
    gradient = lambda q: tl.grad(f)(q)                                      # noqa: E731
    assert repr(tl.vjp(gradient, p)[0]) == repr(tl.grad(f)(p))
    in_tuple = lambda q: tl.value_and_grad(f, wrt=(0,))(q)                  # noqa: E731
    assert repr(tl.vjp(in_tuple, p)[0]) == repr(tl.value_and_grad(f, wrt=(0,))(p))


def those_that_vary(p):
    return sum(g for g in tl.grad(first)(p) if g is not None) ** 2


def by_name(p):
    moved = [Weight(one.w - 0.1 * g.w, one.n) for one, g in zip(p, tl.grad(pairs)(p))]
    return pairs(moved)


def beside(p):
    (value, aux), g = tl.value_and_grad(lambda z: (z[0] ** 3 * z[1], z), has_aux=True)(p)
    return g[0] * value + aux[0]


def by_keyword(p):
    def scaled(x, *, z):
        return x * z[0] ** 2 * z[1]
    return tl.grad(scaled, wrt="z")(2.0, z=p)[0]


@pytest.mark.parametrize(("f", "p"), [
    (those_that_vary, [2.0, 3]), (by_name, [Weight(0.2, 3)]), (beside, [1.2, 3]),
    (beside, [1.2, 3.0]), (by_keyword, [1.2, 3])])
def test_is_differentiated_again(f, p):
    def moved(by):
        one = p[0]._replace(w=p[0].w + by) if isinstance(p[0], Weight) else p[0] + by
        return [one, *p[1:]]

    def part(found):
        return found[0].w if isinstance(found[0], Weight) else found[0]

    slope = (f(moved(1e-6)) - f(moved(-1e-6))) / 2e-6
    assert np.isclose(part(tl.grad(f)(p)), slope, rtol=1e-6)
    along = [Weight(1.0, None)] if isinstance(p[0], Weight) else \
        [1.0, 0.0 if isinstance(p[1], float) else None]
    again = lambda q: tl.grad(f)(q)                                         # noqa: E731
    curvature = (part(tl.grad(f)(moved(1e-6))) - part(tl.grad(f)(moved(-1e-6)))) / 2e-6
    assert np.isclose(part(tl.jvp(again, (p,), (along,))[1]), curvature, rtol=1e-5)


def test_objects_in_tuples_of_one():
    of_tuple = lambda o: tl.grad(plain, wrt=(0,))(o)[0].w                   # noqa: E731
    assert tl.grad(of_tuple)(Plain(2.0)).w == 24.0


def of_found(found):
    return found[0] ** 2 * found[1] + found[2]


def of_value(value, varies, zip, derivative):
    return value[0] ** 2 * value[1] * varies * zip * derivative


def test_parameters_may_be_called_like_what_is_written():
    def whole_numbers(x):
        parts = [tl.grad(of_found)([x, 3, x]), tl.grad(of_value)([x, 3, 4], 1.0, 1.0, 1.0),
                 tl.value_and_grad(of_value)([x, 3, 4], 1.0, 1.0, 1.0)[1]]
        return x * sum(part[1] is None for part in parts)

    assert whole_numbers(2.0) == 6.0
    assert tl.grad(whole_numbers)(2.0) == tl.jvp(whole_numbers, (2.0,), (1.0,))[1] == 3.0


# Parameters of the function that have defaults, and those of its derivative that are seeds
def scaled_pairs(p, x, scale=1.0, *, power=2):
    return scale ** 2 * sum(np.sum(np.sin(w * x + b) ** power) for w, b in p)


PAIRS = [(ONES, 0.3 * ONES), (0.5 * ONES, -ONES)]


@pytest.mark.parametrize("given, named", [((), {}), ((3.0,), {}), ((3.0,), {"power": 3})])
@pytest.mark.parametrize("wrt", [0, (0,), (0, 2)])
def test_defaults_stay_what_they_are(wrt, given, named):
    x = np.array([0.4, 1.3])
    slopes = tl.grad(scaled_pairs, wrt=wrt)

    def at(h):
        found = slopes([(w + h * ONES, b - h * ONES) for w, b in PAIRS], x, *given, **named)
        return found[0] if isinstance(wrt, tuple) else found

    def called(p, x, *given):
        found = slopes(p, x, *given, **named)
        return found[0] if isinstance(wrt, tuple) else found

    along = [(ONES, -ONES) for _ in PAIRS]
    _, moved = tl.jvp(called, (PAIRS, x, *given), (along, None, *(None for _ in given)))
    if not named:
        _, same = tl.jvp(slopes, (PAIRS, x, *given), (along, None, *(None for _ in given)))
        np.testing.assert_allclose(same[0] if isinstance(wrt, tuple) else same, moved, rtol=1e-12)
    np.testing.assert_allclose(
        moved, (np.asarray(at(1e-5)) - np.asarray(at(-1e-5))) / 2e-5, rtol=1e-6, atol=1e-7)
