"""Arrays without dimensions: what NumPy computes with them are numbers, which nobody can write to.

So a number and its tangent must not be an array that changes later, and the tangent or adjoint of
an array that is written has to be one. Each program makes such an array (or a number, or what may
be either) in one way and changes it in another; all are held to differences.
"""
import linecache

import numpy as np
import pytest

import tangent_lite as tl

MADE = [
    "np.array(b[0])", "np.copy(b[0])", "np.full((), b[0])", "np.full_like(b[0], b[1])",
    "np.zeros(()) + b[1]", "np.where(b[0] > 0, b[1], b[2])", "np.select([b[0] > 0], [b[1]], b[2])",
    "np.squeeze(b[1:2])", "np.squeeze(b[0])", "np.transpose(b[0])", "np.transpose(float(b[0]))",
    "np.tensordot(b, b, 1)", "np.einsum('i,i', b, b)", "np.reshape(b[1:2], ())", "np.flip(b[0])",
    "np.flip(np.array(b[0]))", "np.roll(b[0], 1)", "b.sum()", "b[1]", "b[1, ...]", "b[..., 1]",
    "m[0, 1]", "m[0, 1, ...]", "m[0, ..., 1]", "m[0][1, ...]", "m[:, 0][1, ...]", "m.T[0, 1, ...]",
    "np.modf(np.array(b[0]))[0]", "b[np.array(1), ...]", "np.array(b.sum())", "b[1:2][0, ...]",
    "b.copy()[0, ...]", "np.diagonal(m)[0]", "np.ravel(m)[1, ...]", "np.clip(np.array(b[0]), 0, 1)",
    "-np.array(b[0])", "np.nan_to_num(np.array(b[0]))", "np.vectorize(lambda t: t * 2)(b[0])",
    "np.choose(1, [b[0], b[1]])", "np.stack([b, b])[0, 1, ...]", "np.float64(b[0])", "float(b[0])",
    "np.array(b[0])[()]", "np.array(b[0]).T", "np.array(b[0]).reshape(1)[0]",
    "np.array(np.squeeze(b[1:2]))", "np.ones(()) * b[0]", "np.interp(b[0], [0, 1], b[:2])",
]
CHANGED = {
    "read as a whole, and by an index":
        "a = np.array(w)\nc = np.array(a[()] * 2 + a)\nreturn a[()] * a * c + np.sum(b * b)",
    "two names": "z = w\nz *= 2\nz += w\nreturn w * z + np.sum(b * b * b) + np.sum(m * m * m)",
    "a number of it": "z = w * 1.0\nz *= x[0]\nu = w\nu -= z\nreturn u * w * z + np.sum(b * b)",
    "a sum of it": "z = w + 1.0\ny = z\nz += x[1]\nw *= x[0]\nreturn w * y * z + m[0, 1] * b[1]",
    "with others": "w += x[2]\nw *= w\nb *= 2\nm += x[0]\n"
                   "return w * w + np.sum(b * b * w) + np.sum(m * m * w)",
    "in a loop": "s = 0.0\nfor v in x:\n    w *= v\n    s = s + w\n"
                 "return s * w + np.sum(b * m[0, 1])",
}
X, V = np.array([0.5, 1.7, 0.9]), np.array([0.3, 1.0, -0.7])
HEAD = "def f(x):\n    b = x.copy()\n    m = np.outer(x[:2], x[1:])\n    w = {made}\n"


def function(made, changed):
    text = HEAD.format(made=made) + "".join(f"    {line}\n" for line in changed.split("\n"))
    filename = f"<without dimensions: {made}; {changed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space = {"np": np}
    exec(compile(text, filename, "exec"), space)
    return space["f"]


@pytest.mark.parametrize("changed", CHANGED)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.sweep(7)
def test_without_dimensions(made, changed):
    f = function(made, CHANGED[changed])
    wanted = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    value, gradient = tl.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)
    value, slope = tl.jvp(f, (X,), (V,))
    assert value == f(X)
    np.testing.assert_allclose(slope, wanted @ V, rtol=1e-6)
    wanted = (tl.grad(f)(X + 1e-5 * V) - tl.grad(f)(X - 1e-5 * V)) / 2e-5
    np.testing.assert_allclose(tl.hvp(f)(X, V), wanted, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(tl.grad(lambda y: np.sum(tl.grad(f)(y) * V))(X), wanted, rtol=1e-5,
                               atol=1e-7)
