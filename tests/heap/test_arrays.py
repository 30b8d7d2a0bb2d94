"""Reading arrays and writing into them: right whatever leads to the memory."""
import os

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import held

X = "np.array([1.5, 0.7, 2.2])"
M = "np.array([[1.5, 0.7, 2.2], [0.4, 1.9, 0.8]])"

# Each body stands between `y = x * x` and `return np.sum(y * y * weights)`.
BODIES = [
    (X, "y[0] = y[1] * y[2]"), (X, "y[1:] = y[:2] * 3.0"), (X, "y[::-1][0] = x[0] * 2.0"),
    (X, "y[[0, 2]] = x[:2]"), (X, "y[[0, 0, 1]] = x"), (X, "y[[0, 0]] += x[:2]"),
    (X, "y[y > 1.0] *= 2.0"), (X, "y[-1] -= x[0]"), (X, "y[...] = x.sum()"),
    (X, "y[:] = [x[0], 1.0, x[1]]"), (X, "y[True] = x[0]"), (X, "y[None, 1] = x[0]"),
    (X, "y += x"), (X, "y *= y"), (X, "y **= 2"), (X, "y -= 1"), (X, "y /= x + y"),
    (X, "y //= 0.3"), (X, "y += y"), (X, "y[1:] += y[:-1]"), (X, "y[:-1] *= y[1:]"),
    (M, "y[0] = y[1]"), (M, "y[:, 0] = y[:, 1] * x[0, 0]"), (M, "y[0, [0, 0, 1]] += x[1]"),
    (M, "y.T[1] = x[:, 0]"), (M, "y[np.ix_([0, 1], [2, 0])] *= 2.0"), (M, "y[1, ...] = 3.0"),
    (M, "y[y > 1.0] = x[0, 0]"), (M, "y @= np.eye(3) * x[0, 0]"),
    (M, "y.reshape(-1)[4] = x[0, 0]"), (M, "y.ravel()[1:3] *= x[1, :2]"),
    (M, "y.T.ravel()[0] = 9.0"), (M, "v = y[::-1, ::2]\nv[0, 0] = x[0, 0]\nv += 1.0"),
    (M, "v = np.broadcast_to(x[0], (2, 3))\ny[...] = v * y"),
    (M, "for row in y:\n    row *= x[0]\n    row[0] = 1.0"),
    (M, "for row in y:\n    y[1] = row * 2.0"),
    (X, "np.multiply(y, x, out=y)"), (X, "np.add(x, 1.0, y)"), (X, "np.exp(y, out=y, where=y < 1)"),
    (X, "np.cumsum(y, out=y)"), (M, "np.sum(y, axis=0, out=y[0])"), (X, "np.clip(y, 0.6, 2.0, y)"),
    (X, "np.add.at(y, [0, 0, 1], x)"), (X, "np.subtract.at(y, 0, x[1])"),
    (X, "y.sort()"), (M, "y.sort(axis=0)"), (X, "y.fill(x[1])"), (X, "y.put([0, 0, 4], x, "
     "mode='wrap')"),
    (X, "np.put(y, [2, 0], x[:1])"), (X, "np.copyto(y, x, where=x > 1.0)"),
    (X, "np.putmask(y, y > 1.0, x[0])"), (X, "np.place(y, y > 1.0, x[0])"),
    ("np.diag([1.5, 0.7, 2.2])", "np.fill_diagonal(y, x[0, 0])"),
    (X, "y.__setitem__(0, x[1])"), (X, "s = y.sort\ns()"), (X, "a = [y, y]\na[0][1] = a[1][0]"),
    (X, "i = np.array([0, 1])\ny[i] = x[:2]\ni[0] = 2\ny[i] *= x[1:]"),
    (X, "v = np.asarray(y)\nv[0] = 2.0"), (X, "v = np.array(y)\nv[0] = 2.0\ny = y * v"),
    (X, "v = y.view()\nv[0] = x[1]"), (X, "v = y.copy()\nv[0] = x[1]\ny[1] = v[0] + v[2]"),
    (X, "v = y.tolist()\ny[0] = 1.0\nv[1] = v[0] * 2.0\ny[2] = v[1]"), (X, "y[0] = y.item(1)"),
    (X, "y.shape\ny.flags.writeable\ny[0] = y.size"), (M, "y[0] = y.T.dot(x[:, 0])"),
    (X, "k = y.argmax()\ny[k] = x[0]"), (X, "y.setflags(write=True) if False else None\n"
     "y[0] = 1.0"),
]


