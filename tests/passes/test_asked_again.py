"""Conditions on elements and on what is recorded: asked again in the backward pass, not recorded.

Each program is compared with differences of itself. Conditions on what was overwritten meanwhile
are recorded; those are here as well, under every name by which an element may be written.
"""
import linecache

import numpy as np
import pytest

import tangent_lite as tl

HEAD = "t = 0.0\nfor k in range(len(w)):\n"
ASKED = {
    "elements": HEAD + "    if w[k] > 0:\n        t += w[k] ** 2\n    elif w[k] < -1:\n"
                       "        t -= 0.5 * w[k]\nreturn t",
    "items": "t = 0.0\nfor v in w:\n    if v > 0:\n        t += v ** 2\n    else:\n"
             "        t -= v\nreturn t",
    "continue": "t = 0.0\nfor p, q in zip(w, w[::-1]):\n    if q <= 0:\n        continue\n"
                "    t += p * q\nreturn t",
    "differences": HEAD + "    if k > 0 and w[k] - w[k - 1] > 0.2 * w[0]:\n"
                          "        t += w[k] ** 2 * w[k - 1]\nreturn t",
    "what is recorded": HEAD + "    r = w * w[k]\n    r2 = np.dot(r, r)\n    if r2 > 0.5:\n"
                               "        t += np.sqrt(r2)\nreturn t",
    "comprehension": "return sum([v * np.sin(v) for v in w if v > 0.1])",
    "bound anew around": "t = 0.0\nfor s in range(2):\n    for k in range(len(w)):\n"
                         "        if w[k] > 0:\n            t += w[k] ** 2\n"
                         "    w = np.tanh(w) + s * w[0]\nreturn t + w.sum()",
}
RECORDED = {
    "element written": "w = w * 1\n" + HEAD + "    if w[k] > 0:\n        w[k] = -3.0 * w[k] ** 2\n"
                       "    t += w[k] ** 2\nreturn t",
    "by a view": "y = w * 1\nz = y[::-1]\n" + HEAD + "    if y[k] > 0:\n        t += y[k] * w[k]\n"
                 "    z[k] = -2.0 * y[k] * y[k]\nreturn t",
    "by a helper": "y = w * 1\n" + HEAD + "    if y[k] > 0:\n        t += y[k] ** 3\n"
                   "    bump(y, (k + 1) % len(y))\nreturn t",
    "item of a list": "xs = [v * v for v in w]\n" + HEAD + "    if xs[k] > 0.3:\n"
                      "        t += xs[k] * xs[-1]\n        xs[-1] = 0.5 * xs[k] * xs[k]\nreturn t",
    "bound anew": HEAD + "    if w[k] > 0.1:\n        t += w[k] ** 2\n"
                         "    w = 0.7 * w - 0.05 * w[0]\nreturn t + w.sum()",
    "row of what is written": "A = np.outer(w, w) + w\n" + HEAD + "    row = A[k]\n"
                              "    for j in range(len(w)):\n        if row[j] > A[j, k]:\n"
                              "            t += row[j] ** 2\n        A[k, j] = 0.3 * A[j, k] ** 2\n"
                              "return t",
}


def bump(y, k):
    y[k] = 0.5 * y[k] * y[k] - 1.0


def made(body):
    text = "def f(w):\n    " + body.replace("\n", "\n    ") + "\n"
    name = f"<asked again {hash(body)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {"np": np, "bump": bump}
    exec(compile(text, name, "exec"), names)
    return names["f"]


@pytest.mark.parametrize("body", [*ASKED.values(), *RECORDED.values()], ids=[*ASKED, *RECORDED])
def test_gradient(body):
    f = made(body)
    for w in (np.array([0.7, -1.3, 0.4, -0.2]), np.array([-0.3, 0.9, 1.1, 0.05])):
        differences = [(f(w + 1e-6 * e) - f(w - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
        np.testing.assert_allclose(tl.grad(f)(w), differences, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("body", ASKED.values(), ids=ASKED.keys())
def test_is_not_recorded(body):
    assert "cond_tape" not in tl.grad(made(body)).source_for(np.ones(4))


def test_exit_of_a_loop_stays_a_flag_where_asking_takes_operations():
    f = made("x, y = w[0], w[1]\nfor k in range(9):\n    if x * x + y * y > 4.0:\n        break\n"
             "    x, y = x * x - y * y + 0.3, 2.0 * x * y + 0.6\nreturn x * y")
    text = tl.grad(f).source_for(np.ones(2))
    assert "cond = False" in text and "cond_tape" not in text
