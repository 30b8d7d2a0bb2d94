"""`x[:, None]` reads all of x: its adjoint is that of the whole, without the axes put in."""
import numpy as np
import pytest

import tangent_lite as tl


def columns(x, v):
    w = np.sin(v)
    return np.sum(x * w[:, None] + np.cos(x) * w[:, None])


def rows(x, v):
    return np.sum(x * v[None, :]) + np.sum(v[None] ** 2)


def deep(x, v):
    w = v * v
    return np.sum(np.tanh(x)[None, :, None, :] * w[None, None, :, None])


def dots(x, v):
    y = np.exp(x)
    return np.sum(y[..., None] * v[None, ...][:, None, :])


def written(x, v):
    w = v.copy()
    w[0] = w[1] * w[0]
    t = w[:, None]
    w = w * 2.0
    w[-1] *= 3.0
    return np.sum(x * t * w[:, None]) + w[0]


def view_written(x, v):
    w = 1.0 * v
    t = w[:, None]
    t[1, 0] = t[0, 0] * t[2, 0]
    return np.sum(x * w[:, None]) + w[1]


def looped(x, v):
    total = 0.0
    for k in range(x.shape[1]):
        total = total + np.sum(v[:, None] * x[:, k:k + 1])
        v = np.sin(v)
    return total


def softmax(x, v):
    top = np.max(x, axis=1)
    e = np.exp(x - top[:, None])
    p = e / np.sum(e, axis=1)[:, None]
    return np.sum(p.T @ v)


def in_branches(x, v):
    t = v[:, None]
    if np.sum(v) > 0.0:
        t = t * x
    return np.sum(t)


PROGRAMS = [columns, deep, dots, written, view_written, looped, softmax, in_branches]


def differences(f, args, position, h=1e-6):
    found = np.zeros(args[position].shape)
    for spot in np.ndindex(found.shape):
        values = []
        for step in (h, -h):
            moved = [a.copy() for a in args]
            moved[position][spot] += step
            values.append(f(*moved))
        found[spot] = (values[0] - values[1]) / (2.0 * h)
    return found


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    rng = np.random.default_rng(3)
    args = (rng.normal(size=(4, 3)), rng.normal(size=4) + 0.3)
    got = tl.grad(f, wrt=(0, 1))(*args)
    for position, one in enumerate(got):
        np.testing.assert_allclose(one, differences(f, args, position), rtol=1e-6, atol=1e-8)
    v = (rng.normal(size=(4, 3)), rng.normal(size=4))
    y, dy = tl.jvp(f, args, v)
    np.testing.assert_allclose(dy, sum(np.sum(g * t) for g, t in zip(got, v)), rtol=1e-10)
    tl.check_grads(f, args, order=2)


def test_rows():
    rng = np.random.default_rng(4)
    args = (rng.normal(size=(4, 3)), rng.normal(size=3))
    for position, one in enumerate(tl.grad(rows, wrt=(0, 1))(*args)):
        np.testing.assert_allclose(one, differences(rows, args, position), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (1, 3), (3, 0)])
@pytest.mark.parametrize("f", [columns, deep, looped, in_branches])
def test_small_shapes(f, shape):
    x, v = np.full(shape, 0.4), np.full(shape[0], 0.7)
    bx, bv = tl.grad(f, wrt=(0, 1))(x, v)
    assert bx.shape == x.shape and bv.shape == v.shape
    np.testing.assert_allclose(bv, differences(f, (x, v), 1), rtol=1e-6, atol=1e-8)


def test_one_column_beside_many():
    """v is spread along both axes: what is summed has to be what was spread."""
    def f(x, v):
        return np.sum(x[:, None] * v[None, :] * v[:, None])

    for n, m in ((3, 3), (1, 4), (4, 1)):
        x = np.linspace(0.5, 1.0, n)
        v = np.linspace(0.2, 0.9, m)
        for position, one in enumerate(tl.grad(f, wrt=(0, 1))(x, v)):
            np.testing.assert_allclose(one, differences(f, (x, v), position), rtol=1e-6)


def test_types_stay():
    def f(x, z):
        return np.sum(np.abs(z[:, None] * x) ** 2)

    x, z = np.ones((2, 3), np.float32), np.array([1.0 + 2.0j, 0.5j], np.complex64)
    bx, bz = tl.grad(f, wrt=("x", "z"))(x, z)
    assert bx.dtype == np.float32 and bz.dtype == np.complex64
    np.testing.assert_allclose(bz, 2.0 * 3.0 * np.conj(z), rtol=1e-6)
    np.testing.assert_allclose(bx, 2.0 * np.abs(z[:, None]) ** 2 * np.ones((2, 3)), rtol=1e-6)


