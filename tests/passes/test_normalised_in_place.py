"""Arrays that are divided in place by what is made of themselves: bound anew where nobody sees it.

Each program is compared with differences of itself, and its value with that of the function, to the
bit and in its type, whatever the type of the array is. Where another name, a view, a list or an
object holds the array too, a division in place is seen there, and the derivative says so.
"""
import linecache

import numpy as np
import pytest

import tangent_lite as tl

BODIES = {
    "softmax": "p = np.exp(x - x.max())\np /= p.sum()\nreturn p @ np.log(p)",
    "rows": "p = np.exp(np.outer(x, x))\np /= p.sum(axis=-1, keepdims=True)\n"
            "return np.sum(p[0] ** 2)",
    "centred": "w = x.copy()\nw -= w.mean()\nw /= np.sqrt((w ** 2).sum())\nreturn w @ np.sin(x)",
    "loop": "v = x * 1\nfor k in range(3):\n    v = np.tanh(v) + x\n    v /= np.linalg.norm(v)\n"
            "return v @ np.cos(v)",
    "loop of one array": "v = x * 1\nfor k in range(3):\n    v *= v.sum()\n"
                         "    v /= np.sum(v ** 2)\nreturn v @ np.cos(v)",
    "second name": "v = x * 1\nu = v\nv /= v.sum()\nreturn u @ np.cos(x)",
    "second name behind it": "v = x * 1\nv /= v.sum()\nu = v\nu[0] = 2 * u[1]\n"
                             "return v @ np.cos(x)",
    "view": "v = x * 1\nu = v[::-1]\nv /= v.sum()\nreturn u @ np.cos(x)",
    "view behind it": "v = x * 1\nv /= v.sum()\nu = v[1:]\nv *= v.max()\nreturn np.sum(u ** 3)",
    "view in a loop": "v = x * 1\nt = 0\nu = v\nfor k in range(2):\n    v /= v.sum() + 1\n"
                      "    t = t + u[0] ** 2\nreturn t",
    "list": "v = x * 1\nvs = [v]\nv /= v.sum()\nreturn vs[0] @ np.cos(x)",
    "list in a loop": "v = x * 1\nvs = []\nfor k in range(3):\n    vs.append(v)\n    v /= v.sum()\n"
                      "return sum([np.sum(one ** 2) for one in vs])",
    "dict": "d = {'v': x * 1}\nv = d['v']\nv /= v.sum()\nreturn d['v'] @ np.cos(x)",
    "object": "v = x * 1\no = Held(v)\nv /= v.sum()\nreturn o.v @ np.cos(x)",
    "object behind it": "o = Held(None)\nv = x * 1\no.v = v\nv /= v.sum()\nreturn o.v @ np.cos(x)",
    "helper": "v = x * 1\nu = same(v)\nv /= v.sum()\nreturn u @ np.cos(x)",
    "helper that writes": "v = x * 1\nshrink(v)\nreturn v @ np.cos(x)",
    "branch": "v = x * 1\nu = x * 2\nif x[0] > 0:\n    u = v\nv /= v.sum()\nreturn u @ np.cos(x)",
    "branch around it": "v = x * 1\nif x[0] > 0:\n    v /= v.sum()\nelse:\n    v *= v.max()\n"
                        "return v @ np.cos(x)",
    "by another": "v = x * 1\nw = np.sin(x)\nv /= w.sum()\nv *= w\nreturn v @ np.cos(x)",
    "elements too": "v = x * 1\nv /= v.sum()\nv[0] *= v[1]\nv /= v.sum()\nreturn v @ np.cos(x)",
    "closure": "v = x * 1\ndef f():\n    return v @ np.cos(x)\nv /= v.sum()\nreturn f()",
    "argument": "x /= x.sum()\nreturn x @ np.cos(x)",
    "try": "v = x * 1\ntry:\n    v /= v.sum()\nexcept ValueError:\n    pass\nreturn v @ np.cos(x)",
    "no dimensions": "v = np.array(x[0])\nu = v\nv /= v.sum() + 1\nreturn u * x[1]",
}


class Held:
    def __init__(self, v):
        self.v = v


def same(v):
    return v


def shrink(v):
    v /= v.sum()


def made(body):
    text = "def f(x):\n    " + body.replace("\n", "\n    ") + "\n"
    name = f"<normalised {hash(body)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {"np": np, "Held": Held, "same": same, "shrink": shrink}
    exec(compile(text, name, "exec"), names)
    return names["f"]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_derivative_and_value(body):
    f = made(body)
    x = np.array([0.7, 1.3, 0.4])
    value, gradient = tl.value_and_grad(f)(x)
    assert value == f(x.copy())
    np.testing.assert_array_equal(x, [0.7, 1.3, 0.4])
    differences = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(gradient, differences, rtol=1e-6, atol=1e-8)
    _, tangent = tl.jvp(f, (x,), (np.ones(3),))
    np.testing.assert_allclose(tangent, np.sum(differences), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("name", ["softmax", "rows", "centred", "loop", "by another"])
def test_type_stays(name, dtype):
    f = made(BODIES[name])
    x = np.array([0.7, 1.3, 0.4], dtype)
    value, gradient = tl.value_and_grad(f)(x)
    expected = f(x.copy())
    assert value == expected and value.dtype == expected.dtype
    assert gradient.dtype == dtype


def test_nothing_is_copied_for_a_softmax():
    text = tl.grad(made(BODIES["softmax"])).source_for(np.ones(3))
    assert "copy" not in text and "p_1 = p / sum_p" in text
