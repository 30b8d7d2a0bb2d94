"""A condition that the backward pass asks again, where the branch changed what it reads.

What it reads has another name in the branch: a view, a second name, a list, an array of one number.
Each program is compared with differences of itself.
"""
import linecache

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import UnsupportedSyntaxError

X = np.array([0.1, 0.2, 0.3])
VIEW = "w = x * 1.0\nv = w[::-1]\n"
BRANCH = {
    "product": "if v @ v < 1.0:\n    w *= 30.0",
    "minus": "if -v @ v > -1.0:\n    w *= 30.0",
    "scaled": "if (v @ v) * 2 < 1.0:\n    w *= 30.0",
    "sum of products": "u = w[1:]\nif v @ v + u @ u < 1.0:\n    w *= 30.0",
    "elif": "if v @ v > 5.0:\n    w *= 2.0\nelif v @ v < 1.0:\n    w *= 30.0\nelse:\n    w *= 7.0",
    "else": "if v @ v > 1.0:\n    w *= 2.0\nelse:\n    w *= 30.0",
    "abs": "if abs(v @ v) < 1.0:\n    w *= 30.0",
    "not": "if not v @ v > 1.0:\n    w *= 30.0",
    "and": "if v @ v < 1.0 and v @ v > 0:\n    w *= 30.0",
    "or": "if v @ v < 1.0 or v @ v > 1e5:\n    w *= 30.0",
    "chain": "if 0 < v @ v < 1.0:\n    w *= 30.0",
    "transposed": "if v.T @ v < 1.0:\n    w *= 30.0",
    "element of a product": "if (np.eye(3) @ v)[0] < 1.0:\n    w *= 30.0",
    "conditional expression": "k = 30.0 if v @ v < 1.0 else 2.0\nw *= k",
    "while": "while v @ v < 10.0:\n    w *= 3.0",
    "in a loop": "for i in range(4):\n    if v @ v < 10.0:\n        w *= 3.0\n    else:\n"
                 "        w *= 0.5",
    "break": "for i in range(4):\n    if v @ v > 1.0:\n        w *= 0.01\n        break\n"
             "    w *= 3.0 * w[0] + 2.0",
    "continue": "for i in range(4):\n    if v @ v > 1.0:\n        w *= 0.01\n        continue\n"
                "    w *= 3.0 * w[0] + 2.0",
    "return": "if v @ v < 1.0:\n    w *= 30.0\n    return np.sum(w**3)\nw *= 2.0",
    "nested": "if v @ v < 1.0:\n    w *= 30.0\n    if v @ v < 1000.0:\n        w += w * w",
    "out": "if v @ v < 1.0:\n    np.multiply(w, 30.0, out=w)",
    "filled": "if v @ v < 1.0:\n    w[...] = 30.0 * x * x",
    "by elements": "if v @ v < 1.0:\n    for i in range(3):\n        w[i] = w[i] * 30.0",
    "assert": "assert v @ v < 1.0\nw *= 30.0",
    "walrus": "if (s := v @ v) < 1.0:\n    w *= 30.0 * s",
    "remade": "s = v @ v\nw *= 2.0\nw *= s * s",
    "second name of a parameter": "a = x\nb = 2.0 * x\nif b @ a < 1.0:\n    x += 3.0 * np.sum(b)\n"
                                  "w = w + x",
    "one number": "w = w[:1]\na = w[:]\nif a < 1.0:\n    w *= 30.0",
    "one number alone": "w = w[:1]\na = w[:]\nif a:\n    w -= w",
    "no axes": "w = np.array(x[0] * 1.0)\na = w\nif a < 1.0:\n    w += 30.0 * w",
    "range": "k = np.array([1, 2])\nj = k[::-1]\nfor i in range(j @ k - 1):\n    k *= 2\n"
             "    w *= w",
    "range of no axes": "k = np.array(2)\nj = k[...]\nfor i in range(j):\n    k *= 2\n    w *= w",
    "in a list": "l = [1.0]\nm = l\nif 3.0 not in m:\n    l.append(3.0)\n    w *= 30.0",
    "list compared": "l = [1.0]\nm = l\nif m == [1.0]:\n    l.append(3.0)\n    w *= 30.0",
    "empty list": "l = []\nm = l\nif not m:\n    l.append(3.0)\n    w *= 30.0",
    "list alone": "l = [1.0]\nm = l\nif m:\n    l.pop()\n    w *= 30.0",
    "list in a loop": "l = []\nm = l\nfor i in range(3):\n    if not m:\n        l.append(1.0)\n"
                      "        w *= 30.0\n    w = w * w",
    "length of a list": "l = [w]\nm = l\nfor i in range(4):\n"
                        "    if i < len(m) - 1 or i < len(l) * 2:\n"
                        "        l.append(w)\n        w = w * w\n    w = w * 1.1 + l[-1]",
    "length of an array": "for i in range(4):\n    if i < len(w) - 1:\n"
                          "        w = np.append(w, w[0] ** 2)\n    else:\n        w = w[1:] ** 2",
    "length of what is filled":
        "new = w\nfor i in range(4):\n    k = len(new) - i\n    if k > 1:\n"
        "        new = np.zeros(k)\n        for j in range(k):\n"
        "            new[j] = w[j] * w[0]\n        w = new\n    w = w * w",
    "ints": "for i in range(5):\n    k = i % 3\n    if k < 1:\n        w = w * w\n"
            "    elif k == i:\n        w = w * 3.0 * w[0]\n    i = 0",
}


