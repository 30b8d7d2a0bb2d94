"""What backward halves return: which copies of it are left out, and which have to stay."""
import gast
import numpy as np
import pytest

import tangent_lite as tl

X, Y = np.array([0.3, -0.7, 1.1]), np.array([0.5, 0.2, -0.4])


def rates(y, p):
    return np.array([y[1], p["mu"] * (1 - y[0] ** 2) * y[1] - y[0]])


def step(f, y, h, p):
    k1 = f(y, p)
    k2 = f(y + h / 2 * k1, p)
    return y + h / 6 * (k1 + 2 * k2)


def simulated(p, y0, n, h):
    y, cost = y0, 0.0
    for _ in range(n):
        y = step(rates, y, h, p)
        cost += y[0] ** 2 * h
    return cost


def test_a_result_has_its_name_and_no_copy():
    derivative = tl.grad(simulated)
    args = {"mu": 1.5}, np.array([1.0, 0.5]), 5, 0.1
    text = derivative.source_for(*args)
    assert "by, bp = step_bwd(step_saved, by)" in text and ".copy()" not in text
    up, down = ({"mu": 1.5 + e} for e in (1e-6, -1e-6))
    slope = (simulated(up, *args[1:]) - simulated(down, *args[1:])) / 2e-6
    assert derivative(*args)["mu"] == pytest.approx(slope, rel=1e-5)


# Each of these hands back what it was passed, or a view of it, or one array twice.
def handed_on(y, z):
    return y + z


def turned(y, z):
    return y[::-1]


def stretched(y, z):
    return 2.0 * (y + z)


def made_here(y, z):
    return np.sin(y) * z


def one_of_them(y, z):
    if y[0] > 0.0:
        return y * 2.0
    return y


def kept(y, z):
    parts = [y, z]
    parts.append(y * z)
    return parts[0] + parts[2]


HELPERS = [handed_on, turned, stretched, made_here, one_of_them, kept]


def stepwise(helper):
    def run(x, y):
        total = 0.0
        for k in range(3):
            x = helper(x, y)
            total += x[0] * x[2] + x[1] ** 2
            y = y * 1.5
        return total
    return run


def both_at_once(helper):
    def run(x, y):
        z = helper(x, y)
        w = helper(y, z)
        total = 0.0
        for k in range(2):
            z = helper(z, w)
            total += z[k] * w[0]
            w = helper(w, x)
        return total + w[2]
    return run


def in_turn(helper):
    def run(x, y):
        seen = []
        for k in range(3):
            if k == 2:
                break
            x = helper(x, x * y)
            seen.append(x)
            x = x * x[0]
        return seen[0][1] * seen[1][2] + np.sum(x)
    return run


@pytest.mark.parametrize("around", [stepwise, both_at_once, in_turn])
@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.sweep(4)
def test_gradients(helper, around):
    f = around(helper)
    tl.check_grads(f, (X, Y))
    x, y = X.copy(), Y.copy()
    first = tl.grad(f, wrt=(0, 1))(x, y)
    second = tl.grad(f, wrt=(0, 1))(x, y)
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one, other)
    assert not np.shares_memory(*first)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, Y)


def own(source, name="f_bwd"):
    """What is said of what a unit returns, whose text this is."""
    from types import SimpleNamespace

    from tangent_lite.polish.handed_back import _Results

    tree = gast.parse(source).body[0]
    for node in gast.walk(tree):
        if hasattr(node, "lineno"):
            del node.lineno
    return _Results().own(SimpleNamespace(
        tree=tree, external={"np": np}, source=SimpleNamespace(globals={})))


@pytest.mark.parametrize("body, said", [
    ("return by", [False]), ("return by * 2.0", [True]), ("bx = by * 2.0; return bx", [True]),
    ("bx = by; bx = bx + by; return bx", [True]), ("bx = by * 2.0; bx += by; return bx", [True]),
    ("bx = by; bx += 1.0; return bx", [False]), ("bx = (by * x)[1:]; return bx", [False]),
    ("bx = by * x; bz = bx; return bx, bz", [False, False]),
    ("bx = by * x; bz = by * 2.0; return bx, bz", [True, True]),
    ("bx = by * x; return bx, {'x': bx}", [False, False]),
    ("bx = by * x; xs = [bx]; return bx, xs", [False, False]),
    ("bx = by * x; xs.append(bx); return bx", [False]),
    ("bx = by * x; xs += [bx]; return bx", [False]),
    ("bx = by * x; xs[0] = bx; return bx", [False]),
    ("bx = by * x; x[0] += bx[1]; return bx", [True]),
    ("bx = np.exp(by); bz = bx; return bz", [True]),
    ("bx = np.exp(by); bz = bx; bw = bx; return bz, bw", [False, False]),
    ("bx = np.asarray(by); return bx", [False]),
])
def test_what_is_own(body, said):
    assert own("def f_bwd(saved, by, x, xs):\n    " + body) == said


@pytest.mark.parametrize("block", [
    "    bx = by * x\n    if x > 0.0:\n        bx = by\n    return bx",
    "    bx = by * x\n    for i in range(3):\n        bx = xs[i]\n    return bx",
    "    if x > 0.0:\n        return by\n    return by * x",
])
def test_what_is_bound_in_a_branch_is_not(block):
    assert not any(own("def f_bwd(saved, by, x, xs):\n" + block))
