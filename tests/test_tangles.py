"""Objects that hold one another in so many ways that nobody can look at all of them."""
import math

import pytest

import tangent_lite as tl
from tangent_lite import kinds, tangles
from tangent_lite.calling.keys import key_of


class Vertex:
    def __init__(self, place):
        self.place = place
        self.edges = []


class Edge:
    def __init__(self, start, end):
        self.start, self.end = start, end
        start.edges.append(self)
        end.edges.append(self)


class Mesh:
    """Vertices that know their edges, in a ring with chords."""
    stiffness = 3.0

    def __init__(self, places):
        self.vertices = [Vertex(place) for place in places]
        count = len(places)
        self.edges = [Edge(self.vertices[i], self.vertices[(i + step) % count])
                      for i in range(count) for step in (1, 2)]


MESH = Mesh([0.3 * k * k for k in range(7)])


def energy(stretch):
    total = 0.0
    for edge in MESH.edges:
        length = stretch * (edge.end.place - edge.start.place)
        total += 0.5 * MESH.stiffness * length * length
    return total


def by_hand(mesh, stretch):
    return sum(3.0 * stretch * (e.end.place - e.start.place) ** 2 for e in mesh.edges)


def test_a_mesh_around_the_function():
    gradient = tl.grad(energy)
    assert math.isclose(gradient(1.5), by_hand(MESH, 1.5), rel_tol=1e-13)
    MESH.vertices[2].place += 0.7       # a value that the kinds do not know
    assert math.isclose(gradient(1.5), by_hand(MESH, 1.5), rel_tol=1e-13)


def test_another_mesh_in_its_place(monkeypatch):
    gradient = tl.grad(energy)
    gradient(1.5)
    monkeypatch.setitem(globals(), "MESH", Mesh([0.2, 0.5, 0.1, 0.9]))
    assert math.isclose(gradient(1.5), by_hand(MESH, 1.5), rel_tol=1e-13)


def doubled(levels, hold):
    """Something that is held twice by what is held twice ...: a hundred parts, 2 ** levels ways."""
    held = 0.5
    for level in range(levels):
        held = hold(level, held)
    return held


CLASSES = [type(f"Level{level}", (), {}) for level in range(60)]


def held_by_objects(level, held):
    made = CLASSES[level]()
    made.left = made.right = held
    made.weight = 3.0
    return made


HOLDERS = {
    "objects": held_by_objects,
    "dicts": lambda level, held: {"left": held, "right": held, "weight": 3.0},
    "tuples": lambda level, held: (held, held),
    "lists": lambda level, held: [held, held],
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_held_twice_by_what_is_held_twice(holder):
    one, other = (doubled(60, HOLDERS[holder]) for _ in range(2))
    assert key_of(one) == key_of(other)
    assert kinds.kind_of(one) == kinds.kind_of(other)


def test_a_derivative_beside_what_is_held_twice():
    settings = doubled(40, held_by_objects)

    def f(x):
        return x * x * settings.weight

    assert tl.grad(f)(2.0) == 12.0


@pytest.mark.parametrize("count", [3, 5 * tangles.MOST_PARTS])
def test_many_parts_that_are_no_tangle(count):
    """How many items a list has does not matter, nor how often one is in it."""
    many = [{"weight": 2.0, "at": (1.0, [k])} for k in range(count)]
    found = kinds.kind_of([many, many * 3])
    item = kinds.DictKind(("weight", "at"), (
        kinds.FLOAT, kinds.TupleKind((kinds.FLOAT, kinds.ListKind(kinds.INT)), tuple)))
    assert found == kinds.ListKind(kinds.ListKind(item))
    assert key_of(many) == key_of(many[:2])


def test_what_is_known_around_a_ring():
    """Of what is in the ring nothing, of what holds it everything else."""
    found = kinds.kind_of({"mesh": MESH, "gain": 2.0})
    assert found.items[1] is kinds.FLOAT
    mesh = found.items[0]
    assert (mesh.type, mesh.fields) == (Mesh, ("vertices", "edges"))
    assert mesh.items == (kinds.ListKind(kinds.ANY), kinds.ListKind(kinds.ANY))


def test_keys_tell_apart_what_kinds_do():
    """Also where something is passed by: else code for the one would run for the other."""
    def settings(weight):
        return {"mesh": MESH, "weight": weight}

    assert key_of(settings(1.0)) == key_of(settings(2.0))
    assert key_of(settings(1.0)) != key_of(settings(1))
    assert kinds.kind_of(settings(1.0)) != kinds.kind_of(settings(1))


def test_an_argument_that_holds_itself_is_refused():
    def stiff(mesh, stretch):
        return stretch * mesh.edges[0].end.place

    with pytest.raises(tl.InputError, match="holds itself"):
        tl.grad(stiff, wrt="stretch")(MESH, 1.5)
