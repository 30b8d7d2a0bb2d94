"""Forward mode: what stands beside which statement, and what is refused."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.operators import _pushing
from tests.any_shapes import for_any_shapes
from tests.heap.forced import by_names


def shown(f, *args, wrt=(0,)):
    """The body of the jvp of f, without its head and docstring."""
    with for_any_shapes():
        text = _pushing(f, wrt).source_for(*args)
    lines = text[text.index(f"def {f.__name__}_jvp"):].splitlines()[2:]
    return "\n".join(line[4:] for line in lines).strip()


# Text -------------------------------------------------------------------------------------------
def oscillator(x, k, n, dt):
    v = 0.0 * x
    for i in range(n):
        v = v - dt * k * np.sin(x)
        x = x + dt * v
    return np.sum(x * x)


def test_the_golden():
    assert shown(oscillator, np.ones(3), 2.0, 3, 0.1, wrt=(0, 1)) == """\
dv = 0.0 * dx
v = 0.0 * x
for i in range(n):
    dtk = dt * k
    sin_x = np.sin(x)
    dv = dv - (dt * dk * sin_x + dtk * (dx * np.cos(x)))
    v = v - dtk * sin_x
    dx = dx + dt * dv
    x = x + dt * v
return np.sum(x * x), 2.0 * np.sum(x * dx)"""


def result_is_read(x):
    y = math.exp(x)
    x = math.exp(x)
    return x * y


def test_a_rule_that_reads_the_result_stands_behind_it():
    assert shown(result_is_read, 0.5) == """\
y = math.exp(x)
dy = dx * y
x = math.exp(x)
dx = dx * x
return x * y, dx * y + x * dy"""


def writes(x, k):
    x[0] = k
    x[1:] += x[:-1]
    x *= k
    return np.sum(x)


def test_tangents_are_written_where_values_are():
    assert shown(writes, np.ones(3), 2.0) == """\
dx = dx.copy()
x = x.copy()
dx[0] = 0.0
x[0] = k
dx[1:] += dx[:-1]
x[1:] += x[:-1]
dx *= k
x *= k
return np.sum(x), np.sum(dx)"""


def lists(x):
    xs = [x, 1.0]
    xs.append(x * x)
    y = xs.pop()
    return y * sum(xs)


def test_lists_have_lists_beside_them():
    assert shown(lists, 2.0) == """\
