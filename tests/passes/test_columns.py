"""Lists of objects as lists of their attributes: where they are, and where they must not be."""

import sys
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl

sys.path.insert(0, str(Path(__file__).parents[1]))

from object_class_programs import OF_CLASSES, OF_OTHER_CLASSES
from object_classes import Body, Cell, Particle
from object_place_programs import BY_PLACES
from object_programs import OF_OBJECTS, combinations, pairs_of_places
from shared_object_programs import BY_IDENTITY as SHARED
from shared_object_programs import BY_NAMES as EXCHANGED

X = np.arange(5.0) * 1.1 + 0.13
BY_NAMES = OF_OBJECTS + BY_PLACES + OF_CLASSES + EXCHANGED
BY_IDENTITY = SHARED + OF_OTHER_CLASSES


def along(f, x, direction, h=1e-6):
    return (f(x + h * direction) - f(x - h * direction)) / (2.0 * h)


@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY, ids=lambda f: f.__name__)
@pytest.mark.sweep(8)
def test_lists_of_objects(f):
    derivative = tl.grad(f)
    wanted = np.array([along(f, X, unit) for unit in np.eye(5)])
    for _ in range(2):
        np.testing.assert_allclose(derivative(X), wanted, rtol=1e-5, atol=1e-6)
    value, found = tl.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_array_equal(found, derivative(X))
    direction = np.cos(X)
    np.testing.assert_allclose(tl.jvp(f, (X,), (direction,))[1], wanted @ direction, rtol=1e-5,
                               atol=1e-6)
    pullback = tl.vjp(f, X)[1]
    for seed in (1.0, 2.0):
        np.testing.assert_allclose(pullback(seed)[0], seed * wanted, rtol=1e-5, atol=1e-5)
    # Of pairs that are made in loops, the kind of the second list is lost, once they are apart.
    is_lost = f is combinations
    assert ("tape.pull" in derivative.source_for(X)) == (f in BY_IDENTITY or is_lost)


@pytest.mark.parametrize("f", [combinations, pairs_of_places])
def test_second_derivatives(f):
    slope = tl.grad(f)
    found = tl.jacobian(slope)(X)
    wanted = np.array([along(slope, X, unit, 1e-5) for unit in np.eye(5)]).T
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


# Lists that are given --------------------------------------------------------------------------
def relaxed(cells, dt):
    for _ in range(3):
        for i in range(len(cells) - 1):
            flow = cells[i + 1].T - cells[i].T
            cells[i].q += flow
            cells[i + 1].q -= flow
        for cell in cells:
            cell.T += dt * cell.q
            cell.q = 0.0
    return sum(cell.T ** 2 for cell in cells)


def relaxed_dicts(cells, dt):
    for _ in range(3):
        for cell in cells:
            cell["T"] += dt * cell["k"] * cells[0]["T"]
    return sum(cell["T"] ** 2 for cell in cells)


def joined_by_one(cells, dt):
    cells.append(Cell(dt))
    for cell in cells:
        cell.T *= cells[-1].T
    return sum(cell.T for cell in cells)


def test_lists_that_are_given():
    def of_numbers(x):
        return relaxed([Cell(v) for v in x], 0.1)

    cells = [Cell(v, 0.0, f"c{k}") for k, v in enumerate(X)]
    derivative = tl.grad(relaxed)
    found = derivative(cells, 0.1)
    wanted = [along(of_numbers, X, unit) for unit in np.eye(5)]
    np.testing.assert_allclose([cell.T for cell in found], wanted, rtol=1e-6)
    assert [cell.T for cell in cells] == list(X)            # what is given stays as it was
    assert "tape.pull" not in derivative.source_for(cells, 0.1)
    slope = (relaxed([Cell(v) for v in X], 0.1 + 1e-6)
             - relaxed([Cell(v) for v in X], 0.1 - 1e-6)) / 2e-6
    np.testing.assert_allclose(tl.grad(relaxed, wrt=1)(cells, 0.1), slope, rtol=1e-6)


