"""What helpers return belongs to their callers: these may write to it, whatever is saved of it."""

import itertools

import numpy as np
import pytest

import tangent_lite as tl

RETURNS = {
    "one": "np.exp(v)", "sum": "v + 1.0", "both": "np.exp(v), np.exp(v)",
    "copies": "v.copy(), v.copy()", "zeros": "np.zeros(3), np.zeros(3)",
    "products": "v * v, v * v", "shifted": "v + 1.0, v - 2.0", "negative": "-v, -v",
    "and a square": "np.exp(v), np.exp(v) * np.exp(v)", "reversed": "v[::-1] + 1.0, v + 1.0",
    "list": "[v * 2.0, v * 2.0]", "dict": "{0: v * 2.0, 1: v * 2.0}", "nested": "(v, v * 1.0)[1]",
    "through": "again(v), again(v)", "twice": "same(v)",
    "twice in a list": "listed(v)", "transposed": "(np.outer(v, v).T + 1.0)[0], v * 1.0",
}
USES = {
    "scaled": "a *= 2.0", "both": "a *= 2.0; b -= a", "added": "a += x; b += x * x",
    "elements": "a[1] = 3.0; b[0] = a[2] * 2.0", "argument": "x[2] = 1.0",
    "out": "np.sin(b, out=b)",
    "in a loop": "for k in range(3): a[k] = a[k] * b[k]", "not at all": "pass",
}
TEXT = """
import numpy as np
def again(v):
    w = np.exp(v)
    return w
def same(v):
    w = v * 2.0
    return w, w
def listed(v):
    w = v * 2.0
    return [w, w]
def helper(v):
    return {returned}
def f(x):
    x = x * 1.0
    t = helper(x)
    {taken}
    {used}
    return np.sum(np.sin(a) * b + b * b + x)
def g(x):
    t = helper(x)
    {taken}
    {used}
    return a, b
def outer(x):
    a, b = g(x * 1.0)
    b *= a
    return np.sum(np.sin(a) * b)
"""


@pytest.mark.parametrize("returned, used", [*itertools.product(RETURNS, USES)])
@pytest.mark.sweep(8)
def test_callers_write_to_results(returned, used, tmp_path):
    single = returned in ("one", "sum", "nested")
    text = TEXT.format(returned=RETURNS[returned],
                       taken="a = t; b = x * 3.0" if single else "a = t[0]; b = t[1]",
                       used=USES[used])
    path = tmp_path / "program.py"
    path.write_text(text)
    space = {"__name__": "program"}
    exec(compile(text, str(path), "exec"), space)
    x = np.array([0.1, 0.2, 0.3])
    for name in ("f", "outer"):
        if name == "outer" and used == "argument":
            continue                            # g would change what it is given
        f = space[name]
        wanted = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
        value, found = tl.value_and_grad(f)(x)
        assert np.isclose(value, f(x), rtol=1e-12)
        assert np.allclose(found, wanted, rtol=1e-6, atol=1e-7)
        pushed = [tl.jvp(f, (x,), (e,))[1] for e in np.eye(3)]
        assert np.allclose(pushed, wanted, rtol=1e-6, atol=1e-7)
        assert x.tolist() == [0.1, 0.2, 0.3]


def pair(x):
    return x * 2.0, x * 2.0


def test_results_are_two_arrays():
    x = np.ones(3)
    (a, b), _ = tl.vjp(pair, x)
    assert a is not b and not np.shares_memory(a, b)
    (a, b), (da, db) = tl.jvp(pair, (x,), (x,))
    assert not np.shares_memory(a, b) and not np.shares_memory(da, db)


def softmax(v):
    e = np.exp(v - np.max(v))
    return e / np.sum(e)


def cross_entropy(x):
    p = softmax(x)
    p -= np.array([1.0, 0.0, 0.0])
    return np.sum(p ** 2)


def test_softmax_that_is_changed_in_place():
    x = np.array([0.1, 0.2, 0.3])
    wanted = [(cross_entropy(x + e) - cross_entropy(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    assert np.allclose(tl.grad(cross_entropy)(x), wanted, rtol=1e-6)
    assert np.allclose(tl.hvp(cross_entropy)(x, np.ones(3)), np.sum(
        [tl.hvp(cross_entropy)(x, e) for e in np.eye(3)], axis=0))
