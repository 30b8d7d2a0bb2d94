"""Tuples, lists and dicts that a helper returns, or is given, hold what the text does not spell out
part by part: comprehensions, `*parts`, `{**parts}`, computed keys."""
import numpy as np
import pytest

import tangent_lite as tl

# What a helper of x (two numbers) and rates (a dict) returns, and what is read of that, t.
RETURNED = {
    "dict comprehension": ("{k: x[0] * rates[k] for k in rates}, 2.0", "t[0]['w'] * t[1]"),
    "of two": ("{k: x[0] * rates[k] for k in rates}, {k: x[1] for k in rates}",
               "t[0]['w'] * t[1]['b']"),
    "in a list": ("[{k: x[0] * rates[k] for k in rates}, {'w': x[1], 'b': 1.0}]",
                  "t[0]['w'] * t[1]['w']"),
    "in a dict": ("{'a': {k: x[0] * rates[k] for k in rates}, 'c': x[1]}", "t['a']['b'] * t['c']"),
    "two deep": ("({'q': {k: x[0] * x[1] * rates[k] for k in rates}},)", "t[0]['q']['w']"),
    "list comprehension": ("[v * v for v in x], {'s': [v for v in x]}", "t[0][1] * t[1]['s'][0]"),
    "generator": ("(v * v for v in x), x[0]", "sum(t[0]) * t[1]"),
    "parts of an array": ("(*x, 2.0), x[1]", "sum(t[0]) * t[1]"),
    "parts of a list": ("[*[v * v for v in x], x[0]], x[1]", "sum(t[0]) * t[1]"),
    "parts in front": ("[[*x, 1.0], [x[0], *x]], 2.0", "t[0][0][1] * t[0][1][2] * t[1]"),
    "parts of a dict": ("{**rates, 'b': x[1]}, x[0]", "t[0]['b'] * t[0]['w'] * t[1]"),
    "parts of a dict that varies": ("{**{'a': x[0]}, 'b': x[1]}, 2.0",
                                    "t[0]['a'] * t[0]['b'] ** 2"),
    "a computed key": ("{'q': {str(len(x)): x[0] ** 2, 'b': x[1]}}, 1.0",
                       "t[0]['q']['2'] * t[0]['q']['b']"),
}
TEXT = """
def helper(x, rates):
    return {returned}
def taken(t):
    return {read}
def f(x):
    rates = {{"w": 2.0, "b": 3.0}}
    t = helper(x, rates)
    return {read}
def given(x):
    rates = {{"w": 2.0, "b": 3.0}}
    return taken(({returned}))
"""


@pytest.mark.parametrize("case", RETURNED)
@pytest.mark.parametrize("name", ["f", "given"])
def test_each_part_has_an_adjoint(case, name, tmp_path):
    returned, read = RETURNED[case]
    text = TEXT.format(returned=returned, read=read)
    path = tmp_path / "program.py"
    path.write_text(text)
    space = {"__name__": "program"}
    exec(compile(text, str(path), "exec"), space)
    f = space[name]
    x = np.array([0.3, 0.7])
    wanted = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(2)]
    assert np.max(np.abs(wanted)) > 0.1
    value, found = tl.value_and_grad(f)(x)
    assert value == f(x)
    assert np.allclose(found, wanted, rtol=1e-7, atol=1e-8)
    assert np.allclose(tl.vjp(f, x)[1](1.0)[0], wanted, rtol=1e-7, atol=1e-8)
    assert np.allclose([tl.jvp(f, (x,), (e,))[1] for e in np.eye(2)], wanted, rtol=1e-7, atol=1e-8)


def in_a_set(x):
    return {v * v for v in x}, 2.0


def of_a_set(x):
    return sum(in_a_set(x)[0])


def test_what_has_no_adjoint_is_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match="a float is put into a set") as caught:
        tl.grad(of_a_set)(np.array([0.3, 0.7]))
    assert "return {v * v for v in x}, 2.0" in str(caught.value)


def updated(params, slopes, m, rate):
    new_m = {k: 0.9 * m[k] + 0.1 * slopes[k] for k in m}
    return {k: params[k] - rate * new_m[k] for k in params}, new_m


def trained(x, y, rate, n):
    params, m = {"w": np.zeros(3), "b": 0.0}, {"w": np.zeros(3), "b": 0.0}
    for _ in range(n):
        r = x @ params["w"] + params["b"] - y
        params, m = updated(params, {"w": r @ x, "b": np.sum(r)}, m, rate)
    return np.sum(params["w"] ** 2)


def test_training_with_momentum():
    x, y = np.arange(12.0).reshape(4, 3) / 10.0, np.ones(4)
    tl.check_grads(lambda x, rate: trained(x, y, rate, 10), (x, 0.01))
