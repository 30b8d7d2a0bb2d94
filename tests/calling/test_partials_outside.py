"""Pullbacks of functions that call partials, whose arguments change afterwards."""
import contextlib
import functools

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def weighted(a, x, k=1.0):
    return np.sum(a * k * x * x)


def another(a, x, k=1.0):
    return np.sum(x ** 3)


PARTIAL = None


def by_a_partial(x):
    return PARTIAL(x) * 2.0


def by_partials_in_a_list(x):
    total = 0.0
    for part in PARTIALS:
        total = total + part(x)
    return total


def by_what_a_partial_holds(x):
    return PARTIAL.keywords["k"] * np.sum(x * x) * PARTIAL.args[0][1]


PARTIALS = []
CHANGES = {
    "a keyword": lambda held: held.keywords.update(k=10.0),
    "an array in place": lambda held: held.args[0].__imul__(5.0),
    "arguments": lambda held: held.__setstate__((held.func, (np.ones(2),), {"k": 2.0}, {})),
    "the function": lambda held: held.__setstate__((another, held.args, {"k": 2.0}, {})),
    "all of it": lambda held: held.__setstate__((another, (np.ones(2),), {}, {})),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("f", [by_a_partial, by_partials_in_a_list, by_what_a_partial_holds, None],
                         ids=lambda f: getattr(f, "__name__", "itself"))
@pytest.mark.parametrize("identity", [False, True])
def test_what_partials_hold(f, change, identity, monkeypatch):
    """The pullback is that of the partial as it was, or there is none."""
    x = np.array([1.0, 2.0])
    wanted = {by_a_partial: 8.0, None: 4.0, by_partials_in_a_list: 4.0}
    held = functools.partial(weighted, np.array([2.0, 3.0]), k=2.0)
    monkeypatch.setitem(globals(), "PARTIAL", held)
    monkeypatch.setitem(globals(), "PARTIALS", [held])
    slope = 2.0 * 2.0 * 3.0 * x if f is by_what_a_partial_holds else \
        wanted[f] * np.array([2.0, 3.0]) * x
    with by_identity() if identity else contextlib.nullcontext():
        _, pullback = tl.vjp(f or held, x)
        _, along = tl.linearize(f or held, x)
        CHANGES[change](held)
        for call in (lambda: pullback(1.0)[0] @ x, lambda: along(x)):
            try:
                found = call()
            except tl.TangentError as error:
                assert "since the value was computed" in str(error)     # noqa: PT017
            else:
                assert found == pytest.approx(slope @ x, rel=1e-12)


def scaled(x, k=3.0):
    return np.sum(x * k)


def in_a_loop(x):
    total = 0.0
    for v in x:
        total = total + PARTIAL(v)
    return total


def of_itself(x):
    return np.sum(PARTIAL(PARTIAL(x)))


MADE = {
    "keyword": lambda: functools.partial(scaled, k=2.0),
    "number": lambda: functools.partial(np.multiply, 2.0),
    "array": lambda: functools.partial(np.multiply, np.array([2.0, 3.0])),
    "matrix": lambda: functools.partial(np.dot, np.array([[1.0, 2.0], [3.0, 4.0]])),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("f", [in_a_loop, of_itself])
@pytest.mark.parametrize("change", [
    lambda p: p.__setstate__((p.func, (5.0,) * len(p.args), {k: 7.0 for k in p.keywords}, {})),
    lambda p: p.__setstate__((np.sin, (), {}, {})),
    lambda p: [p.keywords.update({k: 7.0 for k in p.keywords}),
               [a.__imul__(3.0) for a in p.args if isinstance(a, np.ndarray)]]])
def test_what_is_read_again_on_the_way_back(made, f, change, monkeypatch):
    """Where the function of the partial is written out, the backward half reads its arguments."""
    x, held = np.array([1.0, 2.0]), MADE[made]()
    monkeypatch.setitem(globals(), "PARTIAL", held)
    seed = np.ones_like(f(x))
    _, pullback = tl.vjp(f, x)
    _, along = tl.linearize(f, x)
    wanted = pullback(seed)[0], along(x)
    change(held)
    for call, old in ((lambda: pullback(seed)[0], wanted[0]), (lambda: along(x), wanted[1])):
        try:
            np.testing.assert_array_equal(call(), old)
        except tl.TangentError as error:
            assert "since the value was computed" in str(error)         # noqa: PT017
