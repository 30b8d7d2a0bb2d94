"""Steps that add to neighbours: the same sums as steps that take from neighbours."""

import gast
import numpy as np
import pytest

pytest.importorskip("numba")

from tangent_lite.backends.numba_gathering import gather, scatters  # noqa: E402
from tangent_lite.emit import emit  # noqa: E402
from tangent_lite.names import Names  # noqa: E402
from tests.backends.comparing import held  # noqa: E402

rng = np.random.default_rng(3)
SCATTERING = {
    "three": ("bu[i - 1] += k * bv[i]\nbu[i] -= 2.0 * bv[i] * u[i - 1]\nbu[i + 1] += k * bv[i]",
              1, 1),
    "one side": ("t = bv[i] * k\nbu[i] += t\nbu[i + 2] -= t * u[i]\ns += t", 0, 2),
    "named": ("j = i - 1\nbu[j] += bv[i]\nbu[i] += 1.0\nbw[i] += u[j]", 1, 0),
    "branches": ("t = bv[i]\nif u[i] > 0.0:\n    bu[i - 1] += t\nelse:\n    t += 2.0\n"
                 "    bu[i + 1] += t * k\ns -= t\nbw[i] += t", 1, 1),
    "taken": ("t = bv[i]\nbv[i] = 0.0\nbu[i - 1] += t\nbu[i] += t * k", 1, 0),
    "written": ("t = bv[i]\nbu[i - 1] += t\nbu[i] += t * k\nbv[i] = t * u[i]", 1, 0),
}


def loop_of(body):
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    text = f"def f(bu, bv, bw, u, k, s, low, high):\n    for i in range(low, high):\n{lines}" \
           "    return s\n"
    tree = gast.parse(text).body[0]
    return tree, tree.body[0]


@pytest.mark.parametrize("case", SCATTERING)
def test_the_same_sums(case):
    body, before, behind = SCATTERING[case]
    tree, loop = loop_of(body)
    plain = {}
    exec(emit(tree), plain)
    made = gather(loop, {"s"}, Names({"i", "j", "t"}).fresh)
    assert made is not None and scatters(loop, {"s"})
    tree.body[:1] = made
    written = {}
    exec(emit(tree), written)
    for count in range(12):
        size = max(1, before + count + behind)
        arrays = [rng.normal(size=size) for _ in range(4)]
        results = []
        for f in (plain["f"], written["f"]):
            given = [x.copy() for x in arrays]
            results += [[f(*given, 0.3, 0.1, before, before + count), *given]]
        for one, other in zip(*results):
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("body", [
    "bu[i] += bv[i]\nbw[i] += k",                       # nothing is scattered
    "bu[i] += bv[i]\nbu[u[i]] += k",
    "bu[i] += bv[i]\nbu[i + k] += k",
    "bu[i] += f(bv[i])\nbu[i + 1] += f(bv[i])",         # called twice
    "bv[i] = 0.0\nbu[i] += bv[i]\nbu[i + 1] += k",      # it reads what it has written
    "bu[i] += k\nbu[i + 9] += k",
])
def test_what_stays(body):
    assert gather(loop_of(body)[1], set(), Names().fresh) is None


def test_what_is_written():
    _, loop = loop_of("t = k * bv[i]\nbu[i] += t\nbu[i + 1] -= t")
    made = gather(loop, set(), Names({"i", "t"}).fresh)
    assert "\n".join(emit(one) for one in made).split() == """
begin = low
end = high
first = begin + 1
last = end
rest = 2
if end - begin < 2:
    first = end + 1
    rest = end - begin
for i in range(first, last):
    t = k * bv[i]
    bu[i] += t
    t = k * bv[i - 1]
    bu[i] -= t
for at in range(rest):
    i = end - 2 + at if at >= 1 and rest == 2 else begin + at
    t = k * bv[i]
    if i < first or i >= last:
        bu[i] += t
    if i + 1 < first or i + 1 >= last:
        bu[i + 1] -= t
""".split()


# Programs -----------------------------------------------------------------------------------------
def upwind(u, k, steps):
    n = len(u)
    for t in range(steps):
        v = np.zeros(n)
        for i in range(1, n - 1):
            if u[i] > 0.0:
                v[i] = u[i] - k * (u[i] - u[i - 1])
            else:
                v[i] = u[i] - k * (u[i + 1] - u[i]) * u[i]
        u = v
    return np.sum(u * u)


def wide(u, k, steps):
    n = len(u)
    for t in range(steps):
        v = np.zeros(n)
        for i in range(3, n - 3):
            v[i] = k * (u[i - 3] * u[i] + u[i + 3] - u[i - 1] + u[i + 1] * u[i + 1])
        u = v + u
    return np.sum(u * u)


def plane(u, k, steps):
    n, m = u.shape
    for t in range(steps):
        v = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = u[i, j] + k * (u[i + 1, j] * u[i - 1, j] + u[i, j + 1] * u[i, j - 1]
                                         - 4.0 * u[i, j])
        u = v
    return np.sum(u * u)


@pytest.mark.parametrize(("f", "shapes"), [
    (upwind, [(0,), (1,), (2,), (3,), (4,), (30,)]), (wide, [(5,), (7,), (8,), (12,), (40,)]),
    (plane, [(0, 0), (2, 2), (3, 3), (3, 9), (9, 3), (8, 12)])])
def test_gradients(f, shapes):
    held(f, [(rng.normal(size=shape) * 0.5, 0.1, steps) for shape in shapes for steps in (1, 3)],
         rtol=1e-11)