def test_dicts_that_are_given():
    cells = [{"T": v, "k": 1.0 + v, "name": "c"} for v in X]
    derivative = tl.grad(relaxed_dicts, wrt=1)
    wanted = (relaxed_dicts([{**c} for c in cells], 0.1 + 1e-6)
              - relaxed_dicts([{**c} for c in cells], 0.1 - 1e-6)) / 2e-6
    np.testing.assert_allclose(derivative(cells, 0.1), wanted, rtol=1e-6)
    assert "tape.pull" not in derivative.source_for(cells, 0.1)


def test_what_joins_a_list_that_is_given():
    cells = [Cell(v) for v in X]
    found = tl.grad(joined_by_one, wrt=1)(cells, 0.7)
    assert len(cells) == 5
    # Each T is multiplied by the last one, which is itself multiplied last: dt * sum(X) + dt ** 2.
    np.testing.assert_allclose(found, np.sum(X) + 2.0 * 0.7)


def test_an_object_that_is_there_twice():
    """It is one object: what is done to one of its places is seen at the other."""
    def doubled(cells, dt):
        for cell in cells:
            cell.T = cell.T * dt
        return sum(cell.T for cell in cells)

    derivative = tl.grad(doubled, wrt=1)
    np.testing.assert_allclose(derivative([Cell(1.0), Cell(3.0)], 2.0), 4.0)
    one = Cell(1.0)
    np.testing.assert_allclose(derivative([one, one], 2.0), 2.0 * 2.0 * 2.0)


def test_a_list_of_nothing():
    assert tl.grad(relaxed_dicts, wrt=1)([], 0.1) == 0.0
    with pytest.raises(IndexError):
        tl.grad(joined_to_nothing)(1.0)


def joined_to_nothing(x):
    bodies = [Body(x)]
    for k in range(3):
        bodies[k].x *= x
    return bodies[0].x


def test_the_text_speaks_of_attributes():
    text = tl.grad(pairs_of_places).source_for(X)
    for line in ("d = ps_x[i] - ps_x[j]", "ps_v[j] -= t", "bps_x[j] -= bd"):
        assert line in text


def test_numbers_of_several_kinds():
    def f(x):
        particles = [Particle(1), Particle(x), Particle(np.float64(2.5)), Particle(True)]
        for p in particles:
            p.v = p.x * x
        return sum(p.v for p in particles)

    assert tl.grad(f)(1.5) == 1.0 + 2.0 * 1.5 + 2.5 + 1.0


# Objects from outside --------------------------------------------------------------------------
OUTSIDE = Body(1.0, 2.0, 3.0)
BODIES = [Body(1.0, 2.0), Body(2.0, 1.0)]


def joined_from_outside(x):
    bodies = [Body(v) for v in x]
    bodies.append(OUTSIDE)
    total = 0.0
    for b in bodies:
        total += b.x * x[0]
    for b in bodies[:2]:
        b.x *= 2.0
    return total + bodies[0].x


def written_out_with_one_from_outside(x):
    bodies = [OUTSIDE, Body(x[0])]
    bodies[1].x *= bodies[0].v + x[1]
    return bodies[1].x * bodies[0].x


def read_from_outside(x):
    bodies = [Body(v) for v in x]
    for b in bodies:
        b.x *= BODIES[0].v
    return sum(b.x for b in bodies) + sum(b.x * x[0] for b in BODIES)


@pytest.mark.parametrize("f", [joined_from_outside, written_out_with_one_from_outside,
                               read_from_outside])
def test_objects_from_outside(f):
    wanted = [along(f, X, unit) for unit in np.eye(5)]
    np.testing.assert_allclose(tl.grad(f)(X), wanted, rtol=1e-5, atol=1e-6)
    assert vars(OUTSIDE) == {"x": 1.0, "v": 2.0, "m": 3.0}


# What does not vary at first -------------------------------------------------------------------
def dicts_of_constants(x):
    ps = [{"y": 1.0 + i, "v": 0.0} for i in range(4)]
    for _ in range(9):
        for p in ps:
            p["v"] -= x[0] * 0.02
            p["y"] += p["v"] * 0.02
    return sum(p["y"] * p["v"] for p in ps)


def objects_of_constants(x):
    ps = [Body(float(i)) for i in range(6) if i % 2]
    for _ in range(9):
        for p in ps:
            p.kick(-x[0] * p.x, 0.1)
            p.drift(x[1])
    return sum(p.x * p.v for p in ps)