def test_gradients_are_arrays_of_their_own():
    def f(x):
        return np.sum(np.array([1.0, 2.0])[:, None] * x[None, :]), np.sum(x)

    def first(x):
        return f(x)[0]

    x = np.ones(3)
    got = tl.grad(first)(x)
    got += 1.0                                          # writable, and not of x
    np.testing.assert_allclose(got, 4.0)
    y, pull = tl.vjp(lambda x: x[:, None], x)
    seed = np.ones((3, 1))
    (back,) = pull(seed)
    assert not np.shares_memory(back, seed)
    back[:] = 7.0
    np.testing.assert_allclose(pull(seed)[0], 1.0)


def test_source_says_it_in_one_sum():
    source = tl.grad(columns, wrt=("x", "v")).source_for(np.ones((4, 3)), np.ones(4))
    assert "np.sum(bt * cos_x, axis=1)" in source
    assert "zeros" not in source and "keepdims" not in source


def taken_from_a_number(x, v):
    s = np.sum(x * x)
    t = s[None]
    t[0] = t[0] * v[0]                      # a copy of the number: s stays
    u = t[:, None]
    u[0, 0] *= v[1]
    return s * t[0] + np.sum(u) + np.sum(np.dot(v, v)[..., None] * x)


def scaled(s, x):
    return np.sum(s[None] * x[None]) + np.sum(s[..., None] * 2.0)


def number_or_array(x, v):
    s = np.sin(np.sum(v))
    t = np.sum(v) if x[0, 0] > 10.0 else v
    return scaled(np.sum(v), x) + scaled(x, x) + s[()] * np.sum(s[...] * x) + np.sum(t[None] ** 2)


def number_carried(x, v):
    s = np.sum(v)
    for _ in range(3):
        s = np.mean(np.cos(s[None, None] * x))
        s = s[()] + s[...]
    return s


def by_identity(x, v):
    held = {"s": np.sum(x * x)[None]}
    same = held
    same["s"] = same["s"] * v[0]
    same["n"] = np.dot(v, v)
    return held["s"][0] + np.sum(held["n"][..., None] * v) * held["n"][()]


@pytest.mark.parametrize("f", [taken_from_a_number, number_or_array, number_carried, by_identity])
def test_numbers_of_numpy_take_axes(f):
    test_gradients(f)


def test_a_number_as_argument():
    def f(s, x):
        return np.sum(s[None] * x) + np.sum(s[..., None, None] ** 3)

    x = np.array([1.0, 2.0, 4.0])
    for s in (np.float64(0.5), np.float32(0.5)):
        np.testing.assert_allclose(tl.grad(f)(s, x), 7.0 + 3.0 * 0.25)
        np.testing.assert_allclose(tl.jvp(f, (s, x), (1.0, None))[1], 7.75)
    np.testing.assert_allclose(tl.hvp(f)(np.float64(0.5), x, 1.0), 3.0)


def test_shapes_are_said_simply():
    """A literal part of a tuple stands for itself, and nothing is divided by one."""
    def stacked(x, v):
        y = np.empty((2,) + x.shape)
        y[0] = v[:, None]
        y[1] = x
        return np.sum(y ** 3)

    def flat(v):
        return np.sum(v[:, None].reshape(-1) * v)

    x, v = np.ones((3, 2)), np.array([0.5, 1.0, 2.0])
    assert "np.empty((2, x_shape[0], x_shape[1]))" in tl.grad(stacked).source_for(x, v)
    np.testing.assert_allclose(tl.grad(stacked, wrt=1)(x, v), 6.0 * v * v)
    assert "// 1" not in tl.grad(flat).source_for(v)
    np.testing.assert_allclose(tl.grad(flat)(v), 2.0 * v)


@pytest.mark.parametrize("shape", [(3, 4), (4, 4)])
def test_axes_behind_an_ellipsis_where_nothing_is_known(shape):
    """The general code: how many axes the ellipsis stands for is known when it runs."""
    def between(x, v):
        y = np.sin(x)[..., None, :]
        return np.sum(y * v)

    def around(x, v):
        y = np.sin(x)[None, ..., None, :]
        return np.sum(y * v)

    x = np.random.default_rng(1).normal(size=shape)
    v = np.random.default_rng(2).normal(size=(shape[0], 5, shape[1]))
    for f in (between, around):
        space = {}
        exec(tl.grad(f).source, space)
        got = space[f"{f.__name__}_grad"](x, v)
        np.testing.assert_allclose(got, differences(f, (x, v), 0), rtol=1e-6, atol=1e-8)
