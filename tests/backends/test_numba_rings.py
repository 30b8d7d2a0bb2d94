"""Loops whose first and last steps are others: the same steps in the same order."""

import gast
import numpy as np
import pytest

pytest.importorskip("numba")

from tangent_lite.backends.numba_rings import hoist, peel  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402
from tangent_lite.names import Names  # noqa: E402
from tests.backends.comparing import held  # noqa: E402

rng = np.random.default_rng(4)
WHOLE = ("i", "n", "m", "k", "t")
BODIES = {
    "ring": "seen.append((i, (i - 1) % n, (i + 2) % n))",
    "turned": "seen.append((i, (i - 1 + n) % n, (n + i + 1) % n))",
    "named": "j = i + 1\nif j == n:\n    j = 0\nseen.append((i, j, (i + k) % n))",
    "choices": "seen.append((i, i - 1 if i > 0 else n - 1, i + 1 if n - 1 > i else 0, not i == 1))",
    "branches": "if i == 0:\n    seen.append(('first', i))\nelif i == n - 1:\n"
                "    seen.append(('last', i))\nelse:\n    seen.append((i, 0 < i < n - 1))",
    "both": "if i >= 2 and i != n - 2:\n    seen.append(i)\nelse:\n    seen.append(-i)",
    "carried": "seen.append(n if i == 0 else kept)\nkept = i",
    "continued": "if i == 0:\n    continue\nseen.append((i - 1) % n)",
}


def functions(body, ends):
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"def f(n, k):\n    seen = []\n    kept = -1\n    for i in range({ends}):\n{lines}" \
           "    return seen\n"
    tree = gast.parse(text).body[0]
    plain, written = {}, {}
    exec(emit(tree), plain)
    made = peel(tree.body[2], Names({"i", "j"}).fresh, lambda name: name,
                lambda node: getattr(node, "id", None) in WHOLE)
    assert made is not None
    tree.body[2:3] = made[0]
    exec(emit(tree), written)
    return plain["f"], written["f"], emit(made[1])


@pytest.mark.parametrize("ends", ["n", "n - 1, -1, -1", "1, n + 1", "k, n"])
@pytest.mark.parametrize("case", BODIES)
def test_the_same_steps(case, ends):
    if case in ("branches", "both", "choices", "carried", "named") and ends in ("1, n + 1", "k, n"):
        ends = "0, n"
    f, g, between = functions(BODIES[case], ends)
    if case != "named":
        assert "%" not in between
    for n in range(9):
        for k in (0, 1, 3):
            assert f(n, k) == g(n, k)


@pytest.mark.parametrize("body", [
    "x[i % 3] = 1", "x[(i + 1) % 3] = 1", "x[i % n] = 1", "x[(i + s) % n] = 1",
    "n = n - 1\nx[(i + 1) % n] = 1", "if i == k:\n    x[i] = 1", "x[(2 * i + 1) % n] = 1",
    "if i > 0:\n    break", "for j in range(3):\n    x[(i + 1) % n] = j"])
def test_what_stays(body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    loop = gast.parse(f"for i in range(n):\n{lines}").body[0]
    assert peel(loop, Names().fresh, str, lambda node: getattr(node, "id", None) in WHOLE) is None


def test_remainders_in_front_of_the_loop():
    loop = gast.parse("for j in range(m):\n    v[i, j] = u[(i + 1) % n, j] + u[(i + 1) % n, 0]\n"
                      "    if j > 3:\n        v[i, j] = u[(t + 1) % n, j]\n").body[0]
    made = hoist(loop, Names({"i", "j"}).fresh, lambda node: getattr(node, "id", None) in WHOLE)
    assert emit(made).split() == """
if 0 < m:
    row = (i + 1) % n
    for j in range(m):
        v[i, j] = u[row, j] + u[row, 0]
        if j > 3:
            v[i, j] = u[(t + 1) % n, j]
""".split()


# Programs -----------------------------------------------------------------------------------------
def burgers(u, nu, steps):
    n = u.shape[0]
    for t in range(steps):
        v = np.empty(n)
        for i in range(n):
            a = u[(i - 1) % n]
            b = u[(i + 1) % n]
            v[i] = u[i] - 0.05 * u[i] * (b - a) + nu * (b - 2.0 * u[i] + a)
        u = v
    loss = 0.0
    for i in range(n):
        loss += u[i] * u[i]
    return loss


def conditions(u, nu, steps):
    n = u.shape[0]
    for t in range(steps):
        v = np.zeros(n)
        for i in range(n):
            after = i + 1
            if after == n:
                after = 0
            if i == 0:
                v[i] = u[i] * nu
            else:
                v[i] = u[i - 1] * u[i] + nu * u[after]
        u = v
    return np.sum(u * u)


def torus(u, nu, steps):
    n, m = u.shape
    for t in range(steps):
        v = np.empty((n, m))
        for i in range(n):
            for j in range(m):
                v[i, j] = u[i, j] + nu * (u[(i + 1) % n, j] * u[(i - 1) % n, j]
                                          + u[i, (j + 1) % m] - 4.0 * u[i, (j - 1) % m])
        u = v
    return np.sum(u * u)


@pytest.mark.parametrize(("f", "shapes"), [
    (burgers, [(0,), (1,), (2,), (3,), (6,), (40,)]),
    (conditions, [(0,), (1,), (2,), (3,), (4,), (20,)]),
    (torus, [(0, 3), (1, 1), (2, 3), (3, 2), (7, 9)])])
def test_gradients(f, shapes):
    held(f, [(rng.normal(size=shape) * 0.3, 0.1, steps) for shape in shapes for steps in (1, 3)],
         rtol=1e-11)
