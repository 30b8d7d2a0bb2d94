"""Arrays and lists in dicts, lists and objects outside that a function changes: copied on entry by
their parts, so that they go by names, and are what they were when the call is over."""
import copy

import numpy as np
import pytest

import tangent_lite as tl

KS = [0.55 + 0.1 * i for i in range(6)]


class State:
    def __init__(self):
        self.b = np.array([1.0, 2.0, 3.0])
        self.d = {"x": [], "y": [1.0]}
        self.k = 2.0

    def put(self, i, t):
        self.b[i] = t
        self.d["y"].append(t)


class Around:
    def __init__(self):
        self.inner, self.b = State(), np.ones(3)


def fresh():
    state, around, viewed = State(), Around(), State()
    viewed.c = viewed.b[1:]
    return {"STATE": state, "AROUND": around, "VIEWED": viewed, "OTHER": state.k,
            "LOG": {"x": [], "n": 0, "a": np.zeros(3)}, "ROWS": [np.zeros(3), np.ones(3)],
            "NEST": {"p": {"w": np.ones(3), "l": [1.0, 2.0]}, "q": 3.0}}


STATE, AROUND, VIEWED, OTHER, LOG, ROWS, NEST = fresh().values()


def an_array(x, ks):
    for i, k in enumerate(ks):
        STATE.b[i % 3] = STATE.b[(i + 1) % 3] * k + x
    return np.sum(STATE.b * STATE.b)


def a_log(x, ks):
    for i, k in enumerate(ks):
        LOG["x"].append(x * k)
        LOG["n"] += 1
        LOG["a"][i % 3] += x * k * LOG["n"]
    return np.sum(LOG["a"]) * LOG["x"][-1]


def a_method(x, ks):
    for i, k in enumerate(ks):
        STATE.put(i % 3, x * k)
    return np.sum(STATE.b) + sum(STATE.d["y"])


def an_object_in_it(x, ks):
    for i, k in enumerate(ks):
        AROUND.inner.put(i % 3, x * k + AROUND.b[0])
    return np.sum(AROUND.inner.b) * AROUND.inner.k


def a_list_of_arrays(x, ks):
    for i, k in enumerate(ks):
        ROWS[i % 2][i % 3] += x * k
    return np.sum(ROWS[0] * ROWS[1])


def a_dict_in_it(x, ks):
    for i, k in enumerate(ks):
        NEST["p"]["w"][i % 3] *= x * k
        NEST["p"]["l"].append(x)
    return np.sum(NEST["p"]["w"]) * sum(NEST["p"]["l"])


def another_name(x, ks):
    b = STATE.b
    for i, k in enumerate(ks):
        b[i % 3] = x * k
        if b[0] > 0.8 and i > 3:
            return STATE.b[0] * b[1]
    return np.sum(b)


def bound_anew(x, ks):
    STATE.b[0] = x
    STATE.b = STATE.b * ks[0] * x
    STATE.b[1] = x * 3.0
    return np.sum(STATE.b)


def by_recursion(x, ks, last=None):
    if last is None:
        STATE.b[0] = x
        return by_recursion(x, ks, 1) * x
    return STATE.b[0] * x


def _reads():
    return STATE.b[0]


def read_by_a_helper(x, ks):
    STATE.b[0] = x * ks[1]
    return _reads() * x


def a_view_in_it(x, ks):
    VIEWED.b[1] = x
    for k in ks:
        VIEWED.c[0] = VIEWED.b[1] * k
    return VIEWED.b[1]


BY_NAMES = [an_array, a_log, a_method, an_object_in_it, a_list_of_arrays, a_dict_in_it,
            another_name, bound_anew, by_recursion, read_by_a_helper]
BY_IDENTITY = [a_view_in_it]


def value(f, x, ks, first=0):
    """What the function returns, first: how often it was called before. What is outside is new."""
    kept = {name: globals()[name] for name in fresh()}
    globals().update(fresh())
    try:
        for _ in range(first):
            f(1.1, ks)
        return f(x, ks)
    finally:
        globals().update(kept)


def slope(f, x, ks, first=0):
    return (value(f, x + 1e-6, ks, first) - value(f, x - 1e-6, ks, first)) / 2e-6


def outside():
    return repr([(name, thing if not hasattr(thing, "__dict__") else [
        (key, part if not hasattr(part, "__dict__") else vars(part))
        for key, part in vars(thing).items()])
        for name in fresh() for thing in [globals()[name]]])


def goes_by_identity(derivative, *args):
    """Also where that shows at the call alone: what is outside shares memory."""
    try:
        derivative._latest.sharing.check(args)
    except tl.AliasError:
        return True
    return derivative._latest.by_identity


@pytest.fixture(autouse=True)
def as_before():
    globals().update(fresh())


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY, ids=lambda f: f.__name__)
def test_outside(f):
    before = outside()
    derivative = tl.value_and_grad(f)
    for _ in range(2):
        assert derivative(1.1, KS) == (value(f, 1.1, KS), pytest.approx(slope(f, 1.1, KS)))
        assert outside() == before
    assert goes_by_identity(derivative, 1.1, KS) == (f in BY_IDENTITY)
    assert tl.jvp(f, (1.1, KS), (1.0, [0.0] * 6)) == (
        value(f, 1.1, KS), pytest.approx(slope(f, 1.1, KS)))
    _, pullback = tl.vjp(f, 1.1, KS)
    assert outside() == before
    assert pullback(1.0) == pullback(1.0)


@pytest.mark.parametrize("f", BY_NAMES, ids=lambda f: f.__name__)
def test_after_the_function_has_run(f):
    """What is outside is another one then, maybe of other lengths."""
    derivative = tl.value_and_grad(f)
    derivative(1.1, KS)
    for times in (1, 2):
        f(1.1, KS)
        found, bx = derivative(1.1, KS)
        assert found == value(f, 1.1, KS, times)
        assert bx == pytest.approx(slope(f, 1.1, KS, times))


def test_second_derivatives():
    for f in (an_array, a_log, a_list_of_arrays):
        found = tl.grad(tl.grad(f))(1.1, KS)
        steps = [copy.deepcopy(tl.grad(f)(1.1 + h, KS)) for h in (1e-5, -1e-5)]
        assert found == pytest.approx((steps[0] - steps[1]) / 2e-5, rel=1e-4)


def test_an_array_that_another_one_shares_afterwards():
    """Seen at the call, and followed by identity then."""
    derivative = tl.value_and_grad(an_array)
    derivative(1.1, KS)
    STATE.c = STATE.b
    assert goes_by_identity(derivative, 1.1, KS)
    found, bx = derivative(1.1, KS)
    assert found == value(an_array, 1.1, KS)
    assert bx == pytest.approx(slope(an_array, 1.1, KS))


def test_a_list_that_is_a_part_of_two_things():
    derivative = tl.value_and_grad(a_method)
    derivative(1.1, KS)
    LOG["x"] = STATE.d["y"]
    assert derivative(1.1, KS) == (value(a_method, 1.1, KS),
                                   pytest.approx(slope(a_method, 1.1, KS)))
    assert LOG["x"] == [1.0]