def function(body):
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    name = f"<conditions {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def differences(f, x, step=1e-6):
    return np.array([(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(x.size)])


@pytest.mark.parametrize("body", BRANCH.values(), ids=BRANCH)
def test_branch_changes_what_its_condition_reads(body):
    f = function(VIEW + body + "\nreturn np.sum(w**2)")
    x = X.copy()
    np.testing.assert_allclose(tl.grad(f)(x), differences(f, X), rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(x, X)


def test_condition_that_nothing_changes_stays_in_place():
    f = function("w = x * 1.0\nif w @ w < 1.0:\n    w = w * 30.0\nreturn np.sum(w**2)")
    assert "if w @ w" not in tl.grad(f).source_for(X)       # bound anew: named before, as ever
    f = function("w = x * 1.0\ny = w\nif w @ w < 1.0:\n    y = w * 30.0\nreturn np.sum(y**2)")
    assert tl.grad(f).source_for(X).count("if w @ w < 1.0:") == 2
    np.testing.assert_allclose(tl.grad(f)(X), differences(f, X), rtol=1e-5)


def layers(x, ws):
    h = x
    for k, w in enumerate(ws):
        z = h * w
        h = np.tanh(z) if k < len(ws) - 1 else z
    return np.sum(h)


def test_lengths_are_asked_for_again():
    text = tl.grad(layers, wrt="ws").source_for(X, [X, X])
    assert text.count("if k < len(ws) - 1:\n") == 2 and "cond_tape" not in text
    tl.check_grads(layers, (X, [X, 2.0 * X, X]))


def test_item_of_another_length_takes_the_place_of_the_last():
    def f(x, t):
        items = [x, 2.0 * x]
        s = np.sum(items[-1])
        items[-1] = t
        return s

    def g(x, t):
        items = [x, 2.0 * x]
        s = 0.0
        for i in range(3):
            s = s + np.sum(items[i % 2] ** 2)
            items[i % 2] = t * (i + 1)
        return s

    for h in (f, g):
        x, t = np.array([1.0, 2.0, 3.0]), np.array([0.7])
        bx, bt = tl.grad(h, wrt=(0, 1))(x, t)
        np.testing.assert_allclose(bx, differences(lambda a: h(a, t), x), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(bt, differences(lambda a: h(x, a), t), rtol=1e-6, atol=1e-8)


A = np.array([3.0, 4.0])
OPERATORS = ["x + A", "A + x", "x * A", "A * x", "A - x", "x / A", "x @ A", "A @ x",
             "x + np.float64(3.0)", "np.array(x * 2)", "np.array(x + x)"]


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("text", OPERATORS)
def test_operators_of_lists(text, kind):
    f = function(f"return np.sum(({text}) ** 2)")
    f.__globals__["A"] = A
    found = tl.grad(f)(kind([1.0, 2.0]))
    assert type(found) is kind
    np.testing.assert_allclose(found, differences(lambda x: f(kind(x)), np.array([1.0, 2.0])),
                               rtol=1e-6)


@pytest.mark.parametrize("text", ["x * x", "x + 1.0", "x - x", "x * 1.5", "x / 2.0", "x ** 2"])
def test_operators_that_lists_do_not_know(text):
    f = function(f"return np.sum({text})")
    with pytest.raises(TypeError) as own:
        f([1.0, 2.0])
    with pytest.raises(TypeError) as found:
        tl.grad(f)([1.0, 2.0])
    assert str(found.value).startswith(str(own.value))


def test_deques_put_together_are_refused():
    import collections

    f = function("d = deque(x)\nq = d + d\nreturn q[0] * q[3]")
    f.__globals__["deque"] = collections.deque
    with pytest.raises(UnsupportedSyntaxError):
        tl.grad(f)([1.0, 2.0])
