"""Arrays with an axis of one item: found in the text, so that nothing is compiled twice."""
import gast
import numpy as np
import pytest

import tangent_lite as tl

numba = pytest.importorskip("numba")

from tangent_lite import runtime  # noqa: E402
from tangent_lite.backends.numba_elements import OtherShapes  # noqa: E402
from tangent_lite.backends.numba_groups import Group  # noqa: E402
from tangent_lite.backends.numba_loops import written  # noqa: E402
from tangent_lite.backends.numba_numpy import np_mean, np_zeros_like  # noqa: E402
from tangent_lite.backends.numba_thin import thin_names  # noqa: E402
from tests.backends.comparing import held  # noqa: E402

MEANINGS = {"np.sqrt": np.sqrt, "np.mean": np_mean, "unbroadcast": runtime.unbroadcast,
            "np.zeros_like": np_zeros_like}


def found(text):
    tree = gast.parse(f"def f(x, n):\n{text}").body[0]
    return thin_names(tree, lambda node: MEANINGS.get(
        f"{node.value.id}.{node.attr}" if isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name) else getattr(node, "id", None)))


@pytest.mark.parametrize(("text", "thin"), [
    ("m = np.mean(x, axis=-1, keepdims=True)", {"m": -1}),
    ("m = np.mean(x, axis=-1)", {}),
    ("y = x[:, None]", {"y": 1}),
    ("y = x[None]", {"y": 0}),
    ("y = x[:, 2:3]", {"y": 1}),
    ("y = x[:, 2:4]", {}),
    ("y = x[:, -1:0]", {}),                     # it is empty
    ("y = x[n, None]", {}),
    ("y = x[0, :]", {}),
    ("y = x[:, None, :, None]", {}),
    ("m = x[:, None]\n s = -np.sqrt(m + 1e-5)", {"m": 1, "s": 1}),
    ("m = x[:, None]\n s = m * x", {"m": 1}),
    ("m = x[:, None]\n z = np.zeros_like(m)\n b = unbroadcast(x, m)", {"m": 1, "z": 1, "b": 1}),
    ("m = x[:, None]\n m = m * 2.0", {"m": 1}),
    ("m = x[:, None]\n m = x", {}),
    ("m = x[:, None]\n saved = (x, (m, 1.0))\n y, part = saved\n m_1, k = part",
     {"m": 1, "m_1": 1}),
    ("tape = []\n for k in range(n):\n  m = x[:, None]\n  tape.append((m, x))\n"
     " for k in range(n):\n  m_1, y = tape.pop()", {"m": 1, "m_1": 1}),
    ("tape = []\n tape.append(x[:, None])\n tape.append(x)\n y = tape.pop()", {}),
    ("t = x\n for k in range(n):\n  t = (t, t)", {}),
    ("for m in x:\n  m = x[:, None]", {}),
])
def test_names(text, thin):
    assert found(" " + text) == thin


def layer_norm(x, g, b):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + 1e-5) + b


def normed_twice(x, layers):
    for g, b in layers:
        x = x + np.tanh(layer_norm(x, g, b))
    return np.sum(x * x)


def part_of_gates(x, w, n):
    total = np.zeros(w.shape[1])
    for k in range(3):
        z = np.tanh(x @ w + total)
        z[:, :n] += 0.5 * x[:, :n]
        total = total + np.sum(z, axis=0)
    return np.sum(total * total)


X = np.linspace(-1.0, 1.0, 12).reshape(3, 4)


@pytest.mark.parametrize(("function", "args"), [
    (normed_twice, (X, [(np.ones(4), np.zeros(4)), (0.5 * np.ones(4), np.ones(4))])),
    (part_of_gates, (X, np.cos(np.arange(24.0)).reshape(4, 6), 3))])
@pytest.mark.sweep(2)
def test_compiled_once(function, args):
    gradient = tl.grad(function, backend="numba")
    np.testing.assert_allclose(gradient(*args), tl.grad(function)(*args), rtol=1e-10)
    compiled = gradient._latest.compiled
    assert compiled.how == "loops" and not compiled.whole
    tl.check_grads(function, args, order=1)


def test_a_part_that_is_the_whole():
    args = (X, np.cos(np.arange(16.0)).reshape(4, 4), 4)
    np.testing.assert_allclose(tl.grad(part_of_gates, backend="numba")(*args),
                               tl.grad(part_of_gates)(*args), rtol=1e-10)


def test_not_as_thin_as_it_looks():
    """`x[:, None] + v[:, None]` is called thin, whatever the numbers of axes are; loops ask."""
    group = Group("loops", gast.parse("y = s * w").body, ["s", "w"], ["y"], {"s": 1})
    kinds = dict.fromkeys(group.parameters, numba.types.Array(numba.float64, 2, "C"))
    run = numba.njit(written(group, kinds, lambda node: None, {}, False, False))
    np.testing.assert_array_equal(run(X[:, :1].copy(), X), X[:, :1] * X)
    for s in (X, X[:, :0].copy()):
        with pytest.raises(OtherShapes):
            run(s, X)


def stretched_by_itself(x, v, w):
    s = x[:, None] + v[:, :1]
    total = 0.0
    for _ in range(2):
        u = s * w
        total = total + np.sum(np.exp(u) * u)
    return total


@pytest.mark.slow
def test_more_axes_than_it_looks():
    held(stretched_by_itself, [(np.cos(np.arange(8.0)).reshape(2, 4), X[:, :2],
                                np.sin(np.arange(24.0)).reshape(2, 3, 4))])
