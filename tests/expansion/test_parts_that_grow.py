"""`self.parts += [a, b]`: the list in an object or a dict grows, and is the same one."""
import math

import pytest

import tangent_lite as tl


class Element:
    def __init__(self, number, weight):
        self.number, self.weight = number, weight

    def energy(self, x):
        return self.weight * x ** self.number


class Mesh:
    def __init__(self, x, n):
        self.elements = []
        for k in range(n):
            self.elements += [Element(k, x), Element(k + 1, 2.0)]

    def total(self, x):
        return sum(element.energy(x) for element in self.elements)


def of_objects(x):
    return Mesh(x, 3).total(x)


def in_a_dict(x):
    kept = {"log": []}
    for k in range(3):
        kept["log"] += [x * k]
    return sum(kept["log"]) * len(kept["log"])


def a_list_with_a_name(x):
    mesh, more = Mesh(x, 0), [x, x * x]
    mesh.elements += more
    more.append(1.0)                        # a list of its own
    mesh.elements += more
    return sum(mesh.elements) * len(mesh.elements)


def under_another_name(x):
    mesh = Mesh(x, 0)
    seen = mesh.elements
    mesh.elements += [x]
    seen.append(x * x)
    return sum(mesh.elements) * len(seen)


def its_own_items(x):
    mesh = Mesh(x, 0)
    mesh.elements += [x, 2.0]
    mesh.elements += [mesh.elements[0] * x, *mesh.elements]
    return sum(mesh.elements) * len(mesh.elements)


def one_list_twice(x):
    mesh, row = Mesh(x, 0), [x]
    mesh.elements += [row, row]
    row.append(2.0 * x)
    return sum(mesh.elements[0]) * sum(mesh.elements[1])


@pytest.mark.parametrize("f", [of_objects, in_a_dict, a_list_with_a_name, under_another_name,
                               its_own_items, one_list_twice])
def test_parts_that_grow(f):
    value, slope = tl.value_and_grad(f)(1.3)
    assert value == f(1.3)
    assert math.isclose(slope, (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel_tol=1e-7)


def test_by_names():
    for f in (of_objects, in_a_dict, a_list_with_a_name, under_another_name):
        assert "(tape" not in tl.grad(f).source_for(1.3)