dxs = [dx, 0.0]
xs = [x, 1.0]
dxs.append(2.0 * x * dx)
xs.append(x * x)
dy = dxs.pop()
y = xs.pop()
sum_xs = sum(xs)
return y * sum_xs, dy * sum_xs + y * sum(dxs)"""


def helper(x, n):
    return x if n == 0 else x * helper(x, n - 1)


def calls(x):
    return helper(x, 3)


def test_helpers_have_jvps():
    text = _pushing(calls, (0,)).source_for(2.0)
    assert "def helper_jvp(x, n, dx):" in text
    assert "helper_jvp(x, n - 1, dx)" in text and "helper_jvp(x, 3, dx)" in text


def with_default(x, y, k=2.0):
    return x * y * k


def test_parameters_in_order():
    text = _pushing(with_default, (1,)).source_for(1.0, 2.0, 3.0)
    assert "def with_default_jvp(x, y, dy, k=2.0):" in text
    text = _pushing(with_default, (0, 2)).source_for(1.0, 2.0, 3.0)
    assert "def with_default_jvp(x, y, k, dx, dk):" in text


# Values -----------------------------------------------------------------------------------------
def swaps(x, y, n):
    for _ in range(n):
        x, y = y, x * y
    return x


def early(x):
    for i in range(5):
        x = x * x
        if x > 10.0:
            return x * i
        elif x < 0.1:
            break
    return math.sin(x)


def containers(p):
    a, (b, c) = p["pair"], p["rest"]
    q = {"sum": a + b, "text": "none"}
    return q["sum"] * c


def views(x):
    v = x.T
    v[0] = v[0] * v[1]
    return np.sum(x * x) + np.sum(v[0])


def same_number(x, n):
    y = 0
    for i in range(n):
        y = y + x * i
    return y


def shared_then_written(x):
    y = x + 1.0
    x = x * 1.0
    z = x
    x[0] = 5.0
    return np.sum(y * z * x)


def in_place(x, y):
    x **= 2.0
    x[0] *= y
    x /= 1.0 + y
    x -= x[::-1]
    return np.sum(x * np.arange(1.0, 4.0))


def added_at(x):
    y = np.zeros(3)
    np.add.at(y, [0, 0, 2], x)
    return np.sum(y * y)


def joined_with_itself(x):
    xs = [x, np.sin(x)]
    pair = (x[0], x[1])
    ys = xs + xs
    pairs = pair + pair
    xs[0] = x * x
    return np.sum(ys[0] * ys[3]) * pairs[3] + len(ys) * np.sum(xs[0])


def joined_as_often_as_asked(x, n):
    pair = (x, x * x)
    for _ in range(n):
        pair = pair + pair
    return pair[0] * pair[-1]


@pytest.mark.parametrize("f, args", [
    (joined_as_often_as_asked, (1.5, 2)), (joined_with_itself, (np.array([1.0, 2.0, 3.0]),)),
    (swaps, (1.3, 0.7, 5)), (early, (1.7,)), (early, (0.9,)), (early, (0.2,)),
    (containers, ({"pair": 2.0, "rest": (3.0, np.ones(2))},)), (views, (np.ones((2, 2)) * 1.5,)),
    (same_number, (1.5, 4)), (shared_then_written, (np.array([1.0, 2.0, 3.0]),)),
    (in_place, (np.array([1.0, 2.0, 3.0]), 0.5)), (added_at, (np.array([1.0, 2.0, 3.0]),)),
    (writes, (np.array([1.0, 2.0, 3.0]), 0.5)), (lists, (1.5,)), (calls, (1.5,)),
], ids=lambda case: getattr(case, "__name__", ""))
def test_values(f, args):
    tl.check_grads(f, args, order=1, modes=("fwd",))


def test_arguments_and_tangents_are_left_alone():
    x, dx = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])
    before = x.tobytes(), dx.tobytes()
    for array in (x, dx):
        array.flags.writeable = False
    tl.jvp(writes, (x, 2.0), (dx, 1.0))
    y, dy = tl.jvp(lambda x: x, (x,), (dx,))
    assert (x.tobytes(), dx.tobytes()) == before
    assert dy.flags.writeable and not np.shares_memory(dy, dx)


# Refusals ---------------------------------------------------------------------------------------
opaque = np.frompyfunc(lambda x: x * x, 1, 1)


@tl.adjoint(opaque)
def opaque_adjoint(y, x):
    d[x] = 2.0 * d[y] * x                                           # noqa: F821


def no_tangent_rule(x):
    return opaque(x) * 1.0


def test_no_tangent_rule():
    """Names do not do without a tangent rule; by identity the adjoint rule gives the tangent."""
    with by_names(), pytest.raises(tl.MissingRuleError, match="no tangent rule for op") as caught:
        tl.jvp(no_tangent_rule, (2.0,), (1.0,))
    assert "test_forward.py" in str(caught.value)
    assert tl.jvp(no_tangent_rule, (2.0,), (1.5,)) == (4.0, 6.0)


def test_views_of_dicts_with_tangents():
    """Of `d.values()` a list is made where its items are taken by number, and of its tangents."""
    class Load:
        def __init__(self, weight):
            self.weight = weight

    def by_class(loads, x):
        totals = {load.__class__.__name__: 0.0 for load in loads}
        for load in loads:
            totals[type(load).__name__] += x * load.weight
        return sum(v ** 2 for v in totals.values())

    given = [Load(1.0), Load(2.0)], 0.7
    value, slope = tl.jvp(by_class, given, (None, 1.0))
    assert value == by_class(*given)
    assert np.isclose(slope, 2.0 * 9.0 * 0.7)