class Rod:
    def __init__(self, n):
        self.cells = [Cell(1.0) for _ in range(n)]

    def step(self, k):
        for a, b in zip(self.cells, self.cells[1:]):
            flow = k * (b.T - a.T)
            a.q += flow
            b.q -= flow
        for cell in self.cells:
            cell.T += cell.q
            cell.q = 0.0


def rod(x):
    rod = Rod(6)
    rod.cells[0].T = x[0]
    for _ in range(9):
        rod.step(0.1 * x[1])
    return rod.cells[3].T


@pytest.mark.parametrize("f", [dicts_of_constants, objects_of_constants, rod])
def test_objects_of_constants(f):
    derivative = tl.grad(f)
    wanted = [along(f, X, unit) for unit in np.eye(5)]
    np.testing.assert_allclose(derivative(X), wanted, rtol=1e-5, atol=1e-6)
    assert "tape.pull" not in derivative.source_for(X)



# Lists that grow while they are looped over ------------------------------------------------------
def grows_in_loop(x):
    L = [Body(x[0], 1.0, 1.0)]
    for b in L:
        if len(L) < 4:
            L.append(Body(b.x * 1.1, 1.0, 1.0))
        b.x *= 2
    return sum((b.x for b in L))


def grows_in_loop2(x):
    L = [Body(x[0], 1.0, 1.0), Body(x[1], 1.0, 1.0)]
    n = 0
    for i, b in enumerate(L):
        n += 1
        b.x *= 2.0
        if i < 3:
            c = Body(b.x * x[1], 1.0, 1.0)
            L.append(c)
    return sum((b.x for b in L)) * n


def grows_sel(x):
    L = [Body(v, 1.0, 1.0) for v in x]
    A = [L[0]]
    for b in A:
        b.x *= 1.5
        if len(A) < 3:
            A.append(L[len(A)])
    return sum((b.x * k for k, b in enumerate(L))) * len(A)


def grows_slice(x):
    L = [Body(v, 1.0, 1.0) for v in x[:2]]
    for b in L[:]:
        L.append(Body(b.x * 2, 1.0, 1.0))
        b.x += 1.0
    for b in list(L):
        L.append(Body(b.x * 2, 1.0, 1.0))
    return sum((b.x for b in L)) * len(L)


def zipped(x):
    L = [Body(v, 1.0, 1.0) for v in x[:2]]
    for b, v in zip(L, x):
        L.append(Body(b.x * v, 1.0, 1.0))
        b.x += 1.0
    return sum((b.x for b in L)) * len(L)


def worklist(x):
    L = [Body(x[0], 1.0, 1.0)]
    i = 0
    while i < len(L):
        b = L[i]
        if i < 3:
            L.append(Body(b.x * 1.1, 1.0, 1.0))
            L.append(Body(b.x * 0.9, 1.0, 1.0))
        b.x *= 2.0
        i += 1
    return sum((b.x ** 2 for b in L))


def rebinds(x):
    L = [Body(v, 1.0, 1.0) for v in x[:3]]
    for b in L:
        b.x *= 2.0
        L = [Body(b.x, 1.0, 1.0)]
    return sum((b.x for b in L))


def rev_grow(x):
    L = [Body(v, 1.0, 1.0) for v in x[:3]]
    for b in reversed(L):
        L.append(Body(b.x * 0.5, 1.0, 1.0))
        b.x *= 2.0
    return sum((b.x * k for k, b in enumerate(L)))


GROWING = [grows_in_loop, grows_in_loop2, grows_sel, zipped, rebinds, rev_grow]
SETTLED = [grows_slice, worklist]


@pytest.mark.parametrize("f", GROWING + SETTLED)
def test_lists_that_grow_while_they_are_looped_over(f):
    derivative = tl.grad(f)
    wanted = [along(f, X, unit) for unit in np.eye(5)]
    np.testing.assert_allclose(derivative(X), wanted, rtol=1e-5, atol=1e-6)
    assert ("tape.pull" in derivative.source_for(X)) == (f in GROWING)