@pytest.mark.parametrize("given, body", BODIES, ids=lambda v: v.split("\n")[0])
@pytest.mark.sweep(8)
def test_writes(given, body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    held("def f(x):\n    y = x * x\n    z = np.sum(np.sin(y))\n" + lines +
         "    return np.sum(y * y * np.arange(1.0, 1.0 + y.size).reshape(y.shape)) + z\n", given)


COMPLEX = [
    "y = z * z\n    y[0] = np.conj(y[1])\n    return np.abs(y[0] * y[2])",
    "y = z * z\n    y.real[0] = 2.0\n    return np.abs(np.sum(y * z))",
    "y = np.zeros(3, complex)\n    y[:] = np.abs(z)\n    y *= z\n    return np.abs(np.sum(y))",
    "y = z.real * z.imag\n    y[0] = 3.0\n    return np.sum(y * y)",
]


@pytest.mark.parametrize("body", COMPLEX)
def test_complex(body):
    """|f| along each direction of the plane: the gradient is that of JAX and autograd."""
    from tests.heap.referee import world
    z = np.array([1.5 + 0.5j, 0.7 - 1.2j, 2.2j])
    f = world(f"def f(z):\n    {body}\n")["f"]
    with by_identity():
        value, found = tl.value_and_grad(f)(z)
    assert value == f(z.copy())
    step = 1e-6
    for k in range(3):
        for unit in (1.0, 1j):
            moved = [z.copy() for _ in range(2)]
            moved[0][k] += step * unit
            moved[1][k] -= step * unit
            slope = (f(moved[0]) - f(moved[1])) / (2.0 * step)
            assert slope == pytest.approx(np.real(found[k] * unit), rel=1e-6, abs=1e-8)


def test_float32_stays_float32():
    held("def f(x):\n    y = x * x\n    y[0] = y[1] * 2.0\n    y += x\n    return np.sum(y * y)\n",
         "np.array([1.5, 0.7, 2.2], np.float32)", rtol=5e-3)


@pytest.mark.slow
def test_backward_pass_costs_what_the_forward_pass_costs():
    """Reading and writing one element is no sweep over the array: 4000 of a long one, each some
    milliseconds if it were, and the processor's own time for it (not that of new memory)."""
    from tests.heap.referee import world
    f = world("def f(x):\n    s = 0.0\n    for k in range(2000):\n        x[k] = x[k] * 2.0\n"
              "        s = s + x[k] * x[k]\n    return s\n")["f"]
    spans = []
    for size in (2_000, 2_000_000):
        with by_identity():
            d = tl.grad(f)
            d(np.ones(size))
            began = os.times().user
            d(np.ones(size))
            spans.append(os.times().user - began)
    assert spans[1] < 3.0 * spans[0] + 5.0


@pytest.mark.parametrize("offset", [0, 1, 4, 7, 8])
def test_arrays_that_lie_in_bytes(offset):
    """As those do that came from another process: Dask's workers hold what was sent to them."""
    def swapped(x):
        items = [x, 2.0 * x]
        items[0], items[1] = items[1], items[0]
        items[0][0] = 5.0
        items[1][1] = 3.0 * x[0]
        return np.sum(items[0] * items[1])

    whole = np.arange(1.0, 4.0)
    message = np.zeros(offset + 24 + 5, np.uint8)
    message[offset:offset + 24] = np.frombuffer(whole.tobytes(), np.uint8)
    part = message[offset:offset + 24].view(float)
    np.testing.assert_array_equal(tl.grad(swapped)(part), tl.grad(swapped)(whole))
    np.testing.assert_array_equal(part, whole)


@pytest.mark.parametrize("number", [0.5, np.float64(0.5), np.array(0.5), np.array([0.5])])
def test_a_number_that_is_spread_counts_once(number):
    """The elements of np.broadcast_to(b, shape) lie at one place, in memory that b does not own."""
    def spread(x, b):
        found = {"a": np.broadcast_to(b, x.shape) * 1.0}
        e = found["a"]
        e += x
        found["z"] = e
        found["a"][0] = x[1] * x[2]
        return np.sum(found["z"] ** 2)

    x = np.array([0.3, 0.5, 0.9])
    tl.check_grads(spread, (x, number), order=2)
    np.testing.assert_allclose(tl.grad(spread, "b")(x, number), 2 * (2 * 0.5 + x[1] + x[2]))


def test_matrices_made_of_one_number_or_row():
    def spread(x, b):
        rows = [np.broadcast_to(b, (2, 3)) * x, np.broadcast_to(x * b, (2, 3)) + b]
        last = rows[0]
        last += rows[1]
        rows[1][1] *= x
        return np.sum(rows[0] * rows[1])

    tl.check_grads(spread, (np.array([0.3, 0.5, 0.9]), 0.7), order=2)


def laid_out(x):
    y = x * x
    y.flat = 2.0 * x
    return np.sum(y)


def reshaped(x):
    y = x * x
    y.shape = (3, 1)
    return np.sum(y)


@pytest.mark.parametrize("f, reason", [
    (laid_out, "the iterator x.flat cannot be followed"),
    (reshaped, "the attribute shape of an array is assigned")])
def test_attributes_of_arrays_are_not_assigned(f, reason):
    with by_identity(), pytest.raises(tl.UnsupportedSyntaxError, match=reason):
        tl.grad(f)(np.ones(3))


def floats_into_integers(x):
    n = np.arange(3)
    np.place(n, n > 0, x * 2.0)
    return np.sum(n * x)


def test_what_np_place_does_not_cast():
    for derivative in (lambda x: tl.grad(floats_into_integers)(x),
                       lambda x: tl.jvp(floats_into_integers, (x,), (x,))):
        with pytest.raises(TypeError, match="according to the rule 'safe'"):
            derivative(np.ones(3))


def _of_whom(u):
    w, v = u[1:], u * 2.0
    u[0] = 3.0 * u[1]
    owner = 2.0 if w.base is u else 3.0
    whole = 5.0 if u.base is None and u.flags.owndata else 7.0
    return (np.sum(u) + v[0]) * owner * whole * u.strides[0]


@pytest.mark.parametrize("u", [np.array([1.5, 0.5, 2.5]), np.arange(1.0, 7.0)[::-2],
                               np.arange(1.0, 7.0)[:3]])
def test_whose_memory_it_is_is_told_as_in_the_function(u):
    with by_identity():
        value, gradient = tl.value_and_grad(_of_whom)(u)
    factor = value / (u[1] * 4.0 + u[2] + u[0] * 2.0)
    assert value == _of_whom(u.copy() if u.base is None else u.base.copy()[
        slice(None, None, -2) if u.strides[0] < 0 else slice(3)])
    np.testing.assert_allclose(gradient, factor * np.array([2.0, 4.0, 1.0]))
