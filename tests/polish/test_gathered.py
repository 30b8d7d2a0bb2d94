"""Products that loops add up: gathered, and right; where they may not be gathered, left alone."""

import re

import numpy as np
import pytest

import tangent_lite as tl

RNG = np.random.default_rng(0)
H, X = 0.5 * RNG.normal(size=4), 0.5 * RNG.normal(size=(5, 3))
WH, WX, B = 0.4 * RNG.normal(size=(4, 4)), 0.4 * RNG.normal(size=(3, 4)), RNG.normal(size=4)


def plain(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = np.tanh(xs[t] @ Wx + h @ Wh + b)
    return np.sum(h * h)


def over_rows(Wh, Wx, b, h, xs):
    total = 0.0
    for x in xs:
        h = np.sin(Wh @ h + x @ Wx) - b
        total += np.sum(h ** 3)
    return total


def until(Wh, Wx, b, h, xs):
    n = 0
    while np.sum(h * h) > 0.05 and n < 7:
        h = 0.5 * np.tanh(h @ Wh) + 0.1 * b
        n += 1
    return np.sum(h) * np.sum(Wx) * np.sum(xs)


def by_branches(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        if t % 2 == 0:
            h = np.tanh(xs[t] @ Wx + h @ Wh)
        elif t == 3:
            h = h - b
        else:
            h = 0.5 * h + np.cos(h @ Wh)
    return np.sum(h * h)


def nested(Wh, Wx, b, h, xs):
    total = 0.0
    for s in range(3):
        g = h * (s + 1.0)
        for t in range(s):
            g = np.tanh(g @ Wh + xs[t] @ Wx + b)
        total = total + np.sum(g * g)
    return total


def twice_in_a_step(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = np.tanh(h @ Wh + b)
        h = h + np.tanh(xs[t] @ Wx) * np.sin(h @ Wh)
    return np.sum(h)


def negated(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = -np.tanh(b - h @ Wh - 2.0 * (xs[t] @ Wx))
    return np.sum(h * b)


def weights_change(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = np.tanh(h @ Wh + xs[t] @ Wx + b)
        Wh = 0.9 * Wh
    return np.sum(h * h)


def state_in_an_array(Wh, Wx, b, h, xs):
    hs = np.zeros((xs.shape[0] + 1, h.shape[0]))
    hs[0] = h
    for t in range(xs.shape[0]):
        hs[t + 1] = np.tanh(hs[t] @ Wh + xs[t] @ Wx + b)
    return np.sum(hs * hs)


def state_overwritten(Wh, Wx, b, h, xs):
    h = h.copy()
    for t in range(xs.shape[0]):
        h[:] = np.tanh(h @ Wh + xs[t] @ Wx + b)
    return np.sum(h * h)


def part_overwritten(Wh, Wx, b, h, xs):
    h = h.copy()
    for t in range(xs.shape[0]):
        g = h @ Wh
        h[1:] = np.tanh(g[1:]) + b[1:]
        h[0] = h[0] * 0.5 + g[1]
    return np.sum(h * h) + np.sum(Wx) * np.sum(xs)


def inputs_overwritten(Wh, Wx, b, h, xs):
    xs = xs.copy()
    for t in range(xs.shape[0] - 1):
        h = np.tanh(h @ Wh + xs[t] @ Wx)
        xs[t + 1] = xs[t + 1] * h[:3] + xs[t]
    return np.sum(h * h) + np.sum(b * h)


def doubled(Wh, Wx, b, h, xs):
    h = h.copy()
    for t in range(xs.shape[0]):
        g = h
        a = np.tanh(g @ Wh)
        h *= 0.5
        h += a + xs[t] @ Wx + b
    return np.sum(h * h)


def left_early(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = np.tanh(h @ Wh + xs[t] @ Wx + b)
        if h[0] > 0.2:
            break
    return np.sum(h * h)


def step(h, x, Wh, Wx, b):
    return np.tanh(h @ Wh + x @ Wx + b)


def by_a_helper(Wh, Wx, b, h, xs):
    for x in xs:
        h = step(h, x, Wh, Wx, b)
    return np.sum(h * h)


def outer_products(Wh, Wx, b, h, xs):
    """The sums are the user's: only what the adjoint adds up is gathered."""
    C = np.zeros((4, 4))
    for t in range(xs.shape[0]):
        h = np.tanh(Wh @ h + xs[t] @ Wx)
        C += h[:, None] * b
    return np.sum(C * Wh)


def of_a_function(Wh, Wx, b, h, xs):
    """Next to the vectors there is a matrix, with as many rows as the loop has steps at times."""
    for t in range(xs.shape[0]):
        h = np.tanh(h @ np.exp(Wh) + xs[t] @ (Wx * Wx) + b)
    return np.sum(h * h)


def doubled_and_counted(Wh, Wx, b, h, xs):
    for t in range(xs.shape[0]):
        h = 0.3 * (h @ (Wh * t)) + np.cos(2.0 * (xs[t] @ Wx))
    return np.sum(h * b)


def again(h, x, Wh, Wx, b, n):
    if n == 0:
        return h
    return again(np.tanh(h @ Wh + x @ Wx + b), x, Wh, Wx, b, n - 1)


def by_a_recursion(Wh, Wx, b, h, xs):
    for x in xs:
        h = again(h, x, Wh, Wx, b, 2)
        h = np.sin(h @ Wh)
    return np.sum(h * h)


def longer_and_longer(Wh, Wx, b, h, xs):
    total = 0.0
    for t in range(1, 4):
        total = total + np.sum(np.tanh(h[:t] @ Wh[:t]) ** 2) + np.sum(xs[:t] @ Wx)
    return total + np.sum(b)


ALL = [plain, over_rows, until, by_branches, nested, twice_in_a_step, negated, weights_change,
       state_in_an_array, state_overwritten, part_overwritten, inputs_overwritten, doubled,
       left_early, by_a_helper, outer_products, of_a_function, doubled_and_counted,
       by_a_recursion, longer_and_longer]
# The adjoints that are sums of products behind a loop.
GATHERED = {
    plain: "Wh Wx", over_rows: "Wh Wx", until: "Wh", nested: "Wh Wx",
    twice_in_a_step: "Wh Wh Wx", negated: "Wh Wx", weights_change: "Wx", left_early: "Wh Wx",
    by_branches: "Wh Wh Wx", state_in_an_array: "Wh Wx", state_overwritten: "Wx",
    inputs_overwritten: "Wh", doubled: "Wx", outer_products: "Wh Wx",
    doubled_and_counted: "Wh Wx",
}


@pytest.mark.parametrize("steps", [0, 1, 4])
@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_gradients(function, steps):
    if function in (nested, longer_and_longer) and steps < 3:
        pytest.skip("it reads three inputs")
    args = (WH, WX, B, H, X[:steps])
    kept = [a.copy() for a in args]
    wrt = (0, 1, 2, 3)
    found = tl.grad(function, wrt=wrt)(*args)
    pullback = tl.vjp(function, *args)[1](1.0)
    for k in wrt:
        wanted = tl.jacfwd(function, wrt=k)(*args)
        assert np.allclose(found[k], wanted, rtol=1e-9, atol=1e-11), k
        assert np.allclose(pullback[k], wanted, rtol=1e-9, atol=1e-11), k
    tl.check_grads(function, args, order=1)
    assert all(np.array_equal(a, b) for a, b in zip(args, kept))


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_what_is_gathered(function):
    text = tl.grad(function, wrt=(0, 1, 2, 3)).source_for(WH, WX, B, H, X)
    found = re.findall(r"^ +b(\w+) [+-]= .*_rows(?:_\d+)?\)?\.T @ ", text, re.MULTILINE)
    assert sorted(found) == GATHERED.get(function, "").split(), text


@pytest.mark.parametrize("dtype", [np.float32, float, complex])
def test_dtypes(dtype):
    def loss(Wh, h, xs):
        for x in xs:
            h = np.sin(h @ Wh) + x
        return np.sum(np.abs(h) ** 2)

    args = [0.5 * RNG.normal(size=s).astype(dtype) for s in ((3, 3), (3,), (4, 3))]
    if dtype is complex:
        args = [a + 0.3j * RNG.normal(size=a.shape) for a in args]
    found = tl.grad(loss, wrt=(0, 1))(*args)
    assert all(g.dtype == dtype for g in found)
    wanted = tl.grad(loss, wrt=(0, 1))(*[a.astype(complex if dtype is complex else float)
                                         for a in args])
    assert all(np.allclose(a, b, rtol=1e-4 if dtype is np.float32 else 1e-12)
               for a, b in zip(found, wanted))
    tl.check_grads(loss, [a.astype(complex if dtype is complex else float) for a in args])


def test_arrays_of_other_dtypes_keep_theirs():
    found = tl.grad(plain, wrt=(0, 1, 2, 3))(WH.astype(np.float32), WX, B, H, X)
    assert [g.dtype for g in found] == [np.float32, float, float, float]
    ints = tl.grad(plain)(WH, WX, B, H, np.arange(6).reshape(2, 3))
    assert np.allclose(ints, tl.grad(plain)(WH, WX, B, H, np.arange(6.0).reshape(2, 3)))


def test_with_checkpoints_each_segment_gathers_its_own():
    def loss(Wh, h, n):
        for _ in tl.checkpoint(range(n)):
            h = np.tanh(h @ Wh)
        return np.sum(h * h)

    def whole(Wh, h, n):
        for _ in range(n):
            h = np.tanh(h @ Wh)
        return np.sum(h * h)

    for n in (0, 1, 7, 30):
        assert np.allclose(tl.grad(loss)(WH, H, n), tl.grad(whole)(WH, H, n), rtol=1e-11)


def test_second_derivatives():
    tl.check_grads(lambda Wh, h: plain(Wh, WX, B, h, X), (WH, H), order=2)


def test_the_text():
    text = tl.grad(plain).source_for(WH, WX, B, H, X)
    assert text[text.index("    # Backward pass"):] == """\
    # Backward pass
    # return np.sum(h * h)
    bh = 2.0 * bplain * h
    bWh = np.zeros_like(Wh)
    h_rows = []
    bt_rows = []
    for t in range(xs.shape[0] - 1, -1, -1):
        # h = np.tanh(xs[t] @ Wx + h @ Wh + b)
        bt = bh * (1.0 - h * h)
        h = h_tape.pop()
        bh = Wh @ bt
        h_rows.append(h)
        bt_rows.append(bt)
    bWh += np.array(h_rows).T @ np.array(bt_rows)
    return bWh
"""
