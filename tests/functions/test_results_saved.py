"""What a helper returns and its backward half reads: callers that change it put it back. The name
under which it is saved may have meant something else before, of another kind."""
import numpy as np
import pytest

import tangent_lite as tl


def appended(v, seen=None):
    seen = [] if seen is None else seen
    seen.append(v)
    return seen


def with_first(v, seen=None):
    if seen is None:
        seen = [v]
    seen.append(v * seen[0])
    return seen, v * v


def as_array(v):
    v = np.array([v, 2.0 * v])
    v[1] = v[0] * v[1]
    return v


def as_dict(v):
    v = {"a": v}
    v["b"] = v["a"] ** 2
    return v


def appends_again(x):
    a = appended(x)
    a.append(x * x)
    return sum(a)


def appends_by_the_helper(x):
    a = appended(x)
    b = appended(x * x, a)
    c = appended(3.0 * x, b)
    return sum(a) * len(b) + c[-1]


def writes_over(x):
    a, y = with_first(x)
    a.append(x * y)
    a[0] = 3.0 * y
    return sum(v * v for v in a)


def writes_into_the_array(x):
    a = as_array(x)
    a[0] = 5.0 * x
    a *= a[0]
    return a @ a


def writes_into_the_dict(x):
    d = as_dict(x)
    d["a"] = x ** 3
    d["b"] *= d["a"]
    return d["a"] + d["b"]


@pytest.mark.parametrize("f", [appends_again, appends_by_the_helper, writes_over,
                               writes_into_the_array, writes_into_the_dict])
def test_of_another_kind_before(f):
    value, slope = tl.value_and_grad(f)(0.7)
    assert value == f(0.7)
    assert slope == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-7)
    assert tl.jvp(f, (0.7,), (1.0,))[1] == pytest.approx(slope, rel=1e-12)
